"""The ledger holds its caps in every order, and keeps what was spent through crashes."""

from __future__ import annotations

import gc
import multiprocessing
import os
import random
import shutil
import signal
import sqlite3
import stat
import time

import pytest

from accounts import compose
from indistinct.base.billionths import BILLION
from indistinct.errors import BudgetExceededError, EngineError
from indistinct.questions.database.book import Request, read, written
from indistinct.questions.database.dataset import Analyst, Budget
from indistinct.questions.database.ledger_of_charges import Ledger
from indistinct.questions.database.stores.sqlite import SqliteStore
from indistinct.questions.mechanisms.accountant import Accounting, Charge

CAP = 10 * BILLION
OWNER = Analyst("owner", "owner", CAP)
FORK = multiprocessing.get_context("fork")


def open_book(path, cap=CAP, *, create=False):
    book = Ledger(
        SqliteStore(str(path), create=create), "d", Budget(Accounting.PURE, cap, cap, cap)
    )
    if create:
        book.register()
    return book


@pytest.fixture
def path(tmp_path):
    open_book(tmp_path / "d.ledger", create=True).store.close()
    return tmp_path / "d.ledger"


def request(question, price=BILLION, who=OWNER, box=None, *, fresh=False):
    return Request(who, "1", question, price, box or {}, fresh)


def test_a_ledger_is_made_only_where_one_is_wanted(tmp_path):
    with pytest.raises(EngineError):
        SqliteStore(str(tmp_path / "none.ledger")).transaction().__enter__()
    assert not (tmp_path / "none.ledger").exists()


def test_a_question_is_not_fresh_unless_it_says_so(path):
    """What was answered is answered again, for nothing."""
    book = open_book(path)
    asked = Request(OWNER, "1", "q", BILLION, {})
    book.commit(book.reserve(asked).number, "42")
    again = book.reserve(asked)
    assert (again.answer, again.charged) == ("42", 0)
    assert again.number == book.entries()[0].number
    assert book.spent() == BILLION


def test_an_answer_that_another_analyst_paid_for_costs_the_data_nothing(path):
    """It counts against the cap of who asks it second, and against no other to the billionth."""
    book = open_book(path)
    book.commit(book.reserve(request("q")).number, "42")
    second = Analyst("second", "analyst", CAP)
    again = book.reserve(request("q", who=second))
    assert (again.answer, again.charged) == ("42", BILLION)
    assert book.spent() == BILLION
    found = book.store._connection().execute("SELECT shared FROM charges ORDER BY id").fetchall()
    assert found == [(BILLION,), (0,)]
    assert book.left(second, "1") == CAP - BILLION


def test_an_analyst_s_own_cap_holds_where_the_data_would_allow_more(path):
    """On one version of the data, and over two."""
    book, poor = open_book(path), Analyst("poor", "analyst", 2 * BILLION)
    book.reserve(request("q", who=poor))
    book.reserve(request("r", who=poor))
    for version in ("1", "2"):
        with pytest.raises(BudgetExceededError):
            book.reserve(Request(poor, version, "s", BILLION, {}))
    assert book.spent() == 2 * BILLION


def test_what_was_reserved_is_on_disk(path):
    """Another process sees it at once."""
    book = open_book(path)
    book.reserve(request("q"))
    assert open_book(path).spent() == BILLION


def test_charges_are_flushed_when_they_are_committed(path):
    """The file, its journal's end and their folder, for each charge; an answer may come later."""
    book = open_book(path)
    connection = book.store._connection()
    reserved = book.reserve(request("q"))
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    assert connection.execute("PRAGMA synchronous").fetchone() == (3,)
    book.commit(reserved.number, "[]")
    assert connection.execute("PRAGMA synchronous").fetchone() == (1,)
    assert open_book(path).entries()[0].answered


def copied(path, name):
    """Copy the file of a ledger, and nothing that stands beside it."""
    copy = path.with_name(name)
    shutil.copyfile(path, copy)
    return copy


def test_a_copy_of_the_file_alone_has_every_charge(path):
    """While the ledger is open, and after its process was killed."""
    book = open_book(path)
    for number in range(3):
        book.commit(book.reserve(request(str(number))).number, "[]")
    assert open_book(copied(path, "open")).spent() == 3 * BILLION
    child = FORK.Process(target=charge_and_die, args=(path,))
    child.start()
    child.join()
    assert open_book(copied(path, "killed")).spent() == 4 * BILLION


def charge_and_die(path):
    open_book(path).reserve(request("last"))
    os.kill(os.getpid(), signal.SIGKILL)


def test_an_older_ledger_with_a_log_beside_it_becomes_one_file(path):
    """What stands in a write-ahead log is taken over."""
    old = sqlite3.connect(path, isolation_level=None)
    old.execute("PRAGMA journal_mode = WAL")
    old.execute("CREATE TABLE logged (x)")
    old.close()
    open_book(path).reserve(request("q"))
    assert open_book(copied(path, "copy")).spent() == BILLION
    assert not path.with_name("d.ledger-wal").exists()


@pytest.mark.parametrize(
    "change",
    [
        "DELETE FROM accounts",
        "DELETE FROM charges WHERE id = 1",
        "UPDATE accounts SET account = replace(account, '1000000000', '1')",
        "UPDATE charges SET amount = 1 WHERE id = 2",
        "UPDATE accounts SET version = '2' WHERE scope = 'everybody'",
        "UPDATE charges SET box = '-1' WHERE id = 2",
        "UPDATE charges SET box = 'no box' WHERE id = 2",
        "UPDATE accounts SET account = '[1]'",
        "UPDATE accounts SET account = '{}'",
    ],
)
def test_a_ledger_whose_accounts_are_not_its_charges_is_refused(path, change):
    """Changed by hand, or a copy of two moments."""
    book = open_book(path)
    for number, box in enumerate(({}, {"sex": (0,)}, {"sex": (1,), "city": (0, 1)})):
        book.reserve(request(str(number), box=box))
    assert list(book.problems()) == []
    book.store._connection().execute(change)
    assert [problem for problem, _ in book.problems()] == [
        "the ledger contradicts itself: its accounts are not the sum of its charges"
    ]


def test_a_copy_of_two_moments_is_refused(path):
    """A page of an earlier state within a later one."""
    book = open_book(path, 10**18)
    for number in range(80):
        book.reserve(request(str(number), 1))
    earlier = path.read_bytes()
    for number in range(80):
        book.reserve(request(f"again {number}", 1))
    later = bytearray(path.read_bytes())
    later[4096 : len(earlier) // 2] = earlier[4096 : len(earlier) // 2]
    torn = path.with_name("torn")
    torn.write_bytes(later)
    try:
        problems = list(open_book(torn).problems())
    except EngineError:
        return
    assert problems


def test_a_ledger_is_its_owners_alone(path):
    """Questions and answers stand in it."""
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_reserved_question_without_answer_is_charged_again(path):
    """Whoever asks again gets a new draw, so it costs again."""
    book = open_book(path)
    book.reserve(request("q"))
    assert book.reserve(request("q")).charged == BILLION
    assert book.spent() == 2 * BILLION


def test_a_refused_charge_leaves_no_trace(path):
    """Neither in an account nor in the list."""
    book = open_book(path)
    with pytest.raises(BudgetExceededError):
        book.reserve(request("q", CAP + 1))
    assert book.spent() == 0
    assert book.entries() == []


def test_accounts_survive_writing():
    """Read back, an account is the one that was written."""
    account = compose([Charge(5, {"sex": (0, -1)}), Charge(7), Charge(1, {"city": (2,)})])
    assert read(written(account)) == account


def test_tiny_charges_sum_exactly(tmp_path):
    """Two hundred charges of a billionth each, to the last one."""
    book = open_book(tmp_path / "tiny", 200, create=True)
    for number in range(200):
        book.reserve(request(str(number), 1))
    assert book.spent() == 200
    with pytest.raises(BudgetExceededError):
        book.reserve(request("last", 1))


def test_the_accounts_are_those_of_the_charges(path):
    """The running accounts equal the composition of the listed charges."""
    chance, book, charges = random.Random(3), open_book(path), []
    for number in range(60):
        box = {} if chance.random() < 0.3 else {chance.choice("ab"): (chance.randrange(3),)}
        charges.append(Charge(chance.randrange(1, 10**8), box))
        book.reserve(request(str(number), charges[-1].amount, box=box))
    assert book.spent() == compose(charges).spent


def test_a_ledger_that_cannot_be_written_answers_nothing(path):
    """Held by somebody else, or no database at all."""
    path.write_bytes(b"no database" * 100)
    with pytest.raises(EngineError):
        open_book(path)


def race(path, number, barrier, granted):
    book = open_book(path)
    barrier.wait()
    try:
        reserved = book.reserve(request(f"question {number}"))
        book.commit(reserved.number, "[]")
        with granted.get_lock():
            granted.value += 1
    except BudgetExceededError:
        pass


def run_race(path, processes):
    barrier, granted = FORK.Barrier(processes), FORK.Value("i", 0)
    children = [
        FORK.Process(target=race, args=(path, n, barrier, granted)) for n in range(processes)
    ]
    for child in children:
        child.start()
    for child in children:
        child.join()
    assert [child.exitcode for child in children] == [0] * processes
    return granted.value


def test_64_processes_against_a_ledger_that_affords_10(path):
    """Exactly ten succeed."""
    assert run_race(path, 64) == 10
    assert open_book(path).spent() == CAP


def worker(path, answered, seed):
    """Ask for ever; note on a pipe what was answered, after it was committed."""
    chance = random.Random(seed)
    book = open_book(path, 10**18)
    while True:
        price = chance.randrange(1, 1000)
        reserved = book.reserve(request(str(chance.random()), price, fresh=True))
        book.commit(reserved.number, "[1]")
        os.write(answered, price.to_bytes(2, "big"))


def kill_and_count(path, kills, seconds=0.1):
    """Kill a worker at random points; give what was answered."""
    chance, total = random.Random(), 0
    for number in range(kills):
        source, sink = os.pipe()
        child = FORK.Process(target=worker, args=(path, sink, number))
        child.start()
        os.close(sink)
        time.sleep(chance.uniform(0, seconds))
        os.kill(child.pid, signal.SIGKILL)
        child.join()
        with os.fdopen(source, "rb") as pipe:
            told = pipe.read()
        total += sum(int.from_bytes(told[at : at + 2], "big") for at in range(0, len(told) - 1, 2))
    return total


def check_kills(path, kills):
    answered = kill_and_count(path, kills)
    book = open_book(path, 10**18)
    entries = book.entries()
    assert answered > 0
    assert book.spent() >= sum(entry.amount for entry in entries if entry.answered) >= answered
    assert book.spent() == sum(entry.amount for entry in entries)
    book.reserve(request("after"))  # no lock was left behind
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()


def test_40_kills_at_random_points(path):
    """Spent is never less than answered, no lock is stuck, the ledger is whole."""
    check_kills(path, 40)


@pytest.mark.slow
def test_500_kills_at_random_points(path):
    """The same, five hundred times."""
    check_kills(path, 500)


def test_a_ledger_that_nobody_closed_is_closed_with_its_last_user(path):
    """Else Python complains of an open connection, and a program may have made that an error."""
    store = SqliteStore(str(path))
    [connection] = store._open
    del store
    gc.collect()
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        connection.execute("SELECT 1")

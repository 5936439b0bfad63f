"""A session charges first, looks afterwards, and repeats itself for nothing."""

from __future__ import annotations

import json
import math
import re
import stat
from dataclasses import replace

import pytest

from indistinct.errors import (
    AccessError,
    BudgetExceededError,
    EngineError,
    ParameterError,
    QuestionError,
    SchemaError,
)
from indistinct.questions.database import add_analyst, ledger, open_session
from indistinct.questions.database.engines.tables import setting_of
from indistinct.questions.database.relational.dialect import DuckDb
from people import declare, opened, person

COUNT = "SELECT COUNT(*) FROM people"


def test_an_answer_comes_with_all_that_belongs_to_it(session):
    """Answer, scale, interval, price and budget of a count of three hundred."""
    reply = session.ask(COUNT, epsilon=1)
    assert isinstance(reply.answer, int)
    assert abs(reply.answer - 300) < 40  # missed with e^-40
    assert reply.scale == pytest.approx(1)
    assert reply.interval == [reply.answer - 3, reply.answer + 3]
    assert (reply.charged, reply.left, reply.unit) == (1, 99, "epsilon")
    assert json.loads(json.dumps(reply.document()))["answer"] == reply.answer


def test_groups_are_those_declared(session):
    """Every declared value has its row, other and missing ones have one each, nothing else has."""
    reply = session.ask("SELECT sex, COUNT(*) AS n FROM people GROUP BY sex", epsilon=1)
    assert [row["sex"] for row in reply.answer] == ["F", "M", {"other": True}, None]
    assert all(abs(row["n"] - 150) < 40 for row in reply.answer[:2])
    assert all(abs(row["n"]) < 40 for row in reply.answer[2:])
    assert all(
        low <= row["n"] <= high
        for row, of_row in zip(reply.answer, reply.interval, strict=True)
        for low, high in of_row.values()
    )
    assert reply.charged == 1


def test_a_repeated_question_costs_nothing_and_says_the_same(session):
    """In other words too; a new draw is paid for."""
    first = session.ask(f"{COUNT} WHERE age > 5 AND sex = 'F'", epsilon=1)
    again = session.ask(f"{COUNT} WHERE sex = 'F' AND 5 < age", epsilon=1)
    assert (again.answer, again.charged, again.left) == (first.answer, 0, 99)
    fresh = session.ask(f"{COUNT} WHERE age > 5 AND sex = 'F'", epsilon=1, fresh=True)
    assert (fresh.charged, fresh.left) == (1, 98)


def test_a_dry_run_spends_nothing(session):
    """Price and expected error, and the budget as it was."""
    reply = session.ask(COUNT, epsilon=0.5, dry_run=True)
    assert reply.answer is None
    assert (reply.price, reply.charged, reply.left, reply.expected_error) == (0.5, 0, 100, 6)
    assert session.ledger.spent() == 0


def test_what_is_refused_costs_nothing(session):
    """Neither a wrong question, nor a wrong epsilon, nor one beyond the budget."""
    for wrong, kind in (("SELECT 1", QuestionError), (COUNT, BudgetExceededError)):
        with pytest.raises(kind):
            session.ask(wrong, epsilon=101)
    with pytest.raises(QuestionError, match="no declared column"):
        session.ask(f"{COUNT} WHERE shoe <> 'X'", epsilon=1)
    for epsilon in (0, -1, math.nan, math.inf, None, "x", True):
        with pytest.raises(ParameterError):
            session.ask(COUNT, epsilon=epsilon)
    with pytest.raises(AccessError):
        session.ask(COUNT, epsilon=1, analyst="mallory")
    assert session.ledger.spent() == 0


def test_the_last_billionth_can_be_spent(tmp_path):
    """Ten tenths fit into one exactly; then not even the least price does."""
    with opened(tmp_path, [person(1)], epsilon=1) as session:
        for number in range(10):
            left = session.ask(f"{COUNT} WHERE age > {number}", epsilon=0.1).left
        assert left == 0
        with pytest.raises(BudgetExceededError) as caught:
            session.ask(f"{COUNT} WHERE age > 11", epsilon="0.0000011")
        assert (caught.value.asked, caught.value.left) == (1100, 0)


def test_disjoint_questions_are_charged_in_parallel(session):
    """Women, then men: the dearer of the two; then everybody: on top."""
    session.ask(f"{COUNT} WHERE sex = 'F'", epsilon=1)
    session.ask(f"{COUNT} WHERE sex = 'M'", epsilon=2)
    assert session.ledger.spent() == 2 * 10**9
    session.ask(f"{COUNT} WHERE age < 30", epsilon=1)
    assert session.ledger.spent() == 3 * 10**9


def test_numbers_are_never_taken_for_disjoint(session):
    """Below and above fifty are disjoint, but no public key says so."""
    session.ask(f"{COUNT} WHERE age < 50", epsilon=1)
    session.ask(f"{COUNT} WHERE age >= 50", epsilon=1)
    assert session.ledger.spent() == 2 * 10**9


def test_persons_with_many_rows_are_never_in_parallel(tmp_path):
    """Somebody may have a row in either part."""
    with opened(tmp_path, [person(1)], rows_per_person=2) as session:
        session.ask(f"{COUNT} WHERE sex = 'F'", epsilon=1)
        session.ask(f"{COUNT} WHERE sex = 'M'", epsilon=1)
        assert session.ledger.spent() == 2 * 10**9


def test_another_analyst_gets_the_same_answer_at_their_own_expense(tmp_path):
    """The dataset pays once; each analyst's own account pays for what they learn."""
    path = declare(tmp_path, [person(n) for n in range(50)], epsilon=3)
    for name in ("alice", "bob"):
        add_analyst(path, name=name, epsilon=2)
    with open_session(path) as session:
        first = session.ask(COUNT, epsilon=1, analyst="alice")
        second = session.ask(COUNT, epsilon=1, analyst="bob")
        assert (second.answer, second.charged, second.left) == (first.answer, 1, 1)
        assert session.ask(COUNT, epsilon=1, analyst="bob").charged == 0
        assert session.ledger.spent() == 10**9
        assert session.ledger.spent("bob") == 10**9


def test_the_dataset_has_a_cap_over_all_analysts(tmp_path):
    """Three analysts of one epsilon each share two."""
    path = declare(tmp_path, [person(n) for n in range(50)], epsilon=2)
    for name in ("alice", "bob", "carol"):
        add_analyst(path, name=name, epsilon=1)
    with open_session(path) as session:
        session.ask(COUNT, epsilon=1, analyst="alice")
        session.ask(f"{COUNT} WHERE age > 1", epsilon=1, analyst="bob")
        with pytest.raises(BudgetExceededError):
            session.ask(f"{COUNT} WHERE age > 2", epsilon=1, analyst="carol")
        with pytest.raises(BudgetExceededError):
            session.ask(f"{COUNT} WHERE age > 3", epsilon=1, analyst="alice")


def test_new_data_are_answered_anew_from_the_same_budget(tmp_path):
    """The people are the same, so the budget goes on; the answer does not."""
    path = declare(tmp_path, [person(n) for n in range(50)], epsilon=3)
    with open_session(path) as session:
        session.ask(f"{COUNT} WHERE sex = 'F'", epsilon=1)
    text = (tmp_path / "people.csv").read_text(encoding="utf-8")
    (tmp_path / "people.csv").write_text(text + "99,1,1,M,a,x\n", encoding="utf-8")
    with open_session(path) as session:
        assert session.ask(f"{COUNT} WHERE sex = 'M'", epsilon=1).left == 1
        assert session.ask(f"{COUNT} WHERE sex = 'F'", epsilon=1).charged == 1


def test_a_declaration_that_changes_changes_what_a_code_means(tmp_path):
    """The codes of the sexes are swapped: the charges are no longer for different people."""
    path = declare(tmp_path, [person(n) for n in range(50)], epsilon=3)
    with open_session(path) as session:
        first = session.ask(f"{COUNT} WHERE sex = 'F'", epsilon=1)
    declared = path.read_text()
    swapped = re.sub(r'"F",(\s*)"M"', r'"M",\1"F"', declared)
    assert swapped != declared
    path.write_text(swapped)
    with open_session(path) as session:
        again = session.ask(f"{COUNT} WHERE sex = 'F'", epsilon=1)
        assert (first.charged, again.charged, again.left) == (1, 1, 1)


def test_a_version_of_the_data_can_have_its_own_cap(tmp_path):
    """One epsilon for this version, three in all."""
    path = declare(tmp_path, [person(1)], epsilon=3)
    path.write_text(path.read_text().replace("epsilon = 3", "epsilon = 3\nper_version = 1"))
    with open_session(path) as session:
        assert session.ask(COUNT, epsilon=1).left == 0
        with pytest.raises(BudgetExceededError):
            session.ask(f"{COUNT} WHERE age > 1", epsilon=1)


def test_a_zcdp_account_counts_rho_and_tells_epsilon(tmp_path):
    """Epsilon means what it means in the budget, and many questions cost less than their sum."""
    with opened(tmp_path, [person(n) for n in range(50)], epsilon=3, delta=1e-6) as session:
        reply = session.ask(COUNT, epsilon=0.3)
        assert reply.unit == "epsilon"
        assert reply.charged == pytest.approx(0.3, rel=1e-4)
        asked = 1
        while reply.left >= 0.3:
            reply = session.ask(COUNT, epsilon=0.3, fresh=True)
            asked += 1
        assert asked > 60  # sequential composition of pure epsilon would end at 10


def test_what_the_engine_refuses_without_rows_is_free(session, monkeypatch):
    """It is tried over empty tables before anything is charged, in a dry run, too."""
    wide = "TRY_CAST((SELECT 1) AS NOTHING)"
    monkeypatch.setattr(DuckDb, "as_kind", lambda *_: wide)
    for dry_run in (False, True):
        with pytest.raises(QuestionError, match="refused by the database"):
            session.ask(f"{COUNT} WHERE age = 1", epsilon=1, dry_run=dry_run)
    assert session.ledger.spent() == 0


def test_a_failed_question_stays_charged(session, monkeypatch):
    """The data were not reached, and nobody can know what was learnt."""
    monkeypatch.setattr(type(session.engine), "check", lambda self, queries: None)
    monkeypatch.setattr(
        type(session.engine),
        "setting",
        lambda self: replace(setting_of(self._dataset, DuckDb()), stored={"people": "nowhere"}),
    )
    with pytest.raises(EngineError) as caught:
        session.ask(COUNT, epsilon=1)
    assert "nowhere" not in str(caught.value)
    assert session.ledger.spent() == 10**9
    assert [entry.answered for entry in session.ledger.entries()] == [False]


def test_without_its_ledger_nothing_is_answered(tmp_path):
    """A ledger that is gone is not an empty one."""
    path = declare(tmp_path, [person(1)])
    (tmp_path / "people.ledger").unlink()
    with pytest.raises(EngineError, match="ledger"):
        open_session(path)


def test_a_ledger_that_counts_otherwise_is_refused(tmp_path):
    """Epsilon is not rho."""
    path = declare(tmp_path, [person(1)])
    text = path.read_text().replace('accounting = "pure"', 'accounting = "zcdp"\ndelta = 1e-6')
    path.write_text(text)
    with pytest.raises(EngineError, match="unit"):
        open_session(path)


def test_a_ledger_of_another_table_is_refused(tmp_path):
    """One name over two tables: neither answers with the other's numbers."""
    path = declare(tmp_path, [person(1)])
    path.write_text(path.read_text().replace('person = "id"', 'person = "note"'))
    with pytest.raises(EngineError, match="another declaration"):
        open_session(path)


def test_a_ledger_that_was_changed_is_refused(tmp_path):
    """At opening its accounts are compared with its charges."""
    path = declare(tmp_path, [person(1)])
    with open_session(path) as session:
        session.ask(COUNT, epsilon=1)
        session.ledger.store._connection().execute("DELETE FROM accounts")
    with pytest.raises(EngineError, match="contradicts"):
        open_session(path)


def test_declaration_and_ledger_are_their_owners_alone(tmp_path):
    """Modes of 0600, also after a token was added; a mode that the owner chose stays."""
    path = declare(tmp_path, [person(1)])
    files = (path, path.with_suffix(".ledger"))
    assert [stat.S_IMODE(file.stat().st_mode) for file in files] == [0o600, 0o600]
    path.chmod(0o640)
    add_analyst(path, name="alice")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_declared_columns_must_be_there(tmp_path):
    """All that the data lack are named at once."""
    path = declare(tmp_path, [person(1)])
    path.write_text(
        path.read_text() + '[columns.ghost]\ntype = "text"\n[columns.x]\ntype = "text"\n'
    )
    with pytest.raises(SchemaError) as caught:
        open_session(path)
    assert [fault.place for fault in caught.value.faults] == ["columns.ghost", "columns.x"]


def test_the_statement_adds_up(session, tmp_path):
    """Spent and left make the cap; each charge has its line."""
    session.ask(COUNT, epsilon=0.1)
    session.ask("SELECT AVG(age) FROM people", epsilon=0.2)
    found = ledger(tmp_path / "people.toml")
    assert (found.spent, found.left, found.cap) == (0.3, 99.7, 100)
    assert [charge["charged"] for charge in found.charges] == [0.1, 0.2]
    assert all(charge["answered"] for charge in found.charges)


def test_rows_beyond_the_limit_do_not_count(tmp_path):
    """A person with a thousand rows counts with as many as declared."""
    rows = [(1, 50, 1, "F", "a", "x")] * 1000 + [(2, 50, 1, "F", "a", "x")]
    with opened(tmp_path, rows, epsilon=10_000, rows_per_person=3) as session:
        assert session.ask(COUNT, epsilon=5000).answer == 4  # wrong with e^-1600
        assert session.ask("SELECT COUNT(DISTINCT id) FROM people", epsilon=5000).answer == 2

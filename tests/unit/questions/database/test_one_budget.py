"""One table has one budget, and a row counts once, whatever is declared or edited."""

from __future__ import annotations

import shutil
import sqlite3

import pytest

from indistinct.base.billionths import BILLION
from indistinct.errors import DataError, EngineError, OutputError, PolicyError
from indistinct.questions.database import init, ledger, open_session
from indistinct.questions.database.initialize import start_ledger
from indistinct.questions.database.loading import load
from people import OPTIONS, declare, person, write_rows

COUNT = "SELECT COUNT(*) FROM people"
WOMEN = f"{COUNT} WHERE sex = 'F'"

TWINS = [
    ("9007199254740992", "9007199254740993"),
    ("0.1", "0.10000000000000001"),
    ("1e22", "10000000000000000000001"),
    ("0.3", "0.299999999999999988898"),
    ("5e-324", "4e-324"),
    ("0", "1e-400"),
]


@pytest.mark.parametrize("twins", TWINS)
@pytest.mark.parametrize("word", ["values", "edges"])
def test_two_numbers_that_are_one_to_a_database_are_refused(tmp_path, twins, word):
    """By their column, when the declaration is read."""
    path = declare(tmp_path, [person(1)])
    more = f'type = "number"\nvalues = [{", ".join(twins)}]\n'
    if word == "edges":
        more = f'type = "bins"\nof = "age"\nedges = [{", ".join(sorted(twins, key=len))}]\n'
    path.write_text(f"{path.read_text()}\n[columns.twin]\n{more}")
    with pytest.raises(PolicyError, match=r"columns\.twin|64 bits|300 digits"):
        load(path)


@pytest.mark.parametrize("line", ["bounds = [0, 1e310]\nstep = 1e305", "values = [1e400]",
                                  "bounds = [0, 1e-320]\nstep = 1e-322"])  # fmt: skip
def test_numbers_that_no_database_has_are_refused(tmp_path, line):
    """In words; no exception of Python's own."""
    path = declare(tmp_path, [person(1)])
    path.write_text(f'{path.read_text()}\n[columns.far]\ntype = "number"\n{line}\n')
    with pytest.raises(PolicyError, match=r"columns\.far|300 digits"):
        load(path)


def test_a_row_meets_one_declared_value_at_most(tmp_path, monkeypatch):
    """Even if the declaration were read without its check."""
    import indistinct.questions.database.declaration_faults as faults

    monkeypatch.setattr(faults, "_double_faults", lambda _: iter(()))
    path = declare(tmp_path, [(n, "0.1", 1, "F", "a", "x") for n in range(100)], epsilon=10_000)
    text = path.read_text().replace(
        "[columns.weight]\n", "[columns.weight]\nvalues = [0.1, VALUE]\n"
    )
    path.write_text(text.replace("VALUE", "0.10000000000000001"))
    with open_session(path) as session:
        assert session.ask(COUNT, epsilon=2000).answer == 100


def test_a_second_declaration_in_one_ledger_is_refused_by_name(tmp_path):
    """Under another name of its own, edited by hand, or over a copy of the file."""
    first = declare(tmp_path, [person(n) for n in range(40)])
    other = tmp_path / "other.toml"
    with pytest.raises(DataError, match="under the name people"):
        init(
            tmp_path / "people.csv",
            person="id",
            epsilon=1,
            out=other,
            ledger="people.ledger",
            **OPTIONS,
        )
    assert not other.exists()
    other.write_text(first.read_text().replace('name = "people"', 'name = "again"'))
    with pytest.raises(EngineError, match="under the name people"):
        open_session(other)
    shutil.copy(tmp_path / "people.csv", tmp_path / "copy.csv")
    other.write_text(other.read_text().replace("people.csv", "copy.csv"))
    with pytest.raises(EngineError, match="under the name people"):
        open_session(other)


def test_two_declarations_of_one_name_share_a_budget(tmp_path):
    """Other columns, the same name, ledger, table and person: what one spends, the other lacks."""
    first = declare(tmp_path, [person(n) for n in range(40)], epsilon=3)
    second = tmp_path / "second.toml"
    second.write_text(first.read_text().replace("edges = [20, 50]", "edges = [30]"))
    with open_session(first) as session:
        session.ask(COUNT, epsilon=2)
    with open_session(second) as session:
        assert session.ask(WOMEN, epsilon="0.5").left == 0.5


@pytest.mark.parametrize("change", ["nothing", "another folder", "more rows", "no declaration"])
def test_a_second_init_of_one_file_shares_its_budget(tmp_path, change):
    """With a ledger of its own, it would have the whole budget once more."""
    first = declare(tmp_path, [person(n) for n in range(40)], epsilon=3)
    with open_session(first) as session:
        session.ask(COUNT, epsilon=2)
    data, out = tmp_path / "people.csv", tmp_path / "again.toml"
    if change == "another folder":
        (tmp_path / "elsewhere").mkdir()
        out = tmp_path / "elsewhere" / "again.toml"
    elif change == "more rows":
        write_rows(data, [person(n) for n in range(41)])
    elif change == "no declaration":
        first.unlink()
    init(data, person="id", epsilon=3, out=out, **OPTIONS)
    assert not out.with_suffix(".ledger").exists()
    with open_session(out) as session:
        assert session.ask(WOMEN, epsilon="0.5").left == 0.5


@pytest.mark.parametrize("change", ["a copy", "a link", "another person", "a ledger"])
def test_a_second_init_that_cannot_share_is_refused(tmp_path, change):
    """Another name of the table, another column of people, a ledger of its own."""
    declare(tmp_path, [person(n) for n in range(40)])
    data, who, ledger_at = tmp_path / "people.csv", "id", None
    if change == "a copy":
        data = shutil.copy(data, tmp_path / "copy.csv")
    elif change == "a link":
        (tmp_path / "link.csv").symlink_to(data)
        data = tmp_path / "link.csv"
    elif change == "another person":
        who = "note"
    elif change == "a ledger":
        ledger_at = "own.ledger"
    with pytest.raises(OutputError, match=r"people\.ledger"):
        init(
            data,
            person=who,
            epsilon=100,
            out=tmp_path / "again.toml",
            ledger=ledger_at,
            values={"sex": ("F", "M")},
        )
    assert not (tmp_path / "again.toml").exists()
    assert not (tmp_path / "again.ledger").exists()
    assert not (tmp_path / "own.ledger").exists()


def test_other_data_may_stand_beside(tmp_path):
    """A ledger of other records says nothing of these."""
    declare(tmp_path, [person(n) for n in range(40)])
    declare(tmp_path, [person(n) for n in range(30)], name="others")


def change_stored(path, *statements):
    """Edit a ledger by hand."""
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


EDITS = [
    "UPDATE charges SET answer = '[[12345], [0.1], [[12344, 12346]]]'",
    "UPDATE charges SET question = 'COUNT(*) WHERE \"age\" > 99 EPSILON 1'",
    "UPDATE charges SET analyst = 'bob'",
    "UPDATE charges SET asked_at = '2020-01-01T00:00:00+00:00'",
    "UPDATE marks SET answer = charge",
    "DELETE FROM marks WHERE id = 1",
]


@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.parametrize("is_open", [True, False])
def test_an_edited_charge_or_answer_is_not_given_out(tmp_path, edit, is_open):
    """Noticed at the next opening, and an answer while the ledger is open."""
    path = declare(tmp_path, [person(n) for n in range(40)])
    with open_session(path) as session:
        session.ask(COUNT, epsilon=1)
        session.ask(WOMEN, epsilon=1)
        if is_open and "SET answer" in edit:
            change_stored(path.with_suffix(".ledger"), edit)
            with pytest.raises(EngineError, match="was changed"):
                session.ask(COUNT, epsilon=1)
    change_stored(path.with_suffix(".ledger"), edit)
    if "answer" in edit and "charges" in edit:
        with open_session(path) as session, pytest.raises(EngineError, match="was changed"):
            session.ask(COUNT, epsilon=1)
    elif edit != EDITS[4]:
        with pytest.raises(EngineError, match=r"was changed|contradicts"):
            open_session(path)


def test_a_ledger_of_an_earlier_version_is_marked_when_it_is_opened(tmp_path):
    """Its answers are given again, and an edit is noticed from then on."""
    path = declare(tmp_path, [person(n) for n in range(40)])
    with open_session(path) as session:
        answer = session.ask(COUNT, epsilon=1).answer
    change_stored(path.with_suffix(".ledger"), "DROP TABLE marks", "DROP TABLE claims")
    with open_session(path) as session:
        assert session.ask(COUNT, epsilon=1).answer == answer
    change_stored(path.with_suffix(".ledger"), EDITS[0])
    with open_session(path) as session, pytest.raises(EngineError, match="was changed"):
        session.ask(COUNT, epsilon=1)


def touched(ledger_at, old):
    """List what may become of a ledger while it is open."""
    return {
        "deleted": ledger_at.unlink,
        "moved away": lambda: ledger_at.rename(ledger_at.with_suffix(".away")),
        "an older copy over it": lambda: old.replace(ledger_at),
        "an empty file over it": lambda: (ledger_at.unlink(), ledger_at.touch()),
    }


@pytest.mark.parametrize("way", ["deleted", "moved away", "an older copy over it",
                                 "an empty file over it"])  # fmt: skip
def test_a_ledger_that_goes_while_it_is_open_is_noticed(tmp_path, way):
    """Nothing more is answered, and none is made in its place."""
    path = declare(tmp_path, [person(n) for n in range(40)])
    ledger_at, old = path.with_suffix(".ledger"), tmp_path / "old"
    shutil.copy(ledger_at, old)
    with open_session(path) as session:
        session.ask(COUNT, epsilon=1)
        touched(ledger_at, old)[way]()
        with pytest.raises(EngineError, match="ledger"):
            session.ask(WOMEN, epsilon=1)
    assert ledger_at.exists() == ("over it" in way)


def test_an_empty_file_is_no_ledger(tmp_path):
    """What is left of one after it was cut to nothing."""
    path = declare(tmp_path, [person(1)])
    path.with_suffix(".ledger").write_bytes(b"")
    for use in (open_session, ledger):
        with pytest.raises(EngineError, match="missing"):
            use(path)
    assert path.with_suffix(".ledger").read_bytes() == b""


def test_a_declaration_by_hand_starts_a_ledger_once(tmp_path):
    """And starting it again keeps what was spent."""
    path = declare(tmp_path, [person(n) for n in range(40)], epsilon=3)
    with open_session(path) as session:
        session.ask(COUNT, epsilon=2)
    start_ledger(load(path))
    assert ledger(path).left == 1


def test_questions_about_groups_are_added_up_where_people_may_move(tmp_path):
    """A file is known by its content; of a live table only the owner can say that it rests."""
    path = declare(tmp_path, [person(n) for n in range(40)], epsilon=3)
    with open_session(path) as session:
        session.ask(WOMEN, epsilon=1)
        assert session.ask(f"{COUNT} WHERE sex = 'M'", epsilon=1).left == 2
    url = "postgresql://owner@localhost/clinic"
    text = path.read_text().replace('"people.csv"', f'"{url}"')
    path.write_text(text)
    assert not load(path).is_frozen
    path.write_text(text.replace("[dataset]\n", "[dataset]\nfrozen = true\n"))
    assert load(path).is_frozen


def test_a_file_that_changes_while_it_is_read_is_refused(tmp_path, monkeypatch):
    """Its rows and its name in the ledger would be those of different moments."""
    from indistinct.questions.database.engines import duckdb

    path = declare(tmp_path, [person(n) for n in range(40)])
    load_rows = duckdb.load_tables

    def load_and_change(*given, **words):
        load_rows(*given, **words)
        with (tmp_path / "people.csv").open("a") as file:
            file.write("99,1,1,F,a,x\n")

    monkeypatch.setattr(duckdb, "load_tables", load_and_change)
    with pytest.raises(DataError, match="changed while"):
        open_session(path)


def test_an_undeclared_value_confines_nobody(tmp_path):
    """People with two declared values share no charge; a value without a code concerns all."""
    path = declare(tmp_path, [person(n) for n in range(40)], epsilon=10)
    spent = []
    with open_session(path) as session:
        for value in ("F", "M", "undeclared"):
            session.ask(f"SELECT COUNT(*) FROM people WHERE sex = '{value}'", epsilon=1)
            spent.append(session.ledger.spent() / BILLION)
    assert spent == [1, 1, 2]

"""An answer says what it looks like: known values, rows by lot, errors and prices in one unit."""

from __future__ import annotations

import sqlite3

import pytest

from indistinct.base.billionths import billionths
from indistinct.errors import BudgetExceededError, ParameterError, SchemaError
from indistinct.questions.database import init, open_session
from indistinct.questions.database.cells import RowsOfPeople
from indistinct.questions.database.relational.errors import ErrorUnit
from indistinct.questions.mechanisms.accountant import Accounting, Conversion
from indistinct.questions.mechanisms.meaning import OF_QUESTIONS, EpsilonMeaning
from people import declare, opened, person, write_rows

MUCH = 1_000
COUNT = "SELECT COUNT(*) FROM people"


def declared(folder, header, rows, **words):
    """Open a session over a table of its own."""
    data = write_rows(folder / "t.csv", rows, header)
    init(data, person="id", epsilon=10**6, out=folder / "t.toml", **words)
    return open_session(folder / "t.toml")


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("SELECT AVG(income) FROM t", 60),
        ("SELECT MEDIAN(income) FROM t", 60),
        ("SELECT SUM(income) FROM t", 36_000),
        ("SELECT COUNT(income) FROM t", 600),
        ("SELECT COUNT(id) FROM t", 1_000),
        ("SELECT COUNT(*) FROM t WHERE income IS NULL", 400),
        ("SELECT COUNT(*) FROM t WHERE sex IS NOT NULL AND NOT income IS NULL", 300),
        ("SELECT COUNT(*) FROM t WHERE sex IS NULL", 500),
    ],
)
def test_missing_values_are_left_out_as_in_sql(tmp_path, question, right):
    """Four in ten are missing. The noise is below 0.1 but for a chance of e^-90."""
    rows = [(n, 60 if n % 10 < 6 else "", "" if n % 2 else "F") for n in range(1_000)]
    words = {"bounds": {"income": (0, 100)}, "values": {"sex": ["F", "M"]}}
    with declared(tmp_path, ("id", "income", "sex"), rows, **words) as session:
        assert session.ask(question, epsilon=MUCH).answer == pytest.approx(right, abs=0.1)


def test_the_owner_may_count_missing_values_as_a_number(tmp_path):
    """That is said by name."""
    path = declare(tmp_path, [(n, "" if n % 2 else 50, 1, "F", "a", "x") for n in range(400)])
    text = path.read_text(encoding="utf-8").replace("[columns.age]", "[columns.age]\nmissing = 0")
    assert "missing = 0" in text
    path.write_text(text, encoding="utf-8")
    with open_session(path) as session:
        mean = session.ask("SELECT AVG(age) FROM people", epsilon=10).answer
        assert mean == pytest.approx(25, abs=5)


def test_a_mean_of_too_few_known_values_is_not_known(tmp_path):
    """Its interval is the bounds.

    The noise on no value seems to be enough of them in 1 to 2.5 % of the answers: four of eight in
    one of 30,000 runs.
    """
    rows = [(n, "", 1, "F", "a", "x") for n in range(50)]
    with opened(tmp_path, rows, epsilon=100) as session:
        asked = "SELECT AVG(age) FROM people"
        replies = [session.ask(asked, epsilon=1, fresh=True) for _ in range(8)]
    assert sum(reply.answer is None for reply in replies) > 4
    assert all(reply.interval == [0, 100] for reply in replies)


def test_rows_are_kept_by_lot_and_not_by_content(tmp_path):
    """Ten rows a person of costs 0 to 9: the mean of one each is near 4.5, and not 0.

    2,000 people, standard error 0.064: false alarm below 1e-9.
    """
    rows = [(n, cost, "F", "a") for n in range(2_000) for cost in range(10)]
    words = {"bounds": {"cost": (0, 10)}}
    with declared(tmp_path, ("id", "cost", "s", "c"), rows, **words) as session:
        reply = session.ask("SELECT AVG(cost) FROM t", epsilon=MUCH)
        assert session.ask("SELECT COUNT(*) FROM t", epsilon=MUCH).answer == pytest.approx(
            2_000, abs=1
        )
    assert reply.answer == pytest.approx(4.5, abs=0.45)
    assert reply.limits == {"groups": 1, "rows": 1, "rows_in_all": 1}


def test_every_row_of_a_person_is_as_likely_to_be_kept(tmp_path):
    """20,000 people with 10 rows each: chi-square at 9 degrees below 27.9 (0.1 %)."""
    rows = [(n, cost) for n in range(20_000) for cost in range(10)]
    with declared(tmp_path, ("id", "cost"), rows, bounds={"cost": (0, 10)}) as session:
        kept = session.engine.fetch("SELECT c0, count(*) FROM t0 GROUP BY c0")
    assert sum((count - 2_000) ** 2 / 2_000 for _, count in kept) < 27.9


def test_the_owner_is_told_what_share_of_the_rows_counts():
    """Nothing is said where all count."""
    found = RowsOfPeople({10: 200, 1: 100}, 1)
    assert found.share(1) == pytest.approx(300 / 2_100)
    assert "up to 10 rows" in found.lines()[0]
    assert "86 % of the rows do not count" in found.lines()[0]
    assert "5: 52 %" in found.lines()[1]
    assert RowsOfPeople({10: 200}, 10).lines() == []


def test_numbers_that_cannot_be_read_are_refused_with_their_count(tmp_path):
    """A unit, or a date with bounds; missing if the owner says so."""
    rows = [(1, "12 kg", "2022-01-01"), (2, "7", ""), (3, "", "2022-01-05")]
    header = ("id", "weight", "day")
    with pytest.raises(SchemaError) as caught:
        declared(tmp_path, header, rows, bounds={"weight": (0, 100), "day": (2020, 2025)})
    assert [(one.place, one.problem.split(",")[1]) for one in caught.value.faults] == [
        ("weight", " but 1 of its cells cannot be read as one"),
        ("day", " but 2 of its cells cannot be read as one"),
    ]
    assert not (tmp_path / "t.toml").exists()
    words = {"bounds": {"weight": (0, 100)}, "unreadable": "missing"}
    with declared(tmp_path, header, rows, **words) as session:
        assert session.ask("SELECT COUNT(weight) FROM t", epsilon=MUCH).answer == 1
    with pytest.raises(ParameterError, match="unreadable"):
        declared(tmp_path / "..", header, rows, unreadable="drop")


@pytest.mark.parametrize(
    ("measure", "rows", "unit", "between"),
    [
        ("COUNT(*)", None, ErrorUnit.ANSWER, (2.9, 4.1)),
        ("AVG(age)", None, ErrorUnit.PER_ROW, (200, 500)),
        ("AVG(age)", 400, ErrorUnit.ANSWER, (0.6, 1.5)),
        ("VARIANCE(age)", 400, ErrorUnit.ANSWER, (30, 200)),
        ("MEDIAN(age)", None, ErrorUnit.RANKS, (20, 40)),
        ("MEDIAN(age)", 4_000, ErrorUnit.IF_EVEN, (0.5, 6)),
    ],
)
def test_the_expected_error_is_in_the_unit_of_the_answer(tmp_path, measure, rows, unit, between):
    """Where that needs the number of rows, its unit says so."""
    with opened(tmp_path, [person(1)]) as session:
        question = f"SELECT {measure} FROM people"
        reply = session.ask(question, epsilon=1, dry_run=True, rows_expected=rows)
    assert reply.error_unit == unit
    assert between[0] <= reply.expected_error <= between[1]


def test_epsilon_means_one_thing_in_budget_price_and_remedy(tmp_path):
    """All of it can be asked at once, and the remedy can be asked."""
    with opened(tmp_path, [person(n) for n in range(9)], epsilon=3, delta=1e-9) as session:
        assert session.ask(COUNT, epsilon=3, dry_run=True).price == pytest.approx(3, rel=1e-5)
        session.ask(COUNT, epsilon=1)
        with pytest.raises(BudgetExceededError) as caught:
            session.ask(COUNT, epsilon=3, fresh=True)
        assert caught.value.unit == "epsilon"
        assert "rho" not in str(caught.value)
        most = caught.value.most / 10**9
        assert 2.5 < most < 3
        assert session.ask(COUNT, epsilon=most, fresh=True).left < 0.01


def test_an_older_ledger_keeps_its_meaning_and_says_so(tmp_path):
    """It has no version; its epsilon is pure, and amounts are told in rho."""
    path = declare(tmp_path, [person(n) for n in range(9)], epsilon=3, delta=1e-9)
    with sqlite3.connect(path.with_suffix(".ledger")) as connection:
        connection.execute("DELETE FROM meanings")
    connection.close()
    with open_session(path) as session:
        reply = session.ask(COUNT, epsilon="0.1")
        assert (reply.unit, reply.charged) == ("rho", pytest.approx(0.005))
        assert "earlier version" in reply.note
        with pytest.raises(BudgetExceededError) as caught:
            session.ask(COUNT, epsilon=1)
        most = caught.value.most / 10**9
        assert most == pytest.approx((2 * (0.120582428 - 0.005)) ** 0.5, rel=1e-5)
        assert session.ask(COUNT, epsilon=most, dry_run=True).price <= 0.120582428 - 0.005


@pytest.mark.parametrize("conversion", list(Conversion))
@pytest.mark.parametrize("delta", [1e-9, 1e-6, 1e-3])
@pytest.mark.parametrize("version", [OF_QUESTIONS, 2])
@pytest.mark.parametrize("epsilon", ["0.05", "0.333333333", "1", "3", "20"])
def test_what_may_be_asked_is_granted(conversion, delta, version, epsilon):
    """Six digits: affordable never costs more than is left, and told grants what was charged."""
    meaning = EpsilonMeaning(Accounting.ZCDP, delta, conversion, version)
    amount = meaning.granted(billionths(epsilon))
    most = meaning.affordable(amount)
    assert meaning.granted(most) <= amount <= meaning.granted(meaning.asked_for(amount))
    assert most == pytest.approx(billionths(epsilon), rel=1e-3)
    assert meaning.affordable(0) == meaning.reported(0) == 0

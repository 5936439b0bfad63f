"""The error first, the price of a batch, and budgets that renew by the calendar."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime

import pytest

from indistinct.errors import BudgetExceededError, EngineError, ParameterError, QuestionError
from indistinct.questions.database import add_analyst, open_session
from indistinct.questions.database.periods import began
from indistinct.questions.database.pricing import price, questions_of
from people import declare, person

COUNT = "SELECT COUNT(*) FROM people"


@pytest.fixture
def session(tmp_path):
    """Forty people, counted in rho."""
    with open_session(declare(tmp_path, [person(n) for n in range(40)], 10, delta=1e-6)) as found:
        yield found


@pytest.mark.parametrize(
    ("question", "error", "rows"),
    [(COUNT, 5, None), ("SELECT SUM(age) FROM people", 500, None),
     ("SELECT AVG(age) FROM people", 2, 4_000)],
)  # fmt: skip
def test_the_least_epsilon_whose_error_is_small_enough(session, question, error, rows):
    """A thousandth less would not be enough."""
    reply = session.ask(question, error=error, dry_run=True, rows_expected=rows)
    assert reply.expected_error <= error
    less = session.ask(question, epsilon=round(reply.price * 0.95, 6), dry_run=True,
                       rows_expected=rows)  # fmt: skip
    assert less.expected_error > error


def test_an_error_that_cannot_be_known_is_refused(session):
    """A mean without the number of rows, a quantile, several measures, both options."""
    for question, options in (
        ("SELECT AVG(age) FROM people", {"error": 2}),
        ("SELECT MEDIAN(age) FROM people", {"error": 2}),
        ("SELECT COUNT(*), SUM(age) FROM people", {"error": 2}),
        (COUNT, {"error": 0}),
        (COUNT, {"error": 5, "epsilon": 1}),
        (COUNT, {"error": 5, "confidence": 2}),
        (COUNT, {}),
    ):
        with pytest.raises(ParameterError):
            session.ask(question, **options)
    assert session.ledger.spent() == 0


def test_a_smaller_confidence_costs_less(session):
    """Of the same error."""
    prices = [
        session.ask(COUNT, error=5, confidence=one, dry_run=True).price for one in (0.5, 0.9, 0.99)
    ]
    assert prices == sorted(prices)


BATCH = f"""
-- how many
{COUNT};
SELECT sex, AVG(age) FROM people -- mean; by sex
GROUP BY sex;
"""


def test_the_price_of_a_batch(session):
    """Together it is what was given; nothing is charged."""
    questions = questions_of(BATCH)
    assert len(questions) == 2
    found = price(session, questions, 3, [1, 2])
    assert found.all == pytest.approx(3, rel=1e-3)
    assert found.fits
    assert found.questions[0]["price"] < found.questions[1]["price"] < 3
    assert not price(session, questions, 30).fits
    own = [
        COUNT.replace("SELECT", "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = 2)"),
        COUNT,
    ]
    assert price(session, own[:1]).questions[0]["price"] == pytest.approx(2, rel=1e-3)
    for questions, epsilon, weights in ((own, 1, None), (own, None, None), (own[1:], 1, [0])):
        with pytest.raises(ParameterError):
            price(session, questions, epsilon, weights)
    assert session.ledger.spent() == 0


def test_all_questions_that_cannot_be_asked_are_named_at_once(session):
    """Each by its number, with what to write instead."""
    questions = ["SELECT AVG(height) FROM people", COUNT, "SELECT MAX(age) FROM people"]
    with pytest.raises(QuestionError) as refused:
        price(session, questions, 3)
    assert [fault.place for fault in refused.value.faults] == ["question 1", "question 3"]
    assert all(fault.remedy for fault in refused.value.faults)


@pytest.mark.parametrize(
    ("period", "start"),
    [
        ("day", "2026-03-14"),
        ("week", "2026-03-09"),
        ("month", "2026-03-01"),
        ("year", "2026-01-01"),
    ],
)
def test_periods_begin_in_utc(period, start):
    """Saturday, a minute before midnight."""
    now = datetime(2026, 3, 14, 23, 59, tzinfo=UTC)
    assert began(period, now) == f"{start}T00:00:00+00:00"


def test_an_analysts_budget_renews_and_that_of_the_dataset_does_not(tmp_path):
    """What was spent last month counts for everybody's cap; a clock that is behind refuses."""
    path = declare(tmp_path, [person(n) for n in range(40)], epsilon=3)
    add_analyst(path, name="alice", epsilon=1)
    text = path.read_text("utf-8").replace(
        "[analysts.alice]\n", '[analysts.alice]\nper = "month"\n'
    )
    path.write_text(text, "utf-8")

    def ask(number):
        with open_session(path) as session:
            return session.ask(f"{COUNT} WHERE age > {number}", epsilon=1, analyst="alice")

    def date_back(to):
        connection = sqlite3.connect(path.with_suffix(".ledger"))
        connection.execute("UPDATE charges SET asked_at = ?", (to,))
        connection.execute("DELETE FROM marks")  # as in a ledger of an earlier version
        connection.commit()
        connection.close()

    assert ask(1).left == 0
    with pytest.raises(BudgetExceededError):
        ask(2)
    date_back("2020-01-31T23:59:59+00:00")
    assert ask(2).left == 0
    date_back("2020-01-31T23:59:59+00:00")
    ask(3)
    date_back("2020-01-31T23:59:59+00:00")
    with pytest.raises(BudgetExceededError):
        ask(4)
    date_back("2999-01-01T00:00:00+00:00")
    with pytest.raises(EngineError, match="clock"):
        ask(4)

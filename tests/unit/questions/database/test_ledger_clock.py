"""What was spent does not depend on the clock."""

import sys
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count

import pytest

from indistinct.base.billionths import BILLION
from indistinct.errors import BudgetExceededError
from indistinct.questions.database.book import Book, Request
from indistinct.questions.database.dataset import Analyst, Budget
from indistinct.questions.database.ledger_of_charges import Ledger
from indistinct.questions.database.periods import ends
from indistinct.questions.database.stores.sqlite import SqliteStore
from indistinct.questions.mechanisms.accountant import Accounting

OWNER = Analyst("owner", "owner", 3 * BILLION)


def test_a_clock_that_jumps_changes_no_charge(tmp_path, monkeypatch):
    """Each charge is dated before the last: the order and the sums stay, and the end is final."""
    looks = count()

    class Backwards(datetime):
        @classmethod
        def now(cls, tz=None):
            noon = datetime(2026, 3, 1, 12, tzinfo=UTC)
            return (noon - timedelta(days=100 * next(looks))).astimezone(tz)

    monkeypatch.setattr(sys.modules[Book.__module__], "datetime", Backwards)
    path, cap = tmp_path / "d.ledger", OWNER.cap

    def opened(*, create=False):
        store = SqliteStore(str(path), create=create)
        book = Ledger(store, "d", Budget(Accounting.PURE, cap, cap, cap))
        if create:
            book.register()
        return book

    opened(create=True).store.close()
    for question in ("one", "two", "three"):
        book = opened()
        book.reserve(Request(OWNER, "1", question, BILLION, {}, fresh=True))
        book.store.close()
    book = opened()
    with pytest.raises(BudgetExceededError):
        book.reserve(Request(OWNER, "1", "four", 1, {}, fresh=True))
    assert book.adds_up
    assert book.spent() == cap
    entries = book.entries()
    assert sorted(entry.question for entry in entries) == ["one", "three", "two"]
    by_number = [entry.question for entry in sorted(entries, key=lambda entry: entry.number)]
    assert by_number == ["one", "two", "three"]
    assert next(looks) == 3


def test_a_spent_budget_names_the_day_on_which_it_renews(tmp_path):
    """Where the calendar gives something back; else the owner may, as where all is spent."""
    store = SqliteStore(str(tmp_path / "d.ledger"), create=True)
    book = Ledger(store, "d", Budget(Accounting.PURE, 2 * BILLION, BILLION, 2 * BILLION))
    book.register()
    monthly = Analyst("ann", "analyst", BILLION, per="month")
    for who, day in ((monthly, ends("month", datetime.now(UTC))), (replace(OWNER, cap=1), None)):
        if who is monthly:
            book.reserve(Request(who, "1", "one", BILLION, {}))
        with pytest.raises(BudgetExceededError) as caught:
            book.reserve(Request(who, "1", "two", BILLION, {}))
        assert caught.value.renews == day
    book.reserve(Request(Analyst("bob", "analyst", BILLION), "1", "three", BILLION, {}))
    with pytest.raises(BudgetExceededError, match="costs") as caught:
        book.reserve(Request(monthly, "1", "four", BILLION, {}))
    assert caught.value.renews is None
    assert "Ask the owner of the data" in str(caught.value)
    store.close()


@pytest.mark.parametrize(
    ("period", "now", "day"),
    [
        ("day", datetime(2024, 2, 28, 23, tzinfo=UTC), "2024-02-29"),
        ("week", datetime(2026, 11, 28, tzinfo=UTC), "2026-11-30"),
        ("week", datetime(2026, 11, 30, tzinfo=UTC), "2026-12-07"),
        ("month", datetime(2026, 1, 31, tzinfo=UTC), "2026-02-01"),
        ("month", datetime(2026, 2, 1, tzinfo=UTC), "2026-03-01"),
        ("year", datetime(2024, 12, 31, tzinfo=UTC), "2025-01-01"),
        ("year", datetime(2025, 1, 1, tzinfo=UTC), "2026-01-01"),
    ],
)
def test_the_next_period_begins_on_its_first_day(period, now, day):
    """Not so many days later."""
    assert ends(period, now) == day

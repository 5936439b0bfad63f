"""What was spent does not depend on the clock."""

import sys
from datetime import UTC, datetime, timedelta
from itertools import count

import pytest

from indistinct.base.billionths import BILLION
from indistinct.errors import BudgetExceededError
from indistinct.questions.database.book import Book, Request
from indistinct.questions.database.dataset import Analyst, Budget
from indistinct.questions.database.ledger_of_charges import Ledger
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

"""The ledger for people to read: spent, left, and every charge."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

from indistinct.base.billionths import as_number
from indistinct.base.one_line import one_line
from indistinct.questions.database.dataset import Dataset
from indistinct.questions.database.ledger_of_charges import Closing, Ledger, LedgerEntry
from indistinct.questions.database.session import open_dataset
from indistinct.questions.mechanisms.meaning import EpsilonMeaning


@final
@dataclass(frozen=True, slots=True)
class Statement:
    """What was spent, in the account's unit, and on what.

    Parameters
    ----------
    spent, left : of the analyst's cap, or of everybody's
    charges : oldest first
    closed : analysts who get no answers until the owner opens again, and why; for the owner alone
    """

    spent: float
    left: float
    cap: float
    unit: str
    charges: tuple[dict[str, Any], ...]
    closed: tuple[dict[str, Any], ...] = ()

    def document(self) -> dict[str, Any]:
        """Return the statement as JSON has it."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


def statement(ledger: Ledger, dataset: Dataset, analyst: str | None = None) -> Statement:
    """Draw up the statement of one analyst, or of everybody."""
    cap = dataset.budget.cap if analyst is None else dataset.analyst(analyst).cap
    spent = ledger.spent(analyst)
    meaning = ledger.meaning()
    return Statement(
        spent=as_number(meaning.reported(spent)),
        left=as_number(meaning.reported_left(max(0, cap - spent))),
        cap=as_number(meaning.reported_left(cap)),
        unit=meaning.unit,
        charges=tuple(
            charge(entry, meaning, whole=analyst is None) for entry in ledger.entries(analyst)
        ),
        closed=tuple(map(why_closed, ledger.closings())) if analyst is None else (),
    )


def why_closed(one: Closing) -> dict[str, Any]:
    """Write why an analyst is closed; the engine's own message could quote a cell."""
    return {
        "analyst": one.analyst,
        "charge": one.number,
        "question": one_line(one.question),
        "error": one.cause,
        "closed_at": one.closed_at,
    }


def charge(entry: LedgerEntry, meaning: EpsilonMeaning, *, whole: bool) -> dict[str, Any]:
    """Write one charge; the version of the data only in the owner's whole ledger.

    Analysts choose the constants of a question, so none of them may look like a line of a list.
    """
    written = {
        "number": entry.number,
        "asked_at": entry.asked_at,
        "analyst": one_line(entry.analyst),
        "question": one_line(entry.question),
        "charged": as_number(meaning.reported(entry.amount)),
        "answered": entry.answered,
    }
    if not meaning.is_pure:
        written["rho"] = as_number(entry.amount)
    return {**written, "version": entry.version} if whole else written


def ledger(path: str | Path) -> Statement:
    """Return what was spent of the budget of a dataset, and on what."""
    dataset, book = open_dataset(path)
    with closing(book.store):
        return statement(book, dataset)


def reopen(path: str | Path, analyst: str) -> int:
    """Answer an analyst again whose question failed after its charge.

    Returns how many failures had closed the analyst; 0 if none had.

    Raises
    ------
    AccessError
        If there is no analyst of that name.
    """
    dataset, book = open_dataset(path)
    with closing(book.store):
        return book.reopen(dataset.analyst(analyst).name)

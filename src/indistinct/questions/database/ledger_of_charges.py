"""What was spent, kept safely: reserve, flush, compute, commit, answer.

One row per charge. A charge is checked and reserved in one transaction that is on disk before the
data are read, and it stays whatever happens next, so what was spent is never less than what was
answered. The answer is stored beside its charge before it is given, and a question that was
answered is answered again from there, for nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol, final

from indistinct.base.files.durable import Execute
from indistinct.errors import EngineError
from indistinct.questions.database.book import (
    CONTRADICTION,
    EDITED,
    EVERYBODY,
    Book,
    Request,
    Reserved,
    analyst_scope,
    read,
)
from indistinct.questions.database.dataset import Analyst, Budget
from indistinct.questions.mechanisms.accountant import Account, Charge
from indistinct.questions.mechanisms.meaning import OF_BUDGETS, OF_QUESTIONS, EpsilonMeaning

TABLES = (
    """
    CREATE TABLE IF NOT EXISTS charges (
        id {serial}, dataset TEXT NOT NULL, version TEXT NOT NULL, analyst TEXT NOT NULL,
        question TEXT NOT NULL, amount BIGINT NOT NULL, shared BIGINT NOT NULL, unit TEXT NOT NULL,
        box TEXT NOT NULL, answer TEXT, asked_at TEXT NOT NULL
    )
    """,
    "CREATE INDEX IF NOT EXISTS charges_by_question ON charges (dataset, version, question)",
    """
    CREATE TABLE IF NOT EXISTS accounts (
        dataset TEXT NOT NULL, scope TEXT NOT NULL, version TEXT NOT NULL, account TEXT NOT NULL,
        PRIMARY KEY (dataset, scope, version)
    )
    """,
    "CREATE TABLE IF NOT EXISTS datasets (dataset TEXT PRIMARY KEY, unit TEXT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS sources (dataset TEXT PRIMARY KEY, source TEXT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS claims (data TEXT PRIMARY KEY, dataset TEXT NOT NULL)",
    """
    CREATE TABLE IF NOT EXISTS thresholds (
        id BIGINT PRIMARY KEY, dataset TEXT NOT NULL, analyst TEXT NOT NULL,
        amount BIGINT NOT NULL, shared BIGINT NOT NULL
    )
    """,
    "CREATE TABLE IF NOT EXISTS meanings (dataset TEXT PRIMARY KEY, version BIGINT NOT NULL)",
    """
    CREATE TABLE IF NOT EXISTS parts (
        id BIGINT NOT NULL, part TEXT NOT NULL, scale DOUBLE PRECISION NOT NULL
    )
    """,
    "CREATE INDEX IF NOT EXISTS parts_by_part ON parts (part, scale)",
    "CREATE TABLE IF NOT EXISTS marks (id BIGINT PRIMARY KEY, charge TEXT NOT NULL, answer TEXT)",
    """
    CREATE TABLE IF NOT EXISTS closings (
        id BIGINT NOT NULL, dataset TEXT NOT NULL, analyst TEXT NOT NULL, cause TEXT NOT NULL,
        closed_at TEXT NOT NULL, opened_after BIGINT
    )
    """,
)


class LedgerStore(Protocol):
    """A database that keeps the ledger."""

    def transaction(self, *, flushed: bool = True) -> AbstractContextManager[Execute]:
        """Open a transaction that no other one overlaps; commit it, or roll it back.

        Committed, it is on disk unless ``flushed`` is False: then the next flushed one takes it
        there.
        """
        ...

    def close(self) -> None:
        """Let go of the database."""
        ...


@final
@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """One row of the ledger."""

    number: int
    analyst: str
    question: str
    amount: int
    version: str
    answered: bool
    asked_at: str


@final
@dataclass(frozen=True, slots=True)
class Closing:
    """Why an analyst gets no answers: a question that failed after its charge.

    Parameters
    ----------
    number : of the charge
    cause : the name of the class of the error
    """

    number: int
    analyst: str
    question: str
    cause: str
    closed_at: str


@final
@dataclass(frozen=True, slots=True)
class Ledger:
    """The ledger of one dataset.

    Parameters
    ----------
    source : tells its table from the table of another declaration of the same name
    data : what its records are known by, under whatever name they are declared
    is_frozen : whether the rows of one version never change
    """

    store: LedgerStore
    dataset: str
    budget: Budget
    source: str = ""
    data: tuple[str, ...] = ()
    is_frozen: bool = True

    def register(self) -> None:
        """Make the dataset known; it keeps what it has spent."""
        if self.holder() is not None:
            return
        with self.store.transaction() as execute:
            if not execute("SELECT unit FROM datasets WHERE dataset = ?", (self.dataset,)):
                execute(
                    "INSERT INTO meanings VALUES (?, ?) ON CONFLICT (dataset) DO NOTHING",
                    (self.dataset, OF_BUDGETS),
                )
            execute(
                "INSERT INTO datasets VALUES (?, ?) ON CONFLICT (dataset) DO NOTHING",
                (self.dataset, self.budget.accounting.unit),
            )
            self._note_source(execute)

    def meaning(self) -> EpsilonMeaning:
        """Return what an epsilon means here."""
        with self.store.transaction() as execute:
            return self._book(execute).meaning()

    def _note_source(self, execute: Execute) -> None:
        execute(
            "INSERT INTO sources VALUES (?, ?) ON CONFLICT (dataset) DO NOTHING",
            (self.dataset, self.source),
        )

    def problems(self) -> Iterator[tuple[str, str]]:
        """List why nothing may be answered from this ledger, and what to do."""
        if (holder := self.holder()) is not None:
            yield (
                f"the ledger keeps the budget of these data under the name {holder}",
                (
                    f'Ask through the declaration of that name, or write name = "{holder}" under '
                    "[dataset]: one table has one budget."
                ),
            )
        elif not self.registered:
            yield (
                "the ledger does not know this dataset, or counts it in another unit",
                "Declare the name and the ledger with which indistinct database init began.",
            )
        elif not self.belongs:
            yield (
                "the ledger belongs to another declaration of this name, over another table",
                "Give this dataset a name or a ledger of its own.",
            )
        elif not self.adds_up:
            yield CONTRADICTION
        elif not self.is_as_written:
            yield EDITED
        elif self.meaning().version not in {OF_QUESTIONS, OF_BUDGETS}:
            yield (
                "the ledger was begun by a later version of this program",
                "Answer questions with the version that began it.",
            )

    def holder(self) -> str | None:
        """Claim the data for this dataset; give the other dataset that has claimed them before."""
        if not self.data:
            return None
        with self.store.transaction() as execute:
            marks = ", ".join("?" for _ in self.data)
            found = execute(f"SELECT dataset FROM claims WHERE data IN ({marks})", self.data)  # noqa: S608
            others = sorted({str(row[0]) for row in found} - {self.dataset})
            if others:
                return others[0]
            for data in self.data:
                execute(
                    "INSERT INTO claims VALUES (?, ?) ON CONFLICT (data) DO NOTHING",
                    (data, self.dataset),
                )
        return None

    @property
    def belongs(self) -> bool:
        """True where the ledger was started for this table; an older ledger is bound to it now."""
        with self.store.transaction() as execute:
            self._note_source(execute)
            rows = execute("SELECT source FROM sources WHERE dataset = ?", (self.dataset,))
        return [row[0] for row in rows] == [self.source]

    @property
    def adds_up(self) -> bool:
        """True where every account is what its charges come to, and all are written as here."""
        try:
            return self._adds_up()
        except (AttributeError, KeyError, TypeError, ValueError):
            return False  # a cell that no ledger writes

    def _adds_up(self) -> bool:
        """Add the charges up once more."""
        with self.store.transaction() as execute:
            sums = execute(
                "SELECT version, analyst, box, SUM(amount), SUM(shared) FROM charges "
                "WHERE dataset = ? GROUP BY version, analyst, box",
                (self.dataset,),
            )
            kept = execute(
                "SELECT scope, version, account FROM accounts WHERE dataset = ?", (self.dataset,)
            )
        charged: dict[tuple[str, str], Account] = {}
        for version, analyst, box, amount, shared in sums:
            for scope, total in ((analyst_scope(analyst), amount), (EVERYBODY, shared)):
                if total:
                    account = charged.get((scope, version), Account())
                    charged[scope, version] = account.plus(Charge(int(total), json.loads(box)))
        return charged == {(scope, version): read(text) for scope, version, text in kept}

    @property
    def is_as_written(self) -> bool:
        """True where every charge is as it was written, by its mark."""
        with self.store.transaction() as execute:
            return self._book(execute).has_true_marks()

    @property
    def registered(self) -> bool:
        """True where the dataset is known and counts in the same unit."""
        with self.store.transaction() as execute:
            rows = execute("SELECT unit FROM datasets WHERE dataset = ?", (self.dataset,))
        return [row[0] for row in rows] == [self.budget.accounting.unit]

    def reserve(self, request: Request) -> Reserved:
        """Check the caps and charge, in one transaction; or find the answer that was paid for.

        Raises
        ------
        BudgetExceededError
            If the analyst, the dataset or this version of the data would exceed its cap.
        EngineError
            If the analyst is closed, because a question failed after its charge.
        """
        with self.store.transaction() as execute:
            book = self._book(execute)
            book.check_open(request.analyst)
            known = [] if request.fresh else book.answers(request)
            own = [row for row in known if row[1] == request.analyst.name]
            if own:
                return Reserved(own[0][0], 0, book.left(request), own[0][2])
            scopes = book.own_scope(request) if known else book.scopes(request)
            book.charge(request, scopes)
            answer = known[0][2] if known else None
            shared = 0 if known else request.price
            book.check_threshold(request, is_shared=not known)
            number = book.write(request, shared, answer)
            book.write_threshold(request, number, is_shared=not known)
            return Reserved(number, request.price, book.left(request), answer)

    def commit(self, number: int, answer: str) -> None:
        """Store the answer of a charge.

        Other connections see it at once. Should the power fail before the next flush, the charge
        stands without its answer, and asking again costs again: nothing is given away.
        """
        with self.store.transaction(flushed=False) as execute:
            self._book(execute).commit(number, answer)

    def failed(self, analyst: Analyst, failure: EngineError, number: int | None = None) -> bool:
        """Close an analyst whose question failed after its charge; give whether that was done.

        What failed for want of a connection, memory or time closes with the third charge without
        an answer within a day: these tell of a row, too, but seldom.

        Parameters
        ----------
        number : of the charge; the latest one without an answer if left out
        """
        if analyst.role == "owner":
            return False
        with self.store.transaction() as execute:
            return self._book(execute).close(analyst, failure, number)

    def reopen(self, analyst: str) -> int:
        """Answer an analyst again; give how many failures had closed them."""
        with self.store.transaction() as execute:
            return self._book(execute).reopen(analyst)

    def closings(self) -> list[Closing]:
        """List why analysts are closed now, oldest first."""
        with self.store.transaction() as execute:
            rows = execute(
                "SELECT closings.id, closings.analyst, question, cause, closed_at FROM closings "
                "JOIN charges ON charges.id = closings.id "
                "WHERE closings.dataset = ? AND opened_after IS NULL ORDER BY closings.id",
                (self.dataset,),
            )
        return [Closing(*row) for row in rows]

    def _book(self, execute: Execute) -> Book:
        return Book(execute, self.dataset, self.budget, self.is_frozen)

    def left(self, analyst: Analyst, version: str) -> int:
        """Return the billionths that an analyst can still spend on a version of the data."""
        request = Request(analyst, version, "", 0, {})
        with self.store.transaction() as execute:
            return self._book(execute).left(request)

    def delta_left(self, analyst: Analyst) -> int:
        """Return what an analyst's thresholds can still spend, in units of 1e-18."""
        with self.store.transaction() as execute:
            return self._book(execute).delta_left(analyst)

    def spent(self, analyst: str | None = None) -> int:
        """Return the billionths spent by an analyst, or by all together."""
        scope = EVERYBODY if analyst is None else analyst_scope(analyst)
        with self.store.transaction() as execute:
            return self._book(execute).spent(scope)

    def entries(self, analyst: str | None = None) -> list[LedgerEntry]:
        """List the charges of an analyst, or of all, oldest first."""
        with self.store.transaction() as execute:
            rows = execute(
                "SELECT id, analyst, question, amount, version, answer IS NOT NULL, asked_at "
                "FROM charges WHERE dataset = ? ORDER BY id",
                (self.dataset,),
            )
        entries = [
            LedgerEntry(number, who, question, amount, version, bool(answered), asked_at)
            for number, who, question, amount, version, answered, asked_at in rows
        ]
        return [entry for entry in entries if analyst in {None, entry.analyst}]

"""What was spent, kept safely: reserve, flush, compute, commit, answer.

One row per charge. A charge is checked and reserved in one transaction that is on disk before the
data are read, and it stays whatever happens next, so what was spent is never less than what was
answered. The answer is stored beside its charge before it is given, and a question that was
answered is answered again from there, for nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Protocol, final

from indistinct.core.durable import Execute
from indistinct.database.dataset import Analyst, Budget
from indistinct.errors import BudgetExceededError
from indistinct.mechanisms.accountant import Account, Box, Charge

EVERYBODY = "everybody"

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
)


class Store(Protocol):
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
class Request:
    """A charge that somebody asks for.

    Parameters
    ----------
    question : canonical, with its epsilon
    price : billionths
    box : the public values it is confined to; empty where one person may have several rows
    fresh : a new draw is wanted even if there is an answer
    """

    analyst: Analyst
    version: str
    question: str
    price: int
    box: Box
    fresh: bool = False


@final
@dataclass(frozen=True, slots=True)
class Reserved:
    """A charge that was granted.

    Parameters
    ----------
    number : of the ledger's row
    charged : billionths that the analyst paid for it now
    left : billionths that the analyst can still spend
    answer : the stored answer, if there is one
    """

    number: int
    charged: int
    left: int
    answer: str | None = None


@final
@dataclass(frozen=True, slots=True)
class Entry:
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
class Ledger:
    """The ledger of one dataset.

    Parameters
    ----------
    source : tells its table from the table of another declaration of the same name
    """

    store: Store
    dataset: str
    budget: Budget
    source: str = ""

    def register(self) -> None:
        """Make the dataset known; it keeps what it has spent."""
        with self.store.transaction() as execute:
            execute(
                "INSERT INTO datasets VALUES (?, ?) ON CONFLICT (dataset) DO NOTHING",
                (self.dataset, self.budget.accounting.unit),
            )
            self._note_source(execute)

    def _note_source(self, execute: Execute) -> None:
        execute(
            "INSERT INTO sources VALUES (?, ?) ON CONFLICT (dataset) DO NOTHING",
            (self.dataset, self.source),
        )

    def problems(self) -> Iterator[tuple[str, str]]:
        """List why nothing may be answered from this ledger, and what to do."""
        if not self.registered:
            yield (
                "the ledger does not know this dataset, or counts it in another unit",
                "Start it with: indistinct database init.",
            )
        elif not self.belongs:
            yield (
                "the ledger belongs to another declaration of this name, over another table",
                "Give this dataset a name or a ledger of its own.",
            )
        elif not self.adds_up:
            yield (
                "the ledger contradicts itself: its accounts are not the sum of its charges",
                "It was changed by hand or copied while it was written. Put the true one back.",
            )

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
        """
        with self.store.transaction() as execute:
            book = _Book(execute, self.dataset, self.budget)
            known = [] if request.fresh else book.answers(request)
            own = [row for row in known if row[1] == request.analyst.name]
            if own:
                return Reserved(own[0][0], 0, book.left(request), own[0][2])
            scopes = book.own_scope(request) if known else book.scopes(request)
            book.charge(request, scopes)
            answer = known[0][2] if known else None
            shared = 0 if known else request.price
            number = book.write(request, shared, answer)
            return Reserved(number, request.price, book.left(request), answer)

    def commit(self, number: int, answer: str) -> None:
        """Store the answer of a charge.

        Other connections see it at once. Should the power fail before the next flush, the charge
        stands without its answer, and asking again costs again: nothing is given away.
        """
        with self.store.transaction(flushed=False) as execute:
            execute("UPDATE charges SET answer = ? WHERE id = ?", (answer, number))

    def left(self, analyst: Analyst, version: str) -> int:
        """Give the billionths that an analyst can still spend on a version of the data."""
        request = Request(analyst, version, "", 0, {})
        with self.store.transaction() as execute:
            return _Book(execute, self.dataset, self.budget).left(request)

    def spent(self, analyst: str | None = None) -> int:
        """Give the billionths spent by an analyst, or by all together."""
        scope = EVERYBODY if analyst is None else analyst_scope(analyst)
        with self.store.transaction() as execute:
            return _Book(execute, self.dataset, self.budget).spent(scope)

    def entries(self, analyst: str | None = None) -> list[Entry]:
        """List the charges of an analyst, or of all, oldest first."""
        with self.store.transaction() as execute:
            rows = execute(
                "SELECT id, analyst, question, amount, version, answer IS NOT NULL, asked_at "
                "FROM charges WHERE dataset = ? ORDER BY id",
                (self.dataset,),
            )
        entries = [
            Entry(number, who, question, amount, version, bool(answered), asked_at)
            for number, who, question, amount, version, answered, asked_at in rows
        ]
        return [entry for entry in entries if analyst in {None, entry.analyst}]


def analyst_scope(name: str) -> str:
    """Name an analyst's account."""
    return f"analyst:{name}"


@final
@dataclass(frozen=True, slots=True)
class _Book:
    """The ledger within one transaction."""

    execute: Execute
    dataset: str
    budget: Budget

    def answers(self, request: Request) -> list[Sequence[Any]]:
        """List number, analyst and answer of what was answered, the latest first."""
        return self.execute(
            "SELECT id, analyst, answer FROM charges WHERE dataset = ? AND version = ? "
            "AND question = ? AND answer IS NOT NULL ORDER BY id DESC",
            (self.dataset, request.version, request.question),
        )

    def own_scope(self, request: Request) -> dict[str, int]:
        """Give the cap that an answer others paid for still counts against."""
        return {analyst_scope(request.analyst.name): request.analyst.cap}

    def scopes(self, request: Request) -> dict[str, int]:
        """Give every cap that a new answer counts against."""
        return {EVERYBODY: self.budget.cap, **self.own_scope(request)}

    def charge(self, request: Request, scopes: Mapping[str, int]) -> None:
        """Check all caps, then raise all accounts."""
        charge = Charge(request.price, request.box)
        raised = {scope: self.account(scope, request.version).plus(charge) for scope in scopes}
        for scope, account in raised.items():
            others = self.spent(scope) - self.account(scope, request.version).spent
            self.check(request, scopes[scope] - others - account.spent)
        if EVERYBODY in raised:
            self.check(request, self.budget.per_version - raised[EVERYBODY].spent)
        for scope, account in raised.items():
            self.execute(
                "INSERT INTO accounts VALUES (?, ?, ?, ?) "
                "ON CONFLICT (dataset, scope, version) DO UPDATE SET account = excluded.account",
                (self.dataset, scope, request.version, written(account)),
            )

    def check(self, request: Request, rest: int) -> None:
        """Refuse where nothing is left after the charge."""
        if rest < 0:
            left = self.left(request)
            raise BudgetExceededError(request.price, left, self.budget.accounting.unit)

    def write(self, request: Request, shared: int, answer: str | None) -> int:
        """Add the charge's row and give its number."""
        rows = self.execute(
            "INSERT INTO charges (dataset, version, analyst, question, amount, shared, unit, box, "
            "answer, asked_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id",
            (
                self.dataset,
                request.version,
                request.analyst.name,
                request.question,
                request.price,
                shared,
                self.budget.accounting.unit,
                json.dumps(request.box),
                answer,
                datetime.now(UTC).isoformat(timespec="seconds"),
            ),
        )
        return int(rows[0][0])

    def accounts(self, scope: str) -> Iterator[tuple[str, Account]]:
        """Read an account's versions."""
        rows = self.execute(
            "SELECT version, account FROM accounts WHERE dataset = ? AND scope = ?",
            (self.dataset, scope),
        )
        for version, account in rows:
            yield version, read(account)

    def account(self, scope: str, version: str) -> Account:
        """Read one account of one version."""
        return dict(self.accounts(scope)).get(version, Account())

    def spent(self, scope: str) -> int:
        """Add up an account over all versions: the people in them are the same."""
        return sum(account.spent for _, account in self.accounts(scope))

    def left(self, request: Request) -> int:
        """Give what the analyst can still spend: the least of what the caps leave."""
        version = self.account(EVERYBODY, request.version).spent
        return max(
            0,
            min(
                *(cap - self.spent(scope) for scope, cap in self.scopes(request).items()),
                self.budget.per_version - version,
            ),
        )


def written(account: Account) -> str:
    """Write an account as JSON, in whole numbers."""
    return json.dumps(
        {"total": account.total, "confined": account.confined, "cells": account.cells}
    )


def read(text: str) -> Account:
    """Read an account back."""
    given = json.loads(text)
    cells = {
        key: {int(code): amount for code, amount in codes.items()}
        for key, codes in given["cells"].items()
    }
    return Account(given["total"], given["confined"], cells)

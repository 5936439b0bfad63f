"""The ledger within one transaction: caps, charges, stored answers, and their marks.

A mark is the hash of all that a charge says, or of its mark and its answer. It shows that a row was
edited, to everybody but somebody who also writes the mark anew.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import chain
from typing import Any, final

from indistinct.base.files.durable import Execute
from indistinct.errors import BudgetExceededError, EngineError, ParameterError
from indistinct.questions.database.dataset import DELTAS, Analyst, Budget
from indistinct.questions.database.failures import CLOSED, MOST_PASSING
from indistinct.questions.database.periods import began, ends
from indistinct.questions.mechanisms.accountant import Account, BinBounds, Charge
from indistinct.questions.mechanisms.meaning import OF_QUESTIONS, EpsilonMeaning

EVERYBODY = "everybody"
COLUMNS = "dataset, version, analyst, question, amount, shared, unit, box, asked_at"
WHAT_TO_DO = "It was changed by hand or copied while it was written. Put the true one back."
CONTRADICTION = (
    "the ledger contradicts itself: its accounts are not the sum of its charges",
    WHAT_TO_DO,
)
EDITED = ("the ledger was changed: a charge or an answer is not the one written", WHAT_TO_DO)


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
    delta : of a threshold, in units of 1e-18
    parts : per noisy part of its answer, the scale of its noise; empty where answers have none
    """

    analyst: Analyst
    version: str
    question: str
    price: int
    box: BinBounds
    fresh: bool = False
    delta: int = 0
    parts: Mapping[str, float] = field(default_factory=dict[str, float])


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


def analyst_scope(name: str) -> str:
    """Name an analyst's account."""
    return f"analyst:{name}"


@final
@dataclass(frozen=True, slots=True)
class Book:
    """The ledger within one transaction.

    Parameters
    ----------
    is_frozen : whether people keep their values, so that questions about others cost them nothing
    """

    execute: Execute
    dataset: str
    budget: Budget
    is_frozen: bool = True

    def meaning(self) -> EpsilonMeaning:
        """Return what an epsilon means: a ledger of before, without a version, keeps its own."""
        rows = self.execute("SELECT version FROM meanings WHERE dataset = ?", (self.dataset,))
        return self.budget.meaning(int(rows[0][0]) if rows else OF_QUESTIONS)

    def answers(self, request: Request) -> list[Sequence[Any]]:
        """List number, analyst and answer of what was answered, the latest first.

        One's own answer does if it has all parts of the question, each with no more noise. That
        of another analyst, whose noise may be less than is paid for, only for the same question.

        Raises
        ------
        EngineError
            If an answer is not the one that was stored.
        """
        does = "question = ?"
        given: list[Any] = [request.question]
        if request.parts:
            each = " OR ".join("(part = ? AND scale <= ?)" for _ in request.parts)
            does = (
                f"charges.id IN (SELECT id FROM parts WHERE {each} "  # noqa: S608 - only marks
                f"GROUP BY id HAVING COUNT(*) = ?) AND (analyst = ? OR {does})"
            )
            parts = chain.from_iterable(request.parts.items())
            given = [*parts, len(request.parts), request.analyst.name, *given]
        rows = self.execute(
            "SELECT charges.id, analyst, charges.answer, marks.charge, marks.answer FROM charges "  # noqa: S608
            "LEFT JOIN marks ON marks.id = charges.id WHERE dataset = ? AND version = ? "
            f"AND {does} AND charges.answer IS NOT NULL ORDER BY charges.id DESC",
            (self.dataset, request.version, *given),
        )
        if any(mark != mark_of([charge, answer]) for _, _, answer, charge, mark in rows):
            raise EngineError(*EDITED)
        return rows

    def own_scope(self, request: Request) -> dict[str, int]:
        """Return the cap that an answer others paid for still counts against."""
        return {analyst_scope(request.analyst.name): request.analyst.cap}

    def scopes(self, request: Request) -> dict[str, int]:
        """Return every cap that a new answer counts against."""
        return {EVERYBODY: self.budget.cap, **self.own_scope(request)}

    def charge(self, request: Request, scopes: Mapping[str, int]) -> None:
        """Check all caps, then raise all accounts."""
        charge = Charge(request.price, request.box)
        raised = {scope: self.account(scope, request.version).plus(charge) for scope in scopes}
        for scope, account in raised.items():
            if scope != EVERYBODY and request.analyst.per is not None:
                self.check(request, scopes[scope] - self.spent_lately(request) - request.price)
                continue
            others = self.spent(scope) - self.spent_of(self.account(scope, request.version))
            self.check(request, scopes[scope] - others - self.spent_of(account))
        if EVERYBODY in raised:
            self.check(request, self.budget.per_version - self.spent_of(raised[EVERYBODY]))
        for scope, account in raised.items():
            self.execute(
                "INSERT INTO accounts VALUES (?, ?, ?, ?) "
                "ON CONFLICT (dataset, scope, version) DO UPDATE SET account = excluded.account",
                (self.dataset, scope, request.version, written(account)),
            )

    def check(self, request: Request, rest: int) -> None:
        """Refuse where nothing is left after the charge."""
        if rest < 0:
            meaning, left = self.meaning(), self.left(request)
            raise BudgetExceededError(
                meaning.reported(request.price),
                meaning.reported_left(left),
                meaning.unit,
                meaning.affordable(left),
                self.renews(request),
            )

    def check_threshold(self, request: Request, *, is_shared: bool) -> None:
        """Refuse a threshold that costs more delta than is left of the dataset's or analyst's."""
        if not request.delta:
            return
        left = self.delta_left(request.analyst, is_shared=is_shared)
        if request.delta > left:
            raise ParameterError(
                f"delta: the threshold costs {request.delta / DELTAS:.3g}, but "
                f"{max(0, left) / DELTAS:.3g} is left",
                "Ask with a smaller delta, or group by declared values.",
            )

    def delta_left(self, analyst: Analyst, *, is_shared: bool = True) -> int:
        """Return what an analyst's thresholds can still spend, in units of 1e-18.

        An analyst has the share of the dataset's delta that the cap is of the budget. A cap may
        renew; delta never does, for it is spent for ever.
        """
        whole = math.floor(self.budget.threshold_delta * DELTAS)
        left = whole * analyst.cap // self.budget.cap - self.spent_delta("amount", analyst.name)
        return min(left, whole - self.spent_delta("shared")) if is_shared else left

    def spent_delta(self, column: str, analyst: str | None = None) -> int:
        """Add up what thresholds cost: an analyst's amounts, or what all share."""
        rows = self.execute(
            "SELECT analyst, amount, shared FROM thresholds WHERE dataset = ?", (self.dataset,)
        )
        place = 1 if column == "amount" else 2
        return sum(int(row[place]) for row in rows if analyst in {None, row[0]})

    def write_threshold(self, request: Request, number: int, *, is_shared: bool) -> None:
        """Add what a threshold costs to the second counter."""
        if request.delta:
            shared = request.delta if is_shared else 0
            self.execute(
                "INSERT INTO thresholds VALUES (?, ?, ?, ?, ?)",
                (number, self.dataset, request.analyst.name, request.delta, shared),
            )

    def check_open(self, analyst: Analyst) -> None:
        """Refuse an analyst who is closed."""
        rows = self.execute(
            "SELECT 1 FROM closings WHERE dataset = ? AND analyst = ? AND opened_after IS NULL",
            (self.dataset, analyst.name),
        )
        if rows and analyst.role != "owner":
            raise EngineError(*CLOSED)

    def close(self, analyst: Analyst, failure: EngineError, number: int | None) -> bool:
        """Close an analyst, unless a failure may pass and is one of the first of a day."""
        now = datetime.now(UTC)
        unanswered = self.unanswered(analyst, now - timedelta(days=1))
        if failure.is_passing and len(unanswered) < MOST_PASSING:
            return False
        if number is None:
            number = max(unanswered)
        self.execute(
            "INSERT INTO closings VALUES (?, ?, ?, ?, ?, NULL)",
            (number, self.dataset, analyst.name, failure.cause, now.isoformat(timespec="seconds")),
        )
        return True

    def unanswered(self, analyst: Analyst, since: datetime) -> list[int]:
        """List the charges without an answer since a moment, and since the owner last opened."""
        given = (self.dataset, analyst.name)
        rows = self.execute(
            "SELECT id FROM charges WHERE dataset = ? AND analyst = ? AND answer IS NULL "
            "AND asked_at >= ? AND id > (SELECT coalesce(MAX(opened_after), 0) FROM closings "
            "WHERE dataset = ? AND analyst = ?)",
            (*given, since.isoformat(timespec="seconds"), *given),
        )
        return [int(number) for (number,) in rows]

    def reopen(self, analyst: str) -> int:
        """Open an analyst again, after all charges so far; give how many closings there were."""
        ((latest,),) = self.execute("SELECT MAX(id) FROM charges", ())
        given = (self.dataset, analyst)
        where = "WHERE dataset = ? AND analyst = ? AND opened_after IS NULL"
        rows = self.execute(f"SELECT id FROM closings {where}", given)  # noqa: S608 - our own names
        self.execute(f"UPDATE closings SET opened_after = ? {where}", (latest or 0, *given))  # noqa: S608
        return len(rows)

    def write(self, request: Request, shared: int, answer: str | None) -> int:
        """Add the charge's row and its mark, and give its number."""
        row = (
            self.dataset,
            request.version,
            request.analyst.name,
            request.question,
            request.price,
            shared,
            self.budget.accounting.unit,
            json.dumps(request.box),
            datetime.now(UTC).isoformat(timespec="seconds"),
        )
        rows = self.execute(
            f"INSERT INTO charges ({COLUMNS}, answer) "  # noqa: S608 - our own names
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id",
            (*row, answer),
        )
        number = int(rows[0][0])
        self.mark(number, mark_of([number, *row]), answer)
        for part, scale in request.parts.items():
            self.execute("INSERT INTO parts VALUES (?, ?, ?)", (number, part, scale))
        return number

    def mark(self, number: int, charge: str, answer: str | None) -> None:
        """Write the check of a charge beside it."""
        answered = None if answer is None else mark_of([charge, answer])
        self.execute("INSERT INTO marks VALUES (?, ?, ?)", (number, charge, answered))

    def commit(self, number: int, answer: str) -> None:
        """Store the answer of a charge, and its mark."""
        self.execute("UPDATE charges SET answer = ? WHERE id = ?", (answer, number))
        for (charge,) in self.execute("SELECT charge FROM marks WHERE id = ?", (number,)):
            answered = mark_of([charge, answer])
            self.execute("UPDATE marks SET answer = ? WHERE id = ?", (answered, number))

    def has_true_marks(self) -> bool:
        """Return whether all charges are as they were written; one that was edited is not."""
        rows = self.execute(
            f"SELECT charges.id, {COLUMNS}, marks.charge FROM charges "  # noqa: S608
            "LEFT JOIN marks ON marks.id = charges.id WHERE dataset = ?",
            (self.dataset,),
        )
        if rows and all(mark is None for *_, mark in rows):
            self._mark_all(rows)
            return True
        return all(mark == mark_of(row) for *row, mark in rows)

    def _mark_all(self, rows: Sequence[Sequence[Any]]) -> None:
        """Mark the charges of a ledger that an earlier version of this program wrote."""
        for number, *row, _ in rows:
            found = self.execute("SELECT answer FROM charges WHERE id = ?", (number,))
            self.mark(number, mark_of([number, *row]), found[0][0])

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
        return sum(self.spent_of(account) for _, account in self.accounts(scope))

    def spent_of(self, account: Account) -> int:
        """Return what an account has spent for the person whom it concerns most.

        A person whose values change may have had every value that was asked about.
        """
        return account.spent if self.is_frozen else account.total

    def spent_lately(self, request: Request) -> int:
        """Add up what an analyst was charged since the current period began, by our own clock.

        Raises
        ------
        EngineError
            If the clock is behind the last charge: the period could be one that is over.
        """
        now, who = datetime.now(UTC), request.analyst
        ((latest,),) = self.execute(
            "SELECT MAX(asked_at) FROM charges WHERE dataset = ?", (self.dataset,)
        )
        if latest is not None and str(latest) > now.isoformat(timespec="seconds"):
            raise EngineError(
                "the clock is behind the last charge of the ledger", "Set the clock of the server."
            )
        start = began(who.per, now) if who.per is not None else ""
        ((spent,),) = self.execute(
            "SELECT SUM(amount) FROM charges WHERE dataset = ? AND analyst = ? AND asked_at >= ?",
            (self.dataset, who.name, start),
        )
        return int(spent or 0)

    def left(self, request: Request) -> int:
        """Return what the analyst can still spend: the least of what the caps leave."""
        who = request.analyst
        spent = (
            self.spent(analyst_scope(who.name)) if who.per is None else self.spent_lately(request)
        )
        return max(0, min(who.cap - spent, self.left_of_all(request)))

    def left_of_all(self, request: Request) -> int:
        """Return what all analysts together can still spend on a version of the data."""
        version = self.spent_of(self.account(EVERYBODY, request.version))
        return min(self.budget.cap - self.spent(EVERYBODY), self.budget.per_version - version)

    def renews(self, request: Request) -> str | None:
        """Return the day on which an analyst can spend again; None where that never renews."""
        per = request.analyst.per
        if per is None or self.left_of_all(request) <= 0:
            return None
        return ends(per, datetime.now(UTC))


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


def mark_of(parts: Sequence[Any]) -> str:
    """Return the SHA-256 of some texts and numbers."""
    return hashlib.sha256(json.dumps(list(parts)).encode()).hexdigest()

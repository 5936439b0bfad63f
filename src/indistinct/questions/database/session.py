"""The one stateful object: price, charge, ask, add noise, answer."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, final

from indistinct.base.billionths import as_number, exact_number
from indistinct.base.files.postgres_address import is_postgres
from indistinct.base.former_names import former_names
from indistinct.errors import EngineError, ParameterError, QuestionError
from indistinct.questions.database.aggregates import Engine
from indistinct.questions.database.book import Request, Reserved
from indistinct.questions.database.claims import identities
from indistinct.questions.database.dataset import DELTAS, OWNER, Analyst, Dataset
from indistinct.questions.database.failures import CLOSED, did_not_answer, failure_of
from indistinct.questions.database.ledger_of_charges import Ledger, LedgerStore
from indistinct.questions.database.loading import load
from indistinct.questions.database.relational.answering import counted, queries_of
from indistinct.questions.database.relational.confining import confined
from indistinct.questions.database.relational.errors import expected_error, scale_of
from indistinct.questions.database.relational.least_epsilon import epsilon_for
from indistinct.questions.database.relational.limits import LIMITS, WantedLimits
from indistinct.questions.database.relational.plan import RelationalPlan, make_plan
from indistinct.questions.database.relational.replies import ReplyRows, rows_of
from indistinct.questions.database.relational.statement import compiled
from indistinct.questions.database.relational.stored import restored, stored
from indistinct.questions.database.reply import Reply
from indistinct.questions.mechanisms.meaning import OF_QUESTIONS


@final
@dataclass(frozen=True, slots=True)
class Options:
    """What a question may ask for beside its epsilon; see :meth:`Session.ask`."""

    groups: int | None = None
    rows: int | None = None
    rows_in_all: int | None = None
    full_groups: int | None = None
    delta: Any = None
    error: Any = None
    confidence: float = 0.95
    rows_expected: int | None = None


@final
@dataclass(frozen=True, slots=True)
class Session:
    """Holds a dataset's engine and ledger; charges first and looks afterwards."""

    dataset: Dataset
    engine: Engine
    ledger: Ledger

    @property
    def version(self) -> str:
        """Return what tells one state of the data, and one way to read them, from another."""
        return f"{self.engine.version}:{self.dataset.reading}"

    @former_names(positional=("epsilon",))
    def ask(  # noqa: PLR0913 - one keyword per option
        self,
        question: str,
        *,
        epsilon: Any = None,
        error: Any = None,
        confidence: float = 0.95,
        analyst: str = OWNER,
        dry_run: bool = False,
        fresh: bool = False,
        groups: int | None = None,
        rows: int | None = None,
        rows_in_all: int | None = None,
        full_groups: int | None = None,
        delta: Any = None,
        rows_expected: int | None = None,
    ) -> Reply:
        """Answer a question with noise, within the budget.

        Parameters
        ----------
        question : SQL, see :mod:`indistinct.questions.database.relational`
        epsilon : a positive decimal number, of at most nine decimals; may stand in the OPTIONS of
            the question instead
        error, confidence : instead of epsilon: pay the least epsilon whose expected error is within
            this one, in the unit of the answer
        analyst : who asks; known from a token, never from a request
        dry_run : give price and expected error, and charge nothing
        fresh : pay for a new draw even if the question was answered
        groups, rows, rows_in_all : of one person, that count in full: groups, rows in each, and
            rows together; by the declaration if left out. A person with more counts with less
            weight in all groups
        full_groups : a person counts at most as this many groups in which the person has the most
            that counts, by the sum of squares; the noise grows with its root
        delta : of the threshold, where groups are not known beforehand
        rows_expected : about how many rows count in a group, a public number: for the expected
            error of means, variances and quantiles

        Raises
        ------
        QuestionError, ParameterError
            If the question or epsilon is not one; nothing is charged.
        BudgetExceededError
            If it costs more than is left; nothing is charged.
        EngineError
            If the data cannot be reached, or the question fails; the charge stays. An analyst, but
            not an owner, is then closed until the owner opens again; see :func:`reopen`.

        Notes
        -----
        Source: dwork2006, theorem 1; mcsherry2009, section 3.
        """
        options = Options(
            groups, rows, rows_in_all, full_groups, delta, error, confidence, rows_expected
        )
        plan = self.plan(question, epsilon, options)
        return self.reply(
            plan, analyst=analyst, dry_run=dry_run, fresh=fresh, rows_expected=rows_expected
        )

    def plan(self, question: str, epsilon: Any, options: Options | None = None) -> RelationalPlan:
        """Read a question and decide its price, without looking at data or ledger."""
        options = options or Options()
        wanted = WantedLimits(**{name: getattr(options, name) for name in LIMITS})
        statement = compiled(question, self.engine.setting(), wanted)
        if epsilon is not None and "epsilon" in statement.options:
            raise ParameterError(
                "epsilon: stands in the OPTIONS of the question, too", "Write it in one place."
            )
        epsilon = statement.options.get("epsilon") if epsilon is None else epsilon
        delta = statement.options.get("delta") if options.delta is None else options.delta
        budget, meaning = self.dataset.budget, self.ledger.meaning()

        def delta_of(price: int) -> int:
            return budget.threshold_share(price) if delta is None else deltas(delta)

        def plan_of(tried: Any) -> RelationalPlan:
            return make_plan(statement, tried, meaning, delta_of)

        if options.error is None:
            return plan_of(epsilon)
        if epsilon is not None:
            raise ParameterError("error: and epsilon are both given", "Give one of them.")
        return plan_of(
            epsilon_for(plan_of, options.error, options.confidence, options.rows_expected)
        )

    def reply(
        self,
        plan: RelationalPlan,
        *,
        analyst: str = OWNER,
        dry_run: bool = False,
        fresh: bool = False,
        rows_expected: int | None = None,
    ) -> Reply:
        """Answer a planned question; see :meth:`ask`."""
        who = self.dataset.analyst(analyst)
        self.engine.check(queries_of(plan))
        if dry_run:
            return self._priced(plan, who, rows_expected)
        reserved = self.ledger.reserve(self._request(plan, who, fresh=fresh))
        plan, found = self._answered(plan, who, reserved)
        meaning = plan.meaning
        return Reply(
            answer=found.answer,
            interval=found.interval,
            charged=as_number(meaning.reported(reserved.charged)),
            left=as_number(meaning.reported_left(reserved.left)),
            **about(plan, rows_expected),
        )

    def close(self) -> None:
        """Let go of data and ledger."""
        self.engine.close()
        self.ledger.store.close()

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _request(self, plan: RelationalPlan, who: Analyst, *, fresh: bool) -> Request:
        # A person with several rows may have several values of a key, and so may one whose row
        # changes. They would pay for only one of several questions that concern them: such
        # questions confine nobody.
        is_confined = self.dataset.rows_per_person == 1 and self.dataset.is_frozen
        is_confined = is_confined and self.dataset.is_flat and plan.statement.is_plain
        box = confined(plan.statement.select, self.dataset) if is_confined else {}
        parts = {f"{plan.statement.relation} {name}": scale for name, scale in plan.scales.items()}
        return Request(who, self.version, plan.canonical, plan.price, box, fresh, plan.delta, parts)

    def _answered(
        self, plan: RelationalPlan, who: Analyst, reserved: Reserved
    ) -> tuple[RelationalPlan, ReplyRows]:
        """Read the data, add noise and store the answer; the charge is on disk already.

        Whether the engine or this program fails can depend on one row, which nothing was paid for.
        So who asked is told the same words whatever it was, and is closed.
        """
        try:
            answer = reserved.answer or stored(plan, counted(plan, self.engine.fetch))
            plan, numbers = restored(plan, answer)
            found = rows_of(plan, numbers)
        except QuestionError:
            raise  # too many groups, by their noisy numbers alone
        except Exception as error:  # noqa: BLE001 - each is an answer
            failure = failure_of(error)
            if self.ledger.failed(who, failure, reserved.number):
                raise EngineError(*CLOSED) from None
            raise failure from None
        if reserved.answer is None:
            self.ledger.commit(reserved.number, answer)
        return plan, found

    def took_too_long(self, who: Analyst) -> None:
        """Note that nobody waits for an analyst's question any more."""
        self.ledger.failed(who, did_not_answer("took too long", is_passing=True))

    def _priced(self, plan: RelationalPlan, who: Analyst, rows: int | None) -> Reply:
        left = self.ledger.left(who, self.version)
        return Reply(
            answer=None,
            interval=None,
            charged=0.0,
            left=as_number(plan.meaning.reported_left(left)),
            dry_run=True,
            **about(plan, rows),
        )


def deltas(delta: Any) -> int:
    """Return a delta in units of 1e-18."""
    exact = exact_number(delta)
    if exact is None or not 0 < exact < 1 or (exact * DELTAS).denominator != 1:
        raise ParameterError(
            "delta: must be a number between 0 and 1, of at most 18 decimals",
            "Set it to a number such as 1e-8.",
        )
    return int(exact * DELTAS)


def about(plan: RelationalPlan, rows: int | None) -> dict[str, Any]:
    """Return what a reply says of its question alone."""
    error, error_unit = expected_error(plan, rows)
    return {
        "scale": scale_of(plan),
        "price": as_number(plan.meaning.reported(plan.price)),
        "unit": plan.meaning.unit,
        "limits": plan.statement.limits.document(),
        "threshold": plan.threshold if plan.stage is not None else None,
        "delta": plan.delta / DELTAS,
        "expected_error": error,
        "error_unit": error_unit,
        "note": note_of(plan),
    }


def note_of(plan: RelationalPlan) -> str:
    """Return what an epsilon means where it is not what the budget means by it."""
    if plan.meaning.is_pure or plan.meaning.version != OF_QUESTIONS:
        return ""
    return (
        "This ledger was begun by an earlier version: the epsilon of a question costs half its "
        "square of rho, and amounts are told in rho."
    )


def open_engine(dataset: Dataset) -> Engine:
    """Open the data of a dataset."""
    if is_postgres(dataset.data):
        from indistinct.questions.database.engines.postgres import PostgresEngine

        return PostgresEngine(dataset)
    from indistinct.questions.database.engines.duckdb import DuckDbEngine

    return DuckDbEngine(dataset)


def open_store(location: str, *, create: bool = False) -> LedgerStore:
    """Open the database that keeps a ledger."""
    if is_postgres(location):
        from indistinct.questions.database.stores.postgres import PostgresStore

        return PostgresStore(location, create=create)
    from indistinct.questions.database.stores.sqlite import SqliteStore

    return SqliteStore(location, create=create)


def open_ledger(dataset: Dataset, data: tuple[str, ...] = ()) -> Ledger:
    """Open the ledger of a dataset.

    Parameters
    ----------
    data : what the records are known by; see
        :func:`~indistinct.questions.database.claims.identities`

    Raises
    ------
    EngineError
        If there is none for it, it is that of another table, or its accounts are not the sum of
        its charges: what was spent is then unknown, and nothing is answered.
    """
    store = open_store(dataset.ledger)
    with ExitStack() as undo:
        undo.callback(store.close)
        ledger = ledger_of(dataset, store, data)
        for problem, remedy in ledger.problems():
            raise EngineError(problem, remedy)
        undo.pop_all()
    return ledger


def ledger_of(dataset: Dataset, store: LedgerStore, data: tuple[str, ...] = ()) -> Ledger:
    """Return the ledger of a dataset within a store."""
    return Ledger(
        store, dataset.name, dataset.budget, dataset.source, data, is_frozen=dataset.is_frozen
    )


def open_dataset(path: str | Path, *, claiming: bool = False) -> tuple[Dataset, Ledger]:
    """Read a declaration and open its ledger, which keeps what its budget means.

    Parameters
    ----------
    claiming : whether the records are claimed for this dataset
    """
    dataset = load(path)
    ledger = open_ledger(dataset, identities(dataset) if claiming else ())
    if ledger.meaning().version == OF_QUESTIONS:
        dataset = load(path, former=True)
        ledger = replace(ledger, budget=dataset.budget)
    return dataset, ledger


def open_session(path: str | Path) -> Session:
    """Open the dataset that a TOML file declares."""
    dataset, ledger = open_dataset(path, claiming=True)
    with ExitStack() as undo:
        undo.callback(ledger.store.close)
        session = Session(dataset, open_engine(dataset), ledger)
        undo.pop_all()
    return session

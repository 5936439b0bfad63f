"""The one stateful object: price, charge, ask, add noise, answer."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

from indistinct.core.brief import in_notebook
from indistinct.core.former_names import former_names
from indistinct.database.address import is_postgres
from indistinct.database.aggregates import Engine, compile_question
from indistinct.database.answers import ANSWER, QueryPlan, answer, make_plan
from indistinct.database.dataset import OWNER, Analyst, Dataset
from indistinct.database.ledger import Ledger, LedgerStore, Request, Reserved
from indistinct.database.loading import load
from indistinct.database.question import Question
from indistinct.database.questions import read
from indistinct.errors import EngineError, OutputError
from indistinct.mechanisms.accountant import as_number
from indistinct.mechanisms.meaning import OF_QUESTIONS

SQLITE = b"SQLite format 3\0"


@final
@dataclass(frozen=True, slots=True)
class Reply:
    """What an analyst gets back.

    Parameters
    ----------
    answer : a number, or one row per combination of the keys; None for a dry run
    scale : of the noise, in the answer's unit; per row where it differs by row
    interval : low and high end, holding the exact answer with 95 %; per row for rows
    charged : what this reply cost the analyst
    left : what the analyst can still spend
    price : what the question costs when it is new
    expected_error : half the width of a 95 % interval, known before asking, in ``error_unit``
    unit : what charged, left and price count: epsilon, or rho in a ledger of before
    limits : how many groups and rows of one person count, chosen by lot
    error_unit : what the expected error counts: the answer, or what cannot be known without the
        number of rows
    note : what an epsilon means, where a ledger of before gives it another meaning
    """

    answer: Any
    scale: Any
    interval: Any
    charged: float
    left: float
    price: float
    expected_error: float
    unit: str
    limits: Mapping[str, int]
    error_unit: str = ANSWER
    note: str = ""
    dry_run: bool = False

    def __repr__(self) -> str:
        """Return the answer with its margin, what it cost and what is left."""
        paid = f"charged {self.charged:g}, left {self.left:g} {self.unit}"
        if self.dry_run:
            return f"<Reply: would cost {self.price:g} {self.unit}; left {self.left:g}>"
        if self.grouped:
            return f"<Reply of {len(self.answer)} rows; {paid}>"
        return f"<Reply: {self.answer}, in 95 % between {self.interval}; {paid}>"

    _repr_html_ = in_notebook

    @property
    def grouped(self) -> bool:
        """True where the answer is a list of rows."""
        return isinstance(self.answer, list)

    def document(self) -> dict[str, Any]:
        """Return the reply as JSON has it."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


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
        epsilon: Any,
        analyst: str = OWNER,
        dry_run: bool = False,
        fresh: bool = False,
        rows_expected: int | None = None,
    ) -> Reply:
        """Answer a question with noise, within the budget.

        Parameters
        ----------
        question : SQL, see :mod:`indistinct.database.questions`
        epsilon : a positive decimal number, of at most nine decimals
        analyst : who asks; known from a token, never from a request
        dry_run : give price and expected error, and charge nothing
        fresh : pay for a new draw even if the question was answered
        rows_expected : about how many rows count in a group, a public number: for the expected
            error of means, variances and quantiles

        Raises
        ------
        QuestionError, ParameterError
            If the question or epsilon is not one; nothing is charged.
        BudgetExceededError
            If it costs more than is left; nothing is charged.
        EngineError
            If the data cannot be reached; the charge stays.

        Notes
        -----
        Source: dwork2006, theorem 1; mcsherry2009, section 3.
        """
        plan = self.plan(question, epsilon)
        return self.reply(
            plan, analyst=analyst, dry_run=dry_run, fresh=fresh, rows_expected=rows_expected
        )

    def plan(self, question: str, epsilon: Any) -> QueryPlan:
        """Read a question and decide its price, without looking at data or ledger."""
        meaning = self.ledger.meaning()
        return make_plan(read(question, self.dataset), self.dataset, epsilon, meaning)

    def reply(
        self,
        plan: QueryPlan,
        *,
        analyst: str = OWNER,
        dry_run: bool = False,
        fresh: bool = False,
        rows_expected: int | None = None,
    ) -> Reply:
        """Answer a planned question; see :meth:`ask`."""
        who = self.dataset.analyst(analyst)
        if dry_run:
            return self._priced(plan, who, rows_expected)
        reserved = self.ledger.reserve(self._request(plan, who, fresh=fresh))
        stored = reserved.answer or self._answered(plan, reserved)
        return _reply(plan, json.loads(stored), reserved)

    def close(self) -> None:
        """Let go of data and ledger."""
        self.engine.close()
        self.ledger.store.close()

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _request(self, plan: QueryPlan, who: Analyst, *, fresh: bool) -> Request:
        # A person with several rows may have several values of a key, and so may one whose row
        # changes. They would pay for only one of several questions that concern them: such
        # questions confine nobody.
        is_confined = self.dataset.rows_per_person == 1 and self.dataset.is_frozen
        box = plan.question.box() if is_confined else {}
        return Request(who, self.version, plan.canonical, plan.price, box, fresh)

    def _answered(self, plan: QueryPlan, reserved: Reserved) -> str:
        """Read the data, add noise and store the answer; the charge is on disk already."""
        found = answer(plan, self.engine.run(self._query(plan.question)))
        stored = json.dumps([found.values, found.scales, found.intervals])
        self.ledger.commit(reserved.number, stored)
        return stored

    def _query(self, question: Question) -> Any:
        return compile_question(question, self.dataset, self.engine.table, self.engine.mark)

    def _priced(self, plan: QueryPlan, who: Analyst, rows: int | None) -> Reply:
        left = self.ledger.left(who, self.version)
        error, error_unit = plan.expected_error(rows)
        return Reply(
            answer=None,
            scale=plan.scale,
            interval=None,
            charged=0.0,
            left=as_number(plan.meaning.told_left(left)),
            price=as_number(plan.meaning.told(plan.price)),
            expected_error=error,
            unit=plan.meaning.unit,
            limits=limits_of(plan),
            error_unit=error_unit,
            note=note_of(plan),
            dry_run=True,
        )


def _reply(plan: QueryPlan, stored: list[list[Any]], reserved: Reserved) -> Reply:
    values, scales, intervals = stored
    grouped = bool(plan.question.keys)
    error, error_unit = plan.expected_error()
    meaning = plan.meaning
    return Reply(
        answer=_rows(plan, values) if grouped else values[0],
        scale=scales if grouped and len(set(scales)) > 1 else scales[0],
        interval=intervals if grouped else intervals[0],
        charged=as_number(meaning.told(reserved.charged)),
        left=as_number(meaning.told_left(reserved.left)),
        price=as_number(meaning.told(plan.price)),
        expected_error=error,
        unit=meaning.unit,
        limits=limits_of(plan),
        error_unit=error_unit,
        note=note_of(plan),
    )


def limits_of(plan: QueryPlan) -> dict[str, int]:
    """Return how many groups and rows of one person count."""
    rows = plan.dataset.rows_per_person
    return {"groups": min(rows, len(plan.cells)), "rows": rows, "rows_in_all": rows}


def note_of(plan: QueryPlan) -> str:
    """Return what an epsilon means where it is not what the budget means by it."""
    if plan.meaning.is_pure or plan.meaning.version != OF_QUESTIONS:
        return ""
    return (
        "This ledger was begun by an earlier version: the epsilon of a question costs half its "
        "square of rho, and amounts are told in rho."
    )


def _rows(plan: QueryPlan, values: list[float]) -> list[dict[str, Any]]:
    keys = [plan.dataset.keys[name] for name in plan.question.keys]
    return [
        {
            **{key.name: key.labels[code] for key, code in zip(keys, cell, strict=True)},
            plan.question.label: value,
        }
        for cell, value in zip(plan.cells, values, strict=True)
    ]


def open_engine(dataset: Dataset) -> Engine:
    """Open the data of a dataset."""
    if is_postgres(dataset.data):
        from indistinct.database.engines.postgres import PostgresEngine

        return PostgresEngine(dataset)
    from indistinct.database.engines.duckdb import DuckDbEngine

    return DuckDbEngine(dataset)


def open_store(location: str, *, create: bool = False) -> LedgerStore:
    """Open the database that keeps a ledger."""
    if is_postgres(location):
        from indistinct.database.stores.postgres import PostgresStore

        return PostgresStore(location, create=create)
    from indistinct.database.stores.sqlite import SqliteStore

    return SqliteStore(location, create=create)


def open_ledger(dataset: Dataset, data: tuple[str, ...] = ()) -> Ledger:
    """Open the ledger of a dataset.

    Parameters
    ----------
    data : what the records are known by; see :func:`~indistinct.database.claims.identities`

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


def open_session(path: str | Path) -> Session:
    """Open the dataset that a TOML file declares."""
    dataset = load(path)
    ledger = open_ledger(dataset, identities(dataset))
    with ExitStack() as undo:
        undo.callback(ledger.store.close)
        session = Session(dataset, open_engine(dataset), ledger)
        undo.pop_all()
    return session


def identities(dataset: Dataset) -> tuple[str, ...]:
    """Return what the records of a dataset are known by: a table, or a file's content and path.

    Raises
    ------
    DataError, EngineError
        When the records cannot be read.
    """
    if is_postgres(dataset.data):
        from indistinct.database.engines.postgres import identity

        return (identity(dataset),)
    from indistinct.database.engines.duckdb import digest

    place = str(Path(dataset.data).resolve()).encode("utf-8", "surrogateescape")
    return (digest(dataset.data), hashlib.sha256(place).hexdigest())


@final
@dataclass(frozen=True, slots=True)
class Holder:
    """Where the budget of some records is kept already.

    Parameters
    ----------
    ledger : its file
    name : of the dataset in it
    """

    ledger: Path
    name: str


def holder(dataset: Dataset, folders: Iterable[Path]) -> Holder | None:
    """Find the ledger in some folders, other than the dataset's own, that has its budget."""
    if is_postgres(dataset.data):
        return None
    own = Path(dataset.ledger).resolve()
    data = identities(dataset)
    beside = {path.resolve() for folder in folders for path in folder.iterdir()}
    for path in sorted(path for path in beside if path.is_file() and is_sqlite(path)):
        name = next(claimed(path, data), None)
        if path != own and name is not None:
            return Holder(path, name)
    return None


def kept_elsewhere(dataset: Dataset, found: Holder) -> OutputError:
    """Make the error of a table that would have its budget once more."""
    return OutputError(
        f"{Path(dataset.data).name}: its budget is kept in {found.ledger.name} under the name "
        f"{found.name}, and another ledger would grant it once more",
        "Ask through the declaration of that name. For other columns, copy the declaration: those "
        "of one name, table, person and ledger share one budget.",
    )


def is_sqlite(path: Path) -> bool:
    """Return whether a file begins as every one of SQLite does."""
    try:
        with path.open("rb") as file:
            return file.read(len(SQLITE)) == SQLITE
    except OSError:
        return False


def claimed(path: Path, data: tuple[str, ...]) -> Iterator[str]:
    """List the datasets of a ledger that have these records; a file that is no ledger has none."""
    marks = ", ".join("?" for _ in data)
    try:
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
            rows = connection.execute(
                f"SELECT dataset FROM claims WHERE data IN ({marks})",  # noqa: S608 - only marks
                data,
            ).fetchall()
    except sqlite3.Error:
        return
    yield from (str(row[0]) for row in rows)

"""How well a release answers count queries: a random workload, and the error of its answers."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self, final

import numpy as np
from numpy.typing import NDArray

from indistinct.base.arrays import Floats, Ints
from indistinct.base.hierarchy import ROOT
from indistinct.base.parameters import check, parameter
from indistinct.tables.core.schema import Role
from indistinct.tables.evaluation.utility.paired_tables import PairedTables
from indistinct.tables.frames.cell_numbers import weights_in
from indistinct.tables.frames.frame import Frame
from indistinct.tables.policy.policy import Policy
from indistinct.tables.policy.specification import Specification, resolve
from indistinct.tables.release.column_cells import ColumnCells, ColumnScale, ValueOrder, cells_on
from indistinct.tables.release.released import ReleasedTable

Places = NDArray[np.intp]
FEW = 4  # queries of some columns, beyond which their cells are counted first


class QueryRange(ABC):
    """A part of a line that somebody asks about."""

    @abstractmethod
    def share(self, book: ColumnCells) -> Floats:
        """Return the share of each cell that is asked about: (n_cells,), in [0, 1]."""


@final
@dataclass(frozen=True, slots=True)
class AskedRange(QueryRange):
    """Everything from ``low`` to below ``high``."""

    low: float
    high: float

    def share(self, book: ColumnCells) -> Floats:
        """Divide the length of the overlap by the length of the cell."""
        overlap = np.minimum(book.ends, self.high) - np.maximum(book.starts, self.low)
        return _divided(np.maximum(overlap, 0.0), book.lengths)


@final
@dataclass(frozen=True, slots=True)
class AskedValues(QueryRange):
    """Some of the values that stand side by side.

    Parameters
    ----------
    before : (n_values + 1,), values asked about among the first 0, 1, 2 ...
    """

    before: Ints

    @classmethod
    def among(cls, chosen: Ints, n_values: int) -> AskedValues:
        """Ask about the values at some places."""
        is_asked = np.zeros(n_values, np.int64)
        is_asked[chosen] = 1
        return cls(np.concatenate([[0], np.cumsum(is_asked)]))

    def share(self, book: ColumnCells) -> Floats:
        """Count the values asked about in each cell."""
        first, last = book.starts.astype(np.int64), book.ends.astype(np.int64)
        return _divided((self.before[last] - self.before[first]).astype(np.float64), book.lengths)


def ask(line: ColumnScale, share: float, chance: np.random.Generator) -> QueryRange:
    """Ask about a random part of a line, as large as a share of it."""
    if line.order is not None:
        return _some_values(line.order, share, chance)
    if line.is_continuous:
        return _some_length(line, share, chance)
    low, high = line.whole
    length = max(1, round(share * (high - low)))
    start = low + int(chance.integers(0, max(1, int(high - low) - length + 1)))
    return AskedRange(start, start + length)


def _some_length(line: ColumnScale, share: float, chance: np.random.Generator) -> AskedRange:
    """Ask about a range of numbers that starts anywhere it fits."""
    low, high = line.whole
    length = share * (high - low)
    start = low + chance.random() * (high - low - length)
    return AskedRange(start, high if share == 1 else start + length)


def _some_values(order: ValueOrder, share: float, chance: np.random.Generator) -> AskedValues:
    """Ask about any of the words, or about numbers that follow each other."""
    n_values = len(order.texts)
    if order.numbers is None:
        length = max(1, round(share * n_values))
        return AskedValues.among(chance.choice(n_values, length, replace=False), n_values)
    ascending = np.argsort(order.numbers)[: n_values - int(np.isnan(order.numbers).sum())]
    length = max(1, round(share * len(ascending)))
    start = int(chance.integers(0, max(1, len(ascending) - length + 1)))
    return AskedValues.among(ascending[start : start + length], n_values)


def _divided(parts: Floats, wholes: Floats) -> Floats:
    """Divide; nothing, or what lies nowhere, gives 0."""
    shares = np.zeros(len(parts))
    np.divide(parts, wholes, out=shares, where=wholes > 0)
    return shares


Query = Mapping[str, QueryRange]


@dataclass(frozen=True, slots=True)
class Workload:
    """What is asked of a table.

    Raises
    ------
    ParameterError
        when a parameter lies outside its range, all of them named
    """

    queries: int = parameter(int, at_least=1, help="number of queries")
    attributes: int = parameter(int, at_least=1, help="quasi-identifiers that a query asks about")
    selectivity: float = parameter(
        float,
        above=0,
        at_most=1,
        help="share of the records that a query selects if they are evenly spread",
    )
    sanity: float = parameter(
        float, above=0, at_most=1, help="share of the records that a divisor is at least"
    )
    seed: int = parameter(int, at_least=0, help="the same seed asks the same queries")

    def __post_init__(self) -> None:
        """Check every parameter once."""
        check(self)

    @classmethod
    def usual(cls, queries: int) -> Self:
        """Ask as :func:`query_error` does where it is told no more than the number of queries."""
        return cls(queries, attributes=2, selectivity=0.1, sanity=0.001, seed=1)

    @staticmethod
    def columns(spec: Specification) -> tuple[str, ...]:
        """Return the columns that queries ask about."""
        return asked_columns(spec)

    def error(self, paired: PairedTables, spec: Specification) -> Mapping[str, float]:
        """Measure the error of the answers on tables that were counted."""
        return error_of(self, paired, spec)

    def draw(
        self, quasi_identifiers: Sequence[ColumnScale], sensitive: Sequence[ColumnScale]
    ) -> Iterator[dict[str, QueryRange]]:
        """Draw the queries: some quasi-identifiers each, and a sensitive column where one is."""
        chance = np.random.default_rng(self.seed)
        n_asked = min(self.attributes, len(quasi_identifiers))
        n_conditions = n_asked + (1 if sensitive else 0)
        share = self.selectivity ** (1 / n_conditions)
        for _ in range(self.queries):
            drawn = chance.choice(len(quasi_identifiers), n_asked, replace=False)
            chosen: list[int] = np.sort(drawn).tolist()
            axes: list[ColumnScale] = [quasi_identifiers[index] for index in chosen]
            if sensitive:
                axes.append(sensitive[int(chance.integers(len(sensitive)))])
            yield {line.name: ask(line, share, chance) for line in axes}


def query_error(  # noqa: PLR0913 - each is a keyword of one measurement
    released: Frame,
    original: Frame,
    policy: Policy | Specification,
    *,
    queries: int = 1000,
    attributes: int = 2,
    selectivity: float = 0.1,
    sanity: float = 0.001,
    seed: int = 1,
) -> Mapping[str, float]:
    """Measure how far the release's answers to random count queries are from the truth.

    A query asks how many records lie in a range or set of values of some quasi-identifiers, and of
    one sensitive column where the policy has such. A released record counts with the share of its
    cells that is asked about, as if records were spread evenly over them; a suppressed record is
    spread over the whole domain. The relative error of an answer is
    ``abs(answer - truth) / max(truth, sanity * n_records)``. Where the policy names a survey weight
    and the release has it, people are counted: a record counts as often as its weight says.

    Parameters
    ----------
    released : the released records
    original : the records they were made from
    policy : tells the columns and their hierarchies
    queries : how many are asked
    attributes : quasi-identifiers per query, at most as many as there are
    selectivity : share of the records that a query asks for, were they spread evenly, in (0, 1];
        of each column its c-th root, where c columns are asked about
    sanity : share of the records, in (0, 1]: a truth below it is not divided by
    seed : the same seed asks the same queries

    Returns
    -------
    ``median`` and ``mean`` relative error, and the number of ``queries``

    Raises
    ------
    ParameterError
        when a parameter lies outside its range
    DataError
        when a cell of the release is no generalization of the original's values

    Notes
    -----
    Time O(queries * distinct cells of the columns asked about).

    Source: xiao2006, section 6
    """
    spec = resolve(policy)
    workload = Workload(queries, attributes, selectivity, sanity, seed)
    paired = PairedTables.of(
        released, original, [spec.columns[name] for name in asked_columns(spec)]
    )
    return error_of(workload, paired, spec, _people(original, released, spec.data.weight))


def asked_columns(spec: Specification) -> tuple[str, ...]:
    """Return the columns that queries ask about: none whose cells are sets, which are no values."""
    named = [*spec.named(Role.QUASI_IDENTIFIER), *spec.named(Role.SENSITIVE)]
    return tuple(name for name in named if name not in spec.set_names)


def error_of(
    workload: Workload,
    paired: PairedTables,
    spec: Specification,
    people: tuple[Floats, Floats] | None = None,
) -> Mapping[str, float]:
    """Measure the error of a workload's answers on tables that were counted; see `query_error`.

    Parameters
    ----------
    beside : with every column that queries ask about
    people : how often each record counts, before and after; once each where left out
    """
    lines = {line.name: line for line in paired.lines}
    axes = [
        [lines[name] for name in asked_columns(spec) if name in spec.named(role)]
        for role in (Role.QUASI_IDENTIFIER, Role.SENSITIVE)
    ]
    asked = list(workload.draw(*axes))
    truth = _answers(asked, _weighed(paired.before, None if people is None else people[0]))
    answers = _answers(asked, _weighed(paired.after, None if people is None else people[1]))
    n_people, n_shown = (
        float(table.weights.sum()) if people is None else float(people[place].sum())
        for place, table in enumerate((paired.before, paired.after))
    )
    hidden = max(n_people - n_shown, 0.0)
    whole = {name: cells_on(line, (ROOT,)) for name, line in lines.items()}
    answers += hidden * np.array([_share_of_all(query, whole) for query in asked])
    errors = np.abs(answers - truth) / np.maximum(truth, workload.sanity * n_people)
    return {
        "median": float(np.median(errors)),
        "mean": float(errors.mean()),
        "queries": float(workload.queries),
    }


def _people(original: Frame, released: Frame, name: str | None) -> tuple[Floats, Floats] | None:
    """Return how often each record counts, before and after, where a survey weight says so."""
    if name is None or name not in released.columns:
        return None
    return weights_in(original[name]), weights_in(released[name])


def _weighed(table: ReleasedTable, people: Floats | None) -> ReleasedTable:
    """Count the people behind each distinct row of a table."""
    if people is None:
        return table
    return replace(table, weights=np.bincount(table.row_of, people, len(table.cells)))


def _answers(asked: Sequence[Query], table: ReleasedTable) -> Floats:
    """Answer each query from counted cells: (n_queries,)."""
    place_of = {book.name: place for place, book in enumerate(table.books)}
    asks = Counter(map(tuple, asked))
    # Column by column, as they are looked up.
    cells = list(np.ascontiguousarray(table.cells.T, np.intp))
    known: dict[tuple[str, ...], tuple[Sequence[Places], Floats]] = {}
    answers = np.zeros(len(asked))
    for index, query in enumerate(asked):
        names = tuple(query)
        if names not in known:
            chosen = [place_of[name] for name in names]
            known[names] = _counted(table, cells, chosen, is_frequent=asks[names] > FEW)
        columns, weights = known[names]
        shares, own = weights.copy(), np.empty(len(weights))
        for name, places in zip(names, columns, strict=True):
            # All places are in range; to clip them is how NumPy takes without a check of each.
            np.take(query[name].share(table.books[place_of[name]]), places, out=own, mode="clip")
            shares *= own
        answers[index] = shares.sum()
    return answers


def _counted(
    table: ReleasedTable, cells: Sequence[Places], chosen: Sequence[int], *, is_frequent: bool
) -> tuple[Sequence[Places], Floats]:
    """Return the rows of some columns, column by column, and how often each counts.

    Parameters
    ----------
    cells : (n_columns, n_distinct), of all columns
    is_frequent : whether several queries ask of these columns, so that it pays to count them
    """
    if not is_frequent:
        return [cells[place] for place in chosen], table.weights.astype(np.float64)
    rows, weights = table.among(chosen)
    return list(np.ascontiguousarray(rows.T, np.intp)), weights


def _share_of_all(query: Query, whole: Mapping[str, ColumnCells]) -> float:
    """Return the share of the whole domain that a query asks about: of its hidden cells."""
    return math.prod(part.share(whole[name]).item() for name, part in query.items())

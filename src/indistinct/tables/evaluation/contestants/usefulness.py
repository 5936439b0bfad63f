"""What a contestant is good for: marginals, count queries, and a model that learns from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import final

import numpy as np

from indistinct.base.advantage import area_under_curve
from indistinct.base.arrays import Codes, Floats, Ints
from indistinct.base.brief import short_repr
from indistinct.base.compiled.kernels import group_rows
from indistinct.base.extras import load
from indistinct.tables.evaluation.attacks.known import KnownColumn
from indistinct.tables.evaluation.attacks.places import places_of
from indistinct.tables.evaluation.attacks.places_kernels import count_places
from indistinct.tables.evaluation.attacks.scenario import AttackScenario
from indistinct.tables.evaluation.utility.learning import LearningRecords, fallen_into, records_of
from indistinct.tables.release.column_cells import ColumnCells, cells_on
from indistinct.tables.release.released import ReleasedTable

WAYS = 3
MOST_SETS, QUERIES = 60, 500
WIDTH, SHARE, SANITY = 3, 0.1, 0.001


@final
@dataclass(frozen=True, slots=True)
class ComparisonWorkload:
    """What every contestant is asked, drawn once.

    Parameters
    ----------
    sets : per number of columns, sets of columns whose marginals are compared
    ranges, points : queries: columns and, per column, the places asked for
    """

    sets: Mapping[int, Sequence[tuple[int, ...]]]
    ranges: Sequence[tuple[Sequence[int], Sequence[Floats]]]
    points: Sequence[tuple[Sequence[int], Sequence[Floats]]]


def draw_workload(
    truth: InterpretedTable, in_order: Sequence[bool], seed: int
) -> ComparisonWorkload:
    """Draw sets of columns, ranges that hold a tenth of the domain, and values of drawn records.

    Parameters
    ----------
    truth : the table of those inside, with a place for every cell
    in_order : (n_columns,), whether the places of a column have an order
    """
    chance = np.random.default_rng(seed)
    n_columns = len(truth.shares)
    sizes: list[int] = [int(share.shape[1]) for share in truth.shares]
    width = min(WIDTH, n_columns)

    def some_columns() -> list[int]:
        chosen: list[int] = chance.choice(n_columns, width, replace=False).tolist()
        return sorted(chosen)

    def part(column: int) -> Floats:
        asked = np.zeros(sizes[column])
        length = max(1, round(SHARE ** (1 / width) * sizes[column]))
        if in_order[column]:
            start = int(chance.integers(0, sizes[column] - length + 1))
            asked[start : start + length] = 1.0
        else:
            asked[chance.choice(sizes[column], length, replace=False)] = 1.0
        return asked

    def value(column: int, row: int) -> Floats:
        return truth.shares[column][truth.cells[row, column]]

    drawn: list[list[int]] = [some_columns() for _ in range(2 * QUERIES)]
    ranges = [(one, [part(column) for column in one]) for one in drawn[:QUERIES]]
    likely = truth.weights / truth.weights.sum()
    rows: list[int] = chance.choice(len(truth.cells), QUERIES, p=likely).tolist()
    points = [
        (one, [value(column, row) for column in one])
        for one, row in zip(drawn[QUERIES:], rows, strict=True)
    ]
    sets: dict[int, list[tuple[int, ...]]] = {}
    for ways in range(1, width + 1):
        every = list(combinations(range(n_columns), ways))
        order = chance.permutation(len(every))[:MOST_SETS]
        sets[ways] = [every[place] for place in order]
    return ComparisonWorkload(sets, ranges, points)


def variation(
    truth: InterpretedTable, found: InterpretedTable, sets: Sequence[tuple[int, ...]]
) -> float:
    """Return the mean total variation between marginals: in [0, 1].

    Source: tsybakov2009, section 2.4
    """
    far = [_variation(truth.marginal(one), found.marginal(one)) for one in sets]
    return float(np.mean(far))


def _variation(one: Floats, other: Floats) -> float:
    """Halve the sum of differences; cells that lie nowhere count as wrong."""
    nowhere = max(0.0, 1.0 - float(other.sum()))
    return (float(np.abs(one - other).sum()) + nowhere) / 2


def query_errors(truth: Floats, answers: Floats, n_records: float) -> dict[str, float]:
    """Return the medians of the relative and of the absolute errors of counts.

    A truth below a thousandth of the records is no divisor.

    Source: xiao2006, section 6
    """
    far = np.abs(answers - truth)
    relative = far / np.maximum(truth, SANITY * n_records)
    return {"relative": float(np.median(relative)), "absolute": float(np.median(far))}


def answers_to(
    reading: InterpretedTable, queries: Sequence[tuple[Sequence[int], Sequence[Floats]]]
) -> Floats:
    """Answer queries: (n_queries,)."""
    return np.array([reading.answer(columns, chosen) for columns, chosen in queries])


def area_of_learning(
    scenario: AttackScenario, names: Sequence[str], target: str, asked: str
) -> float | None:
    """Train a model on the records of a scenario, and test it on people who are in none.

    The model is gradient boosting on places. Tested people are written in the cells of the released
    class that they fall into.

    Parameters
    ----------
    names : columns to learn from
    target : the column to predict; of more than two values, each against all others
    asked : the table of people to test on

    Returns
    -------
    area under the curve, in [0, 1]; None where the release or the people have one value only

    Source: inan2009, classification with anonymized training data
    """
    wanted = scenario.column(target)
    labels = _plain_values(wanted)[wanted.cells]
    truth = wanted.people[asked].astype(np.int64)
    kept = np.flatnonzero(labels >= 0)
    classes = np.unique(labels[kept])
    if len(classes) < 2 or len(np.unique(truth)) < 2:  # noqa: PLR2004 - nothing to tell apart
        return None
    columns = scenario.columns(names)
    lines = [column.line for column in columns]
    after = records_of(lines, _table(columns, kept))
    before = records_of(lines, _people(columns, asked))
    mapped = fallen_into(before, after)[0]
    boosting = load("sklearn.ensemble").HistGradientBoostingClassifier(random_state=0)
    # Threads that wait for each other on a busy machine take fifty times as long as one.
    with load("threadpoolctl").threadpool_limits(limits=1, user_api="openmp"):
        model = boosting.fit(_features(after), labels[kept])
        chances = np.asarray(model.predict_proba(_features(mapped)))
    return _area(chances, np.asarray(model.classes_), truth)


def _area(chances: Floats, classes: Ints, truth: Ints) -> float | None:
    """Return the mean area under the curve of each class against the others, by its share."""
    areas: list[float] = []
    weights: list[float] = []
    for place, label in enumerate(classes.tolist()):
        is_label = truth == label
        if is_label.any() and not is_label.all():
            areas.append(area_under_curve(chances[is_label, place], chances[~is_label, place]))
            weights.append(float(is_label.sum()))
    return float(np.average(areas, weights=weights)) if areas else None


def _plain_values(column: KnownColumn) -> Ints:
    """Return the value of each cell that stands for one alone: (n_cells,), -1 for the others."""
    cover = column.cover
    first = np.append(cover.lows, 0)[np.minimum(cover.starts[:-1], len(cover.lows))]
    return np.where(cover.sizes == 1, first, -1).astype(np.int64)


def _table(columns: Sequence[KnownColumn], kept: Ints) -> ReleasedTable:
    """Count released records."""
    rows = np.stack([column.cells[kept] for column in columns], axis=1)
    return _counted(rows, [column.book for column in columns])


def _people(columns: Sequence[KnownColumn], people: str) -> ReleasedTable:
    """Count people by their values, each a cell of its own."""
    rows = np.stack([column.people[people] for column in columns], axis=1)
    return _counted(rows, [cells_on(c.line, c.values.texts) for c in columns])


def _counted(rows: Codes, books: Sequence[ColumnCells]) -> ReleasedTable:
    rows = np.ascontiguousarray(rows)
    row_of, first, weights = group_rows(rows)
    return ReleasedTable(tuple(books), rows[first], weights, row_of)


def _features(records: LearningRecords) -> Floats:
    return np.stack(
        [places[records.codes[:, column]] for column, places in enumerate(records.places)], axis=1
    )


@final
@dataclass(frozen=True, slots=True)
class InterpretedTable:
    """A table as its reader understands it.

    Parameters
    ----------
    cells : (n_distinct, n_columns), distinct rows of cells
    weights : (n_distinct,), records of each
    shares : per column, (n_cells, n_places)
    n_hidden : records that were left out, of which a reader knows only the columns' ranges
    """

    cells: Ints
    weights: Floats
    shares: Sequence[Floats]
    n_hidden: float

    __repr__ = short_repr

    @property
    def n_records(self) -> float:
        """How many records there are, those left out included."""
        return float(self.weights.sum()) + self.n_hidden

    def marginal(self, columns: Sequence[int]) -> Floats:
        """Return the share of records in each combination of places of one to three columns.

        Returns
        -------
        (n_first, n_second, n_third); a column that is not asked for has one place
        """
        lacking = WAYS - len(columns)
        rows = np.zeros((len(self.cells), WAYS), np.int32)
        rows[:, : len(columns)] = self.cells[:, list(columns)]
        labels, first, _ = group_rows(rows)
        weights = np.bincount(labels, self.weights, len(first)).astype(np.float64)
        parts = [self.shares[column] for column in columns] + [np.ones((1, 1))] * lacking
        counts = count_places(rows[first].astype(np.int64), weights, *parts)
        anywhere = [np.full(part.shape[1], 1 / part.shape[1]) for part in parts]
        spread = np.einsum("i,j,k->ijk", *anywhere) * self.n_hidden
        return (counts + spread) / max(self.n_records, 1.0)

    def answer(self, columns: Sequence[int], chosen: Sequence[Floats]) -> float:
        """Count the expected records in some places of some columns.

        Parameters
        ----------
        chosen : per column, (n_places,), 1 where a place is asked for
        """
        shares, hidden = self.weights.copy(), self.n_hidden
        for column, places in zip(columns, chosen, strict=True):
            shares *= (self.shares[column] @ places)[self.cells[:, column]]
            hidden *= float(places.mean())
        return float(shares.sum()) + hidden


def read_scenario(
    scenario: AttackScenario, names: Sequence[str], n_published: int | None
) -> InterpretedTable:
    """Read the records of a scenario.

    Parameters
    ----------
    names : the columns that are compared
    n_published : records that the contestant was made from; None where none is left out
    """
    columns = scenario.columns(names)
    places = [places_of(column) for column in columns]
    rows = np.ascontiguousarray(np.stack([column.cells for column in columns], axis=1))
    _, first, sizes = group_rows(rows)
    hidden = 0 if n_published is None else max(0, n_published - len(rows))
    return InterpretedTable(
        rows[first].astype(np.int64),
        sizes.astype(np.float64),
        [np.ascontiguousarray(place.shares) for place in places],
        float(hidden),
    )

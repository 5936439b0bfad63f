"""Count the distinct rows of a table; by labels in place of values where too many differ.

Hierarchies nest, so a recoding of rows of labels is one of records, and classes and sensitive
values are counted exactly. Only the loss can suffer: no column is released finer than it was
counted.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from indistinct.base.arrays import Codes, Ints
from indistinct.base.brief import short_repr
from indistinct.base.compiled.kernels import group_rows
from indistinct.base.hierarchy import GeneralizationHierarchy
from indistinct.errors import CapacityError, Fault, HierarchyError, PolicyError
from indistinct.tables.core.protocols import Scope
from indistinct.tables.counting.columns import encode_column
from indistinct.tables.counting.preparation import CoarseColumn, Count, level_faults
from indistinct.tables.engines.sources import (
    Capacity,
    CoarseKey,
    EngineTable,
    PersonKey,
    Profile,
    Tally,
    coarse,
    weights_of,
)
from indistinct.tables.frames.frame import beneath
from indistinct.tables.frames.tuples import EncodedColumn
from indistinct.tables.metrics import METRICS, KullbackLeibler
from indistinct.tables.metrics.information import CellEntropyMetric, EntropyMetric
from indistinct.tables.policy.column_rule import ColumnRule
from indistinct.tables.policy.hierarchies import hierarchy_of
from indistinct.tables.policy.specification import Specification

SAMPLED = 200_000  # records by which the order of coarsening is chosen
MOST_VALUES = 5_000_000  # of a column that is counted by labels
HOPEFUL = 1.05  # times what fits: an estimate may be too large by so much
LEAST_LOSS = 1e-9
HALVINGS = 60  # of the range of a number of distinct rows


@dataclass(frozen=True, slots=True)
class CoarseningLevels:
    """The levels that a column may be counted at.

    Parameters
    ----------
    values : its values with their records
    encoded, hierarchy : the values, and their labels
    first, last : levels allowed, both included
    weight : its importance
    """

    values: Tally
    encoded: EncodedColumn
    hierarchy: GeneralizationHierarchy
    first: int
    last: int
    weight: float

    __repr__ = short_repr

    def loss(self, level: int) -> float:
        """Return the mean loss of the records at a level."""
        codes = self.hierarchy.codes[level][self.encoded.codes]
        losses = self.hierarchy.cell_loss(level)[codes]
        return self.weight * float(np.average(losses, weights=weights_of(self.values)))

    def at(self, level: int) -> CoarseKey:
        """Let one value of each label stand for the others: the first that is not missing."""
        labels = self.hierarchy.codes[level][self.encoded.codes]
        gone = self.encoded.is_missing[self.encoded.codes]
        order = np.lexsort((self.encoded.codes, gone, labels))
        _, first, place = np.unique(labels[order], return_index=True, return_inverse=True)
        stands: Ints = np.empty(len(labels), np.int64)
        stands[order] = order[first][place]
        (name,) = self.values.frame.columns
        return coarse(self.values.frame[name], stands, level)


def count_within(
    source: EngineTable,
    spec: Specification,
    capacity: Capacity,
    profile: Profile,
    marked: tuple[str, ...],
) -> Count:
    """Count the distinct rows, as finely as memory allows.

    Raises
    ------
    CapacityError
        when they do not fit at any level that the policy allows
    PolicyError
        when they have to be counted by labels, and something of the policy takes the values
    """
    names = spec.counted_names
    at_most = capacity.rows(len(names))
    keys = [PersonKey(name) for name in names]
    finest = source.estimate(keys)
    if finest is None or finest <= HOPEFUL * at_most:
        found = source.count(keys, at_most, marked)
        if found is not None:
            return Count(found, profile.n_records, marked=marked)
    _refuse_labels(spec)
    by_column = _coarsening_levels(source, spec)
    sample = source.sample(names, SAMPLED)
    steps = list(_chain(sample, spec, by_column))
    chain = [levels for levels, _ in steps]
    guesses = [_guess(found, sample.height, profile.n_records) for _, found in steps]

    def estimate(place: int) -> int | None:
        is_known = not any(chain[place].values())
        return finest if is_known else source.estimate(_keys(names, by_column, chain[place])[0])

    place = _first_that_may_fit(estimate, guesses, at_most, finest)
    for levels in chain[place:]:
        keys, by_label = _keys(names, by_column, levels)
        found = source.count(keys, at_most, marked)
        if found is not None:
            columns = {
                name: CoarseColumn(key, by_column[name].values) for name, key in by_label.items()
            }
            return Count(found, profile.n_records, columns, marked)
    raise _too_many(spec, at_most, capacity)


def _first_that_may_fit(
    estimate: Callable[[int], int | None],
    guesses: Sequence[float],
    at_most: int,
    finest: int | None,
) -> int:
    """Find the finest levels of a chain whose rows may fit, asking the engine as rarely as it goes.

    The search begins where the guesses of a sample say, and goes on by steps that double. An
    estimate may be wrong: the coarsest levels are counted whatever it says.

    Parameters
    ----------
    estimate : asks the engine about a place of the chain; each takes a scan of the table
    guesses : (n_chain,), distinct rows at each place, finest first
    finest : what the engine estimated of the values themselves; None where it gives no estimates,
        so that the guesses alone decide
    """
    last = len(guesses) - 1
    # Values of unequal frequency have more distinct rows than a sample says, at all levels alike.
    factor = 1.0 if finest is None else max(1.0, finest / max(guesses[0], 1.0))
    hopeful = (place for place, guess in enumerate(guesses) if guess * factor <= at_most)
    here = next(hopeful, last)
    if finest is None:
        return here
    low, high, step = 0, last, 1
    while low < high:
        here = min(max(here, low), high - 1)
        found = estimate(here)
        if found is None or found <= HOPEFUL * at_most:
            high, here = here, here - step
        else:
            low, here = here + 1, here + step
        step *= 2
    return low


def _guess(n_distinct: int, n_sampled: int, n_records: int) -> float:
    """Guess the distinct rows of a table by those of a sample, as if all were equally frequent.

    Of K rows that are equally frequent, n records show K (1 - exp(-n / K)). Other frequencies make
    the true number larger, so that the search begins at levels that are rather too fine.
    """
    if n_distinct >= n_sampled:
        return float(n_records)
    low, high = float(n_distinct), float(n_sampled) ** 2
    for _ in range(HALVINGS):
        middle = math.sqrt(low * high)
        shown = -middle * math.expm1(-n_sampled / middle)
        low, high = (middle, high) if shown < n_distinct else (low, middle)
    return -high * math.expm1(-n_records / high)


def _keys(
    names: Sequence[str], by_column: Mapping[str, CoarseningLevels], levels: Mapping[str, int]
) -> tuple[list[PersonKey], dict[str, CoarseKey]]:
    """Return the columns to count at some levels, and the labels of those above the values."""
    by_label = {name: by_column[name].at(level) for name, level in levels.items() if level > 0}
    return [PersonKey(name, by_label.get(name)) for name in names], by_label


def _coarsening_levels(source: EngineTable, spec: Specification) -> dict[str, CoarseningLevels]:
    """Read the values of every column that may be counted by labels: those with a hierarchy."""
    by_column: dict[str, CoarseningLevels] = {}
    faults: list[Fault] = []
    for name in spec.class_names:
        column = spec.columns[name].words
        is_written = column.hierarchy is not None and not spec.columns[name].is_suggested
        if not is_written or column.max_level == 0:
            continue
        values = source.count([PersonKey(name)], MOST_VALUES)
        if values is None:
            raise CapacityError(
                [
                    Fault(
                        f"columns.{name}",
                        f"has more than {MOST_VALUES:,} values",
                        "Round it, or hand it in with fewer digits.",
                    )
                ]
            )
        encoded = encode_column(values.frame, spec.columns[name])
        hierarchy = hierarchy_of(spec.columns[name], encoded)
        faults += level_faults(spec.columns[name], hierarchy)
        last = hierarchy.height if column.max_level is None else column.max_level
        first, weight = column.min_level, column.importance_number
        by_column[name] = CoarseningLevels(values, encoded, hierarchy, first, last, weight)
    if faults:
        raise HierarchyError(faults)
    return by_column


def _chain(
    sample: Any, spec: Specification, by_column: Mapping[str, CoarseningLevels]
) -> Iterator[tuple[dict[str, int], int]]:
    """Yield levels from the finest to the coarsest, each step by one level of one column.

    The column is the one whose next level leaves fewest rows of a sample per loss that it adds.

    Returns
    -------
    the levels, and the distinct rows of the sample at them
    """
    names = spec.counted_names
    codes = [
        _sampled_codes(by_column[name], sample[name], spec.columns[name])
        if name in by_column
        else encode_column(sample, spec.columns[name]).codes
        for name in names
    ]
    levels = {name: coarsening_levels.first for name, coarsening_levels in by_column.items()}
    here = _n_rows(names, codes, by_column, levels)
    yield dict(levels), here
    while True:
        best: tuple[float, str, int] | None = None
        for name, coarsening_levels in by_column.items():
            if levels[name] == coarsening_levels.last:
                continue
            there = _n_rows(names, codes, by_column, levels | {name: levels[name] + 1})
            gain = math.log(max(here, 1)) - math.log(max(there, 1))
            loss = max(
                coarsening_levels.loss(levels[name] + 1) - coarsening_levels.loss(levels[name]),
                LEAST_LOSS,
            )
            best = max(best or (-1.0, "", 0), (gain / loss, name, there))
        if best is None:
            return
        levels[best[1]] += 1
        here = best[2]
        yield dict(levels), here


def _sampled_codes(coarsening_levels: CoarseningLevels, column: Any, rule: ColumnRule) -> Codes:
    """Encode some cells of a column by all its values."""
    values = coarsening_levels.values.frame[rule.name]
    return encode_column(beneath(values, column), rule).codes[len(values) :]


def _n_rows(
    names: Sequence[str],
    codes: Sequence[Codes],
    by_column: Mapping[str, CoarseningLevels],
    levels: Mapping[str, int],
) -> int:
    """Count the distinct rows of a sample at some levels."""
    columns = [
        by_column[name].hierarchy.codes[levels[name]][own] if name in by_column else own
        for name, own in zip(names, codes, strict=True)
    ]
    rows = np.ascontiguousarray(np.column_stack(columns).astype(np.int32))
    return len(group_rows(rows)[1])


def _refuse_labels(spec: Specification) -> None:
    """Refuse what takes the values themselves, where only labels can be counted."""
    faults = [
        Fault(
            f"models.{model.name}",
            "looks at larger sets of records, whose values do not fit into memory",
            "Give more --memory, or take t-closeness.",
        )
        for model in spec.models
        if model.scope is Scope.REGION
    ]
    if spec.people_file is not None:
        problem = "is compared by values, which do not fit into memory"
        faults.append(Fault("population.data", problem, "Give more --memory."))
    if spec.method.objective in uncounted_losses(spec.data.missing_as):
        problem = f"{spec.method.objective} counts records by values, which do not fit into memory"
        faults.append(Fault("method.objective", problem, "Give more --memory, or take loss."))
    if faults:
        raise PolicyError(faults)


def _too_many(spec: Specification, at_most: int, capacity: Capacity) -> CapacityError:
    """Return the error that the distinct rows do not fit, and what would make them fit."""
    capped = [name for name in spec.class_names if spec.columns[name].words.max_level is not None]
    bare = [
        name
        for name in spec.class_names
        if spec.columns[name].hierarchy is None or spec.columns[name].is_suggested
    ]
    ways = [f"raise max_level of {', '.join(capped)}"] if capped else []
    ways += [f"give {', '.join(bare)} a hierarchy"] if bare else []
    remedy = ", or ".join([*ways, "give more --memory"])
    return CapacityError(
        f"the quasi-identifiers have more than {at_most:,} combinations at every level allowed; "
        f"that many fit in {capacity.memory / 1e9:.3g} GB",
        f"{remedy[0].upper()}{remedy[1:]}.",
    )


def uncounted_losses(missing_as: str) -> frozenset[str]:
    """Name the losses that nobody can measure where a column is counted by labels.

    One adds up records by their original tuples. Entropies add up those with each value of a
    column, and nobody counted which of them are left out for missing values elsewhere.
    """
    if missing_as != "suppress":
        return frozenset({KullbackLeibler.name})
    kinds = (EntropyMetric, CellEntropyMetric)
    entropies = {name for name, metric in METRICS.items() if issubclass(metric, kinds)}
    return frozenset({KullbackLeibler.name, *entropies})

"""What a manifest claims of the loss unless a file lists every hierarchy: measured once more.

Such losses are published as one would measure them who has never seen a suppressed record, and
rounded to a step above what a single record adds. With the input, and the crosswalk where records
were suppressed, a reader knows the values behind the released cells and measures the same. Without
them nobody can, and the claim is listed as not checked. The loss of a column whose values a file or
a tree lists depends on the list alone.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from indistinct.errors import Fault
from indistinct.reader.verify.cells import (
    CLOSED,
    HALF_OPEN,
    HIDDEN,
    Cells,
    Kept,
    Listed,
    MadeFromData,
    Masks,
    is_number,
)
from indistinct.reader.verify.columns import released_cells
from indistinct.reader.verify.data_cells import FromValues, Midpoints
from indistinct.reader.verify.evidence import Evidence, released_names
from indistinct.reader.verify.listed_shares import (
    Shares,
    claimed_levels,
    listed_shares,
    listed_total,
)
from indistinct.reader.verify.manifest_check import AGGREGATED, SAME_RUN
from indistinct.reader.verify.manifest_shape import is_finite_number
from indistinct.reader.verify.numbered import different
from indistinct.reader.verify.texts_as_read import text_as_read

MEASURED = ("loss", "ncp")
CLOSE = 1e-9
NARROWEST = 1e-12  # range of numbers below which they count as one


def loss_faults(
    evidence: Evidence,
    manifest: Mapping[str, Any],
    measured: Mapping[str, float],
    exact: Container[str],
) -> Iterator[Fault]:
    """Find losses that are not those of the released cells, as far as they were rounded.

    Parameters
    ----------
    manifest : without faults of its shape
    measured : losses of :func:`measured_losses`
    exact : losses that were checked already, since the file alone determines them
    """
    for metric, found in measured.items():
        if metric in exact:
            continue
        if metric not in manifest["loss"] and _is_counted_by_labels(manifest):
            continue
        claim = manifest["loss"].get(metric)
        room = _room(claim, evidence, manifest) if is_finite_number(claim) else 0.0
        if not is_finite_number(claim) or abs(claim - found) > room:
            problem = f"says {claim}, but the cells and the input have {found:.4g}"
            yield Fault(f"manifest.loss.{metric}", problem, SAME_RUN)


def _is_counted_by_labels(manifest: Mapping[str, Any]) -> bool:
    """Tell whether the values of some columns were not counted, so that some losses are unknown."""
    counted: object = manifest["method"].get("counted")
    return isinstance(counted, Mapping) and "levels" in counted


def measured_losses(evidence: Evidence, manifest: Mapping[str, Any]) -> dict[str, float]:
    """Measure the losses over released records; none where something needed is not at hand."""
    policy, names = evidence.policy, evidence.policy.class_names
    n_suppressed = int(manifest["records"]["suppressed"])
    n_records = evidence.n_released + n_suppressed
    if policy.method.weights == "vulnerability" or policy.release.suppressed_cell == "any":
        return {}
    levels = claimed_levels(manifest)
    known: list[_Column | _ListedColumn] = []
    for name in names:
        is_listed = isinstance(released_cells(evidence, name), Listed)
        column = (
            _listed_column(evidence, name, levels.get(name))
            if is_listed
            else _column(evidence, name)
        )
        if column is None:
            return {}  # one that is not known decides it: the others are not looked at
        known.append(column)
    if not known or not n_records:
        return {}
    importance = [policy.columns[name].importance for name in names]
    found: dict[str, float] = {}
    for metric in MEASURED:
        means = [
            (column.total(metric) + n_suppressed) / n_records * own / max(importance)
            for column, own in zip(known, importance, strict=True)
        ]
        aggregate = policy.method.aggregate if metric == policy.method.objective else None
        found[metric] = AGGREGATED[aggregate or "arithmetic-mean"](means)
    return found


@dataclass(frozen=True, slots=True)
class _Column:
    """A quasi-identifier, and the values behind its released cells.

    Parameters
    ----------
    cells : those that it may be released as
    shown : records of each released cell; that of a missing value is empty
    values : of the released records; a missing one is empty
    """

    cells: Cells
    shown: Mapping[str, int]
    values: Collection[str]

    @property
    def is_of_numbers(self) -> bool:
        """Tell whether the values are numbers, and the cells such or ranges of them."""
        return all(one in {HIDDEN, ""} or is_number(one) for one in self.values) and all(
            one in {HIDDEN, ""} or is_number(one) or _ends(one) for one in self.shown
        )

    def total(self, metric: str) -> float:
        """Add up the loss of the released cells."""
        if self.is_of_numbers:
            numbers = [float(one) for one in self.values if is_number(one) and one != "NaN"]
            low, high = min(numbers, default=0.0), max(numbers, default=0.0)
            return sum(
                _cost_of_length(cell, low, high, metric) * count
                for cell, count in self.shown.items()
            )
        return sum(self._cost_of_values(cell, metric) * n for cell, n in self.shown.items())

    def _cost_of_values(self, cell: str, metric: str) -> float:
        """Give the share of the column's released values that a cell covers."""
        own = self.cells if isinstance(self.cells, FromValues) else None
        if own is not None and own.has_words and cell in self.values and cell not in own.labels:
            return 0.0  # beside words each text is a value of its own
        under = sum(
            cell in {HIDDEN, value} or (value != "" and self.cells.covers(cell, value))
            for value in self.values
        )
        if metric == "ncp":
            return 0.0 if under <= 1 else under / len(self.values)
        return max(under - 1, 0) / max(len(self.values) - 1, 1)


@dataclass(frozen=True, slots=True)
class _ListedColumn:
    """A quasi-identifier whose values a file or a tree lists.

    Parameters
    ----------
    shown : the released cells, and the records of each
    shares : the listed values under each label, and all of them
    """

    shown: Sequence[tuple[str, int]]
    shares: Shares

    def total(self, metric: str) -> float:
        """Add up the loss of the released cells."""
        return listed_total(self.shown, self.shares, metric)


def _listed_column(evidence: Evidence, name: str, level: object) -> _ListedColumn | None:
    """Put the lists beside the released cells; None where a cell may be one of several labels.

    Parameters
    ----------
    level : of all cells of the column, where the manifest claims one
    """
    shares = listed_shares(evidence.policy, name, level, is_repeatable=True)
    if shares is None or name in evidence.policy.protections or _is_pair(evidence, name):
        return None
    return _ListedColumn(evidence.counts(name), shares)


def _is_pair(evidence: Evidence, name: str) -> bool:
    """Tell whether a column is released as two bounds."""
    return len(released_names(evidence.policy, name, evidence.typed.columns)) > 1


def _column(evidence: Evidence, name: str) -> _Column | None:
    """Put the values beside the released cells; None where they are not known, or no measure is."""
    policy, rows = evidence.policy, evidence.rows
    before, cells = evidence.before(name), released_cells(evidence, name)
    if before is None or evidence.weights is not None or evidence.original_weights is not None:
        return None
    if rows is None and evidence.n_suppressed != 0:
        return None  # nobody can tell which values were released
    # Which values stand below a label that a public policy lists is not known.
    is_open = isinstance(cells, Midpoints) or (isinstance(cells, Kept) and bool(cells.labels))
    if is_open or name in policy.protections:
        return None
    missing = {"", *policy.data.missing}
    known, codes = evidence.numbered_before(name)
    if rows is not None:
        known = known.gather(different(codes[np.asarray(rows, np.int64)], len(known)))
    values = {"" if text in missing else text for text in text_as_read(known).to_list()}
    if any(HIDDEN in value for value in values) or (_is_pair(evidence, name) and "" in values):
        return None  # a star may be a value, and two empty bounds a hidden cell or a missing value
    shown = Counter[str]()
    for cell, count in evidence.counts(name):
        shown["" if cell in missing else cell] += count
    column = _Column(cells, shown, values)
    numbers = {float(value) for value in values - {"NaN"} if is_number(value)}
    is_one_number = max(numbers, default=0.0) - min(numbers, default=0.0) <= NARROWEST
    if column.is_of_numbers and is_one_number and len(values) > 1:
        return None  # one number in several texts: what a star costs depends on their type
    is_open = _may_be_short(cells, values, shown) or _may_be_values(cells, values, shown)
    return None if is_open else column


def _may_be_values(cells: Cells, values: Collection[str], shown: Collection[str]) -> bool:
    """Tell whether a cell that is a value may stand for others, too, if its form is all one has."""
    return isinstance(cells, MadeFromData) and any(
        cells.covers(cell, value)
        for cell in set(values).intersection(shown) - {""}
        for value in values
        if value not in {cell, ""} and not is_number(cell)
    )


def _may_be_short(cells: Cells, values: Collection[str], shown: Collection[str]) -> bool:
    """Tell whether a star may be a short text of which all is masked, and not the whole column."""
    masks = cells.rule if isinstance(cells, FromValues) else cells
    return isinstance(masks, Masks) and (
        "" in values
        or any(cell != HIDDEN and not cell.strip(HIDDEN) for cell in shown)
        or (masks is cells and _some_are_hidden_whole(masks.hidden, values))
    )


def _some_are_hidden_whole(hidden: int, values: Collection[str]) -> bool:
    """Tell whether a mask hides all of some values, and not of all: of one length, it hides all."""
    lengths = {len(value) for value in values}
    return len(lengths) > 1 and min(lengths) <= hidden


def _ends(cell: str) -> tuple[float, float] | None:
    """Read the ends of a range."""
    ends = HALF_OPEN.match(cell) or CLOSED.match(cell)
    return None if ends is None else (float(ends[1]), float(ends[2]))


def _cost_of_length(cell: str, low: float, high: float, metric: str) -> float:
    """Give the share of the range of the released numbers that a cell covers."""
    whole, ends = high - low, (low, high) if cell == HIDDEN else _ends(cell)
    length = 0.0 if ends is None else max(0.0, min(ends[1], high) - max(ends[0], low))
    if metric == "ncp" and CLOSED.match(cell) is None:
        return 0.0 if length <= 0 else min((1 + length) / (1 + whole), 1.0)
    return min(length / max(whole, NARROWEST), 1.0)


def _room(claim: float, evidence: Evidence, manifest: Mapping[str, Any]) -> float:
    """Say how far a figure may have been rounded: half a step above what a single record adds."""
    n_records = evidence.n_released + int(manifest["records"]["suppressed"])
    power = math.floor(math.log10(len(evidence.policy.class_names) / n_records)) + 1
    if claim:
        power = max(power, math.floor(math.log10(abs(claim)) + 1e-12))
    return 10.0**power / 2 * (1 + CLOSE) + CLOSE

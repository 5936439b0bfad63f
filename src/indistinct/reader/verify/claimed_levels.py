"""What a manifest claims of columns whose hierarchy no file lists: levels, and bounds of losses.

The losses of such columns are published rounded, and over released records alone, so that a file
does not determine them. But it bounds them: a value as it was costs nothing, and a cell that is
hidden whole costs 1.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any, cast

from indistinct.engines.tallies import tally
from indistinct.errors import Fault
from indistinct.reader.verify.cells import HIDDEN, PERIODS, Cells, Listed, Masks, is_number
from indistinct.reader.verify.columns import released_cells
from indistinct.reader.verify.data_cells import Midpoints
from indistinct.reader.verify.evidence import Evidence, released_names
from indistinct.reader.verify.manifest_check import AGGREGATED, SAME_RUN
from indistinct.reader.verify.manifest_shape import is_finite_number

BOUNDED = ("loss", "ncp")
MANY = 2  # values, so that a cell that hides them all costs something
CLOSE = 1e-9


def level_faults(evidence: Evidence, manifest: Mapping[str, Any]) -> Iterator[Fault]:
    """Find cells that do not stand at the level that the manifest claims for their column."""
    claimed = manifest["method"].get("transformation")
    if not isinstance(claimed, Mapping):
        return
    levels = cast("Mapping[str, object]", claimed)
    place = "manifest.method.transformation"
    if set(levels) != set(evidence.policy.class_names):
        problem = "does not name the quasi-identifiers of the policy"
        yield Fault(place, problem, SAME_RUN)
        return
    for name in evidence.policy.class_names:
        cells = released_cells(evidence, name)
        wrong = sum(
            count
            for cell, count in _counted(evidence, name)
            if not _may_stand(evidence, name, cells, cell, levels[name])
        )
        if wrong:
            yield Fault(f"{place}.{name}", f"is not the level of {wrong} released cells", SAME_RUN)


def loss_bound_faults(evidence: Evidence, manifest: Mapping[str, Any]) -> Iterator[Fault]:
    """Find losses that no release with these cells has."""
    policy = evidence.policy
    if policy.release.intervals == "midpoint" or policy.data.missing_as == "suppress":
        return
    if policy.method.weights == "vulnerability" or not policy.class_names:
        return
    n_suppressed = int(manifest["records"]["suppressed"])
    n_records = evidence.n_released + n_suppressed
    importance = [policy.columns[name].importance for name in policy.class_names]
    ends = [_ends(evidence, name, n_suppressed) for name in policy.class_names]
    for metric in BOUNDED:
        claim = manifest["loss"].get(metric)
        if not is_finite_number(claim) or not n_records:
            continue
        aggregate = policy.method.aggregate if metric == policy.method.objective else None
        low, high = (
            AGGREGATED[aggregate or "arithmetic-mean"](
                [
                    (end[side] + n_suppressed) / n_records * own / max(importance)
                    for end, own in zip(ends, importance, strict=True)
                ]
            )
            for side in (0, 1)
        )
        room = _room(claim, len(ends) / n_records)
        if not low - room <= claim <= high + room:
            problem = f"says {claim}, but the cells of the file cost from {low:.4g} to {high:.4g}"
            yield Fault(f"manifest.loss.{metric}", problem, SAME_RUN)


def _counted(evidence: Evidence, name: str) -> Iterator[tuple[str, int]]:
    """Give the cells of a column that are not missing values, each with its records."""
    missing = {"", *evidence.policy.data.missing}
    for (cell,), count in tally([evidence.release[name]], evidence.weights):
        if cell not in missing:
            yield cell, count


def _may_stand(evidence: Evidence, name: str, cells: Cells, cell: str, level: object) -> bool:
    """Tell whether a cell may stand at a level; two empty bounds are hidden, or missing."""
    is_pair = len(released_names(evidence.policy, name, evidence.typed.columns)) > 1
    is_open = isinstance(cells, Midpoints) or (is_pair and cell == HIDDEN)
    return is_open or level in cells.levels(cell)


def _ends(evidence: Evidence, name: str, n_suppressed: int) -> tuple[int, int]:
    """Bound how many released records have a cell that costs 1: at least, and at most."""
    cells = released_cells(evidence, name)
    stars = generalized = values = 0
    for cell, count in _counted(evidence, name):
        is_value = list(cells.levels(cell)) == [0] or (
            is_number(cell) and not PERIODS["year"].match(cell)
        )
        values += is_value
        stars += count * (cell == HIDDEN)
        generalized += count * (not is_value)
    before = evidence.before(name)
    if before is not None and not n_suppressed:
        values = before.drop_nulls().n_unique()
    # A star may also be a value, or a value of one character that is masked.
    is_root = not isinstance(cells, Listed | Masks) and 0 not in cells.levels(HIDDEN)
    return (stars if is_root and values >= MANY else 0), generalized


def _room(claim: float, largest_contribution: float) -> float:
    """Say how far a figure may have been rounded: to a step above what a single record adds."""
    power = math.floor(math.log10(largest_contribution)) + 1
    if claim:
        power = max(power, math.floor(math.log10(abs(claim)) + 1e-12))
    return 10.0**power / 2 + CLOSE

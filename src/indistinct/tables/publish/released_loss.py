"""What a public manifest says of the loss: nothing that a suppressed record has a part in.

Two kinds of figures are published. Those that the released file, the policy and the number of
suppressed records determine are exact: every reader can compute them. Numbers are measured from the
least end of a released cell to the greatest. All others are measured as
though the suppressed records had never been seen (their values take no part in the ranges, the
leaves or the frequencies of a column) and then rounded, see :func:`roughly`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from indistinct.base.arrays import Floats, Ints
from indistinct.base.hierarchy import ROOT
from indistinct.tables.core.recoding import CellDomain, Recoding, value_bits
from indistinct.tables.counting.preparation import Prepared
from indistinct.tables.metrics import METRICS, SeparableMetric
from indistinct.tables.policy.column_rule import ColumnRule
from indistinct.tables.policy.hierarchies import listed_values
from indistinct.tables.policy.resolved import Resolved
from indistinct.tables.release.cells import read_ends
from indistinct.tables.release.manifest import loss_entry

BY_CLASSES = frozenset({"discernibility", "average-class-size"})
BY_CELLS = frozenset({"loss", "ncp"})
BY_LEVELS = frozenset({"height", "precision-monotone"})
OF_LEVELS = BY_LEVELS | {"precision"}
DIGITS = 12  # of exact figures: sums of the same numbers in another order may differ beyond


def public_losses(
    prepared: Prepared,
    recoding: Recoding,
    exact: Mapping[str, Any],
    *,
    are_counted: bool = True,
) -> dict[str, float]:
    """Return the losses that may be published.

    Parameters
    ----------
    prepared, recoding : the problem and what was decided
    exact : the losses over all records, for the owner alone
    are_counted : whether the released records of each value are known; else only the figures are
        given that the file determines
    """
    determined = frozenset(_determined(prepared, recoding))
    public = among_released(prepared, recoding)
    shown = loss_entry(prepared.problem, public)
    unpublished: frozenset[str] = frozenset() if _all_written(prepared.resolved) else OF_LEVELS
    found: dict[str, float] = {}
    for name in METRICS:
        if name not in exact or name in unpublished:
            continue
        if name in determined:
            figure = shown[name] if name in BY_CELLS else exact[name]
            found[name] = float(f"{figure:.{DIGITS}g}")
        elif are_counted:
            found[name] = roughly(shown[name], _moved_by_one(prepared, public, name, shown[name]))
    return found


def _all_written(resolved: Resolved) -> bool:
    """Return whether the policy writes every hierarchy: the records choose suggested levels."""
    return not resolved.suggested_names and all(
        rule.hierarchy is not None for rule in resolved.class_rules
    )


def _moved_by_one(prepared: Prepared, public: Recoding, name: str, loss: float) -> float:
    """Bound how far one record may move a figure; that of the objective with its own aggregate."""
    moved = METRICS[name].largest_contribution(public)
    objective = prepared.problem.objective
    if isinstance(objective, SeparableMetric) and objective.name == name:
        return objective.aggregate.largest_move(loss, moved, len(public.domains))
    return moved


def roughly(value: float, largest_contribution: float) -> float:
    """Round a figure so that no single record can be solved for.

    This is the one place of the rule: the step is a power of ten that exceeds the largest
    contribution of one record, and it leaves at most one significant digit.

    Parameters
    ----------
    value : an exact figure
    largest_contribution : how far one record may move it

    Examples
    --------
    >>> roughly(0.2419, 1 / 30_162)
    0.2
    >>> roughly(0.2419, 1 / 5)
    0.0
    """
    if not math.isfinite(value) or value == 0:
        return value
    finest = math.floor(math.log10(largest_contribution)) + 1 if largest_contribution > 0 else -15
    power = max(finest, math.floor(math.log10(abs(value)) + 1e-12))
    rounded = round(value / 10.0**power)
    return float(f"{rounded}e{power}")


def among_released(prepared: Prepared, recoding: Recoding) -> Recoding:
    """Return the recoding as one who has never seen a suppressed record would write it down.

    The suppressed records are one class of unknown values at the top of every column.
    """
    table = prepared.problem.table
    kept = recoding.released[recoding.labels]
    n_released = int(recoding.weights[kept].sum())
    n_hidden = prepared.n_input - n_released
    weights = np.bincount(recoding.tuples[kept], recoding.weights[kept], table.n_tuples)
    domains = tuple(
        _narrowed(
            domain,
            np.bincount(
                table.codes[:, column], weights, len(prepared.problem.hierarchies[column].values)
            ).astype(np.int64),
            is_listed=_is_listed(prepared.resolved.columns[name]),
            shown=_shown(recoding, column)
            if _has_numbers(prepared.resolved.columns[name])
            else None,
        )
        for column, (name, domain) in enumerate(zip(table.columns, recoding.domains, strict=True))
    )
    present, labels = np.unique(recoding.labels[kept], return_inverse=True)
    hidden = [[len(domain.labels) - 1 for domain in domains]] if n_hidden else []
    # Nobody knows which suppressed records were alike: each counts as alone.
    bits = value_bits(weights.astype(np.int64))
    return replace(
        recoding,
        tuples=np.append(recoding.tuples[kept], [0] if n_hidden else []).astype(np.int32),
        labels=np.append(labels, [len(present)] if n_hidden else []).astype(np.int32),
        weights=np.append(recoding.weights[kept], [n_hidden] if n_hidden else []).astype(np.int64),
        cells=np.vstack([recoding.cells[present], *hidden]).astype(np.int32),
        released=np.arange(len(present) + bool(n_hidden)) < len(present),
        domains=domains,
        regions=None,
        people=None,
        tuple_bits=bits,
    )


def _determined(prepared: Prepared, recoding: Recoding) -> Iterator[str]:
    """Name the losses that the released file, the policy and the count of suppressed determine."""
    if recoding.n_records != prepared.n_input:
        return  # how many records were left out for missing values is nobody's business
    yield from BY_CLASSES
    is_whole = recoding.n_suppressed == 0
    if is_whole:
        yield "discernibility-monotone"
    if prepared.resolved.release.intervals == "midpoint" or _some_may_be_missing(
        recoding, prepared
    ):
        return
    are_listed = [
        _is_listed(prepared.resolved.columns[name]) for name in prepared.resolved.class_names
    ]
    # Weights that measure vulnerability come from the records themselves.
    is_weighed = prepared.resolved.method.weights == "vulnerability"
    are_seen = zip(prepared.resolved.class_names, are_listed, strict=True)
    if not is_weighed and all(
        listed or _has_numbers(prepared.resolved.columns[name]) for name, listed in are_seen
    ):
        yield from BY_CELLS
    if all(are_listed):
        yield "ambiguity"
        if not is_weighed:
            yield "precision"
            if is_whole or recoding.transformation is not None:
                yield from BY_LEVELS


def _some_may_be_missing(recoding: Recoding, prepared: Prepared) -> bool:
    """Return whether some released cells are hidden or missing, which empty bounds do not tell."""
    if prepared.resolved.release.intervals != "bounds":
        return False
    missing = prepared.resolved.data.texts_of_missing
    for column, (name, domain) in enumerate(
        zip(prepared.resolved.class_names, recoding.domains, strict=True)
    ):
        cells: list[int] = np.unique(recoding.cells[recoding.released, column]).tolist()
        is_empty = not {ROOT, *missing}.isdisjoint(domain.labels[cell] for cell in cells)
        may_lack = _has_numbers(prepared.resolved.columns[name]) or not missing.isdisjoint(
            listed_values(prepared.resolved.columns[name])
        )
        if is_empty and may_lack:
            return True
    return False


def _is_listed(rule: ColumnRule) -> bool:
    """Return whether a file or a tree of the policy lists a column's values, whatever the data."""
    written = rule.hierarchy
    return written is not None and written.lists_values


def _has_numbers(rule: ColumnRule) -> bool:
    """Return whether the cells of a column are numbers and ranges of them, by its rule."""
    written = rule.hierarchy
    return written is not None and (written.intervals is not None or written.ranges is not None)


def _shown(recoding: Recoding, column: int) -> list[str]:
    """Return the released cells of a column."""
    cells: list[int] = np.unique(recoding.cells[recoding.released, column]).tolist()
    return [recoding.domains[column].labels[cell] for cell in cells]


def _narrowed(
    domain: CellDomain,
    value_weights: Ints,
    *,
    is_listed: bool,
    shown: Sequence[str] | None,
) -> CellDomain:
    """Return the cells of a column as though the data had only some of its values.

    Parameters
    ----------
    domain : the cells, measured over all records
    value_weights : (n_values,), released records per value
    is_listed : whether the extents come from a file or a tree, and not from the data
    shown : released cells of a column of numbers, whose ends say what is the whole; else None

    Returns
    -------
    the same cells, and one more for the suppressed records: the whole column
    """
    coverage = domain.coverage
    by_rank = coverage.by_rank(value_weights)
    present = (by_rank > 0).astype(np.int64)
    distinct = coverage.sums(present)
    narrowed = replace(
        domain,
        counts=coverage.sums(by_rank),
        bits=coverage.entropies(by_rank),
        value_bits=value_bits(value_weights),
        n_records=int(value_weights.sum()),
    )
    if not is_listed:
        extents, whole = distinct.astype(np.float64), float(max(present.sum(), 1))
        if shown is not None:
            ends = read_ends(shown)
            lows, highs = ends.lows[ends.are_written], ends.highs[ends.are_written]
            low, high = (float(lows.min()), float(highs.max())) if len(lows) else (0.0, 0.0)
            extents, whole = _lengths(domain.labels, low, high), 1.0 + (high - low)
        extents = np.maximum(extents, 1.0)
        losses = np.clip((extents - 1.0) / max(whole - 1.0, 1e-12), 0.0, 1.0)
        is_range = domain.levels is domain.losses or np.array_equal(domain.levels, domain.losses)
        penalties = np.where(extents <= 1.0, 0.0, np.clip(extents / whole, 0.0, 1.0))
        is_hidden = np.array([label == ROOT for label in domain.labels])
        losses, penalties = np.where(is_hidden, 1.0, losses), np.where(is_hidden, 1.0, penalties)
        narrowed = replace(
            narrowed,
            levels=losses if is_range else domain.levels,
            losses=losses,
            penalties=losses if is_range else penalties,
            volumes=np.maximum(extents, distinct),
            volume=max(whole, float(present.sum())),
        )
    return _with_whole(narrowed)


def _with_whole(domain: CellDomain) -> CellDomain:
    """Add a cell for the whole column."""
    return replace(
        domain,
        labels=(*domain.labels, ROOT),
        levels=np.append(domain.levels, domain.height),
        losses=np.append(domain.losses, 1.0),
        penalties=np.append(domain.penalties, 1.0),
        counts=np.append(domain.counts, domain.n_records),
        bits=np.append(domain.bits, domain.entropy),
        volumes=np.append(domain.volumes, domain.volume),
    )


def _lengths(labels: Sequence[str], low: float, high: float) -> Floats:
    """Return 1 plus the length of each cell inside a range; a single value has no length."""
    written = read_ends(labels)
    inside = np.minimum(written.highs, high) - np.maximum(written.lows, low)
    lengths = np.where(written.are_written, np.maximum(inside, 0.0), 0.0)
    return 1.0 + np.where([label == ROOT for label in labels], high - low, lengths)

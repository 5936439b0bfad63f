"""What a public manifest says of the loss: nothing that a suppressed record has a part in.

Figures that the released file, the policy and the number of suppressed records determine are
published, and exact: every reader can compute them. Numbers are measured from the least end of a
released cell to the greatest. All others are for the owner alone: rounding hides no record, since a
figure that stands near a border of its steps tells on which side of it the record puts it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from indistinct.base.arrays import Floats, Ints
from indistinct.base.hierarchy import ROOT
from indistinct.tables.core.recoding import CellDomain, Recoding, value_bits
from indistinct.tables.counting.preparation import Prepared
from indistinct.tables.policy.column_rule import ColumnRule
from indistinct.tables.policy.hierarchies import listed_values
from indistinct.tables.release.cells import read_ends
from indistinct.tables.release.manifest import loss_entry

BY_CLASSES = ("discernibility", "average-class-size")
BY_CELLS = ("loss", "ncp")
DIGITS = 12  # of exact figures: sums of the same numbers in another order may differ beyond


def public_losses(
    prepared: Prepared, recoding: Recoding, exact: Mapping[str, Any]
) -> dict[str, float]:
    """Return the losses that may be published.

    Parameters
    ----------
    prepared, recoding : the problem and what was decided
    exact : the losses over all records, for the owner alone
    """
    names = [name for name in _determined(prepared, recoding) if name in exact]
    figures: dict[str, float] = {name: exact[name] for name in names}
    if not {*names}.isdisjoint(BY_CELLS):
        shown = loss_entry(prepared.problem, among_released(prepared, recoding))
        figures |= {name: shown[name] for name in BY_CELLS}
    return {name: float(f"{figure:.{DIGITS}g}") for name, figure in figures.items()}


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
            is_listed=_is_listed(prepared.spec.columns[name]),
            shown=_shown(recoding, column) if _has_numbers(prepared.spec.columns[name]) else None,
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
    if prepared.spec.release.intervals == "midpoint":
        return  # one number may stand for several cells
    if prepared.spec.withholds:
        return  # how many records were left out for missing values is nobody's business
    yield from BY_CLASSES
    if _some_may_be_missing(recoding, prepared):
        return
    # Weights that measure vulnerability come from the records themselves.
    is_weighed = prepared.spec.method.weights == "vulnerability"
    rules = prepared.spec.class_rules
    are_known = [
        _is_listed(rule) or (_has_numbers(rule) and _is_said(rule, _shown(recoding, place)))
        for place, rule in enumerate(rules)
    ]
    if rules and not is_weighed and all(are_known):
        yield from BY_CELLS


def _some_may_be_missing(recoding: Recoding, prepared: Prepared) -> bool:
    """Return whether some released cells are hidden or missing, which empty bounds do not tell."""
    if prepared.spec.release.intervals != "bounds":
        return False
    missing = prepared.spec.data.texts_of_missing
    for column, (name, domain) in enumerate(
        zip(prepared.spec.class_names, recoding.domains, strict=True)
    ):
        cells: list[int] = np.unique(recoding.cells[recoding.released, column]).tolist()
        is_empty = not {ROOT, *missing}.isdisjoint(domain.labels[cell] for cell in cells)
        may_lack = _has_numbers(prepared.spec.columns[name]) or not missing.isdisjoint(
            listed_values(prepared.spec.columns[name])
        )
        if is_empty and may_lack:
            return True
    return False


def _is_said(rule: ColumnRule, shown: Sequence[str]) -> bool:
    """Return whether the public policy says the rule: of no shown cell nothing suggests one."""
    return not rule.is_suggested or bool({*shown} - {ROOT, *rule.texts_of_missing})


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

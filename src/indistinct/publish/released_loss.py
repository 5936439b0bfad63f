"""What a public manifest says of the loss: nothing that a suppressed record has a part in.

Two kinds of figures are published. Those that the released file, the policy and the number of
suppressed records determine are exact: every reader can compute them. All others are measured as
though the suppressed records had never been seen (their values take no part in the ranges, the
leaves or the frequencies of a column) and then rounded, see :func:`roughly`.
"""

from __future__ import annotations

import math
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from indistinct.core.arrays import Floats, Ints
from indistinct.core.hierarchy import ROOT, GeneralizationHierarchy
from indistinct.core.recoding import CellDomain, Recoding, value_bits
from indistinct.counting.prepare import Prepared
from indistinct.metrics import METRICS, SeparableMetric
from indistinct.policy.hierarchies import listed_values
from indistinct.policy.policy import Policy
from indistinct.release.cells import is_number, read_ends
from indistinct.release.manifest import loss_entry

BY_CLASSES = frozenset({"discernibility", "average-class-size"})
BY_LISTED_CELLS = frozenset({"loss", "ncp"})
BY_LEVELS = frozenset({"height", "precision-monotone"})
OF_LEVELS = BY_LEVELS | {"precision"}
DIGITS = 12  # of exact figures: sums of the same numbers in another order may differ beyond


def public_losses(
    prepared: Prepared, recoding: Recoding, policy: Policy, exact: Mapping[str, Any]
) -> dict[str, float]:
    """Give the losses that may be published.

    Parameters
    ----------
    prepared, recoding : the problem and what was decided
    policy : tells which hierarchies are public
    exact : the losses over all records, for the owner alone
    """
    determined = frozenset(_determined(prepared, recoding, policy))
    public = among_released(prepared, recoding, policy)
    shown = loss_entry(prepared.problem, public)
    return {
        name: float(f"{exact[name]:.{DIGITS}g}")
        if name in determined
        else roughly(shown[name], _moved_by_one(prepared, public, name, shown[name]))
        for name in METRICS
        if name in exact and (name not in OF_LEVELS or _all_written(policy))
    }


def _all_written(policy: Policy) -> bool:
    """Tell whether the policy writes every hierarchy: the records choose suggested levels."""
    return not policy.suggested_names and all(
        policy.columns[name].hierarchy is not None for name in policy.class_names
    )


def _moved_by_one(prepared: Prepared, public: Recoding, name: str, loss: float) -> float:
    """Bound how far one record may move a figure; that of the objective with its own aggregate."""
    moved = METRICS[name].largest_contribution(public)
    objective = prepared.problem.objective
    if isinstance(objective, SeparableMetric) and objective.name == name:
        return objective.aggregate.largest_move(loss, moved, len(public.domains))
    return moved


def determined_losses(
    prepared: Prepared, recoding: Recoding, policy: Policy, exact: Mapping[str, Any]
) -> dict[str, float]:
    """Give the losses that the released file, the policy and the number of suppressed determine."""
    names = frozenset(_determined(prepared, recoding, policy))
    return {
        name: float(f"{exact[name]:.{DIGITS}g}") for name in METRICS if name in names & exact.keys()
    }


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


def among_released(prepared: Prepared, recoding: Recoding, policy: Policy) -> Recoding:
    """Give the recoding as one who has never seen a suppressed record would write it down.

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
            prepared.problem.hierarchies[column],
            np.bincount(
                table.codes[:, column], weights, len(prepared.problem.hierarchies[column].values)
            ).astype(np.int64),
            is_listed=_is_listed(policy, name),
            missing={"", *policy.data.missing},
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


def _determined(prepared: Prepared, recoding: Recoding, policy: Policy) -> Iterator[str]:
    """Name the losses that the released file, the policy and the count of suppressed determine."""
    if recoding.n_records != prepared.n_input:
        return  # how many records were left out for missing values is nobody's business
    yield from BY_CLASSES
    is_whole = recoding.n_suppressed == 0
    if is_whole:
        yield "discernibility-monotone"
    is_one_level = recoding.transformation is not None
    if not _all_listed(policy) or not (is_one_level or _are_unambiguous(recoding.domains)):
        return
    if _some_may_be_missing(recoding, policy):
        return
    yield "ambiguity"
    # Weights that measure vulnerability come from the records themselves.
    if policy.method.weights != "vulnerability":
        yield from BY_LISTED_CELLS
        yield "precision"
        if is_whole or is_one_level:
            yield from BY_LEVELS


def _some_may_be_missing(recoding: Recoding, policy: Policy) -> bool:
    """Tell whether some released cells are hidden or missing, and their empty bounds do not say."""
    if policy.release.intervals != "bounds":
        return False
    missing = {"", *policy.data.missing}
    for column, (name, domain) in enumerate(zip(policy.class_names, recoding.domains, strict=True)):
        cells: list[int] = np.unique(recoding.cells[recoding.released, column]).tolist()
        is_empty = not {ROOT, *missing}.isdisjoint(domain.labels[cell] for cell in cells)
        if is_empty and not missing.isdisjoint(listed_values(policy, name)):
            return True
    return False


def _all_listed(policy: Policy) -> bool:
    """Tell whether files or trees list the values of every column that forms classes."""
    return all(_is_listed(policy, name) for name in policy.class_names)


def _is_listed(policy: Policy, name: str) -> bool:
    """Tell whether a file or a tree of the policy lists a column's values, whatever the data."""
    rule = policy.columns[name].hierarchy
    return rule is not None and rule.lists_values


def _are_unambiguous(domains: Sequence[CellDomain]) -> bool:
    """Tell whether a label tells its level in every column."""
    return all(len(set(domain.labels)) == len(domain.labels) for domain in domains)


def _narrowed(
    domain: CellDomain,
    hierarchy: GeneralizationHierarchy,
    value_weights: Ints,
    *,
    is_listed: bool,
    missing: Container[str],
) -> CellDomain:
    """Give the cells of a column as though the data had only some of its values.

    Parameters
    ----------
    domain : the cells, measured over all records
    hierarchy : over all values, in code order
    value_weights : (n_values,), released records per value
    is_listed : whether the extents come from a file or a tree, and not from the data
    missing : how a missing value may be written

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
        texts = [text for text, n in zip(hierarchy.values, value_weights, strict=True) if n]
        if _is_numeric(domain.labels, texts, missing):
            # A column of texts may hold the word NaN, which has no length.
            numbers = [float(text) for text in texts if is_number(text) and text != "NaN"]
            low, high = min(numbers, default=0.0), max(numbers, default=0.0)
            extents, whole = _lengths(domain.labels, low, high), 1.0 + (high - low)
        extents = np.maximum(extents, 1.0)
        losses = np.clip((extents - 1.0) / max(whole - 1.0, 1e-12), 0.0, 1.0)
        is_range = domain.levels is domain.losses or np.array_equal(domain.levels, domain.losses)
        narrowed = replace(
            narrowed,
            levels=losses if is_range else domain.levels,
            losses=losses,
            penalties=losses
            if is_range
            else np.where(extents <= 1.0, 0.0, np.clip(extents / whole, 0.0, 1.0)),
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


def _is_numeric(labels: Sequence[str], values: Sequence[str], missing: Container[str]) -> bool:
    """Tell whether values are numbers, and their cells such or ranges of them."""
    return all(text in missing or is_number(text) for text in values) and all(
        label == ROOT or label in missing or is_number(label) or is_written
        for label, is_written in zip(labels, read_ends(labels).are_written, strict=True)
    )


def _lengths(labels: Sequence[str], low: float, high: float) -> Floats:
    """Give 1 plus the length of each cell inside a range; a single value has no length."""
    written = read_ends(labels)
    inside = np.minimum(written.highs, high) - np.maximum(written.lows, low)
    lengths = np.where(written.are_written, np.maximum(inside, 0.0), 0.0)
    return 1.0 + np.where([label == ROOT for label in labels], high - low, lengths)

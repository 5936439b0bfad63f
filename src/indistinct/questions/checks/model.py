"""A model's counts must follow from its noisy counts, and these from the stated noise."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from indistinct.base.arrays import Bools, Floats
from indistinct.questions.checks.arrays import edge_of, floats, ints, members, tree_order
from indistinct.questions.checks.combinations import Combinations
from indistinct.questions.checks.projections import (
    CLOSE,
    ROUNDED,
    distance_to_nearest,
    is_nearest_to_total,
    is_nearest_within_reach,
)

# Standard deviations above 0 from which a count stands alone: part of the method, as published.
STANDS_OUT = 3
# Standard deviations: the noise of one count exceeds them less than once in 10**22.
WIDEST = 10.0


def model_faults(model: Mapping[str, Any], combinations: Combinations) -> Iterator[str]:
    """Find counts of a model that are no projections of its noisy counts.

    Parameters
    ----------
    combinations : what the declaration lets occur of single codes
    """
    scales = {charge["step"]: charge["scale"] for charge in model["charges"]}
    totals = _totals(model, scales["columns"])
    stated = floats(model["totals"])
    if not np.allclose(stated, totals, rtol=CLOSE, atol=CLOSE):
        yield "the model's totals are not the mean of its noisy counts"
    numbered = [column for column in model["columns"] if _is_numbered(column)]
    for column in model["columns"]:
        if column not in numbered:
            yield f"columns.{column['name']}: its joined codes are not numbered from 0"
    if len(numbered) < len(model["columns"]):
        return
    allowed = combinations.of_joined(model)
    for column in model["columns"]:
        own = allowed.singles[column["name"]]
        yield from _node_faults(model, column, scales, stated, own)
    if model["edges"] and len(tree_order(model)) != len(model["columns"]):
        yield "the model's pairs are not a tree"
        return
    yield from _given_faults(model, combinations)
    yield from _edge_faults(model, allowed)
    yield from _moved_faults(model, allowed)


def _is_numbered(column: Mapping[str, Any]) -> bool:
    joined = ints(column["joined"])
    return int(joined.min()) >= 0 and bool((members(joined).sum(axis=1) > 0).all())


def _totals(model: Mapping[str, Any], scale: float) -> Floats:
    blocks = [floats(column["noisy"]) for column in model["columns"]]
    if model["focus"]:
        blocks.append(floats(model["focus"]["noisy"])[np.newaxis])
    weights = np.array([1 / (len(block) * scale**2) for block in blocks])
    sums = np.array([block.sum(axis=0) for block in blocks])
    return np.maximum(0.0, np.average(sums, axis=0, weights=weights))


def _node_faults(
    model: Mapping[str, Any],
    column: Mapping[str, Any],
    scales: Mapping[str, float],
    totals: Floats,
    allowed: Bools,
) -> Iterator[str]:
    joined, noisy = ints(column["joined"]), floats(column["noisy"])
    member = members(joined)
    precision: Floats = 1 / (member.sum(axis=1) * scales["columns"] ** 2)
    weighted: Floats = (member @ noisy) * precision[:, np.newaxis]
    for edge in model["edges"]:
        if column["name"] in edge["columns"]:
            pair = floats(edge["noisy"])
            axis = 1 - edge["columns"].index(column["name"])
            own = 1 / (pair.shape[axis] * scales["pairs"] ** 2)
            weighted = weighted + own * pair.sum(axis=axis)
            precision = precision + own
    found = floats(column.get("projected", column["counts"]))
    for t, total in enumerate(totals):
        kept = allowed[:, t]
        near = is_nearest_to_total(
            found[kept, t], (weighted[:, t] / precision)[kept], (1 / precision)[kept], float(total)
        )
        if not near or found[~kept, t].any():
            yield f"columns.{column['name']}: its counts are not a projection of its noisy counts"
            return
    fine = floats(column["fine"])
    ones = np.ones(len(joined))
    if not is_nearest_to_total(fine, noisy.sum(axis=1), ones, float(totals.sum())):
        yield f"columns.{column['name']}: the counts of its codes are not a projection"


def _given_faults(model: Mapping[str, Any], combinations: Combinations) -> Iterator[str]:
    """Find forbidden pairs that the tree lacks, so that nothing keeps them apart."""
    linked = {frozenset(edge["columns"]) for edge in model["edges"]}
    for one, other in combinations.pairs:
        if one < other and frozenset({one, other}) not in linked:
            yield f"{one} and {other} have forbidden pairs, and the model does not count them"


def _edge_faults(model: Mapping[str, Any], allowed: Combinations) -> Iterator[str]:
    counts = {column["name"]: floats(column["counts"]) for column in model["columns"]}
    for edge in model["edges"]:
        one, other = edge["columns"]
        noisy, found = floats(edge["noisy"]), floats(edge["counts"])
        cells = allowed.table(one, other)
        for t in range(noisy.shape[2]):
            sums = counts[one][:, t], counts[other][:, t]
            if not is_projected(found[..., t], noisy[..., t], *sums, cells[..., t]):
                yield f"the pair {one} and {other} is not a projection"


def is_projected(
    found: Floats, noisy: Floats, rows: Floats, columns: Floats, allowed: Bools
) -> bool:
    """Return whether a table meets its sums and is within half a record of the nearest one."""
    close = CLOSE * max(1.0, float(rows.sum())) + ROUNDED * max(found.shape)
    off = max(
        float(np.abs(found.sum(axis=1) - rows).max()),
        float(np.abs(found.sum(axis=0) - columns).max()),
    )
    if (found < 0).any() or off > close or found[~allowed].any():
        return False
    near = 0.5 + 0.001 * float(np.sqrt((found**2).sum()))
    return distance_to_nearest(found, noisy, rows, columns, allowed) <= near


def _moved_faults(model: Mapping[str, Any], allowed: Combinations) -> Iterator[str]:
    """Find counts that were moved though nothing forbids them, or farther than they must be."""
    columns = {column["name"]: column for column in model["columns"]}
    for name, parent in tree_order(model):
        column = columns[name]
        if parent is None or (parent, name) not in allowed.pairs:
            if column.get("projected", column["counts"]) != column["counts"]:
                yield f"columns.{name}: its counts were moved though nothing forbids them"
            continue
        edge = edge_of(model, parent, name)
        table, cells = floats(edge["counts"]), allowed.table(*edge["columns"])
        if edge["columns"][0] == name:
            table, cells = table.swapaxes(0, 1), cells.swapaxes(0, 1)
        wanted = floats(column["projected"])
        for t in range(table.shape[2]):
            if not is_nearest_within_reach(table[..., t], wanted[:, t], cells[..., t]):
                yield f"columns.{name}: its counts were moved farther than they must be"
                break


def expected_joining(
    noisy: Sequence[Sequence[int]],
    n_bins: int,
    scale: float,
    families: Sequence[int] | None = None,
) -> list[int]:
    """Return the number of the joined code of every code, from noisy counts alone.

    Parameters
    ----------
    noisy : per code, its noisy counts per code of the focus
    n_bins : how many codes, the first ones, are neighboring bins of a number; 0 for words
    scale : of the noise of each count
    families : number of every code's family; only codes of one family are joined

    Notes
    -----
    Bins are taken together from the lowest on, until their sum is at least three standard
    deviations of its own noise; what is left over at the upper end goes to the last of them. Of
    words all that lie below three standard deviations are one.
    """
    sums = [sum(counts) for counts in noisy]
    limit = STANDS_OUT * scale * math.sqrt(len(noisy[0]))
    of = [0] * len(sums) if families is None else families
    if n_bins == 0:
        alone = [code for code, total in enumerate(sums) if total >= limit]
        rare = sorted({of[code] for code in range(len(sums)) if code not in alone})
        return [
            alone.index(code) if code in alone else len(alone) + rare.index(of[code])
            for code in range(len(sums))
        ]
    parts: list[list[int]] = []
    for family in _runs(of[:n_bins]):
        parts += _neighbors(family, sums, limit)
    parts += [[code] for code in range(n_bins, len(sums))]
    return [number for number, part in enumerate(parts) for _ in part]


def _runs(families: Sequence[int]) -> list[list[int]]:
    """Part codes wherever the family changes."""
    runs: list[list[int]] = []
    for code, family in enumerate(families):
        if code and families[code - 1] == family:
            runs[-1].append(code)
        else:
            runs.append([code])
    return runs


def _neighbors(codes: Sequence[int], sums: Sequence[int], limit: float) -> list[list[int]]:
    """Return bins joined until they stand out."""
    parts: list[list[int]] = [[]]
    for code in codes:
        parts[-1].append(code)
        if sum(sums[one] for one in parts[-1]) >= limit * math.sqrt(len(parts[-1])):
            parts.append([])
    rest = parts.pop()
    if rest and parts:
        parts[-1] += rest
    elif rest:
        parts.append(rest)
    return parts


def is_joined_as_expected(
    column: Mapping[str, Any], n_bins: int, scale: float, families: Sequence[int] | None = None
) -> bool:
    """Return whether a column of a model joins the codes that its noisy counts ask for."""
    expected = expected_joining(column["noisy"], n_bins, scale, families)
    return list(column["joined"]) == expected


def noise_faults(model: Mapping[str, Any]) -> Iterator[str]:
    """Find counts below 0, and counts of the same records, that differ by more than their noise.

    Notes
    -----
    All counts of single columns, of the focus and of pairs are counts of the same records.
    """
    scales = {charge["step"]: float(charge["scale"]) for charge in model["charges"]}
    scale = scales["columns"]
    columns = {column["name"]: column for column in model["columns"]}
    blocks = {f"columns.{name}": floats(column["noisy"]) for name, column in columns.items()}
    if model["focus"]:
        blocks["focus"] = floats([model["focus"]["noisy"]])
    sums = np.array([block.sum(axis=0) for block in blocks.values()])
    widths = np.sqrt([float(len(block)) for block in blocks.values()])
    steadiest = sums[int(widths.argmin())]
    for (place, block), found, width in zip(blocks.items(), sums, widths, strict=True):
        allowed = WIDEST * scale * (width + widths.min())
        if (block < -WIDEST * scale).any() or (np.abs(found - steadiest) > allowed).any():
            yield f"{place}: its noisy counts are not such as the noise makes"
    for edge in model["edges"]:
        pair = floats(edge["noisy"])
        wrong = bool((pair < -WIDEST * scales["pairs"]).any())
        for axis, name in enumerate(edge["columns"]):
            member = members(ints(columns[name]["joined"]))
            alone: Floats = member @ floats(columns[name]["noisy"])
            variances = member.sum(axis=1) * scale**2
            variances = variances + pair.shape[1 - axis] * scales["pairs"] ** 2
            allowed = WIDEST * np.sqrt(variances)[:, np.newaxis]
            wrong |= bool((np.abs(pair.sum(axis=1 - axis) - alone) > allowed).any())
        if wrong:
            one, other = edge["columns"]
            yield f"the noisy counts of {one} and {other} are not such as the noise makes"

"""How much of what the input showed can still be seen in a release: the headline, and by column.

It is counted from the values of each column and from the distinct pairs of a value and its released
cell. What a cell stands for is what the rule of its column says, and not what the input happens to
have below it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from indistinct.base.arrays import Codes, Ints
from indistinct.base.statements.kept_share import ComparedValues, headline, kept_share
from indistinct.base.statements.statements import NeededEvidence, not_examined
from indistinct.tables.core.schema import Role
from indistinct.tables.policy.column_rule import ColumnRule
from indistinct.tables.policy.specification import Specification
from indistinct.tables.verification.columns import renderer_of, shows_midpoints
from indistinct.tables.verification.evidence import CheckedRelease
from indistinct.tables.verification.listed import listed_paths
from indistinct.tables.verification.order_traces import numbered
from indistinct.tables.verification.rendering import Renderer
from indistinct.tables.verification.texts import (
    CLOSED,
    HALF_OPEN,
    HIDDEN,
    has_leading_zero,
    is_finite,
    value_key,
)
from indistinct.tables.verification.value_pairs import ValuePairs, value_pairs

Kept = dict[str, Any]


class CountedPairs(NamedTuple):
    """The values of a column, the cells that it is released as, and how often they meet.

    Parameters
    ----------
    values, counts : the texts of the input, and records of each
    shown : the released cells
    of_value, of_cell, records : (n_pairs,)
    """

    values: Sequence[str]
    counts: Ints
    shown: Sequence[str]
    of_value: Ints
    of_cell: Ints
    records: Ints


def kept_in(evidence: CheckedRelease, coarse: Iterable[str] = ()) -> Kept:
    """Return what is kept of the columns that others may know, in all and in each.

    Parameters
    ----------
    coarse : columns of which labels were counted, and no values
    """
    spec = evidence.spec
    if evidence.original is None or evidence.rows is None:
        why = "what became of each record takes the input and the crosswalk"
        return kept_of({}, spec, why=not_examined(why, "crosswalk"))
    columns: dict[str, Any] = {}
    for name in compared_names(spec):
        if name in spec.set_names:
            columns[name] = _kept_of_items(evidence, name)
        elif name in coarse:
            why = "labels were counted in place of values"
            columns[name] = not_examined(why, "engine")
        else:
            columns[name] = _kept_of_column(evidence, name)
    hidden = [name for name in columns if _is_hidden(evidence, name)]
    return kept_of(columns, spec, hidden)


def compared_names(spec: Specification) -> list[str]:
    """Name the columns that others may know and that no mask changes."""
    names = [*spec.named(Role.QUASI_IDENTIFIER), *spec.set_names]
    return [name for name in dict.fromkeys(names) if name not in spec.protections]


def kept_of(
    columns: Mapping[str, Any],
    spec: Specification,
    hidden: Sequence[str] = (),
    why: Mapping[str, Any] | None = None,
) -> Kept:
    """Return the headline of some columns, and what stands beside it.

    Parameters
    ----------
    columns : share of each, None where all its values are one, or why it cannot be had
    why : no column can be compared
    """
    same = [name for name, share in columns.items() if share is None]
    known = {name: share for name, share in columns.items() if share is not None}
    found: Kept = {
        "share": why or headline(known),
        "columns": known,
        "hidden": [name for name in hidden if name not in same],
        "masked": list(spec.protections),
        "left_out": list(spec.left_out),
        "same": same,
    }
    if spec.release.form == "anatomy":
        found["cut"] = list(spec.named(Role.SENSITIVE))
    return found


def _is_hidden(evidence: CheckedRelease, name: str) -> bool:
    """Return whether every released cell of a column is hidden."""
    if name in evidence.spec.set_names:
        return False
    shown = {cell for cell, _ in evidence.counts(name)}
    return shown == {HIDDEN} or (shown == {""} and shows_midpoints(evidence, name))


def _kept_of_column(evidence: CheckedRelease, name: str) -> float | NeededEvidence | None:
    """Return what one column keeps; None where all its values are one."""
    if evidence.before(name) is None:
        return not_examined("the input does not have the column", "original")
    is_middle = shows_midpoints(evidence, name)
    return _share(renderer_of(evidence, name), _counted_pairs(evidence, name), is_middle=is_middle)


def _counted_pairs(evidence: CheckedRelease, name: str) -> CountedPairs:
    """Count the values of a column, and the pairs of a value and a released cell."""
    before, weights = evidence.numbered_before(name), evidence.original_weights
    tokens = dict.fromkeys(evidence.spec.columns[name].missing, "")
    return _without_tokens(evidence.pairs(name), before.codes, tokens, weights)


def kept_between(
    rule: ColumnRule, before: pl.Series, cells: pl.Series, rows: Sequence[int]
) -> float | NeededEvidence | None:
    """Return what one column of a table keeps; None where all its values are one.

    Parameters
    ----------
    before, cells : the values of the input, and the released cells as texts
    rows : row of the input behind each released one
    """
    tokens, own = dict.fromkeys(rule.missing, ""), numbered(before)
    pairs = value_pairs(numbered(cells), own, np.asarray(rows, np.int64))
    counted = _without_tokens(pairs, own.codes, tokens)
    return _share(Renderer.of(rule, shown=counted.shown, values=counted.values), counted)


def _share(
    cells: Renderer, counted: CountedPairs, *, is_middle: bool = False
) -> float | NeededEvidence | None:
    """Return the share of the differences that the pairs still show."""
    alike = _alike(cells, counted, is_middle=is_middle)
    if alike is None:
        return not_examined("nobody says which values its cells stand for", "policy")
    return kept_share(ComparedValues(counted.counts, counted.of_value, counted.records, alike))


def _without_tokens(
    pairs: ValuePairs,
    codes: Codes,
    tokens: Mapping[str, str],
    original_weights: pl.Series | None = None,
) -> CountedPairs:
    """Count the values of a column; several texts may be one, such as the words for a missing one.

    Parameters
    ----------
    codes : place of the value of each row of the input
    """
    held = None if original_weights is None else original_weights.to_numpy()
    counts = np.bincount(codes, held, len(pairs.values))
    values, of_text = _merged([tokens.get(text, text) for text in pairs.values])
    shown, of_cell = _merged([tokens.get(cell, cell) for cell in pairs.cells])
    return CountedPairs(
        values,
        np.bincount(of_text, counts, len(values)).astype(np.int64),
        shown,
        of_text[pairs.of_value],
        of_cell[pairs.of_cell],
        pairs.records,
    )


def _merged(texts: Sequence[str]) -> tuple[list[str], Ints]:
    """Return the different texts, and the place of each among them."""
    places: dict[str, int] = {}
    found = [places.setdefault(text, len(places)) for text in texts]
    return list(places), np.array(found, np.int64)


def _alike(cells: Renderer, counted: CountedPairs, *, is_middle: bool) -> Ints | None:
    """Count, for each pair, the records with another value for which its cell stands as well.

    Returns
    -------
    (n_pairs,); None where nobody can tell for which values a cell stands
    """
    if cells.kind == "ranges":
        spans = list(_spans(counted, is_middle=is_middle))
        weights, is_inside = _within_spans(counted, spans)
    else:
        under = _values_under(cells, counted, is_middle=is_middle)
        if under is None:
            return None
        weights = np.array([counted.counts[sorted(own)].sum() for own in under], np.int64)
        pairs = zip(counted.of_value.tolist(), counted.of_cell.tolist(), strict=True)
        is_inside = np.array([value in under[cell] for value, cell in pairs], np.bool_)
    is_hidden = [_is_everything(cell, is_middle=is_middle) for cell in counted.shown]
    hidden = np.array(is_hidden, np.bool_)
    total = int(counted.counts.sum())
    weights = np.where(hidden, total, weights)
    if not (is_inside | hidden[counted.of_cell]).all():
        return None
    return weights[counted.of_cell] - counted.counts[counted.of_value]


def _is_everything(cell: str, *, is_middle: bool) -> bool:
    """Return whether a cell says nothing: among midpoints, an empty one is hidden or missing."""
    return cell == HIDDEN or (is_middle and cell == "")


def _values_under(
    cells: Renderer, counted: CountedPairs, *, is_middle: bool
) -> list[set[int]] | None:
    """Return the values for which each cell stands, by what they read as at its levels."""
    if cells.labels or (is_middle and cells.kind == "labels"):
        return None
    labels = {
        cell: [one for one in cells.around_middle(cell) if cells.allowed_levels(one)]
        if is_middle and is_finite(cell)
        else [cell]
        for cell in counted.shown
    }
    levels = {label: cells.levels(label) for own in labels.values() for label in own}
    asked = sorted({level for own in levels.values() for level in own if level})
    of_text: dict[str, set[int]] = {}
    for place, value in enumerate(counted.values):
        texts = {value, *_key(value)}
        if cells.kind == "list":
            texts |= {*cells.listed.path(value)[:1]}
        texts |= {
            text
            for level in asked
            if (text := cells.text_of(level, value)) is not None and level in levels.get(text, ())
        }
        for text in texts:
            of_text.setdefault(text, set()).add(place)
    return [
        set[int]().union(
            *(of_text.get(text, ()) for label in own for text in (label, *_key(label)))
        )
        for own in (labels[cell] for cell in counted.shown)
    ]


def _key(text: str) -> Iterator[str]:
    """Yield how a number is written in one way, of a text that is one."""
    if is_finite(text) and not has_leading_zero(text):
        yield value_key(text)


def _spans(counted: CountedPairs, *, is_middle: bool) -> Iterator[tuple[float, float, bool]]:
    """Yield the numbers that each cell spans: the two ends, and whether the last is one of them.

    Ranges with one midpoint lie within one another, and the widest ends at numbers of records.
    """
    numbers = np.array([_number(text) for text in counted.values])
    for place, cell in enumerate(counted.shown):
        ends = CLOSED.match(cell) or HALF_OPEN.match(cell)
        if ends is not None:
            yield float(ends[1]), float(ends[2]), cell.endswith("]")
            continue
        number, half = _number(cell), 0.0
        if is_middle:
            own = numbers[counted.of_value[counted.of_cell == place]]
            half = float(np.abs(own - number).max(initial=0.0, where=~np.isnan(own)))
        yield number - half, number + half, True


def _within_spans(
    counted: CountedPairs, spans: Sequence[tuple[float, float, bool]]
) -> tuple[Ints, np.ndarray[Any, np.dtype[np.bool_]]]:
    """Count the records of the values in each span, and find the pairs whose value is in theirs."""
    numbers = np.array([_number(text) for text in counted.values])
    order = np.argsort(numbers, kind="stable")  # what is no number stands last
    ascending = numbers[order][: int(np.count_nonzero(~np.isnan(numbers)))]
    before = np.concatenate([[0], np.cumsum(counted.counts[order])])
    lows, highs = (np.array([span[at] for span in spans], np.float64) for at in (0, 1))
    first = np.searchsorted(ascending, lows, "left")
    after_last = np.where(
        np.array([span[2] for span in spans], np.bool_),
        np.searchsorted(ascending, highs, "right"),
        np.searchsorted(ascending, highs, "left"),
    )
    texts = {text: at for at, text in enumerate(counted.values)}
    weights = before[np.maximum(after_last, first)] - before[first]
    for place, cell in enumerate(counted.shown):
        if np.isnan(lows[place]) and cell in texts:  # a word, or a missing value, as it was
            weights[place] = counted.counts[texts[cell]]
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    own, cell = rank[counted.of_value], counted.of_cell
    is_inside = (first[cell] <= own) & (own < after_last[cell])
    is_text = np.array([counted.values[value] for value in counted.of_value], np.object_)
    is_inside |= is_text == np.array([counted.shown[at] for at in cell], np.object_)
    return weights.astype(np.int64), is_inside.astype(np.bool_)


def _number(text: str) -> float:
    """Return the number that a text says; no number for another text."""
    return float(text) if is_finite(text) else float("nan")


def _kept_of_items(evidence: CheckedRelease, name: str) -> float | NeededEvidence | None:
    """Return what is kept of the items of a column of sets, over all items of the input."""
    before = evidence.before(name)
    if before is None or evidence.rows is None or evidence.weights is not None:
        return not_examined("the sets of each record are not at hand", "crosswalk")
    rule = evidence.spec.columns[name]
    if rule.hierarchy is not None and rule.hierarchy.labels:
        return not_examined("nobody says which items are below a label", "policy")
    sets = [_items(text, rule.words.separator, rule.missing) for text in before.to_list()]
    counts = Counter(item for items in sets for item in items)
    paths = listed_paths(rule)
    below = Counter(label for item in counts for label in {item, HIDDEN, *paths.get(item, ())})
    if len(counts) < 2:  # noqa: PLR2004 - a difference takes two
        return None
    lost, n_released = 0.0, 0
    for text, row in zip(evidence.release[name].to_list(), evidence.rows, strict=True):
        labels = _items(text, rule.words.separator, ())
        for item in sets[row] if row >= 0 else ():
            over = [one for one in (item, *paths.get(item, ()), HIDDEN) if one in labels]
            n_below = below[over[0]] if over else len(counts)
            lost += 0.0 if n_below == 1 else n_below / len(counts)
            n_released += 1
    total = sum(counts.values())
    return max(0.0, 1.0 - (lost + total - n_released) / total)


def _items(text: str | None, separator: str, missing: Sequence[str]) -> set[str]:
    """Return the items, or the labels, of a cell."""
    if not text or text in missing:
        return set()
    return {one.strip() for one in text.split(separator)} - {""}

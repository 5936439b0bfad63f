"""Where the cells of a released column lie, so that one lies inside another if it says more.

A function of the cells and of the policy's own list alone: no original value takes part.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, islice

import numpy as np

from indistinct.base.arrays import Bools, Codes, Floats, Ints
from indistinct.base.brief import short_repr
from indistinct.base.hierarchy import ROOT, GeneralizationHierarchy
from indistinct.base.hierarchy_builders import in_plain_digits
from indistinct.tables.core.date_hierarchies import day_spans, period_of
from indistinct.tables.core.grouping import group_few_rows
from indistinct.tables.release.cells import read_ends

EVERYTHING = (-np.inf, np.inf)
NOWHERE = float(np.finfo(np.float64).min)  # where a missing cell lies: inside the hidden cell alone
AFTER_ALL = "\U0010ffff"
MOST_PAIRS = 200  # of columns that are looked at together
MOST_TESTED = 20_000  # records by which agreement is compared with chance


@dataclass(frozen=True, slots=True)
class CellSpans:
    """Where some cells lie.

    Parameters
    ----------
    lows, highs : (n_cells,), half-open; one cell is finer than another if it lies inside it
    """

    lows: Floats
    highs: Floats

    __repr__ = short_repr


def cell_spans(
    texts: Sequence[str], listed: GeneralizationHierarchy | None = None, missing: str = ""
) -> CellSpans:
    """Return where the distinct cells of a column lie.

    Parameters
    ----------
    texts : (n_cells,), the cells
    listed : the hierarchy of a list; None where the form of a cell says what it covers
    missing : the text of a missing cell
    """
    hidden = np.array([text == ROOT for text in texts], np.bool_)
    gone = np.array([text == missing for text in texts], np.bool_)
    shown = ~(hidden | gone)
    lows, highs = _by_form(texts, shown) if listed is None else _in_tree(texts, listed)
    lows[gone], highs[gone] = NOWHERE, np.nextafter(NOWHERE, 0)
    lows[hidden], highs[hidden] = EVERYTHING
    return CellSpans(lows, highs)


def _in_tree(texts: Sequence[str], listed: GeneralizationHierarchy) -> tuple[Floats, Floats]:
    """Place cells by a list: values side by side in the order of the tree, labels around them."""
    n_values = len(listed.values)
    ordered = listed.codes[:, np.lexsort(tuple(listed.codes))]
    number = {text: cell for cell, text in enumerate(texts)}
    lows, highs = _apart(len(texts), n_values)
    found = np.zeros(len(texts), np.bool_)
    for labels, codes in zip(listed.labels, ordered, strict=True):
        cells = np.array([number.get(label, -1) for label in labels])[codes]
        places = np.flatnonzero(cells >= 0)
        first = np.where(found, lows, np.inf)
        last = np.where(found, highs, -np.inf)
        np.minimum.at(first, cells[places], places)
        np.maximum.at(last, cells[places], places + 1)
        found[cells[places]] = True
        lows, highs = np.where(found, first, lows), np.where(found, last, highs)
    return lows, highs


def _by_form(texts: Sequence[str], are_shown: Bools) -> tuple[Floats, Floats]:
    """Place cells by what they look like: masks, ranges of numbers, periods, or single values."""
    shown = [text for text, is_shown in zip(texts, are_shown, strict=True) if is_shown]
    if any(text.endswith(ROOT) for text in shown):
        return _by_beginning(texts)
    ends = read_ends(texts)
    if bool(ends.are_written[are_shown].all()):
        return ends.lows.copy(), ends.after
    if any(period_of(text) for text in shown):
        days = day_spans(texts)
        if not bool(np.isnan(days[are_shown]).any()):
            return days[:, 0].copy(), days[:, 1].copy()
    return _apart(len(texts), 0)


def _by_beginning(texts: Sequence[str]) -> tuple[Floats, Floats]:
    """Place masks by the part that is kept: all that begins so lies inside."""
    texts = [in_plain_digits(text) for text in texts]
    kept = [text.rstrip(ROOT) for text in texts]
    after = [
        beginning + (AFTER_ALL if beginning != text else "\0")
        for beginning, text in zip(kept, texts, strict=True)
    ]
    rank = {text: float(place) for place, text in enumerate(sorted({*kept, *after}))}
    return np.array([rank[text] for text in kept]), np.array([rank[text] for text in after])


def _apart(n_cells: int, first: int) -> tuple[Floats, Floats]:
    """Place cells side by side, each for itself."""
    lows = np.arange(first, first + n_cells, dtype=np.float64)
    return lows, lows + 1


RECORDS_WITH = "records with one "


def groups(others: Mapping[str, Codes], records: Ints) -> Iterator[tuple[tuple[str, ...], Codes]]:
    """Yield each column, and each one's number of records with one value."""
    repeating = {name: codes for name, codes in others.items() if repeats(codes, records)}
    for name, codes in repeating.items():
        yield (name,), codes
    for name, codes in repeating.items():
        sizes = np.bincount(codes[codes >= 0], records[codes >= 0])
        counts = np.where(codes >= 0, sizes[codes].astype(np.int64), -1)
        # As many different numbers as values: the numbers tell no other groups apart.
        if len(np.unique(counts)) < len(np.unique(codes)):
            yield (f"{RECORDS_WITH}{name}",), _numbered(counts)


def pairs(others: Mapping[str, Codes], records: Ints) -> list[tuple[str, ...]]:
    """Return the pairs of columns that are looked at together."""
    repeating = [name for name, codes in others.items() if repeats(codes, records)]
    return list(islice(combinations(repeating, 2), MOST_PAIRS))


def whole_groups(codes: Codes, records: Ints) -> Ints:
    """Draw whole groups of one value, of about as many records as are tested.

    Returns
    -------
    (n_drawn,), the rows; all of them where there are few
    """
    total = int(records.sum())
    if total <= MOST_TESTED:
        return np.arange(len(codes))
    sizes = np.bincount(codes[codes >= 0], records[codes >= 0])
    # Among groups of one size, those come first whose first row does.
    first = np.full(len(sizes), len(codes), np.int64)
    known = np.flatnonzero(codes >= 0)[::-1]
    first[codes[known]] = known
    order = np.lexsort((first, -sizes))[:: max(1, total // MOST_TESTED)]
    is_drawn = np.zeros(len(sizes), np.bool_)
    is_drawn[order[np.cumsum(sizes[order]) <= 2 * MOST_TESTED]] = True
    drawn = np.flatnonzero((codes >= 0) & is_drawn[codes])
    # Groups that are larger than all that is tested stay large among some of their records.
    return drawn if len(drawn) else np.arange(0, len(codes), max(1, total // MOST_TESTED))


def paired(both: Sequence[Codes], some: Ints) -> Codes:
    """Return a number for each pair of values of some rows; -1 where one of them is missing."""
    values = np.stack([codes[some] for codes in both], axis=1)
    labels = group_few_rows(np.ascontiguousarray(values.astype(np.int32)))[0]
    return np.where((values < 0).any(axis=1), -1, labels).astype(np.int32)


def _numbered(counts: Ints) -> Codes:
    """Return numbers of different counts from 0 on; -1 stays."""
    codes = np.unique(counts, return_inverse=True)[1].astype(np.int32)
    return np.where(counts < 0, -1, codes).astype(np.int32)


def repeats(codes: Codes, records: Ints) -> bool:
    """Return whether some value has several records, and not all records have one."""
    known = codes[codes >= 0]
    sizes = np.bincount(known, records[codes >= 0])
    return bool((sizes > 1).any()) and int((sizes > 0).sum()) > 1

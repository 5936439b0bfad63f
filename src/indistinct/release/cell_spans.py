"""Where the cells of a released column lie, so that one lies inside another if it says more.

A function of the cells and of the policy's own list alone: no original value takes part.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from indistinct.core.arrays import Bools, Floats
from indistinct.core.brief import short_repr
from indistinct.core.hierarchy import ROOT
from indistinct.release.cells import read_ends
from indistinct.release.day_spans import PERIOD, day_spans

EVERYTHING = (-np.inf, np.inf)
NOWHERE = float(np.finfo(np.float64).min)  # where a missing cell lies: inside the hidden cell alone
AFTER_ALL = "\U0010ffff"


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
    texts: Sequence[str], paths: Iterable[Sequence[str]] = (), missing: str = ""
) -> CellSpans:
    """Return where the distinct cells of a column lie.

    Parameters
    ----------
    texts : (n_cells,), the cells
    paths : of a listed hierarchy, the labels of each value, the value itself first; none where
        the form of a cell says what it covers
    missing : the text of a missing cell
    """
    hidden = np.array([text == ROOT for text in texts], np.bool_)
    gone = np.array([text == missing for text in texts], np.bool_)
    listed = [tuple(path) for path in paths]
    lows, highs = _in_tree(texts, listed) if listed else _by_form(texts, ~(hidden | gone))
    lows[gone], highs[gone] = NOWHERE, np.nextafter(NOWHERE, 0)
    lows[hidden], highs[hidden] = EVERYTHING
    return CellSpans(lows, highs)


def _in_tree(texts: Sequence[str], paths: Sequence[Sequence[str]]) -> tuple[Floats, Floats]:
    """Place cells by a list: values side by side in the order of the tree, labels around them."""
    ordered = sorted(set(paths), key=lambda path: tuple(reversed(path)))
    places: dict[str, tuple[int, int]] = {}
    for place, path in enumerate(ordered):
        for label in path:
            first = places.get(label, (place, place))[0]
            places[label] = first, place
    lows, highs = _apart(len(texts), len(ordered))
    for cell, text in enumerate(texts):
        if text in places:
            lows[cell], highs[cell] = places[text][0], places[text][1] + 1
    return lows, highs


def _by_form(texts: Sequence[str], are_shown: Bools) -> tuple[Floats, Floats]:
    """Place cells by what they look like: masks, ranges of numbers, periods, or single values."""
    shown = [text for text, is_shown in zip(texts, are_shown, strict=True) if is_shown]
    if any(text.endswith(ROOT) for text in shown):
        return _by_beginning(texts)
    ends = read_ends(texts)
    if bool(ends.are_written[are_shown].all()):
        return ends.lows.copy(), ends.after
    if any(PERIOD.match(text) for text in shown):
        days = day_spans(texts)
        if not bool(np.isnan(days[are_shown]).any()):
            return days[:, 0].copy(), days[:, 1].copy()
    return _apart(len(texts), 0)


def _by_beginning(texts: Sequence[str]) -> tuple[Floats, Floats]:
    """Place masks by the part that is kept: all that begins so lies inside."""
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

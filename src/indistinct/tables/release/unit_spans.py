"""Cells and values as whole numbers, years or days, so that they can be added and subtracted."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np

from indistinct.base.arrays import Bools, Floats
from indistinct.base.hierarchy import ROOT, GeneralizationHierarchy
from indistinct.tables.core.date_hierarchies import day_spans, period_of
from indistinct.tables.release.cells import is_number, read_ends
from indistinct.tables.release.derivable import UnitSpans

PERIODS = {"month": 1, "quarter": 3, "year": 12}  # months of each
MONTHS_TO_1970 = 12 * 1970
A_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[ T].*)?")
MASKED = re.compile(r"([0-9]+)(\*+)")


def units_of_cells(
    texts: Sequence[str],
    listed: GeneralizationHierarchy | None = None,
    missing: str = "",
    *,
    are_dates: bool = False,
) -> dict[str, UnitSpans]:
    """Return where the distinct cells of a quasi-identifier lie, per unit that they have.

    Parameters
    ----------
    texts : (n_cells,), the cells
    listed : the hierarchy of a list; None where the form of a cell says what it covers
    missing : the text of a missing cell
    are_dates : whether the policy generalizes dates, so that 2024 is a year and no number
    """
    hidden = np.array([text == ROOT for text in texts], np.bool_)
    gone = np.array([text == missing for text in texts], np.bool_)
    shown = ~(hidden | gone)
    if listed is not None:
        found = dict(_by_list(texts, listed))
    else:
        found = dict(_by_form(texts, shown, are_dates=are_dates))
    spans: dict[str, UnitSpans] = {}
    for unit, (firsts, lasts) in found.items():
        if not shown.any() or np.isnan(firsts[shown]).any():
            continue
        firsts[gone], lasts[gone] = np.nan, np.nan
        firsts[hidden], lasts[hidden] = -np.inf, np.inf
        spans[unit] = UnitSpans(firsts, lasts)
    return spans


def _by_form(
    texts: Sequence[str], shown: Bools, *, are_dates: bool
) -> Iterator[tuple[str, tuple[Floats, Floats]]]:
    """Yield least and greatest numbers of cells by what they look like."""
    written = [text for text, is_shown in zip(texts, shown, strict=True) if is_shown]
    masks = [MASKED.fullmatch(text) for text in written]
    if any(masks):
        yield "number", _of_masks(texts)
        return
    are_numbers = all(map(is_number, written)) and not are_dates
    if are_numbers or any(text.startswith("[") for text in written):
        ends = read_ends(texts)
        yield "number", (np.floor(ends.lows), np.ceil(ends.after) - 1)
    elif any(period_of(text) or A_DAY.fullmatch(text) for text in written[:1]):
        days = day_spans(texts)
        yield "day", (days[:, 0].copy(), days[:, 1] - 1)
        for unit in PERIODS:
            yield unit, (_periods(days[:, 0], unit), _periods(days[:, 1] - 1, unit))


def _of_masks(texts: Sequence[str]) -> tuple[Floats, Floats]:
    """Return the numbers that digits before stars may be: as many digits as there are places."""
    firsts, lasts = np.full(len(texts), np.nan), np.full(len(texts), np.nan)
    for cell, text in enumerate(texts):
        if (found := MASKED.fullmatch(text)) is not None:
            size = 10.0 ** len(found[2])
            firsts[cell] = float(found[1]) * size
            lasts[cell] = firsts[cell] + size - 1
        elif text.isdecimal():
            firsts[cell] = lasts[cell] = float(text)
    return firsts, lasts


def _by_list(
    texts: Sequence[str], listed: GeneralizationHierarchy
) -> Iterator[tuple[str, tuple[Floats, Floats]]]:
    """Yield least and greatest numbers under the labels of a list of numbers."""
    known = np.array([is_number(value) for value in listed.values], np.bool_)
    if not known.any() or not all(
        value in {"", ROOT} or is_number(value) for value in listed.values
    ):
        return
    numbers = np.array(
        [float(value) if is_number(value) else np.nan for value in listed.values], np.float64
    )
    place = {text: cell for cell, text in enumerate(texts)}
    firsts, lasts = np.full(len(texts), np.inf), np.full(len(texts), -np.inf)
    for labels, codes in zip(listed.labels, listed.codes, strict=True):
        cells = np.array([place.get(label, -1) for label in labels])[codes]
        some = (cells >= 0) & known
        np.minimum.at(firsts, cells[some], np.floor(numbers[some]))
        np.maximum.at(lasts, cells[some], np.floor(numbers[some]))
    is_none = np.isinf(firsts)
    firsts[is_none], lasts[is_none] = np.nan, np.nan
    yield "number", (firsts, lasts)


def units_of_values(texts: Sequence[str], is_missing: Bools) -> dict[str, Floats]:
    """Return the distinct values of a column that is not generalized as numbers, per unit.

    Parameters
    ----------
    texts, is_missing : (n_values,)

    Returns
    -------
    nothing where some value is neither a number nor a date; of periods, such as quarters, the
    units of which each of them lies in one
    """
    known = [text for text, gone in zip(texts, is_missing, strict=True) if not gone]
    if not known:
        return {}
    if all(map(is_number, known)):
        return {"number": _spread(np.array(known, np.float64), is_missing)}
    are_days = all(map(A_DAY.fullmatch, known))
    if not are_days and not all(A_DAY.fullmatch(text) or period_of(text) for text in known):
        return {}
    days = day_spans(known)
    if np.isnan(days).any():
        return {}
    found = {"day": days[:, 0]} if are_days else {}
    for unit in PERIODS:
        first, last = _periods(days[:, 0], unit), _periods(days[:, 1] - 1, unit)
        if are_days or (first == last).all():
            found[unit] = first
    return {unit: _spread(own, is_missing) for unit, own in found.items()}


def _spread(known: Floats, is_missing: Bools) -> Floats:
    """Return some values with NaN at the places of those that are missing."""
    values = np.full(len(is_missing), np.nan)
    values[~is_missing] = known
    return values


def _periods(days: Floats, unit: str) -> Floats:
    """Return the number of the month, quarter or year of each day; NaN stays.

    Parameters
    ----------
    days : counted from the first day of the year 1
    """
    numbers = np.full(len(days), np.nan)
    known = ~np.isnan(days)
    moments = np.datetime64("0001-01-01") + (days[known] - 1).astype(np.int64)
    months = moments.astype("datetime64[M]").astype(np.int64) + MONTHS_TO_1970
    numbers[known] = months // PERIODS[unit]
    return numbers

"""Generalization hierarchies that a person would draw: round intervals, bands, prefixes, groups."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from indistinct.base.arrays import Floats, Ints
from indistinct.base.cells.code_shapes import common_length
from indistinct.base.hierarchy import ROOT
from indistinct.tables.core.schema import Role
from indistinct.tables.drafting.bands import of_bands
from indistinct.tables.drafting.checked import checked
from indistinct.tables.drafting.classifications import icd_9_chapter, icd_10_chapter
from indistinct.tables.drafting.codes import (
    names_codes,
    of_lengths,
    of_lost_zeros,
    of_parts,
    of_postcodes,
    of_regions,
)
from indistinct.tables.drafting.counted_column import UNSURE_NUMBERS, CountedColumn
from indistinct.tables.drafting.countries import regions_of
from indistinct.tables.drafting.date_levels import are_periods, are_years, of_dates, of_years
from indistinct.tables.drafting.drawn import FLAT, DraftedHierarchy, Rows
from indistinct.tables.drafting.times_of_day import of_times

FEW_NUMBERS = 12  # values that whole numbers of an unknown kind have at most as codes
FEW_DISEASES = 20  # below which codes that look like diseases may be others
STEPS = 12  # narrow intervals between the 5 % and the 95 % quantile
SMALL_WIDTH = 2.5  # above it, people count in fives and tens
RARE = (0.01, 0.1)  # shares below which a category is grouped with others, level by level
LONGEST_CODE = 12
LONG_CODES = 3  # digits of a whole number, from which on it may be a code
CATEGORY = 3  # characters of a category of diseases


def drawn(column: CountedColumn, kind: str = "") -> DraftedHierarchy:
    """Draw the hierarchy of a column.

    Parameters
    ----------
    column : its values
    kind : what its name says of the values: ``number``, ``nominal``, ``date``, ``place`` or empty
    """
    if not column.distinct:
        return FLAT
    shape = _drawn(column, kind)
    # Some values of many make no tree: the others would be missing in it.
    return checked(column, shape) if column.is_whole or shape.rows is None else FLAT


def _drawn(column: CountedColumn, kind: str) -> DraftedHierarchy:  # noqa: PLR0911 - one for each form of values
    """Draw the hierarchy of a column from the values at hand."""
    if column.numbers is not None:
        return of_years() if are_years(column, kind) else _of_numbers(column, kind)
    if column.like == "dates" or are_periods(column):
        return of_dates(column)
    if column.like == "bands":
        return of_bands(column.texts)
    if times := of_times(column.texts):
        return times
    if column.like == UNSURE_NUMBERS:
        return FLAT
    if postcodes := of_postcodes(column.texts):
        return postcodes
    if kind != "place" and (diseases := _of_diseases(column)):
        return diseases
    if column.type == "text" and (regions := regions_of(column.texts, column.name)):
        return _of_countries(column, regions)
    return _of_codes_or_categories(column, kind)


def _of_diseases(column: CountedColumn) -> DraftedHierarchy | None:
    """Draw the chapters of ICD-10 or ICD-9 above codes of diseases; None for others.

    Codes of other lists look like those of diseases: the name has to say what they are.
    """
    if not any(match.meaning.role == Role.SENSITIVE.value for match in column.matches):
        return None
    if column.like == "codes of ICD-10" and column.distinct >= FEW_DISEASES:
        return _of_codes(column, icd_10_chapter, "the chapters of ICD-10")
    if column.like == "codes of ICD-9" and any(text[0] in "EV" for text in column.texts):
        return _of_codes(column, icd_9_chapter, "the chapters of ICD-9")
    return None


def _of_codes_or_categories(column: CountedColumn, kind: str) -> DraftedHierarchy:
    """Draw the levels of codes, or groups of categories by frequency."""
    parts = of_parts(column.texts)
    if kind == "place" and (regions := of_regions(column.texts)):
        return regions
    length = _length_of_codes(column)
    if length and (parts is None or len((parts.rows or [()])[0]) < 4):  # noqa: PLR2004 - one part
        return DraftedHierarchy(
            "Hides characters from the right, one more per level.", rule={"mask": length}
        )
    texts = column.texts
    lost = of_lost_zeros(texts) if kind == "place" or names_codes(column.name) else None
    return of_lengths(texts) or parts or lost or _of_categories(column)


def _of_numbers(column: CountedColumn, kind: str) -> DraftedHierarchy:
    """Draw round intervals; for codes of categories groups by frequency, for postcodes prefixes."""
    is_whole = column.type == "integer"
    if not is_whole and names_codes(column.name):
        return FLAT  # a code such as 01.10 was read as a number
    few = column.distinct <= FEW_NUMBERS and kind not in {"number", "date"}
    are_codes = kind in {"nominal", "place"} or names_codes(column.name)
    if is_whole and (are_codes or (not kind and _length_of_codes(column) >= LONG_CODES)):
        return _of_codes_or_categories(column, kind)
    if is_whole and few:
        return _of_categories(column)
    assert column.numbers is not None  # noqa: S101 - as the caller has seen
    widths = round_widths(column.numbers, column.counts, is_whole=is_whole)
    if not widths:
        return FLAT
    listed = ", ".join(f"{width:g}" for width in widths)
    return DraftedHierarchy(
        f"Intervals of width {listed}; then hidden.", rule={"intervals": list(widths)}
    )


def round_widths(numbers: Floats, counts: Ints, *, is_whole: bool) -> tuple[float, ...]:
    """Choose round widths of intervals by quantiles, so that a few extremes do not stretch them.

    Parameters
    ----------
    numbers, counts : (n_values,), the distinct values, ascending, and their records
    is_whole : whether intervals narrower than 2 hold one value

    Returns
    -------
    widths 1, 5 (or below 2.5 also 2) times a power of ten and its doubles: from about a
    twelfth up to a half of the
    distance between the 5 % and the 95 % quantile

    Examples
    --------
    >>> round_widths(np.arange(18.0, 91.0), np.ones(73, np.int64), is_whole=True)
    (5.0, 10.0, 20.0)
    """
    low, high = _quantiles(numbers, counts)
    if high <= low:
        low, high = float(numbers[0]), float(numbers[-1])
    if high <= low:
        return ()
    width = _rounded(max((high - low) / STEPS, 2.0 if is_whole else 0.0))
    widths = [width]
    while widths[-1] * 2 <= (high - low) / 2:
        widths.append(widths[-1] * 2)
    return tuple(widths)


def _quantiles(numbers: Floats, counts: Ints) -> tuple[float, float]:
    """Return the numbers below and above which 5 % of the records are."""
    below = np.cumsum(counts) / counts.sum()
    low, high = np.searchsorted(below, [0.05, 0.95])
    return float(numbers[low]), float(numbers[min(high, len(numbers) - 1)])


def _rounded(width: float) -> float:
    """Round to the nearest of 1, 2, 5 or 10 times a power of ten, by ratio; 2 below 2.5 alone."""
    power = 10.0 ** math.floor(math.log10(width))
    steps = (1, 2, 5, 10) if width < SMALL_WIDTH else (1, 5, 10)
    return min((step * power for step in steps), key=lambda near: abs(math.log(near / width)))


def _of_codes(column: CountedColumn, chapter: Callable[[str], str], said: str) -> DraftedHierarchy:
    """Draw the category of three characters and the chapter above codes of diseases."""
    star = ROOT if any(len(text) == CATEGORY for text in column.texts) else ""
    rows = [
        (text, f"{text[:CATEGORY].upper()}{star}", chapter(text), ROOT) for text in column.texts
    ]
    return DraftedHierarchy(f"Categories of three characters, then {said}.", rows=rows)


def _of_countries(
    column: CountedColumn, regions: Sequence[tuple[str, str] | None]
) -> DraftedHierarchy:
    """Draw the region and the continent above countries; all other values are elsewhere."""
    elsewhere = _unused("elsewhere", column.texts)
    rows = [
        (text, *(above or (elsewhere, elsewhere)), ROOT)
        for text, above in zip(column.texts, regions, strict=True)
    ]
    return DraftedHierarchy("Regions of the world, then continents; then hidden.", rows=rows)


def _of_categories(column: CountedColumn) -> DraftedHierarchy:
    """Group rare categories under ``other``, the rarest first."""
    shares = column.counts / max(column.known, 1)
    other = _unused("other", column.texts)
    levels = [list(column.texts)]
    for limit in RARE:
        rare = shares < limit
        level = [
            other if is_rare else text for text, is_rare in zip(column.texts, rare, strict=True)
        ]
        if rare.sum() > 1 and not rare.all() and level != levels[-1]:
            levels.append(level)
    if len(levels) == 1:
        return FLAT
    rows = [(*cells, ROOT) for cells in zip(*levels, strict=True)]
    return DraftedHierarchy(f'Rare categories under "{other}"; then hidden.', rows=rows)


def _unused(label: str, texts: Sequence[str]) -> str:
    """Return a label that is no value."""
    taken = {text.strip().lower() for text in texts}
    return next(
        one for one in (label, f"{label} values", f"{label} categories") if one not in taken
    )


def _length_of_codes(column: CountedColumn) -> int:
    """Return the length that nearly all records of codes have, half of it digits; 0 for others."""
    length = common_length(column.texts, column.counts.tolist()) or 0
    if not 1 < length <= LONGEST_CODE or len(column.texts) < 2:  # noqa: PLR2004 - one value
        return 0
    usual = [text for text in column.texts if len(text) == length]
    digits = sum(character.isdigit() for text in usual for character in text)
    are_codes = all(" " not in text for text in usual) and 2 * digits >= len(usual) * length
    return length if are_codes else 0


def with_missing(rows: Rows, word: str) -> Rows:
    """Add a row for the missing value, which keeps a label of its own below the root."""
    return [*rows, (*[word] * (len(rows[0]) - 1), ROOT)]

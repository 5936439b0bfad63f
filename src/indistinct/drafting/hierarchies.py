"""Generalization hierarchies that a person would draw: round intervals, bands, prefixes, groups."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from indistinct.core.arrays import Floats, Ints
from indistinct.core.date_hierarchies import is_date
from indistinct.core.hierarchy import ROOT
from indistinct.drafting.classifications import icd_9_chapter, icd_10_chapter
from indistinct.drafting.countries import regions_of
from indistinct.drafting.evidence import UNSURE_NUMBERS, Evidence
from indistinct.engines.partial_dates import year_of
from indistinct.engines.plain_columns import days_of

LONG = 12  # values of a hierarchy that is still written into the policy itself
FEW_NUMBERS = 12  # values that whole numbers of an unknown kind have at most as codes
FEW_DISEASES = 20  # below which codes that look like diseases may be others
STEPS = 12  # narrow intervals between the 5 % and the 95 % quantile
SMALL_WIDTH = 2.5  # above it, people count in fives and tens
RARE = (0.01, 0.1)  # shares below which a category is grouped with others, level by level
LONGEST_CODE = 12
FIRST_NUMBER = re.compile(r"\d+(\.\d+)?")
BAND_ENDS = re.compile(
    r"^(\D*)(\d+(?:\.\d+)?)(\s*(?:-|\u2013|to|,|bis|do)\s*)(\d+(?:\.\d+)?)(\D*)$"
)

Rows = list[tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class DraftedHierarchy:
    """A hierarchy for the draft of a policy.

    Parameters
    ----------
    rule : the words of ``hierarchy`` in a policy, for intervals, masks and dates
    rows : else one per value, level 0 first; none where a value is kept or hidden
    said : what it does, in a sentence
    """

    said: str
    rule: Mapping[str, object] | None = None
    rows: Rows | None = None

    @property
    def is_long(self) -> bool:
        """Whether its rows are too many to stand in the policy itself."""
        return self.rows is not None and len(self.rows) > LONG


FLAT = DraftedHierarchy("Without a hierarchy, a value is kept or hidden.")


def drawn(column: Evidence, kind: str = "") -> DraftedHierarchy:
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
    return shape if column.is_whole or shape.rows is None else FLAT


def _drawn(column: Evidence, kind: str) -> DraftedHierarchy:  # noqa: PLR0911 - one for each form of values
    """Draw the hierarchy of a column from the values at hand."""
    if column.numbers is not None:
        return _of_numbers(column, kind)
    if column.like == "dates":
        return _of_dates(column)
    if column.like == "bands":
        return _of_bands(column)
    if column.like == UNSURE_NUMBERS:
        return FLAT
    if column.like == "codes of ICD-10" and column.distinct >= FEW_DISEASES:
        return _of_codes(column, icd_10_chapter, "the chapters of ICD-10")
    if column.like == "codes of ICD-9" and any(text[0] in "EV" for text in column.texts):
        return _of_codes(column, icd_9_chapter, "the chapters of ICD-9")
    if column.like == "codes of NUTS" and kind == "place":
        return DraftedHierarchy(
            "Hides the codes from the right: region, larger region, country.",
            rule={"mask": max(map(len, column.texts)) - 2},
        )
    if column.type == "text" and (regions := regions_of(column.texts, column.name)):
        return _of_countries(column, regions)
    if _are_even_codes(column.read):
        return DraftedHierarchy(
            "Hides characters from the right, one more per level.",
            rule={"mask": len(column.texts[0])},
        )
    return _of_categories(column)


def _of_numbers(column: Evidence, kind: str) -> DraftedHierarchy:
    """Draw round intervals; for codes of categories groups by frequency, for postcodes prefixes."""
    is_whole = column.type == "integer"
    if is_whole and kind == "place" and _are_even_codes(column.read):
        return DraftedHierarchy(
            "Hides digits from the right, one more per level.", rule={"mask": len(column.texts[0])}
        )
    few = column.distinct <= FEW_NUMBERS and kind not in {"number", "date"}
    if is_whole and (kind in {"nominal", "place"} or few):
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


def _of_dates(column: Evidence) -> DraftedHierarchy:
    """Draw months, years and decades; of dates of which only the years are sure, those alone."""
    if all(is_date(text) for text in column.texts):
        years = int(column.texts[-1][:4]) - int(column.texts[0][:4])
        steps = ["month", "quarter", "year"] if years < 10 else ["month", "year", "decade"]  # noqa: PLR2004
        return DraftedHierarchy(
            f"{', '.join(steps).capitalize()}; then hidden.", rule={"dates": steps}
        )
    days = days_of(column.texts, column.counts)
    if days is not None:
        rows = [
            (text, day[:7], day[:4], f"{day[:3]}0s", ROOT)
            for text, day in zip(column.texts, days, strict=True)
        ]
        return DraftedHierarchy("Month, year, decade; then hidden.", rows=rows)
    years = [year_of(text) for text in column.texts]
    rows = [
        (text, f"{year:04d}", f"{year // 10 * 10:04d}s", ROOT)
        for text, year in zip(column.texts, years, strict=True)
        if year is not None
    ]
    if len(rows) < len(years):
        return FLAT
    return DraftedHierarchy("Year, decade; then hidden.", rows=rows)


def _of_bands(column: Evidence) -> DraftedHierarchy:
    """Draw larger bands over bands, neighbors together."""
    bands = sorted(column.texts, key=_start)
    if len(bands) < 3:  # noqa: PLR2004 - two bands together are all
        return FLAT
    levels = [bands]
    width = 2
    while width < len(bands):
        grouped = [bands[i : i + width] for i in range(0, len(bands), width)]
        levels.append([_joined(group) for group in grouped for _ in group])
        width *= 2
    rows = [(*cells, ROOT) for cells in zip(*levels, strict=True)]
    return DraftedHierarchy("Neighboring bands together; then hidden.", rows=rows)


def _start(band: str) -> tuple[float, int]:
    """Return the place of a band among others: by its first number, those below it first."""
    found = FIRST_NUMBER.search(band)
    number = float(found[0]) if found else -math.inf
    side = -1 if band.strip()[:1] in "<≤" else 1 if band.strip()[:1] in ">≥" else 0
    return number, side


def _joined(bands: Sequence[str]) -> str:
    """Name neighboring bands together, as one band where they are written alike."""
    first, last = bands[0].strip(), bands[-1].strip()
    if len(bands) == 1:
        return bands[0]
    low, high = BAND_ENDS.match(first), BAND_ENDS.match(last)
    if low and high:
        return f"{low[1]}{low[2]}{low[3]}{high[4]}{high[5]}"
    return f"{first} to {last}"


def _of_codes(column: Evidence, chapter: Callable[[str], str], said: str) -> DraftedHierarchy:
    """Draw the category of three characters and the chapter above codes of diseases."""
    rows = [(text, text[:3], chapter(text), ROOT) for text in column.texts]
    return DraftedHierarchy(f"Categories of three characters, then {said}.", rows=rows)


def _of_countries(column: Evidence, regions: Sequence[tuple[str, str] | None]) -> DraftedHierarchy:
    """Draw the region and the continent above countries; all other values are elsewhere."""
    elsewhere = _unused("elsewhere", column.texts)
    rows = [
        (text, *(above or (elsewhere, elsewhere)), ROOT)
        for text, above in zip(column.texts, regions, strict=True)
    ]
    return DraftedHierarchy("Regions of the world, then continents; then hidden.", rows=rows)


def _of_categories(column: Evidence) -> DraftedHierarchy:
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


def _are_even_codes(texts: Sequence[str]) -> bool:
    """Return whether texts are codes of one length, at least half of it digits."""
    lengths = {len(text) for text in texts}
    if len(lengths) != 1 or not 1 < max(lengths) <= LONGEST_CODE or len(texts) < 2:  # noqa: PLR2004
        return False
    digits = sum(character.isdigit() for text in texts for character in text)
    return all(" " not in text for text in texts) and 2 * digits >= len(texts) * max(lengths)


def with_missing(rows: Rows, word: str) -> Rows:
    """Add a row for the missing value, which keeps a label of its own below the root."""
    return [*rows, (*[word] * (len(rows[0]) - 1), ROOT)]

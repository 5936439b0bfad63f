"""Columns whose cells are lists of items: which separator they have, and what the items are."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from indistinct.base.brief import short_repr
from indistinct.base.hierarchy import ROOT
from indistinct.tables.drafting.classifications import icd_9_chapter, icd_10_chapter
from indistinct.tables.drafting.values import ALMOST_ALL, ICD_9, ICD_10, OF_PEOPLE, look_like
from indistinct.tables.frames.distinct_values import DistinctValues

SEPARATORS = ";|,/+ "
ONLY_CODES = " "  # a separator of which words would be items, too
FEWEST_CELLS = 20  # different cells with several items, below which they may be names of categories
OFTEN = 0.05  # share of the records that have several items
AT_ANY_PLACE = 0.5  # share of the occurrences whose item stands first in one cell, later in another
REPEATS = 2.0  # occurrences of an item on average, at least
LONGEST_ITEM, MOST_WORDS = 25, 3
MOST_CELLS = 20_000  # different cells that are looked at
FEWEST_CODES = 5  # different items that can be told to be codes
THOUSANDS = re.compile(r"\d{1,3}(,\d{3})+")
PREFIXES = 2  # levels above codes of one length

Rows = list[tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class ItemSets:
    """The items of a column of lists.

    Parameters
    ----------
    separator : between the items of a cell
    records : records with each item
    mean : items of a record, on average, those without an item left aside
    are_lists : whether the table itself has lists, and no texts
    """

    separator: str
    records: Counter[str]
    mean: float
    are_lists: bool = False

    __repr__ = short_repr

    @property
    def items(self) -> list[str]:
        """The different items, in order."""
        return sorted(self.records)

    @property
    def codes(self) -> str:
        """The classification of diseases whose codes the items are; empty where they are none."""
        items = self.items
        if len(items) < FEWEST_CODES:
            return ""
        if _share(ICD_10, items) >= ALMOST_ALL and len({item[0] for item in items}) >= FEWEST_CODES:
            return "ICD-10"
        # Whole numbers of three digits may be anything; a point or a letter makes them codes.
        is_distinctive = any("." in item or item[0] in "EV" for item in items)
        return "ICD-9" if is_distinctive and _share(ICD_9, items) >= ALMOST_ALL else ""

    @property
    def of_people(self) -> str | None:
        """What of a person the items are, such as telephone numbers."""
        return look_like(self.items, OF_PEOPLE)

    def hierarchy(self) -> tuple[Rows | None, str]:
        """Draw the hierarchy of the items.

        Returns
        -------
        a row per item, the item first and the root last, or None; and what it does, in a sentence
        """
        items = self.items
        if self.codes:
            said = f"Categories, groups of ten of them, then the chapters of {self.codes}."
            return [_of_code(item, self.codes) for item in items], said
        if _are_even_codes(items):
            return _prefixes(items), "Codes that begin alike together."
        said = "Without a hierarchy an item is kept or hidden; give the groups of the items."
        return None, said


def item_sets(values: DistinctValues, separator: str | None) -> ItemSets | None:
    """Return whether cells are lists of items.

    Parameters
    ----------
    values : the cells that are no missing ones, as texts
    separator : of texts that come from lists; None where nothing says that they are lists

    Returns
    -------
    the items; None where the cells are single values

    Notes
    -----
    Texts are lists where a separator stands in many cells, where the parts are short and come
    again, and where a part that stands first in some cell stands later in others. The parts of
    names, addresses, dates and numbers have a place of their own.
    """
    cells, records = _some(values)
    if separator is not None:
        return _counted(cells, records, separator, are_lists=True)
    for mark in SEPARATORS:
        with_mark = np.array([mark in cell for cell in cells], np.bool_)
        enough = with_mark.sum() >= FEWEST_CELLS
        if not enough or records[with_mark].sum() < OFTEN * records.sum():
            continue
        found = _counted(cells, records, mark)
        if _are_items(cells, found):
            return found
    return None


def _some(values: DistinctValues) -> tuple[list[str], np.ndarray]:
    """Return different cells and their records, evenly spaced where they are too many."""
    step = max(1, -(-len(values.texts) // MOST_CELLS))
    return list(values.texts[::step]), values.records[::step]


def _parts(cell: str, separator: str) -> list[str]:
    """Split a cell; empty parts do not count."""
    return [part for one in cell.split(separator) if (part := one.strip())]


def _counted(
    cells: Sequence[str], records: np.ndarray, separator: str, *, are_lists: bool = False
) -> ItemSets:
    """Count the records of each item."""
    counts = Counter[str]()
    for cell, times in zip(cells, records.tolist(), strict=True):
        for part in dict.fromkeys(_parts(cell, separator)):
            counts[part] += times
    return ItemSets(separator, counts, counts.total() / max(int(records.sum()), 1), are_lists)


def _are_items(cells: Sequence[str], found: ItemSets) -> bool:
    """Return whether the parts of cells are items, and not the parts of one value."""
    items = found.items
    if len(items) < FEWEST_CODES or found.records.total() < REPEATS * len(items):
        return False
    if found.separator in ONLY_CODES and not found.codes:
        return False
    short = sum(len(item) <= LONGEST_ITEM and len(item.split()) <= MOST_WORDS for item in items)
    if short < ALMOST_ALL * len(items) or _are_numbers(cells, found):
        return False
    return _share_at_any_place(cells, found.separator) >= AT_ANY_PLACE


def _are_numbers(cells: Sequence[str], found: ItemSets) -> bool:
    """Return whether cells are numbers with a comma, or two numbers such as a ratio."""
    several = [cell for cell in cells if found.separator in cell]
    if not all(item.isdecimal() for cell in several for item in _parts(cell, found.separator)):
        return False
    most = max(cell.count(found.separator) for cell in several)
    return most < 2 or all(THOUSANDS.fullmatch(cell) for cell in cells if "," in cell)  # noqa: PLR2004 - two separators, three numbers


def _share_at_any_place(cells: Sequence[str], separator: str) -> float:
    """Return the share of occurrences whose item stands first in some cell and later in some."""
    lists = [_parts(cell, separator) for cell in cells]
    first = {own[0] for own in lists if own}
    later = {part for own in lists for part in own[1:]}
    several = [part for own in lists if len(own) > 1 for part in own]
    return sum(part in first and part in later for part in several) / max(len(several), 1)


def _of_code(code: str, classification: str) -> tuple[str, ...]:
    """Return the category, the group of ten and the chapter above a code of diseases.

    Examples
    --------
    >>> _of_code("E11.9", "ICD-10")
    ('E11.9', 'E11.-', 'E10-E19', 'endocrine and metabolic', '*')
    """
    if classification == "ICD-10":
        category, chapter = code[:3], icd_10_chapter(code)
    else:
        category, chapter = code.partition(".")[0], icd_9_chapter(code)
    ten = category[:-1]
    return code, f"{category}.-", f"{ten}0-{ten}9", chapter, ROOT


def _share(pattern: re.Pattern[str], texts: Sequence[str]) -> float:
    """Return the share of texts that have a form."""
    return sum(pattern.fullmatch(text) is not None for text in texts) / max(len(texts), 1)


def _are_even_codes(items: Sequence[str]) -> bool:
    """Return whether items are codes of one length with a digit at least, and many begin alike."""
    lengths = {len(item) for item in items}
    if len(lengths) != 1 or not min(lengths) > PREFIXES or len(items) < FEWEST_CELLS:
        return False
    has_digits = all(any(mark.isdigit() for mark in item) for item in items)
    return has_digits and len({item[:-1] for item in items}) < len(items)


def _prefixes(items: Sequence[str]) -> Rows:
    """Hide the last characters of codes of one length, one more per level."""
    length = len(items[0])
    return [(item, *_hidden(item, length), ROOT) for item in items]


def _hidden(item: str, length: int) -> Iterator[str]:
    """Yield the first characters of a code, the others hidden."""
    for kept in range(length - 1, max(length - 1 - PREFIXES, 0), -1):
        yield item[:kept] + "*" * (length - kept)

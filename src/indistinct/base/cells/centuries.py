"""The century of years of two digits, by the other dates of the records."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from indistinct.base.cells.shares import FEW, FEWEST

LAST_YEAR = 2029  # of two digits, where nothing is known: 1930 to 2029
CENTURY = 100
OLDEST = 115  # years from a birth to another date of the same record
# Parts of names that say that dates are births, in several languages.
BIRTH = re.compile(
    r"birth|born|(?:^|[^a-z])dob(?:$|[^a-z])|(?:^|[^a-z])geb(?:$|[^a-z])|gebdat|gebor|geburt|naiss"
    r"|nacim|nacid|nasc|urodz|naroz|narozen|f[øo]d(?:t|sel|elsedag)|syntym|sz[üu]let|do[ğg]um|lahir",
    re.IGNORECASE,
)

Pairs = Mapping[tuple[int, int], int]  # records of a year of two digits beside a year of four


@dataclass(frozen=True, slots=True)
class Century:
    """What years of two digits mean.

    Parameters
    ----------
    last_year : that they may mean; the first is 99 years before
    bad : records that contradict it
    years : (n_different,), what the different ones mean
    """

    last_year: int
    bad: int
    years: tuple[int, ...]


def whole_year(year: int, last_year: int) -> int:
    """Return the year that two digits mean.

    Examples
    --------
    >>> whole_year(16, 1960), whole_year(16, 2029), whole_year(61, 1960)
    (1916, 2016, 1861)
    """
    return last_year - (last_year - year) % CENTURY


def centuries(
    records: Mapping[int, int], beside: Sequence[Pairs], today: int
) -> tuple[Century, ...]:
    """Return what years of birth with two digits may mean: one reading, or those left to ask for.

    A birth is at most the year of every other date of its record, and at most 115 years before.

    Parameters
    ----------
    records : of each year of two digits
    beside : per column of other dates, the records of each pair of years
    today : the year

    Returns
    -------
    the readings that nothing contradicts: first that of the fewest contradictions and the latest
    years, then those whose years are nearest to each other
    """
    known = sorted(records)
    found: dict[tuple[int, ...], Century] = {}
    for last_year in range(today - CENTURY + 1, today + 1):
        years = tuple(whole_year(year, last_year) for year in known)
        if years not in found:
            found[years] = Century(last_year, _contradictions(beside, last_year), years)
    ranked = sorted(found.values(), key=lambda one: (one.bad, -sum(one.years)))
    best = ranked[0]
    others = [one for one in ranked[1:] if _may_be(one, best, known, records)]
    return best, *sorted(others, key=lambda one: max(one.years) - min(one.years))


def _contradictions(beside: Sequence[Pairs], last_year: int) -> int:
    """Count the pairs in which a birth is after the other date, or too long before it."""
    return sum(
        count
        for pairs in beside
        for (short, other), count in pairs.items()
        if not 0 <= other - whole_year(short, last_year) <= OLDEST
    )


def _may_be(one: Century, best: Century, known: Sequence[int], records: Mapping[int, int]) -> bool:
    """Return whether a reading differs from the best one, and no records contradict it.

    The share is over the records that the two read differently.
    """
    differing = sum(
        records[short]
        for short, year, other in zip(known, one.years, best.years, strict=True)
        if year != other
    )
    return differing >= FEWEST and one.bad - best.bad < max(FEWEST, FEW * differing)


def per_decade(records: Mapping[int, int], last_year: int) -> str:
    """Return how many records each decade has in a reading, as a sentence has it."""
    decades: Counter[int] = Counter()
    for short, count in records.items():
        decades[whole_year(short, last_year) // 10 * 10] += count
    return ", ".join(f"{decade}s {count:,}" for decade, count in sorted(decades.items()))

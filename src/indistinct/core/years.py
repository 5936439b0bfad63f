"""Which whole numbers are years: by the name of their column, and by their range."""

from __future__ import annotations

import re

FIRST_YEAR, LAST_YEAR = 1850, 2100
CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
# Words of a name that say that its numbers are years.
A_YEAR = re.compile(
    r"(?:^|[^a-zñé])(?:year|yr|yob|jahr|jahrgang|ann[eé]e|an|anio|ano|año|rok|roku|born|birth"
    r"|naissance|nacimiento|since|seit|depuis|desde|od)(?:$|[^a-zñé])"
    r"|(?:year|jahr|jahrgang)(?:$|[^a-z])"
)


def names_a_year(name: str) -> bool:
    """Return whether the name of a column says that its numbers are years.

    Examples
    --------
    >>> names_a_year("birthYear"), names_a_year("Geburtsjahr"), names_a_year("yearly_income")
    (True, True, False)
    """
    return A_YEAR.search(CAMEL.sub(" ", name).lower()) is not None


def are_in_range(least: float, greatest: float) -> bool:
    """Return whether numbers between two ends may be years of people and events."""
    return least >= FIRST_YEAR and greatest <= LAST_YEAR

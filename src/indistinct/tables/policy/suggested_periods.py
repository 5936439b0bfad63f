"""Which periods stand above dates, months, quarters and years where nobody wrote a hierarchy.

Whole numbers are years by the name of their column, and by their range.
"""

from __future__ import annotations

import re

from indistinct.tables.core.date_hierarchies import MOMENT, is_date, precision_of
from indistinct.tables.frames.tuples import EncodedColumn
from indistinct.tables.policy.sections.hierarchy import PeriodSteps

PERIODS_ABOVE: dict[str, PeriodSteps] = {
    MOMENT: ("month", "quarter", "year", "decade"),
    "day": ("month", "quarter", "year", "decade"),
    "month": ("quarter", "year", "decade"),
    "quarter": ("year", "decade"),
    "year": ("decade",),
    "decade": (),
}
FIRST_YEAR, LAST_YEAR = 1850, 2100
CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
# Words of a name that say that its numbers are years.
A_YEAR = re.compile(
    r"(?:^|[^a-zñé])(?:year|yr|yob|jahr|jahrgang|ann[eé]e|an|anio|ano|año|rok|roku|born|birth"
    r"|naissance|nacimiento|since|seit|depuis|desde|od)(?:$|[^a-zñé])"
    r"|(?:year|jahr|jahrgang)(?:$|[^a-z])"
)


def suggested_periods(name: str, column: EncodedColumn) -> PeriodSteps | None:
    """Return the periods above dates, or above months, quarters or years; None above other values.

    Numbers are years where the name of the column says so. A decade has no period above it.
    """
    known = [t for t, gone in zip(column.texts, column.is_missing, strict=True) if not gone]
    finest = precision_of(known[0]) if known else None
    if finest is None or any(precision_of(text) != finest for text in known):
        is_day = finest in {"day", MOMENT} and all(is_date(text) for text in known)
        return PERIODS_ABOVE["day"] if is_day else None
    if finest == "year":
        years = [float(text) for text in known]
        if not (names_a_year(name) and are_in_range(min(years), max(years))):
            return None
    return PERIODS_ABOVE.get(finest)


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

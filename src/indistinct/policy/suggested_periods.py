"""Which periods stand above dates, months, quarters and years where nobody wrote a hierarchy."""

from __future__ import annotations

from indistinct.core.date_hierarchies import MOMENT, is_date, precision_of
from indistinct.core.years import are_in_range, names_a_year
from indistinct.engines.tuples import EncodedColumn
from indistinct.policy.sections.hierarchy import PeriodSteps

PERIODS_ABOVE: dict[str, PeriodSteps] = {
    MOMENT: ("month", "quarter", "year", "decade"),
    "day": ("month", "quarter", "year", "decade"),
    "month": ("quarter", "year", "decade"),
    "quarter": ("year", "decade"),
    "year": ("decade",),
    "decade": (),
}


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

"""Which hierarchy the values of a column suggest that has none in the policy: said once more.

Verification uses this and nothing of what made the release. The rule is told in the docs: about
sixteen intervals over the range of numbers, periods of dates, masks of codes, nothing for words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import takewhile

from indistinct.errors import Fault
from indistinct.tables.frames.frame import Column
from indistinct.tables.frames.small_columns import are_among, distinct, present_cells
from indistinct.tables.policy.sections.hierarchy import HierarchyRule, PeriodSteps
from indistinct.tables.reading.column_types import with_types_of_texts
from indistinct.tables.verification.evidence import CheckedRelease
from indistinct.tables.verification.periods import is_day
from indistinct.tables.verification.texts import HIDDEN, text_as_read

FIRST_INTERVALS = 16  # over the whole range, at most
LONGEST_CODE = 12
POSTCODE = re.compile(r"(?:^|[^a-z])(?:zip|postcode|postal|plz)(?:$|[^a-z])")
STEPS: PeriodSteps = ("month", "quarter", "year", "decade")
FORMS_OF_PERIODS: tuple[tuple[re.Pattern[str], PeriodSteps], ...] = (
    (re.compile(r"\d{4}-(?:0[1-9]|1[0-2])", re.ASCII), STEPS[1:]),
    (re.compile(r"\d{4}-Q[1-4]", re.ASCII), STEPS[2:]),
    (re.compile(r"\d{3}0s", re.ASCII), ()),
)
YEAR = re.compile(r"\d{4}(?:\.0)?", re.ASCII)
WORDS = (
    "year yr yob jahr jahrgang annee année an anio ano año rok roku born birth naissance "
    "nacimiento since seit depuis desde od"
)
YEAR_NAME = re.compile(
    rf"(?<![a-zñé])(?:{WORDS.replace(' ', '|')})(?![a-zñé])|(?:year|jahr|jahrgang)(?![a-z])"
)
NARROWEST = 1e-9  # labels have ten decimals, which do not show what is narrower
NEARLY = 1 - 1e-9  # a width that was rounded may be a little short of the round one


def suggestion_faults(evidence: CheckedRelease) -> Iterator[Fault]:
    """Find rules that nobody wrote and that the shown cells do not suggest.

    Parameters
    ----------
    evidence : with the input and the crosswalk, else nothing is found
    """
    if evidence.rows is None or evidence.original is None or evidence.weights is not None:
        return
    for name in evidence.spec.suggested_names:
        rule, before = evidence.spec.columns[name].hierarchy, evidence.before(name)
        # Where no rule agreed with what it shows, values are kept or hidden.
        if rule is None or rule.ranges or rule.labels is not None or before is None:
            continue
        # An empty cell is missing, or stands for a hidden one among midpoints.
        is_shown = ~are_among(evidence.release[name], [HIDDEN, ""])
        shown = before[list(evidence.rows)].filter(is_shown)
        if shown.null_count() == len(shown) or rule == suggested_rule(shown):
            continue
        read = with_types_of_texts(shown.to_frame(), ()).to_series()
        if rule != suggested_rule(read):
            yield Fault(
                f"manifest.policy.columns.{name}.hierarchy",
                "is not what the shown cells suggest, so that it may tell of others",
                "Make the release again, or write the hierarchy into the policy.",
            )


def suggested_rule(column: Column) -> HierarchyRule | None:
    """Choose a rule by the values of a column: intervals, dates, a mask, or none for words.

    Parameters
    ----------
    column : with its name, which may say that its numbers are postcodes; missing values as null
    """
    values = present_cells(distinct(column))
    if (steps := _steps_above(column.name, text_as_read(values).to_list())) is not None:
        return HierarchyRule(dates=steps) if steps else None
    is_number = column.dtype.is_numeric()
    if is_number and POSTCODE.search(column.name.lower()) is None:
        widths = _widths([float(value) for value in values.to_list()])
        return HierarchyRule(intervals=widths) if widths else None
    texts: list[str] = text_as_read(values).to_list()
    length = len(texts[0]) if texts else 0
    are_codes = len(texts) > 1 and all(len(text) == length and _is_code(text) for text in texts)
    return HierarchyRule(mask=length) if are_codes and 1 < length <= LONGEST_CODE else None


def _steps_above(name: str, texts: list[str]) -> PeriodSteps | None:
    """Return the periods above days, months, quarters, years or decades; None above others."""
    if not texts:
        return None
    if all(is_day(text) for text in texts):
        return STEPS
    if all(YEAR.fullmatch(text) for text in texts):
        years = [float(text) for text in texts]
        is_declared = (
            YEAR_NAME.search(re.sub(r"([a-z])([A-Z])", r"\1 \2", name).lower()) is not None
        )
        return STEPS[3:] if is_declared and min(years) >= 1850 and max(years) <= 2100 else None  # noqa: PLR2004
    for form, steps in FORMS_OF_PERIODS:
        if all(form.fullmatch(text) for text in texts):
            return steps
    return None


def _widths(numbers: list[float]) -> tuple[float, ...]:
    """Return widths that nest: first a round number, each twice the last, up to half the range."""
    spread = max(numbers, default=0.0) - min(numbers, default=0.0)
    if not spread:
        return ()
    finest = _round_up(spread / FIRST_INTERVALS)
    if finest < NARROWEST:
        return ()
    if all(number.is_integer() for number in numbers):
        finest = max(finest, 1.0)
    doubled = (finest * 2**step for step in range(FIRST_INTERVALS))
    widths = tuple(takewhile(lambda width: width == finest or 2 * width <= spread, doubled))
    # Intervals of width 1 would be the whole numbers themselves.
    return (widths[1:] or (2 * finest,)) if finest == 1 else widths


def _round_up(width: float) -> float:
    """Return the least of 1, 2 and 5 times a power of ten that is not below a width."""
    exponent = int(f"{width:e}".partition("e")[2])
    rounds = (float(f"{digit}e{power}") for power in (exponent - 1, exponent, exponent + 1)
              for digit in (1, 2, 5))  # fmt: skip
    return next(one for one in rounds if one >= width * NEARLY)


def _is_code(text: str) -> bool:
    """Return whether a text may be a code: no space in it, and half of it digits or more."""
    return " " not in text and sum(character.isdigit() for character in text) * 2 >= len(text)

"""Labels that read as a range or a period in which values below them do not lie."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation

from indistinct.core.hierarchy import MAX_EXAMPLES, GeneralizationHierarchy
from indistinct.errors import Fault, HierarchyError

RANGE = re.compile(r"\[([+-]?[0-9][^,\s]*), ([+-]?[0-9][^,\s]*)([\])])")
PERIOD = re.compile(r"(?P<year>[0-9]{4})(?:-(?P<month>0[1-9]|1[0-2])|-Q(?P<quarter>[1-4]))?")
DECADE = re.compile(r"([0-9]{3})0s")
DAY_OR_MONTH = re.compile(r"([0-9]{4})-(0[1-9]|1[0-2])(?:-[0-9]{2}(?:[ T].*)?)?")


def refuse_false_labels(hierarchy: GeneralizationHierarchy) -> None:
    """Refuse a list whose labels say of the values below them what is not so.

    Raises
    ------
    HierarchyError
        when a range does not contain a number below it, or a period a date below it
    """
    false = tuple(dict.fromkeys(_false_labels(hierarchy)))
    if false:
        problem = (
            "has labels that read as a range or a period in which values below them do not lie: "
            f"{len(false)}"
        )
        remedy = "Correct these labels, or give the groups names that are not ranges or dates."
        raise HierarchyError([Fault("", problem, remedy, false[:MAX_EXAMPLES])])


def _false_labels(hierarchy: GeneralizationHierarchy) -> Iterator[str]:
    """Find labels that are false of a value below them."""
    for codes, labels in zip(hierarchy.codes[1:], hierarchy.labels[1:], strict=True):
        may_be_false = [_is_range_or_period(label) for label in labels]
        if any(may_be_false):
            numbers: list[int] = codes.tolist()
            for value, code in zip(hierarchy.values, numbers, strict=True):
                if may_be_false[code] and not _is_true(labels[code], value):
                    yield labels[code]


def _is_range_or_period(label: str) -> bool:
    """Return whether whoever reads a label takes it for a range of numbers or a period."""
    return any(form.fullmatch(label) for form in (RANGE, PERIOD, DECADE))


def _is_true(label: str, value: str) -> bool:
    """Return whether a value may lie in a range or period; whatever is no number or date may."""
    if ends := RANGE.fullmatch(label):
        try:
            low, high, number = Decimal(ends[1]), Decimal(ends[2]), Decimal(value)
            return low <= number <= high if ends[3] == "]" else low <= number < high
        except InvalidOperation:
            return True
    day = DAY_OR_MONTH.fullmatch(value)
    if day is None:
        return True
    if decade := DECADE.fullmatch(label):
        return day[1].startswith(decade[1])
    period = PERIOD.fullmatch(label)
    assert period is not None  # noqa: S101 - it is one of the three
    month = int(day[2])
    is_in_month = period["month"] is None or int(period["month"]) == month
    is_in_quarter = period["quarter"] is None or int(period["quarter"]) == (month + 2) // 3
    return day[1] == period["year"] and is_in_month and is_in_quarter

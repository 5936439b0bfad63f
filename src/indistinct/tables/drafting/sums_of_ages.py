"""Ages and years of which a year of birth is the difference, whatever else their names say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from indistinct.base.arrays import Floats
from indistinct.base.coded_text import CodedText, sentence
from indistinct.tables.core.schema import Role
from indistinct.tables.drafting.counted_column import CountedColumn
from indistinct.tables.drafting.evidence.of_names import AGES, NameOfColumn
from indistinct.tables.drafting.evidence.value_tests import FIRST_YEAR, LAST_YEAR, OLDEST
from indistinct.tables.drafting.joint import Joint, RecordsInMemory
from indistinct.tables.drafting.roles import Suggestion

NEARLY_ALL = 0.95  # of the records that have all three
OFF_BY = 1.0  # a birthday later in the year
BIRTH = "a date of birth"


def sums_of_ages(
    columns: Sequence[CountedColumn], found: Sequence[Suggestion], joint: Joint
) -> Iterator[tuple[int, CodedText]]:
    """Yield the places of undecided ages and years that a year of birth follows from.

    Parameters
    ----------
    found : the suggestions for the columns
    joint : the records; those that an engine counts are not looked at
    """
    if not isinstance(joint, RecordsInMemory):
        return
    births = [place for place, one in enumerate(columns) if _is_birth(one)]
    is_open = [one.role is Role.UNDECIDED for one in found]
    ages = [place for place, one in enumerate(columns) if is_open[place] and _is_age(one)]
    years = [place for place, one in enumerate(columns) if place not in births and _are_years(one)]
    for birth in births[:1]:
        for age in ages:
            for year in years:
                some = [columns[place] for place in (birth, year, age)]
                n_right, n_all = _counted(some, joint)
                if n_all and n_right >= NEARLY_ALL * n_all:
                    said = sentence(
                        "sum-of-ages",
                        '"{column}" is "{year}" less "{age}" in {count:,} of {of:,} records, so '
                        "that whoever knows one of them knows more.",
                        column=some[0].name,
                        year=some[1].name,
                        age=some[2].name,
                        count=n_right,
                        of=n_all,
                    )
                    yield age, said
                    if is_open[year]:
                        yield year, said


def _is_birth(column: CountedColumn) -> bool:
    """Return whether a column holds years of birth."""
    return _are_years(column) and any(match.meaning.name == BIRTH for match in column.matches)


def _are_years(column: CountedColumn) -> bool:
    """Return whether all values are years."""
    numbers = column.numbers
    return (
        numbers is not None
        and len(numbers) > 0
        and bool(numbers[0] >= FIRST_YEAR and numbers[-1] <= LAST_YEAR)
    )


def _is_age(column: CountedColumn) -> bool:
    """Return whether a column is named as ages, and can be ages."""
    numbers = column.numbers
    is_named = bool(NameOfColumn(column).parts & AGES)
    return is_named and numbers is not None and len(numbers) > 0 and bool(numbers[-1] <= OLDEST)


def _counted(columns: Sequence[CountedColumn], joint: RecordsInMemory) -> tuple[int, int]:
    """Count the records in which the year is birth and age, and those that have all three."""
    birth, year, age = (_numbers(column, joint) for column in columns)
    known = np.isfinite(birth) & np.isfinite(year) & np.isfinite(age)
    right = np.abs(year[known] - age[known] - birth[known]) <= OFF_BY
    return int(right.sum()), int(known.sum())


def _numbers(column: CountedColumn, joint: RecordsInMemory) -> Floats:
    """Return the number of each record; not a number where it is missing."""
    values = np.array([*map(float, column.texts), np.nan])
    return values[np.minimum(joint.codes[column.name], len(column.texts))]

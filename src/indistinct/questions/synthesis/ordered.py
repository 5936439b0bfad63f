"""Rules that a number or date is at most another one: what they mean for codes and for records."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

import numpy as np

from indistinct.base.arrays import Bools, Ints
from indistinct.errors import Fault
from indistinct.questions.database.dataset import Dataset
from indistinct.questions.synthesis.domain import CodedColumn

PLACE = "synthesis.rules"
# Dates and moments of one of these forms are in order as texts.
DATES = (
    r"\d{4}",
    r"\d{4}-\d{2}",
    r"\d{4}-\d{2}-\d{2}",
    r"\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}",
    r"\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}:\d{2}",
)
ValueSpan = tuple[Fraction | str, Fraction | str]


def rule_faults(dataset: Dataset, columns: Sequence[CodedColumn]) -> Iterator[Fault]:
    """Find rules of columns that are not made up, or that cannot be compared."""
    named = {column.name: column for column in columns}
    for at, rule in enumerate(dataset.synthesis.rules):
        place = f"{PLACE}.{at}"
        missing = [name for name in rule if name not in named]
        for name in missing:
            problem = f"names {name}, which is not made up from counts of its own"
            yield Fault(place, problem, "Name two columns with codes.")
        if missing:
            continue
        if rule[0] == rule[1]:
            yield Fault(place, "names one column twice", "Name two columns.")
        if rule[::-1] in dataset.synthesis.rules:
            remedy = "Keep one of them: two columns that are always equal are one column."
            yield Fault(place, "is given in both directions", remedy)
        one, other = (named[name] for name in rule)
        if not are_comparable(one, other):
            problem = f"compares {one.name} and {other.name}, which are not numbers or dates alike"
            remedy = (
                "Give both columns bounds and the same step, or values that are all numbers or all "
                "dates of one form, such as 2024-05-31."
            )
            yield Fault(place, problem, remedy)


def are_comparable(one: CodedColumn, other: CodedColumn) -> bool:
    """Return whether both columns have steps of one size, or values of one kind."""
    if one.bounds is not None and other.bounds is not None:
        return one.bounds.step == other.bounds.step
    if one.bounds is not None or other.bounds is not None:
        return False
    values = (*one.values, *other.values)
    if not any(isinstance(value, str) for value in values):
        return True
    return any(all(re.fullmatch(form, str(value)) for value in values) for form in DATES)


def ordered_mask(rule: tuple[str, str], rows: CodedColumn, columns: CodedColumn) -> Bools:
    """Return which codes may occur together, shape (codes of the first, codes of the second)."""
    least, greatest = (rows, columns) if rule[0] == rows.name else (columns, rows)
    mask = np.array(
        [
            [a is None or b is None or a[0] <= b[1] for b in spans(greatest)]  # pyright: ignore[reportOperatorIssue] - both are of one kind
            for a in spans(least)
        ],
        bool,
    )
    return mask if rule[0] == rows.name else mask.T


def spans(column: CodedColumn) -> list[ValueSpan | None]:
    """Return the least and the greatest that each code can be; None for other and missing."""
    found: list[ValueSpan | None] = [(_exact(value), _exact(value)) for value in column.values]
    step = Fraction(1) if column.bounds is None else column.bounds.step
    found += [(low * step, high * step) for low, high in column.bins]
    found += [(point * step, point * step) for point in column.points]
    return [*found, *[None] * (column.n_codes - len(found))]


def _exact(value: str | float) -> Fraction | str:
    return value if isinstance(value, str) else Fraction(repr(value))


def in_order(
    rules: Sequence[tuple[str, str]], steps: Mapping[str, Ints], known: Mapping[str, Bools]
) -> dict[str, Ints]:
    """Exchange steps that lie in one bin and break a rule, until none does.

    Parameters
    ----------
    rules : each with the column of the lesser number first
    steps : of every record, per column; drawn in bins of one grid
    known : whether each is a number and not missing

    Notes
    -----
    Bins of columns that rules connect are equal or apart, and codes already keep the rules, so only
    numbers of equal bins can be in the wrong order. Two of them that are exchanged are as likely as
    any other two in order. Every exchange moves the greater number to the later column.
    """
    found = {name: column.copy() for name, column in steps.items()}
    ruled = [rule for rule in rules if set(rule) <= set(found)]
    changed = bool(ruled)
    while changed:
        changed = False
        for less, more in ruled:
            wrong = known[less] & known[more] & (found[less] > found[more])
            if wrong.any():
                changed = True
                found[less][wrong], found[more][wrong] = found[more][wrong], found[less][wrong]
    return found

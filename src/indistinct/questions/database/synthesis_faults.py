"""What is wrong in the words of a declaration that tell how made-up records are drawn."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from indistinct.errors import Fault
from indistinct.questions.database.declaration import ColumnDeclared, Declaration


def synthesis_faults(declared: Declaration) -> Iterator[Fault]:
    """Find what is wrong in ``[synthesis]``, and in ``points`` and ``complete`` of columns."""
    for name, column in declared.columns.items():
        for problem, remedy in _column_faults(column, declared.synthesis.other):
            yield Fault(f"columns.{name}", problem, remedy)
    for name, column in declared.columns.items():
        for problem, remedy in _lookup_faults(name, column, declared):
            yield Fault(f"columns.{name}.from", problem, remedy)
    words = declared.synthesis
    yield from (
        Fault(f"synthesis.rules.{at}", "is not a rule between two columns", 'Write "start <= end".')
        for at, text in enumerate(words.rules)
        if ordered_pair(text) is None
    )
    listed = words.columns or ()
    if len(set(listed)) < len(listed):
        yield Fault("synthesis.columns", "lists a column twice", "List each column once.")
    for name in listed:
        if name in declared.columns and declared.columns[name].looked_up is not None:
            continue
        yield from _named_faults(name, "synthesis.columns", declared)
    if words.focus is not None:
        yield from _named_faults(words.focus, "synthesis.focus", declared)
        if words.columns is not None and words.focus not in listed:
            yield Fault(
                "synthesis.focus", "is not among synthesis.columns", "Add it to the columns."
            )


def ordered_pair(text: str) -> tuple[str, str] | None:
    """Read a rule such as ``start <= end``; None where a text is none."""
    less, sign, more = (part.strip() for part in text.partition("<="))
    return (less, more) if less and sign and more and "<=" not in more else None


def _lookup_faults(
    name: str, column: ColumnDeclared, declared: Declaration
) -> Iterator[tuple[str, str]]:
    """Find what is wrong in the words of a column that is looked up."""
    if column.looked_up is None:
        return
    parent = column.looked_up.column
    of = declared.columns.get(parent)
    if of is None:
        yield f"names {parent}, which is not declared", f"Declare [columns.{parent}]."
    elif of.looked_up is not None:
        yield f"names {parent}, which is looked up itself", "Name a column that is not."
    elif not has_codes(of):
        yield f"names {parent}, which has neither values nor bounds", "Name a column with codes."
    if column.type == "bins" or column.points or column.complete:
        yield "stands in a column of bins, or with points or complete", "Leave them out."
    if name == declared.dataset.person:
        yield "stands in the column of persons, which is never made up", "Leave it out."


def has_codes(column: ColumnDeclared) -> bool:
    """Return whether the declaration alone gives a column's codes."""
    if column.looked_up is not None:
        return False
    return column.type != "bins" and (bool(column.values) or column.bounds is not None)


def _named_faults(name: str, place: str, declared: Declaration) -> Iterator[Fault]:
    if name == declared.dataset.person:
        yield Fault(
            place, "names the column of persons, which is never synthesized", "Leave it out."
        )
    elif name not in declared.columns:
        yield Fault(place, f"names {name}, which is not declared", f"Declare [columns.{name}].")
    elif not has_codes(declared.columns[name]):
        yield Fault(
            place,
            f"names {name}, which has neither values nor bounds",
            f'Add values = ["...", "..."] or bounds = [low, high] to [columns.{name}].',
        )


def _column_faults(column: ColumnDeclared, other: str) -> Iterator[tuple[str, str]]:
    if column.complete and not has_codes(column):
        yield "is complete but has neither values nor bounds", "Add values, or leave complete out."
    if other in column.values and not column.complete:
        yield (
            "has a value that is also the name of undeclared values in synthetic records",
            'Choose another name: other = "..." in [synthesis].',
        )
    if not column.points:
        return
    if column.type != "number" or column.bounds is None or column.values:
        yield (
            "has points, which only a number with bounds and without values has",
            "Leave them out.",
        )
        return
    if not all(point.is_finite() for point in column.points):
        yield "has points that are not finite numbers", "Write points = [0]."
        return
    low, high = column.bounds
    if not all(low <= point <= high for point in column.points):
        yield "has points outside its bounds", "Choose points within the bounds."
    if any((Fraction(point) / Fraction(column.step)).denominator != 1 for point in column.points):
        yield "has points that are not a whole number of steps", "Choose multiples of the step."
    if len(set(column.points)) < len(column.points):
        yield "lists a point twice", "List each point once."

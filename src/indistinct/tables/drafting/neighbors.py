"""What the columns beside a column say of it: addresses stand in one order, street before town."""

from __future__ import annotations

from collections.abc import Sequence

from indistinct.tables.core.schema import Role
from indistinct.tables.drafting.counted_column import CountedColumn
from indistinct.tables.drafting.roles import UNKNOWN, Suggestion
from indistinct.tables.drafting.values import is_like_a_name, share_like
from indistinct.tables.drafting.vocabulary import readings_of

ADDRESS = "an address"
PLACE = "place"
# Names of what stands behind a street: the number of the house, the floor, the flat.
OF_HOUSES = frozenset(
    {"nr", "no", "num", "numero", "nummer", "number", "hnr", "hn", "n", "piso", "puerta", "portal",
     "apt", "flat", "floor", "etage", "stiege", "top", "mieszkanie", "dom", "bis"}
)  # fmt: skip
MOSTLY = 0.9


def with_neighbors(
    columns: Sequence[CountedColumn], suggestions: Sequence[Suggestion]
) -> list[Suggestion]:
    """Suggest what a column is of which nothing is known, by the column in front of it."""
    found = list(suggestions)
    for place in range(1, len(columns)):
        if found[place] is UNKNOWN:
            found[place] = _behind(columns[place - 1], found[place - 1], columns[place])
    return found


def _behind(before: CountedColumn, suggested: Suggestion, column: CountedColumn) -> Suggestion:
    """Suggest what stands behind a street or a postal code."""
    is_street = suggested.role is Role.IDENTIFIER and any(
        match.meaning.name == ADDRESS for match in before.matches
    )
    is_named = any(set(parts) <= OF_HOUSES for parts in readings_of(column.name))
    if is_street and is_named:
        said = f'It stands behind "{before.name}", as the number of a house or a flat does.'
        return Suggestion(Role.IDENTIFIER, "medium", said)
    are_names = column.type == "text" and share_like(is_like_a_name, column.read) >= MOSTLY
    is_code = suggested.kind == PLACE and any(mark.isdigit() for mark in (*before.texts[:1], "")[0])
    if is_code and are_names:
        said = f'It stands behind "{before.name}", and has words with a capital, as towns have.'
        return Suggestion(Role.QUASI_IDENTIFIER, "medium", said, 2, PLACE)
    return UNKNOWN

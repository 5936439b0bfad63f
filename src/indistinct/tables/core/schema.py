"""What a column is to the privacy of the people in the table."""

from __future__ import annotations

from enum import StrEnum


class Role(StrEnum):
    """The part a column plays: names a person, helps to find one, harms one, or neither.

    A column may also be left out without naming anybody. A column that is undecided has no part
    yet, and its policy does not run.
    """

    IDENTIFIER = "identifier"
    QUASI_IDENTIFIER = "quasi-identifier"
    SENSITIVE = "sensitive"
    INSENSITIVE = "insensitive"
    LEFT_OUT = "left-out"
    UNDECIDED = "undecided"


# Of columns that no release has as they are.
NOT_RELEASED = frozenset({Role.IDENTIFIER, Role.LEFT_OUT})
# Columns of a release in two linked tables, and the fewest values of a group.
GROUP, COUNT = "group", "count"
FEWEST_VALUES = 2

"""The table of one column: its role, its protection and its hierarchy."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Annotated, Literal, cast, get_args

from pydantic import (
    AliasChoices,
    BeforeValidator,
    Field,
    ValidationInfo,
    field_serializer,
    field_validator,
)
from pydantic_core import PydanticCustomError, PydanticKnownError

from indistinct.base.cells.date_formats import DateFormat
from indistinct.base.nearest_words import did_you_mean
from indistinct.base.parameters import build
from indistinct.errors import ParameterError
from indistinct.tables.core.schema import Role
from indistinct.tables.masks import MASKS, Protection
from indistinct.tables.policy.policy_table import Word, Words, one_of
from indistinct.tables.policy.sections.hierarchy import HierarchyRule
from indistinct.tables.reading.date_formats import FORMATS
from indistinct.tables.reading.declared_formats import SET

CellType = Literal["number", "text", "date", "moment", "truth", "nominal", "ordinal", "code", "set"]
QUESTION = re.compile(r" This is question (\d{1,3})\.$")
UNDECIDED = "Nobody decided, so it is left out."  # ends the reason of a draft
TYPES: tuple[str, ...] = get_args(CellType)
MUST = "must"  # no released record hides the column
IMPORTANCE_WORDS: Mapping[str, float] = {MUST: 4.0, "high": 4.0, "usual": 1.0, "low": 0.25}


def as_column(name: str) -> str:
    """Return the reason of a column that a draft asks with another one."""
    return f'As "{name}".'


def question(number: int, said: str) -> str:
    """Return the reason of a column that a draft asks about."""
    return f"{said} This is question {number}."


def number_of_question(reason: str) -> int:
    """Return the number of the question that a draft asks; 0 where it asks none."""
    found = QUESTION.search(reason)
    return int(found[1]) if found else 0


def protection_of(given: object) -> object:
    """Read the word ``protect``: a name, or a table of a name and parameters."""
    if given is None or isinstance(given, Protection):
        return given
    words: dict[str, object] = (
        dict(cast("Mapping[str, object]", given)) if isinstance(given, Mapping) else {"name": given}
    )
    kind = MASKS.get(str(words.get("name")))
    if kind is None:
        listed = ", ".join(MASKS)
        meant = words.get("name", "")
        raise PydanticCustomError(
            "protect",
            "is not a protection; choose one of {known}",
            {
                "known": listed,
                "remedy": did_you_mean(str(meant), MASKS, "Choose one of them."),
            },
        )
    words.pop("name")
    try:
        return build(kind, words, kind.name)
    except ParameterError as error:
        said = "; ".join(f"{fault.place} {fault.problem}" for fault in error.faults)
        raise PydanticCustomError("protect", "{said}", {"said": said}) from None


def importance_of(given: object) -> object:
    """Return how much a column counts, as it was given: a number above 0, or a word for one."""
    if isinstance(given, str):
        return one_of(IMPORTANCE_WORDS)(given)
    if not isinstance(given, int | float) or isinstance(given, bool):
        raise PydanticKnownError("float_type")
    if not math.isfinite(given):
        raise PydanticKnownError("finite_number")
    if given <= 0:
        raise PydanticKnownError("greater_than", {"gt": 0})
    return float(given)


class ColumnPolicy(Words):
    """What a column is, and how it may be generalized or protected otherwise."""

    role: Role
    protect: Annotated[Protection | None, BeforeValidator(protection_of)] = None
    hierarchy: HierarchyRule | None = None
    # The second is its old name, which stays.
    importance: Annotated[
        float | str,
        BeforeValidator(importance_of),
        Field(validation_alias=AliasChoices("importance", "weight")),
    ] = 1.0
    min_level: Annotated[int, Field(ge=0)] = 0
    max_level: Annotated[int, Field(ge=0)] | None = None
    reason: str = ""
    # What the cells are; else they are read as what they look like.
    type: CellType | None = None
    format: str | None = None
    # The words for a missing value, in the place of those of [data].
    missing: tuple[Word, ...] | None = None
    # The last year that the two digits of a format may mean.
    last_year: Annotated[int, Field(ge=1900, le=2100)] | None = None
    # What becomes of cells that are not what the type or the format says.
    unreadable: Literal["missing", "refuse"] | None = None
    # Whether the cell is one of a person, or of all members of a household.
    level: Literal["person", "household"] = "person"
    # A column that this one determines: where that one is hidden, this one is, too.
    parent: str | None = None
    # A column of dates, from which on the days to this one are counted; they stand in its place.
    days_since: str | None = None
    # Whether values may be written as missing where they tell generalized cells.
    may_hide: bool = True
    # Of cells that are sets of items.
    separator: Annotated[str, Field(min_length=1, max_length=1)] = ";"
    suppression: Literal["none", "items", "occurrences"] = "none"

    @property
    def importance_number(self) -> float:
        """How much the column counts; of a word, what it stands for."""
        return self.number_of(self.importance)

    @staticmethod
    def number_of(importance: float | str) -> float:
        """Return how much an importance counts; of a word, what it stands for."""
        return IMPORTANCE_WORDS[importance] if isinstance(importance, str) else importance

    @property
    def is_always_shown(self) -> bool:
        """Whether no released record hides the column."""
        return self.importance == MUST

    @property
    def in_classes(self) -> bool:
        """Whether the column is a quasi-identifier of single values that forms the classes."""
        is_open = self.protect is None or self.protect.in_classes
        return self.role is Role.QUASI_IDENTIFIER and self.type != SET and is_open

    @field_serializer("protect")
    def _protect_words(self, protection: Protection | None) -> object:
        """Write the protection as a policy does."""
        if protection is None:
            return None
        parameters = protection.required()
        return {"name": protection.name, **parameters} if parameters else protection.name

    @field_validator("format")
    @classmethod
    def _is_of_dates(cls, word: str | None) -> str | None:
        """Refuse a format that names no day, month and year."""
        if word is not None and DateFormat.of(word) is None:
            raise PydanticCustomError("format", "is not a format of dates", {"remedy": FORMATS})
        return word

    @field_validator("max_level")
    @classmethod
    def _is_not_below_min_level(cls, level: int | None, others: ValidationInfo) -> int | None:
        """Refuse levels of which none is allowed."""
        if level is not None and level < others.data.get("min_level", 0):
            raise PydanticCustomError("levels", "is below min_level", {"remedy": "Swap them."})
        return level

"""The table ``[data]``."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from indistinct.tables.policy.policy_table import Word, Words
from indistinct.tables.reading.declared_formats import Reading

OneMark = Annotated[str, Field(min_length=1, max_length=1)]


class LongForm(Words):
    """The columns of a file with a row per person and item."""

    person: str
    item: str


class DataPolicy(Words):
    """How the input is read."""

    missing: tuple[Word, ...] = ("",)
    missing_as: Literal["value", "suppress", "refuse"] = "value"
    # How a file is read; what is left out is found.
    encoding: str | None = None
    separator: OneMark | None = None
    quote: Annotated[str, Field(max_length=1)] | None = None  # the empty one: no quotes
    escape: Literal["\\"] | None = None
    decimal: Literal[".", ","] | None = None
    header: Annotated[int, Field(ge=1)] | None = None
    skip_rows: Annotated[int, Field(ge=0)] | None = None
    skip_last: Annotated[int, Field(ge=0)] | None = None
    person: str | None = None
    weight: str | None = None
    # Households are counted instead of people, whose members somebody may know all together.
    household: str | None = None
    known_members: Literal["all"] = "all"
    long: LongForm | None = None

    def reading(self, *, suggests: bool = False) -> Reading:
        """Return how a file is read, as far as it is said here.

        Parameters
        ----------
        suggests : whether rows that are no records and words among numbers are looked for
        """
        return Reading(
            encoding=self.encoding,
            separator=self.separator,
            quote=self.quote,
            escape=self.escape,
            decimal=self.decimal,
            header=self.header,
            skip_rows=self.skip_rows,
            skip_last=self.skip_last,
            missing=self.missing,
            suggests=suggests,
        )

    @property
    def texts_of_missing(self) -> frozenset[str]:
        """The texts of a missing value: the empty one, and those that the policy lists."""
        return frozenset({"", *self.missing})

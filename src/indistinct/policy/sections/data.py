"""The table ``[data]``."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from indistinct.policy.policy_table import Words


class LongForm(Words):
    """The columns of a file with a row per person and item."""

    person: str
    item: str


class DataPolicy(Words):
    """How the input is read."""

    missing: tuple[str, ...] = ("",)
    missing_as: Literal["value", "suppress", "refuse"] = "value"
    separator: Annotated[str, Field(min_length=1, max_length=1)] | None = None
    encoding: str | None = None
    person: str | None = None
    weight: str | None = None
    long: LongForm | None = None

    @property
    def texts_of_missing(self) -> frozenset[str]:
        """The texts of a missing value: the empty one, and those that the policy lists."""
        return frozenset({"", *self.missing})

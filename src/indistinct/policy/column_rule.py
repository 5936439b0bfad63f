"""The rule of one column: how its cells are generalized, and how a missing one is written."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from indistinct.core.brief import short_repr
from indistinct.policy.sections.column import ColumnPolicy
from indistinct.policy.sections.hierarchy import HierarchyRule


@dataclass(frozen=True, slots=True)
class ColumnRule:
    """What is said of the cells of a column.

    Parameters
    ----------
    name : of the column
    words : its own table of the policy
    missing : how missing values may be written
    folder : that the path of a file of labels starts from
    in_classes : whether it is a quasi-identifier that forms the classes
    is_suggested : whether the cells of the release suggest the hierarchy, since nobody wrote it
    in_ranges : whether an algorithm makes closed ranges of its numbers
    shown_as : how the release writes ranges of numbers
    """

    name: str
    words: ColumnPolicy
    missing: tuple[str, ...]
    folder: Path
    in_classes: bool
    is_suggested: bool
    in_ranges: bool
    shown_as: Literal["label", "bounds", "midpoint"]

    __repr__ = short_repr

    @property
    def hierarchy(self) -> HierarchyRule | None:
        """How values are generalized; None where nothing says it."""
        return self.words.hierarchy

    @property
    def texts_of_missing(self) -> frozenset[str]:
        """The texts of a missing value: the empty one, and those that are listed."""
        return frozenset({"", *self.missing})

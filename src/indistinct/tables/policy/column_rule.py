"""The rule of one column: how its cells are generalized, and how a missing one is written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from indistinct.base.brief import Confidential, short_repr
from indistinct.tables.core.codebook import CodebookEntry, ColumnEntries
from indistinct.tables.core.keys import Meaning
from indistinct.tables.policy.sections.column import ColumnPolicy
from indistinct.tables.policy.sections.hierarchy import HierarchyRule

RangeEnds = Literal["exact", "rounded"]


@dataclass(frozen=True, slots=True)
class ColumnRule:
    """What is said of the cells of a column.

    Parameters
    ----------
    name : of the column
    words : its own table of the policy
    missing : how missing values may be written
    folder : that the path of a file of labels starts from
    is_suggested : whether the cells of the release suggest the hierarchy, since nobody wrote it
    range_ends : of the closed ranges that an algorithm makes of its numbers; None for none
    shown_as : how the release writes ranges of numbers
    meaning : what the column's values are, by which a list's values are read; None before the
        records are counted
    coded : of a sensitive column, what a file says of its codes, which a release may not say
    entries : what the codebook of a release says of the cells; None where none is at hand
    """

    name: str
    words: ColumnPolicy
    missing: tuple[str, ...]
    folder: Path
    is_suggested: bool
    range_ends: RangeEnds | None
    shown_as: Literal["label", "bounds", "midpoint"]
    meaning: Meaning | None = None
    coded: Confidential = field(default_factory=Confidential)
    entries: ColumnEntries | None = None

    __repr__ = short_repr

    @property
    def hierarchy(self) -> HierarchyRule | None:
        """How values are generalized; None where nothing says it."""
        return self.words.hierarchy

    @property
    def in_classes(self) -> bool:
        """Whether it is a quasi-identifier that forms the classes."""
        return self.words.in_classes

    @property
    def in_ranges(self) -> bool:
        """Whether an algorithm makes closed ranges of its numbers."""
        return self.range_ends is not None

    @property
    def code_labels(self) -> Mapping[str, str]:
        """What a file says of the codes of a sensitive column; empty where it is not at hand."""
        return self.coded.held or {}

    @property
    def texts_of_missing(self) -> frozenset[str]:
        """The texts of a missing value: the empty one, and those that are listed."""
        return frozenset({"", *self.missing})

    def entry_of(
        self, text: str, proposed: Callable[[str], CodebookEntry | None]
    ) -> CodebookEntry | None:
        """Return the entry of a cell: by the codebook, or where there is none as it is proposed."""
        return proposed(text) if self.entries is None else self.entries.cells.get(text)

    def suggested(self, rule: HierarchyRule) -> ColumnRule:
        """Return the same with a hierarchy that nobody wrote."""
        words = self.words.model_copy(update={"hierarchy": rule})
        return replace(self, words=words, is_suggested=True, range_ends=rule.ranges)

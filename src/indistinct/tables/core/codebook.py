"""What the cells of a released column are: a part of a manifest's codebook, written and read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, Self, cast

from indistinct.base.brief import short_repr

ShownAs = Literal["label", "bounds", "midpoint"]
SHOWN_AS: tuple[ShownAs, ...] = ("label", "bounds", "midpoint")
KINDS = frozenset({
    "intervals", "dates", "mask", "labels", "items", "ranges", "values", "protected", "group",
})  # fmt: skip


class CodebookEntry(NamedTuple):
    """A label that released cells show.

    Parameters
    ----------
    text : as it is released
    level : the lowest allowed one, 1 or more, at which this text stands
    low : where an interval begins, as a plain decimal; the first day or hour of a period, as ISO
        writes it; what a mask keeps; None for a label of a list
    """

    text: str
    level: int
    low: str | None = None

    @property
    def words(self) -> list[str | int]:
        """The entry as a manifest has it."""
        return [self.text, self.level] if self.low is None else [self.text, self.level, self.low]


@dataclass(frozen=True, slots=True)
class ColumnEntries:
    """What a codebook says of one column.

    Parameters
    ----------
    kind : how its labels are written: one of :data:`KINDS`
    shown_as : whether cells are labels, two bounds or midpoints, which show no label
    cells : the labels that it shows, by their texts
    values, hidden, missing : whether such cells are shown, too
    hidden_means : ``any`` where a hidden cell may be any value, and looks like all of them
    separator : of the items of a set
    by : how a protected column is masked
    """

    kind: str = "values"
    shown_as: ShownAs = "label"
    cells: Mapping[str, CodebookEntry] = field(default_factory=dict[str, CodebookEntry])
    values: bool = False
    hidden: bool = False
    missing: bool = False
    hidden_means: str | None = None
    separator: str | None = None
    by: str | None = None

    __repr__ = short_repr

    def document(self, *, in_classes: bool) -> dict[str, Any]:
        """Return the words of a manifest.

        Parameters
        ----------
        in_classes : whether the column is a quasi-identifier, of which every kind of cell is said
        """
        found: dict[str, Any] = {"kind": self.kind}
        found |= {} if self.separator is None else {"separator": self.separator}
        found |= {} if self.by is None else {"by": self.by}
        listed = [entry.words for entry in self.cells.values()]
        if not in_classes:
            return found | ({"cells": listed} if self.kind == "items" else {})
        found |= {} if self.shown_as == "label" else {"as": self.shown_as}
        if self.shown_as != "midpoint":
            found |= {"cells": listed, "values": self.values}
        found |= {"hidden": self.hidden, "missing": self.missing}
        return found | ({} if self.hidden_means is None else {"hidden_means": self.hidden_means})

    @classmethod
    def read(cls, said: object) -> Self | None:
        """Read what a manifest says of a column; None for what no codebook says."""
        if not isinstance(said, Mapping):
            return None
        words = cast("Mapping[str, Any]", said)
        kind, shown_as = words.get("kind"), words.get("as", "label")
        listed: object = words.get("cells", [])
        if kind not in KINDS or shown_as not in SHOWN_AS or not isinstance(listed, list):
            return None
        entries = [_entry(one) for one in cast("list[object]", listed)]
        cells = {entry.text: entry for entry in entries if entry is not None}
        if len(cells) < len(entries):
            return None  # an entry that is none, or a text that is listed twice
        values, hidden, missing = (bool(words.get(w)) for w in ("values", "hidden", "missing"))
        return cls(kind, shown_as, cells, values, hidden, missing)


def _entry(said: object) -> CodebookEntry | None:
    """Read one label; None for what is none."""
    match said:
        case [str(text), int(level)] if level >= 1:
            return CodebookEntry(text, level)
        case [str(text), int(level), str(low)] if level >= 1:
            return CodebookEntry(text, level, low)
        case _:
            return None

"""What a manifest says of a column of sets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from indistinct.base.arrays import Ints
from indistinct.base.brief import short_repr
from indistinct.base.files.documents import WHERE_KNOWN

OF_COLUMNS = ("loss", "ncp")  # measures that are means over columns


@dataclass(frozen=True, slots=True)
class SetEntry:
    """What became of the items of a column.

    Parameters
    ----------
    empty : released records without a label
    labels : different labels in the release
    algorithm : that made the sets; several by commas, where classes took different ones
    occurrences : items of all released records
    generalized, deleted : share of them under a coarser label, and under none
    loss : mean normalized certainty penalty of the occurrences
    lower_bound : what every release that leaves out whole items loses at least, where it is known
    left_out_items : the highest labels whose items are nowhere published

    Notes
    -----
    The public manifest has the first three alone: items that were left out have a part in all else.
    """

    empty: int
    labels: int
    algorithm: str = ""
    occurrences: int | None = field(default=None, metadata=WHERE_KNOWN)
    generalized: float | None = field(default=None, metadata=WHERE_KNOWN)
    deleted: float | None = field(default=None, metadata=WHERE_KNOWN)
    loss: float | None = field(default=None, metadata=WHERE_KNOWN)
    lower_bound: float | None = field(default=None, metadata=WHERE_KNOWN)
    left_out_items: tuple[str, ...] | None = field(default=None, metadata=WHERE_KNOWN)

    @classmethod
    def read(cls, document: Mapping[str, Any]) -> Self:
        """Read the entry from JSON."""
        parts = dict(document)
        if "left_out_items" in parts:
            parts["left_out_items"] = tuple(parts["left_out_items"])
        return cls(**parts)


@dataclass(frozen=True, slots=True)
class SetFigures:
    """What is known of a published column of sets.

    Parameters
    ----------
    entry : for the manifest
    least_support : fewest records of a class with a set of labels that one of them has; None where
        no record has a label
    candidates : (n_released,), records that somebody finds who knows as much of a record's set as
        its model says
    """

    entry: SetEntry
    least_support: int | None
    candidates: Ints

    __repr__ = short_repr


def with_sets(
    loss: Mapping[str, Any], sets: Mapping[str, SetEntry], n_columns: int, suppressed: float
) -> dict[str, Any]:
    """Return the mean losses of a table whose columns of sets count as the others do.

    Parameters
    ----------
    loss : of the columns that form classes
    n_columns : how many these are
    suppressed : share of the records that were left out, which lose everything; in [0, 1]

    Notes
    -----
    Only ``loss`` and ``ncp`` are means over columns; the other measures are of classes, which
    sets do not form, and are left out.
    """
    if not sets:
        return dict(loss)
    lost = sum(suppressed + (1 - suppressed) * (one.loss or 0.0) for one in sets.values())
    columns = dict.fromkeys(OF_COLUMNS, 0.0) if not n_columns else loss
    return {
        name: (float(columns[name]) * n_columns + lost) / (n_columns + len(sets))
        for name in OF_COLUMNS
        if name in columns
    }

"""A solution after what follows the search: noise by class, and records that are suppressed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from indistinct.base.arrays import Codes, Ints
from indistinct.base.brief import short_repr
from indistinct.tables.core.protocols import Solution
from indistinct.tables.core.recoding import Recoding
from indistinct.tables.frames.frame import Column
from indistinct.tables.release.entries import ProtectionEntry, SuppressionEntry
from indistinct.tables.release.set_entry import SetFigures


@dataclass(frozen=True, slots=True)
class NoisyRecoding:
    """A solution after the noise.

    Parameters
    ----------
    solution : with the records that the noise singles out suppressed
    classes : (n_rows,), class of each record in its recoding
    columns : the noisy columns, over all records; those of suppressed records hold nothing
    entries : per column, what the manifest says of it
    suppression : what the manifest says of confident suppression, where it is promised
    sets : per column of sets, what became of it
    """

    solution: Solution
    classes: Codes
    columns: Sequence[Column] = ()
    entries: Mapping[str, ProtectionEntry] | None = None
    suppression: SuppressionEntry | None = None
    sets: Mapping[str, SetFigures] = field(default_factory=dict[str, SetFigures])

    __repr__ = short_repr


def without(
    recoding: Recoding, tuple_of_row: Codes, classes: Codes, gone: Ints
) -> tuple[Recoding, Codes]:
    """Return the recoding with some records suppressed and not in their classes.

    Parameters
    ----------
    tuple_of_row, classes : (n_rows,), tuple and class of each record
    gone : the records to suppress

    Returns
    -------
    the recoding, no class empty, and the class of each record in it: (n_rows,)
    """
    moved = classes.astype(np.int64)
    moved[gone] += recoding.n_classes
    numbers, labels = np.unique(moved, return_inverse=True)
    source = numbers % recoding.n_classes
    pairs, counts = np.unique(
        tuple_of_row.astype(np.int64) * len(numbers) + labels, return_counts=True
    )
    changed = Recoding(
        (pairs // len(numbers)).astype(np.int32),
        (pairs % len(numbers)).astype(np.int32),
        counts.astype(np.int64),
        recoding.cells[source],
        recoding.released[source] & (numbers < recoding.n_classes),
        recoding.domains,
        recoding.transformation,
    )
    return changed, labels.astype(np.int32)

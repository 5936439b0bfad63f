"""What an algorithm makes of sets of items."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from indistinct.base.arrays import Bools, Ints
from indistinct.base.brief import short_repr
from indistinct.tables.masks.sets.item_records import ItemRecords, distinct
from indistinct.tables.masks.sets.item_tree import ItemTree


@dataclass(frozen=True, slots=True)
class PublishedSets:
    """The labels that take the place of each record's items.

    Parameters
    ----------
    labels : per record, unrelated nodes of the tree
    n_generalized, n_deleted : occurrences under a label that is not the item, and under none
    loss : mean normalized certainty penalty of the occurrences, one left out costing 1
    left_out : nodes that are published nowhere, though records have items below them
    lower_bound : what every release of this kind loses at least, where it is known
    algorithm : that made them
    """

    labels: ItemRecords
    n_occurrences: int
    n_generalized: int
    n_deleted: int
    loss: float
    left_out: tuple[int, ...] = ()
    lower_bound: float | None = None
    algorithm: str = ""

    __repr__ = short_repr

    @property
    def share_deleted(self) -> float:
        """Share of the occurrences that no label covers, in [0, 1]."""
        return self.n_deleted / max(self.n_occurrences, 1)


def published(  # noqa: PLR0913 - what became of the occurrences, and what is known of it
    tree: ItemTree,
    records: ItemRecords,
    owners: Ints,
    *,
    is_shown: Bools | None = None,
    left_out: tuple[int, ...] = (),
    lower_bound: float | None = None,
) -> PublishedSets:
    """Write each occurrence as its owner, and count what that costs.

    Source: terrovitis2011, NCP: an occurrence costs nothing as itself, 1 where no label covers it,
    else the share of items under its label.

    Parameters
    ----------
    owners : (n_occurrences,), the node that takes the place of each; -1 for none
    is_shown : (n_occurrences,), whether the label was left in the record
    """
    if is_shown is not None:
        owners = np.where(is_shown, owners, -1)
    has = owners >= 0
    costs = np.where(has, tree.penalties[owners], 1.0)
    keys = distinct(records.of_occurrence[has] * tree.n_nodes + owners[has])
    starts = np.searchsorted(keys // tree.n_nodes, np.arange(records.n_records + 1))
    return PublishedSets(
        ItemRecords(starts.astype(np.int64), keys % tree.n_nodes),
        records.n_occurrences,
        int((has & (owners != records.items)).sum()),
        int((~has).sum()),
        float(costs.mean()) if len(costs) else 0.0,
        left_out,
        lower_bound,
    )

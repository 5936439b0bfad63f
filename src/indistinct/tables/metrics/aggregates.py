"""How the losses of columns become the loss of a table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from indistinct.base.arrays import Floats


@dataclass(frozen=True, slots=True)
class Aggregate:
    """A function of the columns' losses that never falls when one of them grows.

    Written as ``finish(merge over columns of prepare(loss * weight, n_columns))``, so that the
    search can add up its bound column by column.
    """

    name: str
    prepare: Callable[[Floats, int], Floats]
    merge: np.ufunc
    finish: Callable[[Floats], Floats]
    begin: Callable[[Floats], Floats]  # undoes ``finish``

    def columns(self, losses: Floats, n_columns: int) -> Floats:
        """Prepare losses, already weighted, for merging."""
        return self.prepare(losses, n_columns)

    def combine(self, losses: Floats) -> float:
        """Return the table's loss from the columns' weighted losses: (n_columns,)."""
        if len(losses) == 0:
            return 0.0
        merged = self.merge.reduce(self.prepare(losses, len(losses)))
        return float(self.finish(np.asarray(merged)))

    def combine_sets(self, losses: Floats) -> float:
        """Return the table's loss from those of disjoint sets of columns: (n_sets,).

        Each is what :meth:`combine` gives where the columns of the other sets lose nothing.
        """
        return float(self.finish(np.asarray(self.merge.reduce(self.begin(losses)))))


def _share(losses: Floats, n_columns: int) -> Floats:
    return losses / n_columns


def _same(losses: Floats) -> Floats:
    return losses


AGGREGATES = {
    aggregate.name: aggregate
    for aggregate in (
        Aggregate("arithmetic-mean", _share, np.add, _same, _same),
        Aggregate(
            "geometric-mean",
            lambda losses, n_columns: np.log1p(losses) / n_columns,
            np.add,
            np.expm1,
            np.log1p,
        ),
        Aggregate("sum", lambda losses, _: losses, np.add, _same, _same),
        Aggregate("maximum", lambda losses, _: losses, np.maximum, _same, _same),
    )
}

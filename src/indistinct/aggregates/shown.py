"""What everybody sees of a family of tables: the only thing from which the auditor works."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np

from indistinct.aggregates.equations import Equations
from indistinct.base.arrays import Bools, Ints
from indistinct.base.brief import short_repr


@dataclass(frozen=True, slots=True)
class CountPromise:
    """What is promised of every hidden cell.

    Parameters
    ----------
    width : its values in complete tables that agree with all that is shown differ by this
    reaches : its value can be this, or more; 0 where nothing of the kind is promised
    """

    width: int
    reaches: int


@dataclass(frozen=True, slots=True)
class Shown:
    """The unknowns of a reader: hidden cells, the sums that hold for them, and their least values.

    Parameters
    ----------
    lower : (n_hidden,), what everybody knows of each hidden cell at least
    equations : over the hidden cells; none is empty
    right : (n_rows,), what each adds up to
    """

    lower: Ints
    equations: Equations
    right: Ints

    __repr__ = short_repr

    @property
    def seed(self) -> int:
        """Return a number for random choices: a function of what is shown, and of nothing else."""
        parts = (self.lower, self.right, self.equations.starts, self.equations.cells)
        text = b"".join(part.astype("<i8").tobytes() for part in (*parts, self.equations.signs))
        return int.from_bytes(hashlib.sha256(text).digest()[:8], "big")


def shown_of(values: Ints, hidden: Bools, lower: Ints, equations: Equations) -> Shown:
    """Return what is known of the hidden cells.

    Parameters
    ----------
    values : (n_cells,); those of hidden cells are not looked at
    hidden : (n_cells,), which cells are hidden
    lower : (n_cells,)
    """
    cells = np.flatnonzero(hidden)
    counts = np.bincount(equations.rows, hidden[equations.cells], equations.n_rows)
    touched = equations.chosen(counts > 0)
    right = -touched.sums(np.where(hidden, 0, values))
    return Shown(lower[cells], touched.among(cells), right)

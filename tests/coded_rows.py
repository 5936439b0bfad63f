"""Counts of rows in memory, for tests of what is drawn from counts."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from indistinct.base.arrays import Ints


@dataclass(frozen=True, slots=True)
class CodedRows:
    """Counts of rows in memory.

    Parameters
    ----------
    codes : shape (rows, columns)
    sizes : number of codes per column
    focus_codes : shape (rows,); zeros without a focus
    n_focus : number of codes of the focus; 1 without one
    """

    codes: Ints
    sizes: Sequence[int]
    focus_codes: Ints
    n_focus: int = 1

    def single(self, column: int) -> Ints:
        """Count the rows per code, shape (codes, focus)."""
        size = self.sizes[column]
        cells = self.codes[:, column] * self.n_focus + self.focus_codes
        return np.bincount(cells, minlength=size * self.n_focus).reshape(size, self.n_focus)

    def pair(self, one: int, other: int) -> Ints:
        """Count the rows per pair of codes, shape (codes, codes, focus)."""
        shape = self.sizes[one], self.sizes[other], self.n_focus
        cells = self.codes[:, one] * shape[1] + self.codes[:, other]
        cells = cells * self.n_focus + self.focus_codes
        return np.bincount(cells, minlength=shape[0] * shape[1] * shape[2]).reshape(shape)

    def focus(self) -> Ints:
        """Count the rows per code of the focus, shape (focus,)."""
        return np.bincount(self.focus_codes, minlength=self.n_focus)

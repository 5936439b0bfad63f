"""What a synthesizer may count: marginals over public codes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, final

import numpy as np

from indistinct.core.arrays import Ints


@final
@dataclass(frozen=True, slots=True)
class Attribute:
    """A column as a synthesizer sees it: codes 0 to ``n_codes`` - 1, all public.

    Parameters
    ----------
    n_codes : at least 1
    in_order : the first so many codes are neighboring bins of a number; 0 for words
    """

    name: str
    n_codes: int
    in_order: int = 0


class Counts(Protocol):
    """The exact counts of a table's rows; only what adds noise may look at them.

    The last axis of every count is the code of the focus; without a focus it has one place.
    """

    def single(self, column: int) -> Ints:
        """Count the rows per code, shape (codes, focus)."""
        ...

    def pair(self, one: int, other: int) -> Ints:
        """Count the rows per pair of codes, shape (codes, codes, focus)."""
        ...

    def focus(self) -> Ints:
        """Count the rows per code of the focus, shape (focus,)."""
        ...


@final
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

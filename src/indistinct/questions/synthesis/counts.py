"""What a synthesizer may count: marginals over public codes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, final

from indistinct.base.arrays import Ints


@final
@dataclass(frozen=True, slots=True)
class ColumnDomain:
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

"""What is left of the data once the noise is drawn: it may be published."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import final

from indistinct.core.arrays import Floats, Ints
from indistinct.synthesis.compression import Joined
from indistinct.synthesis.counts import Attribute
from indistinct.synthesis.rules import Rules
from indistinct.synthesis.tree import Link


@final
@dataclass(frozen=True, slots=True)
class Model:
    """A tree of noisy marginals, and the consistent counts made of them.

    Parameters
    ----------
    singles : noisy counts per column, each of shape (codes, focus)
    focus : noisy counts of the focus, shape (focus,); None without one
    totals : records per code of the focus, at least 0, shape (focus,)
    joined : joined codes per column
    fine : projected counts per column over its codes, shape (codes,): divides joined codes
    links : the pairs of columns measured
    pairs : noisy counts per link, each of shape (joined, joined, focus)
    projected : projected counts per column, each of shape (joined, focus)
    nodes : the same, but for counts that forbidden pairs leave no room for and move
    edges : projected counts per link, each of shape (joined, joined, focus)
    rules : which joined codes may occur together
    """

    attributes: Sequence[Attribute]
    singles: Sequence[Ints]
    focus: Ints | None
    totals: Floats
    joined: Sequence[Joined]
    fine: Sequence[Floats]
    links: Sequence[Link]
    pairs: Mapping[Link, Ints]
    projected: Sequence[Floats]
    nodes: Sequence[Floats]
    edges: Mapping[Link, Floats]
    rules: Rules

    @property
    def n_records(self) -> int:
        """The noisy number of records, at least 1."""
        return max(1, round(float(self.totals.sum())))

"""What is left of the data once the noise is drawn: it may be published."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from indistinct.base.arrays import Bools, Floats, Ints
from indistinct.questions.synthesis.compression import Joined
from indistinct.questions.synthesis.counts import ColumnDomain
from indistinct.questions.synthesis.tree import Link


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

    attributes: Sequence[ColumnDomain]
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


@final
@dataclass(frozen=True, slots=True)
class Rules:
    """What may occur.

    Parameters
    ----------
    singles : per column, whether a code may occur with a code of the focus, shape (codes, focus)
    pairs : per pair of columns of which some combination is forbidden, whether two codes may
        occur together, shape (codes, codes); these pairs form a forest
    """

    singles: Sequence[Bools]
    pairs: Mapping[Link, Bools]

    def table(self, link: Link) -> Bools:
        """Return which cells of a pair's table may hold records, shape (codes, codes, focus)."""
        one, other = link
        both = self.singles[one][:, np.newaxis, :] & self.singles[other][np.newaxis, :, :]
        mask = self.pairs.get(link)
        return both if mask is None else both & mask[:, :, np.newaxis]

    def families(self, column: int) -> Ints:
        """Return the number of each code's family: codes of one family obey the same rules.

        Families are numbered by first appearance.
        """
        obeyed = [self.singles[column]]
        obeyed += [mask for (one, _), mask in self.pairs.items() if one == column]
        obeyed += [mask.T for (_, other), mask in self.pairs.items() if other == column]
        _, first, numbers = np.unique(
            np.concatenate(obeyed, axis=1), axis=0, return_index=True, return_inverse=True
        )
        return np.argsort(np.argsort(first)).astype(np.int64)[numbers.ravel()]

    def joined(self, joined: Sequence[Joined]) -> Rules:
        """Return the rules of joined codes, each of which has codes of one family alone."""
        first = [np.unique(each.groups, return_index=True)[1] for each in joined]
        return Rules(
            [mask[places] for mask, places in zip(self.singles, first, strict=True)],
            {(a, b): mask[np.ix_(first[a], first[b])] for (a, b), mask in self.pairs.items()},
        )


def no_rules(attributes: Sequence[ColumnDomain], n_focus: int) -> Rules:
    """Return the rules of columns of which everything may occur together."""
    return Rules([np.ones((one.n_codes, n_focus), bool) for one in attributes], {})


def settled(singles: Sequence[Bools], pairs: Mapping[Link, Bools]) -> Rules:
    """Leave out what no allowed partner is left for, until nothing changes.

    Notes
    -----
    Per code of the focus the pairs form a forest, so whatever is left occurs in some record: arc
    consistency is enough on a tree.
    """
    left = [mask.copy() for mask in singles]
    before = -1
    while before != sum(int(mask.sum()) for mask in left):
        before = sum(int(mask.sum()) for mask in left)
        for (one, other), mask in pairs.items():
            left[one] &= mask.astype(np.int64) @ left[other].astype(np.int64) > 0
            left[other] &= mask.T.astype(np.int64) @ left[one].astype(np.int64) > 0
    return Rules(left, pairs)


def is_forest(links: Sequence[Link], n_columns: int) -> bool:
    """Return whether links of columns hold no circle."""
    part = list(range(n_columns))
    for one, other in links:
        if part[one] == part[other]:
            return False
        part = [part[one] if label == part[other] else label for label in part]
    return True

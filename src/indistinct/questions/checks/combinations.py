"""Which codes may occur together, from the text of a declaration, code by code."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from indistinct.base.arrays import Bools
from indistinct.questions.checks.arrays import ints
from indistinct.questions.checks.constraint_texts import is_covered
from indistinct.questions.checks.declared import Codebook
from indistinct.questions.checks.rules import may_be_in_order, rules_in


@final
@dataclass(frozen=True, slots=True)
class Combinations:
    """What may occur together.

    Parameters
    ----------
    singles : per measured column, whether a code may occur with a code of the focus
    pairs : per pair of measured columns of which something is forbidden, by name, in both orders
    """

    singles: Mapping[str, Bools]
    pairs: Mapping[tuple[str, str], Bools]

    @property
    def n_given(self) -> int:
        """How many pairs are in the tree without a draw."""
        return len(self.pairs) // 2

    def table(self, one: str, other: str) -> Bools:
        """Return which cells of a pair may hold records, shape (codes, codes, focus)."""
        both = self.singles[one][:, np.newaxis] & self.singles[other][np.newaxis]
        if (one, other) in self.pairs:
            both = both & self.pairs[one, other][:, :, np.newaxis]
        return both

    def families(self, name: str) -> list[int]:
        """Return every code a number for what may occur with it, in order of appearance."""
        masks = [mask for (one, _), mask in self.pairs.items() if one == name]
        seen: dict[tuple[bytes, ...], int] = {}
        return [
            seen.setdefault(
                (self.singles[name][code].tobytes(), *(mask[code].tobytes() for mask in masks)),
                len(seen),
            )
            for code in range(len(self.singles[name]))
        ]

    def of_joined(self, model: Mapping[str, Any]) -> Combinations:
        """Return what may occur of a model's joined codes, by the first code of each."""
        first = {
            column["name"]: np.unique(ints(column["joined"]), return_index=True)[1]
            for column in model["columns"]
        }
        return Combinations(
            {name: mask[first[name]] for name, mask in self.singles.items()},
            {(a, b): mask[np.ix_(first[a], first[b])] for (a, b), mask in self.pairs.items()},
        )


def combinations_of(
    declared: Mapping[str, Any], books: Mapping[str, Codebook], focus: str | None
) -> Combinations:
    """Read what a declaration forbids, and what follows: a code without a partner is left out."""
    n_focus = 1 if focus is None else books[focus].n_codes
    singles = {
        name: np.ones((book.n_codes, n_focus), bool)
        for name, book in books.items()
        if name != focus
    }
    pairs: dict[tuple[str, str], Bools] = {}
    for a, b, mask in _masks(declared, books):
        if focus == b:
            singles[a] &= mask
        elif focus == a:
            singles[b] &= mask.T
        else:
            pairs[a, b] = pairs.get((a, b), np.ones(mask.shape, bool)) & mask
            pairs[b, a] = pairs[a, b].T
    return Combinations(_left(singles, pairs), pairs)


def _masks(
    declared: Mapping[str, Any], books: Mapping[str, Codebook]
) -> Iterator[tuple[str, str, Bools]]:
    """Yield two columns and which of their codes may occur together, for each thing declared."""
    for one in declared.get("synthesis", {}).get("forbidden", []):
        a, b = one["columns"]
        mask = np.ones((books[a].n_codes, books[b].n_codes), bool)
        for words in one["pairs"]:
            x, y = (_covered(books[name], word) for name, word in zip((a, b), words, strict=True))
            mask[np.ix_(x, y)] = False
        yield a, b, mask
    for a, b in rules_in(declared):
        yield (
            a,
            b,
            np.array(
                [[may_be_in_order(x, y) for y in books[b].described] for x in books[a].described],
                bool,
            ),
        )


def _covered(book: Codebook, word: Any) -> list[int]:
    return [at for at, code in enumerate(book.described) if is_covered(code, word)]


def _left(
    singles: Mapping[str, Bools], pairs: Mapping[tuple[str, str], Bools]
) -> Mapping[str, Bools]:
    """Leave out codes that no allowed partner is left for, again and again."""
    found = {
        name: mask
        & np.all(
            [
                (pair[:, :, np.newaxis] & singles[other][np.newaxis]).any(axis=1)
                for (one, other), pair in pairs.items()
                if one == name
            ]
            or [np.True_],
            axis=0,
        )
        for name, mask in singles.items()
    }
    if all(bool((found[name] == singles[name]).all()) for name in singles):
        return found
    return _left(found, pairs)

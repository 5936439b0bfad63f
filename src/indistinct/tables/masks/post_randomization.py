"""Post-randomization (PRAM) of a column of categories."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np

from indistinct.base.arrays import Floats, Ints
from indistinct.base.parameters import parameter
from indistinct.base.randomness import RandomSource
from indistinct.errors import Fault, PolicyError
from indistinct.tables.core.keys import number_key
from indistinct.tables.core.schema import NOT_RELEASED, Role
from indistinct.tables.frames.cell_numbers import is_numeric
from indistinct.tables.frames.column_facts import codes_in_order, codes_of, counted_values
from indistinct.tables.frames.frame import Column, Frame
from indistinct.tables.frames.texts import texts_by_key
from indistinct.tables.masks.mechanisms.post_randomization import (
    PostRandomization,
    invariant,
    mixing_matrix,
)
from indistinct.tables.masks.protection import Fit, Masked, Protection

FEWEST_CATEGORIES = 2
MOST_CATEGORIES = 2000  # the matrix has so many rows and columns


@final
@dataclass(frozen=True, slots=True)
class PostRandomizationProtection(Protection):
    """Categories change at random, by a matrix that keeps their counts in expectation.

    A missing value is a category of its own.

    Source: gouweleeuw1998, invariant PRAM.
    """

    truth: float = parameter(
        float, at_least=0, at_most=1, default=0.8, help="probability of no change in each step"
    )
    invariant: bool = parameter(bool, default=True, help="whether counts stay in expectation")

    name: ClassVar[str] = "pram"
    promise: ClassVar[str] = (
        "Each value of {column} may have been replaced by another one, drawn with known "
        "probabilities, so that no single value is certain."
    )
    leaves_open: ClassVar[tuple[str, ...]] = (
        (
            "A released value is often the true one, and impossible combinations reveal which "
            "values were changed."
        ),
    )
    roles: ClassVar[frozenset[Role]] = frozenset(Role) - NOT_RELEASED
    in_classes: ClassVar[bool] = False
    draws_for_each_record: ClassVar[bool] = True
    checks_records: ClassVar[bool] = False
    checked_facts: ClassVar[tuple[str, ...]] = ("categories",)
    public_facts: ClassVar[frozenset[str]] = frozenset({"categories"})

    def faults(self, columns: Frame) -> Iterator[Fault]:
        """Find columns of one category, or of too many."""
        for column in columns:
            n_categories = column.n_unique()
            if not FEWEST_CATEGORIES <= n_categories <= MOST_CATEGORIES:
                yield Fault(
                    f"columns.{column.name}.protect",
                    f"has {n_categories:,} categories; from 2 to {MOST_CATEGORIES:,} can change",
                    'Choose "swap" or "noise-additive" for numbers.',
                )

    def mask(self, columns: Frame, source: RandomSource) -> Masked:
        """Draw a category for each record of one column."""
        column = columns.to_series()
        categories = column.unique(maintain_order=True)
        codes = codes_in_order(column)
        return _drawn(categories, codes, self._matrix(np.bincount(codes)), source)

    @property
    def is_fitted(self) -> bool:
        """A category is drawn by itself when all categories and their counts are known."""
        return True

    def fitted(self, parts: Iterable[Frame]) -> Fit:
        """Count the categories, and keep the matrix for all parts."""
        categories, counts = counted_values(parts, MOST_CATEGORIES)
        known = categories.to_frame()
        if faults := list(self.faults(known)):
            raise PolicyError(faults)
        matrix = self._matrix(counts)

        def mask(columns: Frame, source: RandomSource) -> Masked:
            codes = codes_of(columns.to_series(), categories)
            return _drawn(categories, codes, matrix, source)

        return Fit(mask, known)

    def _matrix(self, counts: Ints) -> Floats:
        """Return the probability of each released category (columns) per own one (rows)."""
        matrix = mixing_matrix(len(counts), self.truth)
        return invariant(matrix, counts) if self.invariant else matrix

    def check_release(self, released: Frame, facts: Mapping[str, Any] | None) -> Iterator[Fault]:
        """Find more categories than there were."""
        column = released.to_series()
        if facts is not None and column.n_unique() > int(facts["categories"]):
            yield Fault(
                f"manifest.protection.{column.name}",
                "names fewer categories than the column has",
                "Take the file, the manifest and the policy of one run.",
            )

    def check_against(
        self, released: Frame, original: Frame, rows: Sequence[int] | None
    ) -> Iterator[Fault]:
        """Find categories that the original has not."""
        del rows
        own = texts_by_key(original.to_series()).alias(original.columns[0])
        found = released.to_series().unique().to_list()
        if is_numeric(original.to_series()):
            found = [number_key(text) or text for text in found]
        if {*found} - {*own.unique()}:
            yield Fault(
                f"columns.{own.name}",
                "has categories that the original has not",
                "Take the release and the original of one run.",
            )


def _drawn(categories: Column, codes: Ints, matrix: Floats, source: RandomSource) -> Masked:
    """Draw a category for each record."""
    released = PostRandomization(matrix).randomize(codes, source)
    facts = {"categories": len(categories), "least_kept": float(matrix.diagonal().min())}
    return Masked(categories.gather(released).to_frame(), facts)

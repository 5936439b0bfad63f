"""Simpson's index: how diverse and how even the values of a class are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from indistinct.base.arrays import Floats, Ints
from indistinct.tables.core.frequencies import ValueCounts

FORMS = ("inverse", "gini", "unbiased")


@dataclass(frozen=True, slots=True)
class Diversity:
    """Diversity and evenness of each class.

    Parameters
    ----------
    concentration : (n_classes,), sum of squared shares, in (0, 1]
    richness : (n_classes,), distinct values
    sizes : (n_classes,), records
    """

    concentration: Floats
    richness: Ints
    sizes: Ints

    @property
    def inverse(self) -> Floats:
        """Simpson's D = 1 / concentration: (n_classes,), from 1 to the number of values."""
        return 1 / self.concentration

    @property
    def evenness(self) -> Floats:
        """D / number of values: (n_classes,), in (0, 1]."""
        return self.inverse / self.richness

    @property
    def gini(self) -> Floats:
        """1 - concentration: (n_classes,), chance that two draws with return differ."""
        return 1 - self.concentration

    @property
    def unbiased(self) -> Floats:
        """Chance that two different records differ: (n_classes,); 0 for a class of one record."""
        pairs = self.sizes * (self.sizes - 1.0)
        same = (self.concentration * self.sizes - 1) * self.sizes
        return np.where(pairs > 0, 1 - same / np.maximum(pairs, 1), 0.0)

    def in_form(self, form: str) -> Floats:
        """Return the index in one of ``FORMS``: (n_classes,)."""
        return {"inverse": self.inverse, "gini": self.gini, "unbiased": self.unbiased}[form]


def diversity_of(found: ValueCounts, sizes: Ints) -> Diversity:
    """Measure the values of each class.

    Parameters
    ----------
    found : the values in each class
    sizes : (n_classes,), records

    Source: simpson1949; majeed2017, equations 3 to 6.
    """
    shares = found.counts / sizes[found.owners]
    concentration = np.bincount(found.owners, shares**2, len(sizes)).astype(np.float64)
    return Diversity(concentration, np.diff(found.starts), sizes)

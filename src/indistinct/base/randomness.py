"""Where chance comes from: a secure source for what protects people, a seed for tests."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass

import numpy as np

from indistinct.base.arrays import Ints, Words


@dataclass(frozen=True, slots=True)
class RandomSource:
    """A source of random words: the operating system's, or a seeded one that can be repeated.

    With a seed every call starts anew from it, so a run is repeatable; without one the words come
    from the operating system's cryptographic generator.
    """

    seed: int | None = None

    def words(self, count: int) -> Words:
        """Draw ``count`` independent uniform 64-bit words."""
        if self.seed is None:
            return np.frombuffer(os.urandom(8 * count), dtype=np.uint64)
        return np.random.default_rng(self.seed).integers(
            0, 2**64, size=count, dtype=np.uint64, endpoint=False
        )

    def permutation(self, count: int) -> Ints:
        """Draw a uniform permutation of ``range(count)``.

        Sorting by independent 64-bit keys is uniform but for equal keys, whose probability is
        below ``count**2 / 2**65``.
        """
        return np.argsort(self.words(count), kind="stable").astype(np.int64)

    def shifted(self) -> RandomSource:
        """Return a source whose words do not repeat those that this one gives."""
        return self if self.seed is None else RandomSource(self.seed + (1 << 64))

    def numbered(self, index: int) -> RandomSource:
        """Return the source of one of many runs, each with words of its own.

        Parameters
        ----------
        index : of the run, 0 <= index < 1,000,003: then no two runs of two seeds share one
        """
        return self if self.seed is None else RandomSource(self.seed * 1_000_003 + index)

    def apart(self, purpose: str) -> RandomSource:
        """Return a source for one purpose, whose words are not those of any other purpose."""
        if self.seed is None:
            return self
        digest = hashlib.sha256(f"{self.seed} {purpose}".encode()).digest()
        return RandomSource(int.from_bytes(digest[:8]))

"""What every step of one local search shares."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from indistinct.core.protocols import Deadline, Progress


@dataclass(frozen=True, slots=True)
class Run:
    """One search.

    Parameters
    ----------
    seed : of all its random draws, at least 0
    pool : works on what does not depend on each other
    deadline : after which it returns the best so far
    progress : told after each step
    bound : that no local recoding is below; None where none is known
    """

    seed: int
    pool: ThreadPoolExecutor
    deadline: Deadline
    progress: Progress
    bound: float | None = None

    def words(self, purpose: int, number: int, count: int) -> list[np.uint64]:
        """Give ``count`` seeds for step ``number`` of one of the purposes of a search."""
        return list(self._sequence(purpose, number).generate_state(count, np.uint64))

    def draw(self, purpose: int, number: int) -> np.random.Generator:
        """Give a generator for step ``number`` of one of the purposes of a search."""
        return np.random.default_rng(self._sequence(purpose, number))

    def _sequence(self, purpose: int, number: int) -> np.random.SeedSequence:
        return np.random.SeedSequence([self.seed, purpose, number])

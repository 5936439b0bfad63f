"""What every step of one local search shares."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from threading import Event
from typing import ParamSpec, TypeVar

import numpy as np

from indistinct.tables.core.protocols import Deadline, Progress
from indistinct.tables.search.local.lower_bound import LowerBound

Given = ParamSpec("Given")
Result = TypeVar("Result")


class AtOnce(Executor):
    """Do what is handed over at once: what takes less time than to wake a thread for it."""

    def submit(
        self, fn: Callable[Given, Result], /, *args: Given.args, **kwargs: Given.kwargs
    ) -> Future[Result]:
        """Do it, and return its result as a future that is done."""
        done: Future[Result] = Future()
        done.set_result(fn(*args, **kwargs))
        return done


@dataclass(frozen=True, slots=True)
class LocalSearchRun:
    """One search.

    Parameters
    ----------
    seed : of all its random draws, at least 0
    pool : works on what does not depend on each other
    deadline : after which it returns the best so far
    progress : told after each step
    bound : on what no local recoding is below, which may still be computed; None for none
    """

    seed: int
    pool: Executor
    deadline: Deadline
    progress: Progress
    bound: Future[LowerBound] | None = None

    @property
    def known_bound(self) -> float | None:
        """What no local recoding is below, once that is computed; None where nothing is known."""
        if self.bound is None or not self.bound.done():
            return None
        return self.bound.result().value

    def time_share(self, begun: float, limit: float = 1.0) -> float:
        """Return the share of the time that is over, from 0 to 1; 0 without a deadline.

        A search must have cooled before its time is over, so that its rounds go through all of it.

        Parameters
        ----------
        begun : moment when the search began, by the monotonic clock
        limit : share of the time left then that it may take
        """
        if self.deadline.moment is None:
            return 0.0
        whole = limit * (self.deadline.moment - begun)
        return min((time.monotonic() - begun) / whole, 1.0) if whole > 0 else 1.0

    def part(self, first: float, last: float) -> LocalSearchRun:
        """Return the same run for a step that lasts from one share of the search to another."""
        whole = self.progress

        def progress(share: float, message: str) -> None:
            whole(first + (last - first) * share, message)

        return replace(self, progress=progress)

    def words(self, purpose: int, number: int, count: int) -> list[np.uint64]:
        """Return ``count`` seeds for step ``number`` of one of the purposes of a search."""
        return list(self._sequence(purpose, number).generate_state(count, np.uint64))

    def draw(self, purpose: int, number: int) -> np.random.Generator:
        """Return a generator for step ``number`` of one of the purposes of a search."""
        return np.random.default_rng(self._sequence(purpose, number))

    def _sequence(self, purpose: int, number: int) -> np.random.SeedSequence:
        return np.random.SeedSequence([self.seed, purpose, number])


def sooner(deadline: Deadline, share: float) -> Deadline:
    """Return the moment when a share of the time left is over."""
    if deadline.moment is None:
        return deadline
    now = time.monotonic()
    return Deadline(now + share * (deadline.moment - now))


@contextmanager
def ending(over: Event) -> Generator[None]:
    """Report that it is over, where what is done meanwhile fails or is interrupted."""
    try:
        yield
    except BaseException:
        over.set()
        raise


@dataclass(frozen=True, slots=True)
class UntilOver(Deadline):
    """A deadline that has passed, too, once the search that it belongs to is over.

    Parameters
    ----------
    deadline : of the search
    over : set where the search fails or is interrupted
    """

    deadline: Deadline = field(default_factory=Deadline)
    over: Event = field(default_factory=Event)

    @property
    def passed(self) -> bool:
        """Return whether the moment is over, or the search."""
        return self.over.is_set() or self.deadline.passed

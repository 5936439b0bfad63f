"""What a search says while it runs: the best so far, and what no release can beat."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from indistinct.base.coded_text import CodedText, sentence
from indistinct.tables.core.protocols import Progress

BOUND_EVERY_SECONDS = 0.5


def best_stage(done: str, measure: str, best: float | None, bound: float | None) -> CodedText:
    """Return what was done, with the best release so far; see :func:`so_far`.

    Parameters
    ----------
    best : value of a release that keeps the promise; None where there is none yet
    """
    said = f"{done}; {so_far(measure, best, bound)}"
    if best is None or not math.isfinite(best):
        return sentence("no_release_found_yet", said)
    least = None if bound is None or not math.isfinite(bound) else min(bound, best)
    return sentence("best", said, measure=measure, best=best, bound=least)


def so_far(measure: str, best: float | None, bound: float | None) -> str:
    """Return in words the best value found, and the least that any release of this kind has.

    Parameters
    ----------
    measure : that is made small
    bound : proven; None or no finite number where none is known
    """
    if best is None or not math.isfinite(best):
        return "no release found yet"
    if bound is None or not math.isfinite(bound):
        return f"{measure} {best:.4g} so far"
    return f"{measure} {best:.4g} so far, at least {min(bound, best):.4g} in any case"


@dataclass(slots=True)
class ProgressReporter:
    """Tells how far a search is; asks for the bound, which costs something, only now and then."""

    progress: Progress
    measure: str
    bound: Callable[[], float]
    last: float = field(default_factory=time.monotonic)
    known: float | None = None

    def __call__(self, share: float, done: str, best: float | None) -> None:
        """Report the share that is done, what was done, and the best value so far."""
        now = time.monotonic()
        if now - self.last >= BOUND_EVERY_SECONDS:
            self.last, self.known = now, self.bound()
        self.progress(share, best_stage(done, self.measure, best, self.known))

"""What one service bears, and how much one analyst may ask of it per second."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import final


@final
@dataclass(frozen=True, slots=True)
class ServiceLimits:
    """What one service bears.

    Parameters
    ----------
    bucket_seconds : replies leave at multiples of this after the request; those that looked at the
        data leave at multiples of the time that the declaration says
    rate : questions per second of one analyst, on average
    burst : questions of one analyst at once
    concurrent : questions at work at once, over all analysts
    share : questions of one analyst at work at once; the others wait
    body_seconds : time in which a request's body must be here
    """

    body_bytes: int = 16_384
    bucket_seconds: float = 0.02
    rate: float = 1000.0
    burst: float = 2000.0
    concurrent: int = 64
    share: int = 1
    body_seconds: float = 10.0
    timeout_seconds: float = 60.0


@final
@dataclass(slots=True)
class RateLimiter:
    """Counts what each analyst asks per second: a token bucket each."""

    limits: ServiceLimits
    filled: dict[str, tuple[float, float]] = field(default_factory=dict[str, tuple[float, float]])

    def admits(self, name: str) -> bool:
        """Return whether an analyst may ask, and charge one question to the analyst's rate."""
        now = time.monotonic()
        level, then = self.filled.get(name, (self.limits.burst, now))
        level = min(self.limits.burst, level + (now - then) * self.limits.rate)
        self.filled[name] = (level - (level >= 1), now)
        return level >= 1

"""What came of an attack: attempts and successes, beside a control group and a naive guess."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, final

from indistinct.metrics.success import ExcessRisk, SuccessRate, excess_risk

GUESSING = "guessing blindly"


@final
@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one attack.

    Parameters
    ----------
    attack : its name
    found : attempts and successes
    counted : True where successes were compared with the truth, False where they are expected
    control : the same attack on people who are not in the release, if there was a table of them
    baseline : what guessing without the release succeeds in, where that is defined
    baseline_is : what the baseline is, where it is something else
    details : further numbers; no value of any record
    warnings : why the rate may say little
    """

    attack: str
    found: SuccessRate
    counted: bool = True
    control: SuccessRate | None = None
    baseline: SuccessRate | None = None
    details: Mapping[str, Any] = field(default_factory=dict[str, Any])
    warnings: tuple[str, ...] = ()
    baseline_is: str = GUESSING

    @property
    def gained(self) -> ExcessRisk | None:
        """What the release adds to the success on a control group; None without one."""
        return None if self.control is None else excess_risk(self.found, self.control)

    def document(self) -> dict[str, Any]:
        """Give the outcome as one JSON document."""
        gained = self.gained
        return {
            "attack": self.attack,
            **_entry(self.found),
            "counted": self.counted,
            "control": None if self.control is None else _entry(self.control),
            "risk": None
            if gained is None
            else {"risk": gained.risk, "interval": list(gained.interval)},
            "baseline": None if self.baseline is None else _entry(self.baseline),
            "details": dict(self.details),
            "warnings": self.doubts(),
        }

    def doubts(self) -> list[str]:
        """Say why the rate may say little about the release."""
        doubts = list(self.warnings)
        if self.found.attempts == 0:
            nothing = "there was nothing to attempt; this attack says nothing about the release"
            return [*doubts, nothing]
        is_guess = self.baseline is not None and self.baseline_is == GUESSING
        if is_guess and self.baseline and self.found.rate <= self.baseline.rate:
            doubts.append(
                "the attack is not better than guessing; its rate says nothing about the release"
            )
        if self.control is not None and self.control.attempts == 0:
            doubts.append("no attempt was made on the control group")
        return doubts


def _entry(found: SuccessRate) -> dict[str, Any]:
    """Write attempts, successes, rate and interval."""
    whole = float(found.successes).is_integer()
    return {
        "attempts": found.attempts,
        "successes": int(found.successes) if whole else float(found.successes),
        "rate": found.rate,
        "interval": list(found.interval),
    }

"""The shape that attacks share: an entry of the registry, whose fields are its parameters."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, final

from indistinct.base.advantage import Advantage
from indistinct.base.parameters import check, parameter
from indistinct.base.success import ExcessRisk, SuccessRate, excess_risk
from indistinct.tables.evaluation.attacks.candidates import sensitive_columns
from indistinct.tables.evaluation.attacks.scenario import AttackScenario

GUESSING = "guessing blindly"
# Parameters that several attacks have; a word means the same in each.
ATTEMPTS: dict[str, Any] = {
    "kind": int,
    "at_least": 1,
    "default": 2000,
    "help": "most attempts, where targets are drawn",
}
NEIGHBORS: dict[str, Any] = {
    "kind": int,
    "at_least": 1,
    "default": 1,
    "help": "nearest records that are compared",
}
TOLERANCE: dict[str, Any] = {
    "kind": float,
    "at_least": 0,
    "at_most": 1,
    "default": 0.05,
    "help": "relative error of a guessed number that counts as right, 0 to 1",
}
SECRET: dict[str, Any] = {
    "kind": str,
    "default": None,
    "help": "the column that the attacker wants to learn",
}


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
    compared : how people in the release and others differ, where both rates do not say it
    uncontrolled : why the control group was not attacked, where there was a table of it
    """

    attack: str
    found: SuccessRate
    counted: bool = True
    control: SuccessRate | None = None
    baseline: SuccessRate | None = None
    details: Mapping[str, Any] = field(default_factory=dict[str, Any])
    warnings: tuple[str, ...] = ()
    baseline_is: str = GUESSING
    compared: Advantage | None = None
    uncontrolled: str | None = None

    @property
    def added(self) -> Advantage | None:
        """How much more often the attack succeeds on people in the release; None where unknown."""
        if self.unmeasured is not None or self.control is None:
            return None if self.unmeasured is not None else self.compared
        return self.compared or Advantage(self.found, self.control)

    @property
    def unmeasured(self) -> str | None:
        """Why the added risk is not known although there was a control group."""
        if self.control is None:
            return self.uncontrolled
        if not self.control.attempts or not self.found.attempts:
            return "no attempt was possible on one of the two groups"
        outside = self.control if self.compared is None else self.compared.other
        if outside.successes >= outside.attempts:
            return "the attack succeeds on everybody outside the data, too"
        return None

    @property
    def gained(self) -> ExcessRisk | None:
        """What the release adds to the success on a control group; None without one."""
        return None if self.control is None else excess_risk(self.found, self.control)

    def document(self) -> dict[str, Any]:
        """Return the outcome as one JSON document."""
        gained = self.gained
        return {
            "attack": self.attack,
            **_entry(self.found),
            "counted": self.counted,
            "control": None if self.control is None else _entry(self.control),
            "risk": None
            if gained is None
            else {"risk": gained.risk, "interval": list(gained.interval)},
            "added_risk": self._added_document(),
            "baseline": None if self.baseline is None else _entry(self.baseline),
            "details": dict(self.details),
            "warnings": self.doubts(),
        }

    def _added_document(self) -> dict[str, Any] | None:
        """Write the added risk, or why it is not known; None without a control group."""
        if self.added is None and self.unmeasured is None:
            return None
        return {
            "difference": None if self.added is None else self.added.difference,
            "interval": None if self.added is None else list(self.added.interval),
            "unmeasured": self.unmeasured,
        }

    def doubts(self) -> list[str]:
        """Return why the rate may say little about the release."""
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


class Attack(ABC):
    """What an attacker does to a release.

    A subclass is a frozen dataclass; its fields are its parameters.

    Raises
    ------
    ParameterError
        when a parameter lies outside its range, all of them named
    """

    name: ClassVar[str]
    needs_register: ClassVar[bool] = False  # people by name, with what others know of them
    needs_original: ClassVar[bool] = False  # the table that the release was made from
    reads_midpoints: ClassVar[bool] = False  # numbers that do not say what they cover
    counts_people: ClassVar[bool] = False  # where the policy names the column of persons

    def __post_init__(self) -> None:
        """Check every parameter once."""
        check(self)

    @property
    def leads(self) -> bool:
        """Whether its rate answers for the attacker, though it is not his first attack."""
        return False

    @abstractmethod
    def run(self, scenario: AttackScenario) -> Sequence[Outcome]:
        """Attack; one outcome for the release, or one per column."""


@dataclass(frozen=True, slots=True)
class ColumnAttack(Attack):
    """An attack that runs once for each sensitive column, or for the one that is wanted."""

    reads_linked: ClassVar[bool] = False  # the sensitive table of two linked ones, too

    secret: str | None = parameter(**SECRET)

    def run(self, scenario: AttackScenario) -> list[Outcome]:
        """Carry the attack out."""
        names = sensitive_columns(scenario, self.secret, linked=self.reads_linked)
        found = [self.on_column(scenario, name) for name in names]
        return [outcome for outcome in found if outcome is not None]

    @abstractmethod
    def on_column(self, scenario: AttackScenario, column: str) -> Outcome | None:
        """Attack one column; None where there is nothing to attack in it."""

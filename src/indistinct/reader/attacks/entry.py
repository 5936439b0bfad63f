"""The shape that attacks share: an entry of the registry, whose fields are its parameters."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from indistinct.core.parameters import check, parameter
from indistinct.reader.attacks.candidates import sensitive_columns
from indistinct.reader.attacks.outcome import Outcome
from indistinct.reader.attacks.scene import Scene

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
    def run(self, scene: Scene) -> Sequence[Outcome]:
        """Attack; one outcome for the release, or one per column."""


@dataclass(frozen=True, slots=True)
class ColumnAttack(Attack):
    """An attack that runs once for each sensitive column, or for the one that is wanted."""

    reads_linked: ClassVar[bool] = False  # the sensitive table of two linked ones, too

    secret: str | None = parameter(**SECRET)

    def run(self, scene: Scene) -> list[Outcome]:
        """Carry the attack out."""
        names = sensitive_columns(scene, self.secret, linked=self.reads_linked)
        found = [self.on_column(scene, name) for name in names]
        return [outcome for outcome in found if outcome is not None]

    @abstractmethod
    def on_column(self, scene: Scene, column: str) -> Outcome | None:
        """Attack one column; None where there is nothing to attack in it."""

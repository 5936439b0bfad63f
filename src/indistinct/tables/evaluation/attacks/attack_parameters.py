"""What an attack may be told, and which attacks a name stands for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Literal, TypedDict, TypeVar

from indistinct.base.parameters import Bounds, declared
from indistinct.errors import Fault, ParameterError
from indistinct.tables.evaluation.attacks import (
    ATTACKERS,
    ATTACKS,
    ATTACKS_BY_NAME,
    Attack,
    AttackContext,
)
from indistinct.tables.evaluation.attacks.known_events import KnownEventsAttack

Made = TypeVar("Made", AttackContext, Attack)


def words_of_attacks() -> dict[str, AttackParameter]:
    """Return every word that an attack may be told, by name: those of all, then each one's own."""
    found: dict[str, AttackParameter] = {}
    for kind in (AttackContext, *ATTACKS):
        defaults = {one.name: one.default for one in fields(kind)}  # pyright: ignore[reportArgumentType] - each is a dataclass
        for name, bounds in declared(kind).items():
            found.setdefault(name, AttackParameter(bounds, defaults[name]))
    return found


class AttackParameters(TypedDict, total=False):
    """The parameters of the attacks; see ``docs/attacks.md`` for which attack has which."""

    known: Sequence[str]
    confidence: float
    attempts: int
    neighbors: int
    secret: str | None
    excluded: int
    gain: float
    predicate_columns: int
    second_source: Sequence[str]
    tolerance: float
    replays: int
    m: int
    days: int
    errors: float
    item_choice: Literal["random", "worst", "exact"]


@dataclass(frozen=True, slots=True)
class AttackParameter:
    """A parameter of one or more attacks, and what it is when it is left out."""

    bounds: Bounds
    default: Any


def checked(given: Mapping[str, Any]) -> dict[str, Any]:
    """Check the words of attacks, all at once; those that stay unset are left out."""
    known = words_of_attacks()
    remedy = f"Choose among {', '.join(known)}."
    faults = [
        Fault(word, "is not a recognized parameter of an attack", remedy)
        for word in given
        if word not in known
    ]
    said = {
        word: tuple(value) if known[word].bounds.kind is tuple else value
        for word, value in given.items()
        if word in known and value is not None
    }
    faults += [
        Fault(word, f"must be {wanted}", f"Set {word} to {wanted}.")
        for word, value in said.items()
        if not known[word].bounds.allows(value)
        for wanted in [known[word].bounds.sentence()]
    ]
    if faults:
        raise ParameterError(faults)
    return said


def made(kind: type[Made], words: Mapping[str, Any]) -> Made:
    """Make an attack, or a plan, of the words that it has."""
    return kind(**{word: words[word] for word in declared(kind) if word in words})


def attack_by_known_events(
    attack: str | None, plan: Mapping[str, Any]
) -> tuple[KnownEventsAttack, float]:
    """Return the attack on related tables that was asked for, and the confidence of its intervals.

    Raises
    ------
    ParameterError
        when another one was, or a word is unknown or out of range
    """
    words = checked(plan)
    if attack not in {None, KnownEventsAttack.name}:
        raise ParameterError(
            f"{attack} is for flat tables",
            f"Choose --attack {KnownEventsAttack.name}, or leave it out.",
        )
    own = {word: words[word] for word in declared(KnownEventsAttack) if word in words}
    return KnownEventsAttack(**own), made(AttackContext, words).confidence


def chosen(attacker: str, attack: str | None) -> Sequence[type[Attack]]:
    """Return the attacks that were asked for."""
    place, asked = ("--attacker", attacker) if attack is None else ("--attack", attack)
    alone = {name: (kind,) for name, kind in ATTACKS_BY_NAME.items()}
    known: Mapping[str, Sequence[type[Attack]]] = ATTACKERS if attack is None else alone
    word = asked.replace("neighbour", "neighbor")
    if word not in known:
        raise ParameterError([Fault(place, "is not known", f"Choose one of {', '.join(known)}.")])
    return known[word]


def check_people(kinds: Sequence[type[Attack]], person: str | None) -> None:
    """Refuse attacks on records where the policy promises people something."""
    of_records = [kind.name for kind in kinds if not kind.counts_people]
    if person is None or not of_records:
        return
    able = ", ".join(kind.name for kind in ATTACKS if kind.counts_people)
    problem = f"{', '.join(of_records)} counts records, but data.person has the policy count people"
    remedy = f"Choose one of {able}; or leave data.person out, and what is found are records."
    raise ParameterError([Fault("--attack", problem, remedy)])

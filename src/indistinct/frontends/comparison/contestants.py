"""Who takes part in a comparison: ways to publish, each with its parameter."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import final

from indistinct.errors import Fault, ParameterError
from indistinct.tables.search import ALGORITHMS_BY_NAME


class ContestantType(StrEnum):
    """What a contestant gives to its readers."""

    TRUE = "true records"
    GENERALIZED = "generalized records"
    MADE_UP = "made-up records"
    ANSWERS = "answers to questions"


MADE_UP = ("mst", "focus", "independent")
ANSWERS = "answers"
POLICY, RAW, FRESH = "policy", "raw", "fresh"
EPSILONS = ("0.5", "1", "3", "10")


@final
@dataclass(frozen=True, slots=True)
class Contestant:
    """One way to publish.

    Parameters
    ----------
    name : ``policy``, an algorithm that generalizes, ``mst``, ``focus``, ``independent``,
        ``answers``; or ``raw`` and ``fresh``, which frame the others
    parameter : k of an algorithm that generalizes, epsilon of noise; empty where there is none
    """

    name: str
    parameter: str = ""

    def __str__(self) -> str:
        """Write it as a user does."""
        return f"{self.name}:{self.parameter}" if self.parameter else self.name

    @property
    def kind(self) -> ContestantType:
        """What its readers get."""
        if self.name in {RAW, FRESH}:
            return ContestantType.TRUE
        if self.name == ANSWERS:
            return ContestantType.ANSWERS
        return ContestantType.MADE_UP if self.name in MADE_UP else ContestantType.GENERALIZED

    @property
    def is_noisy(self) -> bool:
        """Whether each run differs, and epsilon is its parameter."""
        return self.kind in {ContestantType.MADE_UP, ContestantType.ANSWERS}


def contestants_of(texts: Sequence[str], *, declared: bool) -> list[Contestant]:
    """Read contestants such as ``local:5`` and ``mst:1``.

    Parameters
    ----------
    texts : none for the default: the policy's release and, where a dataset is declared, ``mst``,
        ``independent`` and ``answers`` at epsilon 0.5, 1, 3 and 10
    declared : whether a dataset is declared, without which nothing noisy can take part

    Raises
    ------
    ParameterError
        when one cannot be read or lacks its declaration, all of them named
    """
    listed = [text.strip() for text in texts if text.strip()] or list(_default(declared=declared))
    found = [Contestant(*_parts(text)) for text in dict.fromkeys(listed)]
    faults = [fault for one in found for fault in _faults(one, declared=declared)]
    if faults:
        raise ParameterError(faults)
    return found


def _default(*, declared: bool) -> Iterator[str]:
    yield POLICY
    if declared:
        yield from (f"{name}:{e}" for name in ("mst", "independent", ANSWERS) for e in EPSILONS)


def _parts(text: str) -> tuple[str, str]:
    name, _, parameter = text.partition(":")
    return name.strip(), parameter.strip()


def _faults(one: Contestant, *, declared: bool) -> Iterator[Fault]:
    place = f"--contestants {one}"
    known = [POLICY, *ALGORITHMS_BY_NAME, *MADE_UP, ANSWERS]
    if one.name not in known:
        yield Fault(place, "is not known", f"Choose among {', '.join(known)}.")
    elif one.is_noisy and not declared:
        yield Fault(
            place, "draws noise, and no dataset is declared", "Give --declaration FILE.toml."
        )
    elif one.is_noisy and not one.parameter:
        yield Fault(place, "has no epsilon", f"Write it behind a colon: {one.name}:1.")
    elif one.name in ALGORITHMS_BY_NAME and not _is_k(one.parameter):
        yield Fault(place, "has no k of at least 2", f"Write it behind a colon: {one.name}:5.")
    elif one.name == POLICY and one.parameter:
        yield Fault(place, "has a parameter", "Write policy alone: its parameters are its own.")


def _is_k(text: str) -> bool:
    return text.isascii() and text.isdigit() and int(text) > 1

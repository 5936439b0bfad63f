"""A table of a policy: a closed set of words, and what is said of a wrong one."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from pydantic import BaseModel, ConfigDict
from pydantic_core import ErrorDetails, PydanticCustomError

from indistinct.errors import Fault


class Words(BaseModel):
    """A table of a policy: closed, and never changed after it was checked."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, arbitrary_types_allowed=True, allow_inf_nan=False
    )


def one_of(known: Iterable[str]) -> Callable[[str], str]:
    """Make a check that a word is one of those known."""

    def check(word: str) -> str:
        if word not in known:
            listed = ", ".join(known)
            raise PydanticCustomError(
                "word", "is not known", {"remedy": f"Choose one of {listed}."}
            )
        return word

    return check


def word_fault(detail: ErrorDetails) -> Fault:
    """Say in our words what pydantic found."""
    place = ".".join(str(part) for part in detail["loc"])
    kind = detail["type"]
    if kind == "extra_forbidden":
        return Fault(place, "is not a word of a policy", "Check the spelling, or leave it out.")
    if kind == "missing":
        return Fault(place, "is missing", "Add it.")
    remedy = detail.get("ctx", {}).get("remedy", "Change it in the policy.")
    return Fault(place, detail["msg"], str(remedy))

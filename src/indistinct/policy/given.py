"""A policy as callers give it: the policy itself, its words, or the path of its file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias, cast

from indistinct.errors import PolicyError
from indistinct.policy.policy import Policy

GivenPolicy: TypeAlias = Policy | str | Path | Mapping[str, Any]


def policy_of(given: GivenPolicy) -> Policy:
    """Return the policy that a caller means.

    Parameters
    ----------
    given : a policy; the path of a TOML file; or nested words, as :func:`tomllib.load` gives them

    Raises
    ------
    PolicyError
        when the file cannot be read, the words are no policy, or the value is none of these
    """
    if isinstance(given, Policy):
        return given
    if isinstance(given, str | Path):
        return Policy.load(given)
    if isinstance(cast("object", given), Mapping):
        return Policy.from_words(given)
    raise PolicyError(
        f"the policy is of the type {type(given).__name__}",
        "Give an indistinct.Policy, or the path of a TOML file with its words.",
    )

"""A policy as callers give it: the policy itself, its words, or the path of its file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias, cast

from pydantic import ValidationError

from indistinct.errors import Fault, PolicyError
from indistinct.tables.policy.policy import Policy
from indistinct.tables.policy.policy_table import word_fault, words_of
from indistinct.tables.policy.sections.data import DataPolicy

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
    words = words_of(given) if isinstance(given, str | Path) else given
    if _are_of_related_tables(words):
        raise PolicyError(
            "the policy is one of related tables, which is not possible here",
            "Give the policy of one table.",
        )
    if isinstance(given, str | Path):
        return Policy.load(given)
    if isinstance(cast("object", given), Mapping):
        return Policy.from_words(given)
    raise PolicyError(
        f"the policy is of the type {type(given).__name__}",
        "Give an indistinct.Policy, or the path of a TOML file with its words.",
    )


def policy_to_measure(given: GivenPolicy) -> Policy:
    """Return the policy by which a table is measured: it need not promise anything.

    Raises
    ------
    PolicyError
        as :func:`policy_of` does, but where no model is named
    """
    words = words_of(given) if isinstance(given, str | Path) else given
    if not isinstance(words, Mapping) or words.get("models") or _are_of_related_tables(words):
        return policy_of(given)
    folder = Path(given).parent if isinstance(given, str | Path) else None
    # Everything else is checked as in any policy, beside a model that is taken out again.
    checked = Policy.from_words({**words, "models": [{"name": "k-anonymity", "k": 2}]}, folder)
    return checked.model_copy(update={"models": ()})


def _are_of_related_tables(words: object) -> bool:
    """Return whether words, or a policy that was made of them, are those of related tables."""
    if isinstance(words, Mapping):
        return bool({"tables", "related"} & {*cast("Mapping[str, Any]", words)})
    return hasattr(words, "tables")


def data_alone(given: GivenPolicy) -> DataPolicy | None:
    """Return how a table is read, of a policy that has ``[data]`` and nothing else; else None.

    Raises
    ------
    PolicyError
        when its words are not those of ``[data]``, or its file cannot be read
    """
    if isinstance(given, Policy):
        return None
    words = words_of(given) if isinstance(given, str | Path) else given
    if not isinstance(cast("object", words), Mapping) or {*words} != {"data"}:
        return None
    try:
        return DataPolicy(**words["data"])
    except ValidationError as error:
        faults = [word_fault(detail, DataPolicy) for detail in error.errors()]
        named = [Fault(f"data.{one.place}", one.problem, one.remedy) for one in faults]
        raise PolicyError(named) from None

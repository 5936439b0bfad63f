"""Privacy models for the sensitive columns of a draft, by how their values are distributed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from indistinct.tables.core.schema import Role
from indistinct.tables.drafting.together import JudgedColumn

MOST = 6
DOMINANT = 0.5
CLOSE = 0.3


@dataclass(frozen=True, slots=True)
class DraftedModel:
    """A model of the draft.

    Parameters
    ----------
    words : as a policy has them
    said : why, in a sentence
    """

    words: Mapping[str, object]
    said: str


@dataclass(frozen=True, slots=True)
class TriedModels:
    """The models that a trial on some records found to be the cheapest.

    Parameters
    ----------
    by_column : per sensitive column
    said : what they cost together, in a sentence; empty where that is not known
    """

    by_column: Mapping[str, DraftedModel] = field(default_factory=dict[str, DraftedModel])
    said: str = ""


def sensitive_names(judged: Sequence[JudgedColumn]) -> list[str]:
    """Return the sensitive columns of several values, those first whose disclosure harms most."""
    sensitive = [
        one for one in judged if one.suggestion.role is Role.SENSITIVE and one.evidence.distinct > 1
    ]
    return [one.evidence.name for one in sorted(sensitive, key=lambda one: -one.suggestion.rank)]


def models_of(judged: Sequence[JudgedColumn]) -> tuple[dict[str, DraftedModel], list[str]]:
    """Choose a model for each of the most harmful sensitive columns.

    Returns
    -------
    the models by column, and the sensitive columns that are left without one
    """
    columns, ranked = {one.evidence.name: one for one in judged}, sensitive_names(judged)
    return {name: model_of(columns[name]) for name in ranked[:MOST]}, ranked[MOST:]


def usual_models(one: JudgedColumn) -> list[DraftedModel]:
    """Return the usual models of a sensitive column, first the one that is drafted untried."""
    name = one.evidence.name
    diverse = DraftedModel(
        {"name": "distinct-l-diversity", "column": name, "l": 2},
        "Every class with a known value has at least two different ones, so that the class alone "
        "does not tell which is a person's.",
    )
    close = DraftedModel(
        {"name": "t-closeness", "column": name, "t": CLOSE, "distance": "equal"},
        f"The shares of the values in a class differ by at most {CLOSE} from those in the whole "
        "table.",
    )
    return [close, diverse] if one.evidence.top_share > DOMINANT else [diverse, close]


def model_of(one: JudgedColumn) -> DraftedModel:
    """Choose a model for a sensitive column by the share of its most frequent value.

    Below a half, every class gets a second value; else its shares stay close to the whole table's.
    """
    column = one.evidence
    if column.top_share > DOMINANT:
        words = {"name": "t-closeness", "column": column.name, "t": CLOSE, "distance": "equal"}
        return DraftedModel(
            words,
            f"{column.top_share:.0%} of the records have the same value, so that a second value in "
            "every class would cost too much. Instead, the shares of the values in a class may "
            f"differ by at most {CLOSE} from those in the whole table.",
        )
    return DraftedModel(
        {"name": "distinct-l-diversity", "column": column.name, "l": 2},
        "Every class with a known value has at least two different ones, so that the class alone "
        "does not tell which is a person's. No value occurs in more than half of the records, so "
        "this costs little.",
    )

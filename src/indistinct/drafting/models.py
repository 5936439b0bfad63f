"""Privacy models for the sensitive columns of a draft, by how their values are distributed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from indistinct.core.schema import Role
from indistinct.drafting.together import JudgedColumn

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


def models_of(judged: Sequence[JudgedColumn]) -> tuple[list[DraftedModel], list[str]]:
    """Choose a model for each of the most harmful sensitive columns.

    Returns
    -------
    the models, and the sensitive columns that are left without one
    """
    sensitive = [
        one for one in judged if one.suggestion.role is Role.SENSITIVE and one.evidence.distinct > 1
    ]
    ranked = sorted(sensitive, key=lambda one: -one.suggestion.rank)
    models = [model_of(one) for one in ranked[:MOST]]
    return models, [one.evidence.name for one in ranked[MOST:]]


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

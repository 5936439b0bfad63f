"""Privacy models for the sensitive columns of a draft, by how their values are distributed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from indistinct.core.schema import Role
from indistinct.drafting.together import Judged

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


def models_of(judged: Sequence[Judged]) -> tuple[list[DraftedModel], list[str]]:
    """Choose a model for each of the most harmful sensitive columns.

    Returns
    -------
    the models, and the sensitive columns that are left without one
    """
    sensitive = [
        one for one in judged if one.suggestion.role is Role.SENSITIVE and one.evidence.distinct > 1
    ]
    ranked = sorted(sensitive, key=lambda one: -one.suggestion.rank)
    models = [_model(one) for one in ranked[:MOST]]
    return models, [one.evidence.name for one in ranked[MOST:]]


def _model(one: Judged) -> DraftedModel:
    """Choose by the most frequent value: a second value, or shares close to the whole table's."""
    column = one.evidence
    if column.top_share > DOMINANT:
        words = {"name": "t-closeness", "column": column.name, "t": CLOSE, "distance": "equal"}
        return DraftedModel(
            words,
            f"One value holds {column.top_share:.0%} of the records, so that a second value in "
            "every class would cost too much; the shares of a class may differ by at most 0.3.",
        )
    return DraftedModel(
        {"name": "distinct-l-diversity", "column": column.name, "l": 2},
        "No value holds more than half of the records, so that two values in every class cost "
        "little; who finds a person's class then still does not know the value.",
    )

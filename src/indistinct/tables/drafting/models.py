"""Privacy models for the sensitive columns of a draft, by how their values are distributed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from indistinct.tables.core.schema import Role
from indistinct.tables.drafting.counted_column import CountedColumn
from indistinct.tables.drafting.evidence.value_tests import is_tick
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
        one
        for one in judged
        if one.suggestion.role is Role.SENSITIVE
        and (one.evidence.distinct > 1 or is_tick(one.evidence))
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
    diverse = _drafted(
        one,
        {"name": "distinct-l-diversity", "l": 2},
        "Every class with a known value has at least two different ones, so that the class alone "
        "does not tell which is a person's.",
    )
    close = _drafted(
        one,
        {"name": "t-closeness", "t": CLOSE, "distance": "equal"},
        f"The shares of the values in a class differ by at most {CLOSE} from those in the whole "
        "table.",
    )
    return [close, diverse] if _top_share(one.evidence) > DOMINANT else [diverse, close]


def model_of(one: JudgedColumn) -> DraftedModel:
    """Choose a model for a sensitive column by the share of its most frequent value.

    Below a half, every class gets a second value; else its shares stay close to the whole table's.
    """
    model, share = usual_models(one)[0], _top_share(one.evidence)
    why = (
        f"{share:.0%} of the records have the same value, so that a second value in every class "
        "would cost too much. "
        if share > DOMINANT
        else "No value occurs in more than half of the records, so this costs little. "
    )
    return DraftedModel(model.words, f"{why}{model.said}")


def _drafted(one: JudgedColumn, words: Mapping[str, object], said: str) -> DraftedModel:
    """Return a model of a column; where a mark says yes, the blanks count as no."""
    name, *others = words.items()
    about = dict([name, ("column", one.evidence.name), *others])
    if not is_tick(one.evidence):
        return DraftedModel(about, said)
    counted = "A mark says yes and an empty cell no, so that missing values count as a value."
    return DraftedModel({**about, "missing_counts": True}, f"{said} {counted}")


def _top_share(column: CountedColumn) -> float:
    """Return the share of the records with the most frequent value; blanks beside marks are one."""
    if not is_tick(column):
        return column.top_share
    return max(column.known, column.missing) / (column.known + column.missing)

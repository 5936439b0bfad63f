"""Edits of a policy: whose record each is, how many people it stands for, and what joins them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from indistinct.frontends.app.edits import EditedWords, with_roles, with_table
from indistinct.tables.core import Role

K_ANONYMITY, USUAL_K = "k-anonymity", 5
OF_WEIGHTS = (Role.INSENSITIVE.value, Role.IDENTIFIER.value)


def counted_by(words: Mapping[str, Any], person: str) -> EditedWords:
    """Return the words of a policy whose sizes count the people that a column tells apart.

    Parameters
    ----------
    person : the column; empty where each record is of another person
    """
    changed = with_table(words, "data", {"person": person or None, "household": None})
    for column in changed["columns"].values():
        column.pop("level", None)
    if person:
        # The numbers of people are left out: nobody may join their records by them.
        changed["columns"][person].pop("protect", None)
        changed = with_roles(changed, {person: Role.IDENTIFIER.value})
    return changed


def joined_by(words: Mapping[str, Any], *, together: bool) -> EditedWords:
    """Return the words with a new number for each person, which joins their records, or without.

    People who are joined are protected like households: with all records together, by sizes alone.
    """
    data: Mapping[str, Any] = words.get("data", {})
    person = data.get("household") or data.get("person")
    changed = counted_by(words, person or "")
    if not (together and person):
        return changed
    sizes = [one for one in changed["models"] if one["name"] == K_ANONYMITY]
    changed["models"] = sizes or [{"name": K_ANONYMITY, "k": USUAL_K}]
    return with_table(changed, "data", {"person": None, "household": person})


def weighted_by(words: Mapping[str, Any], weight: str) -> EditedWords:
    """Return the words with the column that says how many people each record stands for.

    Parameters
    ----------
    weight : the column; empty where each record stands for one
    """
    changed = with_table(words, "data", {"weight": weight or None})
    if weight and changed["columns"][weight]["role"] not in OF_WEIGHTS:
        changed = with_roles(changed, {weight: Role.INSENSITIVE.value})
    return changed

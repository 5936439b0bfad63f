"""Edits of a policy: nested words in, other words out. Each click of the application is one."""

from __future__ import annotations

import copy
from collections.abc import Collection, Mapping, Sequence
from typing import Any, cast

from indistinct.base.parameters import Bounds, declared
from indistinct.errors import Fault, ParameterError, Way
from indistinct.frontends.app.declared import words_of_reading
from indistinct.tables.core import Role
from indistinct.tables.models import MODELS_BY_NAME
from indistinct.tables.policy import ColumnPolicy
from indistinct.tables.reading import SET

EditedWords = dict[str, Any]
# What a column keeps only as long as others may know it.
OF_QUASI_IDENTIFIERS = (
    *("hierarchy", "min_level", "max_level", "importance", "weight"),
    *("separator", "suppression"),
)

# What [data] says of how records are counted, and not of how they are read.
COUNTING = ("missing_as", "weight", "household", "long")


def with_roles(words: Mapping[str, Any], roles: Mapping[str, str]) -> EditedWords:
    """Return the words with other roles for columns; what only the old role had goes with it."""
    changed = copy.deepcopy(dict(words))
    for name, role in roles.items():
        column = changed["columns"][name]
        if column["role"] == role:
            continue
        column["role"] = role
        column.pop("reason", None)  # it spoke for the old role
        if role != Role.QUASI_IDENTIFIER.value:
            for word in (*OF_QUASI_IDENTIFIERS, "protect"):
                column.pop(word, None)
            if column.get("type") == SET:
                del column["type"]
    kept = {
        name
        for name, one in changed["columns"].items()
        if one["role"] == Role.SENSITIVE.value or one.get("type") == SET
    }
    changed["models"] = [
        model for model in changed.get("models", []) if model.get("column", None) in {None, *kept}
    ]
    return changed


def drafted_again(words: Mapping[str, Any], drafted: Mapping[str, Any]) -> EditedWords:
    """Return the draft of a table that is read in another way, with what was decided before.

    A column that is read as before keeps all that was said of it; of one that is read otherwise,
    the role is kept and its hierarchy is drafted again.

    Parameters
    ----------
    words : of the policy so far
    drafted : words of a policy that was drafted from the table as it is read now
    """
    changed = {**copy.deepcopy(dict(words)), "columns": copy.deepcopy(drafted["columns"])}
    before, now = words["columns"], changed["columns"]
    alike = {name for name in now if name in before and _read_alike(before[name], now[name])}
    now |= {name: copy.deepcopy(before[name]) for name in alike}
    changed = with_roles(
        changed,
        {name: before[name]["role"] for name in now if name in before and name not in alike},
    )
    kept = {w: words["data"][w] for w in COUNTING if w in words.get("data", {})}
    changed["data"] = {**kept, **drafted.get("data", {})}
    if not changed["data"]:
        del changed["data"]
    named = set(changed["columns"])
    models = [one for one in changed.get("models", []) if one.get("column") in {None, *named}]
    return with_models(changed, models or drafted.get("models", []))


def _read_alike(before: EditedWords, now: EditedWords) -> bool:
    """Return whether a column is read in the same way."""
    return words_of_reading(before) == words_of_reading(now)


def undecided(words: Mapping[str, Any]) -> list[str]:
    """Name the columns that have no role yet."""
    columns: Mapping[str, EditedWords] = words["columns"]
    return [name for name, one in columns.items() if one["role"] == Role.UNDECIDED.value]


def measurable(words: Mapping[str, Any]) -> EditedWords:
    """Leave undecided columns out, so that the others can be looked at meanwhile."""
    return with_roles(words, dict.fromkeys(undecided(words), Role.LEFT_OUT.value))


def runnable(words: Mapping[str, Any], confirmed: Collection[str]) -> EditedWords:
    """Call every column undecided whose role nobody confirmed: no command runs such a policy."""
    changed = copy.deepcopy(dict(words))
    for name, column in changed["columns"].items():
        if name not in confirmed:
            column["role"] = Role.UNDECIDED.value
    return changed


def with_hierarchy(
    words: Mapping[str, Any], name: str, rule: Mapping[str, Any] | None
) -> EditedWords:
    """Return the words with another hierarchy for a column; none takes what the data suggest."""
    changed = copy.deepcopy(dict(words))
    column = changed["columns"][name]
    for word in ("hierarchy", "min_level", "max_level"):
        column.pop(word, None)
    if rule is not None:
        column["hierarchy"] = dict(rule)
    return changed


def pinned(words: Mapping[str, Any], levels: Mapping[str, int | None]) -> EditedWords:
    """Fix the level of columns; None lets a column free again."""
    changed = copy.deepcopy(dict(words))
    for name, level in levels.items():
        column = changed["columns"][name]
        column.pop("min_level", None)
        column.pop("max_level", None)
        if level is not None:
            column |= {"min_level": level, "max_level": level}
    return changed


def mattering(
    words: Mapping[str, Any], name: str, importance: float, least: int | None
) -> EditedWords:
    """Return the words with how much a column matters, and its highest level in a release.

    Parameters
    ----------
    importance : 1 is the usual one
    least : level; None lets the search decide
    """
    changed = copy.deepcopy(dict(words))
    column = changed["columns"][name]
    before = column.get("importance", column.get("weight", 1))
    for word in ("importance", "weight", "max_level"):
        column.pop(word, None)
    if importance != 1:
        # A word says more than its number: a column that must be shown stays one.
        is_same = ColumnPolicy.number_of(before) == importance
        column["importance"] = before if is_same else importance
    if least is not None:
        column["max_level"] = least
        column["min_level"] = min(column.get("min_level", 0), least)
    if not column.get("min_level", 1):
        del column["min_level"]
    return changed


def with_way(words: Mapping[str, Any], way: Way) -> EditedWords:
    """Return the words after an edit that an engine named, and after what follows of it.

    Raises
    ------
    KeyError, ValueError
        when it is an edit of nothing
    """
    if way.place[0] == "columns" and way.place[2:] == ("role",):
        return with_roles(words, {way.place[1]: way.value})
    changed = way.after(words)
    if way.place[-1] == "max_level":
        column = changed["columns"][way.place[1]]
        if column.get("min_level", 0) > way.value:
            column["min_level"] = way.value
    return changed


def with_table(words: Mapping[str, Any], table: str, said: Mapping[str, Any]) -> EditedWords:
    """Return the words with further words in a table of the policy; None removes a word."""
    changed = copy.deepcopy(dict(words))
    merged = {**changed.get(table, {}), **said}
    changed[table] = {word: value for word, value in merged.items() if value is not None}
    if not changed[table]:
        del changed[table]
    return changed


def with_models(words: Mapping[str, Any], models: Sequence[Mapping[str, Any]]) -> EditedWords:
    """Promise other models."""
    changed = copy.deepcopy(dict(words))
    changed["models"] = [dict(model) for model in models]
    return changed


def model_from_form(name: str, given: Mapping[str, str], place: str) -> EditedWords:
    """Read the parameters of a model from the texts of a form.

    Raises
    ------
    ParameterError
        when a number cannot be read, or lies outside its range; all faults at once
    """
    kind = MODELS_BY_NAME[name]
    model: EditedWords = {"name": name}
    faults: list[Fault] = []
    for word, bounds in declared(kind).items():
        if (said := given.get(word, "").strip()) == "":
            continue
        value = _value(said, bounds)
        if value is None or not bounds.allows(value):
            problem = f"must be {bounds.sentence()}"
            parts = {"bounds": bounds.sentence()}
            faults.append(
                Fault(f"{place}: {word}", problem, "Change it.", code="must-be", parts=parts)
            )
        else:
            model[word] = value
    if faults:
        raise ParameterError(faults)
    return model


def _value(said: str, bounds: Bounds) -> Any:
    """Read a number, a truth or a text; None where it cannot be read."""
    if bounds.kind is str or said == bounds.word:
        return said
    if bounds.kind is bool:
        return said == "true"
    try:
        number = float(said.replace(",", "."))
    except ValueError:
        return None
    return int(number) if bounds.kind is int and number == int(number) else number


def without_nothing(words: Mapping[str, Any]) -> EditedWords:
    """Leave out what is not said: TOML has no word for nothing."""
    return {
        word: without_nothing(cast("EditedWords", said)) if isinstance(said, Mapping) else said
        for word, said in words.items()
        if said is not None
    }


def differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """List what differs between two policies: the place, and what each says there."""
    first, second = dict(_flat(before)), dict(_flat(after))
    places = dict.fromkeys([*first, *second])
    return [
        (place, first.get(place, ""), second.get(place, ""))
        for place in places
        if first.get(place) != second.get(place)
    ]


def _flat(words: Mapping[str, Any], prefix: str = "") -> list[tuple[str, str]]:
    """Name every word by its place."""
    pairs: list[tuple[str, str]] = []
    for word, said in words.items():
        place = f"{prefix}{word}"
        if word == "models":
            pairs += [pair for model in said for pair in _model(model)]
        elif isinstance(said, Mapping) and word != "tree":
            pairs += _flat(cast("EditedWords", said), f"{place}.")
        else:
            pairs.append((place, _written(said)))
    return pairs


def _model(model: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Name the parameters of a model."""
    column = f" ({model['column']})" if "column" in model else ""
    rest = {word: said for word, said in model.items() if word not in {"name", "column"}}
    return [(f"{model['name']}{column}: {word}", _written(said)) for word, said in rest.items()]


def _written(said: Any) -> str:
    """Write a word's value."""
    if isinstance(said, Mapping):
        inside = cast("EditedWords", said)
        return "; ".join(f"{name}: {_written(inner)}" for name, inner in inside.items())
    if isinstance(said, list | tuple):
        return ", ".join(map(str, cast("Sequence[Any]", said)))
    return str(said)

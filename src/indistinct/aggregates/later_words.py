"""Words of a policy that are known and do nothing yet: they are refused, and never passed over."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from indistinct.aggregates.profiles import LATER, ROUNDED
from indistinct.errors import Fault

OF_DATA = frozenset({"holding", "weight", "frequency", "record_key"})
OF_COLUMNS = frozenset({"unit", "base", "hierarchies", "groupings"})
OF_PUBLISH = frozenset(
    {
        *("apriori", "base", "bounds", "coalition", "count", "derived", "direction", "files"),
        *("full", "graduated", "hide_below", "history", "joint", "key", "max", "minimum_range"),
        *("never", "same_pattern", "tell_rule", "variance"),
    }
)
OF_TABLES = frozenset({"groupings", "percent", "only", "part"})
RULES = frozenset({"p_percent", "dominance", "prior_posterior", "group_share"})
METHODS = frozenset({"round", "cell-key", "noise"})
OF_CALLS = frozenset({"share", "mean", "percent", "rate", "ratio", "sum"})
REFUSED = frozenset({"median", "quantile", "min", "max", "std", "sd", "minimum", "maximum"})
REMEDY = "Leave it out."


def later_faults(words: Mapping[str, Any]) -> Iterator[Fault]:
    """Find the words of later versions among those of a policy."""
    yield from _among(words.get("data"), OF_DATA, "data")
    for name, column in _items(words.get("columns")):
        yield from _among(column, OF_COLUMNS, f"columns.{name}")
        if _has(column, "role", "measure"):
            yield later(f"columns.{name}.role", "sums and the role measure come later")
    publish = words.get("publish")
    yield from _among(publish, OF_PUBLISH, "publish")
    if not isinstance(publish, Mapping):
        return
    said = cast("Mapping[str, Any]", publish)
    if said.get("method") in METHODS:
        yield later("publish.method", f"the method {said['method']} comes later")
    if said.get("effort") == "exact":
        yield later("publish.effort", "the effort exact comes later")
    yield from profile_faults(said.get("profile"), "publish.profile")
    for number, rule in enumerate(_list(said.get("rules"))):
        yield from _among(rule, RULES, f"publish.rules.{number}")
    for number, table in enumerate(_list(said.get("tables"))):
        yield from _among(table, OF_TABLES, f"publish.tables.{number}")
        yield from _measure_faults(table, f"publish.tables.{number}.measures")


def profile_faults(name: object, place: str) -> Iterator[Fault]:
    """Refuse profiles whose sources ask for what is not there yet."""
    if name in LATER:
        yield later(place, f"the profile {name} asks for rules on sums, which come later")
    if name in ROUNDED:
        problem = f"rounding comes later; a minimum alone would be weaker than {name}"
        yield Fault(place, problem, "Choose another profile, or give a minimum of your own.")


def call_faults(words: Mapping[str, Any]) -> Iterator[Fault]:
    """Refuse the words of later versions in a short call, and what cannot be published safely."""
    for name in words:
        if name in OF_CALLS:
            yield later(name, "shares, means and sums come later")
        if name in REFUSED - {"minimum"}:
            yield Fault(name, "is not a measure that is published", "Publish counts per band.")


def later(place: str, problem: str) -> Fault:
    """Return the fault of a word that comes later."""
    return Fault(place, problem, REMEDY)


def _measure_faults(table: object, place: str) -> Iterator[Fault]:
    """Refuse all measures but counts."""
    if not isinstance(table, Mapping):
        return
    for measure in _list(cast("Mapping[str, Any]", table).get("measures")):
        if measure in REFUSED:
            problem = f"{measure} is one person's value and is not published"
            yield Fault(place, problem, "Publish counts per band.")
        elif isinstance(measure, str) and measure != "count":
            yield later(place, f"{measure}: measures other than count come later")


def _among(given: object, known: frozenset[str], place: str) -> Iterator[Fault]:
    """Find words of later versions in one table of the policy."""
    for name, _ in _items(given):
        if name in known:
            yield later(f"{place}.{name}", "comes later")


def _items(given: object) -> Sequence[tuple[str, Any]]:
    """Return the words of a table; none of what is no table, which is refused elsewhere."""
    if not isinstance(given, Mapping):
        return []
    return list(cast("Mapping[str, Any]", given).items())


def _list(given: object) -> Sequence[Any]:
    """Return the entries of a list; none of what is no list, which is refused elsewhere."""
    return cast("Sequence[Any]", given) if isinstance(given, list | tuple) else []


def _has(given: object, name: str, word: str) -> bool:
    return isinstance(given, Mapping) and cast("Mapping[str, Any]", given).get(name) == word

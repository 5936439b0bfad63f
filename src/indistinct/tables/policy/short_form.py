"""The short form of a policy: roles and a promise as keywords, hierarchies made from the data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal, TypedDict, cast

from indistinct.base.nearest_words import did_you_mean
from indistinct.errors import Fault, PolicyError
from indistinct.tables.core.schema import Role
from indistinct.tables.policy.python_hierarchies import hierarchy_words, rule_of_function
from indistinct.tables.policy.sections.method import MethodPolicy

ROLES = {
    "identifiers": Role.IDENTIFIER,
    "quasi_identifiers": Role.QUASI_IDENTIFIER,
    "sensitive": Role.SENSITIVE,
    "insensitive": Role.INSENSITIVE,
}
KEYWORDS = (*ROLES, "k", "l", "models", "hierarchies")


class PolicyKeywords(TypedDict, total=False):
    """The keywords of the short form, and those of the table ``[method]``.

    ``quasi_identifiers``, ``identifiers``, ``sensitive``, ``insensitive`` are the names of columns
    per role; ``k`` and ``l`` the least records and the least different sensitive values of a class;
    ``models`` are further models, ``hierarchies`` one per column.
    """

    quasi_identifiers: Iterable[str]
    identifiers: Iterable[str]
    sensitive: Iterable[str]
    insensitive: Iterable[str]
    k: int | None
    l: int | None  # noqa: E741 - the paper's letter
    models: Iterable[Any]
    hierarchies: Mapping[str, Any]
    algorithm: str | None
    objective: str | None
    aggregate: str | None
    max_suppression: float | None
    time_limit: float | None
    replay: Literal["allowed", "resistant"]
    weights: Literal["policy", "vulnerability"]
    effort: Literal["fast", "default", "thorough", "best"]
    bound: Literal["quick", "certified"]
    relaxed: bool
    target: Literal["sensitive", "identity"]
    trees: int
    diversity: float | None
    evenness: float
    grouping: Literal["similar", "local", "informative"]
    similarity: Literal["hierarchy", "cosine"]
    step: Literal["needed", "fixed"]


def functions_of(keywords: PolicyKeywords) -> frozenset[str]:
    """Return the columns whose hierarchy is a function of a value."""
    hierarchies = keywords.get("hierarchies") or {}
    return frozenset(name for name, one in hierarchies.items() if callable(one))


def with_rules_of_functions(
    keywords: PolicyKeywords, values: Mapping[str, Iterable[object]]
) -> PolicyKeywords:
    """Return keywords in which functions have been asked for the values of their columns.

    Parameters
    ----------
    values : of the columns of the table; the function of another column is left out

    Raises
    ------
    PolicyError
        when a function fails, or gives no labels
    """
    hierarchies = dict(keywords.get("hierarchies") or {})
    for name in functions_of(keywords):
        function = hierarchies.pop(name)
        if name in values:
            hierarchies[name] = rule_of_function(name, function, values[name])
    return {**keywords, "hierarchies": hierarchies}


def words_of_keywords(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the keywords of the short form as the words of a policy.

    Raises
    ------
    PolicyError
        when a keyword is unknown, a list is no list, or a column is named twice; all at once
    """
    listed = {keyword: given.get(keyword, ()) for keyword in ROLES}
    faults = [*_unknown(given), *_no_lists(listed)]
    if faults:
        raise PolicyError(faults)
    columns: dict[str, dict[str, Any]] = {
        name: {"role": role} for keyword, role in ROLES.items() for name in listed[keyword]
    }
    hierarchies: Mapping[str, Any] = given.get("hierarchies") or {}
    faults = [
        *_named_twice([name for names in listed.values() for name in names]),
        *_no_columns(hierarchies, columns),
    ]
    if given.get("l") is not None and not listed["sensitive"]:
        problem = "requires different sensitive values, but no column is sensitive"
        faults.append(Fault("l", problem, "Name the sensitive columns, or leave l out."))
    if faults:
        raise PolicyError(faults)
    for name, rule in hierarchies.items():
        columns[name]["hierarchy"] = hierarchy_words(name, rule)
    method = {word: value for word, value in given.items() if word not in KEYWORDS}
    return {"columns": columns, "models": _models(given), "method": method}


def _models(given: Mapping[str, Any]) -> list[Any]:
    """List the models: k-anonymity, l-diversity of every sensitive column, and further ones."""
    k, least = given.get("k"), given.get("l")
    models: list[Any] = [] if k is None else [{"name": "k-anonymity", "k": k}]
    if least is not None:
        models += [
            {"name": "distinct-l-diversity", "column": name, "l": least}
            for name in given["sensitive"]
        ]
    return [*models, *(given.get("models") or ())]


def _unknown(given: Mapping[str, Any]) -> Iterable[Fault]:
    """Find keywords that the short form does not have."""
    known = (*KEYWORDS, *MethodPolicy.model_fields)
    for word in given:
        if word not in known:
            remedy = did_you_mean(word, known, f"The short form has {', '.join(KEYWORDS)}.")
            yield Fault(word, "is not a keyword of the short form", remedy)


def _no_lists(listed: Mapping[str, object]) -> Iterable[Fault]:
    """Find names of columns that are no list: a text would be read letter by letter."""
    for keyword, names in listed.items():
        if isinstance(names, str):
            problem = "is a text, not a list of column names"
            yield Fault(keyword, problem, f'Write {keyword}=["{names}"].')
        elif not isinstance(names, Iterable) or not all(
            isinstance(name, str) for name in cast("Iterable[object]", names)
        ):
            yield Fault(keyword, "is not a list of column names", f'Write {keyword}=["age"].')


def _named_twice(names: list[str]) -> Iterable[Fault]:
    """Find columns that have two roles."""
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield Fault(f"columns.{name}", "is named twice", "Give it one role.")


def _no_columns(hierarchies: Mapping[str, Any], columns: Mapping[str, Any]) -> Iterable[Fault]:
    """Find hierarchies of columns that have no role."""
    for name in hierarchies:
        if name not in columns:
            remedy = did_you_mean(name, columns, "Name it among the quasi-identifiers, too.")
            yield Fault(
                f"hierarchies.{name}", "is the hierarchy of a column without a role", remedy
            )

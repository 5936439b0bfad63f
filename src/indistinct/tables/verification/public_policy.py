"""What a manifest says of the policy, beside the policy that a release is verified by.

A rule that nobody wrote stands in the manifest alone. All else there has to be what the policy
says. Verification uses this and nothing of what made the release.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from indistinct.errors import DataError, Fault, PolicyError
from indistinct.tables.core.schema import Role
from indistinct.tables.policy.column_rule import ColumnRule
from indistinct.tables.policy.policy import Policy
from indistinct.tables.policy.sections.hierarchy import HierarchyRule
from indistinct.tables.policy.specification import Specification, resolve
from indistinct.tables.verification.listed import list_of
from indistinct.tables.verification.manifest_shape import mapping_in

OTHER_POLICY = "Verify with the policy that the release was made with."
OTHER_WORDS = "is not what the policy of this verification says"
OF_COLUMNS = frozenset(
    {"role", "level", "parent", "days_since", "min_level", "max_level", "may_hide", "type"}
    | {"separator", "suppression", "missing"}
)
OF_DATA = frozenset({"missing", "missing_as", "person", "household", "long"})
SECRETS = frozenset({"key", "mapping"})  # of a mask


def rules_in(manifest: Mapping[str, Any] | None) -> Specification:
    """Return the rules of the policy of a manifest.

    Raises
    ------
    DataError
        when there is none
    """
    said = None if manifest is None else _read(manifest)
    if said is None:
        raise DataError(
            "neither a policy nor a manifest with one is at hand",
            "Give the policy (--policy), or put the manifest beside the release. A table that "
            "indistinct synthesize made takes --declaration and --model.",
        )
    rules = resolve(said)
    levels: object = mapping_in(manifest, "method").get("transformation")
    if not isinstance(levels, Mapping):
        return rules
    # Levels stand in a manifest of the columns alone whose rule somebody wrote.
    columns = {
        name: replace(rule, is_suggested=rule.in_classes and name not in levels)
        for name, rule in rules.columns.items()
    }
    return replace(rules, columns=columns)


def with_suggested_rules(spec: Specification, manifest: Mapping[str, Any] | None) -> Specification:
    """Return a policy in which columns without a rule have the one that the manifest says.

    Where the manifest says none, values are kept or hidden.
    """
    said = None if manifest is None else _read(manifest)
    if said is None:
        return spec
    suggested = {
        rule.name: found
        for rule in spec.class_rules
        if rule.hierarchy is None and (found := _suggestion_in(said, rule.name)) is not None
    }
    return with_values_alone(spec.with_suggestions(suggested))


def with_values_alone(spec: Specification) -> Specification:
    """Return a policy in which columns without a rule have values alone, or ranges of numbers."""
    without = [rule for rule in spec.class_rules if rule.hierarchy is None]
    known = {rule.name: replace(rule, is_suggested=True) for rule in without}
    return replace(spec, columns={**spec.columns, **known})


def public_policy_faults(spec: Specification, manifest: Mapping[str, Any]) -> Iterator[Fault]:
    """Find what the policy of a manifest says otherwise than the policy.

    Parameters
    ----------
    spec : what was promised
    """
    if "policy" not in manifest:
        return
    said = _read(manifest)
    if said is None:
        yield Fault("manifest.policy", "is not a policy", "Take the manifest as it was written.")
        return
    words = dict(mapping_in(manifest, "policy"))
    yield from column_word_faults("manifest.policy.columns", spec, words.pop("columns", {}))
    yield from word_faults("manifest.policy", words, _expected(spec))


def column_word_faults(
    place: str, spec: Specification, said: object, names: Sequence[str] | None = None
) -> Iterator[Fault]:
    """Find the words of columns in a public policy that are others than expected.

    Parameters
    ----------
    said : an object by column, whatever it holds
    names : columns that it has; all where left out
    """
    expected = _columns(spec, said)
    rules = {name: spec.columns[name] for name in (expected if names is None else names)}
    yield from word_faults(place, said, {name: expected[name] for name in rules})
    for name, rule in rules.items():
        words = mapping_in(mapping_in({"columns": said}, "columns"), name)
        if not _says_the_same(rule, _hierarchy_in(words)):
            yield Fault(f"{place}.{name}.hierarchy", OTHER_WORDS, OTHER_POLICY)


def _hierarchy_in(words: Mapping[str, Any]) -> HierarchyRule | None:
    """Read the hierarchy of a column; None where there is none, or it is no hierarchy."""
    try:
        return HierarchyRule(**words["hierarchy"])
    except (KeyError, TypeError, ValueError):
        return None


def word_faults(place: str, said: object, expected: object) -> Iterator[Fault]:
    """Find the words of a public policy that are others than expected, at any depth.

    Parameters
    ----------
    said, expected : objects, lists and words as JSON has them; tuples are lists
    """
    one, other = _object(said), _object(expected)
    if one is not None and other is not None:
        for word in sorted({*one, *other}):
            if word not in one:
                yield Fault(f"{place}.{word}", "is missing", OTHER_POLICY)
            elif word not in other:
                yield Fault(f"{place}.{word}", "is no word of the policy", OTHER_POLICY)
            else:
                yield from word_faults(f"{place}.{word}", one[word], other[word])
    elif not _is_same(said, expected):
        yield Fault(place, OTHER_WORDS, OTHER_POLICY)


def _object(value: object) -> Mapping[str, object] | None:
    """Return a value as an object of JSON; None where it is none."""
    return cast("Mapping[str, object]", value) if isinstance(value, Mapping) else None


def _list(value: object) -> Sequence[object] | None:
    """Return a value as a list of JSON; None where it is none."""
    return cast("Sequence[object]", value) if isinstance(value, list | tuple) else None


def _is_same(said: object, expected: object) -> bool:
    """Compare words; no number is a truth."""
    one, other = _list(said), _list(expected)
    if one is not None and other is not None:
        return len(one) == len(other) and all(map(_is_same, one, other))
    if _object(said) is not None and _object(expected) is not None:
        return not any(word_faults("", said, expected))
    return isinstance(said, bool) == isinstance(expected, bool) and said == expected


def _expected(spec: Specification) -> dict[str, Any]:
    """Return the words that a public policy must have beside its columns."""
    written = spec.written
    size = None if spec.population is None else spec.population.size
    share = spec.method.max_suppression
    tables: dict[str, Any] = {
        "models": written["models"],
        "data": {word: one for word, one in written.get("data", {}).items() if word in OF_DATA},
        "method": {"max_suppression": share} if share else {},
        "release": written.get("release", {}),
        "noise": written.get("noise", {}),
        "population": {} if size is None else {"size": size},
        "withheld": list(withheld_of(spec)),
    }
    return {table: words for table, words in tables.items() if words or table == "models"}


def _columns(spec: Specification, said: object) -> dict[str, Any]:
    """Return the words of columns that a public policy must have; hierarchies are those it has."""
    found: dict[str, Any] = {}
    columns = mapping_in({"columns": said}, "columns")
    for name, own in spec.written["columns"].items():
        words = {word: one for word, one in own.items() if word in OF_COLUMNS}
        protection: object = own.get("protect")
        if isinstance(protection, Mapping):
            parts = cast("Mapping[str, object]", protection).items()
            protection = {word: one for word, one in parts if word not in SECRETS}
        if protection is not None:
            words["protect"] = protection
        if "hierarchy" in mapping_in(columns, name):
            words["hierarchy"] = columns[name]["hierarchy"]
        found[name] = words
    return found


def withheld_of(spec: Specification) -> Iterator[str]:
    """Yield what the public policy of a promise leaves out, in one order."""
    if spec.withheld:
        yield from spec.withheld
        return
    if spec.people_file is not None:
        yield "population.data"
    for name, rule in spec.columns.items():
        if rule.hierarchy is not None and rule.hierarchy.lists_values and not rule.hierarchy.public:
            yield f"hierarchies.{name}"


def _read(manifest: Mapping[str, Any]) -> Policy | None:
    """Read the policy of a manifest; None where there is none, or it is no policy."""
    words = manifest.get("policy")
    if not isinstance(words, Mapping):
        return None
    try:
        said = Policy.of_public_words(cast("Mapping[str, Any]", words))
    except (PolicyError, TypeError, ValueError):
        return None
    sensitive = {*said.named(Role.SENSITIVE)}
    read = {name for model in said.models for name in model.columns}
    is_linked = said.release.form == "anatomy"
    return None if read - sensitive or (is_linked and len(sensitive) != 1) else said


def _suggestion_in(said: Policy, name: str) -> HierarchyRule | None:
    """Return the rule of a column if it is one that values suggest: no list of labels."""
    rule = said.columns[name].hierarchy if name in said.columns else None
    return None if rule is None or rule.lists_values or rule.labels else rule


def _says_the_same(own: ColumnRule, said: HierarchyRule | None) -> bool:
    """Return whether a public rule is the policy's own, a part of its list, or one of no policy."""
    rule = own.hierarchy
    if rule is None or own.is_suggested:
        return said is None or not (said.lists_values or said.labels)
    if said is None or rule == said:
        return said is not None
    if not rule.lists_values or said.labels is None:
        return False
    listed, first = list_of(own), own.words.min_level
    least = first if own.words.role is Role.SENSITIVE else max(first, 1)
    return listed is not None and all(
        listed.place(text, least) == (level, coarser) for text, level, coarser in said.labels
    )

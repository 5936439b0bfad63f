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
from indistinct.tables.models.bounded import BoundedModel
from indistinct.tables.policy.column_rule import ColumnRule
from indistinct.tables.policy.policy import Policy
from indistinct.tables.policy.resolved import Resolved, resolve
from indistinct.tables.policy.sections.hierarchy import HierarchyRule
from indistinct.tables.verification.listed import list_of
from indistinct.tables.verification.manifest_shape import mapping_in

OTHER_POLICY = "Verify with the policy that the release was made with."


def rules_in(manifest: Mapping[str, Any] | None) -> Resolved:
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


def with_suggested_rules(promised: Resolved, manifest: Mapping[str, Any] | None) -> Resolved:
    """Return a policy in which columns without a rule have the one that the manifest says.

    Where the manifest says none, values are kept or hidden.
    """
    said = None if manifest is None else _read(manifest)
    if said is None:
        return promised
    suggested = {
        rule.name: found
        for rule in promised.class_rules
        if rule.hierarchy is None and (found := _suggestion_in(said, rule.name)) is not None
    }
    return with_values_alone(promised.with_suggestions(suggested))


def with_values_alone(promised: Resolved) -> Resolved:
    """Return a policy in which columns without a rule have values alone, or ranges of numbers."""
    without = [rule for rule in promised.class_rules if rule.hierarchy is None]
    known = {rule.name: replace(rule, is_suggested=True) for rule in without}
    return replace(promised, columns={**promised.columns, **known})


def public_policy_faults(promised: Resolved, manifest: Mapping[str, Any]) -> Iterator[Fault]:
    """Find what the policy of a manifest says otherwise than the policy.

    Parameters
    ----------
    promised : what was promised
    """
    if "policy" not in manifest:
        return
    said = _read(manifest)
    if said is None:
        yield Fault("manifest.policy", "is not a policy", "Take the manifest as it was written.")
        return
    for place, one, other in _compared(promised, said):
        if one != other:
            problem = "is not what the policy of this verification says"
            yield Fault(f"manifest.policy.{place}", problem, OTHER_POLICY)


def _read(manifest: Mapping[str, Any]) -> Policy | None:
    """Read the policy of a manifest; None where there is none, or it is no policy."""
    words = manifest.get("policy")
    if not isinstance(words, Mapping):
        return None
    try:
        return Policy.of_public_words(cast("Mapping[str, Any]", words))
    except (PolicyError, TypeError, ValueError):
        return None


def _suggestion_in(said: Policy, name: str) -> HierarchyRule | None:
    """Return the rule of a column if it is one that values suggest: no list of labels."""
    rule = said.columns[name].hierarchy if name in said.columns else None
    return None if rule is None or rule.lists_values or rule.labels else rule


def _compared(promised: Resolved, said: Policy) -> Iterator[tuple[str, object, object]]:
    """Yield each place with what the two policies say there."""
    yield "columns", sorted(promised.columns), sorted(said.columns)
    yield "models", _models(promised.models), _models(said.models)
    yield "release", promised.release, said.release
    for name in promised.columns.keys() & said.columns.keys():
        rule, other = promised.columns[name], said.columns[name]
        own = rule.words
        yield f"columns.{name}.role", own.role, other.role
        if own.hierarchy is not None and not rule.is_suggested:
            is_same = _says_the_same(rule, own.hierarchy, other.hierarchy)
            yield f"columns.{name}.hierarchy", True, is_same
            yield f"columns.{name}.min_level", own.min_level, other.min_level
            yield f"columns.{name}.max_level", own.max_level, other.max_level


def _models(models: Sequence[BoundedModel]) -> list[tuple[str, object]]:
    """Return what each model asks."""
    return [(model.name, model.required()) for model in models]


def _says_the_same(own: ColumnRule, rule: HierarchyRule, said: HierarchyRule | None) -> bool:
    """Return whether a public rule is the policy's own, or a part of its list."""
    if said is None or rule == said:
        return said is not None
    if not rule.lists_values or said.labels is None:
        return False
    listed, first = list_of(own), own.words.min_level
    least = first if own.words.role is Role.SENSITIVE else max(first, 1)
    return listed is not None and all(
        listed.place(text, least) == (level, coarser) for text, level, coarser in said.labels
    )

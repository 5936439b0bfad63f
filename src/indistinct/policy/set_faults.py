"""What is wrong with columns of sets, and with the models and words that speak of them."""

from __future__ import annotations

from collections.abc import Iterator

from indistinct.core.schema import Role
from indistinct.errors import Fault
from indistinct.masks import PARTITION, SET_ALGORITHMS
from indistinct.models import SetKAnonymity, SetModel
from indistinct.policy.sections.column import ColumnPolicy
from indistinct.policy.tables import PolicyTables

OWN_WORDS = frozenset({"separator", "suppression"})


def set_faults(policy: PolicyTables) -> Iterator[Fault]:
    """Find columns of sets that no model protects, and what cannot be said beside them."""
    models = [model for model in policy.models if isinstance(model, SetModel)]
    for name, column in policy.columns.items():
        yield from _column_faults(name, column)
    yield from _model_faults(policy, models)
    if not policy.set_names:
        if policy.data.long is not None:
            yield Fault(
                "data.long",
                "is for columns of sets, and there is none",
                'Give the column of items type = "set", or leave this out.',
            )
        if policy.method.algorithm in SET_ALGORITHMS:
            yield Fault(
                "method.algorithm",
                f'"{policy.method.algorithm}" is for columns of sets, and there is none',
                'Give a column type = "set", or choose another algorithm.',
            )
        return
    if len(policy.set_names) > 1:
        yield Fault(
            "columns",
            f"{', '.join(policy.set_names)} are columns of sets, and one is possible",
            "Protect the others in a release of their own, or leave them out as identifiers.",
        )
    yield from _form_faults(policy)
    yield from _long_faults(policy)
    whole = [model for model in models if isinstance(model, SetKAnonymity)]
    if whole and policy.method.algorithm in set(SET_ALGORITHMS) - {PARTITION}:
        yield Fault(
            "method.algorithm",
            f'"{policy.method.algorithm}" does not make whole sets equal, as set-k-anonymity asks',
            'Choose "partition", or an algorithm for the classes of the other columns.',
        )
    if policy.method.algorithm == PARTITION and any(
        model.known_items is not None for model in models
    ):
        yield Fault(
            "method.algorithm",
            '"partition" makes whole sets equal, which is more than a number m requires',
            'Set m = "all", or choose "priced-cut".',
        )


def _column_faults(name: str, column: ColumnPolicy) -> Iterator[Fault]:
    """Find words that do not go together in one column."""
    place = f"columns.{name}"
    if column.type is None:
        for word in sorted(OWN_WORDS & column.model_fields_set):
            yield Fault(
                f"{place}.{word}",
                "is a setting of columns of sets",
                'Add type = "set", or leave it out.',
            )
        return
    if column.role is not Role.QUASI_IDENTIFIER:
        yield Fault(
            f"{place}.type",
            f'"set" is for quasi-identifiers, and the role is "{column.role.value}"',
            "Leave the type out: a column of another role is released as it is, or left out.",
        )
    if column.protect is not None:
        yield Fault(f"{place}.protect", "is not possible for sets", "Leave it out.")
    for word in ("min_level", "max_level"):
        if word in column.model_fields_set:
            yield Fault(f"{place}.{word}", "is not possible for sets", "Leave it out.")
    rule = column.hierarchy
    if rule is not None and not rule.lists_values and rule.labels is None:
        yield Fault(
            f"{place}.hierarchy",
            "must list the items",
            "Give it as csv or as tree.",
        )


def _model_faults(policy: PolicyTables, models: list[SetModel]) -> Iterator[Fault]:
    """Find models of columns that are no sets, and sets that no model, or two, speak of."""
    for index, model in enumerate(policy.models):
        if isinstance(model, SetModel) and model.column not in policy.set_names:
            yield Fault(
                f"models.{index}.{model.name}.column",
                f'"{model.column}" is not a column of sets in this policy',
                f'Give columns.{model.column} type = "set".',
            )
    for name in policy.set_names:
        n_models = sum(model.column == name for model in models)
        if n_models != 1:
            yield Fault(
                f"columns.{name}.type",
                "sets are protected by one model km-anonymity or set-k-anonymity, and there are "
                f"{n_models}",
                f'Have one entry of models with name = "km-anonymity" and column = "{name}".',
            )


def _form_faults(policy: PolicyTables) -> Iterator[Fault]:
    """Find forms of a release whose classes sets do not fit into."""
    for place, is_asked in (
        ('release.form = "anatomy"', policy.release.form == "anatomy"),
        ("release.suppressed_cell", policy.release.suppressed_cell != "value"),
        ("history", policy.history is not None),
        ("data.person", policy.data.person is not None),
        ("data.missing_as", policy.data.missing_as != "value"),
        ("population", policy.population is not None),
        ("noise by class", bool(policy.noisy_names)),
    ):
        if is_asked:
            yield Fault(place, "is not possible beside a column of sets", "Leave one of them out.")


def _long_faults(policy: PolicyTables) -> Iterator[Fault]:
    """Find a file with a row per item whose two columns are not what they must be."""
    long = policy.data.long
    if long is None:
        return
    if long.item not in policy.set_names:
        yield Fault(
            "data.long.item",
            f'"{long.item}" is not a column of sets in this policy',
            f'Give columns.{long.item} type = "set".',
        )
    if long.person in policy.columns:
        yield Fault(
            f"columns.{long.person}",
            "says who the person of each row is, whom random numbers stand for in the release",
            "Leave this table out of the policy.",
        )

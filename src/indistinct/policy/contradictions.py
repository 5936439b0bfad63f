"""What is wrong between the parts of a policy, before any data are seen."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from indistinct.errors import Fault
from indistinct.policy.linked_form import form_faults
from indistinct.policy.model_faults import model_faults
from indistinct.policy.noise_faults import noise_faults
from indistinct.policy.person_faults import person_faults
from indistinct.policy.population_faults import population_faults
from indistinct.policy.replay_faults import replay_faults
from indistinct.policy.republication_faults import republication_faults
from indistinct.policy.set_faults import set_faults
from indistinct.policy.tables import PolicyTables
from indistinct.policy.undecided_faults import undecided_faults
from indistinct.policy.weight_faults import weight_faults
from indistinct.policy.wildcard_faults import wildcard_faults


def _protection_faults(policy: PolicyTables) -> Iterable[Fault]:
    """Find protections of columns whose role they do not fit."""
    for name, column in policy.columns.items():
        if column.protect is not None and column.role not in column.protect.roles:
            fitting = ", ".join(sorted(role.value for role in column.protect.roles))
            yield Fault(
                f"columns.{name}.protect",
                f'"{column.protect.name}" does not fit the role "{column.role.value}"',
                f"Choose another protection, or one of the roles {fitting}.",
            )


def _form_faults(policy: PolicyTables) -> Iterable[Fault]:
    """Find what two linked tables do not have."""
    if policy.release.form == "anatomy":
        said = policy.release.model_dump(exclude_defaults=True, exclude={"form"})
        yield from form_faults(policy.columns, policy.models, said)


def _person_faults(policy: PolicyTables) -> Iterable[Fault]:
    """Find what cannot be asked for together with people instead of records."""
    release = policy.release.model_dump()
    yield from person_faults(policy.data.person, policy.columns, policy.models, release)


# In the order in which the faults are told.
CHECKS: tuple[Callable[[PolicyTables], Iterable[Fault]], ...] = (
    undecided_faults,
    model_faults,
    population_faults,
    wildcard_faults,
    _form_faults,
    _protection_faults,
    noise_faults,
    republication_faults,
    replay_faults,
    _person_faults,
    weight_faults,
    set_faults,
)


def contradictions(policy: PolicyTables) -> Iterable[Fault]:
    """Find what is wrong between the parts of a policy, before any data are seen."""
    for check in CHECKS:
        yield from check(policy)

"""Refuse what the records of a table that is not read whole turn out to be."""

from __future__ import annotations

from indistinct.core.schema import Role
from indistinct.counting.weighted import order_faults
from indistinct.engines.cell_numbers import weights_in
from indistinct.engines.sources import Capacity, Key, Source
from indistinct.errors import CapacityError, PolicyError
from indistinct.policy.policy import Policy

SAMPLED = 200_000  # records by which a column that numbers the records is found


def check_weights(source: Source, policy: Policy, capacity: Capacity) -> None:
    """Refuse a column of survey weights in which some cells are no weights."""
    name = policy.data.weight
    if name is None:
        return
    found = source.count([Key(name)], capacity.rows(1))
    if found is None:
        raise CapacityError(
            "the survey weights have more different values than fit into memory",
            "Give more --memory, or leave data.weight out.",
        )
    weights_in(found.frame[name], found.records)


def check_order(source: Source, policy: Policy) -> None:
    """Refuse columns that number the records, where these stand in an order."""
    if not source.has_order:
        return
    names = (*policy.named(Role.SENSITIVE), *policy.named(Role.INSENSITIVE))
    faults = list(order_faults(source.sample(names, SAMPLED), names, policy)) if names else []
    if faults:
        raise PolicyError(faults)

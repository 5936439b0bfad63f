"""Refuse what the records of a table that is not read whole turn out to be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from indistinct.core.schema import Role
from indistinct.counting.table_faults import fewest_alike, no_values, numbers_the_records
from indistinct.engines.cell_numbers import weights_in
from indistinct.engines.frames import Frame
from indistinct.engines.row_order import follows_the_rows
from indistinct.engines.sources import Capacity, EngineTable, PersonKey, Profile
from indistinct.errors import CapacityError, DataError, Fault, PolicyError
from indistinct.models.bounded import BoundedModel
from indistinct.policy.resolved import Resolved

SAMPLED = 200_000  # records by which a column that numbers the records is found


def check_profile(profile: Profile, resolved: Resolved) -> None:
    """Refuse a table by what one scan tells.

    Raises
    ------
    DataError
        when cells cannot be counted, or the policy forbids them
    """
    faults = list(_profile_faults(profile, resolved))
    if faults:
        raise DataError(faults)


def _profile_faults(profile: Profile, resolved: Resolved) -> Iterator[Fault]:
    """Find what a scan of the table alone forbids."""
    for name, count in profile.n_infinite.items():
        if count:
            problem = f"{count} numbers are infinite"
            yield Fault(f"columns.{name}", problem, "Write them as missing.")
    for name in resolved.named(Role.SENSITIVE):
        if profile.n_missing[name] == profile.n_records:
            yield no_values(name)
    if resolved.data.missing_as == "refuse":
        for name in (*resolved.named(Role.QUASI_IDENTIFIER), *resolved.named(Role.SENSITIVE)):
            if profile.n_missing[name]:
                yield Fault(
                    f"columns.{name}",
                    f"{profile.n_missing[name]} values are missing",
                    'Complete them, or set data.missing_as to "value" or "suppress".',
                )


def check_weights(source: EngineTable, name: str | None, capacity: Capacity) -> None:
    """Refuse a column of survey weights in which some cells are no weights."""
    if name is None:
        return
    found = source.count([PersonKey(name)], capacity.rows(1))
    if found is None:
        raise CapacityError(
            "the survey weights have more different values than fit into memory",
            "Give more --memory, or leave data.weight out.",
        )
    weights_in(found.frame[name], found.records)


def check_order(source: EngineTable, resolved: Resolved) -> None:
    """Refuse columns that number the records, where these stand in an order."""
    if not source.has_order:
        return
    names = (*resolved.named(Role.SENSITIVE), *resolved.named(Role.INSENSITIVE))
    faults = (
        list(_order_faults(source.sample(names, SAMPLED), names, resolved.models)) if names else []
    )
    if faults:
        raise PolicyError(faults)


def _order_faults(
    some: Frame, names: Sequence[str], models: Iterable[BoundedModel]
) -> Iterator[Fault]:
    """Find columns that number the records, in a frame of records at equal distances."""
    alike = fewest_alike(models)
    return (
        numbers_the_records(name) for name in names if follows_the_rows(some[name], alike=alike)
    )

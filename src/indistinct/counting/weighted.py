"""From distinct rows with their records, as an engine counts them, to the problem to solve."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from indistinct.core.arrays import Codes, Ints
from indistinct.core.brief import briefly
from indistinct.core.frequencies import TOGETHER, SensitiveColumn
from indistinct.core.schema import Role
from indistinct.counting.columns import encode_column, encode_counted
from indistinct.counting.objective import weighed_by_vulnerability
from indistinct.counting.persons import told_of_table, units_of
from indistinct.counting.population import lists_people, population_table, read_population
from indistinct.counting.prepare import Prepared, hierarchies_for, problem_of, sensitive_names
from indistinct.counting.table_faults import (
    bound_faults,
    empty_bounds_faults,
    fewest_alike,
    no_values,
    number_faults,
    numbers_the_records,
    size_faults,
)
from indistinct.engines.frames import beneath, chosen, complete
from indistinct.engines.row_order import follows_the_rows
from indistinct.engines.sources import Profile, Tally, weights_of
from indistinct.engines.tuples import EncodedColumn, combinations_of, count_tuples
from indistinct.errors import DataError, Fault, PolicyError
from indistinct.policy.policy import Policy


@dataclass(frozen=True, slots=True)
class CoarseColumn:
    """A quasi-identifier that was counted by the labels of a level.

    Parameters
    ----------
    level : of its hierarchy
    values : its values with their records
    """

    level: int
    values: Tally

    __repr__ = briefly


@dataclass(frozen=True, slots=True)
class Counted:
    """What an engine counted.

    Parameters
    ----------
    tally : the distinct rows of :func:`counted_names`
    n_input : records of the table, those with missing values included
    coarse : per quasi-identifier that was not counted by its values
    """

    tally: Tally
    n_input: int
    coarse: Mapping[str, CoarseColumn] = field(default_factory=dict[str, CoarseColumn])

    __repr__ = briefly


def counted_names(policy: Policy) -> tuple[str, ...]:
    """Name the columns whose distinct rows an engine counts: those that decide about a record."""
    read = sensitive_names(policy)
    if policy.data.missing_as == "suppress":
        # Whether a record takes part then depends on all sensitive columns.
        read = tuple(dict.fromkeys([*read, *policy.named(Role.SENSITIVE)]))
    return (*policy.class_names, *read)


def prepare_counted(counted: Counted, policy: Policy) -> Prepared:
    """Encode and count distinct rows as a policy asks; the rows take the place of the records.

    Returns
    -------
    the same problem as :func:`indistinct.counting.prepare.prepare` makes of the records

    Raises
    ------
    PolicyError
        when the policy asks for what the data cannot have
    HierarchyError
        when hierarchies do not cover the values, all of them at once
    """
    frame, records = counted.tally.frame, weights_of(counted.tally)
    taking_part = _taking_part(counted, policy)
    kept, kept_records = chosen(frame, taking_part), records[taking_part]
    faults = [*number_faults(kept, policy), *size_faults(kept, policy)]
    faults += empty_bounds_faults(kept, policy)
    faults += bound_faults(policy, int(kept_records.sum()), int(kept_records.sum()))
    if faults:
        raise PolicyError(faults)
    names, read = policy.class_names, sensitive_names(policy)
    encoded, codes = _encoded(counted, kept, policy)
    for name in read:
        # Models compare with the whole table, records included that have no part in the release.
        encoded[name] = encode_counted(frame, policy, name)
        codes[name] = encoded[name].codes[taking_part]
    hierarchies = hierarchies_for(policy, encoded, names, read)
    sensitive = {
        name: SensitiveColumn(
            name,
            encoded[name].texts,
            encoded[name].numbers,
            _summed(encoded[name].codes, records, len(encoded[name].texts)),
            hierarchies.get(name),
            has_missing=bool(encoded[name].is_missing.any()),
        )
        for name in read
    }
    read_codes = {name: codes[name] for name in read}
    if policy.divides:
        joined, read_codes[TOGETHER] = combinations_of(read_codes)
        total = _summed(read_codes[TOGETHER], kept_records, joined.n_values)
        sensitive[TOGETHER] = replace(joined, counts=total)
    of_classes = {name: codes[name] for name in names}
    tuples = count_tuples(of_classes, sensitive, read_codes, records=kept_records)
    table, tuple_of_row = tuples.table, tuples.tuple_of_row
    places = {name: place for place, name in enumerate(names)}
    by_value = {places[n]: _value_records(encoded[n], one) for n, one in counted.coarse.items()}
    table = replace(table, value_records=by_value)
    n_units = units_of(table, counted.n_input)
    problem = problem_of(policy, table, names, hierarchies, encoded, n_units)
    problem = replace(
        problem,
        min_levels=tuple(
            max(least, counted.coarse[name].level) if name in counted.coarse else least
            for name, least in zip(names, problem.min_levels, strict=True)
        ),
    )
    if lists_people(policy):
        population = population_table(policy, encoded, hierarchies, read_population(policy))
        models = told_of_table(policy.models_among(n_units, population.size), table, policy)
        problem = replace(problem, models=models, population=population)
    if policy.method.weights == "vulnerability" and names:
        problem = weighed_by_vulnerability(problem, policy)
    rows = np.flatnonzero(taking_part).astype(np.int32)
    return Prepared(problem, kept, rows, tuple_of_row, counted.n_input)


def profile_faults(profile: Profile, policy: Policy) -> Iterator[Fault]:
    """Find what a scan of the table alone forbids."""
    for name, count in profile.n_infinite.items():
        if count:
            problem = f"{count} numbers are infinite"
            yield Fault(f"columns.{name}", problem, "Write them as missing.")
    for name in policy.named(Role.SENSITIVE):
        if profile.n_missing[name] == profile.n_records:
            yield no_values(name)
    if policy.data.missing_as == "refuse":
        for name in (*policy.named(Role.QUASI_IDENTIFIER), *policy.named(Role.SENSITIVE)):
            if profile.n_missing[name]:
                yield Fault(
                    f"columns.{name}",
                    f"{profile.n_missing[name]} values are missing",
                    'Complete them, or set data.missing_as to "value" or "suppress".',
                )


def order_faults(some: Any, names: Sequence[str], policy: Policy) -> Iterator[Fault]:
    """Find columns that number the records, in a frame of records at equal distances."""
    alike = fewest_alike(policy)
    return (
        numbers_the_records(name) for name in names if follows_the_rows(some[name], alike=alike)
    )


def check_profile(profile: Profile, policy: Policy) -> None:
    """Refuse a table by what one scan tells.

    Raises
    ------
    DataError
        when cells cannot be counted, or the policy forbids them
    """
    faults = list(profile_faults(profile, policy))
    if faults:
        raise DataError(faults)


def _taking_part(counted: Counted, policy: Policy) -> Any:
    """Tell which rows take part, by what the policy says of missing values: (n_rows,)."""
    frame = counted.tally.frame
    if policy.data.missing_as != "suppress":
        return np.ones(len(counted.tally.records), np.bool_)
    return complete(frame, frame.columns)


def _encoded(
    counted: Counted, kept: Any, policy: Policy
) -> tuple[dict[str, EncodedColumn], dict[str, Codes]]:
    """Encode the quasi-identifiers: over all their values where labels were counted."""
    encoded: dict[str, EncodedColumn] = {}
    codes: dict[str, Codes] = {}
    for name in policy.class_names:
        if name not in counted.coarse:
            encoded[name] = encode_column(kept, policy, name)
            codes[name] = encoded[name].codes
            continue
        values = counted.coarse[name].values.frame[name]
        whole = encode_column(beneath(values, kept[name]), policy, name)
        n_values = len(values)
        encoded[name] = replace(whole, codes=whole.codes[:n_values])
        codes[name] = whole.codes[n_values:]
    return encoded, codes


def _value_records(encoded: EncodedColumn, column: CoarseColumn) -> Ints:
    """Give the records of each value code of a column that was counted by labels."""
    return _summed(encoded.codes, weights_of(column.values), len(encoded.texts))


def _summed(codes: Codes, records: Ints, n_values: int) -> Ints:
    """Add up records per code."""
    return np.bincount(codes, records, n_values).astype(np.int64)

"""Look at a table that is not read whole: an engine counts the values of its columns."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from math import prod
from typing import Any, final

import numpy as np

from indistinct.core.arrays import Codes, Ints
from indistinct.core.brief import briefly
from indistinct.core.kernels import group_rows
from indistinct.core.protocols import Progress, no_progress
from indistinct.drafting.evidence import Evidence
from indistinct.drafting.joint import Groups
from indistinct.drafting.missing import MissingValues, missing_values
from indistinct.engines.choosing import Resources, open_table
from indistinct.engines.distinct_values import counted_values, distinct_values
from indistinct.engines.kinds import type_name
from indistinct.engines.missing_values import present_cells
from indistinct.engines.polars import value_codes
from indistinct.engines.row_order import fewest_in_order, follows_the_rows
from indistinct.engines.sources import Capacity, Key, Profile, Source, Tally, weights_of
from indistinct.engines.weighted import coarse
from indistinct.errors import CapacityError, EmptyDataError
from indistinct.policy.policy import Policy
from indistinct.publish.inspected import inspected
from indistinct.publish.inspection import Inspection

SAMPLED = 200_000  # records by which columns of too many values, and the order, are judged
MOST_GROUPS = 1_000_000  # that are counted in one scan
COUNTED = 0.7  # share of the work that is counting single columns


def inspect_large(
    data: Any, policy: Policy | None, resources: Resources, progress: Progress = no_progress
) -> Inspection:
    """Describe every column of a table that stays where it is, and suggest its role.

    Parameters
    ----------
    data : where the table is, or lazy data
    policy : its roles are shown instead of suggestions
    resources : which engine counts, and with how much memory
    progress : called with the share of the work that is done, and what comes next

    Raises
    ------
    DataError
        when the table cannot be read
    CapacityError
        when the quasi-identifiers have more combinations than fit

    Notes
    -----
    One count for each column, for each pair of columns of which one may follow from the other, for
    the quasi-identifiers together, and for about six undecided columns at a time. A column with
    more values than fit is judged by records at equal distances.
    """
    words = MissingValues(("",) if policy is None else policy.data.missing)
    separator = None if policy is None else policy.data.separator
    capacity = Capacity(resources.bytes, resources.most_rows)

    @contextmanager
    def opened(missing: tuple[str, ...]) -> Generator[Source]:
        opening = resources.opening(missing, separator, progress)
        with open_table(data, opening, resources.engine) as source:
            yield source

    with opened(words.words) as source:
        found = _Columns.of(source, capacity, progress=progress)
        if policy is None:
            words = missing_values(list(found.evidence.values()))
        if len(words.words) == 1 or policy is not None:
            return inspected(
                list(found.evidence.values()), words, CountedRecords(source, found), policy
            )
    with opened(words.words) as source:
        again = _Columns.of(source, capacity, found, progress)
        return inspected(
            list(again.evidence.values()), words, CountedRecords(source, again), policy
        )


@dataclass(frozen=True, slots=True)
class _Columns:
    """The columns of a table, each counted by itself.

    Parameters
    ----------
    evidence : per column
    values : per column, the values as the engine has them, the missing one last
    capacity : how many distinct rows fit
    schema, profile : of the table, as it was opened
    """

    evidence: Mapping[str, Evidence]
    values: Mapping[str, Any]
    capacity: Capacity
    schema: Mapping[str, Any]
    profile: Profile

    __repr__ = briefly

    @classmethod
    def of(
        cls,
        source: Source,
        capacity: Capacity,
        before: _Columns | None = None,
        progress: Progress = no_progress,
    ) -> _Columns:
        """Count the values of each column; of those alone that changed since they were counted."""
        profile, schema = source.profile(), dict(source.schema)
        if profile.n_records == 0:
            raise EmptyDataError("the table has no records", "Check that this is the right file.")
        evidence: dict[str, Evidence] = {}
        values: dict[str, Any] = {}
        some = source.sample(list(schema), SAMPLED)
        for place, (name, dtype) in enumerate(schema.items()):
            progress(COUNTED * place / len(schema), f"counting the values of {name}")
            is_known = before is not None and (
                before.schema[name] == dtype
                and before.profile.n_missing[name] == profile.n_missing[name]
            )
            if before is not None and is_known:
                evidence[name], values[name] = before.evidence[name], before.values[name]
                continue
            follows = source.has_order and follows_the_rows(some[name], fewest_in_order(dtype))
            tally = source.values(name, capacity.rows(1))
            if tally is None:
                evidence[name] = _guessed(source, some[name], profile, follows_rows=follows)
                continue
            held, values[name] = counted_values(tally.frame[name], tally.records)
            evidence[name] = Evidence(name, type_name(dtype), held, follows)
        progress(COUNTED, "looking at columns together")
        return cls(evidence, values, capacity, schema, profile)


def _guessed(source: Source, some: Any, profile: Profile, *, follows_rows: bool) -> Evidence:
    """Judge a column of too many values by some records."""
    name, n_missing = some.name, profile.n_missing[some.name]
    held, _ = distinct_values(present_cells(some))
    known = profile.n_records - n_missing
    sampled = held.records.sum()
    by_sample = int(len(held.records) / max(sampled, 1) * known)
    distinct = min(known, source.estimate([Key(name)]) or by_sample)
    return Evidence(
        name,
        type_name(some.dtype),
        replace(held, n_missing=n_missing),
        follows_rows,
        (distinct, known),
    )


@final
@dataclass(frozen=True, slots=True)
class CountedRecords:
    """Records where they are, which an engine counts by values or by groups of values.

    Parameters
    ----------
    source : the table
    columns : what is known of its columns
    """

    source: Source
    columns: _Columns

    __repr__ = briefly

    def follows(self, column: Evidence, other: Evidence) -> bool:
        """Count the pairs of values, of which there are as many as the other column has values."""
        most = len(other.sizes)
        pairs = self.source.count([Key(other.name), Key(column.name)], most)
        return pairs is not None and len(pairs.records) == most

    def group_sizes(self, common: Groups, each: Groups) -> Mapping[str, Ints]:
        """Count groups of the common columns and of several others at a time."""
        found: dict[str, Ints] = {}
        shared = {name: group for name, group in common.items() if len(group)}
        for names in _batches(shared, each):
            groups = {**shared, **{name: each[name] for name in names}}
            tally = self._counted([self._key(name, group) for name, group in groups.items()])
            for name in names:
                found[name] = _summed(tally, [*shared, name])
        return found

    def distinct(self, names: Sequence[str]) -> tuple[Sequence[Codes], Ints]:
        """Count the distinct rows of some columns."""
        tally = self._counted([Key(name) for name in names])
        codes = [value_codes(tally.frame[name])[1] for name in names]
        return codes, weights_of(tally)

    def _key(self, name: str, group: Ints) -> Key:
        """Let the first value of each group stand for the others."""
        values = self.columns.values[name]
        _, first, label = np.unique(group, return_index=True, return_inverse=True)
        return Key(name, coarse(values, first[label].astype(np.int64), 1))

    def _counted(self, keys: Sequence[Key]) -> Tally:
        """Count distinct rows, or say that they do not fit."""
        at_most = self.columns.capacity.rows(len(keys))
        tally = self.source.count(keys, at_most)
        if tally is None:
            raise CapacityError(
                f"{', '.join(key.name for key in keys)} have more than {at_most:,} combinations",
                "Give more --memory, or a policy with fewer quasi-identifiers.",
            )
        return tally


def _batches(common: Groups, each: Groups) -> Iterator[list[str]]:
    """Give columns that are counted in one scan, so that there are not too many groups."""
    start = prod(len(np.unique(group)) for group in common.values())
    batch: list[str] = []
    groups = start
    for name, group in each.items():
        size = len(np.unique(group))
        if batch and (groups * size > MOST_GROUPS or name in common):
            yield batch
            batch, groups = [], start
        batch.append(name)
        groups *= size
    if batch:
        yield batch


def _summed(tally: Tally, names: Sequence[str]) -> Ints:
    """Add up the records of groups that are alike in some of the columns."""
    codes = [value_codes(tally.frame[name])[1] for name in names]
    labels = group_rows(np.ascontiguousarray(np.stack(codes, axis=1).astype(np.int32)))[0]
    return np.bincount(labels, weights_of(tally)).astype(np.int64)

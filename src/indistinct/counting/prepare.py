"""From a table, or its distinct rows, and a policy to the problem that an algorithm solves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from indistinct.core.arrays import Codes, Ints
from indistinct.core.brief import short_repr
from indistinct.core.frequencies import TOGETHER, FrequencyTable, SensitiveColumn
from indistinct.core.hierarchy import ROOT, GeneralizationHierarchy
from indistinct.core.protocols import Problem
from indistinct.core.schema import Role
from indistinct.counting.columns import encode_column, encode_counted, is_missing
from indistinct.counting.objective import objective_of, relative_weights, weighed_by_vulnerability
from indistinct.counting.persons import (
    columns_of_people,
    persons_of,
    told_of_table,
    units_of,
)
from indistinct.counting.population import lists_people, population_table, read_population
from indistinct.counting.table_faults import check_columns, check_values
from indistinct.engines.frames import Frame, beneath
from indistinct.engines.sources import Tally, weights_of
from indistinct.engines.tuples import EncodedColumn, combinations_of, count_tuples
from indistinct.errors import Fault, HierarchyError, NoSolutionError, PolicyError
from indistinct.policy.hierarchies import hierarchy_of
from indistinct.policy.policy import Policy
from indistinct.policy.sections.column import ColumnPolicy


@dataclass(frozen=True, slots=True)
class Prepared:
    """A problem, and what is needed to write its solution.

    Parameters
    ----------
    problem : what an algorithm may know
    frame : the original records that take part
    rows : (n_rows,), number of each of them in the input
    tuple_of_row : (n_rows,), its distinct tuple
    n_input : records of the input, those with missing values included
    """

    problem: Problem
    frame: Frame
    rows: Codes
    tuple_of_row: Codes
    n_input: int

    __repr__ = short_repr


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

    __repr__ = short_repr


@dataclass(frozen=True, slots=True)
class CountedTable:
    """A table as it is counted: its records, or its distinct rows with the records of each.

    Parameters
    ----------
    frame : the records, or the distinct rows of :func:`counted_names`
    n_input : records of the table, those with missing values included
    records : (n_rows,), records of each row; None where each row is a record
    coarse : per quasi-identifier that was not counted by its values
    """

    frame: Frame
    n_input: int
    records: Ints | None = None
    coarse: Mapping[str, CoarseColumn] = field(default_factory=dict[str, CoarseColumn])

    __repr__ = short_repr


def records_of(counted: CountedTable) -> Ints:
    """Return the records of each row: (n_rows,)."""
    if counted.records is None:
        return np.ones(counted.frame.height, np.int64)
    return counted.records


def counted_names(policy: Policy) -> tuple[str, ...]:
    """Return the columns whose distinct rows are counted: those that decide about a record."""
    read = sensitive_names(policy)
    if policy.data.missing_as == "suppress":
        # Whether a record takes part then depends on all sensitive columns.
        read = tuple(dict.fromkeys([*read, *policy.named(Role.SENSITIVE)]))
    return (*policy.class_names, *read)


def prepare(frame: Frame, policy: Policy) -> Prepared:
    """Encode and count the records of a table as a policy asks; see :func:`prepare_counted`.

    Raises
    ------
    SchemaError
        when columns of the data and of the policy differ
    """
    check_columns(frame, policy)
    return prepare_counted(CountedTable(frame, frame.height), policy)


def prepare_counted(counted: CountedTable, policy: Policy) -> Prepared:
    """Encode and count a table as a policy asks.

    Returns
    -------
    the same problem for the records and for their distinct rows

    Raises
    ------
    PolicyError
        when the policy asks for what the data cannot have
    HierarchyError
        when hierarchies do not cover the values, all of them at once
    """
    frame = counted.frame
    rows = _complete_rows(frame, policy)
    kept, records = frame, counted.records
    if len(rows) < frame.height:
        kept = frame[rows]
        records = None if records is None else records[rows]
    check_values(kept, policy, records)
    names, read = policy.class_names, sensitive_names(policy)
    encoded, codes = _encoded_classes(counted, kept, policy)
    # Models compare with the whole table, records included that have no part in the release.
    encoded |= {name: encode_counted(frame, policy, name) for name in read}
    hierarchies = hierarchies_for(policy, encoded, names, read)
    sensitive = {
        name: SensitiveColumn(
            name,
            encoded[name].texts,
            encoded[name].numbers,
            _records_per_code(encoded[name], counted.records),
            hierarchies.get(name),
            has_missing=bool(encoded[name].is_missing.any()),
        )
        for name in read
    }
    read_codes = {name: encoded[name].codes[rows] for name in read}
    if policy.divides:
        sensitive[TOGETHER], read_codes[TOGETHER] = combinations_of(read_codes, records)
    if (persons := persons_of(frame, policy)) is not None:
        # Pairs compare with the whole table, too, and so are made of all its records.
        columns, whole = columns_of_people(persons, {name: encoded[name].codes for name in read})
        sensitive |= columns
        read_codes |= {name: of_column[rows] for name, of_column in whole.items()}
    made = count_tuples(codes, sensitive, read_codes, kept.height, records)
    table, tuple_of_row = made.table, made.tuple_of_row
    if counted.coarse:
        table = replace(table, value_records=_value_records(counted, encoded, names))
    n_units = units_of(table, counted.n_input)
    problem = problem_of(policy, table, names, hierarchies, encoded, n_units)
    problem = replace(problem, min_levels=_counted_levels(counted, problem, names))
    if lists_people(policy):
        population = population_table(policy, encoded, hierarchies, read_population(policy))
        models = told_of_table(policy.models_among(n_units, population.size), table, policy)
        problem = replace(problem, models=models, population=population)
    if policy.method.weights == "vulnerability" and names:
        problem = weighed_by_vulnerability(problem, policy)
    return Prepared(problem, kept, rows, tuple_of_row, counted.n_input)


def _encoded_classes(
    counted: CountedTable, kept: Frame, policy: Policy
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


def _records_per_code(column: EncodedColumn, records: Ints | None) -> Ints:
    """Return the records of each value of an encoded column: (n_values,)."""
    return np.bincount(column.codes, records, len(column.texts)).astype(np.int64)


def _value_records(
    counted: CountedTable, encoded: Mapping[str, EncodedColumn], names: Sequence[str]
) -> dict[int, Ints]:
    """Return the records of each value of the columns that were counted by labels."""
    return {
        names.index(name): _records_per_code(encoded[name], weights_of(column.values))
        for name, column in counted.coarse.items()
    }


def _counted_levels(
    counted: CountedTable, problem: Problem, names: Sequence[str]
) -> tuple[int, ...]:
    """Return the least level of each quasi-identifier: no column is finer than it was counted."""
    coarse = counted.coarse
    return tuple(
        max(least, coarse[name].level) if name in coarse else least
        for name, least in zip(names, problem.min_levels, strict=True)
    )


def sensitive_names(policy: Policy) -> tuple[str, ...]:
    """Return the sensitive columns that a model, the algorithm or the weights look at."""
    method = policy.method
    everything = policy.algorithm.reads_sensitive or method.weights == "vulnerability"
    named = policy.named(Role.SENSITIVE) if everything else ()
    return tuple(dict.fromkeys([*policy.counted, *named]))


def asked_anew(prepared: Prepared, policy: Policy) -> Prepared:
    """Ask a counted table for something else: other parameters of the models, another method.

    Parameters
    ----------
    prepared : by a policy with the same columns, all sensitive ones counted that are read now
    policy : what is asked now

    Raises
    ------
    PolicyError
        when the policy asks for what the data cannot have
    """
    check_values(prepared.frame, policy)
    people = prepared.problem.population
    size = None if people is None else people.size
    names = prepared.problem.table.columns
    n_units = units_of(prepared.problem.table, prepared.n_input)
    problem = replace(
        prepared.problem,
        models=told_of_table(policy.models_among(n_units, size), prepared.problem.table, policy),
        objective=objective_of(policy, names),
        max_suppression=policy.method.max_suppression,
        weights=relative_weights(policy, names),
    )
    if policy.method.weights == "vulnerability" and policy.class_names:
        problem = weighed_by_vulnerability(problem, policy)
    return replace(prepared, problem=problem)


def _complete_rows(frame: Frame, policy: Policy) -> Codes:
    """Return the records that take part, by what the policy says of missing values."""
    everyone = np.arange(frame.height, dtype=np.int32)
    if policy.data.missing_as == "value":
        return everyone
    named = [*policy.named(Role.QUASI_IDENTIFIER), *policy.named(Role.SENSITIVE)]
    names = [name for name in named if name in frame.columns]
    gone = {name: is_missing(frame[name], policy) for name in names}
    if policy.data.missing_as == "refuse":
        faults = [
            Fault(
                f"columns.{name}",
                f"{int(cells.sum())} values are missing",
                'Complete them, or set data.missing_as to "value" or "suppress".',
            )
            for name, cells in gone.items()
            if cells.any()
        ]
        if faults:
            raise PolicyError(faults)
        return everyone
    incomplete = np.zeros(frame.height, np.bool_)
    for cells in gone.values():
        incomplete |= cells
    return everyone[~incomplete]


def hierarchies_for(
    policy: Policy,
    encoded: dict[str, EncodedColumn],
    names: tuple[str, ...],
    sensitive_names: tuple[str, ...],
) -> dict[str, GeneralizationHierarchy]:
    """Build every hierarchy that is needed, and report all that fail at once."""
    needed = [name for name in sensitive_names if policy.columns[name].hierarchy is not None]
    built: dict[str, GeneralizationHierarchy] = {}
    faults: list[Fault] = []
    for name in (*names, *needed):
        try:
            built[name] = hierarchy_of(policy, name, encoded[name])
        except HierarchyError as error:
            faults += error.faults
            continue
        faults += level_faults(policy, name, built[name])
    if faults:
        raise HierarchyError(faults)
    return built


def level_faults(policy: Policy, name: str, hierarchy: GeneralizationHierarchy) -> Iterator[Fault]:
    """Find levels that a policy names and the hierarchy does not have."""
    column = policy.columns[name]
    for word, level in (("min_level", column.min_level), ("max_level", column.max_level)):
        if level is not None and level > hierarchy.height:
            yield Fault(
                f"columns.{name}.{word}",
                f"is {level}, but the hierarchy ends at level {hierarchy.height}",
                f"Set it to at most {hierarchy.height}.",
            )


def problem_of(  # noqa: PLR0913, PLR0917 - all that a problem is made of
    policy: Policy,
    table: FrequencyTable,
    names: tuple[str, ...],
    hierarchies: dict[str, GeneralizationHierarchy],
    encoded: dict[str, EncodedColumn],
    n_units: int,
) -> Problem:
    """Put the problem together, and refuse at once what the whole table cannot give."""
    if len(table.weights) == 0:
        raise NoSolutionError(
            "every record has a missing value, so none is left",
            'Set data.missing_as = "value".',
        )
    chosen = tuple(hierarchies[name] for name in names)
    ceilings = [policy.columns[name].max_level for name in names]
    return Problem(
        table,
        chosen,
        tuple(
            encoded[name].numbers if _may_be_range(policy.columns[name]) else None for name in names
        ),
        tuple(policy.columns[name].min_level for name in names),
        tuple(
            hierarchy.height if level is None else level
            for hierarchy, level in zip(chosen, ceilings, strict=True)
        ),
        told_of_table(policy.models_among(n_units), table, policy),
        objective_of(policy, names),
        policy.method.max_suppression,
        relative_weights(policy, names),
        rounds_ends=policy.release.range_ends == "rounded",
        without_root=frozenset(
            column
            for column, (hierarchy, level) in enumerate(zip(chosen, ceilings, strict=True))
            if level is not None
            and (hierarchy.labels[-1] != (ROOT,) or hierarchy.with_root() is not hierarchy)
        ),
    )


def _may_be_range(column: ColumnPolicy) -> bool:
    """Return whether numbers may be released in ranges of them: there is no hierarchy, and a level.

    A column that must stay as it is (``max_level = 0``) is in no range.
    """
    rule = column.hierarchy
    return (rule is None or rule.ranges is not None) and column.max_level != 0

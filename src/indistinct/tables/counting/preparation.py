"""From a table, or its distinct rows, and a policy to the problem that an algorithm solves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np

from indistinct.base.arrays import Bools, Codes, Ints
from indistinct.base.brief import short_repr
from indistinct.base.hierarchy import ROOT, GeneralizationHierarchy
from indistinct.errors import Fault, HierarchyError, NoSolutionError, PolicyError, Way
from indistinct.tables.core.frequencies import TOGETHER, FrequencyTable, SensitiveColumn
from indistinct.tables.core.protocols import Problem
from indistinct.tables.core.schema import Role
from indistinct.tables.counting.columns import encode_column, encode_counted
from indistinct.tables.counting.objective import (
    objective_of,
    relative_weights,
    weighed_by_vulnerability,
)
from indistinct.tables.counting.persons import (
    columns_of_people,
    models_of_table,
    persons_of,
    units_of,
)
from indistinct.tables.counting.population import population_table, read_population
from indistinct.tables.counting.table_faults import FOR_MISSING, check_columns, check_values
from indistinct.tables.engines.sources import CoarseKey, Tally, weights_of
from indistinct.tables.frames.frame import Frame, as_series, beneath
from indistinct.tables.frames.tuples import EncodedColumn, combinations_of, count_tuples
from indistinct.tables.policy.column_rule import ColumnRule
from indistinct.tables.policy.hierarchies import hierarchy_of
from indistinct.tables.policy.label_truth import untrue_labels
from indistinct.tables.policy.sections.column import ColumnPolicy
from indistinct.tables.policy.sections.data import DataPolicy
from indistinct.tables.policy.sections.population import models_among
from indistinct.tables.policy.specification import Specification
from indistinct.tables.reading.missing_values import are_missing


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
    spec : by which it was counted
    values : of each quasi-identifier, by their codes in the problem
    """

    problem: Problem
    frame: Frame
    rows: Codes
    tuple_of_row: Codes
    n_input: int
    spec: Specification
    values: Mapping[str, EncodedColumn]

    __repr__ = short_repr


@dataclass(frozen=True, slots=True)
class CoarseColumn:
    """A quasi-identifier that was counted by the labels of a level.

    Parameters
    ----------
    key : the level of its hierarchy, and the value that stands for each label
    values : its values with their records
    """

    key: CoarseKey
    values: Tally

    __repr__ = short_repr


@dataclass(frozen=True, slots=True)
class Count:
    """The rows of a table, and how they were counted.

    Parameters
    ----------
    tally : the distinct rows of the counted names; of a table in memory its records, one in each
    n_input : records of the table, those with missing values included
    coarse : per quasi-identifier that was not counted by its values
    marked : the columns whose hashes were summed
    kept : (n_rows,), which rows may be released; all where it is None
    has_records : whether each row is a record, with all of its columns
    """

    tally: Tally
    n_input: int
    coarse: Mapping[str, CoarseColumn] = field(default_factory=dict[str, CoarseColumn])
    marked: tuple[str, ...] = ()
    kept: Bools | None = None
    has_records: bool = False

    __repr__ = short_repr

    @classmethod
    def of_records(cls, frame: Frame, kept: Bools | None = None) -> Self:
        """Count each record of a table in memory as a row of its own."""
        one_each = as_series(np.ones(frame.height, np.int64))
        return cls(Tally(frame, one_each), frame.height, kept=kept, has_records=True)

    @property
    def records(self) -> Ints | None:
        """The records of each row: (n_rows,); None where each row is a record."""
        return None if self.has_records else weights_of(self.tally)

    @property
    def keys(self) -> dict[str, CoarseKey]:
        """What each column was counted by that was counted by labels."""
        return {name: one.key for name, one in self.coarse.items()}

    @property
    def levels(self) -> dict[str, int]:
        """The level of each column that was counted by labels."""
        return {name: one.key.level for name, one in self.coarse.items()}


def prepare(frame: Frame, spec: Specification, *, is_search: bool = True) -> Prepared:
    """Encode and count the records of a table as a policy asks; see :func:`prepare_counted`.

    Raises
    ------
    SchemaError
        when columns of the data and of the policy differ
    """
    check_columns(frame, spec)
    return prepare_counted(Count.of_records(frame), spec, is_search=is_search)


def prepare_counted(count: Count, spec: Specification, *, is_search: bool = True) -> Prepared:
    """Encode and count a table as a policy asks.

    Parameters
    ----------
    is_search : whether a release is searched for, so that no model may ask for more than there is

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
    frame = count.tally.frame
    rows = _complete_rows(
        frame,
        spec.data,
        [*spec.named(Role.QUASI_IDENTIFIER), *spec.named(Role.SENSITIVE)],
    )
    if count.kept is not None:
        rows = rows[count.kept[rows]]
    kept, of_rows = frame, count.records
    records = of_rows
    if len(rows) < frame.height:
        kept = frame[rows]
        records = None if of_rows is None else of_rows[rows]
    check_values(kept, spec, records, is_search=is_search)
    names, read = spec.class_names, spec.read_names
    encoded, codes = _encoded_classes(count, kept, spec.class_rules)
    # Models compare with the whole table, records included that have no part in the release.
    encoded |= {name: encode_counted(frame, spec.columns[name]) for name in read}
    spec = spec.with_meanings({name: one.meaning for name, one in encoded.items()})
    further_rules = [rule for name in read if (rule := spec.columns[name]).hierarchy is not None]
    hierarchies = hierarchies_for([*spec.class_rules, *further_rules], encoded)
    sensitive = {
        name: SensitiveColumn(
            name,
            encoded[name].texts,
            encoded[name].numbers,
            _records_per_code(encoded[name], of_rows),
            hierarchies.get(name),
            has_missing=bool(encoded[name].is_missing.any()),
        )
        for name in read
    }
    read_codes = {name: encoded[name].codes[rows] for name in read}
    if spec.divides:
        sensitive[TOGETHER], read_codes[TOGETHER] = combinations_of(read_codes, records)
    if (persons := persons_of(frame, spec.data)) is not None:
        # Pairs compare with the whole table, too, and so are made of all its records.
        columns, whole = columns_of_people(persons, {name: encoded[name].codes for name in read})
        sensitive |= columns
        read_codes |= {name: of_column[rows] for name, of_column in whole.items()}
    made = count_tuples(codes, sensitive, read_codes, kept.height, records)
    table, tuple_of_row = made.table, made.tuple_of_row
    if count.coarse:
        table = replace(table, value_records=_value_records(count, encoded, names))
    n_units = units_of(table, count.n_input)
    problem = problem_of(spec, table, names, hierarchies, encoded, n_units)
    problem = replace(problem, min_levels=_counted_levels(count, problem, names))
    if spec.people_file is not None:
        population = population_table(
            spec.class_rules,
            encoded,
            hierarchies,
            read_population(spec.people_file, spec.class_names, spec.reading),
        )
        models = models_of_table(
            models_among(spec.models, spec.population, n_units, population.size),
            table,
            spec.data.person,
        )
        problem = replace(problem, models=models, population=population)
    if spec.method.weights == "vulnerability" and names:
        problem = weighed_by_vulnerability(problem, spec.method)
    values = {name: encoded[name].chosen() for name in names}
    return Prepared(problem, kept, rows, tuple_of_row, count.n_input, spec, values)


def _encoded_classes(
    count: Count, kept: Frame, rules: Iterable[ColumnRule]
) -> tuple[dict[str, EncodedColumn], dict[str, Codes]]:
    """Encode the quasi-identifiers: over all their values where labels were counted."""
    encoded: dict[str, EncodedColumn] = {}
    codes: dict[str, Codes] = {}
    for rule in rules:
        name = rule.name
        if name not in count.coarse:
            encoded[name] = encode_column(kept, rule)
            codes[name] = encoded[name].codes
            continue
        values = count.coarse[name].values.frame[name]
        whole = encode_column(beneath(values, kept[name]), rule)
        n_values = len(values)
        encoded[name] = replace(whole, codes=whole.codes[:n_values])
        codes[name] = whole.codes[n_values:]
    return encoded, codes


def _records_per_code(column: EncodedColumn, records: Ints | None) -> Ints:
    """Return the records of each value of an encoded column: (n_values,)."""
    return np.bincount(column.codes, records, len(column.texts)).astype(np.int64)


def _value_records(
    count: Count, encoded: Mapping[str, EncodedColumn], names: Sequence[str]
) -> dict[int, Ints]:
    """Return the records of each value of the columns that were counted by labels."""
    return {
        names.index(name): _records_per_code(encoded[name], weights_of(column.values))
        for name, column in count.coarse.items()
    }


def _counted_levels(count: Count, problem: Problem, names: Sequence[str]) -> tuple[int, ...]:
    """Return the least level of each quasi-identifier: no column is finer than it was counted."""
    coarse = count.coarse
    return tuple(
        max(least, coarse[name].key.level) if name in coarse else least
        for name, least in zip(names, problem.min_levels, strict=True)
    )


def asked_anew(prepared: Prepared, spec: Specification) -> Prepared:
    """Ask a counted table for something else: other parameters of the models, another method.

    Parameters
    ----------
    prepared : by a policy with the same columns, all sensitive ones counted that are read now
    spec : what is asked now

    Raises
    ------
    PolicyError
        when the policy asks for what the data cannot have
    """
    check_values(prepared.frame, spec)
    people = prepared.problem.population
    size = None if people is None else people.size
    n_units = units_of(prepared.problem.table, prepared.n_input)
    problem = replace(
        prepared.problem,
        models=models_of_table(
            models_among(spec.models, spec.population, n_units, size),
            prepared.problem.table,
            spec.data.person,
        ),
        objective=objective_of(spec.method, spec.class_rules),
        max_suppression=spec.method.max_suppression,
        weights=relative_weights(spec.class_rules),
    )
    if spec.method.weights == "vulnerability" and spec.class_names:
        problem = weighed_by_vulnerability(problem, spec.method)
    return replace(prepared, problem=problem, spec=spec)


def _complete_rows(frame: Frame, data: DataPolicy, named: Sequence[str]) -> Codes:
    """Return the records that take part, by what the policy says of missing values."""
    everyone = np.arange(frame.height, dtype=np.int32)
    if data.missing_as == "value":
        return everyone
    names = [name for name in named if name in frame.columns]
    gone = {name: are_missing(frame[name], data.missing) for name in names}
    if data.missing_as == "refuse":
        faults = [
            Fault(
                f"columns.{name}",
                f"{int(cells.sum())} values are missing",
                'Complete them, or set data.missing_as to "value" or "suppress".',
                code="missing-values",
                columns=(name,),
                parts={"count": int(cells.sum())},
                ways=FOR_MISSING,
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
    rules: Iterable[ColumnRule],
    encoded: Mapping[str, EncodedColumn],
) -> dict[str, GeneralizationHierarchy]:
    """Build every hierarchy that is needed, and report all that fail at once."""
    built: dict[str, GeneralizationHierarchy] = {}
    faults: list[Fault] = []
    for rule in rules:
        try:
            built[rule.name] = hierarchy_of(rule, encoded[rule.name])
        except HierarchyError as error:
            faults += error.faults
            continue
        faults += level_faults(rule, built[rule.name])
        if rule.in_classes:
            known = ~encoded[rule.name].is_missing
            faults += untrue_labels(rule, built[rule.name].paths(known))
    if faults:
        raise HierarchyError(faults)
    return built


def level_faults(rule: ColumnRule, hierarchy: GeneralizationHierarchy) -> Iterator[Fault]:
    """Find levels that a policy names and the hierarchy does not have."""
    column = rule.words
    for word, level in (("min_level", column.min_level), ("max_level", column.max_level)):
        if level is not None and level > hierarchy.height:
            yield Fault(
                f"columns.{rule.name}.{word}",
                f"is {level}, but the hierarchy ends at level {hierarchy.height}",
                f"Set it to at most {hierarchy.height}.",
                code="level-beyond-the-hierarchy",
                columns=(rule.name,),
                parts={"level": level, "height": hierarchy.height},
                ways=(Way(("columns", rule.name, word), hierarchy.height),),
            )


def problem_of(  # noqa: PLR0913, PLR0917 - all that a problem is made of
    spec: Specification,
    table: FrequencyTable,
    names: tuple[str, ...],
    hierarchies: dict[str, GeneralizationHierarchy],
    encoded: dict[str, EncodedColumn],
    n_units: int,
) -> Problem:
    """Return the problem, and refuse at once what the whole table cannot give."""
    if len(table.weights) == 0:
        raise NoSolutionError(
            [
                Fault(
                    "",
                    "every record has a missing value or is left out by a mask, so none is left",
                    'Set data.missing_as = "value", and edges = "keep" of a date-shift.',
                    code="no-record-is-left",
                    ways=(Way(("data", "missing_as"), "value"),),
                )
            ]
        )
    chosen = tuple(hierarchies[name] for name in names)
    ceilings = [
        _ceiling(rule.words, hierarchy)
        for rule, hierarchy in zip(spec.class_rules, chosen, strict=True)
    ]
    return Problem(
        table,
        chosen,
        tuple(
            encoded[rule.name].numbers if _may_be_range(rule.words) else None
            for rule in spec.class_rules
        ),
        tuple(rule.words.min_level for rule in spec.class_rules),
        tuple(
            hierarchy.height if level is None else level
            for hierarchy, level in zip(chosen, ceilings, strict=True)
        ),
        models_of_table(
            models_among(spec.models, spec.population, n_units), table, spec.data.person
        ),
        objective_of(spec.method, spec.class_rules),
        spec.method.max_suppression,
        relative_weights(spec.class_rules),
        rounds_ends=spec.release.range_ends == "rounded",
        without_root=frozenset(
            column
            for column, (hierarchy, level) in enumerate(zip(chosen, ceilings, strict=True))
            if level is not None
            and (hierarchy.labels[-1] != (ROOT,) or hierarchy.with_root() is not hierarchy)
        ),
    )


def _ceiling(column: ColumnPolicy, hierarchy: GeneralizationHierarchy) -> int | None:
    """Return the highest level of a column; None where it may be hidden."""
    if column.max_level is not None or not column.is_always_shown:
        return column.max_level
    below_root = hierarchy.height - (hierarchy.labels[-1] == (ROOT,))
    return max(below_root, column.min_level)


def _may_be_range(column: ColumnPolicy) -> bool:
    """Return whether numbers may be released in ranges of them: there is no hierarchy, and a level.

    A column that must stay as it is (``max_level = 0``) is in no range.
    """
    rule = column.hierarchy
    return (rule is None or rule.ranges is not None) and column.max_level != 0

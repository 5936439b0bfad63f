"""From a table and a policy to the problem that an algorithm solves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from indistinct.core.arrays import Codes
from indistinct.core.brief import briefly
from indistinct.core.distances import Distance
from indistinct.core.frequencies import TOGETHER, SensitiveColumn
from indistinct.core.hierarchy import GeneralizationHierarchy
from indistinct.core.protocols import Metric, Problem
from indistinct.core.schema import Role
from indistinct.counting.persons import (
    columns_of_people,
    count_units,
    persons_of,
    told_of_people,
    units_of,
)
from indistinct.counting.population import lists_people, population_table, read_population
from indistinct.engines.protocol import Counted, EncodedColumn
from indistinct.engines.registry import IN_MEMORY
from indistinct.engines.row_order import follows_the_rows
from indistinct.engines.tuples import together
from indistinct.errors import Fault, HierarchyError, NoSolutionError, PolicyError, SchemaError
from indistinct.metrics import AGGREGATES, METRICS, SeparableMetric
from indistinct.models import AlphaKAnonymity, ConfidentKAnonymity, KAnonymity, NTCloseness
from indistinct.policy.hierarchies import hierarchy_of, missing_text
from indistinct.policy.policy import Policy
from indistinct.policy.sections.column import ColumnPolicy
from indistinct.search.adaptive.tree_importance import RandomForest
from indistinct.search.adaptive.vulnerability import vulnerability_of

LONGEST_ORDER_CHANCE = 10
LARGEST_WHOLE_NUMBER = 2**53
LEAST_WEIGHT = 0.01  # of a column that gives nothing away: its loss still counts for something


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
    frame: pl.DataFrame
    rows: Codes
    tuple_of_row: Codes
    n_input: int

    __repr__ = briefly


def prepare(frame: pl.DataFrame, policy: Policy) -> Prepared:
    """Encode and count a table as a policy asks.

    Raises
    ------
    SchemaError
        when columns of the data and of the policy differ
    PolicyError
        when the policy asks for what the data cannot have
    HierarchyError
        when hierarchies do not cover the values, all of them at once
    """
    check_columns(frame, policy)
    rows = _complete_rows(frame, policy)
    kept = frame if len(rows) == frame.height else frame[rows]
    _check_values(kept, policy)
    names = policy.class_names
    read = sensitive_names(policy)
    encoded = {name: encode_column(kept, policy, name) for name in names}
    # Models compare with the whole table, records included that have no part in the release.
    encoded |= {name: encode_column(frame, policy, name) for name in read}
    hierarchies = _hierarchies(policy, encoded, names, read)
    sensitive = {
        name: SensitiveColumn(
            name,
            encoded[name].texts,
            encoded[name].numbers,
            np.bincount(encoded[name].codes, minlength=len(encoded[name].texts)),
            hierarchies.get(name),
        )
        for name in read
    }
    codes = {name: encoded[name].codes[rows] for name in read}
    if policy.divides:
        sensitive[TOGETHER], codes[TOGETHER] = together(codes)
    if (persons := persons_of(frame, policy)) is not None:
        # Pairs compare with the whole table, too, and so are made of all its records.
        columns, whole = columns_of_people(persons, {name: encoded[name].codes for name in read})
        sensitive |= columns
        codes |= {name: of_column[rows] for name, of_column in whole.items()}
    classes = {name: encoded[name].codes for name in names}
    counted = IN_MEMORY.count(classes, sensitive, codes, kept.height)
    problem = _problem(policy, counted, names, hierarchies, encoded)
    if lists_people(policy):
        population = population_table(policy, encoded, hierarchies, read_population(policy))
        among = policy.models_among(units_of(counted.table), population.size)
        models = told_of_people(among, policy)
        problem = replace(problem, models=models, population=population)
    if policy.method.weights == "vulnerability" and policy.class_names:
        problem = _weighed(problem, policy)
    return Prepared(problem, kept, rows, counted.tuple_of_row, frame.height)


def sensitive_names(policy: Policy) -> tuple[str, ...]:
    """Give the sensitive columns that a model, the algorithm or the weights look at."""
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
    _check_values(prepared.frame, policy)
    people = prepared.problem.population
    size = None if people is None else people.size
    names = prepared.problem.table.columns
    problem = replace(
        prepared.problem,
        models=told_of_people(policy.models_among(units_of(prepared.problem.table), size), policy),
        objective=objective_of(policy, names),
        max_suppression=policy.method.max_suppression,
        weights=_relative_weights(policy, names),
    )
    if policy.method.weights == "vulnerability" and policy.class_names:
        problem = _weighed(problem, policy)
    return replace(prepared, problem=problem)


def check_columns(frame: pl.DataFrame, policy: Policy) -> None:
    """Refuse data and policies that do not name the same columns, all of them at once."""
    faults = [
        Fault(f"columns.{name}", "is in the policy but not in the data", "Check the spelling.")
        for name in policy.columns
        if name not in frame.columns
    ]
    faults += [
        Fault(
            f"columns.{name}",
            "is in the data but not in the policy",
            "Give it a role: identifier, quasi-identifier, sensitive or insensitive.",
        )
        for name in frame.columns
        if name not in policy.columns and name != policy.data.person
    ]
    if not set(frame.columns) & set(policy.columns):
        # Then the first line is perhaps a record, whose values no message may show.
        raise SchemaError(
            "no column of the policy is in the data",
            "Check that the file begins with the names of its columns.",
        )
    if policy.data.person is not None and policy.data.person not in frame.columns:
        faults.append(
            Fault(
                "data.person",
                f'names "{policy.data.person}", which is not in the data',
                "Check the spelling, or leave it out to count records.",
            )
        )
    if policy.release.intervals == "bounds":
        faults += [
            Fault(
                f"columns.{name}{end}",
                f"has the name that a bound of {name} is released under",
                'Rename it, or choose another release.intervals than "bounds".',
            )
            for name in policy.class_names
            for end in ("_min", "_max")
            if f"{name}{end}" in policy.columns
        ]
    if faults:
        raise SchemaError(faults)


def is_missing(column: pl.Series, policy: Policy) -> pl.Series:
    """Tell which cells of a column are missing, by the policy's word."""
    gone = column.is_null()
    if column.dtype == pl.String:
        gone |= column.is_in(list(policy.data.missing)).fill_null(value=False)
    elif column.dtype.is_float():
        gone |= column.is_nan().fill_null(value=False)
    return gone


def objective_of(policy: Policy, names: Iterable[str]) -> Metric:
    """Build the objective that a policy names, with its weights and aggregate."""
    return weighted_objective(policy, _relative_weights(policy, names))


def weighted_objective(policy: Policy, weights: tuple[float, ...]) -> Metric:
    """Build the objective that a policy names, with these weights and its aggregate."""
    kind = METRICS[policy.method.objective]
    if not issubclass(kind, SeparableMetric):
        return kind()
    if policy.method.aggregate is None:
        return kind(weights)
    return kind(weights, AGGREGATES[policy.method.aggregate])


def _weighed(problem: Problem, policy: Policy) -> Problem:
    """Weigh the columns by how much they give away, the policy's own weights besides."""
    method = policy.method
    found = vulnerability_of(problem, method.target, RandomForest(trees=method.trees))
    given = found.weights * problem.weights
    weights = np.maximum(given / given.max(), LEAST_WEIGHT)
    return replace(
        problem,
        weights=tuple(weights.tolist()),
        objective=weighted_objective(policy, tuple(weights.tolist())),
    )


def _relative_weights(policy: Policy, names: Iterable[str]) -> tuple[float, ...]:
    """Give the columns' weights, the greatest 1."""
    given = [policy.columns[name].weight for name in names]
    return tuple(weight / max(given) for weight in given)


def _complete_rows(frame: pl.DataFrame, policy: Policy) -> Codes:
    """Give the records that take part, by what the policy says of missing values."""
    everyone = np.arange(frame.height, dtype=np.int32)
    if policy.data.missing_as == "value":
        return everyone
    names = [*policy.named(Role.QUASI_IDENTIFIER), *policy.named(Role.SENSITIVE)]
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
        incomplete |= cells.to_numpy()
    return everyone[~incomplete]


def _check_values(frame: pl.DataFrame, policy: Policy) -> None:
    """Refuse what no release of these records can satisfy or hide."""
    n_units = count_units(frame, policy)
    units = "records" if policy.data.person is None else "people"
    faults = [
        Fault(
            f"models.{model.name}",
            f"k = {model.k} is larger than the table, which has {n_units:,} {units}",
            f"Ask for a k of at most {n_units:,}.",
        )
        for model in policy.models
        if isinstance(model, KAnonymity | ConfidentKAnonymity | AlphaKAnonymity)
        and model.k > n_units
    ]
    faults += [
        Fault(
            f"models.{model.name}",
            f"n = {model.n} is larger than the table, which has {frame.height:,} records",
            f"Ask for an n of at most {frame.height:,}, which is t-closeness.",
        )
        for model in policy.models
        if isinstance(model, NTCloseness) and model.n > frame.height
    ]
    faults += [
        Fault(f"columns.{name}", "is sensitive but has no values", "Give it another role.")
        for name in policy.named(Role.SENSITIVE)
        if bool(is_missing(frame[name], policy).all())
    ]
    faults += list(_order_faults(frame, policy))
    faults += list(number_faults(frame, policy))
    faults += list(_size_faults(frame, policy))
    if faults:
        raise PolicyError(faults)


def _order_faults(frame: pl.DataFrame, policy: Policy) -> Iterator[Fault]:
    """Find columns that number the records and would give the input's order away."""
    if frame.height < LONGEST_ORDER_CHANCE:
        return
    for name in (*policy.named(Role.SENSITIVE), *policy.named(Role.INSENSITIVE)):
        if follows_the_rows(frame[name]):
            yield Fault(
                f"columns.{name}",
                "numbers the records: nearly all its values differ, and they rise or fall with the "
                "rows of the input",
                'Give it role = "identifier", so that it is left out, or make it coarser; if the '
                "rows stand in its order for no other reason, shuffle the input first.",
            )


def _size_faults(frame: pl.DataFrame, policy: Policy) -> Iterator[Fault]:
    """Find whole numbers so large that ranges, whose ends are floats, cannot tell them apart."""
    for name in policy.class_names:
        rule = policy.columns[name].hierarchy
        in_ranges = rule is None or rule.intervals is not None
        if not in_ranges or not frame[name].dtype.is_integer():
            continue
        known = frame[name].drop_nulls().unique()
        ends = [abs(int(end)) for end in (known.min(), known.max()) if isinstance(end, int)]
        is_exact = max(ends, default=0) <= LARGEST_WHOLE_NUMBER
        is_alike = known.cast(pl.Float64).n_unique() < len(known)
        if not is_exact and (is_alike or policy.release.intervals != "label"):
            yield Fault(
                f"columns.{name}",
                "has whole numbers beyond 2^53, which ranges cannot tell apart",
                "Divide them by a round number, or hand them in as text.",
            )


def number_faults(frame: pl.DataFrame, policy: Policy) -> Iterator[Fault]:
    """Find models that measure by number what is not made of numbers."""
    for model in policy.models:
        distance: Distance | None = getattr(model, "measured_by", None)
        if distance is None or not distance.reads_numbers:
            continue
        for name in model.columns:
            dtype = frame.schema.get(name, pl.Float64)
            if dtype.is_decimal() or not dtype.is_numeric():
                yield Fault(
                    f"models.{model.name}.ground",
                    f'measures by value, but the values of "{name}" are no numbers',
                    'Set ground to "rank".',
                )


def encode_column(frame: pl.DataFrame, policy: Policy, name: str) -> EncodedColumn:
    """Encode a column, all ways of writing a missing value as one."""
    column = IN_MEMORY.encode(frame, name, policy.data.missing)
    if not column.is_missing.any():
        return column
    return replace(column, texts=(*column.texts[:-1], missing_text(policy, name)))


def _hierarchies(
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
        faults += _level_faults(policy, name, built[name])
    if faults:
        raise HierarchyError(faults)
    return built


def _level_faults(policy: Policy, name: str, hierarchy: GeneralizationHierarchy) -> Iterator[Fault]:
    """Find levels that a policy names and the hierarchy does not have."""
    column = policy.columns[name]
    for word, level in (("min_level", column.min_level), ("max_level", column.max_level)):
        if level is not None and level > hierarchy.height:
            yield Fault(
                f"columns.{name}.{word}",
                f"is {level}, but the hierarchy ends at level {hierarchy.height}",
                f"Set it to at most {hierarchy.height}.",
            )


def _problem(
    policy: Policy,
    counted: Counted,
    names: tuple[str, ...],
    hierarchies: dict[str, GeneralizationHierarchy],
    encoded: dict[str, EncodedColumn],
) -> Problem:
    """Put the problem together, and refuse at once what the whole table cannot give."""
    chosen = tuple(hierarchies[name] for name in names)
    ceilings = [policy.columns[name].max_level for name in names]
    problem = Problem(
        counted.table,
        chosen,
        tuple(
            encoded[name].numbers if _may_be_range(policy.columns[name]) else None for name in names
        ),
        tuple(policy.columns[name].min_level for name in names),
        tuple(
            hierarchy.height if level is None else level
            for hierarchy, level in zip(chosen, ceilings, strict=True)
        ),
        told_of_people(policy.models_among(units_of(counted.table)), policy),
        objective_of(policy, names),
        policy.method.max_suppression,
        _relative_weights(policy, names),
        rounds_ends=policy.release.range_ends == "rounded",
    )
    if len(counted.table.weights) == 0:
        raise NoSolutionError(
            "every record has a missing value, so none is left",
            'Set data.missing_as = "value".',
        )
    return problem


def _may_be_range(column: ColumnPolicy) -> bool:
    """Tell whether numbers may be released in ranges of them: there is no hierarchy, and a level.

    A column that must stay as it is (``max_level = 0``) is in no range.
    """
    return column.hierarchy is None and column.max_level != 0

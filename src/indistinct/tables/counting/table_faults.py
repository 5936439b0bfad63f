"""What a table has that no release of it, by this policy, can satisfy or hide."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from indistinct.base.arrays import Ints
from indistinct.base.nearest_words import did_you_mean
from indistinct.errors import CapacityError, DataError, Fault, PolicyError, SchemaError, Way
from indistinct.tables.core.distances import Distance
from indistinct.tables.core.schema import Role
from indistinct.tables.counting.persons import count_units, n_joined_persons
from indistinct.tables.engines.sources import Capacity, EngineTable, PersonKey, Profile
from indistinct.tables.frames.cell_numbers import (
    are_alike_as_floats,
    farthest_whole,
    has_decimals,
    has_whole_numbers,
    is_numeric,
    weight_faults,
    weights_in,
)
from indistinct.tables.frames.frame import Frame
from indistinct.tables.models import (
    AlphaKAnonymity,
    ConfidentKAnonymity,
    DeltaPresence,
    KAnonymity,
    NTCloseness,
)
from indistinct.tables.models.bounded import BoundedModel
from indistinct.tables.policy.column_rule import ColumnRule
from indistinct.tables.policy.label_truth import label_notes
from indistinct.tables.policy.sections.data import DataPolicy
from indistinct.tables.policy.specification import Specification
from indistinct.tables.reading.missing_values import are_missing
from indistinct.tables.reading.row_order import FEWEST_ALIKE, follows_the_rows

LONGEST_ORDER_CHANCE = 10
LARGEST_WHOLE_NUMBER = 2**53
LEAST_K = 2  # that a model takes
# What a policy may say of records with a missing value.
FOR_MISSING = tuple(Way(("data", "missing_as"), word) for word in ("value", "suppress"))
SAMPLED = 200_000  # records by which a column that numbers the records is found


def check_columns(frame: Frame, spec: Specification) -> None:
    """Refuse data and policies that do not name the same columns, all of them at once."""
    names = dict.fromkeys(frame.columns)
    units = {"person": spec.data.person, "household": spec.data.household}
    without_role = [name for name in names if name not in spec.columns]
    faults = [
        Fault(
            f"columns.{name}",
            "is in the policy but not in the data",
            did_you_mean(name, without_role, "Check the spelling."),
            code="not-in-the-data",
            columns=(name,),
        )
        for name in spec.columns
        if name not in names
    ]
    faults += [
        Fault(
            f"columns.{name}",
            "is in the data but not in the policy",
            "Give it a role: identifier, quasi-identifier, sensitive or insensitive.",
            code="not-in-the-policy",
            columns=(name,),
        )
        for name in frame.columns
        if name not in spec.columns and name not in units.values()
    ]
    if not set(frame.columns) & set(spec.columns):
        # Then the first line is perhaps a record, whose values no message may show.
        raise SchemaError(
            "no column of the policy is in the data",
            "Check that the file begins with the names of its columns.",
            code="no-column-of-the-policy",
        )
    faults += [
        Fault(
            f"data.{unit}",
            f'names "{name}", which is not in the data',
            "Check the spelling, or leave it out to count records.",
            code="unit-not-in-the-data",
            columns=(str(name),),
            ways=(Way(("data", unit), None),),
        )
        for unit, name in units.items()
        if name is not None and name not in names
    ]
    if spec.release.intervals == "bounds":
        faults += [
            Fault(
                f"columns.{name}{end}",
                f"has the name that a bound of {name} is released under",
                'Rename it, or choose another release.intervals than "bounds".',
                code="name-of-a-bound",
                columns=(f"{name}{end}",),
                ways=(Way(("release", "intervals"), "label"),),
            )
            for name in spec.class_names
            for end in ("_min", "_max")
            if f"{name}{end}" in spec.columns
        ]
    if faults:
        raise SchemaError(faults)


def check_values(
    frame: Frame, spec: Specification, records: Ints | None = None, *, is_search: bool = True
) -> None:
    """Refuse what no release of these records can satisfy or hide.

    Parameters
    ----------
    records : (n_rows,), records of each row of ``frame``; None where each row is a record
    is_search : whether a release is searched for: models that ask for more than there is are then
        refused, and else do not hold
    """
    faults: list[Fault] = []
    if is_search:
        n_records = frame.height if records is None else int(records.sum())
        n_units = count_units(frame, spec.data) if records is None else n_records
        faults += bound_faults(spec.models, spec.data.person, n_records, n_units)
    if records is None:
        faults += _faults_of_records(frame, spec)
    faults += list(empty_bounds_faults(frame, spec))
    of_types = list(number_faults(frame, spec.models))
    faults += [*of_types, *size_faults(frame, spec.class_rules)]
    if faults:
        raise (SchemaError if faults == of_types else PolicyError)(faults)


def _faults_of_records(frame: Frame, spec: Specification) -> Iterator[Fault]:
    """Find what only records show; :func:`check_weights` and others ask an engine."""
    for name in spec.named(Role.SENSITIVE):
        if are_missing(frame[name], spec.data.missing).all():
            yield no_values(name)
    yield from _joined_faults(frame, spec.models, spec.data)
    yield from _order_faults(
        frame, (*spec.named(Role.SENSITIVE), *spec.named(Role.INSENSITIVE)), spec.models
    )
    if spec.data.weight is not None:
        yield from weight_faults(frame[spec.data.weight])


def bound_faults(
    models: Sequence[BoundedModel], person: str | None, n_records: int, n_units: int
) -> Iterator[Fault]:
    """Find models that ask for larger classes than the table has records or people."""
    units = "records" if person is None else "people"
    for model in models:
        sized = isinstance(model, KAnonymity | ConfidentKAnonymity | AlphaKAnonymity)
        if sized and model.k > n_units:
            one = units.removesuffix("s") if units == "records" else "person"
            counted = f"1 {one}" if n_units == 1 else f"{n_units:,} {units}"
            yield Fault(
                f"models.{model.name}",
                f"k = {model.k} is larger than the table, which has {counted}",
                f"Ask for a k of at most {n_units:,}."
                if n_units >= LEAST_K
                else "No k is possible, so that nothing can be released: add records.",
                code="k-beyond-the-table" if n_units >= LEAST_K else "too-few-records",
                parts={"k": model.k, "count": n_units, "unit": units},
                ways=(Way(("models", model.name, "", "k"), n_units),) * (n_units >= LEAST_K),
            )
    for model in models:
        if isinstance(model, NTCloseness) and model.n > n_records:
            yield Fault(
                f"models.{model.name}",
                f"n = {model.n} is larger than the table, which has {n_records:,} records",
                f"Ask for an n of at most {n_records:,}, which is t-closeness.",
                code="n-beyond-the-table",
                columns=model.columns,
                parts={"n": model.n, "count": n_records},
                ways=(Way(("models", model.name, model.column, "n"), n_records),),
            )


def _joined_faults(
    frame: Frame, models: Sequence[BoundedModel], data: DataPolicy
) -> Iterator[Fault]:
    """Find people who may be one or several under a model that too few people do not protect."""
    if not any(isinstance(model, DeltaPresence) for model in models):
        return
    if n_joined := n_joined_persons(frame, data):
        yield Fault(
            "data.person",
            f"has {n_joined} ways of writing a person that read like another one, and "
            "delta-presence needs to know how many people there are",
            "Write each person in one way, or tell different people apart.",
            code="persons-read-alike",
            parts={"count": n_joined},
        )


def no_values(name: str) -> Fault:
    """Return the fault that a sensitive column is empty."""
    return Fault(
        f"columns.{name}",
        "is sensitive but has no values",
        "Give it another role.",
        code="no-values",
        columns=(name,),
        ways=(Way(("columns", name, "role"), "identifier"),),
    )


def numbers_the_records(name: str) -> Fault:
    """Return the fault that a column would give the input's order away."""
    return Fault(
        f"columns.{name}",
        "numbers the records: its values differ or are shared by few records, and they rise or "
        "fall with the rows of the input",
        'Give it role = "identifier", so that it is left out, or make it coarser; if the '
        "rows are in its order by coincidence, shuffle the input first.",
        code="numbers-the-records",
        columns=(name,),
        ways=(Way(("columns", name, "role"), "identifier"),),
    )


def empty_bounds_faults(frame: Frame, spec: Specification) -> Iterator[Fault]:
    """Find missing numbers whose empty bounds would read as hidden ones, beside a population."""
    if spec.release.intervals != "bounds" or spec.people_file is None:
        return
    for name in spec.class_names:
        if is_numeric(frame[name]) and are_missing(frame[name], spec.data.missing).any():
            yield Fault(
                f"columns.{name}",
                "has missing numbers, and two empty bounds do not show whether a number is missing "
                "or hidden, so the people of the population who look like it cannot be counted",
                'Set release.intervals to "label", or data.missing_as to "suppress".',
                code="missing-bounds",
                columns=(name,),
                ways=(
                    Way(("release", "intervals"), "label"),
                    Way(("data", "missing_as"), "suppress"),
                ),
            )


def _order_faults(
    frame: Frame, names: Sequence[str], models: Sequence[BoundedModel]
) -> Iterator[Fault]:
    """Find columns that number the records and would give the input's order away."""
    if frame.height < LONGEST_ORDER_CHANCE:
        return
    alike = fewest_alike(models)
    for name in names:
        if follows_the_rows(frame[name], alike=alike):
            yield numbers_the_records(name)


def fewest_alike(models: Iterable[BoundedModel]) -> int:
    """Return how many records, in the mean, must share a value of a column that is sorted.

    Where they are as many as a class has, the column tells the place of a row no better than the
    class does.
    """
    return max([FEWEST_ALIKE, *(model.least_size for model in models)])


def size_faults(frame: Frame, rules: Iterable[ColumnRule]) -> Iterator[Fault]:
    """Find whole numbers so large that ranges, whose ends are floats, cannot tell them apart."""
    for column in rules:
        name, rule = column.name, column.hierarchy
        in_ranges = rule is None or rule.intervals is not None or rule.ranges is not None
        if not in_ranges or not has_whole_numbers(frame[name]):
            continue
        if farthest_whole(frame[name]) <= LARGEST_WHOLE_NUMBER:
            continue
        if column.shown_as != "label" or are_alike_as_floats(frame[name]):
            yield Fault(
                f"columns.{name}",
                "has whole numbers beyond 2^53, which ranges cannot distinguish",
                "Divide them by a round number, or hand them in as text.",
                code="large-numbers",
                columns=(name,),
                ways=(Way(("columns", name, "role"), "identifier"),),
            )


def number_faults(frame: Frame, models: Iterable[BoundedModel]) -> Iterator[Fault]:
    """Find models that measure by number what is not made of numbers."""
    for model in models:
        distance: Distance | None = getattr(model, "measured_by", None)
        if distance is None or not distance.reads_numbers:
            continue
        for name in model.columns:
            if name not in frame.columns:
                continue
            if has_decimals(frame[name]) or not is_numeric(frame[name]):
                yield Fault(
                    f"models.{model.name}.ground",
                    f'measures by value, but the values of "{name}" are not numbers',
                    'Set ground to "rank".',
                    code="not-numbers",
                    columns=(name,),
                    ways=(Way(("models", model.name, name, "ground"), "rank"),),
                )


def check_profile(profile: Profile, spec: Specification) -> None:
    """Refuse a table by what one scan tells.

    Raises
    ------
    DataError
        when cells cannot be counted, or the policy forbids them
    """
    faults = list(_profile_faults(profile, spec))
    if faults:
        raise DataError(faults)


def _profile_faults(profile: Profile, spec: Specification) -> Iterator[Fault]:
    """Find what a scan of the table alone forbids."""
    for name, count in profile.n_infinite.items():
        if count:
            problem = f"{count} numbers are infinite"
            yield Fault(
                f"columns.{name}",
                problem,
                "Write them as missing.",
                code="infinite-numbers",
                columns=(name,),
                parts={"count": count},
            )
    for name in spec.named(Role.SENSITIVE):
        if profile.n_missing[name] == profile.n_records:
            yield no_values(name)
    if spec.data.missing_as == "refuse":
        for name in (*spec.named(Role.QUASI_IDENTIFIER), *spec.named(Role.SENSITIVE)):
            if profile.n_missing[name]:
                yield Fault(
                    f"columns.{name}",
                    f"{profile.n_missing[name]} values are missing",
                    'Complete them, or set data.missing_as to "value" or "suppress".',
                    code="missing-values",
                    columns=(name,),
                    parts={"count": profile.n_missing[name]},
                    ways=FOR_MISSING,
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


def check_order(source: EngineTable, spec: Specification) -> None:
    """Refuse columns that number the records, where these stand in an order."""
    if not source.has_order:
        return
    names = (*spec.named(Role.SENSITIVE), *spec.named(Role.INSENSITIVE))
    faults = (
        list(_source_order_faults(source.sample(names, SAMPLED), names, spec.models))
        if names
        else []
    )
    if faults:
        raise PolicyError(faults)


def _source_order_faults(
    some: Frame, names: Sequence[str], models: Iterable[BoundedModel]
) -> Iterator[Fault]:
    """Find columns that number the records, in a frame of records at equal distances."""
    alike = fewest_alike(models)
    return (
        numbers_the_records(name) for name in names if follows_the_rows(some[name], alike=alike)
    )


def list_notes(spec: Specification) -> list[str]:
    """Return what the lists of a policy probably say falsely, looked at without a table.

    Labels that are not true of a value below them, such as a range without it: a sentence for each
    column and level. A release is refused only where a record has such a value.
    """
    return list(label_notes(spec.class_rules))

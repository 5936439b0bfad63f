"""Names by which the owner links released records with those of a table that numbers none.

The records of a database or of a cluster have no place that lasts. Where the owner asks for it,
each released record carries a random name of 128 bits in a column of its own, and the crosswalk
lists each name beside the record's key in the input. The names come from the operating system's
secure source, and say nothing about the record to anybody who does not have the crosswalk.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from indistinct.base.files.writing import atomic
from indistinct.base.randomness import RandomSource
from indistinct.errors import CapacityError, Fault, ParameterError
from indistinct.tables.engines.crosswalk import named, tells_apart, write_names
from indistinct.tables.engines.sources import EngineTable, PersonKey, ReleasePlan, StagedRelease
from indistinct.tables.policy.specification import Specification
from indistinct.tables.reading.column_types import ColumnType
from indistinct.tables.release.manifest import Manifest


@dataclass(frozen=True, slots=True)
class RecordNames:
    """What the owner asks for.

    Parameters
    ----------
    key : the column of the input whose values tell its records apart
    column : the column of the release that the names are put into
    """

    key: str
    column: str


def record_names_of(
    key: str | None, column: str | None, crosswalk: str | None
) -> RecordNames | None:
    """Read the three words that belong together; None where no names are asked for.

    Raises
    ------
    ParameterError
        when one of them is missing
    """
    if key is None and column is None:
        return None
    given = {"--crosswalk": crosswalk, "--crosswalk-key": key, "--record-column": column}
    faults = [
        Fault(word, "is missing", "Give --crosswalk, --crosswalk-key and --record-column together.")
        for word, value in given.items()
        if value is None
    ]
    if faults or key is None or column is None:
        raise ParameterError(faults)
    return RecordNames(key, column)


def check_names(names: RecordNames, source: EngineTable, spec: Specification) -> None:
    """Refuse a key that tells no records apart, and a name that another column has.

    Raises
    ------
    ParameterError
        when names cannot be given so
    """
    faults: list[Fault] = []
    kind = source.kinds.get(names.key)
    if kind is None:
        faults.append(
            Fault("--crosswalk-key", "is not a column of the input", "Name a column of it.")
        )
    elif kind not in {ColumnType.WHOLE, ColumnType.TEXT}:
        problem = "is a column of neither texts nor whole numbers"
        faults.append(Fault("--crosswalk-key", problem, "Name a column of one of these."))
    elif names.key in spec.protections:
        problem = "is changed by a mask before the records are counted"
        faults.append(Fault("--crosswalk-key", problem, "Name a column without a mask."))
    bounds = [f"{name}_{end}" for name in spec.class_names for end in ("min", "max")]
    if names.column in {*source.kinds, *spec.columns, *bounds} or not names.column.strip():
        problem = "is the name of another column, or empty"
        faults.append(Fault("--record-column", problem, "Choose another name."))
    if faults:
        raise ParameterError(faults)


def with_names(
    plan: ReleasePlan,
    names: RecordNames,
    source: EngineTable,
    at_most: int,
    chance: RandomSource | None = None,
) -> ReleasePlan:
    """Return every key of the input a name of its own.

    Parameters
    ----------
    at_most : names that fit into memory
    chance : secure where left out

    Raises
    ------
    CapacityError
        when there are more keys
    ParameterError
        when a key is missing, or is that of several records
    """
    found = source.count([PersonKey(names.key)], at_most)
    if found is None:
        raise CapacityError(
            f"the names of more than {at_most:,} records do not fit into memory",
            "Give more --memory, or write a release to files, whose crosswalk names rows.",
        )
    if not tells_apart(found):
        problem = "is missing in some records, or has a value that several records share"
        fault = Fault("--crosswalk-key", problem, "Name a column that tells all records apart.")
        raise ParameterError([fault])
    drawn = named(found, names.key, names.column, chance or RandomSource())
    return replace(plan, names=drawn)


def with_record_column(manifest: Manifest, plan: ReleasePlan) -> Manifest:
    """Return a manifest that says which column has the names."""
    if plan.names is None:
        return manifest
    return replace(manifest, output=replace(manifest.output, record_column=plan.names.column))


@contextmanager
def written_names(
    draft: StagedRelease, plan: ReleasePlan, crosswalk: str | None
) -> Generator[None]:
    """Write the names beside the keys, which appear when the release does.

    The names of the released records are read from the release. The other keys are those of the
    suppressed records, which have none.
    """
    names = plan.names
    if names is None or crosswalk is None:
        yield
        return
    released = draft.count([names.column])
    with atomic(Path(crosswalk), private=True) as place:
        write_names(names, released, place, crosswalk)
        yield

"""Whose records they are: the column of persons, where sizes count people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from indistinct.base.arrays import Codes, Ints
from indistinct.base.compiled.kernels import group_rows
from indistinct.tables.core.classes import EquivalenceClasses
from indistinct.tables.core.frequencies import (
    PERSON,
    FrequencyTable,
    SensitiveColumn,
    Share,
    person_and,
)
from indistinct.tables.core.recoding import Recoding
from indistinct.tables.frames.encoding import n_joined, persons_in
from indistinct.tables.frames.frame import Column, Frame
from indistinct.tables.models.bounded import BoundedModel
from indistinct.tables.models.in_people import in_people, people_per_class
from indistinct.tables.policy.sections.data import DataPolicy

if TYPE_CHECKING:
    from indistinct.tables.core.protocols import PrivacyModel, Problem


def person_codes(column: Column, missing: Sequence[str] = ()) -> Codes:
    """Return the number of the person behind each record: (n_rows,), from 0.

    All records without a person count as those of one and the same person, and so do those whose
    persons read alike: too few people are counted rather than too many.

    Parameters
    ----------
    column : the column of persons
    missing : texts that stand for no person
    """
    return persons_in(column, missing)


def persons_of(frame: Frame, data: DataPolicy) -> Codes | None:
    """Return the number of the person behind each record; None where records are counted.

    None also where the table lacks the column, as every release does.
    """
    name = data.person
    if name is None or name not in frame.columns:
        return None
    return person_codes(frame[name], data.missing)


def n_joined_persons(frame: Frame, data: DataPolicy) -> int:
    """Count the ways of writing a person that read like another one; 0 where no people count."""
    name = data.person
    if name is None or name not in frame.columns:
        return 0
    return n_joined(frame[name], data.missing)


def count_units(frame: Frame, data: DataPolicy) -> int:
    """Count what sizes count in some records: people, or records where no person is named."""
    persons = persons_of(frame, data)
    return frame.height if persons is None else int(persons.max(initial=-1)) + 1


def units_of(table: FrequencyTable, n_input: int) -> int:
    """Count what sizes count in the whole input: people where they are counted, or records.

    Parameters
    ----------
    table : the records that take part, with the people of the whole input
    n_input : records of the input, those included that are left out for their missing values
    """
    people = table.sensitive.get(PERSON)
    return n_input if people is None else people.n_values


def columns_of_people(
    persons: Codes, columns: Mapping[str, Codes]
) -> tuple[dict[str, SensitiveColumn], dict[str, Codes]]:
    """Make the columns by which classes count people.

    Parameters
    ----------
    persons : (n_rows,), number of the person of each record
    columns : per sensitive column, (n_rows,), value codes

    Returns
    -------
    the persons, and per column the pairs of person and value, each with its codes: (n_rows,). The
    texts of their values are numbers that say nothing of a person
    """
    made = {PERSON: _numbered(PERSON, persons)}
    codes = {PERSON: persons}
    for name, values in columns.items():
        rows = np.ascontiguousarray(np.stack([values, persons], axis=1).astype(np.int32))
        labels, first, _ = group_rows(rows)
        kinds = rows[first]
        share = Share(np.ascontiguousarray(kinds[:, 0]), np.ascontiguousarray(kinds[:, 1]))
        made[person_and(name)] = _numbered(person_and(name), labels, {name: share})
        codes[person_and(name)] = labels
    return made, codes


def models_of_table(
    models: tuple[BoundedModel, ...], table: FrequencyTable, person: str | None
) -> tuple[PrivacyModel, ...]:
    """Return models that know the columns with missing values, and count people if asked to."""
    columns = [name for name, column in table.sensitive.items() if column.has_missing]
    found = tuple(model.with_missing_columns(columns) for model in models)
    return found if person is None else in_people(found)


def _numbered(name: str, codes: Codes, joins: Mapping[str, Share] | None = None) -> SensitiveColumn:
    """Return a column whose values are numbers."""
    counts = np.bincount(codes)
    texts = tuple(str(number) for number in range(len(counts)))
    return SensitiveColumn(name, texts, None, counts, joins=joins or {})


def class_sizes(classes: EquivalenceClasses) -> Ints:
    """Return the size of each class: its people where they are counted, else its records."""
    return people_per_class(classes) if PERSON in classes.value_counts else classes.sizes


def people_released(problem: Problem, recoding: Recoding) -> tuple[int, int] | None:
    """Count the people who are released, and those of whom no record is; None where none count."""
    table = problem.table
    if PERSON not in table.sensitive_codes:
        return None
    kept = recoding.tuples[recoding.released[recoding.labels]]
    n_released = len(np.unique(table.sensitive_codes[PERSON][kept]))
    n_people = table.sensitive[PERSON].n_values
    return n_released, n_people - n_released

"""The distinct rows of some columns of a table, counted wherever it is, with their labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from indistinct.base.arrays import Bools, Codes, Ints
from indistinct.base.brief import short_repr
from indistinct.base.nearest_words import did_you_mean
from indistinct.errors import Fault, SchemaError
from indistinct.tables.core.schema import Role
from indistinct.tables.counting.columns import encode_column
from indistinct.tables.counting.persons import person_codes
from indistinct.tables.counting.preparation import hierarchies_for
from indistinct.tables.engines.choosing import Resources, is_large, open_table
from indistinct.tables.engines.sources import count_all, weights_of
from indistinct.tables.frames.frame import Frame
from indistinct.tables.frames.tuples import EncodedColumn
from indistinct.tables.policy.hierarchies import listed_paths
from indistinct.tables.policy.policy import Policy
from indistinct.tables.policy.specification import Specification, resolve
from indistinct.tables.reading.files import read_file
from indistinct.tables.reading.missing_values import are_missing
from indistinct.tables.reading.native_frames import Native


@dataclass(frozen=True, slots=True)
class LabelledColumn:
    """A column with the labels above its values.

    Parameters
    ----------
    values : with the code of each row
    levels : per level, the label of each value, the value itself first; None without a hierarchy
    listed : rows of labels that a file or a tree lists, whether the data have them or not; None
        where nothing lists them
    """

    values: EncodedColumn
    levels: Sequence[Sequence[str]] | None
    listed: Sequence[Sequence[str]] | None

    __repr__ = short_repr


@dataclass(frozen=True, slots=True)
class DistinctRows:
    """The distinct rows of some columns.

    Parameters
    ----------
    columns : by their names
    records : (n_rows,), records of each row
    persons : (n_rows,), number of the person of each; None where nobody is told apart
    without_person : (n_rows,), which rows name no person
    native : the library that a frame came from
    """

    columns: Mapping[str, LabelledColumn]
    records: Ints
    persons: Codes | None
    without_person: Bools
    native: Native | None

    __repr__ = short_repr


def count_rows(
    data: Any, policy: Policy, *, person: str | None = None, resources: Resources | None = None
) -> DistinctRows:
    """Count the distinct rows of the columns of a policy, on any engine.

    Parameters
    ----------
    data : a path, the address of a table, or a frame
    policy : whose quasi-identifiers are the columns; further columns of the data are not read
    person : the column that tells people apart; each row is then that of one person

    Raises
    ------
    SchemaError
        when the data lack some of the columns
    DataError, HierarchyError
        when they cannot be read, or a hierarchy does not fit
    """
    spec, engine = resolve(policy), resources or Resources()
    names = [*policy.columns, *([] if person is None else [person])]
    frame, records, native = _counted(data, spec, names, engine)
    missing = spec.data.missing
    persons, gone = None, np.zeros(frame.height, np.bool_)
    if person is not None:
        persons, gone = person_codes(frame[person], missing), are_missing(frame[person], missing)
    return DistinctRows(_labelled(frame, spec), records, persons, gone, native)


def _counted(
    data: Any, spec: Specification, names: Sequence[str], resources: Resources
) -> tuple[Frame, Ints, Native | None]:
    """Return rows of some columns and the records of each."""
    if is_large(data, None, resources):
        opening = resources.opening(spec.data.missing, None, reading=spec.reading)
        with open_table(data, opening, resources.engine) as source:
            _check(names, source.schema)
            tally = count_all(source, names)
            return tally.frame, weights_of(tally), None
    table = read_file(data, reading=spec.reading)
    _check(names, table.frame.schema)
    return table.frame, np.ones(table.frame.height, np.int64), table.native


def _check(names: Sequence[str], schema: Mapping[str, Any]) -> None:
    """Refuse data that lack columns.

    Raises
    ------
    SchemaError
        naming each of them
    """
    lacking = [name for name in names if name not in schema]
    if len(lacking) == len(names):
        # Then the first line is perhaps a record, whose values no message may show.
        raise SchemaError(
            "no column of the tables is in the data",
            "Check that the file begins with the names of its columns.",
        )
    if lacking:
        raise SchemaError(
            Fault(
                f"columns.{name}",
                "is not in the data",
                did_you_mean(name, schema, "Check the spelling."),
            )
            for name in lacking
        )


def _labelled(frame: Frame, spec: Specification) -> dict[str, LabelledColumn]:
    """Encode the columns, and find the labels above their values."""
    rules = [spec.columns[name] for name in spec.named(Role.QUASI_IDENTIFIER)]
    encoded = {rule.name: encode_column(frame, rule) for rule in rules}
    known = spec.with_meanings({name: one.meaning for name, one in encoded.items()})
    above = [known.columns[rule.name] for rule in rules if rule.hierarchy is not None]
    hierarchies = hierarchies_for(above, encoded)
    found: dict[str, LabelledColumn] = {}
    for name, column in encoded.items():
        levels = listed = None
        if (hierarchy := hierarchies.get(name)) is not None:
            levels = [
                [labels[int(code)] for code in codes]
                for labels, codes in zip(hierarchy.labels, hierarchy.codes, strict=True)
            ]
            rule = known.columns[name]
            if rule.hierarchy is not None and rule.hierarchy.lists_values:
                listed = list(listed_paths(rule))
        found[name] = LabelledColumn(column, levels, listed)
    return found


def listed_labels(policy: Policy) -> dict[str, list[list[str]]]:
    """Return, per column with a file or a tree of labels, the labels of each value that it lists.

    Raises
    ------
    HierarchyError
        when a file cannot be read
    """
    spec = resolve(policy)
    return {
        name: list(listed_paths(rule))
        for name, rule in spec.columns.items()
        if rule.hierarchy is not None and rule.hierarchy.lists_values
    }

"""Who else there is: read the table of a population that a policy names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from indistinct.base.compiled.kernels import group_rows
from indistinct.base.hierarchy import ROOT, GeneralizationHierarchy
from indistinct.errors import Fault, PolicyError
from indistinct.tables.core.frequencies import PopulationTable
from indistinct.tables.frames.cell_numbers import is_numeric, numbers_in_texts
from indistinct.tables.frames.encoding import encode
from indistinct.tables.frames.frame import Column, Frame, with_missing
from indistinct.tables.frames.texts import cell_texts, has_text
from indistinct.tables.frames.tuples import EncodedColumn
from indistinct.tables.policy.column_rule import ColumnRule
from indistinct.tables.policy.hierarchies import labels_above, missing_text
from indistinct.tables.reading import files
from indistinct.tables.reading.declared_formats import Reading
from indistinct.tables.reading.missing_values import are_missing, n_missing


def n_people(file: Path | None, names: Sequence[str], reading: Reading) -> int | None:
    """Count the people of the population, where there is a table of them."""
    return read_population(file, names, reading).height if file is not None else None


def read_population(file: Path, names: Sequence[str], reading: Reading) -> Frame:
    """Read the quasi-identifiers of the population.

    Raises
    ------
    DataError
        when the file cannot be read
    PolicyError
        when it lacks some of the quasi-identifiers, all of them named
    """
    frame = files.read_file(
        file,
        reading=reading,
        expected=names,
    ).frame
    faults = [
        Fault("population.data", f'has no column "{name}"', "Name a table with it.")
        for name in names
        if name not in frame.columns
    ]
    if not names:
        problem = "is given, but no quasi-identifier forms classes that could be looked up in it"
        faults.append(Fault("population.data", problem, "Leave it out, or give the size only."))
    if faults:
        raise PolicyError(faults)
    return frame[list(names)]


def population_table(
    rules: Sequence[ColumnRule],
    encoded: Mapping[str, EncodedColumn],
    hierarchies: Mapping[str, GeneralizationHierarchy],
    frame: Frame,
) -> PopulationTable:
    """Encode a population in the words of a table's hierarchies.

    Parameters
    ----------
    encoded, hierarchies : the table's quasi-identifiers
    frame : the population's

    Raises
    ------
    PolicyError
        when a value, or its mask, reads as a hidden cell, or numbers are none in the population
    """
    names = [rule.name for rule in rules]
    own = {one.name: _encoded(one, frame[one.name], encoded[one.name]) for one in rules}
    rows = np.stack([own[name].codes for name in names], axis=1).astype(np.int32)
    _, representatives, weights = group_rows(np.ascontiguousarray(rows))
    labels = tuple(
        labels_above(rule, encoded[rule.name], hierarchies[rule.name], own[rule.name])
        for rule in rules
    )
    numbers = tuple(own[name].numbers for name in names)
    return PopulationTable(np.ascontiguousarray(rows[representatives]), labels, weights, numbers)


def _encoded(rule: ColumnRule, column: Column, like: EncodedColumn) -> EncodedColumn:
    """Encode a column as the table's is: numbers as numbers, else texts."""
    gone = are_missing(column, rule.missing)
    texts = with_missing(cell_texts(column), gone)
    known = zip(like.texts, like.is_missing, strict=True)
    if (ROOT, False) in known or has_text(texts, ROOT):
        problem = f'or the table has the value "{ROOT}" in "{column.name}", like a hidden cell'
        remedy = "Replace this value, so that a reader can tell whom a hidden cell may stand for."
        raise PolicyError([Fault("population.data", problem, remedy)])
    if _is_masked_as_hidden(rule, like):
        problem = (
            f'or the table has values in "{column.name}" that are shorter than others and read as '
            "a hidden cell once they are masked"
        )
        remedy = "Give this column a hierarchy whose labels differ from a hidden cell."
        raise PolicyError([Fault("population.data", problem, remedy)])
    if like.numbers is None:
        return encode(texts, missing_text(rule))
    numbers = column if is_numeric(column) else numbers_in_texts(texts)
    if n_missing(numbers) > gone.sum():
        problem = f'has values of "{column.name}" that are not numbers, but the table has numbers'
        raise PolicyError([Fault("population.data", problem, "Name another table.")])
    return encode(numbers, missing_text(rule))


def _is_masked_as_hidden(rule: ColumnRule, column: EncodedColumn) -> bool:
    """Return whether the mask of some value, one star, covers fewer people than a hidden cell."""
    if rule.hierarchy is None or rule.hierarchy.mask is None:
        return False
    known = zip(column.texts, column.is_missing, strict=True)
    lengths = {len(text) for text, is_gone in known if not is_gone}
    return len(lengths) > 1 and min(lengths) <= rule.hierarchy.mask

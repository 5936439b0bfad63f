"""What a policy cannot ask of a table that nobody holds whole."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from indistinct.errors import Fault, PolicyError
from indistinct.tables.engines.folders import check_partition
from indistinct.tables.engines.sources import Sink
from indistinct.tables.policy.specification import Specification

IN_MEMORY = "Take --engine memory"
AS_ONE_FILE = "Write the table into one file, and take --engine memory with that file"
WHOLE = f"{IN_MEMORY}, or {{}}."


def check_partition_of(spec: Specification, sink: Sink) -> None:
    """Refuse folders by a column that is not released, before anything is counted."""
    named = [name for name in spec.columns if name not in spec.left_out]
    bounds = [f"{name}_{end}" for name in spec.class_names for end in ("min", "max")]
    if sink.partition_by not in bounds:
        check_partition(sink, named)


def refuse_what_needs_all(spec: Specification, data: Any) -> None:
    """Refuse what looks at all records at once, and name what can be had.

    Parameters
    ----------
    data : the input; one that is not a single file has to become one before memory can hold it

    Raises
    ------
    PolicyError
        when something of the policy takes a table in memory; all of it at once
    """
    faults = [*_columns_that_need_all(spec), *_words_that_need_all(spec)]
    if not (isinstance(data, str | Path) and Path(data).is_file()):
        faults = [replace(one, remedy=one.remedy.replace(IN_MEMORY, AS_ONE_FILE)) for one in faults]
    if faults:
        raise PolicyError(faults)


def _columns_that_need_all(spec: Specification) -> Iterator[Fault]:
    """Find columns and models that an engine, which sees no record twice, cannot serve."""
    for name, protection in spec.protections.items():
        if not (protection.is_by_record or protection.is_fitted):
            yield Fault(
                f"columns.{name}.protect",
                "draws or ranks cells of all records at once, which only a table in memory allows",
                WHOLE.format(protection.instead_in_parts),
            )
    for name in spec.set_names:
        yield Fault(
            f"columns.{name}.type",
            "is a set, whose items are counted in all records at once, in memory",
            WHOLE.format("leave the column out"),
        )
    for model in spec.models:
        if model.republishes:
            yield Fault(
                f"models.{model.name}",
                "is a promise about all releases of a table, whose history is kept in memory",
                WHOLE.format("leave the model out"),
            )
    if not spec.class_names:
        yield Fault(
            "columns",
            "has no quasi-identifier that forms classes, so that there is nothing to count",
            WHOLE.format("name one"),
        )


def _reading_that_needs_all(spec: Specification) -> Iterator[Fault]:
    """Find what is said of the reading of files that an engine does not read so."""
    if spec.data.encoding not in {None, "utf-8", "UTF-8", "utf8"}:
        yield Fault(
            "data.encoding",
            "is not UTF-8, the one encoding that is read in parts",
            WHOLE.format("convert the files"),
        )
    layout = {"quote": '"', "header": 1, "skip_rows": 0, "skip_last": 0}
    for word, usual in layout.items():
        if getattr(spec.data, word) not in {None, usual}:
            yield Fault(
                f"data.{word}",
                "is for files that are read whole; those that are read in parts begin with a "
                "header, followed by records with double quotes",
                WHOLE.format("convert the files"),
            )


def _words_that_need_all(spec: Specification) -> Iterator[Fault]:
    """Find words of a policy that ask for what an engine, which sees no record twice, cannot do."""
    if spec.release.form == "anatomy":
        yield Fault(
            "release.form",
            "puts the records of all groups side by side, which only a table in memory allows",
            WHOLE.format("leave the form out"),
        )
    if spec.release.suppressed == "mask":
        yield Fault(
            "release.suppressed",
            "writes rows of stars, which columns of numbers in a Parquet file or a table "
            "cannot contain",
            WHOLE.format('set it to "drop"'),
        )
    if spec.release.suppressed_cell == "any":
        yield Fault(
            "release.suppressed_cell",
            "compares every record with every other one, which only a table in memory allows",
            WHOLE.format('set it to "value"'),
        )
    if spec.data.person is not None:
        yield Fault(
            "data.person",
            "counts people, whose records only a table in memory brings together",
            WHOLE.format("leave it out, if each person has one record"),
        )
    if spec.data.household is not None:
        yield Fault(
            "data.household",
            "counts households, whose members only a table in memory brings together",
            WHOLE.format("leave it out"),
        )
    yield from _reading_that_needs_all(spec)

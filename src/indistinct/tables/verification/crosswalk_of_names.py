"""A crosswalk of names: the random name of each released record, and the key of its own.

Suppressed records are listed without a name. Nothing that made the release takes part but the
opening of the tables.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from indistinct.base.arrays import Bools
from indistinct.errors import Fault
from indistinct.tables.engines.choosing import Resources, open_table
from indistinct.tables.engines.sources import EngineTable
from indistinct.tables.engines.temporary import temporary_folder
from indistinct.tables.policy.specification import Specification
from indistinct.tables.verification.compared_parts import (
    LINE,
    ROWS,
    WRONG,
    faults_of_parts,
    lines_of_a_part,
    put,
    records_of,
)
from indistinct.tables.verification.original import OTHER_INPUT
from indistinct.tables.verification.record_names import scanned_crosswalk


def named_crosswalk_faults(
    data: Any, original: Any, crosswalk: str, spec: Specification, resources: Resources
) -> list[Fault]:
    """Compare each released record with its own.

    Parameters
    ----------
    data, original : where the release and the input are
    crosswalk : path of the table of names and keys

    Raises
    ------
    DataError
        when a table cannot be read
    """
    lines = scanned_crosswalk(crosswalk).collect(engine="streaming").cast(pl.String)
    names, keys = lines
    faults = list(_line_faults(names, keys))
    if faults:
        return faults
    as_written = resources.opening_as_written(spec.data.separator)
    reading = resources.opening(spec.data.missing, spec.data.separator, reading=spec.reading)
    with (
        open_table(data, as_written, resources.engine) as release,
        open_table(original, reading, resources.engine) as source,
        temporary_folder(resources.folder) as folder,
    ):
        lacking = [
            Fault("crosswalk", f"names the column {column.name}, which is not there", WRONG)
            for column, table in ((names, release), (keys, source))
            if column.name not in table.kinds
        ]
        if lacking:
            return lacking
        size = lines_of_a_part(source, lines.height, resources.bytes)
        released, given = Path(folder) / "released", Path(folder) / "original"
        faults = [
            *_distribute(release, names, released, size, "release"),
            *_distribute(source, keys, given, size, "input"),
        ]
        return faults or faults_of_parts(released, _parts(given), spec, size)


def _line_faults(names: pl.Series, keys: pl.Series) -> Iterator[Fault]:
    """Find names and keys that are listed twice, and keys that are missing."""
    if keys.null_count():
        yield Fault("crosswalk", "has a line without a key", WRONG)
    for cells, what in ((names.drop_nulls(), "name"), (keys.drop_nulls(), "key")):
        if cells.n_unique() < len(cells):
            yield Fault("crosswalk", f"lists a {what} twice", WRONG)


def _distribute(
    table: EngineTable, cells: pl.Series, folder: Path, size: int, where: str
) -> Iterator[Fault]:
    """Write the records of a table to the parts of the lines that they are on; yield what is amiss.

    Parameters
    ----------
    cells : (n_lines,), what stands on each line for a record of this table
    """
    own = cells.name
    known = cells.to_frame().with_row_index(LINE).drop_nulls()
    is_left: Bools = cells.is_not_null().to_numpy().copy()
    folder.mkdir()
    is_unknown = is_twice = False
    for number, batch in enumerate(table.batches(ROWS)):
        texts = batch.with_columns(pl.col(own).cast(pl.String))
        joined = texts.join(known, on=own, how="left", maintain_order="left")
        found = joined[LINE].drop_nulls().to_numpy()
        is_unknown |= len(found) < joined.height
        is_twice |= not is_left[found].all() or len(np.unique(found)) < len(found)
        is_left[found] = False
        put(joined.drop_nulls(LINE), number, folder, size)
    if is_unknown:
        yield Fault("crosswalk", f"does not list every record of the {where}", OTHER_INPUT)
    if is_twice:
        yield Fault("crosswalk", f"has a line that several records of the {where} are on", WRONG)
    if is_left.any():
        yield Fault("crosswalk", f"lists records that the {where} does not have", OTHER_INPUT)


def _parts(folder: Path) -> Iterator[pl.DataFrame]:
    """Yield the parts of the input, each in the order of the lines that its records are on."""
    for number in count():
        part = records_of(folder, number)
        if part is None:
            return
        part = part.sort(LINE).drop(LINE)
        yield part

"""Random names of released records: whether they are such, and whose each one is.

Nothing that made the release takes part but the opening of the tables. The crosswalk lists each
name beside the key of its record in the input. Released records and records of the input go to
parts by the line of the crosswalk that they are on; the parts are compared one after another.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from indistinct.base.arrays import Bools
from indistinct.base.brief import short_repr
from indistinct.base.files.literal_paths import read_parquet, scan_parquet
from indistinct.errors import DataError, Fault
from indistinct.tables.engines.choosing import Resources, open_table
from indistinct.tables.engines.sources import EngineTable, Tally
from indistinct.tables.engines.streamed_files import scan_texts
from indistinct.tables.engines.temporary import temporary_folder
from indistinct.tables.policy.specification import Specification
from indistinct.tables.reading.formats import format_of_file
from indistinct.tables.verification.compared_parts import PartComparison
from indistinct.tables.verification.large_crosswalk import SHARE, WRONG
from indistinct.tables.verification.manifest_shape import mapping_in
from indistinct.tables.verification.original import OTHER_INPUT

LINE = "\0line"
FORM = "^[0-9a-f]{32}$"
FEWEST_FOR_BITS = 200  # names from which on the bits of them are looked at
FARTHEST = 8.0  # standard deviations of a share; beyond it by chance once in 10^13 releases
ROWS = 250_000  # records that are read at once
FEWEST_ROWS = 50_000  # of a part
REMEDY = "Do not publish this file."


def record_column_of(manifest: object, crosswalk: Any) -> str | None:
    """Return the column that has names, by what the release says of itself or by the crosswalk."""
    said = mapping_in(manifest, "output").get("record_column")
    if isinstance(said, str):
        return said
    return None if crosswalk is None else named_column(crosswalk)


def named_column(crosswalk: Any) -> str | None:
    """Return the column of the names in a crosswalk of names and keys; None in any other."""
    if not isinstance(crosswalk, str | Path) or not Path(crosswalk).is_file():
        return None
    with suppress(pl.exceptions.PolarsError, OSError, DataError):
        lazy = _scanned(str(crosswalk))
        names = lazy.collect_schema().names()
        if len(names) == 2:  # noqa: PLR2004 - a name and a key
            column = pl.col(names[0]).cast(pl.String)
            is_name = column.str.contains(FORM).fill_null(value=True).all()
            seen = lazy.select(is_name & column.is_not_null().any())
            if seen.collect(engine="streaming").item():
                return names[0]
    return None


def _scanned(crosswalk: str) -> pl.LazyFrame:
    """Read a crosswalk lazily, every cell as it is."""
    if format_of_file(crosswalk) == "parquet":
        return scan_parquet(crosswalk)
    return scan_texts([crosswalk], ",")


def name_faults(column: str, tally: Tally, columns: Container[str]) -> Iterator[Fault]:
    """Find names that are not random, or that several records have.

    Parameters
    ----------
    column : of the names
    tally : the distinct names of the release, with their records
    """
    place = f"columns.{column}"
    if column in columns:
        yield Fault(place, "is a column of the policy, and not one of names", REMEDY)
        return
    names = tally.frame[column]
    fits = names.dtype == pl.String and not names.null_count() and names.str.contains(FORM).all()
    if not fits:
        yield Fault(place, "has cells that are not random names of 32 digits", REMEDY)
        return
    if (tally.records > 1).any():
        yield Fault(place, "gives one name to several records", REMEDY)
    if len(names) >= FEWEST_FOR_BITS and not _look_random(names):
        yield Fault(place, "has names that were not drawn at random", REMEDY)


def _look_random(names: pl.Series) -> bool:
    """Return whether every bit is set in about half of the names."""
    n_set = np.zeros(128, np.int64)
    for part in names.to_frame().iter_slices(ROWS):
        texts = "".join(part.to_series().to_list())
        drawn = np.frombuffer(bytes.fromhex(texts), np.uint8).reshape(-1, 16)
        n_set += np.unpackbits(drawn, axis=1).sum(axis=0, dtype=np.int64)
    spread = np.sqrt(len(names)) / 2
    return bool((np.abs(n_set - len(names) / 2) <= FARTHEST * spread).all())


@dataclass(frozen=True, slots=True)
class _CrosswalkLines:
    """The lines of a crosswalk.

    Parameters
    ----------
    names, keys : (n_lines,), as texts; no name for a suppressed record
    column, key : of the release and of the input
    """

    names: pl.Series
    keys: pl.Series
    column: str
    key: str

    __repr__ = short_repr


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
    frame = _scanned(crosswalk).collect(engine="streaming")
    column, key = frame.columns
    lines = _CrosswalkLines(frame[column].cast(pl.String), frame[key].cast(pl.String), column, key)
    faults = list(_line_faults(lines))
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
            Fault("crosswalk", f"names the column {name}, which is not there", WRONG)
            for name, table in ((column, release), (key, source))
            if name not in table.kinds
        ]
        if lacking:
            return lacking
        size = _lines_of_a_part(source, resources.bytes)
        places = Path(folder)
        faults = [
            *_distribute(release, lines, places / "released", size, is_release=True),
            *_distribute(source, lines, places / "original", size, is_release=False),
        ]
        return faults or _compared(lines, places, spec, size)


def _line_faults(lines: _CrosswalkLines) -> Iterator[Fault]:
    """Find names and keys that are listed twice, and keys that are missing."""
    if lines.keys.null_count():
        yield Fault("crosswalk", "has a line without a key", WRONG)
    for cells, what in ((lines.names.drop_nulls(), "name"), (lines.keys.drop_nulls(), "key")):
        if cells.n_unique() < len(cells):
            yield Fault("crosswalk", f"lists a {what} twice", WRONG)


def _lines_of_a_part(source: EngineTable, memory: int) -> int:
    """Return how many lines are compared at once."""
    some = source.sample(list(source.kinds), FEWEST_ROWS)
    width = some.estimated_size() / max(some.height, 1) + 1
    return max(FEWEST_ROWS, int(memory / SHARE / width))


def _distribute(
    table: EngineTable, lines: _CrosswalkLines, folder: Path, size: int, *, is_release: bool
) -> Iterator[Fault]:
    """Write the records of a table to files by the lines that they are on; yield what is amiss."""
    cells, own = (lines.names, lines.column) if is_release else (lines.keys, lines.key)
    known = pl.DataFrame({own: cells}).with_row_index(LINE).drop_nulls()
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
        part = (pl.col(LINE) // size).alias(f"{LINE}s")
        for (place,), rows in joined.drop_nulls(LINE).group_by(part, maintain_order=True):
            rows.write_parquet(folder / f"{place}-{number:06d}", compression="lz4")
    where = "release" if is_release else "input"
    if is_unknown:
        yield Fault("crosswalk", f"does not list every record of the {where}", OTHER_INPUT)
    if is_twice:
        yield Fault("crosswalk", f"has a line that several records of the {where} are on", WRONG)
    if is_left.any():
        yield Fault("crosswalk", f"lists records that the {where} does not have", OTHER_INPUT)


def _compared(lines: _CrosswalkLines, folder: Path, spec: Specification, size: int) -> list[Fault]:
    """Compare part after part."""
    found = PartComparison(spec)
    for number in range(-(-len(lines.keys) // size)):
        released = _read(folder / "released", number)
        original = _read(folder / "original", number)
        assert original is not None  # noqa: S101 - every line has its record of the input
        found.see(original.drop(LINE))
        if released is None:
            continue
        order = original[LINE].arg_sort()
        place = original[LINE].gather(order).search_sorted(released[LINE])
        rows = order.gather(place).to_numpy().astype(np.int64)
        found.add(released.drop(LINE, lines.column), original.drop(LINE), rows)
    return found.faults()


def _read(folder: Path, number: int) -> pl.DataFrame | None:
    """Read the records of one part in the order in which they were read before."""
    paths = sorted(folder.glob(f"{number}-*"))
    return read_parquet(paths) if paths else None

"""Files that Polars reads and writes in parts: those of a release, and text converted to Parquet.

An engine parses a text file from its beginning for everything that it counts. Of a Parquet file it
reads only the columns that it needs. The converted file holds the same texts; it stands in a folder
that only its owner reads and that is removed when the table is closed.
"""

from __future__ import annotations

import shutil
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import polars as pl
from polars.io.plugins import register_io_source

from indistinct.base.files.literal_paths import scan_csv, scan_parquet
from indistinct.base.files.text import header_of_file
from indistinct.errors import DataError, EngineError, Fault
from indistinct.tables.engines.parts import refuse_full_disk
from indistinct.tables.engines.sources import Opening, Sink
from indistinct.tables.engines.temporary import TemporaryFolder, temporary_folder
from indistinct.tables.frames.texts import as_texts_of, is_rewritten, texts_of_categories
from indistinct.tables.reading.column_types import FORMS, form_tests, parse
from indistinct.tables.reading.formats import MOST_DIGITS, WIDE, fits_decimal, sink_parquet
from indistinct.tables.reading.places import Files


def scan_texts(paths: Sequence[str], separator: str) -> pl.LazyFrame:
    """Read text files with the same header lazily, every cell as the text that it is.

    The names are read apart, since Polars leaves doubled quotes in them.
    """
    lazy = scan_csv(paths, separator=separator, infer_schema=False)
    names = zip(lazy.collect_schema(), header_of_file(paths[0], separator), strict=True)
    return lazy.rename({read: name for read, name in names if read != name})


def write_ordered(lazy: pl.LazyFrame, folder: Path, sink: Sink, n_rows: int) -> None:
    """Write a lazy frame, whose order stays, into files of at most so many rows each."""
    size = sink.rows_per_file if sink.is_folder else max(n_rows, 1)
    for number, start in enumerate(range(0, max(n_rows, 1), size)):
        path = folder / f"part-{number:05d}.{sink.file_format}"
        part = lazy.slice(start, size)
        if sink.file_format == "parquet":
            with polars_in_words(sink.address):
                sink_parquet(part.with_columns(texts_of_categories()), path)
        else:
            write_text(part, path, sink.separator)


def write_parts(rows: Iterator[pl.DataFrame], folder: Path, sink: Sink) -> None:
    """Write frames one after another into files of at most so many rows each."""
    first = next(rows, None)
    if first is None:
        return
    schema = first.schema
    waiting: list[pl.DataFrame] = [first]
    limit = sink.rows_per_file if sink.is_folder else 1 << 62
    number = 0
    while waiting:
        frames = _up_to(waiting, rows, limit)
        ending = "parquet" if sink.file_format == "parquet" else sink.file_format
        _write_one(frames, schema, folder / f"part-{number:05d}.{ending}", sink)
        number += 1


def _up_to(
    waiting: list[pl.DataFrame], rows: Iterator[pl.DataFrame], limit: int
) -> Iterator[pl.DataFrame]:
    """Yield frames of so many rows together; what is left over waits for the next file."""
    left = limit
    while waiting:
        frame = waiting.pop()
        yield frame.head(left)
        if frame.height > left:
            waiting.append(frame.slice(left))
            return
        left -= frame.height
        following = next(rows, None)
        if following is not None:
            waiting.append(following)
        if left == 0:
            return


def lazily(frames: Iterator[pl.DataFrame], schema: Mapping[str, Any]) -> pl.LazyFrame:
    """Return frames one after another as a lazy frame, which takes each when it is needed."""

    def give(
        columns: list[str] | None, predicate: Any, n_rows: int | None, batch: int | None
    ) -> Iterator[pl.DataFrame]:
        del columns, predicate, n_rows, batch
        yield from frames

    return register_io_source(give, schema=schema)


def _write_one(frames: Iterator[pl.DataFrame], schema: pl.Schema, path: Path, sink: Sink) -> None:
    """Write frames into one file, holding one of them at a time."""
    is_parquet = sink.file_format == "parquet"
    wide = [n for n, dtype in schema.items() if is_parquet and isinstance(dtype, WIDE)]
    too_long: set[str] = set()

    def checked() -> Iterator[pl.DataFrame]:
        for frame in frames:
            too_long.update(name for name in wide if not fits_decimal(frame[name]))
            yield frame

    lazy = lazily(checked(), schema)
    if is_parquet:
        lazy = lazy.with_columns(pl.col(name).cast(pl.Decimal(MOST_DIGITS, 0)) for name in wide)
        with _long_numbers_in_words(too_long):
            sink_parquet(lazy.with_columns(texts_of_categories()), path)
    else:
        write_text(lazy, path, sink.separator)


def rewrite_part(part: Path, path: Path, file_format: str, separator: str) -> None:
    """Read a part of a release and write its cells again, without holding it whole."""
    if file_format == "parquet":
        lazy = scan_parquet(part)
        with polars_in_words(str(part)):
            sink_parquet(lazy.with_columns(texts_of_categories()), path)
    else:
        write_text(scan_texts([str(part)], separator), path, separator)


@contextmanager
def _long_numbers_in_words(too_long: set[str]) -> Generator[None]:
    """Name the columns with numbers that no Parquet file holds; a mask may make such numbers."""
    try:
        yield
    except pl.exceptions.InvalidOperationError:
        if not too_long:
            raise
        problem = f"becomes a whole number of more than {MOST_DIGITS} digits in some record"
        action = "Write CSV, which has no limit, or change how the column is masked."
        raise DataError(
            [Fault(f"columns.{name}", problem, action) for name in sorted(too_long)]
        ) from None


def write_text(lazy: pl.LazyFrame, path: Path, separator: str) -> None:
    """Write a lazy frame as separated text."""
    schema = lazy.collect_schema()
    texts = [
        as_texts_of(pl.col(name), dtype).alias(name)
        for name, dtype in schema.items()
        if is_rewritten(dtype)
    ]
    with polars_in_words(str(path)):
        lazy.with_columns(texts).sink_csv(path, separator=separator, engine="streaming")


@contextmanager
def polars_in_words(path: str) -> Generator[None]:
    """Replace what Polars says of an error, which may quote cells."""
    try:
        yield
    except (pl.exceptions.PolarsError, OSError) as error:
        refuse_full_disk(error, path)
        if isinstance(error, FileNotFoundError):
            raise DataError([Fault(path, "cannot be read: it is not there", "Check it.")]) from None
        raise EngineError(
            "Polars could not read or write the table",
            "Check that all files are whole, of one format and have the same columns.",
        ) from None


LEAST_BYTES = 16 << 20  # below which a file is parsed as fast as it is converted
ROOM = 2  # times the size of the files that must be free where the converted file is written
CONVERTED = "converted.parquet"


def pays(files: Files, opening: Opening, folder: Path) -> bool:
    """Return whether files are texts that will be read several times, and that can be converted.

    Parameters
    ----------
    folder : where the converted file would be written
    """
    if not files.separators or opening.as_written or opening.is_read_once:
        return False
    size = sum(Path(path).stat().st_size for path in files.paths)
    return size >= LEAST_BYTES and shutil.disk_usage(folder).free >= ROOM * size


def announce(opening: Opening) -> None:
    """Report what happens in the words of the progress."""
    opening.progress(0.0, "converting text to Parquet, once")


def converted(lazy: pl.LazyFrame, opening: Opening) -> tuple[pl.LazyFrame, TemporaryFolder]:
    """Convert text in the order of its lines; give the folder that it then stands in, too."""
    announce(opening)
    folder = temporary_folder(opening.limits.folder)
    path = Path(folder.name) / CONVERTED
    try:
        with polars_in_words(folder.name):
            lazy.sink_parquet(path, compression="lz4", engine="streaming")
            path.chmod(0o600)
    except BaseException:
        folder.cleanup()
        raise
    return scan_parquet(path), folder


def typed(lazy: pl.LazyFrame, opening: Opening) -> pl.LazyFrame:
    """Find the types of text columns by one scan of all cells, but of those that stay texts."""
    reading = opening.reading
    names = list(lazy.collect_schema())
    lazy = lazy.with_columns(
        # Nothing in quotes is missing, too.
        pl.when(pl.col(name).is_in(["", *opening.words(name)]))
        .then(None)
        .otherwise(pl.col(name))
        .alias(name)
        for name in names
    )
    tests = [
        test.alias(f"{i} {form}")
        for i, name in enumerate(names)
        for form, test in form_tests(name, may_round=reading.rounds(name)).items()
    ]
    known = [pl.col(name).is_not_null().any().alias(f"{i} known") for i, name in enumerate(names)]
    with polars_in_words(""):
        found = lazy.select(*tests, *known).collect(engine="streaming").row(0, named=True)
    columns: list[pl.Expr] = []
    for index, name in enumerate(names):
        fitting = [form for form in FORMS if found[f"{index} {form}"]]
        if found[f"{index} known"] and fitting and name not in reading.texts:
            columns.append(parse(name, fitting[0]).alias(name))
    return lazy.with_columns(columns)

"""Text files: the types of their columns, and their conversion to Parquet.

An engine parses a text file from its beginning for everything that it counts. Of a Parquet file it
reads only the columns that it needs. The converted file holds the same texts; it stands in a folder
that only its owner reads and that is removed when the table is closed.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import polars as pl

from indistinct.engines.canonical import FORMS, form_tests, parse
from indistinct.engines.literal_paths import scan_parquet
from indistinct.engines.places import Files
from indistinct.engines.sources import Opening
from indistinct.engines.streamed_files import polars_in_words
from indistinct.engines.temporary import TemporaryFolder, temporary_folder

LEAST_BYTES = 16 << 20  # below which a file is parsed as fast as it is converted
ROOM = 2  # times the size of the files that must be free where the converted file is written
NAME = "converted.parquet"


def pays(files: Files, opening: Opening, folder: Path) -> bool:
    """Tell whether files are texts that will be read several times, and that can be converted.

    Parameters
    ----------
    folder : where the converted file would be written
    """
    if not files.separators or opening.as_written or opening.is_read_once:
        return False
    size = sum(Path(path).stat().st_size for path in files.paths)
    return size >= LEAST_BYTES and shutil.disk_usage(folder).free >= ROOM * size


def announce(opening: Opening) -> None:
    """Say what happens in the words of the progress."""
    opening.progress(0.0, "converting text to Parquet, once")


def converted(lazy: pl.LazyFrame, opening: Opening) -> tuple[pl.LazyFrame, TemporaryFolder]:
    """Convert text in the order of its lines; give the folder that it then stands in, too."""
    announce(opening)
    folder = temporary_folder(opening.limits.folder)
    path = Path(folder.name) / NAME
    try:
        with polars_in_words(folder.name):
            lazy.sink_parquet(path, compression="lz4", engine="streaming")
            path.chmod(0o600)
    except BaseException:
        folder.cleanup()
        raise
    return scan_parquet(path), folder


def typed(lazy: pl.LazyFrame, missing: Sequence[str]) -> pl.LazyFrame:
    """Find the types of text columns by one scan of all cells."""
    words = [word for word in missing if word]
    names = list(lazy.collect_schema())
    if words:
        lazy = lazy.with_columns(
            pl.when(pl.col(name).is_in(words)).then(None).otherwise(pl.col(name)).alias(name)
            for name in names
        )
    tests = [test for i, name in enumerate(names) for test in form_tests(name, f"{i} ")]
    known = [pl.col(name).is_not_null().any().alias(f"{i} known") for i, name in enumerate(names)]
    with polars_in_words(""):
        found = lazy.select(*tests, *known).collect(engine="streaming").row(0, named=True)
    columns: list[pl.Expr] = []
    for index, name in enumerate(names):
        fitting = [form for form in FORMS if found[f"{index} {form}"]]
        if found[f"{index} known"] and fitting:
            columns.append(parse(name, fitting[0]).alias(name))
    return lazy.with_columns(columns)

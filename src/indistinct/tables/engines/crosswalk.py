"""The crosswalk of a table that is not read whole: which released record came from which one.

An engine carries the place of each record in the input through the join and the sort, and puts it
into a folder of its own beside the release. The release is written as it would be without that. The
places are then put into words: file and row of the release, file and row of the input. The records
of the input that no place names were suppressed; they follow with -1 as their row of the release.
Where records have no place that lasts, the crosswalk is made of random names that they carry.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

from indistinct.base.arrays import Ints
from indistinct.base.files.literal_paths import read_parquet, scan_csv, scan_parquet
from indistinct.base.randomness import RandomSource
from indistinct.tables.engines.sources import FILE_BITS, PLACE, Names, Tally, weights_of
from indistinct.tables.engines.streamed_files import lazily, polars_in_words
from indistinct.tables.reading.formats import format_of_file
from indistinct.tables.reading.places import Files, Numbering

FRAMES = "places-*.parquet"
WORDS = ("output_file", "output_row", "input_file", "input_row")
SUPPRESSED = -1  # in place of the row in the release
AT_ONCE = 1_000_000  # suppressed records that are listed at once


def row_counts(files: Files) -> list[int]:
    """Count the records of each file."""
    with polars_in_words(files.paths[0]):
        return [_n_rows(path, files) for path in files.paths]


def put_apart(
    rows: Iterator[pl.DataFrame], folder: Path, before: int = 0
) -> Iterator[pl.DataFrame]:
    """Yield frames without the places of their records, which go to files of a folder in order.

    Parameters
    ----------
    before : number of the files that are there already
    """
    for number, frame in enumerate(rows, start=before):
        frame.select(PLACE).write_parquet(folder / f"places-{number:06d}.parquet")
        yield frame.drop(PLACE)


def write_crosswalk(
    folder: Path, numbering: Numbering, parts: Sequence[tuple[str, int]], target: Path, name: str
) -> None:
    """Write the crosswalk by the places of the released records.

    Parameters
    ----------
    folder : with the places, in the order of the release
    numbering : what they refer to
    parts : name and records of each file of the release, in order
    target : where to write to
    name : of the file to be: its ending tells the format, Parquet or else comma-separated text
    """
    schema = {word: pl.String if word.endswith("file") else pl.Int64 for word in WORDS}
    lazy = lazily(_in_words(folder, numbering, parts), schema)
    with polars_in_words(name):
        if format_of_file(name) == "parquet":
            lazy.sink_parquet(target, engine="streaming")
        else:
            lazy.sink_csv(target, engine="streaming")


def _in_words(
    folder: Path, numbering: Numbering, parts: Sequence[tuple[str, int]]
) -> Iterator[pl.DataFrame]:
    """Yield the crosswalk, one frame of places after another, and then the suppressed records."""
    written = _Files([name for name, _ in parts], _starts([rows for _, rows in parts]))
    of_read = row_counts(numbering.read)
    read, is_left = _starts(of_read), np.ones(sum(of_read), np.bool_)
    # A table that is read where it is need not be counted twice.
    own = numbering.original
    counts = row_counts(own) if len(own.paths) > 1 else [0]
    original = _Files(own.names, _starts(counts))
    before = 0
    for path in sorted(folder.glob(FRAMES)):
        places = read_parquet(path)[PLACE].to_numpy().astype(np.int64)
        rows = read[places >> FILE_BITS] + (places & ((1 << FILE_BITS) - 1))
        outputs = np.arange(before, before + len(places))
        before += len(places)
        is_left[rows] = False
        columns = (*written.of(outputs), *original.of(rows))
        yield pl.DataFrame(dict(zip(WORDS, columns, strict=True)))
    for start in range(0, len(is_left), AT_ONCE):
        rows = start + np.flatnonzero(is_left[start : start + AT_ONCE])
        output = (
            pl.repeat(None, len(rows), dtype=pl.String, eager=True),
            pl.Series(rows * 0 + SUPPRESSED),
        )
        columns = (*output, *original.of(rows))
        yield pl.DataFrame(dict(zip(WORDS, columns, strict=True)))


@dataclass(frozen=True, slots=True)
class _Files:
    """Files one after another.

    Parameters
    ----------
    names : of the files
    starts : (n_files,), records before each
    """

    names: Sequence[str]
    starts: Ints

    def of(self, rows: Ints) -> tuple[pl.Series, pl.Series]:
        """Return the file of each record, and its row there."""
        # Of files without records the last has the same start as the one that has some.
        number = np.searchsorted(self.starts, rows, side="right") - 1
        return pl.Series(self.names, dtype=pl.String).gather(number), pl.Series(
            rows - self.starts[number]
        )


def _starts(counts: Sequence[int]) -> Ints:
    """Return the number of records before each file."""
    return np.cumsum([0, *counts[:-1]], dtype=np.int64)


def _n_rows(path: str, files: Files) -> int:
    """Count the records of one file."""
    if not files.separators:
        return int(scan_parquet(path).select(pl.len()).collect().item())
    separator = files.separator or files.separators[0]
    lazy = scan_csv(path, separator=separator, infer_schema=False)
    counted = lazy.select(pl.len()).collect(engine="streaming")
    return int(counted.item())


BYTES = 16  # of a name
DIGITS = np.frombuffer(b"0123456789abcdef", np.uint8)


def tells_apart(tally: Tally) -> bool:
    """Return whether every record has a value, and one that no other record has."""
    (column,) = tally.frame.iter_columns()
    return column.null_count() == 0 and bool((weights_of(tally) == 1).all())


def named(tally: Tally, key: str, column: str, chance: RandomSource) -> Names:
    """Draw a name for each key.

    Parameters
    ----------
    tally : the keys
    key, column : of the input and of the release
    chance : secure, or seeded for tests
    """
    keys = tally.frame[key].alias("key")
    return Names(key, column, pl.DataFrame([keys, random_names(len(keys), chance).alias("name")]))


def random_names(count: int, chance: RandomSource) -> pl.Series:
    """Draw names of 32 hexadecimal digits.

    Notes
    -----
    Among n names two are equal with a probability below n^2 / 2^129.
    """
    drawn = chance.words(2 * count).view(np.uint8).reshape(count, BYTES)
    digits = np.empty((count, 2 * BYTES), np.uint8)
    digits[:, ::2], digits[:, 1::2] = DIGITS[drawn >> 4], DIGITS[drawn & 15]
    texts = digits.view(f"S{2 * BYTES}").ravel()
    return pl.Series(texts, dtype=pl.Binary).cast(pl.String)


def write_names(names: Names, released: Tally, target: Path, name: str) -> None:
    """Write the names of released records beside their keys, and those of the others alone.

    Parameters
    ----------
    released : the names that were read from the release
    target : where to write to
    name : of the file to be: its ending tells the format, Parquet or else comma-separated text
    """
    own = released.frame[names.column]
    shown = pl.when(pl.col("name").is_in(own.implode())).then(pl.col("name"))
    rows = names.table.select(shown.alias(names.column), pl.col("key").alias(names.key))
    # By their names, which are random: the order of the keys would be the engine's.
    rows = rows.sort(names.column, nulls_last=True)
    with polars_in_words(name):
        if format_of_file(name) == "parquet":
            rows.write_parquet(target)
        else:
            rows.write_csv(target)

"""The table of random names of records, and the crosswalk that is made of it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl

from indistinct.core.randomness import RandomSource
from indistinct.engines.formats import format_of
from indistinct.engines.sources import Names, Tally, weights_of
from indistinct.engines.streamed_files import polars_in_words

BYTES = 16  # of a name
DIGITS = np.frombuffer(b"0123456789abcdef", np.uint8)


def tells_apart(tally: Tally) -> bool:
    """Tell whether every record has a value, and one that no other record has."""
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
        if format_of(name) == "parquet":
            rows.write_parquet(target)
        else:
            rows.write_csv(target)

"""Parquet files in object storage, which Polars reads where they are."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from indistinct.engines.sources import Opening
from indistinct.engines.streamed_files import polars_in_words
from indistinct.engines.streaming import StreamingTable, open_lazy

ENDING = ".parquet"


def open_stored(address: str, opening: Opening) -> StreamingTable:
    """Open one Parquet file, those that a pattern names, or all below a prefix.

    The region, the keys and the server come from the environment variables that other programs for
    S3 read: ``AWS_REGION``, ``AWS_ACCESS_KEY_ID``, ``AWS_SECRET_ACCESS_KEY``, ``AWS_ENDPOINT_URL``.

    Raises
    ------
    DataError
        when there is no such file
    EngineError
        when the storage cannot be read
    """
    pattern = address if Path(address).suffix == ENDING else f"{address.rstrip('/')}/**/*{ENDING}"
    with polars_in_words(address):
        return open_lazy(pl.scan_parquet(pattern, hive_partitioning=False), opening)

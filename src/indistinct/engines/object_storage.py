"""Parquet files in object storage, which Polars reads where they are."""

from __future__ import annotations

import glob
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import polars as pl

from indistinct.engines.literal_paths import scan_parquet
from indistinct.engines.places import PATTERN, is_pattern
from indistinct.engines.sources import Opening
from indistinct.engines.stored_release import listed_parts, manifest_at, sha256_of_stored
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
    if opening.as_written and Path(address).suffix != ENDING and find_spec("obstore") is not None:
        manifest = manifest_at(address)
        if manifest is not None:
            return _open_listed(address, manifest, opening)
    bare, is_announced = address.removeprefix(PATTERN), is_pattern(address)
    pattern, is_one = bare, Path(bare).suffix == ENDING
    if not is_one:
        pattern = f"{(bare if is_announced else glob.escape(bare)).rstrip('/')}/**/*{ENDING}"
    with polars_in_words(address):
        lazy = pl.scan_parquet(pattern, glob=is_announced or not is_one, hive_partitioning=False)
        return open_lazy(lazy, opening)


def _open_listed(address: str, manifest: Mapping[str, Any], opening: Opening) -> StreamingTable:
    """Open the parts of a release that its manifest lists: others are not released."""
    with polars_in_words(address):
        lazy = scan_parquet(listed_parts(address, manifest))
        return StreamingTable(
            lazy,
            lazy.collect_schema(),
            opening.limits,
            digest=lambda: sha256_of_stored(address, manifest),
        )

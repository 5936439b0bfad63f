"""Text files that are converted to Parquet once.

An engine parses a text file from its beginning for everything that it counts. Of a Parquet file it
reads only the columns that it needs. The converted file holds the same texts; it stands in a folder
that only its owner reads and that is removed when the table is closed.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from indistinct.engines.places import Files
from indistinct.engines.sources import Opening

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

"""Folders for what does not fit into memory."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import final

PREFIX = "indistinct-"
LOCK = ".in-use"
BEGINNING = 60.0  # seconds in which a process locks its file at the latest


@final
class TemporaryFolder(tempfile.TemporaryDirectory[str]):
    """A folder that only its owner reads, and that is removed with all that is in it.

    While its process lives, a file in it is locked. The next run that finds the lock free removes
    what a killed process left, also where processes on several machines share a disk.

    Parameters
    ----------
    place : the folder to make it in; the system's own when left out
    """

    def __init__(self, place: str | None) -> None:
        super().__init__(prefix=PREFIX, dir=place)
        Path(self.name).chmod(0o700)
        new = Path(self.name) / f"{LOCK}.new"
        self._lock = os.open(new, os.O_CREAT | os.O_RDWR, 0o600)
        _is_locked(self._lock)
        # Nobody looks for it before it is locked.
        new.rename(Path(self.name) / LOCK)

    def cleanup(self) -> None:
        """Remove the folder."""
        with suppress(OSError):
            os.close(self._lock)
        self._lock = -1
        super().cleanup()


def temporary_folder(place: str | None) -> TemporaryFolder:
    """Make a folder that only its owner reads, and remove those that killed processes left.

    Parameters
    ----------
    place : the folder to make it in; the system's own when left out
    """
    _remove_leftovers(Path(place or tempfile.gettempdir()))
    return TemporaryFolder(place)


def _remove_leftovers(place: Path) -> None:
    """Remove the folders of this user whose processes are gone."""
    if sys.platform == "win32":
        return
    for lock in _locks(place):
        with suppress(OSError):
            # A process that has just begun has not locked its file yet.
            is_new = lock.name != LOCK and time.time() - lock.lstat().st_mtime < BEGINNING
            if is_new or lock.lstat().st_uid != os.getuid():
                continue
            opened = os.open(lock, os.O_RDWR | os.O_NOFOLLOW)
            try:
                if _is_locked(opened):
                    shutil.rmtree(lock.parent, ignore_errors=True)
            finally:
                os.close(opened)


def _locks(place: Path) -> Iterator[Path]:
    """Find the files by which processes keep their folders, which may vanish meanwhile."""
    for folder in place.glob(f"{PREFIX}*"):
        with suppress(OSError):
            yield from list(folder.glob(f"{LOCK}*"))


def _is_locked(file: int) -> bool:
    """Lock an open file for this process; tell whether that was possible."""
    if sys.platform == "win32":
        return False
    import fcntl

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True

"""Folders that appear whole or not at all."""

from __future__ import annotations

import os
import shutil
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

from indistinct.base.files.writing import ACCESS, MEDIUM, in_words
from indistinct.errors import OutputError

OWNER_FOLDER = 0o700
EVERYBODY = 0o777  # less what the process masks


@contextmanager
def staged_folder(
    out: str | Path, *, replace: bool = False, private: bool = False
) -> Generator[Path]:
    """Yield a folder to write to; it appears at ``out`` when the block ends without an error.

    Parameters
    ----------
    replace : whether a folder that is there may be replaced
    private : whether its owner alone may enter

    Raises
    ------
    OutputError
        when something is there that may not be replaced, or the folder above is not there

    Notes
    -----
    While it is written it has a hidden name beside ``out``, which a killed process leaves behind.
    """
    target = Path(out).absolute()
    if target.exists() and not (replace and target.is_dir()):
        raise OutputError(
            f"{out} is there already",
            "Choose another folder." if target.is_file() else "Choose another, or use --replace.",
        )
    if not target.parent.is_dir():
        raise OutputError(f"the folder {target.parent} does not exist", "Make it first.")
    hidden = target.parent / f".{target.name}.{uuid4().hex}"
    with in_words(target, MEDIUM | ACCESS):
        hidden.mkdir(mode=OWNER_FOLDER)
    try:
        with in_words(target, MEDIUM | ACCESS):
            yield hidden
            if not private:
                hidden.chmod(EVERYBODY & ~_masked())
            _put(hidden, target)
    finally:
        shutil.rmtree(hidden, ignore_errors=True)


def _masked() -> int:
    """Return the permissions that this process masks."""
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _put(hidden: Path, target: Path) -> None:
    """Rename a folder; one that was there goes aside first, and comes back on an error."""
    for file in hidden.iterdir():
        descriptor = os.open(file, os.O_RDONLY)
        os.fsync(descriptor)
        os.close(descriptor)
    if not target.exists():
        hidden.rename(target)
        return
    aside = target.parent / f".{target.name}.{uuid4().hex}"
    target.rename(aside)
    try:
        hidden.rename(target)
    except OSError:
        aside.rename(target)
        raise
    shutil.rmtree(aside, ignore_errors=True)

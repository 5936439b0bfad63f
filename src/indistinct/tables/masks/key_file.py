"""The file of a secret key, which its owner alone can read: made at the first run, then kept."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from indistinct.base.files.confidential import ANOTHER, make_file, obstacle, read_owners_file
from indistinct.base.randomness import RandomSource
from indistinct.errors import PolicyError

KEY_BYTES = 32


def key_faults(file: Path) -> Iterator[tuple[str, str]]:
    """Find what is wrong with a key, or with the folder that it is to be made in."""
    if (problem := obstacle(file, in_place=True)) is not None:
        yield problem, ANOTHER
        return
    try:
        mode = file.stat().st_mode
        is_key = _read(file) is not None
    except FileNotFoundError:
        if not os.access(file.parent, os.W_OK):
            yield "cannot be made: its folder is missing or closed", "Make the folder first."
        return
    except OSError as error:
        yield f"cannot be read: {error.strerror}", "Check the path."
        return
    if not is_key:
        yield "is not a key, which consists of exactly 64 hexadecimal digits", "Name another file."
    elif os.name == "posix" and mode & (stat.S_IRWXG | stat.S_IRWXO):
        yield "can be read by others", "Take their rights away: chmod 600."


def key_of(file: Path) -> bytes:
    """Read the key, or make it."""
    try:
        descriptor = make_file(file)
    except FileExistsError:
        key = _read(file)
        if key is None:
            raise PolicyError(f"{file.name} does not hold a key", "Name another file.") from None
        return key
    key = RandomSource().words(KEY_BYTES // 8).tobytes()
    with os.fdopen(descriptor, "w", encoding="ascii") as opened:
        opened.write(key.hex() + "\n")
    return key


def _read(file: Path) -> bytes | None:
    """Read a key; None when the file holds something else."""
    try:
        key = bytes.fromhex((read_owners_file(file) or b"").decode("ascii").strip())
    except ValueError:
        return None
    return key if len(key) == KEY_BYTES else None

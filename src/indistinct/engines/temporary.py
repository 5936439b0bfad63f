"""Folders for what does not fit into memory."""

from __future__ import annotations

import tempfile
from pathlib import Path


def temporary_folder(folder: str | None) -> tempfile.TemporaryDirectory[str]:
    """Make a folder that only its owner reads, and that is removed with all that is in it.

    Parameters
    ----------
    folder : to make it in; the system's own when left out
    """
    made = tempfile.TemporaryDirectory(prefix="indistinct-", dir=folder)
    Path(made.name).chmod(0o700)
    return made

"""Files that the owner of the data alone may read, and what may stand where one is written or read.

Whoever may write to a folder can put a link, a pipe or a file of their own at the path of a file
that is not there yet. What is written to such an entry reaches them, whatever the permissions are.
So an owner's file is made under a fresh name with permissions for its owner alone, and takes the
place of a file of the same owner at most. One that is read, or changed where it stands, has to be a
plain file of this user under a single name.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from indistinct.errors import OutputError

# Every kind of file that is written for the owner alone; the tests try each of them.
OWNERS_FILES: tuple[str, ...] = (
    "crosswalk",
    "exact figures of a release",
    "exact figures of published tables",
    "report on a release",
    "draft of a policy",
    "hierarchy of a draft",
    "sweep",
    "comparison",
    "history",
    "key of pseudonyms",
    "declaration of a dataset",
    "ledger",
    "report on a ledger",
    "model of synthetic records",
    "crosswalk of a graph",
    "report on a graph",
    "project of the application",
    "release in the application",
)
OWNER_ONLY = 0o600
KINDS = {
    stat.S_IFDIR: "is a folder",
    stat.S_IFLNK: "is a link, which may lead to a file that others read",
}
ANOTHER = "Remove what is there, or choose another path."


def obstacle(path: Path, *, in_place: bool = False) -> str | None:
    """Return why what stands at a path is not an owner's file; None where it is, or nothing stands.

    Parameters
    ----------
    path : its last part is not followed when it is a link
    in_place : the file is to be read or changed, and not to be replaced by a new one
    """
    try:
        found = path.lstat()
    except OSError:
        return None  # who opens the path says what is wrong with it
    kind = stat.S_IFMT(found.st_mode)
    if kind != stat.S_IFREG:
        return KINDS.get(kind, "is a pipe or a device, from which others may read")
    if hasattr(os, "geteuid") and found.st_uid != os.geteuid():
        return "belongs to another user"
    if in_place and found.st_nlink > 1:
        return "has a second name, under which others may read it"
    return None


def refuse_obstacle(path: Path) -> None:
    """Refuse a path where no file of the owner's can be written.

    Raises
    ------
    OutputError
        when something else than a plain file of this user stands there
    """
    problem = obstacle(path)
    if problem is not None:
        raise OutputError(
            f"{path.name}: {problem}, so that no confidential file goes there", ANOTHER
        )


def make_file(path: Path, permissions: int = OWNER_ONLY) -> int:
    """Return the descriptor of a new, empty file, open for reading and writing.

    Raises
    ------
    FileExistsError
        when anything stands at ``path``, a link that leads nowhere included
    """
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, permissions)


def read_owners_file(path: Path) -> bytes | None:
    """Return the content of a file of this user; None where something else stands there.

    Raises
    ------
    OSError
        when it cannot be read
    """
    # Neither a link nor a pipe is waited for, should one take the place after the first look.
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    if obstacle(path, in_place=True) is not None:
        return None
    with os.fdopen(os.open(path, flags), "rb") as opened:
        is_plain = stat.S_ISREG(os.fstat(opened.fileno()).st_mode)
        return opened.read() if is_plain else None

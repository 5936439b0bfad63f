"""Files that appear whole or not at all, even when the process is killed."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import stat
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO
from uuid import uuid4

from indistinct.base.files.confidential import OWNER_ONLY, make_file, refuse_obstacle
from indistinct.errors import Fault, OutputError

# What the operating system says when a medium, and not the program, is at fault.
MEDIUM: dict[int, tuple[str, str]] = {
    errno.ENOSPC: ("the disk is full", "Free some space or choose another disk."),
    errno.EDQUOT: ("the disk quota is used up", "Free some space or choose another disk."),
    errno.EFBIG: ("the file would be larger than allowed", "Raise the limit on the file size."),
    errno.EIO: ("the disk reports a fault", "Choose another disk."),
    errno.EROFS: ("the disk is read-only", "Choose another folder."),
}
ACCESS: dict[int, tuple[str, str]] = {
    errno.ENOENT: ("the folder does not exist", "Create the folder or choose another one."),
    errno.ENOTDIR: ("the folder is a file", "Choose another folder."),
    errno.EISDIR: ("this is a folder", "Give the name of a file in it."),
    errno.EACCES: ("writing is not permitted", "Choose a folder you may write to."),
    errno.EPERM: ("writing is not permitted", "Choose a folder you may write to."),
    errno.ENAMETOOLONG: ("the name is too long", "Choose a shorter name."),
}
# What a file system says that has files without a name, but gives no file a second name.
NO_LINKS = frozenset({errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK, errno.EXDEV})
EVERYBODY = 0o666  # less what the process masks
OPENED = "/proc/self/fd"  # the open files of this process by their numbers, on Linux


@contextmanager
def atomic(path: Path, *, private: bool = False) -> Generator[Path]:
    """Yield a path to write to; the file appears at ``path`` when the block ends without an error.

    Parameters
    ----------
    path : where the file shall be; a link is followed; a device or pipe is written directly
    private : only the owner may read the file, from its first byte on, whatever the permissions of
        a file that stood there; nothing but a plain file of this user may stand there

    Raises
    ------
    OutputError : the folder is missing or closed, the disk is full; a file that stood at ``path``
        is then untouched. For a private file also: a link, a pipe or the file of another user is
        at ``path``

    Notes
    -----
    On Linux the file has no name while it is written, so a killed process leaves nothing. Elsewhere
    it has a hidden name beside ``path``, which an error removes and a killed process leaves behind.
    An existing file hands on its permissions.
    """
    target = Path(os.path.realpath(path))
    with in_words(path, MEDIUM | ACCESS):
        mode = mode_of(target)
        refuse_folder(mode)
    if private:
        refuse_obstacle(path)
        target = Path(os.path.realpath(path.parent)) / path.name
        mode = stat.S_IFREG | OWNER_ONLY
    if mode is not None and not stat.S_ISREG(mode):
        with in_words(path, MEDIUM | ACCESS):
            yield target
        return
    descriptor = open_nameless(target.parent, path, OWNER_ONLY if private else EVERYBODY)
    writing = write_nameless if descriptor is not None else write_hidden
    yield from writing(target, path, mode, -1 if descriptor is None else descriptor)


def write_nameless(target: Path, path: Path, mode: int | None, descriptor: int) -> Generator[Path]:
    """Let the block write to an open file without a name, then give it one."""
    try:
        with in_words(path, MEDIUM):
            yield Path(f"{OPENED}/{descriptor}")
        with in_words(path, MEDIUM | ACCESS):
            if mode is not None:
                os.fchmod(descriptor, stat.S_IMODE(mode))
            # On the disk before it has a name: a power cut leaves the old file or all of the new.
            os.fsync(descriptor)
            opened = f"{OPENED}/{descriptor}"
            try:
                name_file(opened, target)
            except OSError as error:
                if error.errno not in NO_LINKS:
                    raise
                name_copy(opened, target)
    finally:
        os.close(descriptor)


def write_hidden(target: Path, path: Path, mode: int | None, _: int) -> Generator[Path]:
    """Let the block write to a hidden file, then move it into place."""
    hidden = hidden_name(target)
    descriptor = -1
    try:
        with in_words(path, MEDIUM | ACCESS):
            # A replaced file gets its old permissions when all is written; until then nobody but
            # the owner reads the new content.
            descriptor = make_file(hidden, EVERYBODY if mode is None else OWNER_ONLY)
        with in_words(path, MEDIUM):
            # By its number, because others in a shared folder may give its name to another file.
            yield Path(f"{OPENED}/{descriptor}") if Path(OPENED).is_dir() else hidden
        with in_words(path, MEDIUM | ACCESS):
            if mode is not None:
                os.chmod(descriptor if os.chmod in os.supports_fd else hidden, stat.S_IMODE(mode))  # noqa: PTH101 - a number
            os.fsync(descriptor)
            if not os.path.samestat(os.fstat(descriptor), hidden.lstat()):
                raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))
            os.close(descriptor)
            descriptor = -1
            hidden.replace(target)
    finally:
        if descriptor >= 0:
            os.close(descriptor)
        hidden.unlink(missing_ok=True)


def mode_of(target: Path) -> int | None:
    """Return kind and permissions of what stands at ``target``, or nothing."""
    try:
        return target.stat().st_mode
    except FileNotFoundError:
        return None


def refuse_folder(mode: int | None) -> None:
    """Raise the system's own error when the output is a folder."""
    if mode is not None and stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))


def open_nameless(folder: Path, path: Path, permissions: int) -> int | None:
    """Open a file without a name in ``folder``; nothing where the system has no such files."""
    flag = getattr(os, "O_TMPFILE", None)
    if flag is None or not Path(OPENED).is_dir():
        return None
    with in_words(path, MEDIUM | ACCESS):
        try:
            return os.open(folder, flag | os.O_RDWR, permissions)
        except OSError as error:
            # Kernels and file systems that do not know the flag say so in one of these ways.
            if error.errno in {errno.EOPNOTSUPP, errno.EISDIR, errno.EINVAL}:
                return None
            raise


def name_file(opened: str, target: Path) -> None:
    """Name an open file: at once where the name is free, else by replacing the old file.

    Notes
    -----
    Python's ``os.link`` follows the link in ``/proc`` (``linkat`` with ``AT_SYMLINK_FOLLOW``) only
    when it is called with a folder descriptor.
    """
    folder = os.open(target.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        # Another process may take the name in between; its file is then replaced like an old one.
        if not target.exists():
            with contextlib.suppress(FileExistsError):
                os.link(opened, target.name, dst_dir_fd=folder, follow_symlinks=True)
                return
        hidden = hidden_name(target)
        os.link(opened, hidden.name, dst_dir_fd=folder, follow_symlinks=True)
        try:
            hidden.replace(target)
        except OSError:
            hidden.unlink(missing_ok=True)
            raise
    finally:
        os.close(folder)


def name_copy(opened: str, target: Path) -> None:
    """Name an open file's content where links are refused: by a hidden copy."""
    hidden = hidden_name(target)
    try:
        # Nobody but the owner reads the copy before it has the permissions of the file.
        descriptor = make_file(hidden, OWNER_ONLY)
        with os.fdopen(descriptor, "wb") as copy, Path(opened).open("rb") as source:
            shutil.copyfileobj(source, copy)
            copy.flush()
            os.fchmod(descriptor, stat.S_IMODE(os.fstat(source.fileno()).st_mode))
            os.fsync(descriptor)
        hidden.replace(target)
    finally:
        hidden.unlink(missing_ok=True)


def hidden_name(target: Path) -> Path:
    """Return a fresh hidden name in the folder of ``target``."""
    return target.with_name(f".{uuid4().hex}.partial")


def flush_to_disk(file: Path) -> None:
    """Wait until the content of ``file`` is on the disk."""
    descriptor = os.open(file, os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def in_words(path: Path, known: dict[int, tuple[str, str]]) -> Generator[None]:
    """Raise the system errors in ``known`` as an :class:`OutputError`; let the others pass."""
    try:
        yield
    except OSError as error:
        words = known.get(number_of(error, known))
        if words is None:
            raise
        problem, remedy = words
        raise OutputError([Fault(path.name, f"cannot be written: {problem}", remedy)]) from error


def print_out(content: str | bytes) -> None:
    """Write to standard output at once, so that a full disk is met here and not at the end.

    Raises
    ------
    OutputError
        when standard output is closed, or its medium at fault; what was written before stays
    """
    stream: TextIO | None = sys.stdout
    if stream is None:
        raise OutputError([Fault("standard output", "is closed", "Leave it open.")])
    try:
        with in_words(Path("standard output"), MEDIUM):
            if isinstance(content, bytes):
                stream.buffer.write(content)
            else:
                stream.write(content)
            stream.flush()
    except OutputError:
        # Python would try to write the rest once more when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        raise


def number_of(error: OSError, known: dict[int, tuple[str, str]]) -> int:
    """Return the error's number; libraries written in Rust put it into the text only."""
    if error.errno is not None:
        return error.errno
    text = str(error)
    return next((number for number in known if f"(os error {number})" in text), 0)

"""The start folder: no file outside it is read or written, whatever a form says."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from indistinct.base.inputs import check_regular, read_document
from indistinct.errors import Fault, UsageError
from indistinct.frontends.app.texts import text
from indistinct.tables.reading import FORMATS_BY_ENDING

MOST_FILES = 200
MOST_FOLDERS_DEEP = 3
FOLDER_NAME = re.compile(r"[0-9]{4,9}")  # of what is numbered as 0001
TEXTS = tuple(ending for ending, form in FORMATS_BY_ENDING.items() if form.separators)
TABLES = tuple(FORMATS_BY_ENDING)  # what readers read


@dataclass(frozen=True, slots=True)
class StartFolder:
    """The folder that the application was started in.

    Parameters
    ----------
    root : absolute, links resolved
    """

    root: Path

    def inside(self, given: str | Path) -> Path:
        """Return the place of a path in the folder, links resolved.

        Raises
        ------
        UsageError
            when the path, or a link on it, leads out of the folder, or it names nothing
        """
        path = str(given)
        if not path.strip() or "\x00" in path:
            raise _outside()
        try:
            place = (self.root / path).resolve()
        except (OSError, RuntimeError):
            raise _outside() from None
        if not place.is_relative_to(self.root):
            raise _outside()
        return place

    def file(self, given: str | Path) -> Path:
        """Return the place of a file that exists in the folder.

        Raises
        ------
        UsageError
            when it is not there, is no plain file, or lies outside
        """
        place = self.inside(given)
        try:
            check_regular(place)
        except OSError:
            problem, remedy = text("problem.not_a_file"), text("problem.not_a_file_remedy")
            raise UsageError([Fault(Path(given).name, problem, remedy)]) from None
        return place

    def read(self, given: str | Path) -> str:
        """Read a document of the folder: a policy, a declaration or what is known of a search.

        Raises
        ------
        UsageError
            as :meth:`file`
        OSError
            when it cannot be read, or is too large
        UnicodeDecodeError
            when it is not UTF-8
        """
        return read_document(self.file(given))

    def plain_files(self, folder: Path) -> list[str]:
        """Name the files of a folder, without links; none where the folder itself lies outside."""
        try:
            entries = list(self.inside(folder).iterdir())
        except (OSError, UsageError):
            return []
        return sorted(one.name for one in entries if one.is_file() and not one.is_symlink())

    def numbers(self, folder: Path) -> list[int]:
        """List the folders of a folder that are numbered as ``0001``, without links."""
        try:
            entries = list(self.inside(folder).iterdir())
        except (OSError, UsageError):
            return []
        return sorted(
            int(one.name)
            for one in entries
            if FOLDER_NAME.fullmatch(one.name) and one.is_dir() and not one.is_symlink()
        )

    def next_number(self, folder: Path) -> Path:
        """Return a numbered folder that is not there yet.

        Raises
        ------
        UsageError
            when it would lie outside the start folder
        """
        taken = self.numbers(folder)
        return self.inside(folder) / f"{max(taken, default=0) + 1:04}"

    def relative(self, place: Path) -> str:
        """Write a place as seen from the folder."""
        return place.relative_to(self.root).as_posix()

    def has_folder(self, name: str) -> bool:
        """Return whether a folder lies below the start folder, or is that one."""
        try:
            return not name or self.inside(name).is_dir()
        except UsageError:
            return False

    def folders(self) -> list[str]:
        """List the folders below, without links, hidden ones and projects."""
        found = self._folders(self.root, 0)
        return sorted(self.relative(one) for one, _ in zip(found, range(MOST_FILES), strict=False))

    def _folders(self, folder: Path, depth: int) -> Iterator[Path]:
        """Walk through the folders."""
        for entry in _entries(folder):
            is_own = (entry / "project.toml").exists()
            if entry.is_dir() and not is_own and depth < MOST_FOLDERS_DEEP:
                yield entry
                yield from self._folders(entry, depth + 1)

    def files(self, endings: Iterable[str] = TABLES, below: str = "") -> list[str]:
        """List the files with some endings, those in the folder itself first.

        Parameters
        ----------
        below : a folder whose files alone are listed, from the start folder
        """
        found = self._files(self.inside(below) if below else self.root, tuple(endings), 0)
        listed = [place for place, _ in zip(found, range(MOST_FILES), strict=False)]
        names = [self.relative(place) for place in listed]
        return sorted(names, key=lambda name: (name.count("/"), name.lower()))

    def _files(self, folder: Path, endings: tuple[str, ...], depth: int) -> Iterator[Path]:
        """Walk through the folder; links and hidden folders are left out."""
        for entry in _entries(folder):
            if entry.is_dir():
                own = (entry / "project.toml").exists()
                if depth < MOST_FOLDERS_DEEP and not own:
                    yield from self._files(entry, endings, depth + 1)
            elif entry.name.lower().endswith(endings) and entry.is_file():
                yield entry


def _entries(folder: Path) -> list[Path]:
    """List what a folder holds, without links and what is hidden."""
    try:
        entries = sorted(folder.iterdir())
    except OSError:
        return []
    return [one for one in entries if not one.name.startswith(".") and not one.is_symlink()]


def _outside() -> UsageError:
    """Refuse a path without repeating it."""
    return UsageError(text("problem.outside"), text("problem.outside_remedy"))

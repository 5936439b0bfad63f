"""What records are known by, and which ledger beside them keeps their budget already."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import final

from indistinct.base.files.postgres_address import is_postgres
from indistinct.errors import OutputError
from indistinct.questions.database.dataset import Dataset

SQLITE = b"SQLite format 3\0"


def identities(dataset: Dataset) -> tuple[str, ...]:
    """Return what the records of a dataset are known by: a table, or a file's content and path.

    Raises
    ------
    DataError, EngineError
        When the records cannot be read.
    """
    if is_postgres(dataset.data):
        from indistinct.questions.database.engines.postgres import identity

        return (identity(dataset),)
    from indistinct.questions.database.engines.tables import data_digest

    place = str(Path(dataset.data).resolve()).encode("utf-8", "surrogateescape")
    return (data_digest(dataset), hashlib.sha256(place).hexdigest())


@final
@dataclass(frozen=True, slots=True)
class Holder:
    """Where the budget of some records is kept already.

    Parameters
    ----------
    ledger : its file
    name : of the dataset in it
    """

    ledger: Path
    name: str


def holder(dataset: Dataset, folders: Iterable[Path]) -> Holder | None:
    """Find the ledger in some folders, other than the dataset's own, that has its budget."""
    if is_postgres(dataset.data):
        return None
    own = Path(dataset.ledger).resolve()
    data = identities(dataset)
    files = {path.resolve() for folder in folders for path in folder.iterdir()}
    for path in sorted(path for path in files if path.is_file() and is_sqlite(path)):
        name = next(claimed(path, data), None)
        if path != own and name is not None:
            return Holder(path, name)
    return None


def kept_elsewhere(dataset: Dataset, found: Holder) -> OutputError:
    """Make the error of a table that would have its budget once more."""
    return OutputError(
        f"{Path(dataset.data).name}: its budget is kept in {found.ledger.name} under the name "
        f"{found.name}, and another ledger would grant it once more",
        "Ask through the declaration of that name. For other columns, copy the declaration: those "
        "of one name, table, person and ledger share one budget.",
    )


def is_sqlite(path: Path) -> bool:
    """Return whether a file begins as every one of SQLite does."""
    try:
        with path.open("rb") as file:
            return file.read(len(SQLITE)) == SQLITE
    except OSError:
        return False


def claimed(path: Path, data: tuple[str, ...]) -> Iterator[str]:
    """List the datasets of a ledger that have these records; a file that is no ledger has none."""
    marks = ", ".join("?" for _ in data)
    try:
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
            rows = connection.execute(
                f"SELECT dataset FROM claims WHERE data IN ({marks})",  # noqa: S608 - only marks
                data,
            ).fetchall()
    except sqlite3.Error:
        return
    yield from (str(row[0]) for row in rows)

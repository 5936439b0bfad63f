"""What the records of a dataset are known by, so that one table never has two budgets."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path

from indistinct.database.address import is_postgres
from indistinct.database.dataset import Dataset
from indistinct.errors import OutputError

SQLITE = b"SQLite format 3\0"


def identities(dataset: Dataset) -> tuple[str, ...]:
    """Give what the records of a dataset are known by: a table, or a file's content and path.

    Raises
    ------
    DataError, EngineError
        When the records cannot be read.
    """
    if is_postgres(dataset.data):
        from indistinct.database.engines.postgres import identity

        return (identity(dataset),)
    from indistinct.database.engines.duckdb import digest

    place = str(Path(dataset.data).resolve()).encode("utf-8", "surrogateescape")
    return (digest(dataset.data), hashlib.sha256(place).hexdigest())


def check_unclaimed(dataset: Dataset, folders: Iterable[Path]) -> None:
    """Refuse a table whose budget is kept in another ledger of some folders.

    Raises
    ------
    OutputError
        That names the ledger.
    """
    if is_postgres(dataset.data):
        return
    own = Path(dataset.ledger).resolve()
    beside = {path.resolve() for folder in folders for path in folder.iterdir()}
    found = sorted(path for path in beside if path.is_file() and is_sqlite(path))
    data = identities(dataset)
    for path in found:
        holder = next(claimed(path, data), None)
        if path != own and holder is not None:
            raise OutputError(
                f"{Path(dataset.data).name}: its budget is kept in {path.name} already, under the "
                f"name {holder}, and another ledger would grant it once more",
                "Ask through the declaration of this name. For other columns, copy the "
                "declaration: those of one name and one ledger share one budget.",
            )


def is_sqlite(path: Path) -> bool:
    """Tell whether a file begins as every one of SQLite does."""
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

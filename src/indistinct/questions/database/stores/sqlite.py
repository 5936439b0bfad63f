"""The ledger in one SQLite file, which is whole by itself after every charge."""

from __future__ import annotations

from typing import final

from indistinct.base.files.durable import Complaints, SqliteFile
from indistinct.questions.database.ledger_of_charges import TABLES

COMPLAINTS = Complaints(
    gone=(
        "the ledger is missing, so it is unknown what was spent",
        "Put the ledger back; the owner may start a new one: indistinct database init.",
    ),
    damaged=(
        "the ledger is damaged, so it is unknown what was spent",
        "Put a whole copy back, made while nothing was answered.",
    ),
    closed=("the ledger is closed", "Open the dataset again."),
    unusable=(
        "the ledger cannot be written, so nothing is answered",
        "Free the disk, or stop what holds the ledger.",
    ),
    unmade=("the ledger cannot be written", "Check the folder and the disk."),
)


@final
class SqliteStore(SqliteFile):
    """A :class:`LedgerStore` in one file."""

    def __init__(self, path: str, *, create: bool = False) -> None:
        tables = [table.format(serial="INTEGER PRIMARY KEY AUTOINCREMENT") for table in TABLES]
        super().__init__(path, tables, COMPLAINTS, create=create)

"""Door 3, answer questions: noise on every answer, and a budget that holds."""

from __future__ import annotations

from pathlib import Path

from indistinct.database.client import Client, connect
from indistinct.database.draft_tables import draft_tables
from indistinct.database.initialize import add_analyst, begin, init
from indistinct.database.reply import Reply
from indistinct.database.session import Session, open_dataset, open_session
from indistinct.database.statement import Statement, statement

open = open_session  # noqa: A001 - read as indistinct.database.open


def ledger(path: str | Path) -> Statement:
    """Return what was spent of the budget of a dataset, and on what."""
    dataset, book = open_dataset(path)
    try:
        return statement(book, dataset)
    finally:
        book.store.close()


def reopen(path: str | Path, analyst: str) -> int:
    """Answer an analyst again whose question failed after its charge.

    Returns how many failures had closed the analyst; 0 if none had.

    Raises
    ------
    AccessError
        If there is no analyst of that name.
    """
    dataset, book = open_dataset(path)
    try:
        return book.reopen(dataset.analyst(analyst).name)
    finally:
        book.store.close()


__all__ = [
    "Client",
    "Reply",
    "Session",
    "Statement",
    "add_analyst",
    "begin",
    "connect",
    "draft_tables",
    "init",
    "ledger",
    "open",
    "reopen",
]

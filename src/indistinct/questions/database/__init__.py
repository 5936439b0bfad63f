"""Door 3, answer questions: noise on every answer, and a budget that holds."""

from __future__ import annotations

from pathlib import Path

from indistinct.questions.database.client import Client, connect
from indistinct.questions.database.drafted_tables import draft_tables
from indistinct.questions.database.initialize import add_analyst, begin, init
from indistinct.questions.database.reply import Reply
from indistinct.questions.database.session import Session, open_dataset, open_session
from indistinct.questions.database.statement import Statement, statement

open = open_session  # noqa: A001 - read as indistinct.questions.database.open


def ledger(path: str | Path) -> Statement:
    """Return what was spent of the budget of a dataset, and on what."""
    dataset, book = open_dataset(path)
    try:
        return statement(book, dataset)
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
]

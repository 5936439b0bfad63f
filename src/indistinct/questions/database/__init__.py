"""Door 3, answer questions: noise on every answer, and a budget that holds."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from indistinct.base.face import face
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

FACE = {
    "ANSWER": "relational.errors",
    "BatchPrice": "pricing",
    "DELTA": "drafted_tables",
    "Dataset": "dataset",
    "DraftedTables": "drafted_tables",
    "IF_EVEN": "relational.errors",
    "LEAST_PEOPLE": "draft",
    "OF_PARTS": "relational.errors",
    "PER_ROW": "relational.errors",
    "RANKS": "relational.errors",
    "Read": "initialize",
    "column_types": "initialize",
    "is_postgres": "address",
    "load": "loading",
    "place": "address",
    "price": "pricing",
    "questions_of": "pricing",
    "serve": "server",
}

if TYPE_CHECKING:
    from indistinct.questions.database.address import is_postgres as is_postgres, place as place
    from indistinct.questions.database.dataset import Dataset as Dataset
    from indistinct.questions.database.draft import LEAST_PEOPLE as LEAST_PEOPLE
    from indistinct.questions.database.drafted_tables import (
        DELTA as DELTA,
        DraftedTables as DraftedTables,
    )
    from indistinct.questions.database.initialize import Read as Read, column_types as column_types
    from indistinct.questions.database.loading import load as load
    from indistinct.questions.database.pricing import (
        BatchPrice as BatchPrice,
        price as price,
        questions_of as questions_of,
    )
    from indistinct.questions.database.relational.errors import (
        ANSWER as ANSWER,
        IF_EVEN as IF_EVEN,
        OF_PARTS as OF_PARTS,
        PER_ROW as PER_ROW,
        RANKS as RANKS,
    )
    from indistinct.questions.database.server import serve as serve
else:
    __getattr__ = face(__name__, FACE)

"""Answers with noise, and a budget that holds."""

from indistinct.questions.database import (
    Client,
    Reply,
    Session,
    Statement,
    add_analyst,
    begin,
    connect,
    draft_tables,
    init,
    ledger,
    open_session,
    reopen,
)

open = open_session  # noqa: A001 - read as indistinct.database.open

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

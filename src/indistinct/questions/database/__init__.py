"""Door 3, answer questions: noise on every answer, and a budget that holds."""

from typing import TYPE_CHECKING

from indistinct.base.face import face

FACE = {
    "BatchPrice": "pricing",
    "Client": "client",
    "DELTA": "drafted_tables",
    "Dataset": "dataset",
    "DraftedTables": "drafted_tables",
    "ErrorUnit": "relational.errors",
    "LEAST_PEOPLE": "draft",
    "Read": "initialize",
    "Reply": "reply",
    "Session": "session",
    "Statement": "statement",
    "add_analyst": "initialize",
    "begin": "initialize",
    "column_types": "initialize",
    "connect": "client",
    "draft_tables": "drafted_tables",
    "end_token": "initialize",
    "init": "initialize",
    "ledger": "statement",
    "load": "loading",
    "open_session": "session",
    "price": "pricing",
    "questions_of": "pricing",
    "reopen": "statement",
    "serve": "server",
}

if TYPE_CHECKING:
    from indistinct.questions.database.client import Client as Client, connect as connect
    from indistinct.questions.database.dataset import Dataset as Dataset
    from indistinct.questions.database.draft import LEAST_PEOPLE as LEAST_PEOPLE
    from indistinct.questions.database.drafted_tables import (
        DELTA as DELTA,
        DraftedTables as DraftedTables,
        draft_tables as draft_tables,
    )
    from indistinct.questions.database.initialize import (
        Read as Read,
        add_analyst as add_analyst,
        begin as begin,
        column_types as column_types,
        end_token as end_token,
        init as init,
    )
    from indistinct.questions.database.loading import load as load
    from indistinct.questions.database.pricing import (
        BatchPrice as BatchPrice,
        price as price,
        questions_of as questions_of,
    )
    from indistinct.questions.database.relational.errors import ErrorUnit as ErrorUnit
    from indistinct.questions.database.reply import Reply as Reply
    from indistinct.questions.database.server import serve as serve
    from indistinct.questions.database.session import (
        Session as Session,
        open_session as open_session,
    )
    from indistinct.questions.database.statement import (
        Statement as Statement,
        ledger as ledger,
        reopen as reopen,
    )
else:
    __getattr__ = face(__name__, FACE)

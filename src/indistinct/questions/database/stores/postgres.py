"""The ledger in PostgreSQL, for several servers over one budget."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, final

from indistinct.base.files.durable import Execute
from indistinct.errors import EngineError
from indistinct.questions.database.ledger_of_charges import TABLES
from indistinct.questions.database.postgres import Connections, failures, run

# Any number that no other program uses: whoever holds this lock is alone at the ledger.
LOCK = 4_805_741_905_221
# pg_catalog comes first where it is not named; tables of the ledger stand in public.
SETUP = (
    "SET search_path = public, pg_temp",
    "SET synchronous_commit = on",
    "SET lock_timeout = '60s'",
    "SET idle_in_transaction_session_timeout = '60s'",
)


@final
class PostgresStore:
    """One connection per thread; transactions queue at one advisory lock."""

    def __init__(self, url: str, *, create: bool = False) -> None:
        self._connections = Connections(url, SETUP)
        with ExitStack() as undo:
            undo.callback(self._connections.close)
            self._prepare(create=create)
            undo.pop_all()

    def _prepare(self, *, create: bool) -> None:
        with self.transaction() as execute:
            if not create and execute("SELECT to_regclass('public.charges')", ()) == [[None]]:
                raise EngineError(
                    "the database has no ledger, so it is unknown what was spent",
                    "Put the ledger back, or correct its address.",
                )
            for table in TABLES:
                execute(table.format(serial="BIGSERIAL PRIMARY KEY"), ())

    @contextmanager
    def transaction(self, *, flushed: bool = True) -> Generator[Execute]:
        """Open a transaction that no other one overlaps."""
        try:
            connection = self._connections.current()

            def execute(sql: str, values: Sequence[Any]) -> list[Sequence[Any]]:
                return run(connection, sql, values, mark="?")

            connection.run("BEGIN")
            try:
                connection.run(f"SET LOCAL synchronous_commit = {'on' if flushed else 'off'}")
                connection.run(f"SELECT pg_advisory_xact_lock({LOCK})")
                yield execute
            except BaseException:
                connection.run("ROLLBACK")
                raise
            connection.run("COMMIT")
        except failures():
            self._connections.forget()
            raise EngineError(
                "the ledger cannot be written, so nothing is answered",
                "Check the PostgreSQL server of the ledger.",
            ) from None

    def close(self) -> None:
        """Close every thread's connection."""
        self._connections.close()

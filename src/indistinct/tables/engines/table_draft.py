"""A release that is written as a table: it appears when the transaction ends, or not at all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Protocol, final
from uuid import uuid4

from indistinct.errors import IndistinctError, OutputError
from indistinct.tables.engines.parts import write_companions
from indistinct.tables.engines.sources import Limits, Opening, Sink, Tally, count_all
from indistinct.tables.engines.sql import SqlTable
from indistinct.tables.engines.sql_dialect import Connection, Dialect, ReleaseQuery, Storing, words
from indistinct.tables.reading.places import DatabaseTable


class Transaction(Connection, Protocol):
    """A connection that also runs statements."""

    def execute(self, query: str) -> None:
        """Run a statement."""
        ...


@final
class TableDraft:
    """A table under another name, inside a transaction.

    Parameters
    ----------
    connection, dialect : of the engine
    catalog : of the table, where the engine has several; empty else
    table : where the release shall be
    release : its rows
    sink : says whether a table that is there may be replaced
    begins : whether the transaction is begun here; else it is already open
    is_shared : whether the table is in a file that was there before
    """

    def __init__(  # noqa: PLR0913, PLR0917 - the parts of one table
        self,
        connection: Transaction,
        dialect: Dialect,
        catalog: str,
        table: DatabaseTable,
        release: ReleaseQuery,
        sink: Sink,
        *,
        begins: bool = True,
        is_shared: bool = False,
    ) -> None:
        self._connection, self._dialect = connection, dialect
        self._sink, self._parts = sink, table.name_parts
        self._place = [catalog] if catalog else []
        self._shared = {"shared": True} if is_shared else {}
        self._staging = f"indistinct_{uuid4().hex}"
        if begins:
            connection.execute("BEGIN TRANSACTION")
        try:
            self._refuse_existing()
            connection.execute(f"CREATE TABLE {self._named(self._staging)} AS {release.ordered}")
        except BaseException:
            self.discard()
            raise

    def columns(self) -> Sequence[str]:
        """Name the columns of the written table."""
        return list(self._opened().kinds)

    def count(self, names: Sequence[str], marked: Sequence[str] = ()) -> Tally:
        """Read the table afresh, and count the distinct rows of some columns."""
        return count_all(self._opened(), names, marked)

    def files(self) -> None:
        """Return nothing: a table has no order."""

    def entry(self) -> Mapping[str, Any]:
        """Return the number of rows and the sum of their hashes, where hashes are asked for."""
        if not self._sink.hashes:
            return {"sha256": None, **self._shared}
        opened = self._opened()
        return {"fingerprint": f"{opened.engine} {opened.row_hashes()}", **self._shared}

    def publish(self, documents: Mapping[str, str], private: Mapping[str, str]) -> None:
        """Rename the table, put its manifest beside it, and end the transaction."""
        name = self._parts[-1]
        manifest_table = self._named(f"{name}_manifest")
        quoted = self._dialect.quote(name)
        self._connection.execute(f"DROP TABLE IF EXISTS {self._named(name)}")
        self._connection.execute(f"ALTER TABLE {self._named(self._staging)} RENAME TO {quoted}")
        self._connection.execute(f"DROP TABLE IF EXISTS {manifest_table}")
        self._connection.execute(f"CREATE TABLE {manifest_table} (manifest VARCHAR)")
        self._connection.execute(f"INSERT INTO {manifest_table} VALUES ({words([documents['']])})")
        write_companions(documents, private)
        self._connection.execute("COMMIT")

    def discard(self) -> None:
        """Undo everything."""
        with suppress(IndistinctError):
            self._connection.execute("ROLLBACK")

    def _refuse_existing(self) -> None:
        """Refuse a table that is there, unless it may be replaced."""
        if self._sink.may_replace:
            return
        schema = f" AND table_schema = {words([self._parts[-2]])}" if len(self._parts) > 1 else ""
        catalog = f" AND table_catalog = {words(self._place)}" if self._place else ""
        query = (
            "SELECT COUNT(*) AS n FROM information_schema.tables "
            f"WHERE table_name = {words([self._parts[-1]])}{schema}{catalog}"
        )
        if int(self._connection.fetch(query)["n"][0]):
            raise OutputError(
                f"the table {'.'.join(self._parts)} is there already",
                "Name a table that is not there, or add --replace.",
            )

    def _named(self, name: str) -> str:
        """Name a table beside the one that is wanted."""
        parts = [*self._parts[:-1], name]
        return ".".join([*self._place, *(self._dialect.quote(part) for part in parts)])

    def _opened(self) -> SqlTable:
        """Open the written table afresh."""
        opening = Opening(Limits(0), (), as_written=True)
        relation = self._named(self._staging)
        return SqlTable(self._connection, self._dialect, relation, opening, Storing())

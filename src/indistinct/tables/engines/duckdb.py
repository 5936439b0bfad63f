"""Tables of files and of DuckDB itself, within a limit of memory; what does not fit is spilled."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

from indistinct.base.extras import load
from indistinct.base.files.literal_paths import duckdb_path, scan_parquet
from indistinct.base.files.text import header_of_file
from indistinct.errors import DataError, EngineError, OutputError
from indistinct.tables.engines.duckdb_connection import (
    DUCKDB,
    DuckDbConnection,
    OfRelation,
    check_kept,
    opened,
    quoted_path,
    read_as,
)
from indistinct.tables.engines.folders import folder_values, into_folders, partition_of, twice
from indistinct.tables.engines.parts import FilesDraft, hidden_folder
from indistinct.tables.engines.sorted_records import RANK, SAMPLED, write_sorted
from indistinct.tables.engines.sources import FILE_BITS, PLACE, Limits, Opening, Sink, StagedRelease
from indistinct.tables.engines.sql import ORDER, SqlTable
from indistinct.tables.engines.sql_dialect import (
    TYPE_WORDS,
    ReleaseQuery,
    Storing,
    type_tests,
    words,
)
from indistinct.tables.engines.streamed_files import CONVERTED, announce, pays, polars_in_words
from indistinct.tables.engines.table_draft import TableDraft
from indistinct.tables.reading.addresses import closed_duckdb, unread
from indistinct.tables.reading.column_types import FORMS, TEXT
from indistinct.tables.reading.places import (
    DatabaseTable,
    Files,
    Numbering,
    PartitionColumn,
    database_table,
    is_database,
    same_file,
    sha256_of_files,
    stamps_of,
)
from indistinct.tables.reading.text_frames import check_texts

OUTPUT = "indistinct_output"
INPUT = "indistinct_input"
OWN_FILE = "indistinct file"  # a column with the path of the file of each record


def open_files(files: Files, opening: Opening) -> SqlTable:
    """Open Parquet or CSV files.

    Raises
    ------
    DataError
        when they cannot be read as one table
    """
    listed = words([duckdb_path(path) for path in files.paths])
    relation = f"read_parquet([{listed}], hive_partitioning = false)"
    types: Mapping[str, str] = {}
    check_kept(files, opening.separator)
    if files.separators:
        partition_of(files, is_release=opening.as_written)
        mark = check_texts(files, opening.separator)
        relation = (
            f"read_csv([{listed}], header = true, delim = {words([mark])}, quote = '\"', "
            "hive_partitioning = false, compression = 'none', "
            "escape = '\"', nullstr = '', allow_quoted_nulls = false, "
            f"auto_detect = false, columns = {_text_columns(files.paths[0], mark)})"
        )
    else:
        types = read_as(files.paths[0])
    stamps = stamps_of(files.paths)
    numbering = None
    with opened(opening.limits) as connection:
        if pays(files, opening, connection.folder):
            announce(opening)
            relation = _converted(connection, relation)
        if not files.separators:
            partition = partition_of(files, is_release=opening.as_written)
            if partition is not None:
                relation = _of_folders(connection, files, partition)
            bare, relation = relation, _readable(connection, relation, types=types)
            if not opening.as_written and _has_places(connection, bare):
                numbering = Numbering(files, files)
                place = f', {_place()} AS "{PLACE}"'
                relation = _readable(connection, bare, place, types)
        elif not opening.as_written:
            relation = _typed(connection, relation, opening)
        storing = Storing(
            partial(_write, connection, opening.limits),
            connection.raw.sql,
            partial(sha256_of_files, files),
            lambda: stamps_of(files.paths) == stamps,
            numbering,
        )
        has_types = not files.separators
        return SqlTable(connection, DUCKDB, relation, opening, storing, has_types=has_types)


def open_table(table: DatabaseTable, opening: Opening) -> SqlTable:
    """Open a table or view of a file of DuckDB, which stays as it is.

    Raises
    ------
    DataError
        when the file is not there
    """
    if not Path(table.address).is_file():
        raise DataError(f"{table.address}: there is no such file", "Check the address.")
    path = quoted_path(table.address)
    _refuse_outside(table)
    stamps = stamps_of([table.address])
    with opened(opening.limits) as connection:
        connection.execute(f"ATTACH '{path}' AS {INPUT} (READ_ONLY)")
        relation = f"{INPUT}.{table.quoted}"
        storing = Storing(
            partial(_write, connection, opening.limits, attached=table.address),
            connection.raw.sql,
            unchanged=lambda: stamps_of([table.address]) == stamps,
        )
        readable = _readable(connection, relation)
        return SqlTable(connection, DUCKDB, readable, opening, storing)


def _refuse_outside(table: DatabaseTable) -> None:
    """Refuse a view that reads anything but the tables of its own file.

    Raises
    ------
    DataError
        when it does, or there is no such table
    """
    library = load("duckdb", extra="duckdb")
    try:
        with closing(closed_duckdb(table.address)) as closed:
            closed.execute(f"SELECT * FROM {table.quoted} LIMIT 0")
    except library.Error:
        raise unread() from None


def open_lazy(relation: Any, opening: Opening) -> SqlTable:
    """Open a relation of a connection that somebody else has open."""
    name = "indistinct_relation"
    raw = OfRelation(relation, name)
    with opened(opening.limits, raw) as connection:
        storing = Storing(partial(_write, connection, opening.limits), raw.sql)
        readable = _readable(connection, name)
        return SqlTable(connection, DUCKDB, readable, opening, storing)


def _text_columns(path: str, separator: str) -> str:
    """Name the columns of a text file, all of them texts."""
    header = header_of_file(path, separator)
    return "{" + ", ".join(f"{words([name])}: 'VARCHAR'" for name in header) + "}"


def _converted(connection: DuckDbConnection, relation: str) -> str:
    """Write the texts into a Parquet file of the own folder, in their order."""
    path = connection.folder / CONVERTED
    form = "(FORMAT parquet, COMPRESSION lz4_raw)"
    connection.execute(f"COPY (SELECT * FROM {relation}) TO '{quoted_path(path)}' {form}")
    path.chmod(0o600)
    return f"read_parquet([{words([duckdb_path(path)])}], hive_partitioning = false)"


def _typed(connection: DuckDbConnection, relation: str, opening: Opening) -> str:
    """Find the types of text columns by one scan of all cells."""
    quote = DUCKDB.quote
    names = connection.fetch(f"SELECT * FROM {relation} LIMIT 0").columns
    known = {
        name: f"CASE WHEN {quote(name)} IN ({gone}) THEN NULL ELSE {quote(name)} END"
        for name in names
        for gone in [words(["", *opening.words(name)])]  # nothing in quotes is missing, too
    }
    tests = [
        f'{test} AS "{index} {word}"'
        for index, (name, cell) in enumerate(known.items())
        for word, test in type_tests(
            cell, TEXT, may_round=opening.reading.rounds(name), may_merge=True
        ).items()
    ]
    found = connection.fetch(f"SELECT {', '.join(tests)} FROM {relation}").row(0, named=True)
    columns: list[str] = []
    for index, (name, cell) in enumerate(known.items()):
        stays = name in opening.reading.texts
        fitting = [] if stays else [form for form in FORMS if found[f"{index} {form}"]]
        typed = f"TRY_CAST({cell} AS {TYPE_WORDS[fitting[0]]})" if fitting else cell
        columns.append(f"{typed} AS {quote(name)}")
    return f"(SELECT {', '.join(columns)} FROM {relation})"


def _of_folders(connection: DuckDbConnection, files: Files, partition: PartitionColumn) -> str:
    """Return divided files with the column that their folders are named after."""
    listed = words([duckdb_path(path) for path in files.paths])
    relation = f"read_parquet([{listed}], hive_partitioning = false, filename = '{OWN_FILE}')"
    if partition.column in {name for name, *_ in connection.described(relation)}:
        raise twice(partition)
    values = connection.load("indistinct_folders", folder_values(files, partition))
    column = DUCKDB.quote(partition.column)
    return (
        f'(SELECT t.* EXCLUDE ("{OWN_FILE}"), v.value AS {column} FROM {relation} t '
        f'JOIN {values} v ON t."{OWN_FILE}" = v.path)'
    )


def _place() -> str:
    """Return the place of a record of a Parquet file: the number of its file, and of its row."""
    return f"(file_index::BIGINT << {FILE_BITS}) + file_row_number"


def _has_places(connection: DuckDbConnection, relation: str) -> bool:
    """Return whether records can be numbered: older ones, and some names of columns, hinder it."""
    names = {name for name, *_ in connection.described(relation)}
    if names & {"file_index", "file_row_number", PLACE}:
        return False
    with suppress(EngineError):
        connection.execute(f"SELECT {_place()} FROM {relation} LIMIT 0")
        return True
    return False


def _readable(
    connection: DuckDbConnection,
    relation: str,
    more: str = "",
    types: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """Return a table whose columns have types that others read without a loss.

    Parameters
    ----------
    more : further columns
    types : what some columns are read as
    """
    quote = DUCKDB.quote
    rows = connection.described(relation)
    columns: list[str] = []
    for name, kind, *_ in rows:
        if kind.startswith("ENUM") or kind in {"UUID", "CHAR", "JSON"}:
            columns.append(f"CAST({quote(name)} AS VARCHAR) AS {quote(name)}")
        elif kind in {"HUGEINT", "UHUGEINT"}:
            columns.append(f"CAST({quote(name)} AS DECIMAL(38, 0)) AS {quote(name)}")
        elif name in types:
            columns.append(f"CAST({quote(name)} AS {types[name]}) AS {quote(name)}")
        elif kind == "TIMESTAMP_S":
            columns.append(f"CAST({quote(name)} AS TIMESTAMP) AS {quote(name)}")
        else:
            columns.append(quote(name))
    return f"(SELECT {', '.join(columns)}{more} FROM {relation})"


def _write(
    connection: DuckDbConnection,
    limits: Limits,
    release: ReleaseQuery,
    sink: Sink,
    attached: str | None = None,
) -> StagedRelease:
    """Write a release to files, or to a table of a file of DuckDB.

    Parameters
    ----------
    attached : the file that the input is in, which may be the output's, too
    """
    if is_database(sink.address):
        table = database_table(sink.address)
        if table.kind != "duckdb":
            raise OutputError(
                "DuckDB cannot write into another database", "Name files, or a table of DuckDB."
            )
        return _write_table(connection, release, sink, table, attached)
    with hidden_folder(Path(sink.address)) as folder:
        _write_files(connection, limits, release, sink, folder)
        partition = into_folders(folder, sink)
    reopen = partial(open_files, opening=Opening(limits, (), as_written=True))
    return FilesDraft(folder, sink, reopen, partition=partition)


def _write_files(
    connection: DuckDbConnection, limits: Limits, release: ReleaseQuery, sink: Sink, folder: Path
) -> None:
    """Write the rows into files, by way of one file in the own folder.

    DuckDB joins, and Polars sorts and writes: DuckDB takes more memory to sort by many columns,
    does not keep the order of rows that it divides among files, and has bytes of its own.
    """
    path = connection.folder / "joined.parquet"
    form = "(FORMAT parquet, COMPRESSION lz4_raw)"
    connection.execute(f"COPY ({release.unordered}) TO '{quoted_path(path)}' {form}")
    with polars_in_words(sink.address):
        rows = scan_parquet(path).rename({ORDER: RANK})
        some, schema = rows.head(SAMPLED).collect(), rows.collect_schema()
        memory = limits.memory
        write_sorted(rows, release.plan, folder, sink, schema=schema, some=some, memory=memory)
    path.unlink()


def _write_table(
    connection: DuckDbConnection,
    release: ReleaseQuery,
    sink: Sink,
    table: DatabaseTable,
    attached: str | None,
) -> StagedRelease:
    """Write a release as a table that appears when the transaction ends."""
    catalog, is_shared = OUTPUT, Path(table.address).exists()
    if attached is not None and same_file(attached, table.address):
        connection.execute(f"DETACH {INPUT}")
        connection.execute(f"ATTACH '{quoted_path(attached)}' AS {INPUT}")
        catalog = INPUT
    else:
        connection.execute(f"ATTACH '{quoted_path(table.address)}' AS {OUTPUT}")
    return TableDraft(connection, DUCKDB, catalog, table, release, sink, is_shared=is_shared)

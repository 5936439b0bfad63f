"""Which engine works on which table, and how tables and their destinations are opened."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from indistinct.errors import DataError, Fault, ParameterError
from indistinct.tables.core.protocols import Progress, no_progress
from indistinct.tables.engines.opened_table import OpenedTable, read_as_said
from indistinct.tables.engines.sources import Capacity, Limits, Opening
from indistinct.tables.reading.addresses import is_address
from indistinct.tables.reading.declared_formats import Reading
from indistinct.tables.reading.formats import format_of_file
from indistinct.tables.reading.places import (
    DUCKDB,
    IN_PARTS,
    POSTGRES,
    TABS,
    Files,
    database_table,
    files_at,
    has_several_files,
    is_cluster_path,
    is_database,
    is_object_storage,
)

AUTO, MEMORY, POLARS, SPARK = "auto", "memory", "polars", "spark"
CHOICES = (AUTO, MEMORY, POLARS, DUCKDB, SPARK)
# Engines are loaded when a table of theirs is opened: a table in memory needs none of them.
MODULES = {POLARS: "streaming", DUCKDB: "duckdb", SPARK: "spark", POSTGRES: "postgres"}
UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}
UNKNOWN_MEMORY = 4 * 10**9  # where the system does not say what is free
UNLIMITED = 2**63
LEAST_MEMORY = 64 * 10**6
SHARE = 5  # a table is read whole where it takes less than one of so many parts of free memory
TO_LOOK = 2  # the same for a table that is only looked at, of which no second one is made
GROWTH = {"parquet": 8, "csv": 3, "tsv": 3}  # times the size of a file that a frame takes


@dataclass(frozen=True, slots=True)
class Resources:
    """Which engine works, and with what.

    Parameters
    ----------
    engine : one of :data:`CHOICES`; a database works on its own tables whatever is chosen
    memory : bytes; half of what is free when left out
    folder : for what does not fit into memory
    """

    engine: str = AUTO
    memory: int | None = None
    folder: str | None = None
    most_rows: int | None = field(default=None)

    def __post_init__(self) -> None:
        if self.engine not in CHOICES:
            raise ParameterError("engine: is not known", f"Choose one of {', '.join(CHOICES)}.")
        if self.folder is not None and not Path(self.folder).is_dir():
            raise ParameterError("temp: is not a folder", "Make it first, or name another one.")

    @property
    def bytes(self) -> int:
        """The memory that may be used."""
        return free_memory() // 2 if self.memory is None else self.memory

    @property
    def capacity(self) -> Capacity:
        """How many distinct rows fit."""
        return Capacity(self.bytes, self.most_rows)

    def limits(self) -> Limits:
        """Return an engine's share."""
        return Limits(self.bytes, self.folder)

    def opening(
        self,
        missing: tuple[str, ...],
        separator: str | None,
        progress: Progress = no_progress,
        reading: Reading | None = None,
    ) -> Opening:
        """Return how a table of this policy is opened."""
        said = reading or Reading()
        return Opening(self.limits(), missing, separator, reading=said, progress=progress)

    def opening_as_written(self, separator: str | None) -> Opening:
        """Return how a release is opened, every cell as it is written."""
        return Opening(self.limits(), (), separator, as_written=True)


def resources_of(engine: str, memory: str | None, temp: str | Path | None) -> Resources:
    """Return what the keywords of a function, or the options of a command, ask for.

    Raises
    ------
    ParameterError
        when the engine or the amount of memory is not known, or the folder is not there
    """
    amount = None if memory is None else bytes_in(memory)
    return Resources(engine, amount, None if temp is None else str(temp))


def bytes_in(text: str) -> int:
    """Read an amount of memory such as ``2GB`` or ``512MB``.

    Raises
    ------
    ParameterError
        when it is none, or too little to work with

    Examples
    --------
    >>> bytes_in("1.5GB")
    1500000000
    """
    found = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?) ?([KMGT]?)(i?)B?", text.strip(), re.IGNORECASE)
    amount = 0
    if found is not None:
        amount = int(float(found[1]) * UNITS[found[2].upper()])
    if amount < LEAST_MEMORY:
        raise ParameterError(
            "memory: is too small or not an amount of memory", "Write it as in 2GB, at least 64MB."
        )
    return amount


def free_memory() -> int:
    """Return the bytes of memory that this process may still take."""
    free = UNKNOWN_MEMORY
    information = Path("/proc/meminfo")
    if information.exists():
        found = re.search(r"MemAvailable:\s+([0-9]+) kB", information.read_text(encoding="ascii"))
        free = int(found[1]) * 1024 if found else free
    limit = Path("/sys/fs/cgroup/memory.max")
    if limit.exists() and (text := limit.read_text(encoding="ascii").strip()).isdigit():
        free = min(free, int(text))
    return min(free, *_own_limits())


def _own_limits() -> tuple[int, int]:
    """Return the limits that were set for this process; none where the system has no such."""
    if find_spec("resource") is None:
        return UNLIMITED, UNLIMITED
    limits = import_module("resource")
    found = [limits.getrlimit(kind)[0] for kind in (limits.RLIMIT_AS, limits.RLIMIT_DATA)]
    first, second = (UNLIMITED if limit == limits.RLIM_INFINITY else limit for limit in found)
    return first, second


def is_large(data: Any, out: str | None, resources: Resources, share: int = SHARE) -> bool:
    """Return whether a table is left where it is, and not read whole into memory.

    Parameters
    ----------
    share : a table is read whole where it takes less than one of so many parts of free memory
    """
    if isinstance(data, str) and (is_object_storage(data) or is_cluster_path(data)):
        return True
    if resources.engine == MEMORY:
        return False
    goes_far = out is not None and (is_object_storage(out) or is_cluster_path(out))
    if goes_far or resources.engine != AUTO or is_lazy(data):
        return True
    if not isinstance(data, str | Path):
        return False
    path = str(data)
    if is_database(path):
        return (out is not None and is_database(out)) or _is_large_database(path)
    return not is_address(path) and (has_several_files(path) or _is_large_file(path, share))


def _check_storage(engine: str) -> None:
    """Refuse engines that do not read object storage."""
    if engine not in {AUTO, POLARS}:
        raise ParameterError(
            f"engine: {engine} does not read object storage", "Take --engine polars."
        )


def _is_large_file(path: str, share: int) -> bool:
    """Return whether a file that can be read in parts takes much of the free memory."""
    if not Path(path).is_file() or format_of_file(path) not in IN_PARTS:
        return False
    return Path(path).stat().st_size * GROWTH[format_of_file(path)] > free_memory() // share


def _is_large_database(address: str) -> bool:
    """Return whether its database counts a table: always if it is a server, else a large one."""
    table = database_table(address)
    if table.kind != DUCKDB or not Path(table.address).is_file():
        return table.kind != DUCKDB
    return Path(table.address).stat().st_size * GROWTH["parquet"] > free_memory() // SHARE


def is_lazy(data: Any) -> bool:
    """Return whether data are a lazy frame, a relation or a data frame of a cluster."""
    return _lazy_kind(data) is not None


def _lazy_kind(data: Any) -> str | None:
    """Name the engine of lazy data, without loading a library that is not loaded."""
    home, name = type(data).__module__.partition(".")[0], type(data).__name__
    kinds = {
        ("polars", "LazyFrame"): POLARS,
        ("duckdb", "DuckDBPyRelation"): DUCKDB,
        ("_duckdb", "DuckDBPyRelation"): DUCKDB,
        ("pyspark", "DataFrame"): SPARK,
    }
    return kinds.get((home, name))


def open_table(data: Any, opening: Opening, engine: str) -> OpenedTable:
    """Open a table where it is.

    Parameters
    ----------
    data : a path, a folder or a pattern of files; the address of a table; or lazy data
    engine : one of :data:`CHOICES`

    Raises
    ------
    DataError
        when it cannot be read
    MissingExtraError
        when its engine is not installed
    """
    return read_as_said(_opened(data, opening, engine), opening)


def _opened(data: Any, opening: Opening, engine: str) -> OpenedTable:
    """Open a table with the types that its engine finds."""
    kind = _lazy_kind(data)
    if kind is not None:
        return _module(kind).open_lazy(data, opening)
    path = str(data)
    if is_database(path):
        table = database_table(path)
        return _module(table.kind).open_table(table, opening)
    if is_object_storage(path):
        _check_storage(engine)
        from indistinct.tables.engines.object_storage import open_stored

        return open_stored(path, opening)
    if is_cluster_path(path):
        if engine not in {AUTO, SPARK}:
            raise ParameterError(
                f"engine: {engine} does not read files of a cluster", "Take --engine spark."
            )
        return _module(SPARK).open_path([path], opening)
    files = files_at(path)
    if opening.as_written and files.file_format == TABS:
        opening = replace(opening, separator=None)  # the input may have another one
    chosen = engine if engine != AUTO else _engine_of(files, opening)
    return _module(chosen).open_files(files, opening)


def _engine_of(files: Files, opening: Opening) -> str:
    """Choose the engine of files: DuckDB keeps to its memory, Polars keeps every type."""
    if find_spec("duckdb") is None:
        return POLARS
    from indistinct.tables.engines.duckdb_connection import check_kept

    try:
        check_kept(files, opening.separator)
    except DataError:
        return POLARS
    return DUCKDB


def _module(engine: str) -> Any:
    """Load what an engine opens tables by: ``open_files``, ``open_lazy`` or ``open_table``."""
    return import_module(f"indistinct.tables.engines.{MODULES[engine]}")


def refuse_for_records(**given: object) -> None:
    """Refuse what takes the single records of a table that nobody holds whole.

    Parameters
    ----------
    given : keywords by their names; None stands for one that was not given

    Raises
    ------
    ParameterError
        naming all of them that were given
    """
    faults = [
        Fault(
            name,
            "takes single records, and is for tables that are read whole",
            "Take the engine memory, or leave it out.",
        )
        for name, value in given.items()
        if value is not None
    ]
    if faults:
        raise ParameterError(faults)

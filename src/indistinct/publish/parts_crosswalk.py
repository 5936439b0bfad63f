"""Write the crosswalk of a release that nobody holds whole, for its owner alone."""

from __future__ import annotations

import shutil
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from indistinct.core.writing import atomic
from indistinct.engines.choosing import POLARS, Resources, is_lazy
from indistinct.engines.crosswalk import write_crosswalk
from indistinct.engines.formats import format_of
from indistinct.engines.parts import hidden_folder
from indistinct.engines.places import files_at, is_cluster_path, is_database, is_object_storage
from indistinct.engines.sources import EngineTable, Sink, StagedRelease
from indistinct.errors import OutputError, ParameterError

INSTEAD = (
    "Give files of this machine as input and as output, whose records have a place that lasts, or "
    "add --crosswalk-key and --record-column."
)


def needs_staging(data: Any, resources: Resources) -> bool:
    """Return whether records get places only in a copy: text files, unnumbered by DuckDB."""
    if is_lazy(data) or not _is_here(str(data)):
        return False
    return resources.engine != POLARS and bool(files_at(str(data)).separators)


def check_crosswalk(
    crosswalk: str,
    data: Any,
    sink: Sink,
    others: Sequence[str | None],
    *,
    has_names: bool = False,
) -> None:
    """Refuse a crosswalk that cannot be had, or whose path is another one's.

    Parameters
    ----------
    others : paths of what is written besides
    has_names : whether it lists names of the records, and not places

    Raises
    ------
    ParameterError
        when the records of the input or of the release have no place that lasts
    OutputError
        when the file cannot be written, or would be published with the release
    """
    places = (str(data), sink.address)
    if not has_names and (is_lazy(data) or not all(map(_is_here, places))):
        raise ParameterError("crosswalk: takes a table that is made of files", INSTEAD)
    target, release = Path(crosswalk).absolute(), Path(sink.address).absolute()
    if format_of(crosswalk) not in {"parquet", "csv"}:
        raise OutputError(
            "the crosswalk is written as Parquet or as CSV", "Name a file with such an ending."
        )
    if not target.parent.is_dir():
        raise OutputError(f"the folder {target.parent} does not exist", "Make it first.")
    if target.is_dir():
        raise OutputError(f"{crosswalk} is a folder", "Name a file.")
    if sink.is_folder and release in target.parents:
        raise OutputError(
            "the crosswalk would be published with the release", "Name a file outside its folder."
        )
    manifest_file = f"{sink.address}.manifest.json"
    inputs = files_at(str(data)).paths if not is_lazy(data) and _is_here(str(data)) else ()
    for other in (sink.address, manifest_file, *others, *inputs):
        if other is not None and Path(other).resolve() == target.resolve():
            raise OutputError("two files have the path of the crosswalk", "Choose a path for each.")


def _is_here(address: str) -> bool:
    """Return whether an address names files of this machine."""
    return not any(tells(address) for tells in (is_database, is_object_storage, is_cluster_path))


@contextmanager
def with_places(sink: Sink, source: EngineTable, crosswalk: str | None) -> Generator[Sink]:
    """Yield a sink into which an engine also writes the records' places, if they are wanted."""
    if crosswalk is None:
        yield sink
        return
    if source.numbering is None:
        raise ParameterError("crosswalk: this table's records have no place that lasts", INSTEAD)
    with hidden_folder(Path(crosswalk)) as folder:
        try:
            yield replace(sink, places=str(folder))
        finally:
            shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def written_crosswalk(
    draft: StagedRelease, source: EngineTable, sink: Sink, crosswalk: str | None
) -> Generator[None]:
    """Write the crosswalk, which gets its name when the release has its own."""
    if crosswalk is None or sink.places is None or source.numbering is None:
        yield
        return
    entry = draft.entry()
    parts = [(part["path"], part["rows"]) for part in entry.get("parts", ())]
    parts = parts or [(Path(sink.address).name, 1)]
    with atomic(Path(crosswalk), private=True) as place:
        write_crosswalk(Path(sink.places), source.numbering, parts, place, crosswalk)
        yield

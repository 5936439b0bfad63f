"""Write what was decided of a table that is not read whole: its engine writes it, in parts."""

from __future__ import annotations

import shutil
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

from indistinct.base.files.writing import atomic
from indistinct.errors import OutputError, ParameterError, SourceChangedError, VerificationError
from indistinct.tables.core.protocols import Progress, no_progress
from indistinct.tables.engines.choosing import POLARS, Resources, is_lazy, open_table
from indistinct.tables.engines.crosswalk import write_crosswalk
from indistinct.tables.engines.folders import check_partition
from indistinct.tables.engines.object_storage import StoredDraft
from indistinct.tables.engines.parts import hidden_folder
from indistinct.tables.engines.sinks import check_sink, check_writer
from indistinct.tables.engines.sources import EngineTable, Sink, StagedRelease
from indistinct.tables.engines.temporary import temporary_folder
from indistinct.tables.frames.frame import as_series
from indistinct.tables.policy.policy import Policy
from indistinct.tables.policy.specification import Specification, resolve
from indistinct.tables.publish.parts_refusals import check_partition_of, refuse_what_needs_all
from indistinct.tables.publish.pipeline import PlannedRelease, decide
from indistinct.tables.publish.protect import open_masked, shown_values, with_shown_values
from indistinct.tables.publish.record_names import (
    RecordNames,
    check_names,
    record_names_of,
    with_names,
    with_record_column,
    written_names,
)
from indistinct.tables.publish.stated import StatedVerdict
from indistinct.tables.publish.writing import (
    Destination,
    StagedTables,
    WrittenManifests,
    write_staged,
)
from indistinct.tables.reading.column_types import with_days
from indistinct.tables.reading.formats import format_of_file
from indistinct.tables.reading.places import (
    files_at,
    is_cluster_path,
    is_database,
    is_object_storage,
)
from indistinct.tables.release.manifest import Manifest
from indistinct.tables.verification.drafts import ExpectedRelease, plan_faults, verdict_on_draft

PlannedTable: TypeAlias = PlannedRelease[EngineTable]
INSTEAD = (
    "Give files of this machine as input and as output, whose records have a place that lasts, or "
    "add --crosswalk-key and --record-column."
)


def anonymize_in_parts(  # noqa: PLR0913 - each is a word of the command
    data: Any,
    policy: Policy,
    sink: Sink,
    *,
    resources: Resources | None = None,
    manifest: str | None = None,
    owner: str | None = None,
    crosswalk: str | None = None,
    crosswalk_key: str | None = None,
    record_column: str | None = None,
    progress: Progress = no_progress,
) -> WrittenManifests:
    """Publish a table of any size, and verify what was written by reading it again.

    Parameters
    ----------
    data : a path, a folder or a pattern of files; the address of a table; or lazy data
    policy : what is promised
    sink : where the release goes
    resources : which engine works, and with how much memory
    manifest, owner : where the manifests go; the public one beside or inside the release
    crosswalk : where the owner's list goes of which released record came from which one
    crosswalk_key, record_column : with the crosswalk of a table whose records have no place that
        lasts: the column that tells them apart, and that of the release for their random names

    Returns
    -------
    the manifests

    Raises
    ------
    UsageError
        when the policy, the input or the destination is wrong
    NoSolutionError
        when no release satisfies the policy, or the distinct rows do not fit
    VerificationError
        when what was written does not hold the promise; nothing is then published
    """
    resources = resources or Resources()
    spec = resolve(policy)
    refuse_what_needs_all(spec, data)
    destination = Destination(
        sink.address, manifest, owner, crosswalk, crosswalk_key, record_column
    )
    names = checked_names(data, sink, destination)
    check_partition_of(spec, sink)
    has_places = crosswalk is not None and names is None
    with open_source(data, spec, resources, progress, has_places=has_places) as source:
        if names is not None:
            check_names(names, source, spec)
        decided = decide(source, spec, resources, progress, hashes=sink.hashes)
        progress(1.0, "writing")
        return write_staged(staged_parts(decided, sink, destination, names))


def checked_names(data: Any, sink: Sink, destination: Destination) -> RecordNames | None:
    """Refuse a destination that cannot be had, and return the names that its records get."""
    check_sink(sink, data)
    crosswalk = destination.crosswalk
    names = record_names_of(destination.crosswalk_key, destination.record_column, crosswalk)
    if crosswalk is not None:
        others = (destination.manifest, destination.owner)
        check_crosswalk(crosswalk, data, sink, others, has_names=names is not None)
    return names


@contextmanager
def staged_parts(
    decided: PlannedTable,
    sink: Sink,
    destination: Destination,
    names: RecordNames | None,
) -> Generator[StagedTables]:
    """Let the engine write what was decided; an error removes it."""
    source = decided.source
    check_partition(sink, decided.plan.columns)
    check_writer(sink, source.engine)
    if names is not None:
        check_names(names, source, decided.spec)
        decided = _named(decided, names)
    if sink.file_format != "parquet":
        decided = _in_text(decided)
    with with_places(sink, source, None if names else destination.crosswalk) as placed:
        draft = _written(decided, placed)
        try:
            _refuse_changed(source)
            yield _staged(decided, draft, placed, destination)
        except BaseException:
            draft.discard()
            raise


def _staged(
    decided: PlannedTable, draft: StagedRelease, sink: Sink, to: Destination
) -> StagedTables:
    """Return what an engine wrote, with the manifests that say so."""
    spec, expected = decided.spec, expected_of(decided)
    entry, shown = draft.entry(), shown_values(draft, spec)
    published, exact = (
        with_shown_values(with_output(one, entry), shown)
        for one in (decided.published, decided.owner)
    )

    def verify(manifest: Manifest) -> StatedVerdict:
        found = verdict_on_draft(draft, expected, spec, manifest.document())
        found.raise_unless_holds()
        return found

    def publish(document: str, private: str) -> None:
        documents = {"": document}
        if to.manifest is not None or not (sink.is_folder or "://" in sink.address):
            documents[to.manifest or f"{sink.address}.manifest.json"] = document
        with (
            written_crosswalk(draft, decided.source, sink, to.crosswalk),
            written_names(draft, decided.plan, to.crosswalk),
        ):
            draft.publish(documents, {} if to.owner is None else {to.owner: private})

    return StagedTables(published, exact, spec.important, verify, publish)


def _refuse_changed(source: EngineTable) -> None:
    """Refuse a table that others change."""
    if not source.unchanged():
        raise SourceChangedError(
            "the input changed while it was read", "Run it again on a table that stays as it is."
        )


def _named(decided: PlannedTable, names: RecordNames) -> PlannedTable:
    """Return what was decided with names for the records, which the manifests mention."""
    resources = decided.given.resources
    fitting = resources.capacity.rows(1)
    plan = with_names(decided.plan, names, decided.source, fitting)
    return replace(
        decided,
        tables=replace(decided.tables, plan=plan),
        owner=with_record_column(decided.owner, plan),
        published=with_record_column(decided.published, plan),
    )


def _in_text(decided: PlannedTable) -> PlannedTable:
    """Return what was decided with cells as text shows them: moments that are midnights as days."""
    plan = decided.plan
    plan = replace(plan, cells=with_days(plan.cells), pieces=with_days(plan.pieces))
    return replace(decided, tables=replace(decided.tables, plan=plan))


def _written(decided: PlannedTable, sink: Sink) -> StagedRelease:
    """Write what was decided; what goes to object storage is written on this machine first."""
    if not is_object_storage(sink.address):
        return decided.source.write(decided.plan, sink)
    folder = temporary_folder(decided.given.resources.folder)
    local = Path(folder.name) / "release"
    try:
        draft = decided.source.write(decided.plan, replace(sink, address=str(local)))
    except BaseException:
        folder.cleanup()
        raise
    return StoredDraft(draft, folder, local, sink)


def open_source(
    data: Any,
    spec: Specification,
    resources: Resources,
    progress: Progress = no_progress,
    *,
    has_places: bool = False,
) -> EngineTable:
    """Open the input of a policy; what the policy protects is masked first.

    Parameters
    ----------
    has_places : whether the place of each record in the input is asked for
    """
    if spec.protections or (has_places and needs_staging(data, resources)):
        return open_masked(data, spec, resources, progress)
    opening = resources.opening(spec.data.missing, spec.data.separator, progress, spec.reading)
    return open_table(data, opening, resources.engine)


def expected_of(decided: PlannedTable) -> ExpectedRelease:
    """Return what verification holds a written release against."""
    plan, count = decided.plan, decided.count
    # Cells of another type than those that were counted have other hashes.
    is_alike = plan.is_whole and not plan.types
    return ExpectedRelease(
        plan.pieces,
        as_series(plan.piece_records),
        as_series(plan.piece_rows),
        count.tally,
        count.keys,
        count.marked if is_alike else (),
    )


def refuse_plan(decided: PlannedTable) -> None:
    """Refuse what was decided on the distinct rows, where it does not hold the promise."""
    faults = list(plan_faults(expected_of(decided), decided.spec))
    if faults:
        raise VerificationError(faults)


def with_output(manifest: Manifest, entry: Mapping[str, Any]) -> Manifest:
    """Return a manifest that says what was written."""
    return replace(manifest, output=replace(manifest.output, **entry))


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
    if format_of_file(crosswalk) not in {"parquet", "csv"}:
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

"""Options of the commands for tables that are not read whole."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from indistinct.frontends.cli.terminal import print_document, print_text, progress_bar

if TYPE_CHECKING:
    from indistinct.tables.engines import Resources
    from indistinct.tables.policy import Policy

EngineOption = Annotated[
    str,
    typer.Option(
        "--engine",
        help="the engine that reads the table: auto, memory, polars, duckdb or spark",
    ),
]
MemoryOption = Annotated[
    str | None,
    typer.Option("--memory", help="memory for tables that are not read whole, such as 2GB"),
]
TempOption = Annotated[
    str | None,
    typer.Option("--temp", help="folder for data that do not fit into memory; emptied at the end"),
]
RowsOption = Annotated[
    int,
    typer.Option(
        "--rows-per-file", min=1, help="most records per file of a release that is a folder"
    ),
]
PartitionOption = Annotated[
    str | None,
    typer.Option(
        "--partition-by",
        metavar="COLUMN",
        help="divide a release into folders named after the values of a released column",
    ),
]
KeyOption = Annotated[
    str | None,
    typer.Option(
        "--crosswalk-key",
        metavar="COLUMN",
        help="with --crosswalk and --record-column: the input's column that identifies records",
    ),
]
RecordOption = Annotated[
    str | None,
    typer.Option(
        "--record-column",
        metavar="NAME",
        help="a new column of the release for a random name of each record",
    ),
]
NoHashOption = Annotated[bool, typer.Option("--no-hash", help="do not hash input and output")]


def resources_of(engine: str, memory: str | None, temp: str | None) -> Resources:
    """Read the options that say which engine works, and with what."""
    from indistinct.tables.engines import resources_of as resources_for

    return resources_for(engine, memory, temp)


def takes_an_engine(resources: Resources, **given: str | None) -> bool:
    """Return whether options are given that only an engine knows that writes in parts."""
    from indistinct.errors import Fault, ParameterError
    from indistinct.tables.engines import MEMORY

    faults = [
        Fault(
            f"--{word.replace('_', '-')}",
            "is for releases that are written in parts",
            "Take --engine polars or duckdb.",
        )
        for word, value in given.items()
        if value is not None
    ]
    if faults and resources.engine == MEMORY:
        raise ParameterError(faults)
    return bool(faults)


def anonymize_in_place(  # noqa: PLR0913 - the options of a command
    data: str,
    out: str,
    policy: Policy,
    resources: Resources,
    *,
    rows_per_file: int,
    replace: bool,
    hashes: bool,
    manifest: Path | None,
    owner: Path | None,
    crosswalk: Path | None,
    crosswalk_key: str | None,
    record_column: str | None,
    partition_by: str | None,
    verbose: bool,
    warnings: str,
    fail_on: str | None,
    as_json: bool,
) -> None:
    """Publish a table that is not read whole, and say what was written."""
    from indistinct.frontends.cli.finding_options import (
        exit_on_findings,
        say_findings,
    )
    from indistinct.frontends.cli.summary import as_owner_sees, manifest_summary
    from indistinct.tables.engines import sink_for
    from indistinct.tables.publish import anonymize_in_parts

    sink = sink_for(
        out,
        rows_per_file=rows_per_file,
        may_replace=replace,
        hashes=hashes,
        separator=policy.data.separator,
        partition_by=partition_by,
    )
    paths: dict[str, Any] = {
        "manifest": None if manifest is None else str(manifest),
        "owner": None if owner is None else str(owner),
        "crosswalk": None if crosswalk is None else str(crosswalk),
        "crosswalk_key": crosswalk_key,
        "record_column": record_column,
    }
    with progress_bar(quiet=as_json) as progress:
        made = anonymize_in_parts(
            data, policy, sink, resources=resources, progress=progress, **paths
        )
    say_findings(made.exact.findings, warnings, fail_on)
    if as_json:
        print_document(as_owner_sees(made))
    else:
        place = manifest or _place_of_manifest(out, is_folder=sink.is_folder)
        print_text(manifest_summary(made.exact, out, place, crosswalk, owner, verbose=verbose))
    exit_on_findings(made.exact.findings, fail_on)


def _place_of_manifest(out: str, *, is_folder: bool) -> str:
    """Return where the manifest of a release is: in its folder, beside its table or its file."""
    from indistinct.tables.reading import MANIFEST, database_table, is_database

    if is_database(out):
        return f"the table {database_table(out).table}_manifest beside it"
    return f"{out.rstrip('/')}/{MANIFEST}" if is_folder else f"{out}.manifest.json"

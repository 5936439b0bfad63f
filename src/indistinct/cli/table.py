"""The commands that describe a table and publish it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from indistinct.cli.first_run import compiling_together
from indistinct.cli.large import (
    EngineOption,
    KeyOption,
    MemoryOption,
    NoHashOption,
    PartitionOption,
    RecordOption,
    ReplaceOption,
    RowsOption,
    TempOption,
    anonymize_in_place,
    resources_of,
    takes_an_engine,
)
from indistinct.cli.table_options import DataArgument, JsonOption, PolicyOption
from indistinct.cli.terminal import (
    print_document,
    print_text,
    progress_bar,
    say,
    say_if_late,
)
from indistinct.errors import HistoryMovedError, ParameterError, PolicyError

if TYPE_CHECKING:
    from indistinct.policy.policy import Policy
    from indistinct.publish.release import Release

ATTEMPTS = 3  # to release, where other runs write into the same history


def inspect(  # noqa: PLR0913, PLR0917 - the options of a command
    data: DataArgument,
    policy: PolicyOption = None,
    draft: Annotated[
        Path | None,
        typer.Option("--draft", help="write a draft of a policy with these roles to this file"),
    ] = None,
    yes: Annotated[  # noqa: FBT002 - a flag of the command
        bool,
        typer.Option(
            "--yes-to-suggestions",
            help="in the draft, leave undecided columns out of the release (for demos)",
        ),
    ] = False,
    vulnerability: Annotated[  # noqa: FBT002 - a flag of the command
        bool,
        typer.Option("--vulnerability", help="also measure how much each column reveals"),
    ] = False,
    target: Annotated[
        str, typer.Option("--target", help="what vulnerability measures: sensitive or identity")
    ] = "sensitive",
    engine: EngineOption = "auto",
    memory: MemoryOption = None,
    temp: TempOption = None,
    as_json: JsonOption = False,  # noqa: FBT002 - a flag of the command
) -> None:
    """Describe every column and suggest its role.

    Example: indistinct sample patients --out patients.csv && indistinct inspect patients.csv
    """
    from indistinct.cli.pictures import draft_summary, inspection_table, vulnerability_bars
    from indistinct.policy.policy import Policy
    from indistinct.publish.inspect import inspect as inspect_table
    from indistinct.search.adaptive.settings import TARGETS

    if target not in TARGETS:
        raise ParameterError("--target: is not known", f"Choose one of {', '.join(TARGETS)}.")
    promised = None if policy is None else Policy.load(policy)
    with progress_bar(quiet=as_json) as progress:
        inspection = inspect_table(
            data,
            promised,
            vulnerability=target if vulnerability else None,
            resources=resources_of(engine, memory, temp),
            progress=progress,
        )
    if draft is not None:
        written = inspection.drafted(draft.stem, yes_to_suggestions=yes)
        texts = {draft.parent / name: text for name, text in written.files.items()}
        _write_texts({**texts, draft: written.text}, data)
        say(draft_summary(str(draft), written))
    if as_json:
        print_document(inspection.document())
    else:
        print_text(inspection_table(inspection))
        if inspection.vulnerability is not None:
            print_text(vulnerability_bars(inspection.vulnerability))


def anonymize(  # noqa: C901, PLR0913, PLR0917 - the words of the short form are options
    data: DataArgument,
    out: Annotated[
        str, typer.Option("--out", help="the file of the release; - for standard output")
    ],
    policy: PolicyOption = None,
    manifest: Annotated[
        Path | None, typer.Option("--manifest", help="default: OUT.manifest.json")
    ] = None,
    crosswalk: Annotated[
        Path | None,
        typer.Option(
            "--crosswalk", help="for the owner only: which released row came from which record"
        ),
    ] = None,
    owner: Annotated[
        Path | None,
        typer.Option("--owner", help="for the owner only: the manifest with exact figures"),
    ] = None,
    history: Annotated[
        Path | None,
        typer.Option("--history", help="for the owner only: the record of earlier releases"),
    ] = None,
    report: Annotated[
        Path | None, typer.Option("--report", help="for the owner only: the report, an HTML file")
    ] = None,
    metadata: Annotated[
        Path | None,
        typer.Option("--metadata", help="FILE.jsonld (Croissant) or .json (Table Schema)"),
    ] = None,
    quasi_identifiers: Annotated[
        str | None, typer.Option(help="short form: quasi-identifiers, comma-separated")
    ] = None,
    identifiers: Annotated[str, typer.Option(help="short form: columns to leave out")] = "",
    sensitive: Annotated[str, typer.Option(help="short form: sensitive columns")] = "",
    insensitive: Annotated[
        str, typer.Option(help="short form: columns that are released unchanged")
    ] = "",
    k: Annotated[
        int | None, typer.Option("--k", help="short form: smallest number of records per class")
    ] = None,
    algorithm: Annotated[
        str | None, typer.Option(help="the algorithm that searches for the release")
    ] = None,
    objective: Annotated[
        str | None, typer.Option(help="the measure of loss that is minimized")
    ] = None,
    max_suppression: Annotated[
        float | None, typer.Option(help="largest share of records that may be suppressed")
    ] = None,
    epsilon: Annotated[
        float | None, typer.Option(help='epsilon of the noise on columns with protect = "noise"')
    ] = None,
    suppressed: Annotated[
        str | None, typer.Option(help="how suppressed records are treated: drop or mask")
    ] = None,
    intervals: Annotated[
        str | None, typer.Option(help="how intervals are written: label, bounds or midpoint")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="makes the order of the records repeatable, for tests")
    ] = None,
    engine: EngineOption = "auto",
    memory: MemoryOption = None,
    temp: TempOption = None,
    rows_per_file: RowsOption = 10_000_000,
    partition_by: PartitionOption = None,
    crosswalk_key: KeyOption = None,
    record_column: RecordOption = None,
    replace_it: ReplaceOption = False,  # noqa: FBT002 - a flag of the command
    no_hash: NoHashOption = False,  # noqa: FBT002 - a flag of the command
    verbose: Annotated[  # noqa: FBT002 - a flag of the command
        bool, typer.Option("--verbose", help="print every figure and every warning")
    ] = False,
    as_json: JsonOption = False,  # noqa: FBT002 - a flag of the command
) -> None:
    """Make a release that satisfies the policy, write its manifest, and verify it.

    Example: indistinct anonymize patients.csv --policy policy.toml --out release.csv

    A column with protect = "noise" in the policy is not generalized. Each value gets noise whose
    scale is the width of its class divided by epsilon. Within a class, values can be distinguished
    by a factor of at most e^epsilon; between classes, k-anonymity holds. It is not differential
    privacy of the release.

    With time_limit in the policy, the search ends early enough for writing and verification. These
    cannot be shortened: if the whole run takes longer, a message says so.
    """
    from indistinct.cli.summary import faults_of, manifest_summary, warning_lines
    from indistinct.engines import files
    from indistinct.engines.choosing import is_large, refuse_for_records
    from indistinct.policy.linked_form import sensitive_path
    from indistinct.publish.anonymize import draft_release
    from indistinct.release.manifest import Manifest

    method = {
        "algorithm": algorithm,
        "objective": objective,
        "max_suppression": max_suppression,
    }
    form = {"suppressed": suppressed, "intervals": intervals}
    short = {
        "quasi_identifiers": _names(quasi_identifiers),
        "identifiers": _names(identifiers),
        "sensitive": _names(sensitive),
        "insensitive": _names(insensitive),
        "k": k,
    }
    promised = _with_options(
        _policy(policy, short), {"method": method, "release": form, "noise": {"epsilon": epsilon}}
    )
    started = time.monotonic()
    masks = sorted({mask.name for mask in promised.protections.values()})
    helped = compiling_together("anonymize", promised.algorithm.name, *masks)
    resources = resources_of(engine, memory, temp)
    in_parts = {
        "partition_by": partition_by,
        "crosswalk_key": crosswalk_key,
        "record_column": record_column,
    }
    if takes_an_engine(resources, **in_parts) or is_large(data, out, resources):
        whole = {"history": history, "report": report, "metadata": metadata, "seed": seed}
        refuse_for_records(**{f"--{name}": value for name, value in whole.items()})
        with helped:
            anonymize_in_place(
                data,
                out,
                promised,
                resources,
                rows_per_file=rows_per_file,
                replace=replace_it,
                hashes=not no_hash,
                manifest=manifest,
                owner=owner,
                crosswalk=crosswalk,
                **in_parts,
                verbose=verbose,
                as_json=as_json,
            )
        say_if_late(promised.method.time_limit, time.monotonic() - started)
        return
    files.check_table_output(out, data)
    linked = sensitive_path(out) if promised.release.form == "anatomy" else None
    own = {crosswalk, owner, history, report}
    for beside in (manifest, crosswalk, owner, linked, history, report, metadata):
        if beside is not None:
            files.check_output(str(beside), data, private=beside in own)
    if report is not None:
        from indistinct.report.write import check_report

        check_report(report, data, private=True)
    if metadata is not None:
        from indistinct.report.metadata.write import check_metadata

        check_metadata(metadata, out)
    with helped, progress_bar(quiet=as_json) as progress:
        release, document = _released(
            lambda: draft_release(
                data,
                promised,
                history=history,
                seed=seed,
                progress=progress,
                spares_memory=report is None and metadata is None,
            ),
            lambda made: made.write(out, manifest=manifest, crosswalk=crosswalk, owner=owner),
        )
        if report is not None:
            from indistinct.report.write import write_release_report

            write_release_report(release, report, name=Path(out).name, manifest=document, seed=seed)
        if metadata is not None:
            from indistinct.report.metadata.write import write_metadata

            write_metadata(release, metadata, out, document)
    say_if_late(promised.method.time_limit, time.monotonic() - started)
    for line in warning_lines(faults_of(release.exact.warnings)):
        say(f"warning: {line}")
    if as_json and out != files.STANDARD_STREAM:
        print_document(document)
    elif out != files.STANDARD_STREAM:
        written = Manifest.read(document)
        exact = replace(release.exact, output=written.output, sensitive=written.sensitive)
        print_text(manifest_summary(exact, out, manifest, crosswalk, owner, verbose=verbose))


def _released(
    make: Callable[[], Release], write: Callable[[Release], Mapping[str, Any]]
) -> tuple[Release, Mapping[str, Any]]:
    """Make a release and write it; make it anew where another run released meanwhile."""
    for _ in range(ATTEMPTS - 1):
        release = make()
        with suppress(HistoryMovedError):
            return release, write(release)
    release = make()
    return release, write(release)


def _names(listed: str | None) -> list[str]:
    """Split a comma-separated list of columns."""
    return [name.strip() for name in (listed or "").split(",") if name.strip()]


def _policy(path: Path | None, short: dict[str, Any]) -> Policy:
    """Read the policy, or build it from the short form."""
    from indistinct.policy.policy import Policy

    is_short = bool(short["quasi_identifiers"])
    if path is not None and (is_short or short["k"] is not None):
        raise PolicyError("both a policy and its short form are given", "Give one of them.")
    if path is not None:
        return Policy.load(path)
    if not is_short:
        raise PolicyError(
            "there is no policy",
            "Give --policy FILE, or --quasi-identifiers and --k; inspect --draft writes one.",
        )
    return Policy.from_keywords(**short)


def _with_options(policy: Policy, options: dict[str, dict[str, Any]]) -> Policy:
    """Let options of the command take the place of the policy's words."""
    given = {
        table: {word: value for word, value in words.items() if value is not None}
        for table, words in options.items()
    }
    if not any(given.values()):
        return policy
    return policy.with_words(given)


def _write_texts(texts: Mapping[Path, str], data: str) -> None:
    """Write text files that only their owner may read, all or nothing."""
    from indistinct.core.writing import atomic
    from indistinct.engines import files

    with ExitStack() as together:
        for path, text in texts.items():
            files.check_output(str(path), data, private=True)
            place = together.enter_context(atomic(path, private=True))
            place.write_text(text, encoding="utf-8")

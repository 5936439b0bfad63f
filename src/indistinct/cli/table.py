"""The commands that publish a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from indistinct.cli.large import (
    EngineOption,
    MemoryOption,
    NoHashOption,
    ReplaceOption,
    RowsOption,
    TempOption,
    anonymize_in_place,
    refuse_for_records,
    resources_of,
)
from indistinct.cli.terminal import print_document, print_text, progress_bar, say
from indistinct.errors import HistoryMovedError, ParameterError, PolicyError

if TYPE_CHECKING:
    from indistinct.policy.policy import Policy
    from indistinct.publish.release import Release

DataArgument = Annotated[
    str,
    typer.Argument(
        metavar="DATA",
        help="CSV, TSV, Parquet or Arrow; - for standard input; a folder, a pattern or a table",
    ),
]
PolicyOption = Annotated[Path | None, typer.Option("--policy", help="the policy, a TOML file")]
ATTEMPTS = 3  # to release, where other runs write into the same history
JsonOption = Annotated[bool, typer.Option("--json", help="print one JSON document")]


def inspect(  # noqa: PLR0913, PLR0917 - the options of a command
    data: DataArgument,
    policy: PolicyOption = None,
    draft: Annotated[
        Path | None, typer.Option("--draft", help="write a policy with these roles to this file")
    ] = None,
    yes: Annotated[  # noqa: FBT002 - a flag of the command
        bool,
        typer.Option(
            "--yes-to-suggestions",
            help="of a draft: leave the undecided columns out of the release, for demos",
        ),
    ] = False,
    vulnerability: Annotated[  # noqa: FBT002 - a flag of the command
        bool,
        typer.Option("--vulnerability", help="also say how much each column gives away"),
    ] = False,
    target: Annotated[
        str, typer.Option("--target", help="of vulnerability: sensitive or identity")
    ] = "sensitive",
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
    inspection = inspect_table(
        data,
        None if policy is None else Policy.load(policy),
        vulnerability=target if vulnerability else None,
    )
    if draft is not None:
        written = inspection.drafted(draft.stem, yes_to_suggestions=yes)
        for name, text in written.files.items():
            _write_text(draft.parent / name, text, data)
        _write_text(draft, written.text, data)
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
        str, typer.Option("--out", help="where the release goes; - for standard output")
    ],
    policy: PolicyOption = None,
    manifest: Annotated[
        Path | None, typer.Option("--manifest", help="default: OUT.manifest.json")
    ] = None,
    crosswalk: Annotated[
        Path | None,
        typer.Option("--crosswalk", help="for the owner alone: which row came from which"),
    ] = None,
    owner: Annotated[
        Path | None,
        typer.Option("--owner", help="for the owner alone: the manifest with exact figures"),
    ] = None,
    history: Annotated[
        Path | None,
        typer.Option("--history", help="for the owner alone: the record of earlier releases"),
    ] = None,
    report: Annotated[
        Path | None, typer.Option("--report", help="for the owner alone: the report, an HTML file")
    ] = None,
    metadata: Annotated[
        Path | None,
        typer.Option("--metadata", help="FILE.jsonld (Croissant) or .json (Table Schema)"),
    ] = None,
    quasi_identifiers: Annotated[
        str | None, typer.Option(help="short form: columns, comma-separated")
    ] = None,
    identifiers: Annotated[str, typer.Option(help="short form: columns to leave out")] = "",
    sensitive: Annotated[str, typer.Option(help="short form: sensitive columns")] = "",
    insensitive: Annotated[str, typer.Option(help="short form: columns that do neither")] = "",
    k: Annotated[
        int | None, typer.Option("--k", help="short form: least records per class")
    ] = None,
    algorithm: Annotated[str | None, typer.Option(help="how to search")] = None,
    objective: Annotated[str | None, typer.Option(help="what to keep small")] = None,
    max_suppression: Annotated[float | None, typer.Option(help="share of records")] = None,
    epsilon: Annotated[
        float | None, typer.Option(help='of the noise on columns with protect = "noise"')
    ] = None,
    suppressed: Annotated[str | None, typer.Option(help="drop or mask")] = None,
    intervals: Annotated[str | None, typer.Option(help="label, bounds or midpoint")] = None,
    seed: Annotated[int | None, typer.Option(help="repeatable order of records, for tests")] = None,
    engine: EngineOption = "auto",
    memory: MemoryOption = None,
    temp: TempOption = None,
    rows_per_file: RowsOption = 10_000_000,
    replace_it: ReplaceOption = False,  # noqa: FBT002 - a flag of the command
    no_hash: NoHashOption = False,  # noqa: FBT002 - a flag of the command
    verbose: Annotated[  # noqa: FBT002 - a flag of the command
        bool, typer.Option("--verbose", help="print every figure and every warning")
    ] = False,
    as_json: JsonOption = False,  # noqa: FBT002 - a flag of the command
) -> None:
    """Make a release in which nobody stands out, its manifest, and verify it.

    A column with protect = "noise" is not generalized: each value gets noise of the width of its
    class over epsilon. Inside a class, values can then be told apart by a factor of at most
    e^epsilon; between classes, k-anonymity holds. It is not differential privacy of the release.

    Example: indistinct anonymize patients.csv --policy policy.toml --out release.csv
    """
    from indistinct.cli.summary import faults_of, manifest_summary, warning_lines
    from indistinct.engines import files
    from indistinct.engines.choosing import is_large
    from indistinct.policy.linked_form import sensitive_path
    from indistinct.publish.anonymize import draft_release
    from indistinct.release.manifest import Manifest
    from indistinct.report.metadata.write import check_metadata, write_metadata
    from indistinct.report.write import check_report
    from indistinct.report.write import write_release_report as write_report

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
    resources = resources_of(engine, memory, temp)
    if is_large(data, out, resources):
        refuse_for_records(
            crosswalk=crosswalk, history=history, report=report, metadata=metadata, seed=seed
        )
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
            verbose=verbose,
            as_json=as_json,
        )
        return
    files.check_output(out, data)
    linked = sensitive_path(out) if promised.release.form == "anatomy" else None
    for beside in (manifest, crosswalk, owner, linked, history, report, metadata):
        if beside is not None:
            files.check_output(str(beside), data)
    if report is not None:
        check_report(report, data)
    if metadata is not None:
        check_metadata(metadata, out)
    with progress_bar(quiet=as_json) as progress:
        release, document = _released(
            lambda: draft_release(data, promised, history=history, seed=seed, progress=progress),
            lambda made: made.write(out, manifest=manifest, crosswalk=crosswalk, owner=owner),
        )
        if report is not None:
            write_report(release, report, name=Path(out).name, manifest=document)
        if metadata is not None:
            write_metadata(release, metadata, out, document)
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


def assess(  # noqa: PLR0913, PLR0917 - its options are its parameters
    context: typer.Context,
    data: DataArgument,
    policy: Annotated[Path, typer.Option("--policy", help="the policy, a TOML file")],
    original: Annotated[
        Path | None, typer.Option("--original", help="the table it came from")
    ] = None,
    population: Annotated[
        Path | None, typer.Option("--population", help="who may be meant: the journalist's risk")
    ] = None,
    queries: Annotated[
        int | None, typer.Option(help="random count queries; needs --original")
    ] = None,
    learn: Annotated[
        str | None, typer.Option(help="column that a model predicts; needs --original")
    ] = None,
    weights: Annotated[
        str | None, typer.Option("--weights", help="column: people that a record stands for")
    ] = None,
    require: Annotated[
        list[str] | None, typer.Option("--require", help='such as "k>=5"; exit 1 when it fails')
    ] = None,
    as_json: JsonOption = False,  # noqa: FBT002 - a flag of the command
) -> None:
    """Measure a table as it is, published or not.

    Example: indistinct assess release.csv --policy policy.toml --require "k>=5"
    """
    from indistinct.cli.assessment import assessment_summary
    from indistinct.policy.policy import Policy
    from indistinct.reader.assess.assess import assess as assess_table

    assessment = assess_table(
        data,
        Policy.load(policy),
        original=original,
        population=population,
        queries=queries,
        learn=learn,
        weights=weights,
    )
    failed = [text for text in require or [] if not assessment.meets(text)]
    show_values = bool(context.obj)
    if as_json:
        print_document(assessment.document(show_values=show_values))
    else:
        print_text(assessment_summary(assessment, show_values=show_values))
    for text in failed:
        say(f"does not hold: {text}")
    if failed:
        raise typer.Exit(1)


def verify(  # noqa: PLR0913, PLR0917 - its options are its parameters
    data: DataArgument,
    policy: PolicyOption = None,
    original: Annotated[
        str | None, typer.Option("--original", help="the table it came from")
    ] = None,
    crosswalk: Annotated[
        Path | None, typer.Option("--crosswalk", help="with --original: which row is whose")
    ] = None,
    manifest: Annotated[
        Path | None, typer.Option("--manifest", help="default: DATA.manifest.json")
    ] = None,
    owner: Annotated[
        Path | None,
        typer.Option("--owner", help="the owner's file: is --original the input? needs --original"),
    ] = None,
    engine: EngineOption = "auto",
    memory: MemoryOption = None,
    temp: TempOption = None,
    history: Annotated[
        Path | None,
        typer.Option("--history", help="with --original: does everybody keep what was shown?"),
    ] = None,
    dataset: Annotated[
        Path | None, typer.Option("--dataset", help="of a made-up table: its declaration")
    ] = None,
    model: Annotated[
        Path | None, typer.Option("--model", help="of a made-up table: the model it follows")
    ] = None,
    as_json: JsonOption = False,  # noqa: FBT002 - a flag of the command
) -> None:
    """Check a release against its policy, from the written file alone.

    A table that indistinct synthesize made is checked against --dataset and --model instead.

    Exit 0 when it holds, 1 when it does not or when the file alone cannot decide it.

    Example: indistinct verify release.csv --policy policy.toml
    """
    if policy is None:
        from indistinct.cli.synthesize import verify_made_up

        verify_made_up(data, dataset, model, as_json=as_json)
        return
    from indistinct.cli.pictures import verification_summary
    from indistinct.policy.policy import Policy
    from indistinct.reader.verify.verify import verify as verify_release

    promised, resources = Policy.load(policy), resources_of(engine, memory, temp)
    result = verify_release(
        data,
        promised,
        original=original,
        manifest=manifest,
        owner=owner,
        crosswalk=crosswalk,
        resources=resources,
        history=history,
    )
    if as_json:
        print_document(result.document())
    else:
        print_text(verification_summary(result))
    if result.holds is not True:
        raise typer.Exit(1)


def sample(  # noqa: PLR0913, PLR0917 - its options are its parameters
    name: Annotated[
        str, typer.Argument(help="patients, their register, or the hierarchy of diagnosis codes")
    ],
    out: Annotated[str, typer.Option("--out", help="where it goes; - for standard output")] = "-",
    rows: Annotated[int, typer.Option("--rows", help="number of records")] = 20_000,
    seed: Annotated[int, typer.Option("--seed", help="the same seed gives the same table")] = 1,
    with_codes: Annotated[  # noqa: FBT002 - a flag of the command
        bool, typer.Option("--with-codes", help="patients have a column of diagnosis codes, too")
    ] = False,
    as_json: JsonOption = False,  # noqa: FBT002 - a flag of the command
) -> None:
    """Make a table of fictitious people to try things on.

    Example: indistinct sample patients --rows 20000 --out patients.csv
    """
    from indistinct.core.writing import atomic
    from indistinct.engines import files
    from indistinct.publish.sample import sample as make

    frame = make(name, rows, seed, with_codes=with_codes)
    is_table = name != "codes"  # a hierarchy has no header
    if out == files.STANDARD_STREAM:
        print_text(frame.write_csv(include_header=is_table).rstrip("\n"))
        return
    files.check_output(out, None)
    with atomic(Path(out)) as temporary:
        if is_table:
            files.write(frame, str(temporary), files.format_of(out))
        else:
            frame.write_csv(temporary, include_header=False)
    if as_json:
        print_document({"rows": frame.height, "columns": frame.columns, "path": out})
    else:
        say(f"wrote {out}: {frame.height:,} fictitious records")


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


def _write_text(path: Path, text: str, data: str) -> None:
    """Write a text file that only its owner may read, all or nothing."""
    from indistinct.core.writing import atomic
    from indistinct.engines import files

    files.check_output(str(path), data)
    with atomic(path, private=True) as temporary:
        temporary.write_text(text, encoding="utf-8")

"""The command that publishes a table: ``indistinct anonymize``."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from indistinct.errors import HistoryMovedError, PolicyError
from indistinct.frontends.cli.finding_options import (
    FIRST,
    FailOnOption,
    WarningsOption,
    check_finding_options,
    exit_on_findings,
    say_doubtful_labels,
    say_findings,
)
from indistinct.frontends.cli.large import (
    EngineOption,
    KeyOption,
    MemoryOption,
    NoHashOption,
    PartitionOption,
    RecordOption,
    RowsOption,
    TempOption,
    anonymize_in_place,
    resources_of,
    takes_an_engine,
)
from indistinct.frontends.cli.options import takes
from indistinct.frontends.cli.outputs import ReplaceOption, refuse_standing
from indistinct.frontends.cli.related import TAKEN, FolderOptions, anonymize_folder
from indistinct.frontends.cli.table_options import DataArgument, JsonOption, PolicyOption
from indistinct.frontends.cli.terminal import (
    print_document,
    print_text,
    progress_bar,
    say,
    say_if_late,
)

if TYPE_CHECKING:
    from indistinct.tables.core import Progress
    from indistinct.tables.engines import Resources
    from indistinct.tables.policy import Policy
    from indistinct.tables.publish import Release

ATTEMPTS = 3  # to release, where other runs write into the same history


@dataclass(frozen=True, slots=True)
class AnonymizeOptions:
    """The argument and the options of the command, each with its help."""

    data: DataArgument
    out: Annotated[
        str, typer.Option("--out", help="the file of the release; - for standard output")
    ]
    policy: PolicyOption = None
    manifest: Annotated[
        Path | None, typer.Option("--manifest", help="default: OUT.manifest.json")
    ] = None
    crosswalk: Annotated[
        Path | None,
        typer.Option(
            "--crosswalk", help="for the owner only: which released row came from which record"
        ),
    ] = None
    owner: Annotated[
        Path | None,
        typer.Option("--owner", help="for the owner only: the manifest with exact figures"),
    ] = None
    history: Annotated[
        Path | None,
        typer.Option("--history", help="for the owner only: the record of earlier releases"),
    ] = None
    report: Annotated[
        Path | None, typer.Option("--report", help="for the owner only: the report, an HTML file")
    ] = None
    metadata: Annotated[
        Path | None,
        typer.Option("--metadata", help="FILE.jsonld (Croissant) or .json (Table Schema)"),
    ] = None
    quasi_identifiers: Annotated[
        str | None, typer.Option(help="short form: quasi-identifiers, comma-separated")
    ] = None
    identifiers: Annotated[str, typer.Option(help="short form: columns to leave out")] = ""
    sensitive: Annotated[str, typer.Option(help="short form: sensitive columns")] = ""
    insensitive: Annotated[
        str, typer.Option(help="short form: columns that are released unchanged")
    ] = ""
    k: Annotated[
        int | None, typer.Option("--k", help="short form: smallest number of records per class")
    ] = None
    algorithm: Annotated[
        str | None, typer.Option(help="the algorithm that searches for the release")
    ] = None
    objective: Annotated[str | None, typer.Option(help="the measure of loss that is minimized")] = (
        None
    )
    max_suppression: Annotated[
        float | None, typer.Option(help="largest share of records that may be suppressed")
    ] = None
    epsilon: Annotated[
        float | None, typer.Option(help='epsilon of the noise on columns with protect = "noise"')
    ] = None
    suppressed: Annotated[
        str | None, typer.Option(help="how suppressed records are treated: drop or mask")
    ] = None
    intervals: Annotated[
        str | None, typer.Option(help="how intervals are written: label, bounds or midpoint")
    ] = None
    seed: Annotated[
        int | None, typer.Option(help="repeats all random choices of a release, for tests")
    ] = None
    engine: EngineOption = "auto"
    memory: MemoryOption = None
    temp: TempOption = None
    rows_per_file: RowsOption = 10_000_000
    partition_by: PartitionOption = None
    crosswalk_key: KeyOption = None
    record_column: RecordOption = None
    replace_it: ReplaceOption = False
    no_hash: NoHashOption = False
    verbose: Annotated[bool, typer.Option("--verbose", help="print every figure")] = False
    warnings: WarningsOption = FIRST
    fail_on: FailOnOption = None
    as_json: JsonOption = False

    def policy_as_asked(self) -> Policy:
        """Return the policy of the file or of the short form, with the options in their place."""
        columns = ("quasi_identifiers", "identifiers", "sensitive", "insensitive")
        short = {name: _names(getattr(self, name)) for name in columns} | {"k": self.k}
        method = ("algorithm", "objective", "max_suppression")
        options: dict[str, dict[str, Any]] = {
            "method": {name: getattr(self, name) for name in method},
            "release": {"suppressed": self.suppressed, "intervals": self.intervals},
            "noise": {"epsilon": self.epsilon},
        }
        return _with_options(_policy(self.policy, short), options)

    @property
    def in_parts(self) -> dict[str, Any]:
        """The options that only engines have."""
        names = ("partition_by", "crosswalk_key", "record_column")
        return {name: getattr(self, name) for name in names}


@takes(AnonymizeOptions)
def anonymize(asked: AnonymizeOptions) -> None:
    """Make a release that satisfies the policy, write its manifest, and verify it.

    Example: indistinct anonymize patients.csv --policy policy.toml --out release.csv

    A column with protect = "noise" in the policy is not generalized. Each value gets noise whose
    scale is the width of its class divided by epsilon. Within a class, values can be distinguished
    by a factor of at most e^epsilon; between classes, k-anonymity holds. It is not differential
    privacy of the release.

    With time_limit in the policy, the search ends early enough for writing and verification. These
    cannot be shortened: if the whole run takes longer, a message says so.
    """
    from indistinct.related import related_policy
    from indistinct.tables.engines import is_large

    check_finding_options(asked.warnings, asked.fail_on)
    if (related := related_policy(asked.policy)) is not None:
        given = (one.name for one in fields(asked) if getattr(asked, one.name) != one.default)
        others = [name for name in given if name not in TAKEN]
        folder = FolderOptions(
            asked.data,
            asked.out,
            asked.crosswalk,
            asked.seed,
            asked.replace_it,
            asked.as_json,
            asked.warnings,
            asked.fail_on,
            others,
        )
        anonymize_folder(folder, related)
        return
    policy = asked.policy_as_asked()
    outputs = _outputs(asked, policy.release.form)
    refuse_standing(outputs, replace=asked.replace_it, source=asked.data)
    started = time.monotonic()
    resources = resources_of(asked.engine, asked.memory, asked.temp)
    if takes_an_engine(resources, **asked.in_parts) or is_large(asked.data, asked.out, resources):
        _publish_in_place(asked, policy, resources)
        say_doubtful_labels(policy)
        say_if_late(policy.method.time_limit, time.monotonic() - started)
        return
    _check_outputs(asked, policy.release.form)
    with progress_bar(quiet=asked.as_json) as progress:
        release, made = _published(asked, policy, progress)
        progress(1.0, "trying other policies")
        hidden = release.hidden_columns()
    say_doubtful_labels(policy)
    say_if_late(policy.method.time_limit, time.monotonic() - started)
    _print(asked, made, hidden)


def _publish_in_place(asked: AnonymizeOptions, policy: Policy, resources: Resources) -> None:
    """Publish a table where it is; what looks at single records is refused."""
    from indistinct.tables.engines import refuse_for_records

    whole = ("history", "report", "metadata", "seed")
    refuse_for_records(**{f"--{name}": getattr(asked, name) for name in whole})
    anonymize_in_place(
        asked.data,
        asked.out,
        policy,
        resources,
        rows_per_file=asked.rows_per_file,
        replace=asked.replace_it,
        hashes=not asked.no_hash,
        manifest=asked.manifest,
        owner=asked.owner,
        crosswalk=asked.crosswalk,
        **asked.in_parts,
        verbose=asked.verbose,
        warnings=asked.warnings,
        fail_on=asked.fail_on,
        as_json=asked.as_json,
    )


def _outputs(asked: AnonymizeOptions, form: str) -> list[str | Path | None]:
    """List the files that are written for the options; a history is continued, not replaced."""
    from indistinct.base.files.pair import sensitive_path

    linked = sensitive_path(asked.out) if form == "anatomy" else None
    written_file = asked.manifest or f"{asked.out}.manifest.json"
    private = (asked.crosswalk, asked.owner, asked.report)
    return [asked.out, written_file, linked, asked.metadata, *private]


def _check_outputs(asked: AnonymizeOptions, form: str) -> None:
    """Refuse files that cannot be written, before anything is read."""
    from indistinct.tables.reading import check_output, check_table_output

    check_table_output(asked.out, asked.data)
    private = (asked.crosswalk, asked.owner, asked.history, asked.report)
    for written_file in (*_outputs(asked, form)[1:], asked.history):
        if written_file is not None:
            check_output(str(written_file), asked.data, private=written_file in private)
    if asked.report is not None:
        from indistinct.frontends.report.write import check_report

        check_report(asked.report, asked.data, private=True)
    if asked.metadata is not None:
        from indistinct.frontends.report.metadata.write import check_metadata

        check_metadata(asked.metadata, asked.out)


def _published(asked: AnonymizeOptions, policy: Policy, progress: Progress) -> tuple[Release, Any]:
    """Make the release, write it, and write what is asked for beside it."""
    from indistinct.tables.publish import draft_release

    release, made = _released(
        lambda: draft_release(
            asked.data,
            policy,
            history=asked.history,
            seed=asked.seed,
            progress=progress,
        ),
        lambda one: one.written(
            asked.out, manifest=asked.manifest, crosswalk=asked.crosswalk, owner=asked.owner
        ),
    )
    for unread in release.unread:
        say(f"note: {unread}")
    if asked.report is not None:
        from indistinct.frontends.report.write import write_release_report

        name = Path(asked.out).name
        write_release_report(
            release,
            asked.report,
            name=name,
            manifest=made.published.document(),
            statements=made.exact.statements,
            seed=asked.seed,
        )
    if asked.metadata is not None:
        from indistinct.frontends.report.metadata.write import write_metadata

        write_metadata(release, asked.metadata, asked.out, made.published.document())
    return release, made


def _print(asked: AnonymizeOptions, made: Any, hidden: Sequence[Mapping[str, Any]]) -> None:
    """Print what was released, and warn of what the release gives away.

    Parameters
    ----------
    hidden : the columns that most records hide, and what would keep them
    """
    from indistinct.base.files.text import STANDARD_STREAM
    from indistinct.frontends.cli.summary import as_owner_sees, hidden_summary, manifest_summary

    exact = made.exact
    say_findings(exact.findings, asked.warnings, asked.fail_on)
    if asked.as_json and asked.out != STANDARD_STREAM:
        listed = {"hidden": list(hidden)} if hidden else {}
        print_document({**as_owner_sees(made), **listed})
    elif asked.out != STANDARD_STREAM:
        exact = replace(exact, codebook=made.published.codebook)
        paths = (asked.out, asked.manifest, asked.crosswalk, asked.owner)
        print_text(manifest_summary(exact, *paths, verbose=asked.verbose))
        if hidden:
            loss = exact.loss.get(exact.method.objective or "", 0.0)
            print_text(hidden_summary(hidden, float(loss)))
    exit_on_findings(made.exact.findings, asked.fail_on)


def _released(make: Callable[[], Release], write: Callable[[Release], Any]) -> tuple[Release, Any]:
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
    from indistinct.tables.policy import Policy

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

"""The command that describes a table: ``indistinct inspect``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from indistinct.errors import ParameterError
from indistinct.frontends.cli.large import (
    EngineOption,
    MemoryOption,
    TempOption,
)
from indistinct.frontends.cli.outputs import ReplaceOption, refuse_standing, write_texts
from indistinct.frontends.cli.related import inspect_folder
from indistinct.frontends.cli.table_options import DataArgument, JsonOption, PolicyOption
from indistinct.frontends.cli.terminal import (
    print_document,
    print_text,
    progress_bar,
    say,
)

EncodingOption = Annotated[
    str | None, typer.Option("--encoding", help="of a text file, such as cp1252; else it is found")
]
SeparatorOption = Annotated[
    str | None, typer.Option("--separator", help="the character between cells; else it is found")
]
QuoteOption = Annotated[
    str | None,
    typer.Option("--quote", help="the character around cells, '' for none; else it is found"),
]
EscapeOption = Annotated[
    str | None,
    typer.Option("--escape", help="the character before a quote inside a cell; else it is found"),
]
DecimalOption = Annotated[
    str | None, typer.Option("--decimal", help="the character before decimals: . or ,")
]
HeaderOption = Annotated[
    int | None, typer.Option("--header", help="the line or row with the names of the columns")
]
SkipRowsOption = Annotated[
    int | None, typer.Option("--skip-rows", help="rows behind the header that are not records")
]
SkipLastOption = Annotated[
    int | None, typer.Option("--skip-last", help="rows at the end that are not records")
]
FormatsOption = Annotated[
    list[str] | None,
    typer.Option("--formats", help="how dates are written: COLUMN=dd/mm/yyyy; may be repeated"),
]
TypesOption = Annotated[
    list[str] | None,
    typer.Option("--types", help="what cells are: COLUMN=number; may be repeated"),
]
if TYPE_CHECKING:
    from indistinct.tables.drafting import PolicyDraft
    from indistinct.tables.publish import Inspection

DOUBT, NO_RELEASE = "doubt", 3
WIDEST = 24  # characters of a cell that are shown


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
    settle: Annotated[
        list[str] | None,
        typer.Option(
            "--settle",
            help="an answer: COLUMN=ROLE, COLUMN+=ROLE, (file)=ENCODING; may be repeated",
        ),
    ] = None,
    fail_on: Annotated[
        str | None,
        typer.Option("--fail-on", help="doubt: end with 1 while a question is open"),
    ] = None,
    explain: Annotated[  # noqa: FBT002 - a flag of the command
        bool,
        typer.Option(
            "--explain", help="print the columns that the policy decides otherwise, as entries"
        ),
    ] = False,
    profile: Annotated[
        str | None,
        typer.Option("--profile", help="of related tables: omop-5.4 or mimic-iv"),
    ] = None,
    preview: Annotated[  # noqa: FBT002 - a flag of the command
        bool,
        typer.Option("--preview", help="print the first rows as they are read, and nothing else"),
    ] = False,
    trials: Annotated[  # noqa: FBT002 - a flag of the command
        bool,
        typer.Option(
            "--trials",
            help="print which columns a release by the policy would hide, and what would keep them",
        ),
    ] = False,
    encoding: EncodingOption = None,
    separator: SeparatorOption = None,
    quote: QuoteOption = None,
    escape: EscapeOption = None,
    decimal: DecimalOption = None,
    header: HeaderOption = None,
    skip_rows: SkipRowsOption = None,
    skip_last: SkipLastOption = None,
    formats: FormatsOption = None,
    types: TypesOption = None,
    engine: EngineOption = "auto",
    memory: MemoryOption = None,
    temp: TempOption = None,
    replace: ReplaceOption = False,  # noqa: FBT002 - a flag of the command
    as_json: JsonOption = False,  # noqa: FBT002 - a flag of the command
) -> None:
    """Describe every column and suggest its role.

    Example: indistinct sample patients --out patients.csv && indistinct inspect patients.csv
    """
    from indistinct.frontends.cli.pictures import draft_summary
    from indistinct.tables.publish import inspect_table
    from indistinct.tables.search import TARGETS

    if target not in TARGETS:
        raise ParameterError("--target: is not known", f"Choose one of {', '.join(TARGETS)}.")
    _check_words(policy, fail_on, explain=explain)
    refuse_standing([draft], replace=replace)
    reading: dict[str, Any] = {
        "encoding": encoding,
        "separator": separator,
        "quote": quote,
        "escape": escape,
        "decimal": decimal,
        "header": header,
        "skip_rows": skip_rows,
        "skip_last": skip_last,
        "formats": by_column("--formats", formats),
        "types": by_column("--types", types),
    }
    if trials:
        _print_trials(data, policy, as_json=as_json)
        return
    if preview:
        print_preview(data, policy, reading, as_json=as_json)
        return
    if profile is not None or _is_folder_of_tables(data, policy, reading):
        _refuse_of_one_table(
            {
                "policy": policy is not None,
                "vulnerability": vulnerability,
                "yes-to-suggestions": yes,
                "settle": bool(settle),
                "fail-on": fail_on is not None,
                "explain": explain,
                "engine": engine not in {"auto", "memory"},
                **{name.replace("_", "-"): bool(said) for name, said in reading.items()},
            },
            profile,
        )
        inspect_folder(data, draft, profile, replace=replace, as_json=as_json)
        return
    with progress_bar(quiet=as_json) as progress:
        inspection = inspect_table(
            data,
            policy,
            vulnerability=target if vulnerability else None,
            engine=engine,
            memory=memory,
            temp=temp,
            progress=progress,
            settle=by_column("--settle", settle, "smoker=sensitive"),
            **reading,
        )
    written: PolicyDraft | None = None
    if draft is not None:
        written = inspection.drafted(draft.stem, yes_to_suggestions=yes, tries=policy is None)
        texts = {draft.parent / name: text for name, text in written.files.items()}
        refuse_standing(texts, replace=replace)
        write_texts({**texts, draft: written.text}, data)
        say(draft_summary(str(draft), written))
    _print_inspection(inspection, as_json=as_json, explain=explain)
    if written is not None and (written.lacks_known or written.trial):
        raise typer.Exit(NO_RELEASE)
    if fail_on is not None and any(one.chosen is None for one in inspection.doubts):
        raise typer.Exit(1)


def _print_trials(data: str, policy: Path | None, *, as_json: bool) -> None:
    """Print which columns a release would hide, and what was tried to keep them.

    Raises
    ------
    ParameterError
        when there is no policy
    """
    from indistinct.frontends.cli.summary import hidden_summary
    from indistinct.tables.policy import Policy
    from indistinct.tables.publish import draft_release

    if policy is None:
        raise ParameterError("--trials: needs a policy", "Name it with --policy.")
    with progress_bar(quiet=as_json) as progress:
        release = draft_release(data, Policy.load(policy), progress=progress)
        hidden = release.hidden_columns()
    if as_json:
        print_document({"hidden": list(hidden)})
        return
    owner = release.owner
    loss = owner["loss"].get(owner["method"].get("objective") or "", 0.0)
    text = hidden_summary(hidden, float(loss))
    print_text(text or "No column would be hidden in most of the records.")


def _check_words(policy: Path | None, fail_on: str | None, *, explain: bool) -> None:
    """Refuse words of options that are not known, and an option that lacks another one."""
    if fail_on not in {None, DOUBT}:
        raise ParameterError("--fail-on: is not known", f"Write --fail-on {DOUBT}.")
    if explain and policy is None:
        raise ParameterError("--explain: needs a policy", "Name it with --policy.")


def _print_inspection(inspection: Inspection, *, as_json: bool, explain: bool) -> None:
    """Print what was found: as JSON, as entries of the glossary, or as a table."""
    from indistinct.frontends.cli.pictures import entries_of, inspection_table, vulnerability_bars

    if as_json:
        print_document(inspection.document())
        return
    print_text(entries_of(inspection) if explain else inspection_table(inspection))
    if inspection.vulnerability is not None and not explain:
        print_text(vulnerability_bars(inspection.vulnerability))


def _refuse_of_one_table(given: Mapping[str, bool], profile: str | None) -> None:
    """Refuse options of one table where several are looked at, or are said to be there."""
    listed = ", ".join(f"--{name}" for name, is_given in given.items() if is_given)
    if listed:
        further_option = "" if profile is None else " beside --profile"
        remedy = "Leave it out; the tables are read whole, into memory."
        raise ParameterError(f"related tables do not take {listed}{further_option}", remedy)


def _is_folder_of_tables(data: str, policy: Path | None, reading: Mapping[str, Any]) -> bool:
    """Return whether a folder holds tables with different columns, and nothing else is asked."""
    if policy is not None or any(reading.values()):
        return False
    from indistinct.related import has_related_tables

    return has_related_tables(data)


def by_column(
    option: str, given: Sequence[str] | None, example: str = "birth=dd/mm/yyyy"
) -> dict[str, str] | None:
    """Read words of the form ``COLUMN=WORD``."""
    if not given:
        return None
    wrong = [word for word in given if "=" not in word]
    if wrong:
        problem = f"{option}: needs the name of a column, an equals sign and a word"
        raise ParameterError(problem, f"Write it as {option} {example}.")
    return dict(word.rsplit("=", 1) for word in given)


def print_preview(
    data: str, policy: Path | None, reading: Mapping[str, Any], *, as_json: bool
) -> None:
    """Print the first rows of a table as they are read."""
    from indistinct.tables.publish import preview

    found = preview(data, policy, **reading)
    if as_json:
        print_document(found.document())
        return
    lines = _in_columns([found.names, found.types, *found.rows], heads=2)
    text = [f"{found.n_records:,} records", *lines, *([""] if found.found else []), *found.found]
    for one in found.open:
        text += ["", "It is open how the file is read:", *_in_columns(one, heads=1)]
    print_text("\n".join(text))


def _in_columns(rows: Sequence[Sequence[str]], heads: int) -> list[str]:
    """Write rows below each other, with a line below the first ones."""
    shown = [[_short(cell) for cell in row] for row in rows]
    widths = [max(map(len, cells)) for cells in zip(*shown, strict=True)]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in shown
    ]
    lines.insert(heads, "  ".join("\u2500" * width for width in widths))
    return lines


def _short(cell: str) -> str:
    """Return what fits into a column of the preview, on one line."""
    line = " ".join(cell.split())
    return line if len(line) <= WIDEST else f"{line[: WIDEST - 1]}\u2026"

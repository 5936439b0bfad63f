"""The commands that measure and check a table."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from indistinct.cli import DOES_NOT_HOLD, UNDECIDED
from indistinct.cli.large import EngineOption, MemoryOption, TempOption
from indistinct.cli.summary import reached
from indistinct.cli.table_options import DataArgument, JsonOption, PolicyOption
from indistinct.cli.terminal import exit_unless_met, print_document, print_text
from indistinct.release.entries import ModelEntry
from indistinct.release.ranked_warnings import lines_of_documents

if TYPE_CHECKING:
    from indistinct.reader.verify.verify import Verification

ManifestOption = Annotated[
    bool, typer.Option("--require-manifest", help="a release without a manifest is an error")
]
MOST_NAMES = 3


def assess(  # noqa: PLR0913, PLR0917 - its options are its parameters
    context: typer.Context,
    data: DataArgument,
    policy: Annotated[Path, typer.Option("--policy", help="the policy, a TOML file")],
    original: Annotated[
        str | None, typer.Option("--original", help="the table that the release was made from")
    ] = None,
    population: Annotated[
        Path | None,
        typer.Option("--population", help="a table of the population, for the journalist's risk"),
    ] = None,
    queries: Annotated[
        int | None, typer.Option(help="number of random count queries; needs --original")
    ] = None,
    learn: Annotated[
        str | None, typer.Option(help="column that a model predicts; needs --original")
    ] = None,
    weights: Annotated[
        str | None,
        typer.Option("--weights", help="column with the number of people that a record represents"),
    ] = None,
    require: Annotated[
        list[str] | None,
        typer.Option("--require", help='a condition such as "k>=5"; exit code 1 if it fails'),
    ] = None,
    engine: EngineOption = "auto",
    memory: MemoryOption = None,
    temp: TempOption = None,
    as_json: JsonOption = False,  # noqa: FBT002 - a flag of the command
) -> None:
    """Measure risk, privacy models and utility of a table, published or not.

    Example: indistinct assess release.csv --policy policy.toml --require "k>=5"
    """
    from indistinct.cli.assessment import assessment_summary
    from indistinct.cli.related import related_assessment
    from indistinct.reader.assess.assess import assess as assess_table
    from indistinct.reader.assess.related import RelatedAssessment

    asked: Any = policy  # one of related tables, too
    assessment: Any = assess_table(
        data,
        asked,
        original=original,
        population=population,
        queries=queries,
        learn=learn,
        weights=weights,
        engine=engine,
        memory=memory,
        temp=temp,
    )
    failed = [text for text in require or [] if not assessment.meets(text)]
    show_values = bool(context.obj)
    if isinstance(assessment, RelatedAssessment):
        if as_json:
            print_document(assessment.document())
        else:
            print_text(related_assessment(assessment))
    elif as_json:
        print_document(assessment.document(show_values=show_values))
    else:
        print_text(assessment_summary(assessment, show_values=show_values))
    exit_unless_met(failed)


def verify(  # noqa: PLR0913, PLR0917 - its options are its parameters
    data: DataArgument,
    policy: PolicyOption = None,
    original: Annotated[
        str | None, typer.Option("--original", help="the table that the release was made from")
    ] = None,
    crosswalk: Annotated[
        Path | None,
        typer.Option("--crosswalk", help="which row came from which record; needs --original"),
    ] = None,
    manifest: Annotated[
        Path | None, typer.Option("--manifest", help="default: DATA.manifest.json")
    ] = None,
    owner: Annotated[
        Path | None,
        typer.Option("--owner", help="the owner's file, to check that --original is the input"),
    ] = None,
    engine: EngineOption = "auto",
    memory: MemoryOption = None,
    temp: TempOption = None,
    history: Annotated[
        Path | None,
        typer.Option("--history", help="checks earlier releases of each person; needs --original"),
    ] = None,
    declaration: Annotated[
        Path | None, typer.Option("--declaration", help="for a synthetic table: its declaration")
    ] = None,
    model: Annotated[
        Path | None,
        typer.Option("--model", help="for a synthetic table: the model it was drawn from"),
    ] = None,
    require_manifest: ManifestOption = False,  # noqa: FBT002 - a flag of the command
    as_json: JsonOption = False,  # noqa: FBT002 - a flag of the command
) -> None:
    """Check a release against its policy, from the written file alone.

    Without --policy, the public policy in the manifest is taken. A table that indistinct synthesize
    made is checked against --declaration and --model instead.

    Exit 0 when it holds, 1 when it does not, 4 when the file alone cannot decide it.

    Example: indistinct verify release.csv --policy policy.toml
    """
    if policy is None and (declaration is not None or model is not None):
        from indistinct.cli.synthesize import verify_made_up

        verify_made_up(data, declaration, model, manifest, as_json=as_json)
        return
    from indistinct.cli.checking import verification_summary
    from indistinct.reader.verify.verify import verify as verify_release

    result = verify_release(
        data,
        policy,
        original=original,
        manifest=manifest,
        owner=owner,
        crosswalk=crosswalk,
        engine=engine,
        memory=memory,
        temp=temp,
        history=history,
        require_manifest=require_manifest,
    )
    if as_json:
        print_document(result.document())
    else:
        print_text(verification_summary(result))
    if result.holds is not True:
        raise typer.Exit(UNDECIDED if result.holds is None else DOES_NOT_HOLD)


def verification_summary(result: Verification) -> str:
    """Return whether a release holds, and every reason against."""
    if result.holds:
        lines = [f"It holds: {result.records:,} records in {result.classes:,} classes."]
        lines += _judged(result)
    elif result.holds is None:
        lines = [
            "IT IS UNDECIDED: no fault was found, but the given files do not prove that it holds."
        ]
        lines += _judged(result)
    else:
        lines = ["IT DOES NOT HOLD:", *(f"  {fault}" for fault in result.faults)]
    lines += [f"  note: {note}" for note in _together(result.notes)]
    # A note says it where bytes or a file of a database could not be checked.
    losses = [claim for claim in result.not_checked if "." in claim]
    if losses:
        lines.append(f"  not checked: {_not_checked(losses)}")
    if result.warnings:
        lines.append("What the release still tells, by its manifest:")
        lines += [f"  {line}" for line in lines_of_documents(result.warnings)]
    return "\n".join(lines)


def _together(notes: Sequence[str]) -> list[str]:
    """Return, once, what several columns have in common."""
    places: dict[str, list[str]] = {}
    for note in notes:
        place, between, said = note.partition(": ")
        is_place = bool(between) and place.startswith("columns.")
        places.setdefault(said if is_place else note, []).extend([place] if is_place else [])
    return [f"{', '.join(where)}: {said}" if where else said for said, where in places.items()]


def _not_checked(claims: Sequence[str]) -> str:
    """Name a few losses of the manifest, or say how many there are."""
    if len(claims) <= MOST_NAMES:
        return f"the manifest's {', '.join(claims)}"
    return f"{len(claims)} losses in the manifest, which the given files do not determine"


def _judged(result: Verification) -> list[str]:
    """Return, for each model, what the worst class reaches."""
    entries = [ModelEntry(**model) for model in result.models]
    return [f"  {one.name}: {reached(one)}" for one in entries]

"""The commands that measure and check a table."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from indistinct.frontends.cli import DOES_NOT_HOLD, UNDECIDED
from indistinct.frontends.cli.finding_options import (
    ALL,
    FIRST,
    FailOnOption,
    WarningsOption,
    check_finding_options,
    exit_on_findings,
    say_findings,
)
from indistinct.frontends.cli.large import EngineOption, MemoryOption, TempOption
from indistinct.frontends.cli.table_options import DataArgument, JsonOption, PolicyOption
from indistinct.frontends.cli.terminal import exit_unless_met, print_document, print_text


def assess(  # noqa: PLR0913, PLR0917 - its options are its parameters
    context: typer.Context,
    data: DataArgument,
    policy: Annotated[Path, typer.Option("--policy", help="the policy, a TOML file")],
    original: Annotated[
        str | None, typer.Option("--original", help="the table that the release was made from")
    ] = None,
    crosswalk: Annotated[
        Path | None,
        typer.Option("--crosswalk", help="which row came from which record; needs --original"),
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
    warnings: WarningsOption = FIRST,
    fail_on: FailOnOption = None,
    as_json: JsonOption = False,  # noqa: FBT002 - a flag of the command
) -> None:
    """Measure risk, privacy models and utility of a table, published or not.

    Example: indistinct assess release.csv --policy policy.toml --require "k>=5"
    """
    from indistinct.api import assess as assess_table
    from indistinct.frontends.cli.assessment import assessment_summary
    from indistinct.frontends.cli.related import related_assessment
    from indistinct.related import RelatedAssessment

    check_finding_options(warnings, fail_on)
    asked: Any = policy  # one of related tables, too
    assessment: Any = assess_table(
        data,
        asked,
        original=original,
        population=population,
        queries=queries,
        learn=learn,
        weights=weights,
        crosswalk=crosswalk,
        engine=engine,
        memory=memory,
        temp=temp,
    )
    failed = [text for text in require or [] if not assessment.meets(text)]
    show_values = bool(context.obj)
    is_related = isinstance(assessment, RelatedAssessment)
    told = assessment.findings if is_related else assessment.gives_away
    say_findings(told, warnings, fail_on)
    if is_related:
        if as_json:
            print_document(assessment.document())
        else:
            print_text(related_assessment(assessment))
    elif as_json:
        print_document(assessment.document(show_values=show_values))
    else:
        print_text(assessment_summary(assessment, show_values=show_values))
    exit_unless_met(failed)
    exit_on_findings(told, fail_on)


ManifestOption = Annotated[
    bool, typer.Option("--require-manifest", help="a release without a manifest is an error")
]


WorkOption = Annotated[
    int | None,
    typer.Option(
        "--work",
        min=1,
        help="of related tables, patterns of known rows that are listed; default 100 million",
    ),
]


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
    work: WorkOption = None,
    require_manifest: ManifestOption = False,  # noqa: FBT002 - a flag of the command
    warnings: WarningsOption = FIRST,
    fail_on: FailOnOption = None,
    as_json: JsonOption = False,  # noqa: FBT002 - a flag of the command
) -> None:
    """Check a release, or a folder of published tables, against its policy, from its files alone.

    Without --policy, the public policy in the manifest is taken. A table that indistinct synthesize
    made is checked against --declaration and --model instead.

    Exit 0 when it holds, 1 when it does not, 4 when the file alone cannot decide it.

    Example: indistinct verify release.csv --policy policy.toml
    """
    if policy is None and (declaration is not None or model is not None):
        from indistinct.frontends.cli.synthesize import verify_made_up

        verify_made_up(data, declaration, model, manifest, as_json=as_json)
        return
    from indistinct.aggregates import TablesVerification
    from indistinct.api import verify as verify_release
    from indistinct.frontends.cli.verdict import tables_summary, verification_summary

    check_finding_options(warnings, fail_on)
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
        work=work,
        look_closely=fail_on is not None or warnings == ALL,
    )
    is_release = not isinstance(result, TablesVerification)
    if is_release:
        say_findings(result.findings, warnings, fail_on)
    if as_json:
        print_document(result.document())
    elif isinstance(result, TablesVerification):
        print_text(tables_summary(result))
    else:
        print_text(verification_summary(result))
    if policy is not None and is_release:
        _say_of_policy(policy)
    if result.holds is False:
        raise typer.Exit(DOES_NOT_HOLD)
    if is_release:
        exit_on_findings(result.findings, fail_on)
    if result.holds is None:
        raise typer.Exit(UNDECIDED)


def _say_of_policy(policy: Path) -> None:
    """Print what is probably wrong in the lists of the policy of a table."""
    from indistinct.frontends.cli.finding_options import say_doubtful_labels
    from indistinct.related import related_policy
    from indistinct.tables.policy import policy_of

    if related_policy(policy) is None:
        say_doubtful_labels(policy_of(policy))

"""The command that writes a report on a release."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from indistinct.base.extras import load
from indistinct.errors import Fault, ParameterError
from indistinct.frontends.cli.outputs import ReplaceOption, refuse_standing
from indistinct.frontends.cli.terminal import print_document, say
from indistinct.frontends.report.write import WrittenReport, write_public, write_report
from indistinct.related import related_policy
from indistinct.tables.policy import Policy

app = typer.Typer(add_completion=False)


@app.command()
def report(  # noqa: PLR0913, PLR0917 - each is an option of the command
    release: Annotated[
        str, typer.Argument(metavar="RELEASE", help="the released table, its manifest beside it")
    ],
    policy: Annotated[Path, typer.Option("--policy", help="the policy, a TOML file")],
    out: Annotated[Path, typer.Option("--out", help="the HTML file to write")],
    original: Annotated[
        str | None,
        typer.Option(
            "--original",
            metavar="<path>",
            help="the table that the release was made from; not with --public",
        ),
    ] = None,
    crosswalk: Annotated[
        Path | None,
        typer.Option(
            "--crosswalk", help="which row came from which record, to verify single records"
        ),
    ] = None,
    register: Annotated[
        list[Path] | None,
        typer.Option("--register", help="a table of what attackers may know; may be repeated"),
    ] = None,
    risk_threshold: Annotated[
        str | None,
        typer.Option(help="a number, or ema-policy-0070 (the default) or health-canada"),
    ] = None,
    learn: Annotated[
        str | None, typer.Option(help="column that a model predicts, before and after")
    ] = None,
    public: Annotated[  # noqa: FBT002 - a flag of the command
        bool, typer.Option("--public", help="the page for readers, in place of the owner's report")
    ] = False,
    replace: ReplaceOption = False,  # noqa: FBT002 - a flag of the command
    as_json: Annotated[bool, typer.Option("--json", help="print one JSON document")] = False,  # noqa: FBT002 - a flag
) -> None:
    """Write a confidential report as a basis for a decision about the release.

    It contains figures of the original. With --public it is a page for the readers of the release.

    Example: indistinct report release.csv --policy policy.toml --original data.csv --out r.html
    """
    refuse_standing([out], replace=replace)
    if (related := related_policy(policy)) is not None:
        _refuse_owners(register, risk_threshold, learn, names=("--register", *OF_FLAT_TABLES))
        if public:
            raise ParameterError("related tables have no public page yet", "Leave out --public.")
        from indistinct.frontends.report.related import write_related_report

        written = write_related_report(release, related, original, crosswalk, out)
        _say(out, written, public=False, as_json=as_json)
        return
    loaded = Policy.load(policy)
    if public:
        _refuse_owners(original, crosswalk, register, risk_threshold, learn)
        written = write_public(release, loaded, out)
    else:
        if original is None:
            remedy = "Name the table that the release was made from, or ask for --public."
            raise ParameterError([Fault("--original", "is missing", remedy)])
        if learn is not None:
            load("sklearn")  # so that a missing one is told before anything is read
        written = write_report(
            release,
            loaded,
            original,
            out,
            crosswalk=crosswalk,
            registers=register or (),
            risk_threshold=risk_threshold,
            learn=learn,
        )
    _say(out, written, public=public, as_json=as_json)


def _say(out: Path, written: WrittenReport, *, public: bool, as_json: bool) -> None:
    """Print where the report is, and what it says."""
    if as_json:
        stated = written.statements
        said = {} if stated is None else {"statements": stated.document()}
        print_document({"report": str(out), "public": public, "holds": written.holds, **said})
    else:
        say(f"wrote {out}{'' if public else ' (for the owner alone)'}")


OF_FLAT_TABLES = ("--risk-threshold", "--learn")
OF_THE_OWNER = ("--original", "--crosswalk", "--register", *OF_FLAT_TABLES)


def _refuse_owners(*given: object, names: Sequence[str] = OF_THE_OWNER) -> None:
    """Refuse what a public page, or one of related tables, is not made from."""
    faults = [
        Fault(name, "is for the owner's report on one table", "Leave it out.")
        for name, value in zip(names, given, strict=True)
        if value
    ]
    if faults:
        raise ParameterError(faults)

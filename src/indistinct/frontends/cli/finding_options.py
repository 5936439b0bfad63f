"""Findings on the terminal, and the exit code that a pipeline asks for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from indistinct.errors import ParameterError
from indistinct.frontends.cli import DOES_NOT_HOLD, UNDECIDED
from indistinct.frontends.cli.terminal import say

if TYPE_CHECKING:
    from indistinct.tables.findings import ReleaseFindings
    from indistinct.tables.policy import Policy

FIRST, ALL = "first", "all"

WarningsOption = Annotated[
    str, typer.Option("--warnings", help="first: one warning of each rank; all: every warning")
]
FailOnOption = Annotated[
    str | None,
    typer.Option(
        "--fail-on",
        help="exit code 1 if there is a warning of this rank or of one before it: found, "
        "given-away or useless; 4 if there is none, but something of it could not be examined",
    ),
]


def check_finding_options(shown: str, fail_on: str | None) -> None:
    """Refuse words that the options do not have.

    Raises
    ------
    ParameterError
        when one is not known
    """
    from indistinct.tables.findings import RANKS

    if shown not in {FIRST, ALL}:
        raise ParameterError("--warnings: is not known", f"Choose {FIRST} or {ALL}.")
    if fail_on is not None and fail_on not in RANKS:
        raise ParameterError("--fail-on: is not known", f"Choose one of {', '.join(RANKS)}.")


def say_findings(findings: ReleaseFindings, shown: str, fail_on: str | None = None) -> None:
    """Print who can be found, what is given away and what is useless.

    Parameters
    ----------
    shown : what could not be examined is printed with all warnings
    fail_on : or where the exit code depends on it
    """
    from indistinct.tables.findings import all_ranked, first_of_each_rank

    for line in (all_ranked if shown == ALL else first_of_each_rank)(findings.found):
        say(f"warning: {line}")
    missed = list(findings.not_examined) if shown == ALL else []
    if shown != ALL and fail_on is not None and findings.fails(fail_on) is None:
        missed = findings.missed(fail_on)
    for one in missed:
        say(f"not examined: {one.code} (needs {one.needs}): {one.why}")


def with_findings(
    document: Mapping[str, Any], findings: ReleaseFindings, statements: Mapping[str, Any]
) -> dict[str, Any]:
    """Return a document with all that its owner is told, as a command prints it."""
    others = {word: said for word, said in document.items() if word != "warnings"}
    told = findings.document()
    return {**others, "statements": {**statements, "findings": told}, "warnings": told["list"]}


def exit_on_findings(findings: ReleaseFindings, fail_on: str | None) -> None:
    """End with the exit code of what a pipeline does not accept.

    Raises
    ------
    Exit
        1 where something of the rank was found; 4 where nothing was, and not all was examined
    """
    failed = False if fail_on is None else findings.fails(fail_on)
    if failed is not False:
        raise typer.Exit(DOES_NOT_HOLD if failed else UNDECIDED)


def say_doubtful_labels(policy: Policy) -> None:
    """Print which labels of the policy's lists are not true of values that no record may have."""
    from indistinct.tables.counting import list_notes
    from indistinct.tables.policy import resolve

    for line in list_notes(resolve(policy)):
        say(f"note: {line}")

"""Warnings on the terminal, and the exit code that a pipeline asks for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from indistinct.errors import ParameterError
from indistinct.frontends.cli import DOES_NOT_HOLD
from indistinct.frontends.cli.terminal import say

if TYPE_CHECKING:
    from indistinct.tables.policy import Policy
    from indistinct.tables.release import WarningEntry

FIRST, ALL = "first", "all"

WarningsOption = Annotated[
    str, typer.Option("--warnings", help="first: one warning of each rank; all: every warning")
]
FailOnOption = Annotated[
    str | None,
    typer.Option(
        "--fail-on",
        help="exit code 1 after writing if there is a warning of this rank or of one before it: "
        "found, given-away or useless",
    ),
]


def check_warning_options(shown: str, fail_on: str | None) -> None:
    """Refuse words that the options do not have.

    Raises
    ------
    ParameterError
        when one is not known
    """
    from indistinct.tables.release import RANKS

    if shown not in {FIRST, ALL}:
        raise ParameterError("--warnings: is not known", f"Choose {FIRST} or {ALL}.")
    if fail_on is not None and fail_on not in RANKS:
        raise ParameterError("--fail-on: is not known", f"Choose one of {', '.join(RANKS)}.")


def say_warnings(warnings: Sequence[WarningEntry], shown: str) -> None:
    """Print who can be found, what is given away and what is useless."""
    from indistinct.tables.release import all_ranked, first_of_each_rank

    for line in (all_ranked if shown == ALL else first_of_each_rank)(warnings):
        say(f"warning: {line}")


def with_warnings(document: Mapping[str, Any], warnings: Sequence[WarningEntry]) -> dict[str, Any]:
    """Return a public manifest with all that its owner is warned of, as this command prints it."""
    others = {word: said for word, said in document.items() if word != "warnings"}
    return {**others, "warnings": [one.document() for one in warnings]}


def say_doubtful_labels(policy: Policy) -> None:
    """Print which labels of the policy's lists are not true of values that no record may have."""
    from indistinct.tables.counting import list_notes
    from indistinct.tables.policy import resolve

    for line in list_notes(resolve(policy)):
        say(f"note: {line}")


def fail_on_warnings(warnings: Sequence[WarningEntry], fail_on: str | None) -> None:
    """End with exit code 1 where there is a warning that the pipeline does not accept."""
    from indistinct.tables.release import reaches

    if fail_on is not None and reaches(warnings, fail_on):
        raise typer.Exit(DOES_NOT_HOLD)

"""What the owner of data agrees to before a declaration is written."""

from __future__ import annotations

import sys

import typer

from indistinct.errors import ParameterError
from indistinct.frontends.cli.terminal import say
from indistinct.questions.database import LEAST_PEOPLE, Read

HOW_TO_DECLARE = (
    "Check that they are known anyway, or declare them: --types COLUMN=number, --steps COLUMN=1."
)


def agreed(read: Read, *, declared: bool, yes: bool) -> None:
    """Ask before anything that was read off the data is written.

    Raises
    ------
    ParameterError
        when the owner wants nothing read, does not agree, or cannot be asked about a draft
    """
    said = [*read_from_data(read), *read.rows.lines()]
    if declared and read.types:
        raise ParameterError(
            f"--declared: the types of {', '.join(read.types)} are not declared",
            "Add --types COLUMN=number or --types COLUMN=text for each of them.",
        )
    if not said or yes:
        return
    is_draft = bool(read.bounds or read.values)
    if not sys.stdin.isatty():
        if is_draft:
            raise ParameterError(
                "--draft-from-data: needs your confirmation, but this is not a terminal",
                "Add --yes if the values in the draft may be known; --help describes them.",
            )
        return
    for line in said:
        say(line)
    if not typer.confirm("Write this into the declaration?", err=True):
        raise ParameterError(
            "nothing was written",
            "Declare the columns with --types, --steps, --bounds, --values and --rows-per-person.",
        )


def read_from_data(read: Read) -> list[str]:
    """Return what was read off the data, and what that costs although no budget pays for it."""
    lines: list[str] = []
    if read.types:
        lines = [
            f"Types and steps of these columns were taken from the data: {', '.join(read.types)}.",
            "Analysts see them, and neither noise nor the budget covers what they reveal.",
            HOW_TO_DECLARE,
        ]
    if read.bounds:
        lines.append(
            f"Bounds of these columns were drafted from the data: {', '.join(read.bounds)}. They "
            "show analysts, to two digits, where the lowest and the highest hundredth of the "
            "numbers begin."
        )
    if read.values:
        lines.append(
            f"Values of these columns were drafted from the data: {', '.join(read.values)}. They "
            f"show analysts which texts at least {LEAST_PEOPLE} people share."
        )
    if read.bounds or read.values:
        lines.append(
            "No noise and no budget covers a draft: one person more or less may change it. "
            "Replace what is not known anyway."
        )
    return lines

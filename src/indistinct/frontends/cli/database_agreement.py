"""What the owner of data agrees to before a declaration is written."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import typer

from indistinct.errors import ParameterError
from indistinct.frontends.cli.terminal import say
from indistinct.questions.database import LEAST_PEOPLE, DraftedTables, Read

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
    refuse_undeclared(read.types, "COLUMN", declared=declared)
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
    confirm(
        said, "Declare the columns with --types, --steps, --bounds, --values and --rows-per-person."
    )


def agreed_types(types: Sequence[str], *, declared: bool, yes: bool) -> None:
    """Ask before types that were taken from the tables of a folder are written.

    Parameters
    ----------
    types : the columns, as TABLE.COLUMN

    Raises
    ------
    ParameterError
        when the owner wants nothing taken from the data, or does not agree
    """
    refuse_undeclared(types, "TABLE.COLUMN", declared=declared)
    if types and not yes and sys.stdin.isatty():
        confirm(types_from_tables(types), "Declare the columns with --types TABLE.COLUMN=TYPE.")


def types_from_tables(types: Sequence[str]) -> list[str]:
    """Return of which columns the types were taken from the data, and what that may reveal."""
    if not types:
        return []
    price = (
        "Analysts see them, and neither noise nor the budget covers what they reveal: the cell of "
        "one person can turn a number or a date into a text."
    )
    return [
        f"Types of these columns were taken from the data: {', '.join(types)}.",
        price,
        "Check that they are known anyway, or declare them: --types TABLE.COLUMN=number.",
    ]


def folder_lines(drafted: DraftedTables, out: Path, person: str) -> list[str]:
    """Return what the owner of a folder is told of its draft."""
    lines = [f"Drafted {out} for {', '.join(drafted.tables)}."]
    lines += types_from_tables(drafted.types)
    lines += [f"{name} is a text in the draft: {one}" for name, one in drafted.doubts.items()]
    if drafted.left_out:
        lines.append(
            f"Left out, because they have no column {person}, and none that leads to a table with "
            f"it: {', '.join(drafted.left_out)}. Name their column of the person: --person "
            f"{person},{drafted.left_out[0]}=COLUMN."
        )
        others = [name for name in drafted.left_out if name not in drafted.of_people]
        if others:
            lines.append(
                f"Only if no row of {' or of '.join(others)} is about a person, add --public and "
                "its name."
            )
    lines += [
        f"{name}: share of the rows that count, by rows_per_person: {one.offered()}."
        for name, one in drafted.rows.items()
    ]
    return [*lines, f"Check it, then start the ledger: indistinct database init {out}"]


def refuse_undeclared(types: Sequence[str], place: str, *, declared: bool) -> None:
    """Refuse types that were taken from the data where the owner wants all of them declared."""
    if declared and types:
        raise ParameterError(
            f"--declared: the types of {', '.join(types)} are not declared",
            f"Add --types {place}=number, text, date, timestamp, bool or code for each of them.",
        )


def confirm(said: Sequence[str], remedy: str) -> None:
    """Ask on the terminal whether something may be written.

    Raises
    ------
    ParameterError
        when the owner does not agree
    """
    for line in said:
        say(line)
    if not typer.confirm("Write this into the declaration?", err=True):
        raise ParameterError("nothing was written", remedy)


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

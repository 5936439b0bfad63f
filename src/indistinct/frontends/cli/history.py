"""The command that shows a history, and settles what became of its releases."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from indistinct.errors import ParameterError
from indistinct.frontends.cli.drawing import drawn
from indistinct.frontends.cli.terminal import print_document, print_text, say
from indistinct.tables.history import History, Made, TableFacts, opened

app = typer.Typer(add_completion=False)


@app.command()
def history(
    file: Annotated[Path, typer.Argument(metavar="HISTORY", help="the file of --history")],
    withdraw: Annotated[
        int | None,
        typer.Option("--withdraw", help="undo the last release, which nobody has received"),
    ] = None,
    publish: Annotated[
        int | None,
        typer.Option("--publish", help="record that a pending release was given to somebody"),
    ] = None,
    forget: Annotated[
        int | None,
        typer.Option("--forget", help="delete the record of who was in which class of a release"),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="print one JSON document")] = False,  # noqa: FBT002 - a flag
) -> None:
    """List the releases of a history, or settle what became of one.

    Example: indistinct history history.db
    """
    if sum(number is not None for number in (withdraw, publish, forget)) > 1:
        raise ParameterError("more than one change is asked for", "Ask for one at a time.")
    with opened(file) as record:
        if withdraw is not None:
            record.withdraw(withdraw)
            say(f"release {withdraw} is withdrawn; the next release does not know of it")
        elif publish is not None:
            record.publish(publish)
            say(f"release {publish} is published")
        elif forget is not None:
            say(f"release {forget}: the classes of {record.forget(forget):,} people are forgotten")
        _show(record, as_json=as_json)


def _show(record: History, *, as_json: bool) -> None:
    """Print the releases."""
    facts, made = record.facts(), record.releases()
    if as_json:
        print_document(_document(facts, made))
    else:
        print_text(_table(facts, made))


def _document(facts: TableFacts | None, made: list[Made]) -> dict[str, Any]:
    """Return the history as JSON; no person and no value."""
    known: dict[str, Any] = {}
    if facts is not None:
        known = {"person": facts.person}
        if facts.is_invariant:
            model = {"column": facts.sensitive, "m": facts.m, "companions": facts.companions}
            known |= model
    words = ("number", "made", "state", "rows", "counterfeits", "output", "output_sha256")
    releases = [{word: getattr(one, word) for word in words} for one in made]
    return {**known, "releases": releases}


def _table(facts: TableFacts | None, made: list[Made]) -> str:
    """Draw one row per release."""
    if facts is None:
        return "The history has no release yet."
    promise = "no promise about all releases; what they reveal together is measured"
    if facts.is_invariant:
        promise = f"{facts.m}-invariance of {facts.sensitive}, {facts.companions} companions"
    table = Table(title=f"{facts.person}: {promise}", title_justify="left")
    for heading in ("release", "made", "state", "rows", "counterfeits", "file"):
        is_number = heading in {"release", "rows", "counterfeits"}
        table.add_column(heading, justify="right" if is_number else "left", no_wrap=True)
    for one in made:
        counts = (f"{one.rows:,}", f"{one.counterfeits:,}")
        table.add_row(str(one.number), one.made, one.state, *counts, Path(one.output).name)
    return drawn(table)

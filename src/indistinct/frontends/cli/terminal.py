"""What the command says: documents on standard output, everything else on standard error."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import typer

from indistinct.base.files.documents import json_text
from indistinct.base.files.writing import print_out
from indistinct.errors import STEERING, IndistinctError, visible
from indistinct.frontends.cli import DOES_NOT_HOLD

BROKEN_PIPE = 141
SAID = {"writing": "writing and verifying"}


def say(text: str) -> None:
    """Print a message for the user, beside the result."""
    sys.stderr.write(visible(text) + "\n")


def print_document(document: Mapping[str, Any]) -> None:
    """Print one JSON document, and nothing else, to standard output."""
    # Within the texts of JSON, an escape says the same as the mark.
    print_out(STEERING.sub(lambda mark: f"\\u{ord(mark[0]):04x}", json_text(document)))


def print_text(text: str) -> None:
    """Print a result that people read."""
    print_out(visible(text) + "\n")


def print_result(document: Mapping[str, Any], lines: Sequence[str], *, as_json: bool) -> None:
    """Print one JSON document for programs, or lines for people."""
    if as_json:
        print_document(document)
    else:
        print_text("\n".join(lines))


def exit_unless_met(failed: Sequence[str]) -> None:
    """Print which requirements do not hold, and exit 1 where there are any."""
    for text in failed:
        say(f"does not hold: {text}")
    if failed:
        raise typer.Exit(DOES_NOT_HOLD)


def explain(error: IndistinctError, *, show_values: bool) -> None:
    """Print what is wrong and what to do, fault by fault."""
    following = (*(fault.remedy for fault in error.faults[1:]), "")
    for fault, remedy in zip(error.faults, following, strict=True):
        # Faults with the same remedy are listed together, and the remedy is said once.
        said = replace(fault, remedy="") if remedy == fault.remedy else fault
        say(f"error: {said}")
        if show_values and fault.values:
            say("  values: " + ", ".join(repr(value) for value in fault.values))


def error_document(error: IndistinctError) -> dict[str, Any]:
    """Return an error as one JSON object: the first fault, the exit code, and every fault."""
    faults = [
        {"error": fault.problem, "place": fault.place, "remedy": fault.remedy}
        for fault in error.faults
    ]
    return {**faults[0], "exit": error.exit_code, "kind": error.slug, "faults": faults}


@contextmanager
def progress_bar(*, quiet: bool) -> Generator[Callable[[float, str], None]]:
    """Show a progress bar on a terminal; stay silent in a pipe."""
    if quiet or not sys.stderr.isatty():
        from indistinct.tables.core import no_progress

        yield no_progress
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("reading", total=1.0)

        def tell(share: float, message: str) -> None:
            # What follows the search has no measure: a bar that is full would seem to have stopped.
            bar.tasks[task].total = None if share >= 1 else 1.0
            bar.update(task, completed=share, description=SAID.get(message, visible(message)))

        yield tell


def say_if_late(limit: float | None, seconds: float) -> None:
    """Print that a run took longer than its limit, and why that can be.

    Parameters
    ----------
    limit : the policy's, in seconds; None where there is none
    seconds : that the run took
    """
    if limit is not None and seconds > limit:
        say(
            f"note: the run took {seconds:.1f} s, longer than the time_limit of {limit:g} s. The "
            "limit ends the search early, but reading, counting, writing and verification cannot "
            "be shortened."
        )

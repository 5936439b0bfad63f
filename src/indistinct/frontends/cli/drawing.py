"""How results are drawn on a terminal: tables, figures and lines that all pictures share."""

from __future__ import annotations

import io
import shutil
from collections.abc import Mapping
from textwrap import TextWrapper
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import RenderableType

    from indistinct.tables.release import ClassEntry

WIDTH, NARROWEST = 132, 80
GAP = 2  # between a name and its fact


def words(said: Mapping[str, Any]) -> str:
    """Write parameters."""
    return ", ".join(f"{name}={figure(value)}" for name, value in said.items())


class FactTable:
    """Names and facts as lines of text: what Rich would draw, without waiting for it to load."""

    def __init__(self) -> None:
        self._rows: list[tuple[str, str]] = []

    def add_row(self, name: str, fact: str) -> None:
        """Add a fact, which may be longer than a line."""
        self._rows.append((name, fact))

    def drawn(self) -> str:
        """Write the facts below one another."""
        margin = max((len(name) for name, _ in self._rows), default=0) + GAP
        wrapper = TextWrapper(width() - margin, break_on_hyphens=False)
        lines: list[str] = []
        for name, fact in self._rows:
            wrapped = [line for one in fact.split("\n") for line in wrapper.wrap(one) or [""]]
            lines += [f"{name:{margin}}{wrapped[0]}", *(" " * margin + one for one in wrapped[1:])]
        return "\n".join(line.rstrip() for line in lines)


def width() -> int:
    """Return the columns of the terminal, or as many as a table needs."""
    return max(shutil.get_terminal_size((WIDTH, 24)).columns, NARROWEST)


def figure(value: object) -> str:
    """Write a number short."""
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def class_line(classes: ClassEntry, unit: str | None = None) -> str:
    """Write how many classes there are, and how large they are."""
    unit = unit or classes.counted or "records"
    if not classes.count:
        return "none"
    return (
        f"{classes.count:,}, from {classes.smallest:,} to {classes.largest:,} {unit}, "
        f"{classes.mean:.1f} on average"
    )


def drawn(content: RenderableType) -> str:
    """Draw to text, without colors where they are of no use."""
    from rich.console import Console

    buffer = io.StringIO()
    Console(file=buffer, width=width(), highlight=False, color_system=None).print(content)
    return "\n".join(line.rstrip() for line in buffer.getvalue().rstrip("\n").splitlines())

"""How results are drawn on a terminal: tables, figures and lines that all pictures share."""

from __future__ import annotations

import io
import shutil
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rich.console import Console, RenderableType
from rich.table import Table

if TYPE_CHECKING:
    from indistinct.release.entries import ClassEntry

WIDTH, NARROWEST = 132, 100


def words(said: Mapping[str, Any]) -> str:
    """Write parameters."""
    return ", ".join(f"{name}={figure(value)}" for name, value in said.items())


def facts() -> Table:
    """Start a table of names and facts."""
    table = Table(show_header=False, box=None, pad_edge=False)
    table.add_column(style="bold", no_wrap=True)
    table.add_column()
    return table


def figure(value: object) -> str:
    """Write a number short."""
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def class_line(classes: ClassEntry, unit: str = "records") -> str:
    """Write how many classes there are, and how large they are."""
    if not classes.count:
        return "none"
    return (
        f"{classes.count:,}, from {classes.smallest:,} to {classes.largest:,} {unit}, "
        f"{classes.mean:.1f} on average"
    )


def drawn(content: RenderableType) -> str:
    """Draw to text, without colors where they are of no use."""
    buffer = io.StringIO()
    width = max(shutil.get_terminal_size((WIDTH, 24)).columns, NARROWEST)
    Console(file=buffer, width=width, highlight=False).print(content)
    return "\n".join(line.rstrip() for line in buffer.getvalue().rstrip("\n").splitlines())

"""Results as people read them on a terminal: the answer first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.markup import escape
from rich.table import Table

from indistinct.cli.drawing import drawn, figure

if TYPE_CHECKING:
    from indistinct.drafting.draft import Draft
    from indistinct.publish.inspection import Inspection, Together
    from indistinct.publish.sweep_result import Sweep
    from indistinct.search.adaptive.vulnerability import Vulnerability

BAR = 60
MOST_SETS = 3


def inspection_table(inspection: Inspection) -> str:
    """Draw one row per column."""
    title = f"{inspection.rows:,} records"
    table = Table(title=title, title_justify="left", box=SIMPLE_HEAD, pad_edge=False)
    for heading in ("column", "type", "distinct", "missing"):
        is_number = heading not in {"column", "type"}
        table.add_column(heading, justify="right" if is_number else "left", no_wrap=True)
    table.add_column("suggested role", no_wrap=True)
    table.add_column("confidence", no_wrap=True)
    table.add_column("reason")
    for column in inspection.columns:
        table.add_row(
            column.name,
            column.type,
            f"{column.distinct:,}",
            f"{column.missing:,}",
            column.role,
            column.confidence,
            escape(column.reason),
        )
    parts: list[RenderableType] = [table]
    if inspection.together is not None:
        parts += ["", *_together(inspection.together)]
    return drawn(Group(*parts))


def _together(together: Together) -> list[str]:
    """Say how well the quasi-identifiers tell records apart, and which few do so already."""
    apart = f"{together.separation:.2%} of all pairs of records"
    alone = f"{together.unique:.1%} of the records are unique"
    lines = [
        f"The {len(together.columns)} quasi-identifiers together distinguish {apart}, and {alone}."
    ]
    if together.sets:
        lines.append(
            f"At least {together.at_least:.0%} of the records are already unique by these columns:"
        )
    shown = together.sets[:MOST_SETS]
    lines += [f"  {', '.join(found.columns)} ({found.unique:.1%})" for found in shown]
    if len(together.sets) > MOST_SETS:
        lines.append(
            f"  and {len(together.sets) - MOST_SETS} more sets with the same number of columns"
        )
    return [escape(line) for line in lines]


def draft_summary(path: str, draft: Draft) -> str:
    """Say what was written, and what is left to decide."""
    several = "file of a hierarchy" if len(draft.files) == 1 else "files of hierarchies"
    beside = f" and {len(draft.files)} {several} beside it" if draft.files else ""
    lines = [f"wrote {path}{beside}: read every role in it and decide"]
    if draft.undecided:
        lines.append(
            f"{len(draft.undecided)} columns are undecided, and the policy does not run before "
            "you decide on them: " + ", ".join(draft.undecided)
        )
    return "\n".join(lines)


def vulnerability_bars(found: Vulnerability) -> str:
    """Draw a bar per quasi-identifier, the one that gives most away first."""
    about = "identity" if found.target == "identity" else f'"{found.target}"'
    table = Table(title=f"How much each column gives away of {about}", title_justify="left")
    table.add_column("column", no_wrap=True)
    table.add_column("share", justify="right")
    table.add_column("")
    ranked = sorted(zip(found.weights.tolist(), found.names, strict=True), reverse=True)
    for weight, name in ranked:
        table.add_row(name, f"{weight:.3f}", "█" * round(weight * BAR))
    text = drawn(table)
    return f"{text}\nnote: {found.warning}" if found.warning else text


def sweep_table(sweep: Sweep) -> str:
    """Draw a row per combination; the frontier and the recommended row are marked."""
    shown = sweep.frame.drop("released", "frontier", "recommended", "no_solution")
    shown = shown[[column.name for column in shown if column.null_count() < shown.height]]
    table = Table(title=f"{len(sweep.points)} combinations", title_justify="left")
    for name in shown.columns:
        table.add_column(name.replace("_", " ").replace(".", ". "), justify="right")
    table.add_column("", no_wrap=True)
    for number, row in enumerate(shown.iter_rows()):
        best = "recommended" if number == sweep.recommended else "frontier"
        mark = best if number in sweep.frontier else ""
        solved = sweep.points[number].found is not None
        style = "bold" if number == sweep.recommended else None
        cells = ["" if value is None else figure(value) for value in row]
        table.add_row(*cells, mark if solved else "no solution", style=style)
    failed = [f"{p.words()}: {p.no_solution}" for p in sweep.points if p.no_solution]
    return "\n".join([drawn(table), *failed, f"Recommended: {sweep.reason}"])

"""How detailed every column of a release still is, by the levels in its manifest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from indistinct.report.charts.bars import Bar, bar_chart
from indistinct.report.components import Block, Heading, Paragraph
from indistinct.report.words import percent


def level_blocks(method: Mapping[str, Any]) -> list[Block]:
    """Draw the levels of detail of every column."""
    whole: Mapping[str, int] = method.get("transformation") or {}
    levels: Mapping[str, Mapping[str, float]] = method.get("levels") or {
        name: {str(level): 1.0} for name, level in whole.items()
    }
    if not levels:
        return []
    highest = max(int(level) for used in levels.values() for level in used)
    bars = [_level_bar(name, used, highest) for name, used in levels.items()]
    legend = ["as it was", *(f"level {level}" for level in range(1, highest + 1))]
    kept = "; ".join(f"{bar.label}: {bar.text}" for bar in bars)
    chart = bar_chart(
        "levels",
        "How detailed each column still is, as shares of the released records",
        f"Share of the records whose value is as it was. {kept}.",
        bars,
        heads=("Column", "As it was"),
        legend=legend,
    )
    note = (
        "Level 0 is the value as it was. Each further level is coarser; at the last level of a "
        "column the value is hidden."
    )
    return [Heading("How much detail each column keeps"), chart, Paragraph(note)]


def _level_bar(name: str, used: Mapping[str, float], highest: int) -> Bar:
    """Draw one column."""
    parts = [float(used.get(str(level), 0.0)) for level in range(highest + 1)]
    return Bar(name, parts, f"{percent(parts[0])} as it was")

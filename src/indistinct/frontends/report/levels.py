"""How detailed every column of a release still is, by the levels in its manifest."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from indistinct.base.statements.number_texts import percent
from indistinct.frontends.report.charts.bars import Bar, bar_chart
from indistinct.frontends.report.components import Block, Heading, Paragraph, Table

TITLE = "Levels of detail of each column, as shares of the released records"


def level_blocks(method: Mapping[str, Any], spoken: Callable[[str], str] = str) -> list[Block]:
    """Draw the levels of detail of every column.

    Parameters
    ----------
    spoken : returns an English sentence or heading in the language of the page
    """
    levels: Mapping[str, Mapping[str, float]] = method.get("levels") or {}
    if not levels:
        return []
    highest = max(int(level) for used in levels.values() for level in used)
    bars = [_level_bar(name, used, highest, spoken) for name, used in levels.items()]
    title = spoken(TITLE)
    table = _table(title, bars, highest, spoken)
    legend = ["unchanged", *(f"level {level}" for level in range(1, highest + 1))]
    kept = "; ".join(f"{bar.label}: {bar.text}" for bar in bars)
    chart = bar_chart(
        "levels",
        title,
        f"{spoken('Share of the records whose value is unchanged.')} {kept}.",
        bars,
        heads=(spoken("Column"), spoken("Unchanged")),
        legend=[spoken(one) for one in legend],
        table=table,
    )
    note = (
        "Level 0 is the original value. Each further level is more general, such as a wider range; "
        "at the last level of a column the value is hidden."
    )
    return [Heading(spoken("How much detail each column keeps")), chart, Paragraph(spoken(note))]


def _table(title: str, bars: Sequence[Bar], highest: int, spoken: Callable[[str], str]) -> Table:
    """List the share of each level; a dash where a level is not used."""
    heads = ("Column", "Unchanged", *(f"Level {level}" for level in range(1, highest + 1)))
    heads = tuple(spoken(head) for head in heads)
    rows = [(bar.label, *(percent(part) if part else "-" for part in bar.parts)) for bar in bars]
    return Table(title, heads, rows, numbers=tuple(range(1, highest + 2)))


def _level_bar(
    name: str, used: Mapping[str, float], highest: int, spoken: Callable[[str], str]
) -> Bar:
    """Draw one column."""
    parts = [float(used.get(str(level), 0.0)) for level in range(highest + 1)]
    return Bar(name, parts, spoken(f"{percent(parts[0])} unchanged"))

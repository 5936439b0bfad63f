"""How detailed every column of a release still is, by the levels in its manifest."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from indistinct.base.statements.number_texts import percent
from indistinct.frontends.report.charts.bars import Bar, bar_chart
from indistinct.frontends.report.components import Block, Heading, Paragraph, Table

# What is said of the levels; a page in another language says it with words of its own.
WORDS: Mapping[str, str] = {
    "title": "Levels of detail of each column, as shares of the released records",
    "heading": "How much detail each column keeps",
    "story": "Share of the records whose value is unchanged.",
    "note": (
        "Level 0 is the original value. Each further level is more general, such as a wider range; "
        "at the last level of a column the value is hidden."
    ),
    "column": "Column",
    "unchanged_head": "Unchanged",
    "unchanged": "unchanged",
    "share_unchanged": "{share} unchanged",
    "level": "level {level}",
    "level_head": "Level {level}",
}


def level_blocks(
    method: Mapping[str, Any],
    words: Mapping[str, str] = WORDS,
    share: Callable[[float], str] = percent,
) -> list[Block]:
    """Draw the levels of detail of every column.

    Parameters
    ----------
    words : as ``WORDS``, in the language of the page
    share : writes a share in this language
    """
    levels: Mapping[str, Mapping[str, float]] = method.get("levels") or {}
    if not levels:
        return []
    highest = max(int(level) for used in levels.values() for level in used)
    bars = [_level_bar(name, used, highest, words, share) for name, used in levels.items()]
    numbers = range(1, highest + 1)
    heads = (words["column"], words["unchanged_head"])
    further = (words["level_head"].format(level=level) for level in numbers)
    rows = [(bar.label, *(share(part) if part else "-" for part in bar.parts)) for bar in bars]
    table = Table(words["title"], (*heads, *further), rows, numbers=tuple(range(1, highest + 2)))
    kept = "; ".join(f"{bar.label}: {bar.text}" for bar in bars)
    chart = bar_chart(
        "levels",
        words["title"],
        f"{words['story']} {kept}.",
        bars,
        heads=heads,
        legend=[words["unchanged"], *(words["level"].format(level=level) for level in numbers)],
        table=table,
    )
    return [Heading(words["heading"]), chart, Paragraph(words["note"])]


def _level_bar(
    name: str,
    used: Mapping[str, float],
    highest: int,
    words: Mapping[str, str],
    share: Callable[[float], str],
) -> Bar:
    """Draw one column."""
    parts = [float(used.get(str(level), 0.0)) for level in range(highest + 1)]
    return Bar(name, parts, words["share_unchanged"].format(share=share(parts[0])))

"""Draw the figures of docs/larger-than-memory.md from its own tables.

python benchmarks/larger_than_memory_picture.py docs/larger-than-memory.md docs/pictures/engines.svg
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

STEPS = ("its own group-by and copy", "count", "write", "read again and verify")
COLORS = ("#8c8c8c", "#0072b2", "#e69f00", "#009e73")
TITLES = (
    "10,000,000 records, 8 GB",
    "10,000,000 records, 1 GB",
    "100,000,000 records, 8 GB",
)
LEFT, WIDTH, BAR, GAP = 190, 480, 18, 8


def measured(page: str) -> list[dict[str, list[float]]]:
    """Read the tables of seconds: per table, the steps of each engine."""
    tables: list[dict[str, list[float]]] = []
    for line in page.splitlines():
        if line.startswith("| engine | its own group-by"):
            tables.append({})
        elif tables and (row := re.match(r"\| `(\w+)` \|(.*)", line)):
            cells = row[2].split("|")[: len(STEPS)]
            if all(re.fullmatch(r" [0-9.]+ ", cell) for cell in cells):
                tables[-1][row[1]] = [float(cell) for cell in cells]
    return tables


def bar(y: int, name: str, steps: list[float], scale: float) -> list[str]:
    """Draw one engine: its own work in grey, then what publishing takes."""
    own, *others = [value * scale for value in steps]
    label = LEFT - 8
    parts = [
        f'<text x="{label}" y="{y + BAR - 5}" text-anchor="end">{name}, alone</text>',
        f'<rect x="{LEFT}" y="{y}" width="{own:.1f}" height="{BAR}" fill="{COLORS[0]}"/>',
        f'<text x="{label}" y="{y + 2 * BAR - 3}" text-anchor="end">{name}, publishing</text>',
    ]
    x = float(LEFT)
    for width, color in zip(others, COLORS[1:], strict=True):
        parts.append(
            f'<rect x="{x:.1f}" y="{y + BAR + 2}" width="{width:.1f}" height="{BAR}" '
            f'fill="{color}"/>'
        )
        x += width
    total = sum(steps[1:])
    parts.append(f'<text x="{x + 6:.1f}" y="{y + 2 * BAR - 3}">{total:.0f} s</text>')
    return parts


def picture(tables: list[dict[str, list[float]]]) -> str:
    """Draw a group of bars for each table, each with a scale of its own."""
    parts: list[str] = []
    y = 30
    for title, engines in zip(TITLES, tables, strict=True):
        most = max(sum(steps[1:]) for steps in engines.values())
        parts.append(f'<text x="10" y="{y}" font-weight="bold">{title}</text>')
        y += 10
        for name, steps in engines.items():
            parts += bar(y, name, steps, (WIDTH - 60) / most)
            y += 2 * BAR + 2 + GAP
        y += 20
    for place, (step, color) in enumerate(zip(STEPS, COLORS, strict=True)):
        x = 10 + place * 170
        parts.append(f'<rect x="{x}" y="{y - 10}" width="12" height="12" fill="{color}"/>')
        parts.append(f'<text x="{x + 17}" y="{y}">{step}</text>')
    height = y + 20
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 700 {height}" width="700" '
        f'height="{height}" font-family="sans-serif" font-size="12" fill="#222">'
    )
    title = "<title>Seconds of processor time of each step</title>"
    back = f'<rect width="700" height="{height}" fill="white"/>'
    return "\n".join([head, title, back, *parts, "</svg>", ""])


if __name__ == "__main__":
    page, target = sys.argv[1:]
    Path(target).write_text(picture(measured(Path(page).read_text("utf-8"))), "utf-8")

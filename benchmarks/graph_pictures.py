"""Draw the seven people for docs/graph.md: python benchmarks/graph_pictures.py docs/pictures."""

from __future__ import annotations

import sys
from pathlib import Path

PEOPLE = {
    "Alice": (150, 60),
    "Bob": (60, 130),
    "Cathy": (250, 130),
    "Diane": (190, 230),
    "Ed": (60, 30),
    "Fred": (290, 250),
    "Grace": (350, 170),
}
EDGES = ["AB", "AC", "AE", "BC", "BE", "BD", "CD", "CF", "CG", "DF", "DG"]
COLORS = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#000000"]
GROUPS = {"A, B, E": (90, 80), "C, D": (220, 180), "F, G": (330, 210)}


def line(one: tuple[int, int], other: tuple[int, int], style: str) -> str:
    return f'<line x1="{one[0]}" y1="{one[1]}" x2="{other[0]}" y2="{other[1]}" {style}/>'


def circle(place: tuple[int, int], radius: int, color: str) -> str:
    return f'<circle cx="{place[0]}" cy="{place[1]}" r="{radius}" fill="{color}"/>'


def text(place: tuple[int, int], words: str, drop: int = 0, color: str = "#222") -> str:
    x, y = place[0], place[1] + drop
    return f'<text x="{x}" y="{y}" text-anchor="middle" fill="{color}">{words}</text>'


def picture(title: str, parts: list[str]) -> str:
    head = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 420 300" width="420" height="300" '
        'font-family="sans-serif" font-size="13">'
    )
    back = '<rect width="420" height="300" fill="white"/>'
    return "\n".join([head, f"<title>{title}</title>", back, *parts, "</svg>", ""])


def neighbor_degrees(degree: dict[str, int]) -> dict[str, str]:
    """Write the degrees of each one's neighbors."""
    near = {
        one: [degree[end] for edge in EDGES for end in edge if one in edge and end != one]
        for one in degree
    }
    return {one: " ".join(map(str, sorted(degrees))) for one, degrees in near.items()}


def contacts(title: str) -> str:
    """Draw what Alice and Cathy know together: their own edges thick, what they learn dashed."""
    place = {name[0]: where for name, where in PEOPLE.items()}
    known = [edge for edge in EDGES if "A" in edge or "C" in edge]
    parts = [line(place[a], place[b], 'stroke="#ccc" stroke-width="2"') for a, b in EDGES]
    parts += [line(place[a], place[b], 'stroke="#0072b2" stroke-width="4"') for a, b in known]
    dashed = 'stroke="#d55e00" stroke-width="4" stroke-dasharray="6 4"'
    parts += [line(place["B"], place["E"], dashed)]
    colors = {"A": COLORS[0], "C": COLORS[0], "B": "#d55e00", "E": "#d55e00"}
    for name, where in PEOPLE.items():
        known_by = name if name[0] in "ACBE" else "D, F or G"
        parts += [circle(where, 15, colors.get(name[0], "#999")), text(where, known_by, 31)]
    return picture(title, parts)


def people(title: str, classes: list[str], added: list[str], *, rounds: int = 1) -> str:
    place = {name[0]: where for name, where in PEOPLE.items()}
    color = {one: COLORS[i] for i, members in enumerate(classes) for one in members}
    parts = [line(place[a], place[b], 'stroke="#888" stroke-width="2"') for a, b in EDGES]
    dashed = 'stroke="#d55e00" stroke-width="3" stroke-dasharray="6 4"'
    parts += [line(place[a], place[b], dashed) for a, b in added]
    degree = {one: sum(one in edge for edge in EDGES + added) for one in place}
    near = neighbor_degrees(degree) if rounds > 1 else {}
    for name, where in PEOPLE.items():
        words = f"{name}: {near[name[0]]}" if near else name
        parts += [
            circle(where, 15, color[name[0]]),
            text(where, str(degree[name[0]]), 5, "white"),
            text(where, words, 31),
        ]
    return picture(title, parts)


def groups(title: str) -> str:
    place = {words[0]: where for words, where in GROUPS.items()}
    owner = {one: words[0] for words in GROUPS for one in words.split(", ")}
    counts: dict[tuple[str, str], int] = {}
    for one, other in EDGES:
        pair = tuple(sorted((owner[one], owner[other])))
        counts[pair] = counts.get(pair, 0) + 1
    parts = []
    for (one, other), count in counts.items():
        if one != other:
            middle = tuple((a + b) // 2 for a, b in zip(place[one], place[other], strict=True))
            parts += [line(place[one], place[other], f'stroke="#888" stroke-width="{2 * count}"')]
            parts += [text(middle, f"{count} edges", -12)]
    for index, (words, where) in enumerate(GROUPS.items()):
        inside = counts.get((words[0], words[0]), 0)
        size = len(words.split(", "))
        parts += [circle(where, 32, COLORS[index]), text(where, f"{size} people", -2, "white")]
        parts += [text(where, f"{inside} inside", 14, "white")]
    return picture(title, parts)


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    pictures = {
        "seven": people("Seven people, colored by degree", ["A", "BD", "C", "EFG"], []),
        "seven-h2": people(
            "Seven people, colored by the degrees of their friends",
            ["A", "B", "C", "D", "E", "FG"],
            [],
            rounds=2,
        ),
        "seven-contacts": contacts("What Alice and Cathy find together"),
        "seven-k2": people("The same with one more edge", ["AB", "CD", "EFG"], ["AD"]),
        "seven-groups": groups("The same as three groups"),
    }
    for name, drawing in pictures.items():
        (folder / f"{name}.svg").write_text(drawing)

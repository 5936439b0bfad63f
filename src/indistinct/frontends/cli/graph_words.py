"""What the commands of graphs found, in sentences that stand above the figures, and the figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

# What an attacker knows of a vertex, by the word of the figures.
KNOWLEDGE = {
    "degree": "the degree of a vertex",
    "h2": "the degrees of its neighbors (H2)",
    "h3": "the degrees of vertices two steps away (H3)",
    "neighborhood": "the edges among its neighbors (neighborhood)",
}


def inspection_words(document: Mapping[str, Any]) -> Iterator[str]:
    """Yield how many vertices of a graph are unique for an attacker."""
    yield f"The graph has {document['vertices']:,} vertices and {document['edges']:,} edges."
    for name, text in KNOWLEDGE.items():
        share = document["knowledge"][name]["unique"]
        yield f"An attacker who knows {text} identifies {share:.1%} of the vertices with certainty."


def release_words(document: Mapping[str, Any]) -> Iterator[str]:
    """Yield what a release of a graph changed, and how many vertices it makes equal."""
    edges, groups = document["edges"], document.get("grouping")
    if groups is None:
        yield (
            f"The release has {document['vertices']:,} vertices and {edges['output']:,} edges: "
            f"{edges['added']:,} edges were added and {edges['removed']:,} removed."
        )
    else:
        yield (
            f"The release describes {document['vertices']:,} vertices in {groups['groups']:,} "
            f"groups of at least {groups['smallest']:,}."
        )
    yield document["left_out"]
    yield from level_words(document["levels"])


def level_words(levels: Mapping[str, int]) -> Iterator[str]:
    """Yield how many vertices an attacker cannot tell apart."""
    for name, text in KNOWLEDGE.items():
        if name not in levels:
            continue
        least = levels[name]
        found = (
            f"at least {least:,} vertices that fit" if least > 1 else "one vertex in the worst case"
        )
        yield f"An attacker who knows {text} finds {found}."


def attack_words(document: Mapping[str, Any]) -> Iterator[str]:
    """Yield how often an attack succeeded."""
    low, high = document["interval"]
    yield (
        f"The attack succeeded in {document['successes']:,.0f} of {document['attempts']:,} "
        f"attempts, which is {document['rate']:.1%} (95% interval: {low:.1%} to {high:.1%})."
    )


def flat(document: dict[str, Any], prefix: str = "") -> list[tuple[str, Any]]:
    """List the entries of nested documents by dotted names."""
    rows: list[tuple[str, Any]] = []
    for name, value in document.items():
        if isinstance(value, dict):
            rows += flat(value, f"{prefix}{name}.")  # pyright: ignore[reportUnknownArgumentType] - JSON
        else:
            rows.append((f"{prefix}{name}", value))
    return rows


def worded(value: object) -> str:
    """Write a value for people."""
    if value is None:
        return "-"
    return f"{value:.6g}" if isinstance(value, float) else str(value)

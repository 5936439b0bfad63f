"""The tables of a release by groups, counted again."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from typing import Any

from indistinct.graph.verification.checks import ONE_RUN, Checks, part
from indistinct.graph.verification.files import PlainGraph, PlainGroups


def check_groups(
    seen: Checks, said: Mapping[str, Any], graph: PlainGraph, groups: PlainGroups
) -> None:
    """Compare the tables of groups with the edge list and with the manifest."""
    total = sum(groups.counts.values())
    if sum(groups.sizes) != graph.n_vertices or total != len(graph.edges):
        seen.add("groups", "have not as many vertices and edges as the edge list", ONE_RUN)
    full = [pair for pair, count in groups.counts.items() if count == groups.places(*pair)]
    certain = sum(groups.counts[pair] for pair in full)
    size, number = sum(groups.sizes), len(groups.sizes)
    inside = sum(one > 1 for one in groups.sizes)
    found = {
        "count": certain,
        "share": certain / total if total else 0.0,
        "full_pairs": len(full),
        "empty_pairs": number * (number - 1) // 2 + inside - len(groups.counts),
        "non_edges": size * (size - 1) // 2 - sum(groups.places(*pair) for pair in groups.counts),
    }
    seen.found["certain_edges"] = found
    seen.compare("certain_edges", said.get("certain_edges"), found)
    losses = [2 * c * (1 - c / groups.places(*pair)) for pair, c in groups.counts.items()]
    most = size * (size - 1) / 4
    figures = {
        "groups": number,
        "smallest": min(groups.sizes, default=0),
        "largest": max(groups.sizes, default=0),
        "log_worlds": sum(
            log_ways(groups.places(*pair), count) for pair, count in groups.counts.items()
        ),
        "structural_loss": sum(losses),
        "normalized_structural_loss": sum(losses) / most if most else 0.0,
        "supernodes": supernodes(groups),
    }
    claimed = part(said, "grouping")
    for name, value in figures.items():
        seen.compare(f"grouping.{name}", claimed.get(name), value)


def supernodes(groups: PlainGroups) -> dict[str, int]:
    """Count the groups that differ from all others in what the tables say of them."""
    around: list[list[tuple[int, int, int]]] = [[] for _ in groups.sizes]
    for (one, other), count in groups.counts.items():
        around[one].append((int(one == other), groups.sizes[other], count))
        if one != other:
            around[other].append((0, groups.sizes[one], count))
    looks = Counter((size, *sorted(seen)) for size, seen in zip(groups.sizes, around, strict=True))
    return {"classes": len(looks), "unique": sum(count == 1 for count in looks.values())}


def log_ways(places: int, edges: int) -> float:
    """Give the log count of ways to lay edges on places."""
    return math.lgamma(places + 1) - math.lgamma(edges + 1) - math.lgamma(places - edges + 1)

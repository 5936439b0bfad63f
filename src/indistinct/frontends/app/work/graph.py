"""Publish a graph: see what it gives away, change it, and see again."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from indistinct.frontends.app.work.compare import drawn
from indistinct.frontends.report.charts.pairs import Pair, pair_chart
from indistinct.graph import Graph, anonymize, inspect, read
from indistinct.tables.core import Progress

MOST_DEGREES = 24
RELEASED = "graph.csv"


def graph_released(  # noqa: PLR0913, PLR0917 - what the job is told
    tell: Progress, edges: str, model: str, k: int, title: str, heads: list[str], out: str
) -> Mapping[str, Any]:
    """Inspect a graph, make a release of it, and inspect that."""
    graph = read(Path(edges))
    tell(0.1, "inspecting")
    before = inspect(graph, k=k)
    tell(0.3, "changing edges")
    words: dict[str, Any] = {"k": k} if model.startswith("k-") else {}
    release = anonymize(graph, model, **words)
    tell(0.8, "inspecting")
    after = inspect(release.graph, k=k)
    place = Path(out)
    place.mkdir(parents=True, mode=0o700)
    release.write(place / RELEASED, place / "crosswalk.csv")
    return {
        "edges": edges,
        "model": model,
        "k": k,
        "before": before,
        "after": after,
        "document": dict(release.document),
        "chart": drawn([_degrees(graph, release.graph, title, heads)]),
        "number": int(place.name),
        "files": sorted(file.name for file in place.iterdir()),
    }


def _degrees(before: Graph, after: Graph, title: str, heads: list[str]) -> Any:
    """Draw how many vertices have how many neighbors, before and after."""
    largest = int(max(before.degrees.max(initial=0), after.degrees.max(initial=0)))
    width = max(-(-(largest + 1) // MOST_DEGREES), 1)
    labels = [_range(low, width) for low in range(0, largest + 1, width)]
    shares = [
        [
            float(((g.degrees >= low) & (g.degrees < low + width)).mean())
            for low in range(0, largest + 1, width)
        ]
        for g in (before, after)
    ]
    pair = Pair(labels, shares[0], shares[1], in_order=True)
    return pair_chart("degrees", title, title, pair, (heads[0], heads[1], heads[2]))


def _range(low: int, width: int) -> str:
    """Write a range of degrees."""
    return str(low) if width == 1 else f"{low} to {low + width - 1}"

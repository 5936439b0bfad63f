"""Possible worlds: what a release by groups says of the graph behind it, and how surely."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast

import numpy as np

from indistinct.core.arrays import Floats, Ints
from indistinct.core.randomness import RandomSource
from indistinct.errors import DataError, Fault, ParameterError
from indistinct.graph.edges import Graph
from indistinct.graph.grouping import GROUP_SUFFIX, SUPEREDGE_SUFFIX, Grouping
from indistinct.graph.loss import degree_distance, measure
from indistinct.graph.reading import text_of

WORLDS = 20


def expectations(
    grouping: Grouping,
    source: RandomSource,
    *,
    worlds: int = WORLDS,
    original: Graph | None = None,
) -> dict[str, Any]:
    """Measure worlds drawn from all that a release by groups leaves possible.

    Parameters
    ----------
    grouping : the release
    source : where the worlds are drawn from
    worlds : how many, at least 2
    original : compares degrees of each world with those of the graph behind the release, too

    Returns
    -------
    ``worlds``, and per statistic of :func:`~indistinct.graph.loss.measure` its ``mean`` over the
    worlds, the ``low`` and ``high`` that hold the middle 95 % of them, and ``error``, the standard
    error of the mean

    Raises
    ------
    ParameterError : fewer than two worlds are wanted

    Notes
    -----
    Each world is as likely as any other. The interval says how much of a statistic the groups leave
    open; it need not hold the value of the graph behind them.

    Source: hay2008, section 5.2.
    """
    if worlds < 2:  # noqa: PLR2004 - one world shows no spread
        raise ParameterError("at least two worlds must be drawn", "Set worlds to 20, say.")
    rows: list[dict[str, float]] = []
    for index in range(worlds):
        seed = None if source.seed is None else source.seed * 1_000_003 + index
        world = grouping.sample(RandomSource(seed))
        found = measure(world, RandomSource(seed))
        if original is not None:
            found["degrees"] = degree_distance(original.degrees, world.degrees)
        rows.append(dict(numbers(found)))
    names = [name for name in rows[0] if all(name in row for row in rows)]
    spreads = {name: spread(np.array([row[name] for row in rows])) for name in names}
    return {"worlds": worlds, **spreads}


def numbers(document: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, float]]:
    """List the numbers of nested documents by dotted names."""
    for name, value in document.items():
        if isinstance(value, dict):
            yield from numbers(cast("dict[str, Any]", value), f"{prefix}{name}.")
        elif value is not None:
            yield f"{prefix}{name}", float(value)


def spread(values: Floats) -> dict[str, float]:
    """Give mean, middle 95 % and the standard error of the mean."""
    low, high = np.quantile(values, (0.025, 0.975))
    return {
        "mean": float(values.mean()),
        "low": float(low),
        "high": float(high),
        "error": float(values.std(ddof=1) / len(values) ** 0.5),
    }


def grouping_beside(path: str | Path) -> Grouping | None:
    """Read the groups of a release from the files beside it; None where there are none.

    Raises
    ------
    DataError : a file is missing or damaged
    """
    path = Path(path)
    stem = path.name.removesuffix(".csv")
    files = [path.with_name(stem + suffix) for suffix in (GROUP_SUFFIX, SUPEREDGE_SUFFIX)]
    if not any(file.exists() for file in files):
        return None
    groups = whole_numbers(files[0], ["group", "size"])
    edges = whole_numbers(files[1], ["source", "target", "edges"])
    sizes = groups[:, 1].copy()
    ones, others, counts = (edges[:, column].copy() for column in range(3))
    grouping = Grouping(sizes, ones.astype(np.int32), others.astype(np.int32), counts)
    known = groups[:, 0].tolist() == list(range(len(sizes)))
    named = not len(edges) or int(edges[:, :2].max()) < len(sizes)
    if not known or not named or bool((counts > grouping.places).any()):
        raise damaged(files[1])
    return grouping


def whole_numbers(path: Path, header: list[str]) -> Ints:
    """Read a CSV of whole numbers: (n_rows, n_columns)."""
    rows = list(csv.reader(text_of(path).splitlines()))
    cells = [cell for row in rows[1:] for cell in row]
    if (
        not rows
        or rows[0] != header
        or any(len(row) != len(header) for row in rows)
        or not all(cell.isascii() and cell.isdigit() for cell in cells)
    ):
        raise damaged(path)
    return np.array(cells, np.int64).reshape(-1, len(header))


def damaged(path: Path) -> DataError:
    """Say that a file does not belong to a release by groups."""
    return DataError(
        [Fault(path.name, "is not a table of a release by groups", "Write the release again.")]
    )

"""Possible worlds: what a release by groups says of the graph behind it, and how surely."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, cast

import numpy as np

from indistinct.base.arrays import Floats, Ints
from indistinct.base.files.writing import atomic
from indistinct.base.former_names import former_names
from indistinct.base.randomness import RandomSource
from indistinct.errors import DataError, Fault, OutputError, ParameterError
from indistinct.graph.companions import check_files, companion_of
from indistinct.graph.edges import Graph
from indistinct.graph.graph_files import VERTEX_SUFFIX, text_of
from indistinct.graph.grouping import Grouping
from indistinct.graph.loss import degree_distance, measure
from indistinct.graph.models import GRAPH_MODELS_BY_NAME
from indistinct.graph.models.grouping import GROUP_SUFFIX, SUPEREDGE_SUFFIX
from indistinct.graph.models.model_parameters import check_seed
from indistinct.graph.release import GraphRelease, edge_table, vertex_table

# Worlds that a statistic is measured on: enough for a standard error below a quarter of the spread.
WORLDS = 20
# Worlds that are written to work with.
DRAWN = 10


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
    for one in map(source.numbered, range(worlds)):
        world = grouping.sample(one)
        found = measure(world, one)
        if original is not None:
            found["degrees"] = degree_distance(original.degrees, world.degrees)
        rows.append(dict(numbers(found)))
    names = [name for name in rows[0] if all(name in row for row in rows)]
    spreads = {name: spread(np.array([row[name] for row in rows])) for name in names}
    return {"worlds": worlds, **spreads}


@former_names(positional=("worlds",))
def sample_worlds(
    release: GraphRelease | Grouping | str | Path,
    *,
    worlds: int = DRAWN,
    seed: int | None = None,
    manifest: str | Path | None = None,
) -> list[Graph]:
    """Draw graphs that give this very release by groups, each as likely as any other.

    Parameters
    ----------
    release : a release by grouping, its groups, or its path
    worlds : how many, at least 1
    seed : repeats the worlds
    manifest : of a release given by its path; default ``PATH.manifest.json``

    Returns
    -------
    graphs whose vertices are numbered group by group: the members of the first group come first

    Raises
    ------
    ParameterError : it is no release by groups, or no world is wanted
    DataError : a file of the release is missing, changed or left over from another release
    """
    if worlds < 1:
        raise ParameterError("at least one world must be drawn", "Set worlds to 10, say.")
    check_seed(seed)
    if isinstance(release, str | Path):
        grouping = grouping_of_release(release, manifest)
    else:
        grouping = release if isinstance(release, Grouping) else release.grouping
    if grouping is None:
        raise ParameterError(
            "only a release by grouping has other worlds",
            "Publish with the model grouping, and keep its files and its manifest in one folder.",
        )
    return [grouping.sample(one) for one in map(RandomSource(seed).numbered, range(worlds))]


def write_worlds(graphs: Sequence[Graph], folder: str | Path) -> list[Path]:
    """Write worlds as edge lists ``world-01.csv`` and so on.

    Parameters
    ----------
    graphs : as :func:`sample_worlds` gives them
    folder : is made where it is missing. A world with isolated vertices has a file
        ``world-01.vertices.csv``, too

    Returns
    -------
    the edge lists

    Raises
    ------
    OutputError : the folder cannot be made or written to, or holds worlds of an earlier run
    """
    folder = Path(folder)
    width = max(2, len(str(len(graphs))))
    paths = [folder / f"world-{number:0{width}}.csv" for number in range(1, len(graphs) + 1)]
    files: dict[Path, bytes] = {}
    for path, graph in zip(paths, graphs, strict=True):
        files[path] = edge_table(graph)
        if not graph.degrees.all():
            files[companion_of(path, VERTEX_SUFFIX)] = vertex_table(graph)
    standing = set(folder.glob("world-*.csv")) - set(files) if folder.is_dir() else set[Path]()
    if standing:
        problem = f"holds {len(standing)} files of another run"
        raise OutputError([Fault(folder.name, problem, "Name an empty folder, or empty it.")])
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        problem = f"cannot be made: {error.strerror}"
        raise OutputError([Fault(folder.name, problem, "Choose another folder.")]) from error
    with ExitStack() as stack:
        for path, content in files.items():
            stack.enter_context(atomic(path)).write_bytes(content)
    return paths


def numbers(document: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, float]]:
    """List the numbers of nested documents by dotted names."""
    for name, value in document.items():
        if isinstance(value, dict):
            yield from numbers(cast("dict[str, Any]", value), f"{prefix}{name}.")
        elif value is not None:
            yield f"{prefix}{name}", float(value)


def spread(values: Floats) -> dict[str, float]:
    """Return mean, middle 95 % and the standard error of the mean."""
    low, high = np.quantile(values, (0.025, 0.975))
    return {
        "mean": float(values.mean()),
        "low": float(low),
        "high": float(high),
        "error": float(values.std(ddof=1) / len(values) ** 0.5),
    }


def grouping_of_release(path: str | Path, manifest: str | Path | None = None) -> Grouping | None:
    """Read the groups of a release from the files beside it; None where there are none.

    Parameters
    ----------
    path : the edge list of the release
    manifest : default ``PATH.manifest.json``; names the files of the release

    Raises
    ------
    DataError : a file is missing or damaged, was changed, or is left over from another release
    """
    path = Path(path)
    found = check_files(path, manifest)
    model = None if found is None else GRAPH_MODELS_BY_NAME.get(str(found.get("model")))
    if model is None or not model.publishes_groups:
        return None
    files = [companion_of(path, suffix) for suffix in (GROUP_SUFFIX, SUPEREDGE_SUFFIX)]
    groups = whole_numbers(files[0], ["group", "size"])
    edges = whole_numbers(files[1], ["source", "target", "edges"])
    sizes = groups[:, 1].copy()
    ones, others, counts = (edges[:, column].copy() for column in range(3))
    known = groups[:, 0].tolist() == list(range(len(sizes)))
    named = not len(edges) or int(edges[:, :2].max()) < len(sizes)
    if not known or not named:
        raise damaged(files[1])
    grouping = Grouping(sizes, ones.astype(np.int32), others.astype(np.int32), counts)
    if bool((counts > grouping.places).any()):
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
    """Return the error that a file does not belong to a release by groups."""
    return DataError(
        [Fault(path.name, "is not a table of a release by groups", "Write the release again.")]
    )

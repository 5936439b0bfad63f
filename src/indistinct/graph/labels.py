"""Labels of vertices: what is said of each, as it is or by a broader word."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast, final

import numpy as np

from indistinct.base.arrays import Bools, Ints
from indistinct.base.hierarchy import GeneralizationHierarchy, from_levels
from indistinct.base.hierarchy_builders import from_rows
from indistinct.errors import Fault, HierarchyError
from indistinct.graph.edges import Graph
from indistinct.graph.graph_files import text_of

# In this order, since a value holds a comma more often than a semicolon.
SEPARATORS = ";,\t|"


@final
@dataclass(frozen=True, slots=True, eq=False)
class VertexLabels:
    """The labels of a graph's vertices, each value generalized to a level of its own.

    Parameters
    ----------
    codes : (n_vertices,), position of each vertex's value in ``hierarchy.values``
    hierarchy : of the values that occur
    levels : (n_values,), level at which each value is shown; 0 for the value itself
    """

    codes: Ints
    hierarchy: GeneralizationHierarchy
    levels: Ints

    @property
    def shown(self) -> tuple[str, ...]:
        """Return the word that is shown for each value: (n_values,)."""
        labels, codes = self.hierarchy.labels, self.hierarchy.codes
        levels: list[int] = self.levels.tolist()
        return tuple(labels[level][int(codes[level, value])] for value, level in enumerate(levels))

    @property
    def texts(self) -> tuple[str, ...]:
        """Return the word that is shown for each vertex: (n_vertices,)."""
        shown, codes = self.shown, cast("list[int]", self.codes.tolist())
        return tuple(shown[code] for code in codes)

    @property
    def penalty(self) -> float:
        """Sum over vertices of the normalized certainty penalty: 0 to n_vertices.

        Notes
        -----
        Of a word: leaves under it / leaves under the root; 0 for a value itself.

        Source: zhou2008, section 3.1; xu2006, section 3.
        """
        counts = np.bincount(self.codes, minlength=len(self.levels))
        penalties = [
            self.hierarchy.certainty_penalty(level)[self.hierarchy.codes[level, value]]
            for value, level in enumerate(self.levels.tolist())
        ]
        return float((counts * np.array(penalties)).sum())

    def at(self, level: int) -> VertexLabels:
        """Show every value at one level."""
        return replace(self, levels=np.full(len(self.levels), level, np.int64))

    def under(self, value: int) -> Bools:
        """Mark the values that are shown by the same word of the same level: (n_values,)."""
        level = self.levels[value]
        codes = self.hierarchy.codes[level]
        return (self.levels == level) & (codes == codes[value])

    def lowered(self, values: Bools) -> VertexLabels:
        """Show some values one level lower."""
        return replace(self, levels=self.levels - values)


def vertex_labels(
    values: Sequence[object], hierarchy: GeneralizationHierarchy | None = None
) -> VertexLabels:
    """Return the labels of vertices as they are.

    Parameters
    ----------
    values : (n_vertices,), what is said of each vertex
    hierarchy : broader words for the values; without one they cannot be generalized

    Raises
    ------
    HierarchyError : the hierarchy does not contain a value
    """
    texts = [str(value) for value in values]
    distinct = sorted(set(texts))
    if hierarchy is None:
        known = from_levels([distinct])
    else:
        known = hierarchy.with_root().restricted(distinct)
    position = {text: code for code, text in enumerate(distinct)}
    codes = np.array([position[text] for text in texts], np.int64)
    return VertexLabels(codes, known, np.zeros(len(distinct), np.int64))


def labels_of(
    graph: Graph, column: str, hierarchy: GeneralizationHierarchy | str | Path | None
) -> VertexLabels:
    """Return the labels of a vertex attribute, with broader words for it, perhaps from a file.

    Raises
    ------
    ParameterError : the attribute is unknown
    DataError, HierarchyError : see :func:`read_hierarchy`
    """
    known = read_hierarchy(hierarchy) if isinstance(hierarchy, str | Path) else hierarchy
    return vertex_labels(graph.keeping([column]).attributes[column], known)


def read_hierarchy(path: str | Path) -> GeneralizationHierarchy:
    """Read a hierarchy: a row per value, the value first, then ever broader words, no header.

    Raises
    ------
    DataError : the file cannot be read
    HierarchyError : it is no hierarchy
    """
    path = Path(path)
    lines = [line for line in text_of(path).splitlines() if line.strip()]
    first = lines[0] if lines else ""
    separator = next((one for one in SEPARATORS if one in first), ";")
    try:
        return from_rows(list(csv.reader(lines, delimiter=separator)))
    except HierarchyError as error:
        raise HierarchyError(
            [Fault(path.name, one.problem, one.remedy, one.values) for one in error.faults]
        ) from None

"""Generalization hierarchies: which coarser label each value gets at each level.

A hierarchy is one table, level by value. It is checked when it is built: every value is covered,
has the same depth as the others, and exactly one parent. ``hierarchy_builders.py`` builds them from
rows, trees and masks, ``interval_hierarchies.py`` and ``date_hierarchies.py`` by a rule.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from indistinct.base.arrays import Bools, Codes, Floats, Ints
from indistinct.base.brief import short_repr
from indistinct.errors import Fault, HierarchyError

ROOT = "*"
MAX_EXAMPLES = 5


@dataclass(frozen=True)  # without slots, so that its tree is computed once
class GeneralizationHierarchy:
    """Labels of a column's values at each level, finest first.

    Parameters
    ----------
    values : the texts at level 0, one per value
    labels : per level, the text of each label code; ``labels[0]`` is ``values``
    codes : (n_levels, n_values), label code of each value at each level
    extents : per level, (n_labels,), how much of the domain a label stands for, in leaves (or in
        units of length for intervals); a label with extent 1 stands for one value
    domain : extent of the whole domain, at least 1

    Notes
    -----
    ``values`` may be a part of the domain: extents count the whole of it, since a loss must not
    depend on which of the domain's values the records happen to have. Of whole numbers an interval
    holds its numbers inside the column's range; of other numbers its extent is 1 plus its length,
    so that ``(extent - 1) / (domain - 1)`` is length over range in both cases.
    """

    values: tuple[str, ...]
    labels: tuple[tuple[str, ...], ...]
    codes: Codes
    extents: tuple[Floats, ...]
    domain: float

    __repr__ = short_repr

    @property
    def n_levels(self) -> int:
        """Number of levels, the finest included."""
        return len(self.labels)

    @property
    def height(self) -> int:
        """Highest level."""
        return len(self.labels) - 1

    def paths(self, kept: Bools | None = None) -> Iterator[list[str]]:
        """Yield the labels of each value, the value itself first.

        Parameters
        ----------
        kept : (n_values,), which values are looked at; all where left out
        """
        of_levels: list[list[int]] = (self.codes if kept is None else self.codes[:, kept]).tolist()
        by_level = zip(self.labels, of_levels, strict=True)
        texts = [[labels[code] for code in of_level] for labels, of_level in by_level]
        yield from map(list, zip(*texts, strict=True))

    def cell_loss(self, level: int) -> Floats:
        """Return Iyengar's loss of each label at ``level``: (n_labels,), in [0, 1].

        Source: iyengar2002, section 3: (leaves under the label - 1) / (leaves - 1).
        """
        if self.domain <= 1:
            return np.zeros_like(self.extents[level])
        return np.clip((self.extents[level] - 1) / (self.domain - 1), 0.0, 1.0)

    def certainty_penalty(self, level: int) -> Floats:
        """Return the normalized certainty penalty of each label at a level: (n_labels,), in [0, 1].

        Source: xu2006, section 3: 0 for a single value, else leaves under the label / leaves.
        """
        extents = self.extents[level]
        return np.where(extents <= 1, 0.0, np.clip(extents / max(self.domain, 1.0), 0.0, 1.0))

    def restricted(self, values: Sequence[str]) -> GeneralizationHierarchy:
        """Return the same hierarchy over ``values`` only, in their order.

        Raises
        ------
        HierarchyError
            when the hierarchy does not contain some of the values
        """
        place_of = self.place_of
        missing = tuple(value for value in values if value not in place_of)
        if missing:
            raise HierarchyError([_uncovered(missing)])
        chosen = np.fromiter((place_of[value] for value in values), np.int64, len(values))
        return GeneralizationHierarchy(
            tuple(values),
            (tuple(values), *self.labels[1:]),
            np.vstack(
                [np.arange(len(values), dtype=np.int32)[None, :], self.codes[1:, chosen]]
            ).astype(np.int32),
            (self.extents[0][self.codes[0, chosen]], *self.extents[1:]),
            self.domain,
        )

    def with_missing(self, text: str) -> GeneralizationHierarchy:
        """Return the same hierarchy with the missing value, a node of its own below the root.

        Parameters
        ----------
        text : of the missing value; nothing is added if the hierarchy lists it
        """
        if text in self.place_of:
            return self
        labels: list[tuple[str, ...]] = []
        codes: list[Codes] = []
        extents: list[Floats] = []
        for of_level, own, extent in zip(self.labels, self.codes, self.extents, strict=True):
            is_root = of_level == (ROOT,)
            labels.append(of_level if is_root else (*of_level, text))
            codes.append(np.append(own, 0 if is_root else len(of_level)).astype(np.int32))
            extents.append(extent if is_root else np.append(extent, 1.0))
        return GeneralizationHierarchy(
            labels[0], tuple(labels), np.vstack(codes), tuple(extents), self.domain
        )

    def with_hidden(self, values: Sequence[str]) -> GeneralizationHierarchy:
        """Return the same hierarchy over more values, of which the new ones can only be hidden.

        Parameters
        ----------
        values : those of this hierarchy, and further ones
        """
        whole = self.with_root()
        places = np.array([whole.place_of.get(value, -1) for value in values], np.int64)
        labels, extents = [tuple(values)], [np.ones(len(values))]
        codes = [np.arange(len(values), dtype=np.int32)]
        extents[0][places >= 0] = whole.extents[0][whole.codes[0, places[places >= 0]]]
        for of_level, own, extent in zip(
            whole.labels[1:], whole.codes[1:], whole.extents[1:], strict=True
        ):
            has_root = ROOT in of_level
            root = of_level.index(ROOT) if has_root else len(of_level)
            labels.append(of_level if has_root else (*of_level, ROOT))
            extents.append(extent if has_root else np.append(extent, whole.domain))
            codes.append(np.where(places >= 0, own[places], root).astype(np.int32))
        return GeneralizationHierarchy(
            tuple(values), tuple(labels), np.vstack(codes), tuple(extents), whole.domain
        )

    def renamed(self, values: Sequence[str]) -> GeneralizationHierarchy:
        """Return the same hierarchy with other texts at level 0, in the same order."""
        labels = (tuple(values), *self.labels[1:])
        return GeneralizationHierarchy(tuple(values), labels, self.codes, self.extents, self.domain)

    @cached_property
    def place_of(self) -> Mapping[str, int]:
        """The number of each value."""
        return {value: place for place, value in enumerate(self.values)}

    def lowest_levels(self, least: int = 0) -> dict[str, int]:
        """Return the lowest level from ``least`` on at which each label stands; no root, no value.

        A value is one that stands at level 0; where that is below ``least``, it may be a label.
        """
        levels = range(self.height, max(least, 1) - 1, -1)
        found = {text: level for level in levels for text in self.labels[level] if text != ROOT}
        if least > 0:
            return found
        return {text: level for text, level in found.items() if text not in self.place_of}

    @cached_property
    def tree(self) -> Codes:
        """Dense numbers of the nodes, with one root: (n_levels, n_values)."""
        dense = [np.unique(level, return_inverse=True)[1] for level in self.with_root().codes]
        return np.vstack(dense).astype(np.int32)

    @cached_property
    def is_unambiguous(self) -> Bools:
        """Return where the text of a label stands for its own values only: (n_levels, n_values).

        A text of one character that is masked reads like the root, and a group may have the name
        of one of its values: whoever reads such a text takes it for the larger of the two sets.
        """
        n_values = len(self.values)
        numbers = {ROOT: 0}
        read = np.zeros((self.n_levels + 1, n_values), np.int64)  # the last row is the root
        for level, labels in enumerate(self.labels):
            of_label = [numbers.setdefault(text, len(numbers)) for text in labels]
            read[level] = np.array(of_label, np.int64)[self.codes[level]]
        pairs = np.unique(read * n_values + np.arange(n_values))
        n_read = np.bincount(pairs // n_values, minlength=len(numbers))
        n_own = [np.bincount(codes)[codes] for codes in self.codes]
        return np.array(n_own) == n_read[read[:-1]]

    @cached_property
    def without_last(self) -> GeneralizationHierarchy:
        """The same hierarchy over all values but the last; labels and extents stay."""
        return GeneralizationHierarchy(
            self.values[:-1],
            (self.labels[0][:-1], *self.labels[1:]),
            np.ascontiguousarray(self.codes[:, :-1]),
            (self.extents[0][:-1], *self.extents[1:]),
            self.domain,
        )

    def with_root(self) -> GeneralizationHierarchy:
        """Return the same hierarchy with one label for everything on top, added if it lacks one."""
        if len(np.unique(self.codes[-1])) <= 1 and math.isclose(
            float(self.extents[-1][self.codes[-1, 0]]), self.domain
        ):
            return self
        return GeneralizationHierarchy(
            self.values,
            (*self.labels, (ROOT,)),
            np.vstack([self.codes, np.zeros((1, len(self.values)), np.int32)]).astype(np.int32),
            (*self.extents, np.array([self.domain])),
            self.domain,
        )


def from_levels(
    levels: Sequence[Sequence[str]], sizes: Floats | None = None
) -> GeneralizationHierarchy:
    """Build a hierarchy from one list of labels per level, each in the order of the values.

    Parameters
    ----------
    levels : per level, (n_values,), the finest first
    sizes : (n_values,), extent of each value; 1 each when left out

    Raises
    ------
    HierarchyError
        when a value is listed twice, or a label has two parents
    """
    coded = [_code(level) for level in levels]
    faults = list(_doubled(levels[0], coded[0][1])) + list(_two_parents(coded))
    if faults:
        raise HierarchyError(faults)
    weights = np.ones(len(levels[0])) if sizes is None else sizes
    return GeneralizationHierarchy(
        coded[0][1],
        tuple(labels for _, labels in coded),
        np.vstack([codes for codes, _ in coded]).astype(np.int32),
        tuple(
            np.bincount(codes, weights, len(labels)).astype(np.float64) for codes, labels in coded
        ),
        float(weights.sum()),
    )


def with_hidden_cells(hierarchy: GeneralizationHierarchy) -> GeneralizationHierarchy:
    """Return the same hierarchy, in which every hidden cell stands for the whole column.

    Raises
    ------
    HierarchyError
        when a value is hidden at some level, and has another label at a higher one
    """
    extents = list(hierarchy.extents)
    was_hidden = np.zeros(len(hierarchy.values), np.bool_)
    for level, labels in enumerate(hierarchy.labels):
        if level == 0:
            continue
        root = labels.index(ROOT) if ROOT in labels else -1
        is_hidden = hierarchy.codes[level] == root
        if (was_hidden & ~is_hidden).any():
            problem = f"a label at level {level} stands above {ROOT}, which hides the whole column"
            raise HierarchyError([Fault(f"level {level}", problem, "Give it another name.")])
        if root >= 0:
            extents[level] = extents[level].copy()
            extents[level][root] = hierarchy.domain
        was_hidden = is_hidden
    return replace(hierarchy, extents=tuple(extents))


def with_distinct_labels(hierarchy: GeneralizationHierarchy) -> GeneralizationHierarchy:
    """Return the same hierarchy, in which each text is one set of values.

    A label that is also a value, or another label, is followed by its level in brackets. The
    lowest keeps its text.

    Raises
    ------
    HierarchyError
        when the list has a label of the new name, too, or a group without a name
    """
    n_levels = Counter(text for labels in hierarchy.labels for text in labels)
    first: dict[str, Ints] = {}
    named: dict[tuple[str, bytes], str] = {}
    levels = [list(labels) for labels in hierarchy.labels]
    for level, labels in enumerate(hierarchy.labels):
        for code, text in enumerate(labels):
            if n_levels[text] == 1 or text == ROOT:
                continue
            cover = np.flatnonzero(hierarchy.codes[level] == code)
            if np.array_equal(first.setdefault(text, cover), cover):
                continue
            if not text:
                raise HierarchyError([unnamed_group(level)])
            name = named.setdefault((text, cover.tobytes()), f"{text} (level {level})")
            levels[level][code] = name
    if not named:
        return hierarchy
    if taken := sorted(set(named.values()) & n_levels.keys()):
        problem = f"{len(taken)} labels have the names that others get, to be told from values"
        raise HierarchyError([Fault("", problem, "Rename them.", tuple(taken[:MAX_EXAMPLES]))])
    return replace(hierarchy, labels=tuple(map(tuple, levels)))


def unnamed_group(level: int) -> Fault:
    """Return the fault of a group whose name every reader takes for a missing value."""
    problem = f"at level {level}, a group has no name, or one that stands for missing values"
    return Fault("", f"{problem} (data.missing)", "Give this group another name.")


def _code(labels: Sequence[str]) -> tuple[Codes, tuple[str, ...]]:
    """Return numbers to the labels in order of first appearance."""
    numbers: dict[str, int] = {}
    codes = np.fromiter(
        (numbers.setdefault(label, len(numbers)) for label in labels), np.int32, len(labels)
    )
    return codes, tuple(numbers)


def _doubled(level: Sequence[str], distinct: Sequence[str]) -> Iterator[Fault]:
    """Report values that stand in more than one row."""
    count = len(level) - len(distinct)
    if count:
        seen: set[str] = set()
        twice = [value for value in level if value in seen or seen.add(value)]
        yield Fault(
            "",
            f"{count} values are in more than one row",
            "Keep one row per value.",
            tuple(twice[:MAX_EXAMPLES]),
        )


def _two_parents(coded: Sequence[tuple[Codes, tuple[str, ...]]]) -> Iterator[Fault]:
    """Report labels of a level that lead to two labels of the next."""
    for level in range(len(coded) - 1):
        child, labels = coded[level]
        parent = coded[level + 1][0]
        first = np.full(len(labels), -1, np.int64)
        first[child[::-1]] = parent[::-1]
        torn: list[int] = np.unique(child[first[child] != parent]).tolist()
        if torn:
            yield Fault(
                f"level {level}",
                f"{len(torn)} labels have two parents at level {level + 1}",
                "Give each label one parent.",
                tuple(labels[code] for code in torn[:MAX_EXAMPLES]),
            )


def _uncovered(missing: tuple[str, ...]) -> Fault:
    """Report values of the data that a hierarchy lacks."""
    return Fault(
        "",
        f"the hierarchy does not contain {len(missing)} of the column's values",
        "Add a row for each, or treat them as missing; --show-values prints them.",
        missing[:MAX_EXAMPLES],
    )

"""Generalization hierarchies: which coarser label each value gets at each level.

A hierarchy is one table, level by value. It is checked when it is built: every value is covered,
has the same depth as the others, and exactly one parent. The builders are functions: from the
rows of a file, from intervals, masks, dates and trees.
"""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import cast

import numpy as np

from indistinct.core.arrays import Codes, Floats
from indistinct.core.brief import briefly
from indistinct.errors import Fault, HierarchyError

ROOT = "*"
DATE_LEVELS = ("month", "quarter", "year", "decade")
LEAST_STEPS = 16  # of the smallest step between the column's largest numbers, in one interval
MAX_EXAMPLES = 5
ISO_DATE = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
    r"([ T][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]+)?)?(Z|[+-][0-9]{2}:?[0-9]{2})?)?"
)

Tree = Mapping[str, object]


@dataclass(frozen=True, slots=True)
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

    __repr__ = briefly

    @property
    def n_levels(self) -> int:
        """Number of levels, the finest included."""
        return len(self.labels)

    @property
    def height(self) -> int:
        """Highest level."""
        return len(self.labels) - 1

    def cell_loss(self, level: int) -> Floats:
        """Give Iyengar's loss of each label at ``level``: (n_labels,), in [0, 1].

        Source: iyengar2002, section 3: (leaves under the label - 1) / (leaves - 1).
        """
        if self.domain <= 1:
            return np.zeros_like(self.extents[level])
        return np.clip((self.extents[level] - 1) / (self.domain - 1), 0.0, 1.0)

    def certainty_penalty(self, level: int) -> Floats:
        """Give the normalized certainty penalty of each label at ``level``: (n_labels,), in [0, 1].

        Source: xu2006, section 3: 0 for a single value, else leaves under the label / leaves.
        """
        extents = self.extents[level]
        return np.where(extents <= 1, 0.0, np.clip(extents / max(self.domain, 1.0), 0.0, 1.0))

    def restricted(self, values: Sequence[str]) -> GeneralizationHierarchy:
        """Give the same hierarchy over ``values`` only, in their order.

        Raises
        ------
        HierarchyError
            when the hierarchy lacks some of the values
        """
        position = {value: index for index, value in enumerate(self.values)}
        missing = tuple(value for value in values if value not in position)
        if missing:
            raise HierarchyError([_uncovered(missing)])
        chosen = np.fromiter((position[value] for value in values), np.int64, len(values))
        return GeneralizationHierarchy(
            tuple(values),
            (tuple(values), *self.labels[1:]),
            np.vstack(
                [np.arange(len(values), dtype=np.int32)[None, :], self.codes[1:, chosen]]
            ).astype(np.int32),
            (self.extents[0][self.codes[0, chosen]], *self.extents[1:]),
            self.domain,
        )

    def renamed(self, values: Sequence[str]) -> GeneralizationHierarchy:
        """Give the same hierarchy with other texts at level 0, in the same order."""
        labels = (tuple(values), *self.labels[1:])
        return GeneralizationHierarchy(tuple(values), labels, self.codes, self.extents, self.domain)

    def with_root(self) -> GeneralizationHierarchy:
        """Give the same hierarchy with one label for everything on top, added when it lacks one."""
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


def from_rows(rows: Sequence[Sequence[str]]) -> GeneralizationHierarchy:
    """Build a hierarchy from the rows of a file: one per value, level 0 first.

    Raises
    ------
    HierarchyError
        when rows differ in length, a value stands in two rows or a label has two parents
    """
    if not rows:
        raise HierarchyError([Fault("", "the hierarchy has no row", "Give one row per value.")])
    depth = len(rows[0])
    ragged = [number for number, row in enumerate(rows, start=1) if len(row) != depth]
    if ragged:
        raise HierarchyError([_ragged(ragged, depth)])
    return from_levels(list(zip(*rows, strict=True)))


def from_tree(tree: Tree) -> GeneralizationHierarchy:
    """Build a hierarchy from nested groups; the leaves must all have the same depth.

    Raises
    ------
    HierarchyError
        when leaves differ in depth, a value stands twice or a label has two parents

    Examples
    --------
    >>> from_tree({"respiratory": ["flu", "pneumonia"], "digestive": ["ulcer"]}).labels[1]
    ('respiratory', 'digestive')
    """
    paths = [path for path in _paths(tree, ()) if path]
    return from_rows([[*path[::-1], ROOT] for path in paths])


def from_masks(values: Sequence[str], hidden: int) -> GeneralizationHierarchy:
    """Build a hierarchy that hides 1 to ``hidden`` characters from the right.

    A text that is shorter is hidden whole. The top level is the root when every value is then
    hidden whole; otherwise the root follows it.
    """
    levels = [tuple(values)]
    levels += [tuple(_masked(value, count) for value in values) for count in range(1, hidden + 1)]
    if any(label.strip("*") for label in levels[-1]) or len(set(levels[-1])) > 1:
        levels.append((ROOT,) * len(values))
    else:
        levels[-1] = (ROOT,) * len(values)
    return from_levels(levels)


def from_intervals(
    numbers: Sequence[float], texts: Sequence[str], widths: Sequence[float]
) -> GeneralizationHierarchy:
    """Build a hierarchy of half-open intervals, one width per level, then the root.

    Parameters
    ----------
    numbers : (n_values,), distinct numbers; NaN stands for the missing value, which keeps a
        label of its own below the root
    texts : (n_values,), how each is written
    widths : each a multiple of the one before; intervals start at multiples of their width, so
        that no label depends on the data

    Raises
    ------
    HierarchyError
        when the widths do not grow, or one is no multiple of the one before
    """
    _check_widths(widths)
    array = np.asarray(numbers, dtype=np.float64)
    known = array[~np.isnan(array)]
    low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 0.0)
    if widths[0] < LEAST_STEPS * math.ulp(max(abs(low), abs(high))):
        problem = "the first width is too small for numbers as large as the column's"
        raise HierarchyError([Fault("intervals", problem, "Choose a greater width.")])
    integral = bool(np.all(known == np.floor(known))) and all(w == math.floor(w) for w in widths)
    # Of whole numbers, [20, 30) ends at 29, so that it is one shorter than its width.
    unit = 1.0 if integral else 0.0
    levels = [_interval_labels(array.tolist(), texts, width) for width in widths]
    hierarchy = from_levels([tuple(texts), *levels, (ROOT,) * len(texts)])
    extents = [np.ones(len(texts))]
    for codes, labels, width in zip(
        hierarchy.codes[1:], hierarchy.labels[1:], widths, strict=False
    ):
        starts = np.array([_start(number, width) for number in array.tolist()])
        lengths = np.minimum(starts + width - unit, high) - np.maximum(starts, low)
        of_label = np.ones(len(labels))
        of_label[codes] = np.where(np.isnan(array), 1.0, 1.0 + lengths)
        extents.append(of_label)
    domain = 1.0 + (high - low)
    extents.append(np.array([domain]))
    return GeneralizationHierarchy(
        hierarchy.values, hierarchy.labels, hierarchy.codes, tuple(extents), domain
    )


def from_dates(texts: Sequence[str], steps: Sequence[str]) -> GeneralizationHierarchy:
    """Build a hierarchy of calendar periods over ISO dates, then the root.

    Parameters
    ----------
    texts : (n_values,), ISO dates; the empty text stands for the missing value
    steps : some of ``month``, ``quarter``, ``year``, ``decade``, from fine to coarse

    Raises
    ------
    HierarchyError
        when a value is no ISO date, or a step is unknown or out of order
    """
    order = [DATE_LEVELS.index(step) if step in DATE_LEVELS else -1 for step in steps]
    if -1 in order or sorted(set(order)) != order or not steps:
        raise HierarchyError(
            [
                Fault(
                    "dates",
                    "the steps are not in order from fine to coarse",
                    f"Choose some of {', '.join(DATE_LEVELS)}, in this order.",
                )
            ]
        )
    parsed = [_date(text) for text in texts]
    unread = tuple(t for t, d in zip(texts, parsed, strict=True) if d is None and t != "")
    if unread:
        raise HierarchyError(
            [
                Fault(
                    "dates",
                    f"{len(unread)} of {len(texts)} distinct values are no ISO dates",
                    "Write dates as YYYY-MM-DD.",
                    unread[:MAX_EXAMPLES],
                )
            ]
        )
    levels = [tuple(texts)] + [
        tuple(_period(d, step) if d else t for t, d in zip(texts, parsed, strict=True))
        for step in steps
    ]
    return from_levels([*levels, (ROOT,) * len(texts)])


def flat(values: Sequence[str]) -> GeneralizationHierarchy:
    """Build the hierarchy that keeps a value or hides it."""
    return from_levels([tuple(values), (ROOT,) * len(values)])


def is_date(text: str) -> bool:
    """Tell whether a text is an ISO date."""
    return _date(text) is not None


def interval_label(number: float, width: float) -> str:
    """Write the interval of ``width`` around ``number``: ``[20, 30)``."""
    step = interval_step(number, width)
    return f"[{number_text(step * width)}, {number_text((step + 1) * width)})"


def interval_step(number: float, width: float) -> int:
    """Give the multiple of ``width`` at which the interval around ``number`` starts.

    The ends count as they are written: 0.3 lies in ``[0.3, 0.4)``, although 0.3 / 0.1 is below 3.
    """
    step = math.floor(number / width)
    if number >= float(number_text((step + 1) * width)):
        return step + 1
    return step - 1 if number < float(number_text(step * width)) else step


def number_text(number: float) -> str:
    """Write a number without a trailing ``.0`` or rounding noise."""
    return str(int(number)) if number == int(number) else repr(round(number, 10))


def _interval_labels(
    numbers: Sequence[float], texts: Sequence[str], width: float
) -> tuple[str, ...]:
    """Write each number's interval; a missing number keeps its text."""
    return tuple(
        text if math.isnan(number) else interval_label(number, width)
        for number, text in zip(numbers, texts, strict=True)
    )


def _start(number: float, width: float) -> float:
    """Give where the interval around a number starts; of a missing number, nothing."""
    return math.nan if math.isnan(number) else interval_step(number, width) * width


def _code(labels: Sequence[str]) -> tuple[Codes, tuple[str, ...]]:
    """Give numbers to the labels in order of first appearance."""
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
            f"{count} values stand in more than one row",
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
        f"the hierarchy lacks {len(missing)} of the column's values",
        "Add a row for each, or treat them as missing; --show-values prints them.",
        missing[:MAX_EXAMPLES],
    )


def _ragged(rows: Sequence[int], depth: int) -> Fault:
    """Report rows whose length differs from the first row's."""
    listed = ", ".join(str(row) for row in rows[:MAX_EXAMPLES])
    return Fault(
        "",
        f"{len(rows)} rows do not have {depth} levels (rows {listed})",
        "Give every value the same number of levels.",
    )


def _paths(node: object, above: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Walk a tree, as a user wrote it, down to its leaves."""
    if isinstance(node, Mapping):
        for name, child in cast("Mapping[object, object]", node).items():
            yield from _paths(child, (*above, str(name)))
    elif isinstance(node, Sequence) and not isinstance(node, str):
        for leaf in cast("Sequence[object]", node):
            yield (*above, str(leaf))
    else:
        raise HierarchyError(
            [Fault("tree", "a group is neither a table nor a list", "List the values of a group.")]
        )


def _masked(text: str, count: int) -> str:
    """Hide the last ``count`` characters of a text."""
    kept = max(0, len(text) - count)
    return text[:kept] + "*" * (len(text) - kept)


def _check_widths(widths: Sequence[float]) -> None:
    """Raise when interval widths cannot be nested."""
    if not widths or any(not math.isfinite(width) or width <= 0 for width in widths):
        raise HierarchyError(
            [Fault("intervals", "a width is not a positive number", "Give positive widths.")]
        )
    for finer, coarser in pairwise(widths):
        ratio = coarser / finer
        if ratio <= 1 or not math.isclose(ratio, round(ratio), rel_tol=1e-9):
            raise HierarchyError(
                [
                    Fault(
                        "intervals",
                        f"width {coarser:g} is no multiple of {finer:g}",
                        "Let every width be a multiple of the one before, so that intervals nest.",
                    )
                ]
            )


def _date(text: str) -> dt.date | None:
    """Read an ISO date, or a timestamp's date."""
    if not ISO_DATE.fullmatch(text):
        return None
    try:
        return dt.date.fromisoformat(text[:10])
    except ValueError:
        return None


_PERIODS: Mapping[str, Callable[[dt.date], str]] = {
    "month": lambda day: f"{day.year:04d}-{day.month:02d}",
    "quarter": lambda day: f"{day.year:04d}-Q{(day.month - 1) // 3 + 1}",
    "year": lambda day: f"{day.year:04d}",
    "decade": lambda day: f"{day.year // 10 * 10:04d}s",
}


def _period(day: dt.date, step: str) -> str:
    """Write the calendar period of a day."""
    return _PERIODS[step](day)

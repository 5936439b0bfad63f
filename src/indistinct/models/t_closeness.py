"""t-closeness: a class must not differ much from the whole table."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate
from typing import ClassVar, final

from indistinct.core.arrays import Floats
from indistinct.core.classes import EquivalenceClasses
from indistinct.core.distances import equal_distance, hierarchical_distance, ordered_distance
from indistinct.core.parameters import parameter
from indistinct.core.protocols import Monotonicity, PlainClass, PlainColumn
from indistinct.models.bounded import BoundedModel

DISTANCES = {
    "equal": equal_distance,
    "ordered": ordered_distance,
    "hierarchical": hierarchical_distance,
}


@final
@dataclass(frozen=True, slots=True)
class TCloseness(BoundedModel):
    """The sensitive values of every class are distributed like the whole table's, up to ``t``.

    The whole table is the original one, suppressed records included.

    Source: li2010, definition 2.
    """

    column: str = parameter(str, help="the sensitive column")
    t: float = parameter(float, at_least=0, at_most=1, help="greatest distance of a class")
    distance: str = parameter(
        str, choices=DISTANCES, default="equal", help="ground distance between values"
    )

    name: ClassVar[str] = "t-closeness"
    letter: ClassVar[str] = "t"
    monotone: ClassVar[Monotonicity] = Monotonicity.WITHOUT_SUPPRESSION
    grows: ClassVar[bool] = False

    def measure(self, classes: EquivalenceClasses) -> Floats:
        """Give the earth mover's distance per class, in [0, 1]."""
        return DISTANCES[self.distance](
            classes.value_counts[self.column], classes.sizes, classes.sensitive[self.column]
        )

    def measure_plainly(self, one: PlainClass) -> float:
        """Give the earth mover's distance of one class."""
        table = one.table[self.column]
        records = sum(table.counts.values())
        surplus = {
            value: one.counts[self.column].get(value, 0) / one.size - count / records
            for value, count in table.counts.items()
        }
        return _PLAIN[self.distance](surplus, table)


def _equal(surplus: Mapping[str, float], table: PlainColumn) -> float:
    """Move every surplus over the same distance."""
    del table
    return sum(abs(extra) for extra in surplus.values()) / 2


def _ordered(surplus: Mapping[str, float], table: PlainColumn) -> float:
    """Carry the surplus from value to value along the line."""
    if len(table.order) < 2:  # noqa: PLR2004 - one value, nothing to carry
        return 0.0
    carried = accumulate(surplus[value] for value in table.order)
    return sum(abs(extra) for extra in carried) / (len(table.order) - 1)


def _hierarchical(surplus: Mapping[str, float], table: PlainColumn) -> float:
    """Settle what can be settled under each node, and carry the rest upwards."""
    height = len(next(iter(table.paths.values())))
    extras: dict[tuple[str, ...], float] = {
        (value, *table.paths[value]): extra for value, extra in surplus.items()
    }
    cost = 0.0
    for level in range(1, height + 1):
        children: dict[tuple[str, ...], list[float]] = defaultdict(list)
        for node, extra in extras.items():
            children[node[1:]].append(extra)
        for below in children.values():
            surplus_below = sum(extra for extra in below if extra > 0)
            lack_below = -sum(extra for extra in below if extra < 0)
            cost += level / height * min(surplus_below, lack_below)
        extras = {node: sum(below) for node, below in children.items()}
    return cost


_PLAIN = {"equal": _equal, "ordered": _ordered, "hierarchical": _hierarchical}

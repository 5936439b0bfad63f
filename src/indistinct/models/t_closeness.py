"""t-closeness: a class must not differ much from the whole table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, final

from indistinct.core.arrays import Floats, Ints, slack
from indistinct.core.classes import EquivalenceClasses
from indistinct.core.distances import BANDWIDTH, GROUNDS, KINDS, SMOOTHINGS, Distance
from indistinct.core.parameters import parameter
from indistinct.core.protocols import Monotonicity, PlainClass
from indistinct.models.closeness import (
    check_distance,
    plain_distance,
    shares_of,
    transport_doubt,
    words_of,
)
from indistinct.models.of_one_column import SensitiveModel


@final
@dataclass(frozen=True, slots=True)
class TCloseness(SensitiveModel):
    """The sensitive values of every class are distributed like the whole table's, up to ``t``.

    The whole table is the original one, suppressed records included.

    Source: li2010, definition 2.
    """

    t: float = parameter(float, at_least=0, at_most=1, help="greatest distance of a class")
    distance: str = parameter(
        str, choices=KINDS, default="equal", help="how far apart two distributions are"
    )
    ground: str = parameter(
        str, choices=GROUNDS, default="rank", help="distance of two values: ordered and kernel"
    )
    bandwidth: float = parameter(
        float, above=0, default=BANDWIDTH, help="how far kernel smoothing reaches"
    )
    smoothing: str = parameter(
        str, choices=SMOOTHINGS, default="nw", help="weighted means, or mass handed on: kernel"
    )

    name: ClassVar[str] = "t-closeness"
    promise: ClassVar[str] = (
        "In every group of records that look alike, the values of the column {column} are "
        "distributed almost as in the whole table: they differ by a distance of at most {t:g}"
        " on a scale from 0 to 1. Finding somebody's group adds little to what the whole "
        "table tells about everybody."
    )
    leaves_open: ClassVar[tuple[str, ...]] = (
        "It does not hide what the whole table tells about {column}.",
        ("For a rare value of {column}, even a small distance can be a large change of its share."),
    )
    letter: ClassVar[str] = "t"
    compares_with_table: ClassVar[bool] = True
    grows: ClassVar[bool] = False

    def __post_init__(self) -> None:
        """Check every parameter once, and whether they go together."""
        SensitiveModel.__post_init__(self)
        check_distance(self.measured_by)

    @property
    def monotone(self) -> Monotonicity:  # pyright: ignore[reportIncompatibleVariableOverride] - it depends on the distance
        """A mixture of classes is no farther away than they are, if the distance is convex."""
        convex = self.measured_by.is_convex
        return Monotonicity.WITHOUT_SUPPRESSION if convex else Monotonicity.NEVER

    @property
    def measured_by(self) -> Distance:
        """The distance between two distributions."""
        return Distance(self.distance, self.ground, self.bandwidth, self.smoothing)

    def required(self) -> dict[str, Any]:
        """Give the parameters that say something about the distance."""
        words = {"t": self.t, **words_of(self.measured_by)}
        return {"column": self.column, **words, **self.words_beside()}

    def measure(self, classes: EquivalenceClasses) -> Floats:
        """Give the distance to the whole table per class, in [0, 1]."""
        return self.measured_by.to_table(
            classes.value_counts[self.column], classes.sizes, classes.sensitive[self.column]
        )

    def doomed_known(self, classes: EquivalenceClasses) -> Ints:
        """Bound the records that every partition leaves too far from the whole table."""
        found, limit = classes.value_counts[self.column], self.t + slack(self.t)
        column = classes.sensitive[self.column]
        return self.measured_by.beyond(found, classes.sizes, column, limit)

    def doubt(self, n_gone: float, n_released: int) -> float:
        """Bound how far the distance to the released records is from that to the input's."""
        return transport_doubt(self.measured_by, n_gone, n_released + n_gone)

    def measure_plainly(self, one: PlainClass) -> float:
        """Give the distance of one class to the whole table."""
        table = one.table[self.column]
        held = shares_of(one.counts[self.column])
        return plain_distance(held, shares_of(table.counts), table, self.measured_by)

"""The naive release: names go, the graph stays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, final

from indistinct.graph.models.model import Anonymized, GraphModel

if TYPE_CHECKING:
    from indistinct.base.randomness import RandomSource
    from indistinct.graph.edges import Graph


@final
@dataclass(frozen=True, slots=True)
class Naive(GraphModel):
    """No edge changes; the baseline without any guarantee.

    Source: backstrom2007, section 1.
    """

    name: ClassVar[str] = "naive"
    promise: ClassVar[str] = (
        "Names were removed and the members of the network got new numbers at random. Nothing"
        " is promised beyond that."
    )
    leaves_open: ClassVar[tuple[str, ...]] = (
        "Whoever knows something of the links around a person finds this person.",
    )
    keeps_edges: ClassVar[bool] = True
    keeps_degrees: ClassVar[bool] = True

    def anonymize(self, graph: Graph, source: RandomSource) -> Anonymized:
        """Change nothing."""
        del source
        return Anonymized(graph, 0, 0)

"""Random switching: edges swap their ends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, final

from indistinct.graph.models.model import Anonymized, GraphModel, share_of_edges

if TYPE_CHECKING:
    from indistinct.core.randomness import RandomSource
    from indistinct.graph.edges import Graph


@final
@dataclass(frozen=True, slots=True)
class RandomSwitch(GraphModel):
    """The ends of random pairs of edges are swapped; a baseline without any guarantee.

    Source: ying2008, section 3.1.
    """

    share: float = share_of_edges()

    name: ClassVar[str] = "random-switch"
    keeps_degrees: ClassVar[bool] = True

    def anonymize(self, graph: Graph, source: RandomSource) -> Anonymized:
        """Swap ends; every degree stays."""
        from indistinct.graph.perturbation import switch

        return Anonymized(switch(graph, self.share, source))

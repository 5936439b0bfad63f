"""Random perturbation: some edges go, as many random ones come."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, final

from indistinct.graph.models.model import Anonymized, GraphModel, share_of_edges

if TYPE_CHECKING:
    from indistinct.core.randomness import RandomSource
    from indistinct.graph.edges import Graph


@final
@dataclass(frozen=True, slots=True)
class RandomPerturbation(GraphModel):
    """A share of the edges is replaced by random ones; a baseline without any guarantee.

    Source: hay2007, section 4.
    """

    share: float = share_of_edges()

    name: ClassVar[str] = "random-perturbation"
    promise: ClassVar[str] = (
        "Some links were removed at random and as many were added. Nothing is promised in numbers."
    )
    leaves_open: ClassVar[tuple[str, ...]] = (
        "How well it protects depends on the network and on what others know.",
    )

    def anonymize(self, graph: Graph, source: RandomSource) -> Anonymized:
        """Replace edges."""
        from indistinct.graph.perturbation import perturb

        return Anonymized(perturb(graph, self.share, source))

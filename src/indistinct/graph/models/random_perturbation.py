"""Random perturbation and random switching: baselines without any guarantee."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, final

from indistinct.graph.models.model import Anonymized, GraphModel, share_of_edges

if TYPE_CHECKING:
    from indistinct.base.randomness import RandomSource
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


@final
@dataclass(frozen=True, slots=True)
class RandomSwitch(GraphModel):
    """The ends of random pairs of edges are swapped; a baseline without any guarantee.

    Source: ying2008, section 3.1.
    """

    share: float = share_of_edges()

    name: ClassVar[str] = "random-switch"
    promise: ClassVar[str] = (
        "The ends of some links were exchanged at random. Nothing is promised in numbers."
    )
    leaves_open: ClassVar[tuple[str, ...]] = (
        (
            "The number of links of every member stays as it was, so that whoever knows it may "
            "find this person."
        ),
    )
    keeps_degrees: ClassVar[bool] = True

    def anonymize(self, graph: Graph, source: RandomSource) -> Anonymized:
        """Swap ends; every degree stays."""
        from indistinct.graph.perturbation import switch

        return Anonymized(switch(graph, self.share, source))

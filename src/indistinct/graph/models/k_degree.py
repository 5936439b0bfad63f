"""k-degree anonymity: nobody is known by the number of friends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, cast, final

from indistinct.graph.models.model import (
    Anonymized,
    LeastSizeModel,
    ModelConversion,
    edge_mode,
    word,
)

if TYPE_CHECKING:
    from indistinct.base.randomness import RandomSource
    from indistinct.graph.degree_sequence import Mode
    from indistinct.graph.edges import Graph
    from indistinct.graph.k_degree import Realization


@final
@dataclass(frozen=True, slots=True)
class KDegree(LeastSizeModel):
    """Every degree occurs at least ``k`` times.

    Source: liu2008, definition 2.
    """

    mode: str = edge_mode()
    realization: str = word(
        str,
        choices=("repair", "supergraph", "probing", "construct", "priority"),
        default="repair",
        elsewhere=ModelConversion.IGNORED,
        help="How k-degree finds edges: repair, supergraph, probing, construct or priority.",
    )
    greedy: bool = word(
        bool,
        default=False,
        elsewhere=ModelConversion.IGNORED,
        help="Use greedy instead of optimal target degrees.",
    )

    name: ClassVar[str] = "k-degree"
    promise: ClassVar[str] = (
        "Every number of links that a member of the network has is shared by at least {k} "
        "members, so that nobody is found by how many links they have."
    )
    leaves_open: ClassVar[tuple[str, ...]] = (
        (
            "It protects against knowledge of the number of links and nothing else. Whoever knows"
            " how a person's contacts are linked may find this person."
        ),
    )
    entries: ClassVar[tuple[str, ...]] = ("realization", "gap", "probes")

    def anonymize(self, graph: Graph, source: RandomSource) -> Anonymized:
        """Choose target degrees, and change edges until every vertex has its own."""
        from indistinct.graph.edge_changes import n_changes
        from indistinct.graph.k_degree import anonymize_degrees

        result = anonymize_degrees(
            graph,
            self.k,
            cast("Mode", self.mode),
            source,
            greedy=self.greedy,
            realization=cast("Realization", self.realization),
        )
        more = {
            "realization": self.realization,
            "gap": n_changes(graph, result.graph) - result.lower_bound,
            "probes": result.probes,
        }
        return Anonymized(result.graph, result.cost, result.lower_bound, more)

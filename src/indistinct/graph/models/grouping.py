"""Grouping: published are groups, and how many edges lie where."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, final

from indistinct.graph.models.model import Anonymized, LeastSizeModel, word

if TYPE_CHECKING:
    from indistinct.base.randomness import RandomSource
    from indistinct.graph.edges import Graph

GROUP_SUFFIX, SUPEREDGE_SUFFIX = ".groups.csv", ".superedges.csv"


@final
@dataclass(frozen=True, slots=True)
class KGrouping(LeastSizeModel):
    """Any vertex has at least ``k`` candidates, whatever is known of it.

    Source: hay2008, section 5.
    """

    # A promise: whoever asks for it of a model that cannot keep it must be told.
    max_certain: float | None = word(
        float,
        at_least=0,
        at_most=1,
        default=None,
        help="Largest share of edges that may be certain in a grouping, such as 0.01.",
    )

    name: ClassVar[str] = "grouping"
    promise: ClassVar[str] = (
        "Members of the network were put into groups of at least {k}, and published is only "
        "how many links lie inside and between groups. Whatever somebody knows of the links, "
        "the members of a group stay alike."
    )
    leaves_open: ClassVar[tuple[str, ...]] = (
        (
            "It hides who is who, not every link: where all possible links between two groups are"
            " there, each of them is certain."
        ),
    )
    promises: ClassVar[tuple[str, ...]] = ("k", "max_certain")
    entries: ClassVar[tuple[str, ...]] = ("grouping", "certain_edges")
    publishes_groups: ClassVar[bool] = True
    companions: ClassVar[tuple[str, ...]] = (GROUP_SUFFIX, SUPEREDGE_SUFFIX)

    def required(self) -> dict[str, Any]:
        """Return the least size of a group, and how many edges may be certain."""
        asked = {"k": self.k, "max_certain": self.max_certain}
        return {name: value for name, value in asked.items() if value is not None}

    def achieved(self, levels: Mapping[str, int], more: Mapping[str, Any]) -> dict[str, Any]:
        """Return the size of the smallest group, and the share of edges that are certain."""
        reached = LeastSizeModel.achieved(self, levels, more)
        if self.max_certain is not None:
            reached["max_certain"] = more["certain_edges"]["share"]
        return reached

    def anonymize(self, graph: Graph, source: RandomSource) -> Anonymized:
        """Group vertices and draw one of the worlds the groups leave possible."""
        import numpy as np

        from indistinct.graph import certainty, grouping

        groups = grouping.find_groups(graph, self.k, source)
        found = grouping.grouping_of(graph, groups)
        if self.max_certain is not None:
            groups = certainty.merge_certain(found, self.max_certain)[groups]
            found = grouping.grouping_of(graph, groups)
        stands_for = grouping.sample_assignment(groups)
        world = found.sample(source)
        sources, targets = (stands_for[ends].astype(np.int32) for ends in world.edges())
        more = {
            "grouping": {
                "groups": len(found.sizes),
                "smallest": found.smallest,
                "largest": int(found.sizes.max()),
                "log_worlds": found.log_worlds,
                "structural_loss": float(found.structural_losses().sum()),
                "normalized_structural_loss": found.normalized_structural_loss,
                "supernodes": certainty.supernode_classes(found),
            },
            "certain_edges": certainty.certainty(found),
        }
        return Anonymized(
            graph.with_edges(sources, targets),
            more=more,
            levels=grouping.group_levels(found),
            grouping=found,
            groups=groups,
            tables={GROUP_SUFFIX: found.group_table(), SUPEREDGE_SUFFIX: found.edge_table()},
        )

"""k-neighborhood anonymity: nobody is known by who among the friends are friends."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, cast, final

from indistinct.base.parameters import check
from indistinct.errors import ParameterError
from indistinct.graph.models.model import (
    Anonymized,
    LeastSizeModel,
    ModelConversion,
    edge_mode,
    input_file,
    word,
)

if TYPE_CHECKING:
    from indistinct.base.hierarchy import GeneralizationHierarchy
    from indistinct.base.randomness import RandomSource
    from indistinct.graph.degree_sequence import Mode
    from indistinct.graph.edges import Graph
    from indistinct.graph.k_neighborhood import SearchLimits


@final
@dataclass(frozen=True, slots=True)
class KNeighborhood(LeastSizeModel):
    """Every neighborhood occurs at least ``k`` times, up to isomorphism, labels included.

    Source: zhou2008, definition 2.
    """

    mode: str = edge_mode()
    labels: str | None = word(
        str,
        default=None,
        elsewhere=ModelConversion.IGNORED,
        help="Vertex attribute that is a part of the neighborhoods.",
    )
    hierarchy: GeneralizationHierarchy | str | Path | None = input_file(  # noqa: RUF009 - makes a field, as dataclasses.field does
        help="CSV file with broader labels: one row per value."
    )
    label_weight: float = word(
        float,
        at_least=0,
        default=1.0,
        elsewhere=ModelConversion.CHECKED,
        help="Cost of a fully hidden label, in edges.",
    )
    time_limit: float = word(
        float,
        at_least=0,
        default=300.0,
        infinite=True,
        elsewhere=ModelConversion.CHECKED,
        help="Time limit of k-neighborhood in seconds.",
    )
    max_loss: float = word(
        float,
        at_least=0,
        default=0.5,
        elsewhere=ModelConversion.CHECKED,
        help="Largest share of edges that k-neighborhood may change.",
    )

    name: ClassVar[str] = "k-neighborhood"
    promise: ClassVar[str] = (
        "The links among the contacts of every member look the same as around at least {k} "
        "members, so that nobody is found by how their contacts are linked."
    )
    leaves_open: ClassVar[tuple[str, ...]] = (
        (
            "It protects against knowledge of direct contacts. Whoever knows the network two or "
            "more steps around a person may find this person."
        ),
    )
    knowledge: ClassVar[str] = "neighborhood"
    entries: ClassVar[tuple[str, ...]] = ("gap", "labels")
    # Attacks publish twenty times and want any release, however far it is from the graph.
    in_trials: ClassVar[Mapping[str, Any]] = {"time_limit": 60.0, "max_loss": 1.0}

    def __post_init__(self) -> None:
        """Check every word, and that a hierarchy is for something."""
        check(self)
        if self.hierarchy is not None and self.labels is None:
            raise ParameterError("a hierarchy needs labels", "Name the attribute it is for.")

    def anonymize(self, graph: Graph, source: RandomSource) -> Anonymized:
        """Change edges, and broaden labels, until no neighborhood is rare."""
        from indistinct.graph.degree_sequence import by_degree, targets_for
        from indistinct.graph.edge_changes import n_changes
        from indistinct.graph.k_neighborhood import SearchLimits, anonymize_neighborhoods

        mode, limits = cast("Mode", self.mode), SearchLimits(self.max_loss, self.time_limit)
        # Whoever has k alike neighborhoods has k equal degrees, so a bound for these is one here.
        bound = targets_for(graph.degrees, self.k, mode, by_degree(graph.degrees)).lower_bound
        if self.labels is not None:
            return self._anonymize_labeled(graph, self.labels, source, limits, bound)
        changed = anonymize_neighborhoods(graph, self.k, mode, source, limits=limits)
        changes = n_changes(graph, changed)
        return Anonymized(changed, changes, bound, {"gap": changes - bound})

    def _anonymize_labeled(
        self, graph: Graph, column: str, source: RandomSource, limits: SearchLimits, bound: int
    ) -> Anonymized:
        """Do the same where neighborhoods must share labels."""
        from indistinct.graph.edge_changes import n_changes
        from indistinct.graph.k_neighborhood import anonymize_labeled
        from indistinct.graph.labels import labels_of

        found = anonymize_labeled(
            graph,
            labels_of(graph, column, self.hierarchy),
            self.k,
            cast("Mode", self.mode),
            source,
            limits=limits,
            weight=self.label_weight,
        )
        penalty, changes = found.labels.penalty, n_changes(graph, found.graph)
        labels = {
            "penalty": penalty,
            "mean_penalty": penalty / max(graph.n_vertices, 1),
            "words": len(set(found.labels.shown)),
            "cost": found.cost,
            "column": column,
        }
        more = {"gap": changes - bound, "labels": labels}
        return Anonymized(found.graph, changes, bound, more, shown={column: found.labels.texts})

"""Top-down specialization: begin with everything hidden, and tell apart what informs most."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, final

from indistinct.tables.core.protocols import Deadline, Problem, Progress
from indistinct.tables.search.algorithm import Algorithm, SearchResult


@final
@dataclass(frozen=True, slots=True)
class TopDownSpecialization(Algorithm):
    """Replace one label after the other by its children, in all records at once.

    The label is taken whose children tell the first sensitive column apart best for what they cost
    in anonymity. A label stays where some class would fail a model.

    Notes
    -----
    At most one step per label of the hierarchies; a step looks at the tuples under each label.

    Source: fung2005, section 3.
    """

    name: ClassVar[str] = "top-down-specialization"
    in_words: ClassVar[str] = (
        "All columns began as coarse as possible and were made finer label by label, where "
        "that tells most about the sensitive column, as long as the promise held."
    )
    reads_sensitive: ClassVar[bool] = True
    counts_people: ClassVar[bool] = False

    def find(self, problem: Problem, deadline: Deadline, progress: Progress) -> SearchResult:
        """Specialize until no label may be replaced, or until the deadline."""
        from indistinct.tables.search.adaptive.cut import find_cut

        return find_cut(problem, deadline, progress)

"""Groups for m-invariance: whoever is released keeps the sensitive values of the own group."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, final

from indistinct.base.parameters import parameter
from indistinct.errors import ParameterError
from indistinct.tables.core.protocols import Deadline, Problem, Progress
from indistinct.tables.search.algorithm import Algorithm, SearchResult
from indistinct.tables.search.local.local import EFFORTS

if TYPE_CHECKING:
    from indistinct.base.arrays import Codes
    from indistinct.base.randomness import RandomSource
    from indistinct.tables.search.invariant.person_history import PersonHistory
    from indistinct.tables.search.invariant.republication import Grouped

PASSES = {"fast": 25, "default": 100, "thorough": 300, "best": 900}


@final
@dataclass(frozen=True, slots=True)
class Invariant(Algorithm):
    """Groups of people with different sensitive values, the same ones in every release.

    Division, balancing and assignment make groups that keep every promise; exchanges of people
    between groups then make the people in each group alike.

    Source: xiao2007, section 4, for the first groups; the exchanges are our own.
    """

    effort: str = parameter(
        str, choices=EFFORTS, default="default", help="how long to look for a smaller loss"
    )

    name: ClassVar[str] = "invariant"
    in_words: ClassVar[str] = (
        "People were put into groups with different sensitive values, and around each person the "
        "groups show the same values in every release. People were then exchanged between groups, "
        "so that those of one group are as alike as possible."
    )
    ranges: ClassVar[bool] = True
    republishes: ClassVar[bool] = True

    def find(self, problem: Problem, deadline: Deadline, progress: Progress) -> SearchResult:
        """Refuse: groups depend on earlier releases; see :meth:`group`."""
        del problem, deadline, progress
        raise ParameterError(
            "invariant groups people by what was released of them before",
            "Anonymize with a history.",
        )

    def group(  # noqa: PLR0913 - all that groups depend on
        self,
        problem: Problem,
        tuple_of_person: Codes,
        history: PersonHistory,
        m: int,
        *,
        fixed: bool,
        free: bool,
        shows_labels: bool = True,
        chance: RandomSource,
        deadline: Deadline,
        progress: Progress,
    ) -> Grouped:
        """Group the people of a version as their history demands.

        Parameters
        ----------
        tuple_of_person : (n_people,), distinct tuple of each person
        history : what earlier releases demand
        m : least values of a group
        fixed : whether companions stay together for ever
        free : whether newcomers' signatures may change while groups are improved
        shows_labels : whether the labels of the groups are released, and must be allowed

        Raises
        ------
        NoSolutionError
            when no groups keep the promise
        """
        from indistinct.tables.search.invariant.republication import group_people

        return group_people(
            problem,
            tuple_of_person,
            history,
            m,
            fixed=fixed,
            free=free,
            shows_labels=shows_labels,
            n_passes=PASSES[self.effort],
            chance=chance,
            deadline=deadline,
            progress=progress,
        )

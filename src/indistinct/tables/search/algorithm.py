"""What every algorithm is: parameters, facts about its classes, and a way to find them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from indistinct.base.brief import short_repr
from indistinct.base.parameters import check
from indistinct.errors import Fault, PolicyError, Way
from indistinct.tables.core.protocols import Deadline, Problem, Progress
from indistinct.tables.core.recoding import Recoding


def nothing_more(recoding: Recoding) -> Mapping[str, Any]:
    """Return nothing of the finished recoding."""
    del recoding
    return {}


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What an algorithm found, before it is finished.

    Parameters
    ----------
    recoding : the classes; several of them may read alike, and some may still fail a model.
        ``released`` is False where the algorithm itself gave a class up
    needs : who needs so many records suppressed, in a message: ``the best partition found needs``
    facts : what the manifest says of the search
    of_release : gives what it says of the finished recoding
    groups_overlap : True where a star stands for any value, so that the records that look alike
        form no classes: then the algorithm has judged them itself
    """

    recoding: Recoding
    needs: str
    facts: Mapping[str, Any] = field(default_factory=dict[str, Any])
    of_release: Callable[[Recoding], Mapping[str, Any]] = nothing_more
    groups_overlap: bool = False

    __repr__ = short_repr


def check_sensitive(problem: Problem, why: str) -> None:
    """Refuse a table without the sensitive column that an algorithm goes by.

    Parameters
    ----------
    why : what the algorithm does with it

    Raises
    ------
    PolicyError
        when there is none
    """
    if not problem.table.sensitive_in_file:
        remedy = 'Give a column the role "sensitive", or choose another algorithm.'
        raise PolicyError(
            [
                Fault(
                    "method.algorithm",
                    f"{why}, and there is none",
                    remedy,
                    code="no-sensitive-column",
                    ways=(Way(("method", "algorithm"), None),),
                )
            ]
        )


class Algorithm(ABC):
    """A way to a recoding that satisfies the models; each is a frozen dataclass of its parameters.

    An algorithm finds classes. ``finish.py`` does what is the same for all: classes that read
    alike become one, every class is judged, and suppression keeps to its limit.
    """

    __slots__ = ()

    name: ClassVar[str]
    in_words: ClassVar[str]  # what it did to the table, for lay people
    reads_sensitive: ClassVar[bool] = False  # looks at sensitive columns that no model reads
    divides: ClassVar[bool] = False  # cells never overlap: each person fits one class at most
    counts_people: ClassVar[bool] = True  # shows models the people of a population
    republishes: ClassVar[bool] = False  # groups people by what was released of them before
    ranges: ClassVar[bool] = False  # releases numbers without a hierarchy in closed ranges

    def __post_init__(self) -> None:
        """Check the parameters."""
        check(self)

    @abstractmethod
    def find(self, problem: Problem, deadline: Deadline, progress: Progress) -> SearchResult:
        """Find classes; raise :class:`NoSolutionError` when there are none.

        Compiled code is imported in here, so that naming an algorithm loads none.
        """

"""Known events: whoever knows some events of a person looks for the rows that fit them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Self, TypeVar, final

from indistinct.base.parameters import parameter
from indistinct.errors import ParameterError
from indistinct.tables.evaluation.attacks.entry import ATTEMPTS, Attack, Outcome
from indistinct.tables.evaluation.attacks.known_items import EXACT, RANDOM, WORST
from indistinct.tables.evaluation.attacks.scenario import AttackScenario

Kind = TypeVar("Kind")


@final
@dataclass(frozen=True, slots=True)
class KnownEventsAttack(Attack):
    """Look for the people of released tables whose rows fit known events of a person best.

    The attacker knows the true quasi-identifiers of a person and some events, each within so many
    days, and some of them are another person's; where numbers of rows are known, also which of them
    the release shows for the person. A candidate's score adds up 1 / log(1 + people with
    the event) over the most known events that fit different rows. An attempt is a person; its
    success is 1 / candidates with the best score, where the person is among them.

    Source: our own; docs/related.md.
    """

    m: int = parameter(int, at_least=1, default=2, help="items of a person that the attacker knows")
    days: int = parameter(int, at_least=0, default=0, help="days by which known dates may be off")
    errors: float = parameter(
        float, at_least=0, at_most=1, default=0.0, help="share of the known events that are wrong"
    )
    item_choice: str = parameter(
        str,
        choices=(RANDOM, WORST, EXACT),
        default=RANDOM,
        help="which items: random ones, those with fewest candidates, or the whole set",
    )
    attempts: int = parameter(**ATTEMPTS)

    RANDOM: ClassVar[str] = RANDOM
    EXACT: ClassVar[str] = EXACT
    name: ClassVar[str] = "known-events"
    needs_original: ClassVar[bool] = True

    def run(self, scenario: AttackScenario) -> Sequence[Outcome]:
        """Refuse a flat table, in which no rows are events.

        Raises
        ------
        ParameterError
            always: :mod:`indistinct.related.attack` carries it out on related tables
        """
        del scenario
        raise ParameterError(
            f"{self.name} is for related tables", "Give the folder of a release and its policy."
        )


@dataclass(frozen=True, slots=True)
class Suspects:
    """The released people of one class by what their rows show.

    Parameters
    ----------
    histories : the rows of a person, as sorted numbers of labels, with the people who have them
    """

    histories: Mapping[tuple[int, ...], Sequence[int]]

    @classmethod
    def by_class(
        cls, classes: Sequence[Kind], histories: Sequence[Sequence[int]]
    ) -> Iterator[tuple[Kind, Self]]:
        """Yield the people of each class.

        Parameters
        ----------
        classes, histories : of each released person
        """
        found: dict[Kind, dict[tuple[int, ...], list[int]]] = {}
        for person, (kind, history) in enumerate(zip(classes, histories, strict=True)):
            found.setdefault(kind, {}).setdefault(tuple(sorted(history)), []).append(person)
        for kind, own in found.items():
            yield kind, cls(own)

    def best(
        self, fits: Sequence[frozenset[int]], weights: Sequence[float]
    ) -> tuple[float, set[int]]:
        """Return the best score, and the people who have it.

        Parameters
        ----------
        fits : per known event, the labels that may stand for it
        weights : per known event
        """
        scores: dict[tuple[int, ...], float] = {}
        wanted = frozenset[int]().union(*fits)
        best = 0.0
        for history in self.histories:
            shown = [label for label in history if label in wanted]
            key = tuple(shown)
            if key not in scores:
                scores[key] = _matched(shown, fits, weights)
            best = max(best, scores[key])
        found = {
            person
            for history, people in self.histories.items()
            if scores[tuple(label for label in history if label in wanted)] >= best - CLOSE
            for person in people
        }
        return best, found


CLOSE = 1e-9


def _matched(
    shown: Sequence[int], fits: Sequence[frozenset[int]], weights: Sequence[float]
) -> float:
    """Return the greatest weight of known events that fit different rows."""
    if not fits:
        return 0.0
    best = _matched(shown, fits[1:], weights[1:])
    for label in {one for one in shown if one in fits[0]}:
        rest = list(shown)
        rest.remove(label)
        best = max(best, weights[0] + _matched(rest, fits[1:], weights[1:]))
    return best

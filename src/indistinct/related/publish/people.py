"""The classes of the units: local recoding of the table of people, in several sizes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from indistinct.base.arrays import Codes, Ints
from indistinct.base.brief import short_repr
from indistinct.base.randomness import RandomSource
from indistinct.errors import Fault, NoSolutionError, PolicyError
from indistinct.related.publish.parents import hidden_with, with_hidden_below
from indistinct.related.publish.tables import RelatedTables, placed
from indistinct.tables.core import Deadline, Solution
from indistinct.tables.counting import Prepared, asked_anew, classes_of_records, prepare
from indistinct.tables.models import KAnonymity
from indistinct.tables.policy import resolve
from indistinct.tables.publish import searched

GROWTH = 4
NONE = -1


@dataclass(frozen=True, slots=True)
class PeopleClasses:
    """The classes of the units.

    Parameters
    ----------
    prepared, solution : of the table of people
    assigned : (n_units,), class of each unit in the solution
    classes : (n_units,), the same; -1 for those that vanish
    loss : mean loss of a cell of each quasi-identifier, weighted, summed over the columns
    weight : of all these columns together
    """

    prepared: Prepared
    solution: Solution
    assigned: Codes
    classes: Ints
    loss: float
    weight: float

    __repr__ = short_repr


def people_classes(
    tables: RelatedTables, chance: RandomSource, *, together: bool = False
) -> list[PeopleClasses]:
    """Return classes of at least k, 4k, 16k ... units, those of the most units first.

    Where two sizes give the same classes, these are there once.

    Parameters
    ----------
    together : all units in one class instead, where what is released of them is the same

    Raises
    ------
    NoSolutionError
        when there are no classes of k units
    """
    found: list[PeopleClasses] = []
    for people in _of_all_sizes(tables, chance, together=together):
        if not found or not np.array_equal(found[-1].classes, people.classes):
            found.append(people)
    return found


def _of_all_sizes(
    tables: RelatedTables, chance: RandomSource, *, together: bool
) -> Iterator[PeopleClasses]:
    """Find classes of at least k, 4k, 16k ... units, or of all; those of the most units first."""
    policy = tables.policy
    k = policy.model.k
    if k > tables.n_units:
        problem = f"k = {k} is larger than the table of people, which has {tables.n_units:,} rows"
        place = f"models.{policy.model.name}"
        raise PolicyError([Fault(place, problem, f"Ask for a k of at most {tables.n_units:,}.")])
    frame = tables.files[policy.people].frame
    asked = policy.flat(policy.people, [{"name": KAnonymity.name, "k": k}])
    with placed(policy.people):
        prepared = prepare(frame, resolve(asked))
    sizes = [tables.n_units if together else k]
    while prepared.spec.class_names and sizes[-1] * GROWTH <= tables.n_units:
        sizes.append(sizes[-1] * GROWTH)
    hides = hidden_with(policy.tables[policy.people], prepared.spec.class_names)
    refusals: list[NoSolutionError] = []
    n_found = 0
    for size in reversed(sizes):
        spec = replace(prepared.spec, models=(KAnonymity(k=size),))
        try:
            anew = asked_anew(prepared, spec)
            solution = searched(anew, deadline=Deadline(), chance=chance)
        except NoSolutionError as error:
            refusals.append(error)
            continue
        n_found += 1
        factor = policy.tables[policy.people].importance
        yield _classes_in(anew, solution, hides, factor, chance)
    if not n_found:
        raise refusals[-1]


def _classes_in(
    prepared: Prepared,
    solution: Solution,
    hides: Sequence[Sequence[int]],
    factor: float,
    chance: RandomSource,
) -> PeopleClasses:
    """Return the class of each unit, and what the cells of the units lose.

    Parameters
    ----------
    hides : per column, those that are hidden where it is
    factor : importance of the table of the units
    """
    found = classes_of_records(solution.recoding, prepared, chance)
    recoding, became = with_hidden_below(solution.recoding, hides)
    solution, assigned = replace(solution, recoding=recoding), became[found]
    classes = np.where(recoding.released[assigned], assigned, NONE).astype(np.int64)
    rules = prepared.spec.class_rules
    importance = factor * np.array([rule.words.importance_number for rule in rules])
    sums = recoding.released_sums(lambda domain: domain.losses) if len(rules) else np.zeros(0)
    lost = (sums + recoding.n_suppressed) / max(recoding.n_records, 1)
    return PeopleClasses(
        prepared, solution, assigned, classes, float(lost @ importance), float(importance.sum())
    )

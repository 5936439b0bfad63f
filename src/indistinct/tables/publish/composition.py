"""What a release tells together with earlier ones, under models that speak of one release alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set as AbstractSet
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from indistinct.base.arrays import Codes, Ints
from indistinct.base.brief import Confidential, short_repr
from indistinct.errors import Fault, NoSolutionError
from indistinct.tables.core.keys import counted_texts
from indistinct.tables.core.schema import Role
from indistinct.tables.frames.encoding import count_release
from indistinct.tables.frames.frame import texts_of
from indistinct.tables.history.entries import Past, ReleasedClass, Step, TableFacts
from indistinct.tables.history.store import History
from indistinct.tables.history.writing import Remembering, opened
from indistinct.tables.models.bounded import BoundedModel
from indistinct.tables.publish.released_tables import ReleasedTables
from indistinct.tables.publish.remembered import ids_of, people_of
from indistinct.tables.release.entries import CompositionEntry

DIGITS = 3  # of shares in a manifest
PAIR = 2


@dataclass(frozen=True, slots=True)
class LinkedRisk:
    """What two releases tell of the people in both.

    Parameters
    ----------
    number : of the earlier one
    people : in both
    below_k, alone : shares of them whose two classes share fewer than k people, or nobody else
    certain : per sensitive column, share of them whose two classes have one value in common
    """

    number: int
    people: int
    below_k: float
    alone: float
    certain: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class ComposedClasses:
    """The classes of a release, and whose they are.

    Parameters
    ----------
    members : class of each released person
    shown : the classes
    """

    members: Mapping[bytes, int]
    shown: Mapping[int, ReleasedClass]

    __repr__ = short_repr


def composed(
    release: ReleasedTables, history: str | Path, past: Past, input_sha256: str
) -> ReleasedTables:
    """Return the release with what it tells together with earlier ones, ready for the history.

    Parameters
    ----------
    history : path of the record
    past : what it says now

    Raises
    ------
    NoSolutionError
        when the policy refuses a release that tells too much together with earlier ones
    """
    spec, facts = release.spec, past.facts
    if facts is None:
        raise TypeError("the past was not read")
    facts = replace(facts, ids=facts.ids or ids_of(release.original, facts))
    found: list[LinkedRisk] = []
    known: set[bytes] = set()
    if past.releases:
        with opened(history) as record:
            known.update(*(record.members(one.number) for one in past.releases))
            classes = classes_of(release, facts, known)
            found = [_risk_with(record, one.number, classes, spec.models) for one in past.releases]
    else:
        classes = classes_of(release, facts, known)
    found = [one for one in found if one.people]
    step = Step(
        facts,
        past.base,
        input_sha256,
        spec.sha256,
        len(release.crosswalk),
        0,
        (),
        (),
        tuple(classes.members.items()),
        tuple(classes.shown.values()),
    )
    remembered = Confidential(Remembering(Path(history), step))
    if known and known.isdisjoint(classes.members):
        returning = (facts.person, 0, len(classes.members))
        release = release.with_facts(replace(release.facts, returning=returning))
    release = replace(release, remembered=remembered)
    if not found:
        return release
    worst = _worst(found)
    certain = tuple(sorted(worst.certain))
    told = (certain, round(worst.below_k * worst.people), worst.people)
    release = release.with_facts(replace(release.facts, composed=told))
    words = _sentence(found, spec.models)
    if words and spec.history is not None and spec.history.composition == "refuse":
        remedy = 'Release it under m-invariance, or set history.composition to "warn".'
        raise NoSolutionError([Fault("history.composition", words, remedy)])
    entry = _entry(found)
    published, exact = (
        replace(one, composition=entry) for one in (release.published, release.exact)
    )
    return release.with_manifests(published, exact)


def classes_of(
    release: ReleasedTables, facts: TableFacts, known: AbstractSet[bytes]
) -> ComposedClasses:
    """Return the classes of a release: records with the same cells, and their sensitive values.

    Parameters
    ----------
    known : people of earlier releases
    """
    spec = release.spec
    codes = people_of(release.original, facts, spec.data.missing, known).codes
    real = ~release.masked_rows()
    shown_names = [name for name in release.frame.columns if _is_in_classes(name, spec.class_names)]
    counted = count_release(release.frame, shown_names)
    labels, rows = counted.row_of[real].astype(np.int64), release.crosswalk[real]
    places: list[int] = rows.tolist()
    owners: list[int] = labels.tolist()
    members = {codes[row]: label for row, label in zip(places, owners, strict=True)}
    held: dict[int, dict[str, set[str]]] = {}
    for name in spec.named(Role.SENSITIVE):
        every = texts_of(release.frame, name)
        texts = counted_texts(every[row] or "" for row in np.flatnonzero(real).tolist())
        for label, text in zip(owners, texts, strict=True):
            held.setdefault(label, {}).setdefault(name, set()).add(text)
    sizes = Counter(owners)
    shown = {
        number: ReleasedClass(
            number,
            {name: tuple(sorted(values)) for name, values in held.get(number, {}).items()},
            tuple(
                texts[cell] or ""
                for texts, cell in zip(counted.texts, _whole(counted.cells[number]), strict=True)
            ),
            size,
        )
        for number, size in sorted(sizes.items())
    }
    return ComposedClasses(members, shown)


def _whole(codes: Codes) -> list[int]:
    """Return codes as plain numbers."""
    return codes.tolist()


def _is_in_classes(name: str, class_names: Sequence[str]) -> bool:
    """Return whether a released column takes part in the classes, whole or as one of two bounds."""
    stems = {name, name.removesuffix("_min"), name.removesuffix("_max")}
    return bool(stems & set(class_names))


def _risk_with(
    record: History, number: int, now: ComposedClasses, models: Iterable[BoundedModel]
) -> LinkedRisk:
    """Compare with an earlier release."""
    earlier = ComposedClasses(record.members(number), record.classes(number))
    return together(number, now, earlier, least_people(models))


def least_people(models: Iterable[BoundedModel]) -> int:
    """Return the people that a class needs: the k of k-anonymity, or the most of any model."""
    return max((model.least_size for model in models), default=PAIR)


def together(number: int, now: ComposedClasses, earlier: ComposedClasses, k: int) -> LinkedRisk:
    """Return what two releases tell of the people in both, to someone who knows their classes.

    Parameters
    ----------
    number : of the earlier release
    k : people that a class needs

    Notes
    -----
    O(people + pairs of classes * sensitive values of a class).
    """
    both = [person for person in now.members if person in earlier.members]
    pairs = np.array([(now.members[p], earlier.members[p]) for p in both], np.int64)
    if len(both) == 0:
        return LinkedRisk(number, 0, 0.0, 0.0, {})
    kinds, sizes = np.unique(pairs, axis=0, return_counts=True)
    names = [
        name
        for name in next(iter(now.shown.values())).values
        if name in next(iter(earlier.shown.values())).values
    ]
    certain = {
        name: float(sizes[_has_one_value(kinds, now, earlier, name)].sum()) / len(both)
        for name in names
    }
    return LinkedRisk(
        number,
        len(both),
        float(sizes[sizes < k].sum()) / len(both),
        float(sizes[sizes == 1].sum()) / len(both),
        certain,
    )


def _has_one_value(
    kinds: Ints, now: ComposedClasses, earlier: ComposedClasses, name: str
) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Return which pairs of classes have one value of a column in common: (n_kinds,)."""
    sets = [
        {number: frozenset(one.values[name]) for number, one in classes.shown.items()}
        for classes in (now, earlier)
    ]
    return np.array(
        [len(sets[0][first] & sets[1][second]) == 1 for first, second in kinds.tolist()], np.bool_
    )


def _entry(found: Sequence[LinkedRisk]) -> CompositionEntry:
    """Return the greatest of the comparisons: of each share, and of the people in both."""
    names = sorted({name for one in found for name in one.certain})
    return CompositionEntry(
        len(found) + 1,
        max(one.people for one in found),
        round(max(one.below_k for one in found), DIGITS),
        round(max(one.alone for one in found), DIGITS),
        {name: round(max(one.certain.get(name, 0.0) for one in found), DIGITS) for name in names},
    )


def _worst(found: Sequence[LinkedRisk]) -> LinkedRisk:
    """Return the comparison that tells the most."""
    return max(found, key=lambda one: (one.below_k, *one.certain.values()))


def _sentence(found: Sequence[LinkedRisk], models: Iterable[BoundedModel]) -> str:
    """Return a sentence that says what the worst comparison tells; an empty one if nothing."""
    worst = _worst(found)
    certain = {name: share for name, share in worst.certain.items() if share > 0}
    if not worst.below_k and not certain:
        return ""
    k = least_people(models)
    known = "".join(
        f", and for {share:.1%} the two classes have a single value of {name} in common"
        for name, share in certain.items()
    )
    return (
        f"together with release {worst.number}, {worst.below_k:.1%} of the {worst.people:,} people "
        f"who are in both share their classes with fewer than {k} people and "
        f"{worst.alone:.1%} can be singled out by someone who knows their classes{known}"
    )

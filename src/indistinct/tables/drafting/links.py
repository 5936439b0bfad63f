"""Suggest keys and references of several tables: by shares of values and by names.

The table of people is the one with births, sexes or ages that lies above all others that have such
columns. That most tables lead to a table does not make its rows people: accounts, wards and codes
are led to as well.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from indistinct.tables.core.key_columns import SEPARATOR
from indistinct.tables.drafting.key_columns import KeyColumn, LinkCandidate, link_candidates
from indistinct.tables.drafting.vocabulary import vocabulary

OF_PEOPLE = frozenset({"birth", "sex", "age"})  # tests of values that name what people have
MOST_BESIDE = 1  # columns of a table that only joins others, beside its keys

References = Mapping[str, Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class SuggestedLinks:
    """How tables seem to hang together.

    Parameters
    ----------
    people : the table of units; None where none is found
    keys : per table that others reference, its key
    references : per table, the columns that hold keys, and of which table
    further : per table, other columns that hold keys, too, and of which table
    near : columns that are named as a reference, but of whose rows too many lead nowhere
    question : what has to be decided before there is a table of people; else empty
    """

    people: str | None = None
    keys: Mapping[str, str] = field(default_factory=dict[str, str])
    references: References = field(default_factory=dict[str, Mapping[str, str]])
    further: References = field(default_factory=dict[str, Mapping[str, str]])
    near: Sequence[LinkCandidate] = ()
    question: str = ""


def suggested_links(
    tables: Mapping[str, Mapping[str, KeyColumn]],
    declared: Iterable[LinkCandidate] = (),
) -> SuggestedLinks:
    """Return how tables seem to hang together.

    A column references a key if nearly all of its rows have one of its values, and its name shares
    a word with the key or its table, or the values are codes.

    Parameters
    ----------
    tables : per table, its columns
    declared : the references that a database declares
    """
    candidates = [*declared, *link_candidates(tables)]
    keys = _keys(tables, [one for one in candidates if one.is_reference])
    found, further = _references(candidates, keys)
    of_people = {name: _columns_of_people(columns) for name, columns in tables.items()}
    near = [
        one
        for one in candidates
        if not one.is_reference and one.names > 1 and one.column not in found.get(one.name, {})
    ]
    people, question = _people(tables, keys, found, of_people)
    if people is None:
        return SuggestedLinks(near=near, question=question or _no_people(of_people))
    kept = _below(people, tables, found)
    for name, own in found.items():
        gone = {column: one for column, one in own.items() if column not in kept.get(name, {})}
        further[name] = {**gone, **further.get(name, {})}
    with_people = {people, *kept}
    return SuggestedLinks(
        people,
        {name: key for name, key in keys.items() if name in with_people},
        kept,
        {name: own for name, own in further.items() if own},
        near,
    )


def pairs_to_try(
    tables: Mapping[str, Collection[str]], keys: Collection[str]
) -> dict[str, list[str]]:
    """Return per table the pairs of columns that may be a key together, or hold one.

    Two tables have both, and the first is named like a key that was found alone: a patient's
    visits may be numbered from 1 on, and the diagnoses then name the patient and the number.
    """
    found: dict[str, dict[str, None]] = {name: {} for name in tables}
    for name, columns in tables.items():
        for other, there in tables.items():
            both = [one for one in columns if one in there and SEPARATOR not in one]
            if other != name:
                found[name] |= {
                    f"{first}{SEPARATOR} {second}": None
                    for first in both
                    if first in keys
                    for second in both
                    if second not in keys
                }
    return {name: list(pairs) for name, pairs in found.items()}


def _keys(
    tables: Mapping[str, Mapping[str, KeyColumn]], references: Iterable[LinkCandidate]
) -> dict[str, str]:
    """Return the key of each table that others reference: the column that most of them hold."""
    votes: dict[str, Counter[str]] = {}
    for one in references:
        if one.name != one.table:
            # A name that says whose key it is counts more than any number of like values.
            votes.setdefault(one.table, Counter())[one.key] += 100**one.names
    order = {name: list(columns) for name, columns in tables.items()}
    return {
        name: max(
            found,
            key=lambda key: (found[key], tables[name][key].is_unique, -order[name].index(key)),
        )
        for name, found in votes.items()
    }


def _references(
    candidates: Sequence[LinkCandidate], keys: Mapping[str, str]
) -> tuple[dict[str, dict[str, str]], dict[str, dict[str, str]]]:
    """Return the references of each table, one to another table at most, and what else holds keys.

    Those that names speak for come first, then those of the most rows.
    """
    found: dict[str, dict[str, str]] = {}
    further: dict[str, dict[str, str]] = {}
    fitting = [one for one in candidates if one.is_reference and keys.get(one.table) == one.key]
    for one in sorted(fitting, key=lambda one: (-one.names, -one.share)):
        own = found.setdefault(one.name, {})
        beside = further.setdefault(one.name, {})
        if one.column in own or one.column in beside:
            continue
        if one.name == one.table or one.table in own.values():
            beside[one.column] = one.table
        else:
            own[one.column] = one.table
    return found, further


def _columns_of_people(columns: Iterable[str]) -> set[str]:
    """Return what a table says of people: births, sexes and ages."""
    return {
        match.meaning.test
        for name in columns
        for match in vocabulary().matches(name)
        if match.meaning.test in OF_PEOPLE and not match.is_doubtful
    }


def _people(
    tables: Mapping[str, Mapping[str, KeyColumn]],
    keys: Mapping[str, str],
    found: References,
    of_people: Mapping[str, set[str]],
) -> tuple[str | None, str]:
    """Return the table of people, or the question that decides which one it is."""
    above = {name: _above(name, found) - {name} for name in tables}
    told = [name for name in keys if of_people[name]]
    highest = [name for name in told if not above[name] & {*told}] or told
    if not highest:
        tops = [name for name in keys if not above[name]]
        reach = {name: sum(name in above[one] for one in tables) for name in tops}
        return max(tops, key=reach.__getitem__, default=None), ""
    best = max(
        highest,
        key=lambda name: (len(of_people[name]), sum(name in above[one] for one in tables)),
    )
    return _unless_shared(best, tables, found, above, of_people)


def _unless_shared(
    people: str,
    tables: Mapping[str, Mapping[str, KeyColumn]],
    found: References,
    above: Mapping[str, set[str]],
    of_people: Mapping[str, set[str]],
) -> tuple[str | None, str]:
    """Return the table of people, or what to ask where rows of others may belong to several."""
    for joining, own in found.items():
        if people not in own.values():
            continue
        for other in own.values():
            if other in {people, *above[people]} or people in above[other] or of_people[other]:
                continue
            below = [one for one in tables if other in above[one] and people not in above[one]]
            beside = len(tables[joining]) - len(own)
            if not below and beside > MOST_BESIDE + 1:  # its own key, and one more
                continue
            rows = f"a row of {below[0] if below else other}"
            said = ", ".join(sorted(of_people[people]))
            return None, (
                f"Which table has the people? {joining} joins rows of {people} to rows of {other}, "
                f"so that {rows} can belong to several rows of {people}. {people} has what people "
                f"have ({said}), {other} has not. Write its name as people in [related]. "
                "Leave tables whose rows belong to several people out of the data, or divide their "
                "rows first."
            )
    return people, ""


def _no_people(of_people: Mapping[str, set[str]]) -> str:
    """Return what to decide where no table of people was found."""
    names = [name for name, found in of_people.items() if found]
    said = (
        f"Of these tables, {' and '.join(names)} {'has' if len(names) == 1 else 'have'} births, "
        "sexes or ages."
        if names
        else "No table has births, sexes or ages."
    )
    return (
        f"Which table has the people? No column was found that holds the keys of one. {said} Write "
        "the name of the table as people in [related], its key, and the references of the others."
    )


def _below(
    people: str, tables: Mapping[str, Mapping[str, KeyColumn]], found: References
) -> dict[str, dict[str, str]]:
    """Return the references of the tables that lead to people, in no circle.

    What people reference themselves, such as a ward or a last visit, is no table of their rows.
    """
    kept = {
        name: {} if name == people else {c: one for c, one in own.items() if one in tables}
        for name, own in found.items()
    }
    for name, own in kept.items():
        for column, table in list(own.items()):
            if name in _above(table, kept):
                del own[column]
    leads = {name for name in tables if people in _above(name, kept)}
    return {
        name: {column: one for column, one in own.items() if one in leads or one == people}
        for name, own in kept.items()
        if name in leads and name != people
    }


def _above(name: str, found: References) -> set[str]:
    """Return all tables that a table leads to."""
    met: set[str] = set()
    new = {*found.get(name, {}).values()}
    while new - met:
        met |= new
        new = {further for one in new for further in found.get(one, {}).values()}
    return met

"""All that is said about released tables of the same people, from what verification found."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from indistinct.base.brief import short_repr
from indistinct.base.statements.checks import (
    FAULT,
    HOLDS,
    NOT_LOOKED_AT,
    PROMISES,
    UNDECIDED,
    check,
    published_checks,
    verdict_of,
)
from indistinct.base.statements.kept_share import headline
from indistinct.base.statements.public_view import related_public_view
from indistinct.base.statements.risk_figures import RELEASE, further_of, highest_of
from indistinct.base.statements.statements import OWNER, Statements, is_known, not_examined
from indistinct.errors import Fault
from indistinct.related.policy import RelatedPolicy
from indistinct.related.verify.dates import day_of
from indistinct.related.verify.input import RelatedInput, crosswalk_rows
from indistinct.related.verify.patterns import SeenUnit
from indistinct.related.verify.shares import owners_of
from indistinct.tables.core import Role
from indistinct.tables.frames import Frame
from indistinct.tables.policy import Specification
from indistinct.tables.verification import kept_between, mapping_in, text_as_read

CHECKS = ("shape", "policy", "beside", "bytes", "columns", "cells", "order", "keys", "statements")
OF_MANIFEST = frozenset({"shape", "policy", "statements"})


@dataclass(frozen=True, slots=True)
class SeenRelease:
    """What verification looked at in related tables.

    Parameters
    ----------
    flat : the policy of each table
    tables : the released tables, all cells as text
    units : the class of each unit, and its rows
    given : the input, if it is at hand
    manifest : what the release says of itself, if it is at hand
    entries : what is promised, and what was reached
    """

    spec: RelatedPolicy
    flat: Mapping[str, Specification]
    tables: Mapping[str, Frame]
    units: Sequence[SeenUnit]
    given: RelatedInput | None
    manifest: Mapping[str, Any] | None
    entries: Sequence[Mapping[str, Any]]

    __repr__ = short_repr

    @property
    def names(self) -> tuple[str, ...]:
        """The tables of people and of their rows."""
        return (self.spec.people, *self.spec.row_tables)

    @property
    def has_crosswalk(self) -> bool:
        """Whether the row of the input behind each released row is known."""
        return self.given is not None and self.given.crosswalk is not None


def related_state(
    seen: SeenRelease, faults: Sequence[Fault], unchecked: Mapping[str, str]
) -> Statements:
    """Return all that is said about a release of related tables.

    Parameters
    ----------
    unchecked : what was not looked at, and why
    """
    known = _known(seen)
    further = _further(seen)
    checks = list(_checks(seen, faults, unchecked))
    at_hand = ["release", "policy"]
    at_hand += [] if seen.given is None else ["original"]
    at_hand += ["crosswalk"] if seen.has_crosswalk else []
    return Statements(
        OWNER,
        at_hand,
        {
            "verdict": str(verdict_of(checks)),
            "faults": [f"{one.place}: {one.problem}" for one in faults],
            "checks": checks,
        },
        _size(seen),
        [_reached(one) for one in seen.entries],
        _kept(seen),
        {"known": known, "further": further, "highest": highest_of(known, further)},
        {},
    )


def _reached(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is promised and reached."""
    required = dict(entry["required"])
    return {
        "name": entry["name"],
        "column": required.pop("column", None),
        "required": required,
        "achieved": entry["achieved"] or {},
        "counts": "people",
        "holds": UNDECIDED if entry["holds"] is None else entry["holds"],
    }


def _size(seen: SeenRelease) -> dict[str, Any]:
    """Return how many people and rows came in, and how many are released."""
    before = None if seen.given is None else seen.given.before
    vanished = mapping_in(mapping_in(seen.manifest, "related"), "people").get("vanished")
    people = seen.spec.people
    counted = {
        name: _counts(seen.tables[name].height, None if before is None else before[name].height)
        for name in seen.names
    }
    own = counted.pop(people)
    if before is None and isinstance(vanished, int):
        own = _counts(own["released"], own["released"] + vanished)
    return {"people": own, "tables": counted}


def _counts(released: int, n_input: int | None) -> dict[str, Any]:
    """Return a number that is released, beside the others."""
    if n_input is None:
        gone = not_examined("nothing says how many were left out", "original")
        return {"input": gone, "released": released, "left_out": gone}
    return {"input": n_input, "released": released, "left_out": n_input - released}


def _kept(seen: SeenRelease) -> dict[str, Any]:
    """Return what is kept of all columns of all tables, in one mean, and of each table."""
    beside: dict[str, list[str]] = {"masked": [], "left_out": [], "hidden": [], "same": []}
    for name in seen.names:
        for column, said in seen.spec.tables[name].columns.items():
            if said.protect is not None:
                beside["masked"].append(f"{name}.{column}")
            elif said.role is Role.IDENTIFIER:
                beside["left_out"].append(f"{name}.{column}")
    if seen.given is None or not seen.has_crosswalk:
        why = "what became of each row takes the input and the crosswalk"
        return {"share": not_examined(why, "crosswalk"), "columns": {}, **beside}
    columns = {f"{n}.{c}": share for n in seen.names for c, share in _kept_in(seen, seen.given, n)}
    beside["same"] = [place for place, share in columns.items() if share is None]
    beside["hidden"] = [place for place in columns if _is_hidden(seen, place)]
    columns = {place: share for place, share in columns.items() if share is not None}
    tables: dict[str, list[float]] = defaultdict(list)
    for place, share in columns.items():
        if is_known(share):
            tables[place.partition(".")[0]].append(cast("float", share))
    means = {name: float(np.mean(shares)) for name, shares in tables.items()}
    return {"share": headline(columns), "columns": columns, **beside, "tables": means}


def _kept_in(seen: SeenRelease, given: RelatedInput, name: str) -> Iterator[tuple[str, Any]]:
    """Yield each column of a table that others may know, and what it keeps."""
    cells, before = seen.tables[name], given.before[name]
    rows = crosswalk_rows(given.crosswalk, name, cells.height, before.height)
    for column in seen.spec.quasi_identifiers(name):
        if seen.spec.tables[name].columns[column].protect is None:
            rule = seen.flat[name].columns[column]
            yield column, kept_between(rule, before[column], cells[column], rows)


def _is_hidden(seen: SeenRelease, place: str) -> bool:
    """Return whether every released cell of a column is hidden."""
    name, _, column = place.partition(".")
    return {*seen.tables[name][column].unique()} == {"*"}


def _known(seen: SeenRelease) -> dict[str, Any]:
    """Return whom somebody finds who knows what is promised: the class, and some events."""
    model, entry = seen.spec.model, seen.entries[0]
    if entry["achieved"] is None:
        return not_examined("the patterns of known rows were not listed", "work")
    smallest = int(entry["achieved"]["k"])
    events: dict[str, Any] = {"smallest": smallest}
    if model.known_rows is not None:
        events["m"] = model.known_rows
    return {
        "columns": [*seen.spec.quasi_identifiers(seen.spec.people)],
        "unit": "people",
        "smallest": smallest,
        "chance": 1 / smallest,
        "of": len(seen.units),
        "units": smallest,
        "events": events,
    }


def _further(seen: SeenRelease) -> dict[str, Any]:
    """Return who is found by one more released column of some table.

    A person is alone if a row of hers shows a cell that nobody else of her class shows there.
    """
    owners = {seen.spec.people: list(range(len(seen.units)))}
    owners |= owners_of(seen.spec, seen.tables)
    kinds = [kind for kind, _, _ in seen.units]
    columns: dict[str, Any] = {}
    for name in seen.names:
        for column, said in seen.spec.tables[name].columns.items():
            if said.role in {Role.QUASI_IDENTIFIER, Role.IDENTIFIER}:
                continue
            place = f"{name}.{column}"
            cells: list[str] = seen.tables[name][column].to_list()
            k = seen.spec.model.k
            if said.protect is not None:
                columns[place] = _alone_by_dates(seen, name, column, owners[name], kinds)
                continue
            is_rare = said.role is Role.SENSITIVE
            columns[place] = _alone(cells, owners[name], kinds, k, is_rare=is_rare)
    found = further_of(columns, None, len(seen.units), "people")
    beyond = mapping_in(mapping_in(seen.manifest, "related"), "beyond")
    return found | {"beyond": {m: share for m, share in beyond.items() if share is not None}}


def _alone(
    cells: Sequence[str], owners: Sequence[int], kinds: Sequence[Any], k: int, *, is_rare: bool
) -> dict[str, Any]:
    """Count the people who are alone by a cell of theirs, and those with fewer than k beside them.

    Parameters
    ----------
    owners : the person of each row
    kinds : the class of each person
    is_rare : whether only values count that fewer than k people have
    """
    sharing: dict[Any, set[int]] = defaultdict(set)
    having: dict[str, set[int]] = defaultdict(set)
    for cell, owner in zip(cells, owners, strict=True):
        sharing[kinds[owner], cell].add(owner)
        having[cell].add(owner)
    asked = {
        key: people for key, people in sharing.items() if not is_rare or len(having[key[1]]) < k
    }
    alone = {next(iter(people)) for people in asked.values() if len(people) == 1}
    few = set[int]().union(*(people for people in asked.values() if len(people) < k))
    return {"alone": len(alone), "below_k": len(few), "of": len(kinds), "needs": [RELEASE]}


def _alone_by_dates(
    seen: SeenRelease, name: str, column: str, owners: Sequence[int], kinds: Sequence[Any]
) -> dict[str, Any]:
    """Count the people whom a true date finds, where dates were shifted: the nearest one is theirs.

    Parameters
    ----------
    owners : the person of each row
    kinds : the class of each person
    """
    given, cells = seen.given, seen.tables[name][column].to_list()
    if given is None or given.crosswalk is None:
        why = "what the mask left as it was takes the input and the crosswalk"
        return not_examined(why, "crosswalk")
    before = given.before[name]
    rows = crosswalk_rows(given.crosswalk, name, len(cells), before.height)
    true = text_as_read(before[column]).to_list()
    of_class = defaultdict[Any, list[tuple[int, int]]](list)
    asked = list[tuple[int, int, int]]()
    for cell, owner, row in zip(cells, owners, rows, strict=True):
        if (day := day_of(cell)) is None:
            continue
        of_class[kinds[owner]].append((day, owner))
        if row >= 0 and (own := day_of(true[row])) is not None:
            asked.append((owner, own, day))
    for days in of_class.values():
        days.sort()
    k, alone, few = seen.spec.model.k, set[int](), set[int]()
    for owner, own, day in asked:
        n_near = _n_near(of_class[kinds[owner]], own, abs(day - own), k)
        alone |= {owner} if n_near == 1 else set()
        few |= {owner} if n_near < k else set()
    return {"alone": len(alone), "below_k": len(few), "of": len(kinds), "needs": ["crosswalk"]}


def _n_near(days: Sequence[tuple[int, int]], true: int, far: int, most: int) -> int:
    """Count the people, up to some, who have a day at most so far from a true one.

    Parameters
    ----------
    days : of a class, each with its person, in order
    """
    people = set[int]()
    for day, owner in days[bisect_left(days, (true - far, -1)) :]:
        if day > true + far or len(people) >= most:
            break
        people.add(owner)
    return len(people)


def _checks(
    seen: SeenRelease, faults: Sequence[Fault], unchecked: Mapping[str, str]
) -> Iterator[dict[str, Any]]:
    """Yield each check with its state."""
    wrong = Counter(_check_of(fault.place) for fault in faults)
    has_masks = any(
        said.protect is not None
        for table in seen.spec.tables.values()
        for said in table.columns.values()
    )
    needs = dict.fromkeys(CHECKS, "release") | {"original": "original", "crosswalk": "crosswalk"}
    needs |= {"masks": "crosswalk"} if has_masks else {}
    for name, source in needs.items():
        lacks = (name in OF_MANIFEST and seen.manifest is None) or (
            (source == "original" and seen.given is None)
            or (source == "crosswalk" and not seen.has_crosswalk)
        )
        if wrong[name]:
            yield check(name, FAULT, [source])
        elif lacks or name in unchecked:
            yield check(name, NOT_LOOKED_AT, [source], f"it takes the {source}")
        else:
            yield check(name, HOLDS, [source])
    for entry in seen.entries:
        state = {None: UNDECIDED, True: HOLDS, False: FAULT}[entry["holds"]]
        if any(fault.place == f"{PROMISES}{entry['name']}" for fault in faults):
            state = FAULT
        why = "" if entry["holds"] is not None else "what is at hand does not decide it"
        yield check(f"{PROMISES}{entry['name']}", state, ["release"], why)


def _check_of(place: str) -> str:
    """Return the check that finds a fault at a place."""
    for begin, name in (
        ("manifest.policy", "policy"),
        ("manifest", "statements"),
        ("models", "models"),
        ("file", "beside"),
        ("folder", "beside"),
        ("keys", "keys"),
    ):
        if place.startswith(begin):
            return name
    return "cells"


def related_statement_faults(stated: Statements, manifest: Mapping[str, Any]) -> Iterator[Fault]:
    """Find parts of what a manifest states that do not follow from the release."""
    said = mapping_in(manifest, "statements")
    expected = related_public_view(stated, manifest["warnings"], manifest["models"])
    for part in ("view", "at_hand", "reached", "kept", "findings", "search"):
        if said.get(part) != expected[part]:
            yield _fault(part)
    risk, size = mapping_in(said, "risk"), mapping_in(said, "size")
    for clause, own in expected["risk"].items():
        if not _are_close(risk.get(clause), own):
            yield _fault(f"risk.{clause}")
    for unit, own in expected["size"].items():
        if size.get(unit) != own and all(map(is_known, own.values())):
            yield _fault(f"size.{unit}")
    checks = published_checks(expected["verdict"]["checks"])
    if mapping_in(said, "verdict").get("checks") != checks:
        yield _fault("verdict.checks")
    if mapping_in(said, "verdict").get("verdict") != HOLDS:
        yield _fault("verdict.verdict")


def _are_close(said: object, found: object) -> bool:
    """Compare figures up to the digits that are written."""
    if isinstance(said, Mapping) and isinstance(found, Mapping):
        one, other = cast("Mapping[str, object]", said), cast("Mapping[str, object]", found)
        return one.keys() == other.keys() and all(_are_close(one[n], other[n]) for n in other)
    if isinstance(found, float) and isinstance(said, int | float):
        return bool(np.isclose(said, found, rtol=1e-9, atol=1e-9))
    return bool(said == found)


def _fault(part: str) -> Fault:
    """Return the fault of a part of the statements."""
    remedy = "Take the files and the manifest of one run."
    return Fault(f"manifest.statements.{part}", "is not what the release shows", remedy)

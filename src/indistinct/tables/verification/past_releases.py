"""The record of earlier releases as verification reads it: by its own words, from the file.

A person's code is the HMAC-SHA-256 of the cell that says who it is, as it reads. What was in force
before a release is what its people had to keep; all other signatures of theirs it had to avoid.
"""

from __future__ import annotations

import hmac
import json
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from indistinct.errors import DataError, Fault
from indistinct.tables.verification.columns import renderer_of
from indistinct.tables.verification.evidence import CheckedRelease, VerificationInput
from indistinct.tables.verification.texts import all_as_read, as_read, in_one_way, text_as_read

DISMISS = "Do not publish this file."
OTHER = "Take the history that the release was made with."

Had = tuple[frozenset[str], int, str | None]  # values of a signature, since when, the person's own


@dataclass(frozen=True, slots=True)
class Recorded:
    """What a history says before a release.

    Parameters
    ----------
    facts : names and values
    had : per person, the signatures of earlier releases, oldest first
    given : per person, the signature that this release began
    members : group of each person in this release; None where it is not in the history yet
    """

    facts: Mapping[str, Any]
    had: Mapping[bytes, Sequence[Had]]
    given: Mapping[bytes, frozenset[str]]
    members: Mapping[bytes, str] | None


def history_faults(
    reading: VerificationInput,
    evidence: CheckedRelease,
    groups: Sequence[str],
    values: Mapping[str, Mapping[str, int]],
    made: Mapping[str, int],
) -> Iterator[Fault]:
    """Find people whose group does not show the sensitive values that it has to.

    Parameters
    ----------
    groups : (n_rows,), group of each row
    values : per group, how often each sensitive value stands in it
    made : per group, records without a person
    """
    if reading.history is None or not reading.history.is_file():
        return  # before the first release
    recorded = _recorded(reading.history, reading.sha256)
    spec = reading.spec
    if not recorded.facts and reading.rows is not None:
        return  # a run was cut off before it wrote anything into the file
    (model,) = spec.models
    for name, own in (("sensitive", model.columns[0]), ("m", str(int(model.bound)))):
        if recorded.facts.get(name) != own:
            yield Fault(f"history.{name}", "is not that of the policy", OTHER)
            return
    original, person = reading.original, spec.history and spec.history.person
    if original is None or person is None or person not in original.columns:
        yield Fault("original", "does not say who is who", "Take the input of the release.")
        return
    codes = _codes(recorded, text_as_read(original[person]).to_list())
    column = evidence.before(model.columns[0])
    if column is None:
        return
    owns = all_as_read(text_as_read(column).to_list(), spec.data.missing)
    group_of = _groups_of_people(recorded, evidence.rows, groups, len(codes), codes)
    if group_of is None:
        problem = "does not have this release, or has forgotten who was in which group"
        yield Fault("history", problem, OTHER)
        return
    signatures = {group: frozenset(all_as_read(held)) for group, held in values.items()}
    yield from _signature_faults(recorded, codes, owns, group_of, signatures)
    yield from _number_faults(group_of, values, made)
    if evidence.rows is None:
        compared = _row_faults if spec.release.form == "anatomy" else _cover_faults
        yield from compared(evidence, groups, group_of)


def _recorded(path: Path, sha256: str | None) -> Recorded:
    """Read the history as it was before the release of this hash, or as it is."""
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as history:
            facts = dict(history.execute("SELECT name, value FROM facts"))
            found = history.execute(
                "SELECT number FROM releases WHERE output_sha256 = ? AND state != 'withdrawn'",
                (sha256,),
            ).fetchall()
            number = found[-1][0] if found else None
            ties = history.execute(
                "SELECT person, vals, since, value FROM people JOIN signatures ON id = signature "
                "ORDER BY since"
            ).fetchall()
            rows = history.execute(
                "SELECT person, class FROM members WHERE release = ?", (number,)
            ).fetchall()
    except sqlite3.Error:
        raise DataError("this is not a history", "Name the file that --history wrote.") from None
    had: dict[bytes, list[Had]] = defaultdict(list)
    given: dict[bytes, frozenset[str]] = {}
    for person, listed, since, own in ties:
        signature = frozenset(all_as_read(json.loads(listed)))
        if number is None or since < number:
            had[person].append((signature, since, None if own is None else as_read(own)))
        elif since == number:
            given[person] = signature
    members = {person: str(group) for person, group in rows} if number is not None else None
    return Recorded(facts, had, given, members)


def _codes(recorded: Recorded, texts: Sequence[str]) -> list[bytes]:
    """Code the person behind each text as it reads; as it is written where the history has it so.

    The first releases of some histories were made when the code was that of the text as it is.
    """
    key = bytes(recorded.facts["key"])
    known = {*recorded.had, *recorded.given, *(recorded.members or ())}
    found: list[bytes] = []
    for text in texts:
        code, old = (hmac.digest(key, one.encode(), "sha256") for one in (as_read(text), text))
        found.append(old if code not in known and old in known else code)
    return found


def _groups_of_people(
    recorded: Recorded,
    rows: Sequence[int] | None,
    groups: Sequence[str],
    n_people: int,
    codes: Sequence[bytes],
) -> list[str | None] | None:
    """Return the group of each record of the input, None where it is not released."""
    if rows is not None:
        found: list[str | None] = [None] * n_people
        for group, row in zip(groups, rows, strict=True):
            if row >= 0:
                found[row] = group
        return found
    if not recorded.members:
        return None
    return [recorded.members.get(code) for code in codes]


def _signature_faults(
    recorded: Recorded,
    codes: Sequence[bytes],
    owns: Sequence[str],
    group_of: Sequence[str | None],
    signatures: Mapping[str, frozenset[str]],
) -> Iterator[Fault]:
    """Compare the values of people's groups with their own, and with those of earlier releases."""
    foreign = changed = overlapping = other = 0
    fixed = recorded.facts.get("companions") == "fixed"
    for code, own, group in zip(codes, owns, group_of, strict=True):
        if group is None:
            continue
        shown, had = signatures.get(group, frozenset[str]()), recorded.had.get(code, ())
        foreign += own not in shown
        if had and own in had[-1][0] and (not fixed or own == had[-1][2]):
            changed += shown != had[-1][0]
        else:
            overlapping += any(shown & signature for signature, _, _ in had)
        other += code in recorded.given and recorded.given[code] != shown
    for count, problem in (
        (foreign, "people's groups do not contain their own sensitive value"),
        (changed, "people's groups show other values than in earlier releases"),
        (overlapping, "people whose value changed are shown with a value of before"),
        (other, "people's groups are not those of the history"),
    ):
        if count:
            yield Fault("models.m-invariance", f"{count} {problem}", DISMISS)


def _number_faults(
    group_of: Sequence[str | None], values: Mapping[str, Mapping[str, int]], made: Mapping[str, int]
) -> Iterator[Fault]:
    """Find groups whose records are not their people and their counterfeits."""
    people = Counter(group for group in group_of if group is not None)
    wrong = sum(
        sum(counts.values()) != people[group] + made.get(group, 0)
        for group, counts in values.items()
    )
    if wrong:
        problem = f"{wrong} groups have other records than their people and counterfeits"
        yield Fault("counterfeits", problem, DISMISS)


def _cover_faults(
    evidence: CheckedRelease,
    groups: Sequence[str],
    group_of: Sequence[str | None],
) -> Iterator[Fault]:
    """Find people whom the cells of their group do not cover."""
    missing = evidence.spec.data.texts_of_missing
    for name in evidence.spec.class_names:
        before = evidence.before(name)
        if before is None:
            continue
        cells = renderer_of(evidence, name)
        shown = dict(zip(groups, evidence.release[name].to_list(), strict=True))
        pairs = {
            (shown.get(group, ""), value)
            for group, value in zip(group_of, text_as_read(before).to_list(), strict=True)
            if group is not None and value not in missing
        }
        wrong = sum(not cells.is_below(cell, value) for cell, value in pairs)
        if wrong:
            problem = f"{wrong} kinds of cells do not cover their original value"
            yield Fault(f"columns.{name}", problem, DISMISS)


def _row_faults(
    evidence: CheckedRelease,
    groups: Sequence[str],
    group_of: Sequence[str | None],
) -> Iterator[Fault]:
    """Find groups of two linked tables whose rows are not those of their own people."""
    names = [name for name in evidence.release.columns if evidence.before(name) is not None]
    missing = evidence.spec.data.missing
    shown = [in_one_way(evidence.release[name], missing) for name in names]
    before = [column for column in map(evidence.before, names) if column is not None]
    own = [in_one_way(text_as_read(column), missing) for column in before]
    released = Counter(zip(groups, *shown, strict=True))
    expected = Counter(
        (group, *cells) for group, *cells in zip(group_of, *own, strict=True) if group is not None
    )
    wrong = sum((released - expected).values())
    if wrong:
        problem = f"{wrong} rows are not those of a person of their group"
        yield Fault("records", problem, DISMISS)

"""Release a table that is released again and again, so that all releases together tell no more."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import numpy as np

from indistinct import __version__
from indistinct.base.arrays import Ints
from indistinct.base.randomness import RandomSource
from indistinct.errors import Fault, HistoryError, NoSolutionError, PolicyError
from indistinct.tables.core.keys import counted_text, counted_texts
from indistinct.tables.core.protocols import Deadline, Solution
from indistinct.tables.core.recoding import Recoding
from indistinct.tables.core.schema import GROUP
from indistinct.tables.counting.orders_of_records import in_canonical_order, numbers_of_groups
from indistinct.tables.counting.preparation import Count, Prepared, prepare_counted
from indistinct.tables.engines.tallies import without
from indistinct.tables.frames.encoding import with_released_cells
from indistinct.tables.frames.frame import numbered, rows_of_two, table_of, with_texts
from indistinct.tables.history.entries import Past, TableFacts
from indistinct.tables.models import MInvariance
from indistinct.tables.policy.hierarchies import missing_text
from indistinct.tables.policy.sections.history import HistoryPolicy
from indistinct.tables.policy.settings import invariant_model
from indistinct.tables.policy.specification import Specification
from indistinct.tables.publish.decision import plan_of
from indistinct.tables.publish.forms.form import FormInput, FormTables, steps_of
from indistinct.tables.publish.forms.linked_groups import (
    linked_manifest,
    people_as_they_are,
    values_of_groups,
)
from indistinct.tables.publish.forms.version import Version, keeps_of, recoding_of, step_of
from indistinct.tables.publish.remembered import (
    ids_of,
    people_of,
    person_history_of,
    refuse_strangers,
    values_of_all,
    with_counted_values,
)
from indistinct.tables.publish.searching import FoundRecoding
from indistinct.tables.reading.rebuild import rebuilt
from indistinct.tables.release.entries import (
    CountEntry,
    CounterfeitEntry,
    HistoryEntry,
    MethodEntry,
    ModelEntry,
    OutputEntry,
)
from indistinct.tables.release.manifest import (
    Manifest,
    class_entry,
    input_entry,
    level_summary,
    loss_entry,
    risk_entry,
)
from indistinct.tables.search.invariant.invariant import Invariant
from indistinct.tables.search.invariant.other_doors import COUNTS, TABLE
from indistinct.tables.search.invariant.person_history import NOBODY, NONE

COUNTERFEITS = "counterfeits"
OF_CELLS = ("loss", "ncp", "precision")
PROMISE = (
    "in every release of this table, each released person stands in a group of at least m people "
    "or counterfeits, whose sensitive values all differ and are the same ones each time"
)


def _found(given: FormInput, count: Count) -> Version:
    """Group the people of a version.

    Raises
    ------
    PolicyError
        when no history is given
    DataError
        when a person is missing or has two records
    NoSolutionError
        when a value is too common, or more counterfeits are needed than the policy allows
    """
    if given.earlier is None:
        raise PolicyError(
            "m-invariance is a promise about all releases of a table, but no history is given",
            "Name its file with --history; the first release makes it.",
        )
    source, spec, past = given.source, given.spec, given.earlier.past
    model, words, facts = invariant_model(spec.models), spec.history, past.facts
    if model is None or words is None or facts is None:
        raise TypeError("the policy was not checked")
    past = with_counted_values(past)
    facts = replace(facts, ids=facts.ids or ids_of(source.frame, facts))
    past = replace(past, facts=facts)
    everybody = people_of(source.frame, facts, spec.data.missing, past.ties.keys())
    refuse_strangers(everybody.codes, facts, past.ties.keys())
    prepared = prepare_counted(count, spec)
    places: list[int] = prepared.rows.tolist()
    people = tuple(everybody.codes[row] for row in places)
    version = _grouped(given, prepared, people, model, words, past)
    _refuse_too_many(version)
    given.progress(1.0, "writing")
    return version


def _one_table(given: FormInput, version: Version) -> FormTables:
    """Write people and counterfeits."""
    tables = _in_order(given, version, *_written(version, given.spec, given.chance))
    solution = Solution(recoding_of(version), {})
    return replace(tables, found=FoundRecoding(version.prepared, solution, version.seconds))


def _two_tables(given: FormInput, version: Version) -> FormTables:
    """Write the people as they are, and the sensitive values of their groups."""
    written = people_as_they_are(version, given.spec)
    return _in_order(given, version, *written, lists_values=True)


def _grouped(  # noqa: PLR0913, PLR0917 - what groups depend on
    given: FormInput,
    prepared: Prepared,
    people: tuple[bytes, ...],
    model: MInvariance,
    words: HistoryPolicy,
    past: Past,
) -> Version:
    """Group the people of a version by what was released of them before."""
    started = time.perf_counter()
    spec, table, fixed = given.spec, prepared.problem.table, words.companions == "fixed"
    codes = table.sensitive_codes[model.column][prepared.tuple_of_row]
    # A value of records that are left out alone is no counterfeit's either.
    present, values = np.unique(codes, return_inverse=True)
    known = counted_texts(table.sensitive[model.column].values)
    occurring: list[int] = present.tolist()
    texts = values_of_all(past, [known[code] for code in occurring])
    unknown = counted_text(missing_text(spec.columns[model.column]))
    # Each value stands once in a group: one more of them, and m are known.
    least = model.m + (unknown in texts and not model.missing_counts)
    _refuse_counted_missing(past, unknown, least)
    person_history = person_history_of(past, people, values, texts, fixed=fixed)
    found = Invariant(spec.method.model_dump()["effort"]).group(
        prepared.problem,
        prepared.tuple_of_row,
        person_history,
        least,
        fixed=fixed,
        free=words.signatures == "free",
        shows_labels=spec.release.form == "table",
        chance=given.chance,
        deadline=Deadline.after(spec.method.time_limit),
        progress=given.progress,
    )
    numbers = np.arange(found.groups.n_groups)
    facts = past.facts or TableFacts(words.person)
    seconds = time.perf_counter() - started
    return Version(
        prepared, people, person_history, texts, found, numbers, past, facts, words, seconds
    )


def _refuse_counted_missing(past: Past, unknown: str, least: int) -> None:
    """Refuse to go on with signatures in which a missing value took the place of a known one.

    Parameters
    ----------
    unknown : how a missing value is written
    least : values that a signature needs that has a missing one
    """
    if any(
        unknown in tie.values and len(tie.values) < least
        for ties in past.ties.values()
        for tie in ties
        if tie.until is None
    ):
        raise HistoryError(
            "in the earlier releases a missing sensitive value counts as a value",
            "Add missing_counts = true to m-invariance in the policy, or begin another history.",
        )


def _known_sizes(version: Version, spec: Specification) -> Ints:
    """Count the values of each group that m-invariance counts: (n_groups,)."""
    groups, model = version.found.groups, invariant_model(spec.models)
    if model is None or model.missing_counts:
        return np.diff(groups.starts)
    unknown = counted_text(missing_text(spec.columns[model.column]))
    is_known = np.array([text != unknown for text in version.texts], np.int64)
    return np.add.reduceat(is_known[groups.values], groups.starts[:-1])


def _refuse_too_many(version: Version) -> None:
    """Refuse a release with more counterfeits than the policy allows."""
    groups = version.found.groups
    n_real, n_made = int(groups.real.sum()), int(groups.counterfeits.sum())
    if n_made > version.words.max_counterfeits * n_real:
        share = n_made / max(n_real, 1)
        raise NoSolutionError(
            [
                Fault(
                    "history.max_counterfeits",
                    f"{n_made:,} counterfeits are needed for {n_real:,} records ({share:.1%}), but "
                    f"the limit is {version.words.max_counterfeits:.1%}",
                    f"Raise it to {np.ceil(share * 100) / 100:.2f}, or begin a new history with "
                    "people who were in no earlier release. Where one value is so common that few "
                    f"people of others join, no limit helps for long. {COUNTS} {TABLE}",
                )
            ]
        )


def _in_order(  # noqa: PLR0913 - what is written, and whose it is
    given: FormInput,
    version: Version,
    written: Any,
    owners: Ints,
    rows: Ints,
    *,
    lists_values: bool = False,
) -> FormTables:
    """Return the tables, with groups numbered by what is written, and the rows sorted.

    Parameters
    ----------
    written : the rows, without the numbers of their groups
    owners, rows : the group and the input row of each
    lists_values : whether the sensitive values of the groups are a table of their own
    """
    groups, spec = version.found.groups, given.spec
    places = np.argsort(np.argsort(np.array(version.texts, np.str_), kind="stable"))
    values = [one.tolist() for one in np.split(places[groups.values], groups.starts[1:-1])]
    numbers = numbers_of_groups(written, owners, values, spec.class_names)
    frame = numbered(written, GROUP, numbers[owners])
    frame, rows = in_canonical_order(frame, rows, spec.class_names)
    version = replace(version, numbers=numbers)
    return FormTables(
        plan_of(rebuilt(frame), rows),
        spec,
        sensitive=rebuilt(values_of_groups(version)) if lists_values else None,
        counterfeits=rebuilt(_counterfeits(version)),
        step=step_of(version, given.source.table.sha256, spec, frame.height),
    )


def _written(version: Version, spec: Specification, chance: RandomSource) -> tuple[Any, Ints, Ints]:
    """Write people and counterfeits.

    Returns
    -------
    the rows, without the numbers of their groups; the group and the input row of each, -1 for none
    """
    groups, prepared = version.found.groups, version.prepared
    is_real = groups.members != NOBODY
    owners, members = groups.owners, groups.members
    frame = without(prepared.frame, spec.left_out)
    # Of a counterfeit the quasi-identifiers are a companion's, which the group's cells then hide.
    companions = _first_members(groups.owners, groups.members, groups.n_groups)[owners]
    shown = np.where(is_real, members, companions)
    donors, is_foreign = _donors(version, groups.values, members, chance)
    rows = rows_of_two(frame, shown, spec.class_names, donors)
    numbers: list[int] = groups.values[is_foreign].tolist()
    foreign = [version.texts[value] for value in numbers]
    rows = with_texts(rows, version.column, is_foreign, foreign)
    everything = owners.astype(np.int32), np.arange(len(members), dtype=np.int64)
    texts = spec.data.texts_of_missing
    names, recoding = spec.class_names, recoding_of(version)
    place = np.append(prepared.rows.astype(np.int64), -1)
    return with_released_cells(rows, recoding, names, everything, texts), owners, place[members]


def _first_members(owners: Ints, members: Ints, n_groups: int) -> Ints:
    """Return one person of each group: (n_groups,)."""
    real = np.flatnonzero(members != NOBODY)
    first = np.full(n_groups, NOBODY, np.int64)
    first[owners[real][::-1]] = members[real][::-1]
    return first


def _donors(
    version: Version, values: Ints, members: Ints, chance: RandomSource
) -> tuple[Ints, np.ndarray[tuple[int], np.dtype[np.bool_]]]:
    """Return the record that each row has its other columns from.

    Of a counterfeit it is a random released record with the same sensitive value, of any value
    where none has the same.

    Returns
    -------
    the records, and where the sensitive value is not theirs
    """
    donors = members.copy()
    made = np.flatnonzero(members == NOBODY)
    released = np.flatnonzero(np.isin(np.arange(version.person_history.n_people), members))
    of_value = {
        value: released[version.person_history.values[released] == value]
        for value in np.unique(values[made]).tolist()
    }
    is_foreign = np.zeros(len(members), np.bool_)
    words = chance.apart("donors").words(len(made))
    for row, word in zip(made.tolist(), words.tolist(), strict=True):
        candidates = of_value[int(values[row])]
        is_foreign[row] = len(candidates) == 0
        candidates = candidates if len(candidates) else released
        donors[row] = candidates[int(word) % len(candidates)]
    return donors, is_foreign


def _counterfeits(version: Version) -> Any:
    """List the groups with counterfeits, and how many each has, in the order of their numbers."""
    made = version.found.groups.counterfeits
    chosen = np.flatnonzero(made)
    chosen = chosen[np.argsort(version.numbers[chosen])]
    return table_of({GROUP: version.numbers[chosen], COUNTERFEITS: made[chosen]})


def _manifest(given: FormInput, version: Version, _: FormTables) -> Manifest:
    """Return what was promised and what was reached."""
    source, spec = given.source, given.spec
    groups, prepared, recoding = version.found.groups, version.prepared, recoding_of(version)
    sizes = np.diff(groups.starts)
    real, made = int(groups.real.sum()), groups.counterfeits
    (model,) = spec.models
    counted = _known_sizes(version, spec)
    return Manifest(
        indistinct=__version__,
        input=input_entry(prepared.n_input, source.table.sha256),
        output=OutputEntry(int(sizes.sum())),
        method=MethodEntry(
            spec.algorithm_name,
            round(version.seconds, 6),
            objective=spec.method.objective,
            levels=level_summary(prepared.problem, recoding),
            groups=groups.n_groups,
        ),
        models=(
            ModelEntry(
                model.name, model.required(), model.achieved(float(counted.min())), holds=True
            ),
        ),
        records=CountEntry(real, prepared.n_input - real),
        classes=class_entry(sizes),
        loss=_losses(prepared, spec.method.objective, recoding),
        risk=risk_entry(sizes),
        promise=PROMISE,
        history=_history_entry(version),
        counterfeits=CounterfeitEntry(
            int(made.sum()), round(int(made.sum()) / max(real, 1), 6), int((made > 0).sum())
        ),
    )


def _linked_manifest(given: FormInput, version: Version, tables: FormTables) -> Manifest:
    """Return the same of two linked tables."""
    return linked_manifest(_manifest(given, version, tables), version)


def _losses(prepared: Prepared, objective: str, recoding: Recoding) -> dict[str, float]:
    """Return what people's cells lost; figures of class sizes would count people without cells."""
    losses = loss_entry(prepared.problem, recoding)
    return {name: losses[name] for name in dict.fromkeys((objective, *OF_CELLS))}


def _history_entry(version: Version) -> HistoryEntry:
    """Count who keeps a signature, who is new, changed or left out."""
    person_history, groups = version.person_history, version.found.groups
    left_out = len(groups.left_out)
    is_known = person_history.signature >= 0
    kept = keeps_of(version)
    n_kept = int(kept.sum())
    founded = None
    if version.words.companions == "fixed":
        is_new = groups.cohorts == NONE
        founded = int((groups.counterfeits[is_new] > 0).sum())
    return HistoryEntry(
        release=version.past.base + 1,
        people=person_history.n_people,
        kept=n_kept,
        new=int((~is_known).sum()),
        changed=int((is_known & ~kept).sum()) - left_out,
        left_out=left_out,
        founded_with_counterfeits=founded,
    )


INVARIANT = steps_of(_found, _one_table, _manifest)
LINKED_INVARIANT = steps_of(_found, _two_tables, _linked_manifest)

"""What the owner of a release has to know: who can be found, what is given away, what is useless.

Everything here is computed on the released cells, so that it is the same for every form of a
release and for every engine.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import replace

import numpy as np

from indistinct.base.arrays import Bools, Ints
from indistinct.base.hierarchy import ROOT
from indistinct.errors import Fault, NoSolutionError
from indistinct.tables.core.recoding import Recoding
from indistinct.tables.core.schema import Role
from indistinct.tables.drafting.repeated_identifiers import REPEATED
from indistinct.tables.engines.sources import EngineTable, ReleasePlan
from indistinct.tables.engines.tallies import Hashes, value_hashes
from indistinct.tables.frames.frame import Column, Frame
from indistinct.tables.frames.texts import cell_texts
from indistinct.tables.masks import MASKS_BY_NAME
from indistinct.tables.masks.pseudonym import KEY_WAS_THERE
from indistinct.tables.metrics import Loss
from indistinct.tables.policy.resolved import Resolved
from indistinct.tables.publish.released_tables import ReleasedTables
from indistinct.tables.publish.unprotected import LEAST_SHARE, SEED, FoundByValues
from indistinct.tables.reading.missing_values import are_missing
from indistinct.tables.reading.native_frames import collected
from indistinct.tables.release.entries import (
    KEEPS_LITTLE,
    MISSING,
    NOT_LOOKED_AT,
    ONE_VALUE,
    READ_BACK,
    REPEATED_PSEUDONYM,
    SHARED_KEY,
    WHOLLY_HIDDEN,
    ProtectionEntry,
    WarningEntry,
)
from indistinct.tables.release.ranked_warnings import some_names
from indistinct.tables.release.read_back import GivenBack, ReadBack
from indistinct.tables.release.read_back_of_release import released_read_back

LITTLE, HALF = 0.1, 0.5
COLLECTED = frozenset({"polars", "duckdb"})  # engines whose release can be collected here
BYTES_OF_A_CELL, SHARE_OF_MEMORY = 64, 4
NOTHING = 1e-9
PSEUDONYM = "pseudonym"
REMEDY = (
    'Leave the column out (role = "identifier"), release one value of it for all records with '
    "equal released cells, or make it coarser. If you accept that the cells are given back, write "
    'read_back = "accepted" under [release].'
)


def with_warnings(tables: ReleasedTables, promised: Resolved, original: Frame) -> ReleasedTables:
    """Return a release with what its owner has to know of it.

    Parameters
    ----------
    promised : what is promised
    original : the input, before its columns were masked

    Raises
    ------
    NoSolutionError
        when columns that are not generalized give so many cells back that classes are smaller than
        the policy promises, and the policy does not accept it
    """
    exact = tables.exact
    rows = tables.crosswalk.astype(np.int64)
    is_table = promised.release.form == "table"
    known = known_cells(tables.frame, promised, original, rows) if is_table else {}
    found = FoundByValues(tables.frame, promised, known)
    repeated = [one.columns[0] for one in exact.warnings if one.code == REPEATED]
    people = {
        name: one
        for name in repeated
        for one in of_few_people(found.classes, promised, original[name], rows)
    }
    warnings = [
        people.get(one.columns[0], one) if one.code == REPEATED else one for one in exact.warnings
    ]
    public: list[WarningEntry] = []
    if is_table:
        unit = "records" if repeated or promised.data.person is not None else "people"
        public, own = release_warnings(found, unit)
        warnings += own
    published = replace(tables.published, warnings=(*tables.published.warnings, *public))
    exact = replace(exact, warnings=tuple(warnings))
    return tables.with_manifests(published, exact)


def warnings_of_rows(
    source: EngineTable, plan: ReleasePlan, promised: Resolved, memory: int
) -> tuple[list[WarningEntry], list[WarningEntry]]:
    """Return what an engine's release tells: the public warnings, and all of them for the owner.

    Parameters
    ----------
    plan : what becomes of the records
    memory : bytes that the released records may take here; a larger release is not looked at, and
        a warning says so

    Raises
    ------
    NoSolutionError
        when cells are given back against the promise
    """
    if not plan.passed:
        return [], []
    size = plan.n_released * len(plan.written) * BYTES_OF_A_CELL
    if source.engine not in COLLECTED or size > memory // SHARE_OF_MEMORY:
        listed = some_names(plan.passed)
        message = (
            f"it was not examined whether {listed} tell people apart, because the records stay "
            "where they are: run indistinct assess on a sample of the release, with the engine "
            "memory"
        )
        return [], [WarningEntry(NOT_LOOKED_AT, plan.passed, 1.0, message)]
    frame = collected(source.lazy(plan))
    # Nobody knows here which cells a mask left as they were, so that it counts as changing all.
    known = {
        name: np.zeros(frame.height, np.bool_)
        for name, protection in promised.protections.items()
        if not MASKS_BY_NAME[protection.name].follows_from_value
    }
    unit = "people" if promised.data.person is None else "records"
    return release_warnings(FoundByValues(frame, promised, known), unit)


def release_warnings(
    found: FoundByValues, unit: str
) -> tuple[list[WarningEntry], list[WarningEntry]]:
    """Return what a release tells: the public warnings, and all of them for the owner.

    What anybody can count in the release is public. Which cells a mask left as they were is not,
    nor whether an identifier of the input repeats, which the owner's unit says.

    Parameters
    ----------
    unit : what the owner's figures count, ``people`` or ``records``

    Raises
    ------
    NoSolutionError
        when cells are given back against the promise
    """
    frame, promised, n_records = found.frame, found.promised, found.frame.height
    figures = list(found.figures())
    without_counts = [*_repeated_pseudonyms(frame, promised), *_given_back(frame, promised)]
    countable = [one for one in figures if found.known.keys().isdisjoint(one.columns)]
    public = [*(one.warning(n_records, "records") for one in countable), *without_counts]
    own = [*(one.warning(n_records, unit) for one in figures), *without_counts]
    return public, [*own, *owner_warnings(found)]


def _given_back(frame: Frame, promised: Resolved) -> Iterator[WarningEntry]:
    """Yield what columns give back, unless it breaks the promise."""
    # What the members of a household give back of each other is the same for all that are alike.
    aside = (*promised.set_names, promised.data.household or "")
    found = released_read_back(frame, promised.class_rules, aside)
    if found is not None:
        yield from read_back_warnings(found, promised)


def value_warnings(frame: Frame, promised: Resolved) -> Iterator[WarningEntry]:
    """Yield what the sensitive columns of released records give away, in exact shares."""
    return owner_warnings(FoundByValues(frame, promised))


def owner_warnings(found: FoundByValues) -> Iterator[WarningEntry]:
    """Yield what the sensitive columns of a release give away, in exact shares."""
    frame, promised = found.frame, found.promised
    for name in promised.named(Role.SENSITIVE):
        if name not in frame.columns or name in promised.protections or not frame.height:
            continue
        yield from _of_one_value(name, found.classes, value_hashes(frame[name], SEED))
        gone = float(are_missing(frame[name], promised.data.missing).mean())
        if gone > 0:
            message = f"{gone:.1%} of the released records have no value of {name} (sensitive)"
            yield WarningEntry(MISSING, (name,), round(gone, 6), message)


def losses_of_columns(
    recoding: Recoding, names: tuple[str, ...], important: Container[str] = ()
) -> Iterator[WarningEntry]:
    """Find the quasi-identifiers that are wholly hidden, and those that keep less than a tenth.

    Parameters
    ----------
    important : columns whose importance is above the usual one; they shall keep a half
    """
    if not names:
        return
    losses = Loss((1.0,) * len(names)).column_losses(recoding)
    for name, loss in zip(names, losses.tolist(), strict=True):
        kept = max(0.0, 1.0 - loss)
        if kept <= NOTHING:
            message = f"{name} {_shown_in_every_record(recoding, names.index(name))}"
            yield WarningEntry(WHOLLY_HIDDEN, (name,), 1.0, message)
        elif kept < (HALF if name in important else LITTLE):
            said = f"{name}, which the policy calls important," if name in important else name
            message = f"{said} keeps {kept:.1%} of its information"
            yield WarningEntry(KEEPS_LITTLE, (name,), round(kept, 6), message)


def _shown_in_every_record(recoding: Recoding, place: int) -> str:
    """Return what a column shows that tells no record from another."""
    domain = recoding.domains[place]
    shown: list[int] = np.unique(recoding.cells[recoding.released, place]).tolist()
    if all(domain.labels[cell] == ROOT for cell in shown):
        return "is wholly hidden: every released cell of it is *"
    if len(shown) > 1 or domain.levels[shown[0]] == 0:
        return "tells no record from another"
    return f"shows one label alone: {domain.labels[shown[0]]} in every record"


def known_cells(frame: Frame, promised: Resolved, original: Frame, rows: Ints) -> dict[str, Bools]:
    """Return which cells of masked columns somebody knows who knows the person's value.

    Parameters
    ----------
    original : the input, before its columns were masked
    rows : (n_released,), row of the input behind each row of the release; -1 of none

    Returns
    -------
    per column whose mask draws at random, (n_released,), whether the mask left the cell as it was
    """
    found: dict[str, Bools] = {}
    for name, protection in promised.protections.items():
        if name not in frame.columns or MASKS_BY_NAME[protection.name].follows_from_value:
            continue
        before = value_hashes(cell_texts(original[name]), SEED)[np.maximum(rows, 0)]
        found[name] = (value_hashes(cell_texts(frame[name]), SEED) == before) & (rows >= 0)
    return found


def _refuse_read_back(found: ReadBack, promised: Resolved) -> None:
    """Refuse a release whose cells are given back, unless the policy accepts it.

    Raises
    ------
    NoSolutionError
        when a hundredth of the records are in classes smaller than the models ask once cells are
        read back; fewer are warned of, since related columns tell single cells in any table
    """
    least = max((model.least_size for model in promised.models), default=1)
    together = found.together
    if promised.release.read_back == "accepted" or together is None or found.k < least:
        return
    if promised.algorithm.republishes:
        return  # its promise is about the values of a group, and not about the size of a class
    if together.share_below(least) < LEAST_SHARE:
        return
    worst = [one for one in found.warned if one.share_below(least) >= LEAST_SHARE]
    raise NoSolutionError([_read_back_fault(one, least) for one in worst or [together]])


def _read_back_fault(found: GivenBack, least: int) -> Fault:
    """Return the fault that says what columns give back, and what becomes of the promise."""
    listed, verb = ", ".join(found.columns), "gives" if len(found.columns) == 1 else "give"
    problem = (
        f"{verb} {_cells(found.n_cells)} of {', '.join(found.cells)} back: then "
        f"{found.share_below(least):.1%} of the records are in classes smaller than {least:,}, the "
        f"smallest of {_records(found.k_after)}"
    )
    return Fault(f"columns.{listed}", problem, REMEDY)


def read_back_warnings(found: ReadBack, promised: Resolved | None) -> Iterator[WarningEntry]:
    """Yield what columns that are not generalized give back of the others.

    Parameters
    ----------
    promised : by which a release that gives too much back is refused; by none where left out

    Raises
    ------
    NoSolutionError
        when too many records are in classes smaller than the models ask once cells are read back
    """
    if promised is not None:
        _refuse_read_back(found, promised)
    together = found.together
    if together is None:
        return
    share = round(together.share_below(found.k), 6)
    verb = "gives" if len(together.columns) == 1 else "give"
    message = (
        f"{some_names(together.columns)} {verb} {_cells(together.n_cells)} back: the smallest "
        f"class then has {_records(together.k_after)}, in place of {found.k:,}"
    )
    cells, k_after = together.n_cells, together.k_after
    yield WarningEntry(READ_BACK, together.columns, share, message, cells=cells, k_after=k_after)


def of_few_people(
    classes: Hashes, promised: Resolved, identifiers: Column, rows: Ints
) -> Iterator[WarningEntry]:
    """Count the classes with fewer different identifiers than the models ask for records.

    Parameters
    ----------
    classes : (n_released,), see :func:`~indistinct.tables.publish.unprotected.class_keys`
    identifiers : those of the input, some of which repeat
    rows : (n_released,), row of the input behind each row of the release; -1 of none
    """
    is_person = rows >= 0
    if not promised.class_names or not is_person.any():
        return
    least = max((model.least_size for model in promised.models), default=1)
    classes = classes[is_person]
    people, name = value_hashes(identifiers, SEED)[rows[is_person]], identifiers.name
    labels = np.unique(classes, return_inverse=True)[1].astype(np.int64)
    pairs = np.unique(np.stack([labels, np.unique(people, return_inverse=True)[1]], axis=1), axis=0)
    n_people = np.bincount(pairs[:, 0])
    n_few, n_classes = int((n_people < least).sum()), len(n_people)
    if n_few:
        message = (
            f"{n_few:,} of {n_classes:,} classes have fewer than {least:,} different values of "
            f'"{name}": class sizes count records, and one person has several. If each value is '
            f'one person, write person = "{name}" under [data]'
        )
        yield WarningEntry(REPEATED, (name,), round(n_few / n_classes, 6), message)


def _repeated_pseudonyms(frame: Frame, promised: Resolved) -> Iterator[WarningEntry]:
    """Name the pseudonyms that join records of the release."""
    for name, protection in promised.protections.items():
        if protection.name != PSEUDONYM or name not in frame.columns:
            continue
        is_known = ~are_missing(frame[name], promised.data.missing)
        counts = np.unique(value_hashes(frame[name], SEED)[is_known], return_counts=True)[1]
        joined = counts[counts > 1]
        if len(joined):
            n = int(joined.sum())
            message = (
                f"the pseudonym {name} joins {n:,} records to {len(joined):,} groups: who finds "
                "one record of a group has found all of them, and knows how many there are"
            )
            share = round(n / max(frame.height, 1), 6)
            yield WarningEntry(REPEATED_PSEUDONYM, (name,), share, message)


def shared_keys(changes: Mapping[str, ProtectionEntry]) -> Iterator[WarningEntry]:
    """Yield a warning for each pseudonym whose key was there before: it joins releases.

    Parameters
    ----------
    changes : per protected column, what its protection made of it
    """
    for name, entry in changes.items():
        if entry.facts.get(KEY_WAS_THERE):
            message = (
                f"the key of the pseudonym {name} was there before: whoever has another release "
                f"with this key joins its records to these by {name}, and k does not count that. "
                "To keep releases apart, give each of them its own key or domain"
            )
            yield WarningEntry(SHARED_KEY, (name,), 1.0, message)


def _of_one_value(name: str, classes: Hashes, values: Hashes) -> Iterator[WarningEntry]:
    """Count the records in classes in which a sensitive column has one value."""
    if (values == values[0]).all():
        return
    labels = np.unique(classes, return_inverse=True)[1]
    order = np.lexsort((values, labels))
    is_new = np.ones(len(order), np.bool_)
    is_new[1:] = (labels[order][1:] != labels[order][:-1]) | (
        values[order][1:] != values[order][:-1]
    )
    n_values = np.bincount(labels[order][is_new])
    share = float((n_values[labels] == 1).mean())
    if share > 0:
        message = (
            f"{share:.1%} of the released records are in classes with one value of {name} "
            "(sensitive), so that anybody who finds the class of a person learns this value"
        )
        yield WarningEntry(ONE_VALUE, (name,), round(share, 6), message)


def _cells(n: int) -> str:
    """Write how many cells are given back."""
    return "1 generalized cell" if n == 1 else f"{n:,} generalized cells"


def _records(n: int) -> str:
    """Write how many records a class has."""
    return "1 record" if n == 1 else f"{n:,} records"

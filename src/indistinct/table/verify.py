"""Check a release against its policy, from the written file alone.

Nothing that made the release takes part: the file is read afresh, classes are counted by a plain
group-by, models are measured one class at a time from their definitions, and cells are judged by
their text.
"""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from indistinct.core.arrays import Ints
from indistinct.core.protocols import (
    Combination,
    PlainClass,
    PlainColumn,
    Scope,
    no_supersets,
)
from indistinct.core.schema import Role
from indistinct.errors import DataError, Fault
from indistinct.models import BoundedModel, NTCloseness
from indistinct.table import files
from indistinct.table.boxes import Box, Records
from indistinct.table.cells import (
    CLOSED,
    HIDDEN,
    Cells,
    MadeFromData,
    cells_by,
    cells_of,
    is_number,
    listed_paths,
    missing_label,
    paths_above,
)
from indistinct.table.engines.polars import encode
from indistinct.table.hierarchies import suggested_rule
from indistinct.table.linked import (
    column_faults,
    counts_of,
    link_faults,
    linked_groups,
    origin_faults,
    sensitive_path,
)
from indistinct.table.policy import Policy
from indistinct.table.population import lists_people, n_people, read_population
from indistinct.table.protect import original_faults, protection_faults
from indistinct.table.verify_people import (
    PAIRS,
    PEOPLE,
    counted_in_people,
    crosswalk_rows,
    judged_by_records,
    people_faults,
    persons_in,
    with_people,
)
from indistinct.table.wildcards import group_sizes

SLACK = 1e-9
SHORTEST_ORDER = 10
COUNT = "records"


@dataclass(frozen=True, slots=True)
class Verification:
    """Whether a release holds what its policy promises.

    Parameters
    ----------
    holds : True when nothing is wrong
    faults : what is wrong; no value of any record
    models : per model: name, required, achieved, holds
    records, classes : released records, and the classes they form
    notes : what could not be decided without the original
    """

    holds: bool
    faults: tuple[Fault, ...]
    models: tuple[Mapping[str, Any], ...]
    records: int
    classes: int
    notes: tuple[str, ...] = ()

    def document(self) -> dict[str, Any]:
        """Give the result as one JSON document."""
        return {
            "holds": self.holds,
            "reasons": [f"{fault.place}: {fault.problem}" for fault in self.faults],
            "models": list(self.models),
            "records": self.records,
            "classes": self.classes,
            "notes": list(self.notes),
        }


@dataclass(frozen=True, slots=True)
class Reading:
    """What there is to judge by.

    Parameters
    ----------
    frame : the release as it was read
    policy : what was promised
    original : the input, if it is at hand
    rows : number in the input of each row of ``frame``, if the crosswalk is at hand
    manifest : what the release says of itself, if it is at hand
    original_is_masked : whether protected columns of ``original`` are those that were counted
    sensitive : the second of two linked tables
    """

    frame: pl.DataFrame
    policy: Policy
    original: pl.DataFrame | None = None
    rows: Sequence[int] | None = None
    manifest: Mapping[str, Any] | None = None
    original_is_masked: bool = False
    sensitive: pl.DataFrame | None = None


@dataclass(frozen=True, slots=True)
class Evidence:
    """What verification looks at, all cells as text.

    Parameters
    ----------
    release : the released records that are not masked whole
    typed : the same as they were read
    policy : what was promised
    original : the input, if it is at hand
    rows : number in the input of each row of ``release``, if the crosswalk is at hand
    n_suppressed : records left out or masked, if known
    """

    release: pl.DataFrame
    typed: pl.DataFrame
    policy: Policy
    original: pl.DataFrame | None
    rows: Sequence[int] | None
    n_suppressed: int | None

    def before(self, name: str) -> pl.Series | None:
        """Give a column as it was counted: not at hand where it was masked, but not here."""
        if self.original is None or name not in self.original.columns:
            return None
        return self.original[name]


def verify(  # noqa: PLR0913 - each is a file that may be at hand
    data: Any,
    policy: Policy,
    *,
    original: Any = None,
    manifest: str | Path | Mapping[str, Any] | None = None,
    sensitive: Any = None,
    crosswalk: Any = None,
) -> Verification:
    """Check a release against its policy.

    Parameters
    ----------
    data : path of the release, or a frame
    policy : what was promised
    original : path or frame of the input: makes the check of closeness exact where records were
        suppressed
    manifest : the release's manifest or its path; the one beside the file when left out
    sensitive : path or frame of the second of two linked tables; the one beside the file when left
        out
    crosswalk : path of the crosswalk, or the row of the input behind each row, with ``original``:
        makes the check of single records possible, and proves what counts people

    Returns
    -------
    a verdict, with every reason against

    Raises
    ------
    DataError
        when a file cannot be read
    """
    path = str(data) if isinstance(data, str | Path) else None
    found = _manifest(path, manifest)
    source = files.read(data, separator=policy.data.separator, typed=False, may_be_empty=True)
    before = None if original is None else _original(original, policy)
    faults = (
        [] if path is None or found is None else list(_hash_faults(source.sha256, found, policy))
    )
    second = None
    if policy.release.form == "anatomy":
        place = sensitive if sensitive is not None or path is None else str(sensitive_path(path))
        second, wrong = _second_table(place, policy, found)
        faults += wrong
    rows = None if crosswalk is None else _rows(crosswalk, source.frame, before, policy)
    return _verdict(Reading(source.frame, policy, before, rows, found, sensitive=second), faults)


def _rows(
    crosswalk: Any, frame: pl.DataFrame, original: pl.DataFrame | None, policy: Policy
) -> list[int]:
    """Read the crosswalk, which tells the row of the input of every record."""
    if original is None:
        raise DataError(
            [Fault("original", "is missing", "The crosswalk names rows of the original.")]
        )
    masked = [False] * frame.height
    if policy.release.suppressed == "mask":
        masked = _texts(frame).select(pl.all_horizontal(pl.all() == HIDDEN)).to_series().to_list()
    return crosswalk_rows(crosswalk, masked, original.height)


def _second_table(
    place: Any, policy: Policy, manifest: Mapping[str, Any] | None
) -> tuple[pl.DataFrame, list[Fault]]:
    """Read the second of two linked tables, and compare its hash with the manifest's."""
    if place is None:
        raise DataError("there is no sensitive table", "Give it as sensitive.")
    source = files.read(place, separator=policy.data.separator, typed=False)
    said = None if manifest is None else manifest.get("sensitive", {}).get("sha256")
    if manifest is None or not isinstance(place, str | Path) or said == source.sha256:
        return source.frame, []
    fault = Fault(
        "manifest.sensitive.sha256",
        "is not the hash of this file",
        "Take the files and the manifest of one run.",
    )
    return source.frame, [fault]


def verify_written(
    release: Reading,
    path: str,
    file_format: str,
    separator: str | None,
    sensitive: str | None = None,
) -> Verification:
    """Check a file that was just written, with the input and the crosswalk at hand.

    Parameters
    ----------
    release : what is known of it; its frame is read afresh and not believed
    path, file_format, separator : how to read it
    sensitive : path of the second of two linked tables, read in the same way
    """

    def frame_of(file: str) -> pl.DataFrame:
        return files.read(
            file, separator=separator, typed=False, file_format=file_format, may_be_empty=True
        ).frame

    second = None if sensitive is None else frame_of(sensitive)
    return _verdict(replace(release, frame=frame_of(path), sensitive=second), [])


def verify_frame(release: Reading) -> Verification:
    """Check a release in memory, with the input and the crosswalk at hand."""
    return _verdict(release, [])


def _verdict(reading: Reading, faults: list[Fault]) -> Verification:
    """Run every check on what was read."""
    frame, policy = reading.frame, reading.policy
    if policy.release.form == "anatomy":
        return _linked_verdict(reading, faults)
    wrong_columns = list(_column_faults(frame, policy))
    if wrong_columns:
        return Verification(
            holds=False, faults=(*faults, *wrong_columns), models=(), records=0, classes=0
        )
    evidence = _evidence(reading)
    persons = _persons(evidence)
    classes = list(_classes(evidence if persons is None else _telling_people(evidence, persons)))
    n_records = evidence.release.height + (evidence.n_suppressed or 0)
    n_sampled = n_records if persons is None else len(set(persons))
    models = policy.models_among(n_sampled, n_people(policy))
    judged = [_judge_units(model, classes, evidence, persons) for model in models]
    if persons is not None:
        faults += people_faults(classes, n_sampled, reading.manifest)
    faults = [*faults, *(fault for _, found, _ in judged for fault in found)]
    faults += _cell_faults(evidence)
    faults += protection_faults(evidence.release, policy, reading.manifest)
    if reading.original is not None and not reading.original_is_masked:
        faults += original_faults(evidence.release, policy, reading.original, evidence.rows)
    faults += _order_faults(evidence)
    faults += _count_faults(evidence, len(classes), reading.manifest)
    return Verification(
        holds=not faults,
        faults=tuple(faults),
        models=tuple(entry for entry, _, _ in judged),
        records=evidence.release.height,
        classes=len(classes),
        notes=tuple(note for _, _, notes in judged for note in notes),
    )


def _persons(evidence: Evidence) -> list[str] | None:
    """Give the person behind each record of the input, where people count and can be counted."""
    if evidence.original is None or evidence.rows is None:
        return None
    return persons_in(evidence.original, evidence.policy)


def _telling_people(evidence: Evidence, persons: Sequence[str]) -> Evidence:
    """Add the people to the columns of the release and of the input."""
    policy, rows = evidence.policy, evidence.rows or ()
    columns = sorted({name for model in policy.models for name in model.columns})
    of_release = [persons[row] for row in rows]
    original = evidence.original
    return replace(
        evidence,
        release=with_people(evidence.release, of_release, columns, policy),
        original=None if original is None else with_people(original, persons, columns, policy),
    )


def _judge_units(
    model: BoundedModel,
    classes: Sequence[PlainClass],
    evidence: Evidence,
    persons: Sequence[str] | None,
) -> tuple[dict[str, Any], list[Fault], list[str]]:
    """Judge a model by what its sizes count: records, or the people of the policy."""
    if evidence.policy.data.person is None:
        return _judge(model, classes, evidence)
    if persons is None:
        entry, faults, _ = _judge(model, classes, evidence)
        return judged_by_records(model, entry, faults, evidence.policy)
    return _judge(model, counted_in_people(classes, model), evidence)


def _linked_verdict(reading: Reading, faults: list[Fault]) -> Verification:
    """Run every check on two linked tables."""
    policy, frame = reading.policy, reading.frame
    records = _texts(frame)
    sensitive = pl.DataFrame() if reading.sensitive is None else _texts(reading.sensitive)
    wrong_columns = list(column_faults(records, sensitive, policy))
    if wrong_columns:
        return Verification(
            holds=False, faults=(*faults, *wrong_columns), models=(), records=0, classes=0
        )
    original = reading.original if reading.original_is_masked else _unprotected(reading)
    n_suppressed = _n_suppressed(reading, records.height)
    evidence = Evidence(records, frame, policy, original, reading.rows, n_suppressed)
    (name,) = policy.named(Role.SENSITIVE)
    counts, unreadable = counts_of(sensitive, name, policy.data.missing)
    if unreadable:
        problem = f"{unreadable} rows say no count, or one that was said before"
        faults = [*faults, Fault("sensitive", problem, "Do not publish these files.")]
    groups = linked_groups(records, counts, name)
    judged = [_judge(model, groups, evidence) for model in policy.models]
    faults = [*faults, *(fault for _, found, _ in judged for fault in found)]
    faults += link_faults(records, counts)
    if original is not None and reading.rows is not None:
        faults += origin_faults(records, counts, _texts(original), reading.rows, policy)
    faults += protection_faults(records, policy, reading.manifest)
    faults += _order_faults(evidence)
    faults += _count_faults(evidence, len(groups), reading.manifest)
    return Verification(
        holds=not faults,
        faults=tuple(faults),
        models=tuple(entry for entry, _, _ in judged),
        records=records.height,
        classes=len(groups),
    )


def _texts(frame: pl.DataFrame) -> pl.DataFrame:
    """Write every cell as text, a missing one as the empty text."""
    return frame.select(pl.all().cast(pl.String).fill_null(""))


def _unprotected(reading: Reading) -> pl.DataFrame | None:
    """Give the input without the columns that were masked before they were counted."""
    if reading.original is None:
        return None
    return reading.original.drop(reading.policy.protections, strict=False)


def judge_plainly(reading: Reading, models: Sequence[BoundedModel]) -> list[dict[str, Any]]:
    """Measure models in a table from their definitions, one class at a time.

    Parameters
    ----------
    reading : a table with the columns of its policy
    models : some of the policy's

    Returns
    -------
    per model: name, required, achieved, holds
    """
    evidence = _evidence(reading)
    classes = list(_classes(evidence))
    return [_judge(model, classes, evidence)[0] for model in models]


def people_of(reading: Reading) -> tuple[Ints, Ints] | None:
    """Count the records of each class and the people that look like it.

    None where the policy names no table of the population.
    """
    if not lists_people(reading.policy):
        return None
    classes = list(_classes(_evidence(reading)))
    sizes = np.array([one.size for one in classes], np.int64)
    return sizes, np.array([one.population or 0 for one in classes], np.int64)


def looks_beyond(model: BoundedModel, policy: Policy) -> bool:
    """Tell whether a model asks for records outside the classes."""
    return model.scope is Scope.REGION or (model.counts_people and lists_people(policy))


def _evidence(reading: Reading) -> Evidence:
    """Put cells into words, and leave out the records that are masked whole."""
    frame, policy = reading.frame, reading.policy
    texts = as_labels(frame.select(pl.all().cast(pl.String).fill_null("")), policy)
    kept = pl.repeat(value=True, n=frame.height, eager=True)
    if policy.release.suppressed == "mask":
        kept = ~texts.select(pl.all_horizontal(pl.all() == HIDDEN)).to_series()
    rows = reading.rows
    if rows is not None:
        rows = [row for row, is_kept in zip(rows, kept, strict=True) if is_kept]
    n_suppressed = _n_suppressed(reading, int(kept.sum()))
    original = reading.original
    if original is not None and not reading.original_is_masked:
        original = original.drop(policy.protections, strict=False)
    return Evidence(texts.filter(kept), frame.filter(kept), policy, original, rows, n_suppressed)


def _manifest(
    path: str | None, given: str | Path | Mapping[str, Any] | None
) -> Mapping[str, Any] | None:
    """Read the manifest that was given, or the one beside the release if there is one."""
    if given is not None and not isinstance(given, str | Path):
        return given
    file = Path(given) if given is not None else Path(f"{path}.manifest.json")
    if given is None and (path is None or not file.exists()):
        return None
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise DataError(f"{file} cannot be read: {error.strerror}", "Check the path.") from None
    except ValueError:
        raise DataError(f"{file} is no JSON document", "Name the release's manifest.") from None


def _original(original: Any, policy: Policy) -> pl.DataFrame:
    """Read the input as it was read for the release."""
    source = files.read(
        original,
        missing=policy.data.missing,
        separator=policy.data.separator,
        encoding=policy.data.encoding,
    )
    return source.frame


def _hash_faults(sha256: str, manifest: Mapping[str, Any], policy: Policy) -> Iterator[Fault]:
    """Compare the hashes of the file and of the policy with the manifest's."""
    if manifest.get("output", {}).get("sha256") != sha256:
        yield Fault(
            "manifest.output.sha256",
            "is not the hash of this file",
            "Take the file and the manifest of one run.",
        )
    if manifest.get("policy_sha256") != policy.sha256:
        yield Fault(
            "manifest.policy_sha256",
            "is not the hash of this policy",
            "Verify against the policy that the release was made with.",
        )


def _released_names(policy: Policy, name: str, present: Sequence[str]) -> list[str]:
    """Give the columns that a quasi-identifier is released as."""
    bounds = [f"{name}_min", f"{name}_max"]
    if policy.release.intervals == "bounds" and all(bound in present for bound in bounds):
        return bounds
    return [name]


def _column_faults(frame: pl.DataFrame, policy: Policy) -> Iterator[Fault]:
    """Find identifiers that are left, and columns that should not or should be there."""
    expected = [
        released
        for name in policy.columns
        if name not in policy.left_out
        for released in _released_names(policy, name, frame.columns)
    ]
    for name in frame.columns:
        if name not in expected:
            is_identifier = name in policy.left_out
            problem = (
                "is an identifier and still there" if is_identifier else "is not in the policy"
            )
            yield Fault(f"columns.{name}", problem, "Do not publish this file.")
    for name in expected:
        if name not in frame.columns:
            yield Fault(f"columns.{name}", "is missing", "Is this the release of this policy?")


def as_labels(texts: pl.DataFrame, policy: Policy) -> pl.DataFrame:
    """Put pairs of bounds back together as one cell."""
    for name in policy.class_names:
        bounds = _released_names(policy, name, texts.columns)
        if len(bounds) == 1:
            continue
        low, high = (pl.col(bound) for bound in bounds)
        # A range that was made from the data includes both its ends; an interval does not.
        end = "]" if policy.columns[name].hierarchy is None else ")"
        cell = (
            pl.when(low == "")
            .then(pl.lit(HIDDEN))
            .when(low == high)
            .then(low)
            .otherwise(pl.concat_str(pl.lit("["), low, pl.lit(", "), high, pl.lit(end)))
        )
        texts = texts.with_columns(cell.alias(name)).drop(bounds)
    return texts


def _n_suppressed(reading: Reading, n_released: int) -> int | None:
    """Tell how many records are not released, if anything tells it."""
    if reading.original is not None:
        return reading.original.height - n_released
    return None if reading.manifest is None else int(reading.manifest["records"]["suppressed"])


def _classes(evidence: Evidence) -> Iterator[PlainClass]:
    """Count the equivalence classes by a plain group-by."""
    names = list(evidence.policy.class_names)
    columns = sorted({name for model in evidence.policy.models for name in model.columns})
    columns += [name for name in evidence.release.columns if name.startswith((PEOPLE, PAIRS))]
    table = {name: _table_column(evidence, name) for name in columns}
    keys = names or [pl.lit("").alias("everyone")]
    sizes = evidence.release.group_by(keys, maintain_order=True).len(COUNT)
    counts: dict[str, dict[tuple[str, ...], dict[str, int]]] = {}
    for name in columns:
        by_class: dict[tuple[str, ...], dict[str, int]] = defaultdict(dict)
        values = pl.col(name).replace(dict.fromkeys(evidence.policy.data.missing, ""))
        grouped = evidence.release.group_by([*keys, values.alias("value")]).len(COUNT)
        for *key, value, count in grouped.iter_rows():
            by_class[tuple(key)][value] = count
        counts[name] = by_class
    every_size: list[int] = sizes[COUNT].to_list()
    if names and evidence.policy.release.suppressed_cell == "any":
        every_size = group_sizes(sizes.select(names), every_size)
    boxes: list[Box] = [tuple(key) for *key, _ in sizes.iter_rows()]
    records = _records(evidence, columns, boxes)
    people = _people(evidence, boxes)
    combinations = _combinations(evidence, names)
    for box, size, population in zip(boxes, every_size, people, strict=True):
        held = {name: counts[name][box] for name in columns}
        supersets = no_supersets if records is None else records.supersets(box, table)
        yield PlainClass(
            size, held, table, every_size, population, supersets, combinations.get(box, {})
        )


def _combinations(
    evidence: Evidence, names: Sequence[str]
) -> Mapping[Box, Mapping[Combination, int]]:
    """Count the combinations of all sensitive values in each class, if some model asks."""
    if not evidence.policy.divides:
        return {}
    sensitive = evidence.policy.named(Role.SENSITIVE)
    missing = dict.fromkeys(evidence.policy.data.missing, "")
    found: dict[Box, dict[Combination, int]] = defaultdict(dict)
    grouped = evidence.release.select(*names, pl.col(sensitive).replace(missing))
    for *row, count in grouped.group_by(pl.all()).len(COUNT).iter_rows():
        box, values = tuple(row[: len(names)]), row[len(names) :]
        found[box][tuple(zip(sensitive, values, strict=True))] = count
    return found


def _people(evidence: Evidence, boxes: Sequence[Box]) -> Sequence[int | None]:
    """Count the people of the population in each class's box."""
    policy = evidence.policy
    if not lists_people(policy):
        return [None] * len(boxes)
    names = policy.class_names
    population = read_population(policy)
    texts = population.select(_as_written(policy, population[name]) for name in names)
    return Records.of(texts, _cells_around(evidence, boxes), ()).count_each(boxes)


def _records(evidence: Evidence, columns: Sequence[str], boxes: Sequence[Box]) -> Records | None:
    """Give the records that larger boxes are counted over: the input's where it is at hand."""
    if all(model.scope is not Scope.REGION for model in evidence.policy.models):
        return None
    names = evidence.policy.class_names
    cells = _cells_around(evidence, boxes)
    before = [evidence.before(name) for name in (*names, *columns)]
    known = [column for column in before if column is not None]
    if len(known) < len(before):
        return Records.of(evidence.release, cells, columns, boxes)
    written = pl.DataFrame([_as_written(evidence.policy, column) for column in known])
    return Records.of(written, cells, columns, boxes)


def _cells_around(evidence: Evidence, boxes: Sequence[Box]) -> Mapping[str, Cells]:
    """Give the cells of each column; one that is released in ranges has no labels from the data."""
    return {
        name: cells_of(evidence.policy, name)
        if any(CLOSED.match(box[index]) for box in boxes)
        else _cells_in_steps(evidence, name)
        for index, name in enumerate(evidence.policy.class_names)
    }


def _as_written(policy: Policy, column: pl.Series) -> pl.Series:
    """Give a column of the input as a release would write it ungeneralized."""
    missing = set(policy.data.missing) | {""}
    own = ""
    if column.name in policy.class_names:
        listed = listed_paths(policy, column.name)
        own = next((token for token in policy.data.missing if token in listed), "")
    texts = column.cast(pl.String).fill_null("").to_list()
    return pl.Series(column.name, [own if text in missing else text for text in texts])


def _cells_in_steps(evidence: Evidence, name: str) -> Cells:
    """Give the cells of a column; those of one without a hierarchy by the input's values."""
    cells = cells_of(evidence.policy, name)
    column = evidence.before(name)
    if not isinstance(cells, MadeFromData) or column is None:
        return cells
    numeric = column.dtype.is_numeric() or column.dtype.is_temporal()
    encoded = encode(column if numeric else column.cast(pl.String), "")
    rule = suggested_rule(name, encoded)
    missing = {"", *evidence.policy.data.missing}
    return cells if rule is None else cells_by(rule, missing)


def _table_column(evidence: Evidence, name: str) -> PlainColumn:
    """Count a sensitive column in the whole table: the input where it is at hand."""
    before = evidence.before(name)
    reference = evidence.release[name]
    if before is not None:
        reference = before.cast(pl.String).fill_null("")
    if name.startswith((PEOPLE, PAIRS)):
        return PlainColumn(dict(reference.value_counts().iter_rows()), ())
    missing = set(evidence.policy.data.missing)
    reference = pl.Series([("" if text in missing else text) for text in reference.to_list()])
    counts: dict[str, int] = dict(reference.value_counts().iter_rows())
    numbers = {value: float(value) for value in counts if is_number(value)}
    is_numeric = all(value in numbers or value == "" for value in counts)
    order = sorted(
        counts,
        key=lambda value: (value == "", numbers.get(value, 0.0) if is_numeric else 0.0, value),
    )
    return PlainColumn(counts, order, numbers, paths_above(evidence.policy, name, order))


def _judge(
    model: BoundedModel, classes: Sequence[PlainClass], evidence: Evidence
) -> tuple[dict[str, Any], list[Fault], list[str]]:
    """Measure a model in every class, and compare the worst with the bound."""
    entry: dict[str, Any] = {"name": model.name, "required": model.required()}
    if not classes:
        return {**entry, "achieved": None, "holds": True}, [], []
    judged = classes[:1] if model.scope is Scope.TABLE else classes
    measures = [model.measured_plainly(one) for one in judged]
    worst = min(measures) if model.grows else max(measures)
    holds = _within(model, worst, 0.0)
    entry |= {"achieved": model.achieved(worst), "holds": holds}
    doubt = _doubt(model, evidence)
    if not holds and doubt > 0 and _within(model, _at_best(model, judged, worst, evidence), doubt):
        note = (
            f"{model.name}: measured against the released records; whether it holds against the "
            "input, of which some records were suppressed, takes the input (original)"
        )
        return {**entry, "holds": None}, [], [note]
    if holds:
        return entry, [], []
    failing = sum(not _within(model, measure, doubt) for measure in measures)
    return (
        entry,
        [
            Fault(
                f"models.{model.name}",
                "does not hold for the release as a whole"
                if model.scope is Scope.TABLE
                else f"does not hold in {failing} of {len(classes)} classes",
                "Do not publish this file.",
            )
        ],
        [],
    )


def _doubt(model: BoundedModel, evidence: Evidence) -> float:
    """Say how far a distance to the input's distribution may be from that to the release's.

    An earth mover's distance at most the share of records that are not in the release: the total
    variation between both distributions is no more, and such a distance at most the total
    variation. That to a superset of n records at most their number / n. Of divergences and ratios
    nothing is known.
    """
    reads_table = model.columns and model.letter in {"t", "beta", "delta"}
    is_known = all(evidence.before(name) is not None for name in model.columns)
    if not reads_table or is_known or not evidence.n_suppressed:
        return 0.0
    if evidence.policy.data.person is not None:
        return math.inf  # a person of a suppressed record may be released with others
    if model.letter != "t" or getattr(model, "distance", "") == "kernel":
        return math.inf
    if isinstance(model, NTCloseness):
        return evidence.n_suppressed / model.n
    n_records = evidence.release.height + evidence.n_suppressed
    return evidence.n_suppressed / n_records


def _at_best(
    model: BoundedModel, classes: Sequence[PlainClass], worst: float, evidence: Evidence
) -> float:
    """Give the worst measure if all suppressed records were in every superset of a class."""
    if not isinstance(model, NTCloseness):
        return worst
    generous = replace(model, n=max(1, model.n - (evidence.n_suppressed or 0)))
    return max(generous.measured_plainly(one) for one in classes)


def _within(model: BoundedModel, measure: float, doubt: float) -> bool:
    """Compare a measure with the model's bound."""
    if model.strict:
        return measure > model.bound if model.grows else measure < model.bound + doubt
    if model.grows:
        return measure >= model.bound - SLACK
    return measure <= model.bound + SLACK + doubt


def _cell_faults(evidence: Evidence) -> Iterator[Fault]:
    """Find cells that the policy does not allow, or that do not cover their original value."""
    for name in evidence.policy.class_names:
        column, cells = evidence.policy.columns[name], cells_of(evidence.policy, name)
        if _is_midpoint(evidence, name):
            continue
        distinct = evidence.release[name].value_counts(name=COUNT)
        unwritten = missing_label(evidence.policy, name)
        strange = [
            (cell, count)
            for cell, count in distinct.iter_rows()
            if not cells.allows(cell or unwritten, column)
        ]
        if strange:
            yield Fault(
                f"columns.{name}",
                f"{sum(count for _, count in strange)} cells are no generalization that the policy "
                "allows",
                "Do not publish this file; --show-values prints them.",
                tuple(cell for cell, _ in strange[:5]),
            )
        yield from _cover_faults(evidence, name, cells)


def _is_midpoint(evidence: Evidence, name: str) -> bool:
    """Tell whether a column is released as midpoints, which any number may be."""
    if evidence.policy.release.intervals != "midpoint":
        return False
    return all(cell == "" or is_number(cell) for cell in evidence.release[name].unique())


def _cover_faults(evidence: Evidence, name: str, cells: Cells) -> Iterator[Fault]:
    """Find cells that do not cover the value of their own record."""
    before = evidence.before(name)
    if before is None or evidence.rows is None:
        return
    missing = set(evidence.policy.data.missing) | {""}
    values = before[list(evidence.rows)].cast(pl.String).fill_null("")
    pairs = pl.DataFrame({"cell": evidence.release[name], "value": values}).unique()
    wrong = sum(
        not (value in missing or cells.covers(cell, value)) for cell, value in pairs.iter_rows()
    )
    if wrong:
        yield Fault(
            f"columns.{name}",
            f"{wrong} kinds of cells do not cover their original value",
            "This is an error of the program: do not publish this file.",
        )


def _order_faults(evidence: Evidence) -> Iterator[Fault]:
    """Find traces of the input's order."""
    if evidence.release.height < SHORTEST_ORDER:
        return
    for name in evidence.typed.columns:
        column = evidence.typed[name]
        if column.dtype == pl.String and column.str.contains(r"^[0-9]+$").all():
            column = column.cast(pl.Int64, strict=False)
        if (
            column.dtype.is_integer()
            and not column.null_count()
            and bool((column.diff().drop_nulls() > 0).all())
        ):
            yield Fault(f"columns.{name}", "numbers the rows", "Leave it out.")
    if evidence.rows is not None and bool((pl.Series(evidence.rows).diff().drop_nulls() > 0).all()):
        yield Fault("order", "the rows stand in the order of the input", "Shuffle them.")


def _count_faults(
    evidence: Evidence, n_classes: int, manifest: Mapping[str, Any] | None
) -> Iterator[Fault]:
    """Compare the numbers of records and classes with the manifest's."""
    if manifest is None:
        return
    for place, said, found in (
        ("records.released", manifest["records"]["released"], evidence.release.height),
        ("classes.count", manifest["classes"]["count"], n_classes),
    ):
        if said != found:
            yield Fault(
                f"manifest.{place}",
                f"says {said}, but the file has {found}",
                "Take the file and the manifest of one run.",
            )

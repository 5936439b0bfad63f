"""Check released tables about the same people: from their files alone, and beside their input.

Nothing that made the release takes part: keys are joined by plain dictionaries, cells are judged by
their text, and every unit's patterns are enumerated.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, cast

from indistinct.base.inputs import json_document, read_document
from indistinct.base.statements.statements import UNSTATED
from indistinct.errors import DataError, Fault
from indistinct.related.counted import counted_tables
from indistinct.related.given_policy import related_policy
from indistinct.related.policy import RelatedPolicy
from indistinct.related.read_tables import MANIFEST, as_read
from indistinct.related.verify.input import RelatedInput, input_faults
from indistinct.related.verify.keys import key_faults, secret_of
from indistinct.related.verify.manifest import claim_faults, policy_faults, shape_faults_of
from indistinct.related.verify.patterns import SeenUnit, least_support, steps_of
from indistinct.related.verify.rows import shown_rows, starred_faults, units_of
from indistinct.related.verify.shares import shares_of
from indistinct.related.verify.stated import (
    SeenRelease,
    related_state,
    related_statement_faults,
)
from indistinct.related.work import WORK
from indistinct.tables.engines import holds_more, is_schema, manifest_of_schema
from indistinct.tables.findings import (
    CloserLook,
    CountedTable,
    Finding,
    findings_beside,
    findings_said,
    with_little_kept,
    word_faults_of_findings,
)
from indistinct.tables.frames import Frame
from indistinct.tables.models import LargestShare
from indistinct.tables.policy import Specification, resolve
from indistinct.tables.reading import TableFile
from indistinct.tables.verification import (
    HIDDEN,
    Renderer,
    Verification,
    WrittenTable,
    byte_faults,
    lost_differences,
    mapping_in,
    missing_label,
    table_order_faults,
    texts_as_read,
)

NOTHING: Mapping[str, str] = MappingProxyType({})
DISMISS = "Do not publish these files."
OTHER = "Is this the release of this policy?"
WITHHELD_NOTE = (
    "{}: which values lie below the limited ones stands in a list that the public policy leaves "
    "out; the policy of the owner (--policy) names it"
)


def verify_related(  # noqa: PLR0913 - what there is to judge by
    release: Any,
    policy: Any = None,
    *,
    original: Any = None,
    crosswalk: Any = None,
    manifest: str | Path | Mapping[str, Any] | None = None,
    work: int = WORK,
    closer: CloserLook | None = None,
) -> Verification:
    """Check released tables against their policy.

    Parameters
    ----------
    release : the path of a folder, or a frame for each table
    policy : what was promised; when left out, that of the manifest
    original : the folder or the frames of the input
    crosswalk : with ``original``, the folder of the crosswalk, or the rows of the input per table
    manifest : the one in the folder when left out
    work : patterns of known rows that are listed at most; above it the promise is undecided
    closer : who looks more closely at what is given away, where that is asked for

    Raises
    ------
    DataError
        when files cannot be read, or there is neither a policy nor a manifest
    """
    said = _manifest(release, manifest)
    is_unstated = said is not None and said.get("statements") is UNSTATED
    if said is not None and is_unstated:
        said = {name: part for name, part in said.items() if name != "statements"}
    spec = _promised(policy, said)
    read = as_read(release)
    faults = list(table_faults(spec, read))
    faults += beside_faults(release, read)
    if faults:
        return _verdict(faults, (_joint_entry(spec, None),), 0, 0)
    tables = {name: texts_as_read(file.frame) for name, (file, _) in read.items()}
    flat = {name: _flat(spec, name) for name in spec.tables}
    for name, (file, path) in read.items():
        faults += _file_faults(spec, name, flat[name], file, path)
    lost = list(key_faults(spec, tables))
    if lost:
        faults += lost
        return _verdict(faults, (_joint_entry(spec, None),), 0, 0)
    units, torn = units_of(spec, tables)
    faults += torn
    for name in spec.row_tables:
        faults += starred_faults(spec, name, tables[name])
    if torn:
        return _verdict(faults, (_joint_entry(spec, None),), 0, 0)
    told = _findings_said(spec, said, faults)
    looked, differing = findings_beside([*_looked_at(spec, tables, closer)], told)
    faults += differing
    if (note := work_note(units, spec.model.known_rows, work)) is not None:
        return replace(_uncounted(spec, faults, units, note), findings=looked)
    least, n_classes = least_support(units, spec.model.known_rows)
    shares = list(shares_of(spec, flat, tables, units))
    faults += _promise_faults(spec, least, shares)
    given: RelatedInput | None = None
    if original is not None:
        secret = None if policy is None else secret_of(spec)
        given = RelatedInput.of(spec, flat, tables, original, crosswalk, secret)
        faults += input_faults(given, units)
    entries = promise_entries(spec, least, shares)
    unchecked = {} if given is not None and crosswalk is not None else _untested_masks(spec)
    if said is not None:
        faults += policy_faults(spec, flat, said)
        vanished = None if given is None else given.n_vanished
        more, names = claim_faults(spec, said, tables, units, entries, vanished)
        faults += more
        unchecked |= dict.fromkeys(names, "")
    n_rows = sum(tables[name].height for name in (spec.people, *spec.row_tables))
    seen = SeenRelease(spec, flat, tables, units, given, said, entries)
    faults += _statement_faults(seen, faults, unchecked, is_unstated=is_unstated)
    verdict = _verdict(faults, entries, n_rows, n_classes, unchecked)
    stated = related_state(seen, faults, unchecked)
    looked = with_little_kept(looked, stated, spec.important)
    stated = replace(stated, findings=looked.document())
    return replace(verdict, findings=looked, statements=stated)


def _findings_said(
    spec: RelatedPolicy, manifest: Mapping[str, Any] | None, faults: list[Fault]
) -> list[Finding] | None:
    """Return the findings of a manifest if their words follow from their figures; note faults."""
    if manifest is None or shape_faults_of(spec, manifest):
        return None
    names = [f"{name}.{one}" for name, table in spec.tables.items() for one in table.columns]
    wrong = list(word_faults_of_findings("manifest.warnings", manifest["warnings"], names))
    faults += wrong
    return None if wrong else findings_said(manifest)


def _looked_at(
    spec: RelatedPolicy, tables: Mapping[str, Frame], closer: CloserLook | None
) -> Iterator[CountedTable]:
    """Yield the tables as detectors count them."""
    for table in counted_tables(spec, tables):
        yield replace(table, closer=closer)


def _statement_faults(
    seen: SeenRelease, faults: Sequence[Fault], unchecked: Mapping[str, str], *, is_unstated: bool
) -> Iterator[Fault]:
    """Find what a manifest without other faults states and does not follow from the release.

    Parameters
    ----------
    is_unstated : whether it is the manifest of a release that is just made
    """
    said = seen.manifest
    is_sound = not any(fault.place.startswith("manifest") for fault in faults)
    if said is None or is_unstated or not is_sound:
        return
    if "statements" not in said:
        yield Fault("manifest.statements", "is missing", OTHER)
        return
    yield from related_statement_faults(related_state(seen, faults, unchecked), said)


def _promised(policy: Any, manifest: Mapping[str, Any] | None) -> RelatedPolicy:
    """Return the policy that is given, else the public one of a manifest.

    Raises
    ------
    DataError
        when there is none, or it is one of a single table
    """
    if policy is None and manifest is None:
        raise DataError("neither a policy nor a manifest is at hand", "Give the policy.")
    spec = related_policy(mapping_in(manifest, "policy") if policy is None else policy)
    if spec is None:
        raise DataError("the policy does not describe related tables", "Give the one that does.")
    return spec


def work_note(units: Sequence[SeenUnit], m: int | None, work: int) -> str | None:
    """Return why the patterns of known rows are not listed; None where they are few enough."""
    steps, longest = steps_of(units, m)
    if steps <= work:
        return None
    return (
        f"the longest history has {longest:,} different rows: {float(steps):.1e} patterns, and "
        f"--work allows {float(work):.1e}"
    )


def _uncounted(
    spec: RelatedPolicy, faults: Sequence[Fault], units: Sequence[SeenUnit], note: str
) -> Verification:
    """Return the verdict where the patterns are too many to be listed."""
    entries = tuple(
        {"name": one.name, "required": one.required(), "achieved": None, "holds": None}
        for one in (spec.model, *spec.largest_shares)
    )
    names = tuple(f"models.{entry['name']}" for entry in entries)
    n_rows = len(units) + sum(len(rows) for _, rows, _ in units)
    holds = False if faults else None
    n_classes = len({kind for kind, _, _ in units})
    return Verification(holds, tuple(faults), entries, n_rows, n_classes, (note,), names)


def _flat(spec: RelatedPolicy, name: str) -> Specification:
    """Return the policy of one table, and which of its hierarchies a public policy leaves out."""
    start = f"hierarchies.{name}."
    own = (one.removeprefix(start) for one in spec.withheld if one.startswith(start))
    left_out = tuple(f"hierarchies.{column}" for column in own)
    return replace(resolve(spec.flat(name)), withheld=left_out)


def beside_faults(
    release: Any, read: Mapping[str, tuple[TableFile, Path | None]]
) -> Iterator[Fault]:
    """Find what lies in the folder, or the file of a database, beside the tables and the manifest.

    Parameters
    ----------
    read : the tables, each with its file
    """
    if is_schema(release):
        if holds_more(release):
            problem = (
                "holds more than the release: other schemas, views, types, notes or free blocks"
            )
            yield Fault("file", problem, "Do not give this file away; write a new one.")
        return
    paths = {path for _, path in read.values() if path is not None}
    if not paths:
        return
    known = {*paths, Path(release) / MANIFEST}
    more = sum(path not in known or path.is_symlink() for path in Path(release).iterdir())
    if more:
        problem = f"holds {more} files, links or folders that are not of the release"
        yield Fault("folder", problem, "Give away the folder as it was written, and nothing else.")


def are_related(release: Any, policy: Any, manifest: str | Path | Mapping[str, Any] | None) -> bool:
    """Return whether a release is one of related tables: by its policy, else by its manifest."""
    if policy is not None:
        return related_policy(policy) is not None
    return "related" in (_manifest(release, manifest) or {})


def _verdict(
    faults: Sequence[Fault],
    entries: tuple[Mapping[str, Any], ...],
    n_rows: int,
    n_classes: int,
    unchecked: Mapping[str, str] = NOTHING,
) -> Verification:
    """Return the verdict.

    Parameters
    ----------
    unchecked : what was not looked at, with a note where one says what it takes
    """
    is_open = any(entry["holds"] is None for entry in entries)
    holds = None if is_open and not faults else not faults
    notes = [WITHHELD_NOTE.format(one["name"]) for one in entries if one["holds"] is None]
    notes += [note for note in unchecked.values() if note]
    return Verification(
        holds, tuple(faults), entries, n_rows, n_classes, tuple(notes), tuple(unchecked)
    )


def _untested_masks(spec: RelatedPolicy) -> dict[str, str]:
    """Return the note that masks were not compared with the input, where there are some."""
    masked = [
        f"{table}.{column}"
        for table, words in spec.tables.items()
        for column, said in words.columns.items()
        if said.protect is not None
    ]
    note = (
        f"{', '.join(masked)}: whether these columns were masked takes the input (original) and "
        "the crosswalk"
    )
    return {"masks": note} if masked else {}


def _promise_faults(
    spec: RelatedPolicy, least: int | None, shares: Sequence[tuple[LargestShare, float | None]]
) -> Iterator[Fault]:
    """Find promises that the files do not keep."""
    model = spec.model
    if least is not None and least < model.k:
        which = "of all" if model.known_rows is None else f"of at most {model.m}"
        problem = f"some patterns {which} rows are had by {least} people"
        yield Fault(f"models.{model.name}", problem, DISMISS)
    for one, largest in shares:
        if largest is not None and largest > one.share:
            problem = f"{largest:.1%} of the people with some events have one of the values"
            yield Fault(f"models.{one.name}", problem, DISMISS)


def promise_entries(
    spec: RelatedPolicy, least: int | None, shares: Iterable[tuple[LargestShare, float | None]]
) -> tuple[dict[str, Any], ...]:
    """Return all that is promised, and what the files reach.

    Parameters
    ----------
    least : fewest units of a class that have a pattern in common; None without units
    shares : the largest one of each value that is limited; None where it is not decided
    """
    return (_joint_entry(spec, least), *(_share_entry(*one) for one in shares))


def _joint_entry(spec: RelatedPolicy, least: int | None) -> dict[str, Any]:
    """Return what is promised of people, and what the files reach."""
    model = spec.model
    return {
        "name": model.name,
        "required": model.required(),
        "achieved": None if least is None else {"k": least, "m": model.m},
        "holds": least is None or least >= model.k,
    }


def _share_entry(model: LargestShare, largest: float | None) -> dict[str, Any]:
    """Return what is promised of a value, and what the files reach."""
    return {
        "name": model.name,
        "required": model.required(),
        "achieved": None if largest is None else {"share": largest},
        "holds": None if largest is None else largest <= model.share,
    }


def _manifest(
    release: Any, given: str | Path | Mapping[str, Any] | None
) -> Mapping[str, Any] | None:
    """Return the manifest that was given, or that in the folder."""
    if isinstance(given, Mapping):
        return given
    if given is not None:
        return _document(Path(given))
    return manifest_of_folder(release)


def manifest_of_folder(release: Any) -> Mapping[str, Any] | None:
    """Return the manifest in the folder or schema of a release; None where there is none."""
    if is_schema(release):
        text = manifest_of_schema(release)
        return None if text is None else _object(text)
    if not isinstance(release, str | Path) or not (Path(release) / MANIFEST).is_file():
        return None
    return _document(Path(release) / MANIFEST)


def _document(path: Path) -> Mapping[str, Any]:
    """Read a manifest; empty where it is not an object."""
    try:
        return _object(read_document(path))
    except OSError:
        raise DataError(f"the manifest {path.name} cannot be read", "Check the file.") from None


def _object(text: Any) -> Mapping[str, Any]:
    """Read a manifest; empty where it is not an object."""
    try:
        found: object = json_document(text)
    except ValueError:
        raise DataError("the manifest cannot be read", "Take the one that was written.") from None
    return cast("Mapping[str, Any]", found) if isinstance(found, Mapping) else {}


def table_faults(
    spec: RelatedPolicy, read: Mapping[str, tuple[TableFile, Path | None]]
) -> Iterator[Fault]:
    """Find tables and columns that should or should not be there."""
    for name in spec.tables.keys() - read.keys():
        yield Fault(f"tables.{name}", "is missing", OTHER)
    for name in read.keys() - spec.tables.keys():
        yield Fault(f"tables.{name}", "is not in the policy", DISMISS)
    for name in spec.tables.keys() & read.keys():
        if spec.tables[name].public:
            continue
        columns, expected = read[name][0].frame.columns, expected_columns(spec, name)
        for column in expected:
            if column not in columns:
                yield Fault(f"tables.{name}.columns.{column}", "is missing", OTHER)
        for column in columns:
            if column not in expected:
                yield Fault(f"tables.{name}.columns.{column}", "should not be there", DISMISS)


def expected_columns(spec: RelatedPolicy, name: str) -> list[str]:
    """Return the columns that a released table has."""
    table = spec.tables[name]
    kept = [column for column, said in table.columns.items() if said.role != "identifier"]
    if name == spec.people:
        return [*kept, table.new_key or ""]
    own = [table.new_key] if table.release_key and table.new_key is not None else []
    above = [
        f"{hidden}.{column}"
        for hidden in spec.hidden_above(name)
        for column in spec.quasi_identifiers(hidden)
    ]
    return [*kept, *own, *spec.pointers(name).values(), *above]


def _file_faults(
    spec: RelatedPolicy, name: str, flat: Specification, file: TableFile, path: Path | None
) -> Iterator[Fault]:
    """Find what is wrong with the cells, the order and the bytes of one file."""
    found: list[Fault] = []
    if path is not None:
        found += byte_faults(WrittenTable.of(str(path), file))
    if not spec.tables[name].public:
        found += table_order_faults(file.frame, flat.class_names)
        found += lost_differences(file.frame)
        shown = shown_rows(spec, name, texts_as_read(file.frame))
        found += _cell_faults(flat, shown)
        found += _parent_faults(flat, shown)
    for one in found:
        yield Fault(f"tables.{name}.{one.place}", one.problem, one.remedy, one.values)


def _cell_faults(flat: Specification, texts: Frame) -> Iterator[Fault]:
    """Find cells that the policy does not allow."""
    for rule in flat.class_rules:
        cells, unwritten = Renderer.of(rule), missing_label(rule)
        may_be_missing = any(
            cells.allows(one) for one in {unwritten, *cells.above(unwritten)} - {"*"}
        )
        strange = sum(
            count
            for cell, count in texts[rule.name].value_counts().iter_rows()
            if not (cells.allows(cell) or (cell == "" and may_be_missing))
        )
        if strange:
            problem = f"{strange} cells are not a generalization that the policy allows"
            yield Fault(f"columns.{rule.name}", problem, DISMISS)


def _parent_faults(flat: Specification, texts: Frame) -> Iterator[Fault]:
    """Find cells that are shown although the column that they determine is hidden."""
    for rule in flat.class_rules:
        if rule.words.parent is not None:
            pairs = zip(texts[rule.name], texts[rule.words.parent], strict=True)
            shown = sum(cell != HIDDEN and above == HIDDEN for cell, above in pairs)
            if shown:
                problem = f"shows {shown} cells where {rule.words.parent} is hidden"
                yield Fault(f"columns.{rule.name}", problem, DISMISS)

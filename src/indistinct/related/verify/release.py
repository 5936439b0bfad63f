"""Check released tables about the same people: from their files alone, and beside their input.

Nothing that made the release takes part: keys are joined by plain dictionaries, cells are judged by
their text, and every unit's patterns are enumerated.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from indistinct.base.inputs import json_document, read_document
from indistinct.errors import DataError, Fault
from indistinct.related.policy import RelatedPolicy, related_policy
from indistinct.related.read_tables import MANIFEST, as_read
from indistinct.related.verify.input import RelatedInput, input_faults
from indistinct.related.verify.keys import key_faults, secret_of
from indistinct.related.verify.manifest import claim_faults
from indistinct.related.verify.patterns import least_support
from indistinct.related.verify.rows import shown_rows, starred_faults, units_of
from indistinct.related.verify.shares import shares_of
from indistinct.tables.engines import holds_more, is_schema, manifest_of_schema
from indistinct.tables.frames import Frame
from indistinct.tables.models import LargestShare
from indistinct.tables.policy import Resolved, resolve
from indistinct.tables.reading import TableFile
from indistinct.tables.verification import (
    HIDDEN,
    Renderer,
    Verification,
    WrittenTable,
    byte_faults,
    lost_differences,
    missing_label,
    order_faults,
    texts_as_read,
    whole,
)

DISMISS = "Do not publish these files."
OTHER = "Is this the release of this policy?"


def verify_related(
    release: Any,
    policy: Any = None,
    *,
    original: Any = None,
    crosswalk: Any = None,
    manifest: str | Path | Mapping[str, Any] | None = None,
) -> Verification:
    """Check released tables against their policy.

    Parameters
    ----------
    release : the path of a folder, or a frame for each table
    policy : what was promised; when left out, that of the manifest
    original : the folder or the frames of the input
    crosswalk : with ``original``, the folder of the crosswalk, or the rows of the input per table
    manifest : the one in the folder when left out

    Raises
    ------
    DataError
        when files cannot be read, or there is neither a policy nor a manifest
    """
    said = _manifest(release, manifest)
    if policy is None and said is None:
        raise DataError("neither a policy nor a manifest is at hand", "Give the policy.")
    promised = related_policy((said or {}).get("policy", {}) if policy is None else policy)
    if promised is None:
        raise DataError("the policy does not describe related tables", "Give the one that does.")
    read = as_read(release)
    faults = list(table_faults(promised, read))
    if is_schema(release) and holds_more(release):
        problem = "holds more than the release: tables of other schemas"
        faults.append(Fault("file", problem, "Do not give this file away; write a new one."))
    if faults:
        return _verdict(faults, (_joint_entry(promised, None),), 0, 0)
    tables = {name: texts_as_read(file.frame) for name, (file, _) in read.items()}
    flat = {name: resolve(promised.flat(name)) for name in promised.tables}
    for name, (file, path) in read.items():
        faults += _file_faults(promised, name, flat[name], file, path)
    lost = list(key_faults(promised, tables))
    if lost:
        faults += lost
        return _verdict(faults, (_joint_entry(promised, None),), 0, 0)
    units, torn = units_of(promised, tables)
    faults += torn
    for name in promised.row_tables:
        faults += starred_faults(promised, name, tables[name])
    least, n_classes = least_support(units, promised.model.known_rows)
    shares = list(shares_of(promised, flat, tables, units))
    faults += _promise_faults(promised, least, shares)
    if original is not None:
        secret = None if policy is None else secret_of(promised)
        given = RelatedInput(promised, flat, tables, original, crosswalk, secret)
        faults += input_faults(given, units)
    entries = promise_entries(promised, least, shares)
    not_checked: tuple[str, ...] = ()
    if said is not None:
        more, not_checked = claim_faults(promised, said, tables, units, entries, n_classes)
        faults += more
    n_rows = sum(tables[name].height for name in (promised.people, *promised.row_tables))
    return _verdict(faults, entries, n_rows, n_classes, not_checked)


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
    not_checked: tuple[str, ...] = (),
) -> Verification:
    """Return the verdict."""
    return Verification(not faults, tuple(faults), entries, n_rows, n_classes, (), not_checked)


def _promise_faults(
    promised: RelatedPolicy, least: int | None, shares: Sequence[tuple[LargestShare, float]]
) -> Iterator[Fault]:
    """Find promises that the files do not keep."""
    model = promised.model
    if least is not None and least < model.k:
        which = "of all" if model.known_rows is None else f"of at most {model.m}"
        problem = f"some patterns {which} rows are had by {least} people"
        yield Fault(f"models.{model.name}", problem, DISMISS)
    for one, largest in shares:
        if largest > one.share:
            problem = f"{largest:.1%} of the people with some events have one of the values"
            yield Fault(f"models.{one.name}", problem, DISMISS)


def promise_entries(
    promised: RelatedPolicy, least: int | None, shares: Iterable[tuple[LargestShare, float]]
) -> tuple[dict[str, Any], ...]:
    """Return all that is promised, and what the files reach.

    Parameters
    ----------
    least : fewest units of a class that have a pattern in common; None without units
    shares : the largest one of each value that is limited
    """
    return (_joint_entry(promised, least), *(_share_entry(*one) for one in shares))


def _joint_entry(promised: RelatedPolicy, least: int | None) -> dict[str, Any]:
    """Return what is promised of people, and what the files reach."""
    model = promised.model
    return {
        "name": model.name,
        "required": model.required(),
        "achieved": None if least is None else {"k": least, "m": model.m},
        "holds": least is None or least >= model.k,
    }


def _share_entry(model: LargestShare, largest: float) -> dict[str, Any]:
    """Return what is promised of a value, and what the files reach."""
    return {
        "name": model.name,
        "required": model.required(),
        "achieved": {"share": largest},
        "holds": largest <= model.share,
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
    promised: RelatedPolicy, read: Mapping[str, tuple[TableFile, Path | None]]
) -> Iterator[Fault]:
    """Find tables and columns that should or should not be there."""
    for name in promised.tables.keys() - read.keys():
        yield Fault(f"tables.{name}", "is missing", OTHER)
    for name in read.keys() - promised.tables.keys():
        yield Fault(f"tables.{name}", "is not in the policy", DISMISS)
    for name in promised.tables.keys() & read.keys():
        if promised.tables[name].public:
            continue
        columns, expected = read[name][0].frame.columns, expected_columns(promised, name)
        for column in expected:
            if column not in columns:
                yield Fault(f"tables.{name}.columns.{column}", "is missing", OTHER)
        for column in columns:
            if column not in expected:
                yield Fault(f"tables.{name}.columns.{column}", "should not be there", DISMISS)


def expected_columns(promised: RelatedPolicy, name: str) -> list[str]:
    """Return the columns that a released table has."""
    table = promised.tables[name]
    kept = [column for column, said in table.columns.items() if said.role != "identifier"]
    if name == promised.people:
        return [*kept, table.new_key or ""]
    own = [table.new_key] if table.release_key and table.new_key is not None else []
    above = [
        f"{hidden}.{column}"
        for hidden in promised.hidden_above(name)
        for column in promised.quasi_identifiers(hidden)
    ]
    return [*kept, *own, *promised.pointers(name).values(), *above]


def _file_faults(
    promised: RelatedPolicy, name: str, flat: Resolved, file: TableFile, path: Path | None
) -> Iterator[Fault]:
    """Find what is wrong with the cells, the order and the bytes of one file."""
    found: list[Fault] = []
    if path is not None:
        found += byte_faults(WrittenTable.of(str(path), file))
    if not promised.tables[name].public:
        found += order_faults(whole(file.frame), flat.class_names)
        found += lost_differences(file.frame)
        shown = shown_rows(promised, name, texts_as_read(file.frame))
        found += _cell_faults(flat, shown)
        found += _parent_faults(flat, shown)
    for one in found:
        yield Fault(f"tables.{name}.{one.place}", one.problem, one.remedy, one.values)


def _cell_faults(flat: Resolved, texts: Frame) -> Iterator[Fault]:
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


def _parent_faults(flat: Resolved, texts: Frame) -> Iterator[Fault]:
    """Find cells that are shown although the column that they determine is hidden."""
    for rule in flat.class_rules:
        if rule.words.parent is not None:
            pairs = zip(texts[rule.name], texts[rule.words.parent], strict=True)
            shown = sum(cell != HIDDEN and above == HIDDEN for cell, above in pairs)
            if shown:
                problem = f"shows {shown} cells where {rule.words.parent} is hidden"
                yield Fault(f"columns.{rule.name}", problem, DISMISS)

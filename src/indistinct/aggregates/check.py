"""Recheck published tables by addition, from their files alone.

It shares nothing with what made them: it knows comma-separated text, whole numbers, and that the
parts of a cell add up to it. Complete tables that agree with all that is shown, and in which each
hidden cell differs, prove that nobody can work the hidden cells out.
"""

from __future__ import annotations

import csv
import gzip
import hashlib
import io
import itertools
import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

from indistinct.aggregates.profiles import PROFILES

TOTAL, MEASURE, HIDDEN = "*", "count", "c"
MANIFEST, WITNESSES = "manifest.json", "witnesses.csv.gz"
Key = tuple[str, ...]
Amounts = int | list[int]


class Wrong(Exception):  # noqa: N818 - no error of the program
    """A file is not what it has to be."""


@dataclass(frozen=True, slots=True)
class Promised:
    """What a policy promises, in words and numbers of its own.

    Parameters
    ----------
    width, reaches, at_least : of every hidden cell
    tables : per name, its dimensions and the lowest level of each
    columns : what is said of each dimension
    missing : the label of a missing value
    """

    width: int
    reaches: int
    at_least: int
    tables: Mapping[str, Mapping[str, int]]
    columns: Mapping[str, Mapping[str, Any]]
    missing: str

    @property
    def dimensions(self) -> list[str]:
        """All dimensions, in the order of their first mention."""
        return list(dict.fromkeys(name for table in self.tables.values() for name in table))

    def labels_of(self, name: str) -> Any:
        """Return what is said of the labels of a column, as far as the tables show them."""
        words = self.columns.get(name, {})
        rule = dict(words.get("hierarchy") or {})
        if "labels" in rule:
            lowest = min(table[name] for table in self.tables.values() if name in table)
            listed = cast("Sequence[tuple[str, int, str]]", rule["labels"])
            rule["labels"] = sorted(
                [_plain(label), level, _plain(above)]
                for label, level, above in listed
                if level >= lowest
            )
        return rule, [float(edge) for edge in words.get("bands") or ()]


@dataclass(frozen=True, slots=True)
class Checked:
    """What was found.

    Parameters
    ----------
    holds : None where there are hidden cells and no complete tables
    reasons : why it does not hold, each with its place
    hidden, tables : hidden cells, and complete tables
    width, reaches : what is promised of each hidden cell
    """

    holds: bool | None
    reasons: tuple[str, ...] = ()
    hidden: int = 0
    tables: int = 0
    width: int = 1
    reaches: int = 0


@dataclass
class _Read:
    """What the files say: a value of each cell, or its values in the complete tables."""

    promised: Promised
    parents: dict[str, dict[str, dict[str, str]]] = field(default_factory=dict)  # pyright: ignore[reportUnknownVariableType]
    cells: dict[str, dict[Key, int]] = field(default_factory=dict)  # pyright: ignore[reportUnknownVariableType]
    hidden: dict[Key, list[int]] = field(default_factory=dict)  # pyright: ignore[reportUnknownVariableType]
    n_tables: int = 0


def check_texts(files: Mapping[str, bytes], policy: Mapping[str, Any] | None) -> Checked:
    """Check the files of a folder by their names.

    Parameters
    ----------
    files : the content of each
    policy : the words of the policy that was promised, with lists of labels in place of paths;
        those of the manifest when left out
    """
    try:
        manifest = _manifest(files)
        promised = promise_of(manifest["policy"])
        reasons = list(_promise_faults(manifest, promised, policy))
        read = _Read(promised)
        for name in promised.tables:
            reasons += _read_table(read, name, files, manifest)
        hidden = {key for table in read.cells.values() for key, own in table.items() if own == -1}
        found = Checked(
            holds=False,
            reasons=tuple(reasons),
            hidden=len(hidden),
            width=promised.width,
            reaches=promised.reaches,
        )
        if reasons or not hidden or WITNESSES not in files:
            sums = () if reasons or hidden else tuple(_sum_faults(read))
            holds = False if reasons or sums else None if hidden else True
            return replace(found, holds=holds, reasons=(*reasons, *sums))
        reasons += _read_witnesses(read, hidden, files[WITNESSES])
        reasons += [] if reasons else [*_cell_faults(read), *_sum_faults(read)]
        return replace(found, holds=not reasons, reasons=tuple(reasons), tables=read.n_tables)
    except Wrong as wrong:
        return Checked(holds=False, reasons=(str(wrong),))


def published_cells(
    files: Mapping[str, bytes],
) -> tuple[dict[str, dict[Key, int]], dict[str, dict[str, dict[str, str]]]]:
    """Return the cells of each table, -1 for hidden ones, and the label above each label.

    Raises
    ------
    Wrong
        when a file is not what it has to be
    """
    manifest = _manifest(files)
    read = _Read(promise_of(manifest["policy"]))
    for name in read.promised.tables:
        for _ in _read_table(read, name, files, manifest):
            pass  # what is wrong is said by the check itself
    return read.cells, read.parents


def promise_of(words: Mapping[str, Any]) -> Promised:
    """Return what the words of a policy promise.

    Raises
    ------
    Wrong
        when they are not the words of such a policy
    """
    try:
        publish = words["publish"]
        profile = PROFILES.get(publish.get("profile", ""))
        asked = [int(rule["minimum"]) for rule in publish.get("rules", ())]
        zeros = publish.get("zeros") or (profile.zeros if profile else "publish")
        tables = {
            table.get("name", "table"): {
                name: int(table.get("lowest", {}).get(name, 0))
                for name in (*table.get("rows", ()), *table.get("columns", ()))
            }
            for table in publish["tables"]
        }
        return Promised(
            int(publish.get("width", 1)),
            max(asked) if asked or profile is None else profile.minimum,
            0 if zeros == "hide" else 1,
            tables,
            words.get("columns", {}),
            publish.get("missing", "missing"),
        )
    except (KeyError, TypeError, ValueError, AttributeError):
        raise Wrong("the policy is not one of published tables") from None


def _manifest(files: Mapping[str, bytes]) -> Mapping[str, Any]:
    """Read the manifest."""
    try:
        found = json.loads(files[MANIFEST])
        if found["form"] != "tables" or not isinstance(found["policy"], dict):
            raise Wrong(f"{MANIFEST}: is not the manifest of published tables")
    except (KeyError, TypeError, ValueError):
        raise Wrong(f"{MANIFEST}: is not the manifest of published tables") from None
    return cast("Mapping[str, Any]", found)


def _promise_faults(
    manifest: Mapping[str, Any], promised: Promised, policy: Mapping[str, Any] | None
) -> Iterator[str]:
    """Compare the promise with the policy's words, and these with those that somebody gave."""
    own = {
        "width": promised.width,
        "reaches": promised.reaches,
        "at_least": promised.at_least,
        "joint": "off",
    }
    if manifest.get("promise") != own:
        yield f"{MANIFEST}: its promise is not that of its policy"
    if policy is not None:
        asked = promise_of(policy)
        for word in ("width", "reaches", "at_least", "tables", "missing"):
            if getattr(asked, word) != getattr(promised, word):
                yield f"{MANIFEST}: its policy differs from the given one in {word}"
        for name in asked.dimensions:
            if asked.labels_of(name) != promised.labels_of(name):
                yield f"{MANIFEST}: its policy differs from the given one in columns.{name}"


def _plain(label: str) -> str:
    """Return a label in which numbers are written in one way: lists may have 6.0 for 6."""
    try:
        return repr(float(label))
    except ValueError:
        return label


def _read_table(
    read: _Read, name: str, files: Mapping[str, bytes], manifest: Mapping[str, Any]
) -> Iterator[str]:
    """Read one table: its labels from its note, its cells from its file."""
    file, said = f"{name}.csv", read.promised
    dimensions, all_names = list(said.tables[name]), said.dimensions
    if file not in files:
        raise Wrong(f"{file}: is missing")
    listed = {one.get("name"): one for one in manifest.get("tables", ())}
    if {*listed} != {*said.tables}:
        raise Wrong(f"{MANIFEST}: its tables are not those of its policy")
    if hashlib.sha256(files[file]).hexdigest() != listed[name].get("sha256"):
        yield f"{file}: is not the file that the manifest describes"
    read.parents[name] = _labels(manifest, name, said)
    header, *rows = _csv(file, files[file])
    if header != [*dimensions, "measure", "value", "mark"]:
        raise Wrong(f"{file}: its columns are not those of the table")
    cells = read.cells[name] = {}
    for number, row in enumerate(rows, start=2):
        *labels, measure, value, mark = row
        own = dict(zip(dimensions, labels, strict=True))
        if measure != MEASURE or any(
            label != TOTAL and label not in read.parents[name][one] for one, label in own.items()
        ):
            raise Wrong(f"{file}, line {number}: has a label or measure that is not known")
        key = tuple(own.get(one, TOTAL) for one in all_names)
        if key in cells:
            yield f"{file}, line {number}: is a second line of one cell"
        cells[key] = _value(f"{file}, line {number}", value, mark)
        if 0 <= cells[key] < said.reaches and (cells[key] or not said.at_least):
            yield f"{file}, line {number}: shows a count below {said.reaches}"


def _value(place: str, value: str, mark: str) -> int:
    """Return the value of a line, -1 where it is hidden."""
    if (value, mark) == ("", HIDDEN):
        return -1
    if mark == "" and value.isascii() and value.isdigit():
        return int(value)
    raise Wrong(f"{place}: has neither a value nor the mark {HIDDEN}")


def _labels(manifest: Mapping[str, Any], name: str, said: Promised) -> dict[str, dict[str, str]]:
    """Return the label above each label of a table, and compare it with what the policy says."""
    try:
        note = manifest["notes"][name]["dimensions"]
        found = {one["name"]: [dict(level) for level in one["levels"]] for one in note}
    except (KeyError, TypeError, ValueError):
        raise Wrong(f"{MANIFEST}: has no note of {name}") from None
    if list(found) != list(said.tables[name]):
        raise Wrong(f"{MANIFEST}: the dimensions of {name} are not those of its policy")
    parents: dict[str, dict[str, str]] = {}
    for one, levels in found.items():
        own = parents[one] = {label: above for level in levels for label, above in level.items()}
        expected = _expected(one, said, said.tables[name][one])
        for label, above in own.items():
            if not _is_above(own, label, above):
                raise Wrong(f"{MANIFEST}: a label of {one} has no label above it")
            is_known = expected is None or expected.get(label) == above
            if not is_known and (label, above) != (said.missing, TOTAL):
                raise Wrong(f"{MANIFEST}: a label of {one} is not the policy's")
    return parents


def _is_above(parents: Mapping[str, str], label: str, above: str) -> bool:
    """Return whether the labels above a label lead to the total."""
    seen = {label}
    while above != TOTAL:
        if above in seen or above not in parents:
            return False
        seen.add(above)
        above = parents[above]
    return True


def _expected(name: str, said: Promised, lowest: int) -> dict[str, str] | None:
    """Return the label above each label that a policy allows; None where any may stand."""
    words = said.columns.get(name, {})
    rule: Mapping[str, Any] = words.get("hierarchy") or {}
    if words.get("bands"):
        return dict.fromkeys(_bands([float(edge) for edge in words["bands"]]), TOTAL)
    if "labels" in rule:
        return {label: above for label, level, above in rule["labels"] if int(level) >= lowest}
    return None if rule else _AnyLabel()


class _AnyLabel(dict[str, str]):
    """Every label, each right below the total."""

    def get(self, key: object, default: object = None) -> Any:
        """Return the total, whatever the label."""
        del key, default
        return TOTAL


def _bands(edges: Sequence[float]) -> Iterator[str]:
    """Yield the names of bands, of whole numbers and of others."""
    yield f"below {edges[0]:.15g}"
    yield f"{edges[-1]:.15g} and over"
    for low, high in itertools.pairwise(edges):
        yield f"{low:.15g} to under {high:.15g}"
        yield f"{low:.15g} to {high - 1:.15g}" if high - 1 > low else f"{low:.15g}"


def _csv(name: str, content: bytes) -> list[list[str]]:
    """Read the rows of a file, all as long as the first."""
    try:
        rows = list(csv.reader(io.StringIO(content.decode("utf-8"), newline="")))
    except (UnicodeDecodeError, csv.Error):
        raise Wrong(f"{name}: is not comma-separated text in UTF-8") from None
    if not rows or any(len(row) != len(rows[0]) for row in rows):
        raise Wrong(f"{name}: its lines do not have the same number of cells")
    return rows


def _read_witnesses(read: _Read, hidden: set[Key], content: bytes) -> Iterator[str]:
    """Read the complete tables, and put their values in the place of hidden cells."""
    try:
        rows = _csv(WITNESSES, gzip.decompress(content))
    except (OSError, EOFError, zlib.error):
        raise Wrong(f"{WITNESSES}: is not a packed file") from None
    names = read.promised.dimensions
    header, n = rows[0], len(rows[0]) - len(names) - 1
    if header != [*names, "measure", *(f"w{one}" for one in range(1, n + 1))] or n < 2:  # noqa: PLR2004
        raise Wrong(f"{WITNESSES}: has no two complete tables")
    read.n_tables = n
    for number, row in enumerate(rows[1:], start=2):
        key, values = tuple(row[: len(names)]), row[len(names) + 1 :]
        if not all(value.isascii() and value.isdigit() for value in values):
            raise Wrong(f"{WITNESSES}, line {number}: has a value that is not a whole number")
        if key in read.hidden or row[len(names)] != MEASURE:
            yield f"{WITNESSES}, line {number}: is a second line of one cell"
        if key not in hidden:
            yield f"{WITNESSES}, line {number}: is not a hidden cell"
        read.hidden[key] = [int(value) for value in values]
    if lacking := hidden - read.hidden.keys():
        yield f"{WITNESSES}: lacks {len(lacking)} hidden cells"


def _cell_faults(read: _Read) -> Iterator[str]:
    """Compare cells that stand in several tables, and hidden cells with the promise."""
    said, known = read.promised, dict[Key, int]()
    for name, cells in read.cells.items():
        for key, value in cells.items():
            if known.setdefault(key, value) != value:
                yield f"{name}.csv: {_shown(key)} differs from another table"
    for key, values in read.hidden.items():
        if min(values) < _least(read, key):
            yield f"{_shown(key)}: has a value in a complete table that nobody believes"
        if max(values) - min(values) < said.width:
            yield f"{_shown(key)}: differs by less than {said.width}"
        if max(values) < said.reaches:
            yield f"{_shown(key)}: does not reach {said.reaches}"


def _least(read: _Read, key: Key) -> int:
    """Return what everybody knows of a hidden cell at least."""
    said = read.promised
    if said.at_least:
        return said.at_least
    own = [
        (name, label) for name, label in zip(said.dimensions, key, strict=True) if label != TOTAL
    ]
    if len(own) != 1:
        return 0
    # A label that no list has is shown because somebody has it.
    ((name, label),) = own
    words = said.columns.get(name, {})
    rule: Mapping[str, Any] = words.get("hierarchy") or {}
    listed = {str(one[0]) for one in rule.get("labels", ())}
    listed |= {*_bands([float(edge) for edge in words["bands"]])} if words.get("bands") else set()
    return int(label not in listed)


def _sum_faults(read: _Read) -> Iterator[str]:
    """Add up the parts of each cell, in every dimension of every table and in every column."""
    names = read.promised.dimensions
    for name, own in read.cells.items():
        cells: dict[Key, Amounts] = {
            key: value if value >= 0 else read.hidden[key] for key, value in own.items()
        }
        for one, parents in read.parents[name].items():
            place, has_parts = names.index(one), {*parents.values()}
            sums: dict[Key, Amounts] = {}
            for key, value in cells.items():
                if key[place] != TOTAL:
                    above = (*key[:place], parents[key[place]], *key[place + 1 :])
                    sums[above] = _added(sums.get(above, 0), value)
            for key in {*sums, *(key for key in cells if key[place] in has_parts)}:
                if not _equal(sums.get(key, 0), cells.get(key, 0)):
                    yield f"{name}.csv: {_shown(key)} is not the sum of its parts by {one}"


def _added(first: Amounts, second: Amounts) -> Amounts:
    """Add amounts, in each complete table."""
    if isinstance(first, int) and isinstance(second, int):
        return first + second
    if isinstance(first, int):
        first, second = second, first
    first = cast("list[int]", first)
    if isinstance(second, int):
        return [one + second for one in first]
    return [one + other for one, other in zip(first, second, strict=True)]


def _equal(first: Amounts, second: Amounts) -> bool:
    """Return whether amounts are equal, in each complete table."""
    own = [first] if isinstance(first, int) else first
    other = [second] if isinstance(second, int) else second
    if len(own) < len(other):
        own, other = other, own
    return own == (other * len(own) if len(other) == 1 else other)


def _shown(key: Key) -> str:
    """Return the labels of a cell: they are published."""
    return " x ".join(key)

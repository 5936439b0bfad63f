"""The lists of a policy as a reader takes them: the labels above each value, by its key.

Verification uses this and nothing of what made the release. A list is read once for each state of
its file, and walked once; what is asked of it afterwards is looked up.
"""

from __future__ import annotations

import csv
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import NamedTuple, cast

from indistinct.base.files.text import file_rows
from indistinct.errors import DataError
from indistinct.tables.core.schema import Role
from indistinct.tables.policy.column_rule import ColumnRule
from indistinct.tables.policy.sections.hierarchy import HierarchyRule
from indistinct.tables.reading.date_formats import listed_dates
from indistinct.tables.verification.texts import (
    CLOSED,
    HALF_OPEN,
    HIDDEN,
    as_read,
    has_leading_zero,
    is_finite,
    is_number,
    value_key,
    with_a_point,
)

TEXTS = frozenset({"code", "text", "nominal", "ordinal", "set"})  # types of texts


class ValuesOfList(NamedTuple):
    """What a policy says of the values that a list has.

    Parameters
    ----------
    are_texts : whether they are texts, whatever they look like
    format : of dates; None where they are ISO dates
    missing : words for a missing value
    are_counted : whether values that read alike are one, as in a sensitive column
    """

    are_texts: bool
    format: str | None
    missing: tuple[str, ...]
    are_counted: bool = False


@dataclass(frozen=True)
class Listed:
    """A path of labels for each value, itself first, and for the missing one.

    Parameters
    ----------
    paths : by the key of each value
    missing_path : of the missing value
    as_texts : whether values are texts, so that 6 and 6.0 are two
    are_counted : whether values that read alike are one
    """

    paths: Mapping[str, Sequence[str]]
    missing_path: Sequence[str] = ("",)
    as_texts: bool = False
    are_counted: bool = False

    def path(self, value: str) -> Sequence[str]:
        """Return the labels of a value, itself first, however it is written; none if not listed."""
        found = self.paths.get(value)
        if found is not None:
            return found
        if self.are_counted and (read := self.paths.get(as_read(value))) is not None:
            return read
        if self.as_texts or has_leading_zero(value):
            return self.paths.get(unicodedata.normalize("NFC", value), ())
        own = value_key(with_a_point(value))
        return self.paths.get(own) or self._by_number.get(own) or self._by_truth.get(own, ())

    def place(self, text: str, least: int) -> tuple[int, str] | None:
        """Return the lowest level of a label from some level on, and the label above it there."""
        levels = [level for level in self.levels.get(text, ()) if level >= least]
        path = self.paths.get(self.value_below.get(text, ""), ()) if text != HIDDEN else ()
        return (levels[0], [*path, HIDDEN][levels[0] + 1]) if path and levels else None

    @cached_property
    def depth(self) -> int:
        """The most levels of any path."""
        return max(map(len, self.paths.values()), default=0)

    @cached_property
    def levels(self) -> Mapping[str, Sequence[int]]:
        """The levels at which each label stands; the root may be added on top."""
        found: dict[str, set[int]] = {HIDDEN: {self.depth}}
        for path in (*self.paths.values(), self.missing_path):
            for level, label in enumerate(path):
                found.setdefault(label, set()).add(level)
        return {label: sorted(levels) for label, levels in found.items()}

    @cached_property
    def sizes(self) -> Mapping[str, int]:
        """How many values stand under each label, themselves included."""
        found = Counter(label for path in self.paths.values() for label in {*path})
        return {**found, HIDDEN: len(self.paths)}

    @cached_property
    def value_below(self) -> Mapping[str, str]:
        """The first value below each label; of a label that is a value, too, itself."""
        found = {value: value for value in self.paths}
        for path in (*self.paths.values(), self.missing_path):
            for label in path:
                found.setdefault(label, path[0])
        return found

    @cached_property
    def ends(self) -> Mapping[str, tuple[str, str]]:
        """The two ends of each label that is a range or a number, as numbers are written."""
        found: dict[str, tuple[str, str]] = {}
        for label in sorted(self.levels):
            ends = CLOSED.match(label) or HALF_OPEN.match(label)
            if ends is not None:
                found[label] = value_key(ends[1]), value_key(ends[2])
            elif is_finite(label):
                found[label] = value_key(label), value_key(label)
        return found

    @cached_property
    def label_of_ends(self) -> Mapping[tuple[str, str], str]:
        """The first label with two ends."""
        found: dict[tuple[str, str], str] = {}
        for label, ends in self.ends.items():
            found.setdefault(ends, label)
        return found

    @cached_property
    def middles(self) -> Mapping[float, Sequence[str]]:
        """The labels by the number in their middle."""
        found: dict[float, list[str]] = {}
        for label, (low, high) in self.ends.items():
            found.setdefault((float(low) + float(high)) / 2, []).append(label)
        return found

    @cached_property
    def _by_number(self) -> Mapping[str, Sequence[str]]:
        """The paths of values with leading zeros, by the numbers that they may be."""
        return {value_key(text): self.paths[text] for text in self.paths if has_leading_zero(text)}

    @cached_property
    def _by_truth(self) -> Mapping[str, Sequence[str]]:
        """The paths of truths, however they are listed: a release writes them in small letters."""
        lowered = {text.lower(): path for text, path in self.paths.items()}
        return {truth: lowered[truth] for truth in ("true", "false") if truth in lowered}


def list_of(rule: ColumnRule, *, as_texts: bool = False) -> Listed | None:
    """Read the file, the tree or the rows of a column; None where it has none of them.

    Parameters
    ----------
    as_texts : whether the values are known to be texts; else a list of numbers is read as such

    Raises
    ------
    DataError
        when the file cannot be read
    """
    written = rule.hierarchy
    if written is None or not written.lists_values:
        return None
    are_texts = as_texts or rule.words.type in TEXTS
    is_counted = rule.words.role is Role.SENSITIVE
    values = ValuesOfList(are_texts, rule.words.format, rule.missing, is_counted)
    if written.csv is None:
        return _of_rows(tuple(written.rows or _rows_of_tree(written.tree, ())), values)
    path = rule.folder / written.csv
    try:
        found = path.stat()
        state = (found.st_mtime_ns, found.st_size, found.st_ino)
        return _of_file(path, written.separator, values, state)
    except (OSError, ValueError, csv.Error):
        problem = f"the hierarchy file {path.name} cannot be read"
        raise DataError(problem, "Check the path, and that the file is UTF-8.") from None


def listed_paths(rule: ColumnRule) -> Mapping[str, Sequence[str]]:
    """Return the path of labels of each value, or of each public label, itself first."""
    written = rule.hierarchy
    if written is not None and written.labels is not None:
        return _paths_of_labels(written)
    listed = list_of(rule)
    return {} if listed is None else listed.paths


def missing_label(rule: ColumnRule) -> str:
    """Return the text under which a list has the missing value; else the empty text."""
    listed = listed_paths(rule)
    return next((token for token in rule.missing if token in listed), "")


def _paths_of_labels(written: HierarchyRule) -> dict[str, list[str]]:
    """Return the labels above each label, itself first."""
    above = {text: coarser for text, _, coarser in written.labels or ()}
    paths: dict[str, list[str]] = {}
    for text in above:
        path = [text]
        while (coarser := above.get(path[-1], HIDDEN)) not in {HIDDEN, *path}:
            path.append(coarser)
        paths[text] = [*path, HIDDEN]
    return paths


@lru_cache(maxsize=32)
def _of_file(
    path: Path,
    separator: str | None,
    values: ValuesOfList,
    state: tuple[int, ...],  # noqa: ARG001 - a key
) -> Listed:
    """Read a file once for each state it is found in."""
    return _listed(file_rows(path, separator), values)


@lru_cache(maxsize=32)
def _of_rows(rows: tuple[Sequence[str], ...], values: ValuesOfList) -> Listed:
    """Read the rows of a policy once."""
    return _listed(rows, values)


def _rows_of_tree(node: object, above: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Walk down a tree: a row for each leaf, itself first, the root last."""
    if isinstance(node, Mapping):
        for name, below in cast("Mapping[object, object]", node).items():
            yield from _rows_of_tree(below, (str(name), *above))
    else:
        for leaf in cast("Iterable[object]", node):
            yield (str(leaf), *above, HIDDEN)


def _listed(rows: Sequence[Sequence[str]], values: ValuesOfList) -> Listed:
    """Read rows of labels, the values by what they say where they are no texts."""
    keys = _keys([row[0] for row in rows], values)
    paths = {own: [own, *row[1:]] for own, row in zip(keys, rows, strict=True)}
    # Spellings of one value with other labels, or among words, can only be texts.
    listed = {row[0] for row in rows}
    has_words = not all(is_number(own) for own in keys if own not in values.missing)
    are_texts = values.are_texts or any(
        paths[own][1:] != list(row[1:]) or (has_words and own != row[0] and own in listed)
        for own, row in zip(keys, rows, strict=True)
    )
    if are_texts:
        texts = (unicodedata.normalize("NFC", row[0]) for row in rows)
        paths = {own: [own, *row[1:]] for own, row in zip(texts, rows, strict=True)}
    if values.are_counted:
        paths = {as_read(own): [as_read(own), *path[1:]] for own, path in paths.items()}
    paths = named_apart(paths)
    return Listed(paths, path_of_missing(paths, values.missing), are_texts, values.are_counted)


def _keys(texts: Sequence[str], values: ValuesOfList) -> list[str]:
    """Return the keys of listed values."""
    if not values.are_texts:
        texts = listed_dates([with_a_point(text) for text in texts], values.format)
    return [text if has_leading_zero(text) else value_key(text) for text in texts]


def path_of_missing(paths: Mapping[str, Sequence[str]], words: Sequence[str]) -> Sequence[str]:
    """Return the labels of a missing value, itself first: a node of its own unless it is listed."""
    for word in (*words, ""):
        if word in paths:
            return paths[word]
    longest = max(paths.values(), key=len, default=[""])
    return ["", *(HIDDEN if label == HIDDEN else "" for label in longest[1:])]


def named_apart(paths: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Write the level behind a label that is also a value, or a label of other values lower down.

    Parameters
    ----------
    paths : per value, its labels, itself first
    """
    places = {(label, level) for path in paths.values() for level, label in enumerate(path)}
    n_levels = Counter(label for label, _ in places)
    several = {label for label, n in n_levels.items() if n > 1} - {HIDDEN, ""}
    below: dict[str, dict[int, set[str]]] = {label: {} for label in several}
    for value, path in paths.items() if several else ():
        for level, label in enumerate(path):
            if label in several:
                below[label].setdefault(level, set()).add(value)
    names: dict[tuple[str, int], str] = {}
    for label, of_level in below.items():
        known: list[tuple[set[str], str]] = []
        for level in sorted(of_level):
            own = next((name for values, name in known if values == of_level[level]), None)
            if own is None:
                own = f"{label} (level {level})" if known else label
            known.append((of_level[level], own))
            names[label, level] = own
    return {
        value: [names.get((label, level), label) for level, label in enumerate(path)]
        if several
        else list(path)
        for value, path in paths.items()
    }

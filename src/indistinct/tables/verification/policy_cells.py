"""The cells that a policy allows a column, and the labels above its values: a reader's definition.

Verification uses this and nothing of what made the release.
"""

from __future__ import annotations

import csv
import unicodedata
from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from decimal import ROUND_FLOOR, Decimal
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple, cast

from indistinct.base.files.text import file_rows
from indistinct.errors import DataError
from indistinct.tables.core.schema import Role
from indistinct.tables.policy.column_rule import ColumnRule
from indistinct.tables.policy.sections.hierarchy import HierarchyRule
from indistinct.tables.reading.date_formats import listed_dates
from indistinct.tables.verification.cells import (
    HIDDEN,
    Cells,
    Intervals,
    Kept,
    Listed,
    MadeFromData,
    Masks,
    Periods,
    period_around,
)
from indistinct.tables.verification.texts import (
    as_read,
    digits_of_number,
    has_leading_zero,
    is_number,
    value_key,
    with_a_point,
)

TEXTS = frozenset({"code", "text", "nominal", "ordinal", "set"})  # types of texts


class _Values(NamedTuple):
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


def cells_of(rule: ColumnRule, *, as_texts: bool = False) -> Cells:
    """Return the cells that a policy allows a column.

    Parameters
    ----------
    as_texts : whether the values are known to be texts; else a list of numbers is read as such
    """
    written = rule.hierarchy
    if written is None or written.ranges is not None:
        # Ranges that an algorithm makes of numbers have no levels.
        return MadeFromData(rule.texts_of_missing, not rule.in_ranges, rule.range_ends == "rounded")
    if written.labels is not None:
        return Kept({text: level for text, level, _ in written.labels}, rule.texts_of_missing)
    listed = _listed(rule, written, as_texts=as_texts)
    return listed or cells_by(written, rule.texts_of_missing)


def cells_by(rule: HierarchyRule, missing: Container[str]) -> Cells:
    """Return the cells of intervals, masks or dates."""
    if rule.intervals is not None:
        return Intervals(rule.intervals, missing)
    is_calendar = rule.dates is not None
    return Periods(rule.dates or (), missing) if is_calendar else Masks(rule.mask or 1, missing)


def listed_paths(rule: ColumnRule) -> Mapping[str, Sequence[str]]:
    """Read the path of labels of each value, the value itself first, from a file or a tree."""
    written = rule.hierarchy
    if written is not None and written.labels is not None:
        return _paths_of_labels(written.labels)
    listed = None if written is None else _listed(rule, written)
    return {} if listed is None else listed.paths


def _paths_of_labels(labels: Sequence[tuple[str, int, str]]) -> dict[str, list[str]]:
    """Return the labels above each label, itself first."""
    above = {text: coarser for text, _, coarser in labels}
    paths: dict[str, list[str]] = {}
    for text, _, _ in labels:
        path = [text]
        while (coarser := above.get(path[-1], "*")) not in {"*", *path}:
            path.append(coarser)
        paths[text] = [*path, "*"]
    return paths


def _listed(rule: ColumnRule, written: HierarchyRule, *, as_texts: bool = False) -> Listed | None:
    """Read a file, a tree or rows; None for a rule that is none of them."""
    are_texts = as_texts or rule.words.type in TEXTS
    is_counted = rule.words.role is Role.SENSITIVE
    words = _Values(are_texts, rule.words.format, rule.missing, is_counted)
    if written.csv is not None:
        path = rule.folder / written.csv
        try:
            found = path.stat()
            state = (found.st_mtime_ns, found.st_size, found.st_ino)
            return _listed_in(path, written.separator, words, state)
        except (OSError, ValueError, csv.Error):
            problem = f"the hierarchy file {path.name} cannot be read"
            raise DataError(problem, "Check the path, and that the file is UTF-8.") from None
    if written.tree is not None:
        return _of_rows([[*path[::-1], HIDDEN] for path in _leaves(written.tree, [])], words)
    return None if written.rows is None else _of_rows(written.rows, words)


@lru_cache(maxsize=32)
def _listed_in(
    path: Path,
    separator: str | None,
    words: _Values,
    state: tuple[int, ...],  # noqa: ARG001 - a key
) -> Listed:
    """Read a file once for each state it is found in: each check of a column asks for it."""
    return _of_rows(file_rows(path, separator), words)


def _of_rows(rows: Sequence[Sequence[str]], words: _Values) -> Listed:
    """Read rows of labels, the values by what they say where they are no texts."""
    texts = [row[0] for row in rows]
    if not words.are_texts:
        texts = listed_dates([with_a_point(text) for text in texts], words.format)
    keys = [text if has_leading_zero(text) else value_key(text) for text in texts]
    paths = {own: [own, *row[1:]] for own, row in zip(keys, rows, strict=True)}
    # Spellings of one value with other labels, or among words, can only be texts.
    listed = {row[0] for row in rows}
    has_words = not all(is_number(own) for own in keys if own not in words.missing)
    are_texts = words.are_texts or any(
        paths[own][1:] != list(row[1:]) or (has_words and own != row[0] and own in listed)
        for own, row in zip(keys, rows, strict=True)
    )
    if are_texts:
        keys = [unicodedata.normalize("NFC", row[0]) for row in rows]
        paths = {own: [own, *row[1:]] for own, row in zip(keys, rows, strict=True)}
    if words.are_counted:
        paths = {as_read(own): [as_read(own), *path[1:]] for own, path in paths.items()}
    paths = named_apart(paths)
    return Listed(paths, _path_of_missing(paths, words.missing), are_texts, words.are_counted)


def _path_of_missing(paths: Mapping[str, Sequence[str]], words: Sequence[str]) -> Sequence[str]:
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


def missing_label(rule: ColumnRule) -> str:
    """Return the text under which a file or a tree lists the missing value; else the empty text."""
    listed = listed_paths(rule)
    return next((token for token in rule.missing if token in listed), "")


def paths_above(rule: ColumnRule, values: Sequence[str]) -> dict[str, list[str]]:
    """Return the labels above each value, finest first, with one root above all."""
    written = rule.hierarchy
    if written is None:
        return {}
    paths = {value: list(path[1:]) for value, path in listed_paths(rule).items()}
    if paths:
        listed = _listed(rule, written)
        if listed is not None:
            paths |= {value: list(path[1:]) for value in values if (path := listed.path(value))}
        # The empty text is a word for a missing value like others: the first that is listed counts.
        path = _path_of_missing(listed_paths(rule), rule.missing)
        paths[""] = list(path[1:]) if "" in values else []
    else:
        paths = {value: list(_labels_above(written, value)) for value in values}
    if written.mask is not None:
        return _rooted_where_hidden(paths)
    tops = {path[-1] if path else value for value, path in paths.items() if path or value}
    is_rooted = len(tops) == 1
    return paths if is_rooted else {value: [*path, HIDDEN] for value, path in paths.items()}


def _rooted_where_hidden(paths: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Return paths with one root above masked values: the last level, if all are hidden there."""
    is_hidden = all(path[-1] == HIDDEN for value, path in paths.items() if value)
    kept = {value: path[:-1] if is_hidden else path for value, path in paths.items()}
    return {value: [*path, HIDDEN] for value, path in kept.items()}


def _labels_above(rule: HierarchyRule, value: str) -> Iterator[str]:
    """Write what a value becomes level by level; a missing one keeps its label."""
    if rule.mask is not None:
        digits = digits_of_number(value)
        for hidden in range(1, rule.mask + 1):
            kept = digits[: max(0, len(digits) - hidden)]
            yield kept + HIDDEN * hidden if kept else HIDDEN if value else value
        return
    for width in rule.intervals or ():
        yield _step(value, width) if is_number(value) and value != "NaN" else value
    for step in rule.dates or ():
        yield period_around(value, step) if value else value
    yield HIDDEN


def _step(value: str, width: float) -> str:
    """Return the number of a value's interval: its quotient by the width, rounded down."""
    # As a whole number: Decimal writes a zero as 0, 0E+1 or -0, which would be three labels.
    return str(int((Decimal(value) / Decimal(str(width))).to_integral_value(ROUND_FLOOR)))


def _leaves(node: object, above: list[str]) -> Iterator[list[str]]:
    """Walk down a tree."""
    if isinstance(node, Mapping):
        for name, below in cast("Mapping[object, object]", node).items():
            yield from _leaves(below, [*above, str(name)])
    else:
        for leaf in cast("Sequence[object]", node):
            yield [*above, str(leaf)]

"""From a policy's rule and a column's values to a generalization hierarchy."""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from indistinct.base.arrays import Codes, Floats
from indistinct.base.cells.code_shapes import first_digits
from indistinct.base.cells.plain_numbers import is_plain_number
from indistinct.base.files.text import file_rows
from indistinct.base.hierarchy import (
    MAX_EXAMPLES,
    ROOT,
    GeneralizationHierarchy,
    unnamed_group,
    with_distinct_labels,
    with_hidden_cells,
)
from indistinct.base.hierarchy_builders import flat, from_masks, from_rows, tree_rows
from indistinct.errors import Fault, HierarchyError
from indistinct.tables.core.date_hierarchies import from_dates, precision_of
from indistinct.tables.core.interval_hierarchies import NARROWEST, from_intervals
from indistinct.tables.core.keys import Meaning, counted_text, key, number_key
from indistinct.tables.core.schema import Role
from indistinct.tables.frames.tuples import EncodedColumn
from indistinct.tables.policy.column_rule import ColumnRule
from indistinct.tables.policy.sections.hierarchy import HierarchyRule
from indistinct.tables.policy.suggested_periods import PERIODS_ABOVE, suggested_periods
from indistinct.tables.reading.date_formats import listed_dates

DECIMAL_COMMA = re.compile(r"([+-]?[0-9]+),([0-9]+)\Z")  # a list has no marks of thousands
LEADING_ZERO = re.compile(r"[+-]?0[0-9]")
DATED = frozenset({"date", "moment"})
INTERVALS_IN_RANGE = 16
LONGEST_CODE = 12
POSTCODE = re.compile(r"(^|[^a-z])(zip|postcode|postal|plz)([^a-z]|$)")


class ListedValues(NamedTuple):
    """How the values of a list are read.

    Parameters
    ----------
    meaning : what the column's values are
    format : how its dates are written; None where the values of the list or ISO say it
    are_counted : whether values that read alike are one, as in a sensitive column
    """

    meaning: Meaning
    format: str | None = None
    are_counted: bool = False

    @classmethod
    def of(cls, rule: ColumnRule, meaning: Meaning | None) -> ListedValues:
        """Return how the list of a column is read."""
        return cls(meaning or "text", rule.words.format, rule.words.role is Role.SENSITIVE)

    def key(self, text: str) -> str:
        """Return the key of a value of the column."""
        own = key(self.meaning, text) or text
        return counted_text(own) if self.are_counted else own

    def listed(self, texts: Sequence[str]) -> list[str]:
        """Return the keys of values as a list has them."""
        if self.meaning in DATED:
            texts = listed_dates(texts, self.format)
        elif self.meaning == "number":
            texts = [DECIMAL_COMMA.sub(r"\1.\2", text) for text in texts]
        return [self.key(text) for text in texts]


def hierarchy_of(rule: ColumnRule, column: EncodedColumn) -> GeneralizationHierarchy:
    """Build the hierarchy of a column over the values that the data have, in code order.

    Raises
    ------
    HierarchyError
        when the rule does not fit the values; every fault has its place
    """
    if rule.in_classes:
        _refuse_stars(rule.name, column, rule.hierarchy)
    try:
        built = _from_rule(rule, column)
        if rule.is_suggested and len(built.values) < len(column.texts):
            built = built.with_hidden(column.texts)
        is_listed = rule.hierarchy is not None and rule.hierarchy.lists_values
        reader = ListedValues.of(rule, column.meaning)
        whole = _by_key(built, column, reader) if is_listed else built.restricted(column.texts)
        if is_listed:
            _refuse_empty_groups(whole, column, rule.texts_of_missing)
            _refuse_other_digits(whole)
    except HierarchyError as error:
        place = f"columns.{rule.name}.hierarchy"
        raise HierarchyError(
            replace(fault, place=f"{place}.{fault.place}" if fault.place else place)
            for fault in error.faults
        ) from None
    return whole


def _by_key(
    listed: GeneralizationHierarchy, column: EncodedColumn, reader: ListedValues
) -> GeneralizationHierarchy:
    """Return a listed hierarchy over the values of a column, which its rows name by their keys.

    Raises
    ------
    HierarchyError
        when the list does not contain some of the values
    """
    keys = [
        text if is_gone else reader.key(text)
        for text, is_gone in zip(column.texts, column.is_missing.tolist(), strict=True)
    ]
    known = listed.place_of
    lacking = [text for text, own in zip(column.texts, keys, strict=True) if own not in known]
    if lacking and {*lacking} <= {label for labels in listed.labels[1:] for label in labels}:
        problem = "has labels that are the column's values, which stand below their groups"
        remedy = "Put each value before its labels, or give the groups as a tree: ind.tree(...)."
        raise HierarchyError([Fault("", problem, remedy)])
    if lacking:
        raise HierarchyError([_not_listed(lacking, known, column.meaning)])
    return listed.restricted(keys).renamed(column.texts)


def _not_listed(lacking: Sequence[str], listed: Iterable[str], meaning: Meaning) -> Fault:
    """Return the fault of values that a list does not contain, and what may be the reason."""
    remedy = "Add a row for each, or treat them as missing; --show-values prints them."
    numbers = {number_key(text) for text in listed if meaning == "text"} - {None}
    as_numbers = [text for text in lacking if number_key(text) in numbers]
    if any(LEADING_ZERO.match(text) for text in as_numbers):
        remedy = "The values are codes with leading zeros: list them with these zeros."
    elif as_numbers:
        remedy = 'The column is text: set type = "number", or list its values as they are written.'
    problem = f"the hierarchy does not contain {len(lacking)} of the column's values"
    return Fault("", problem, remedy, tuple(lacking[:MAX_EXAMPLES]))


def _refuse_stars(name: str, column: EncodedColumn, rule: HierarchyRule | None) -> None:
    """Refuse values that a reader of a release takes for hidden cells, whole or in part.

    Raises
    ------
    HierarchyError
        when a value is a star, or has one in a column that a mask hides
    """
    is_masked = rule is not None and rule.mask is not None
    known = zip(column.texts, column.is_missing.tolist(), strict=True)
    starred = tuple(
        text
        for text, is_gone in known
        if not is_gone and (text == ROOT or (is_masked and ROOT in text))
    )
    if starred:
        problem = f"contains values that are written like a hidden cell: {len(starred)} of them"
        remedy = "List it in data.missing if it is missing; else write it without a star."
        raise HierarchyError([Fault(f"columns.{name}", problem, remedy, starred[:5])])


def _refuse_empty_groups(
    hierarchy: GeneralizationHierarchy, column: EncodedColumn, missing: Container[str]
) -> None:
    """Refuse names of groups that every reader of a release takes for a missing value.

    Raises
    ------
    HierarchyError
        when a label above a value that is not missing is a way of writing a missing one
    """
    # A column of listed values, which has no records, does not say which of its texts is missing.
    known = np.array([text not in missing for text in column.texts], np.bool_) & ~column.is_missing
    for level in range(1, hierarchy.n_levels):
        codes: list[int] = np.unique(hierarchy.codes[level][known]).tolist()
        if any(hierarchy.labels[level][code] in missing for code in codes):
            raise HierarchyError([unnamed_group(level)])


def _refuse_other_digits(hierarchy: GeneralizationHierarchy) -> None:
    """Refuse labels such as 020** above 2038, which no reader takes for its first digits.

    Labels of another form, and values that are no digits, say nothing.

    Raises
    ------
    HierarchyError
        when the digits of a label are not the first ones of a value below it
    """
    labels = {label for labels in hierarchy.labels[1:] for label in labels}
    first = {label: digits for label in labels if (digits := first_digits(label))}
    if not first:
        return
    wrong = [
        value
        for value, *above in hierarchy.paths()
        if value.isascii()
        and value.isdigit()
        and not all(value.startswith(first.get(label, "")) for label in above)
    ]
    if wrong:
        problem = f"{len(wrong)} values stand below a label that begins with other digits"
        remedy = "Write the first digits of the value before the stars, such as 20** above 2038."
        raise HierarchyError([Fault("", problem, remedy, tuple(wrong[:MAX_EXAMPLES]))])


def labels_above(
    rule: ColumnRule,
    column: EncodedColumn,
    hierarchy: GeneralizationHierarchy,
    others: EncodedColumn,
) -> Codes:
    """Find the labels of a column's hierarchy above other values: (n_levels, n_others).

    Parameters
    ----------
    column, hierarchy : the table's values, and the hierarchy over them
    others : values of the same kind, of another table

    Returns
    -------
    code of the label at each level; -1 where the hierarchy has none above a value, or one that is
    above no value of the table
    """
    written = _rule_of(rule, column)
    try:
        built = flat(others.texts) if written is None else _built(rule, written, others)
        is_listed = written is not None and written.lists_values
        reader = ListedValues.of(rule, others.meaning)
        extended = _by_key(built, others, reader) if is_listed else built.restricted(others.texts)
    except HierarchyError as error:
        raise HierarchyError(
            replace(fault, place=f"population.data.{rule.name}") for fault in error.faults
        ) from None
    found = np.full((hierarchy.n_levels, len(others.texts)), -1, np.int32)
    for level, labels in enumerate(hierarchy.labels):
        codes = {label: code for code, label in enumerate(labels)}
        if level < extended.n_levels:
            known = [codes.get(label, -1) for label in extended.labels[level]]
            found[level] = np.array(known, np.int32)[extended.codes[level]]
        if labels == (ROOT,):
            found[level] = 0
        # A file may list labels that no record has: nobody who has them looks like a record.
        found[level][~np.isin(found[level], hierarchy.codes[level])] = -1
    return found


def missing_text(rule: ColumnRule) -> str:
    """Choose how the missing value is written among the labels of a column.

    The first of the policy's ways of writing it that the column's file or tree lists, else the
    first of all.
    """
    tokens = [word for word in rule.missing if word != ROOT] or [""]
    if (listed := listed_hierarchy(rule)) is None:
        return tokens[0]
    return next((token for token in tokens if token in listed.place_of), tokens[0])


def listed_values(rule: ColumnRule) -> tuple[str, ...]:
    """Return the values that the file or the tree of a column lists; none where it has neither."""
    listed = listed_hierarchy(rule)
    return () if listed is None else listed.values


def listed_texts(rule: ColumnRule) -> set[str]:
    """Return the values that the file or the tree of a column lists, and the labels above them."""
    listed = listed_hierarchy(rule)
    return set() if listed is None else {text for labels in listed.labels for text in labels}


def label_levels(rule: ColumnRule) -> Mapping[str, int]:
    """Return the lowest allowed level, 1 or more, of each label of a list; values have none."""
    if rule.hierarchy is not None and rule.hierarchy.labels is not None:
        return {text: level for text, level, _ in rule.hierarchy.labels}
    listed = listed_hierarchy(rule)
    return {} if listed is None else listed.lowest_levels(rule.words.min_level)


def suggested_rule(name: str, column: EncodedColumn) -> HierarchyRule | None:
    """Choose a rule by the values: periods, intervals, masks, or none for plain words.

    Parameters
    ----------
    name : of the column; that of a postcode says that its digits go from coarse to fine
    column : the values
    """
    known = [t for t, gone in zip(column.texts, column.is_missing, strict=True) if not gone]
    periods = suggested_periods(name, column)
    if periods is not None:
        return HierarchyRule(dates=periods) if periods else None
    if column.numbers is not None and POSTCODE.search(name.lower()) is None:
        widths = nested_widths(column.numbers)
        return HierarchyRule(intervals=widths) if widths else None
    lengths = {len(text) for text in known}
    is_even = len(lengths) == 1 and len(known) > 1 and all(_is_code(text) for text in known)
    if is_even and 1 < max(lengths) <= LONGEST_CODE:
        return HierarchyRule(mask=max(lengths))
    return None


def nested_widths(numbers: Floats) -> tuple[float, ...]:
    """Choose interval widths that nest: about 1/16 of the range, then doubled up to half of it."""
    known = numbers[~np.isnan(numbers)]
    spread = float(known.max() - known.min()) if len(known) else 0.0
    if spread == 0:
        return ()
    width = _round_width(spread / INTERVALS_IN_RANGE)
    if width < NARROWEST:
        return ()
    if np.all(known == np.floor(known)):
        width = max(1.0, width)
    widths: list[float] = [] if width == 1 else [width]
    while width * 2 <= spread / 2:
        width *= 2
        widths.append(width)
    return tuple(widths) or (width * 2,)


def listed_paths(rule: ColumnRule) -> Iterator[list[str]]:
    """Yield the labels of each value that a file or a tree lists, the value itself first."""
    listed = listed_hierarchy(rule)
    if listed is not None:
        yield from listed.paths()


def read_rows(path: Path, separator: str | None) -> list[list[str]]:
    """Read the rows of a hierarchy file; empty lines are skipped.

    Raises
    ------
    HierarchyError
        when the file cannot be read as text
    """
    try:
        return _rows(path, separator, path.stat().st_mtime_ns)
    except OSError as error:
        problem = f"the file {path.name} cannot be read: {error.strerror}"
        raise HierarchyError([Fault("csv", problem, "Check the path.")]) from None
    except UnicodeDecodeError:
        problem = f"the file {path.name} is not UTF-8"
        raise HierarchyError([Fault("csv", problem, "Save it as UTF-8.")]) from None
    except (csv.Error, ValueError):
        problem = f"the file {path.name} is not separated text"
        raise HierarchyError([Fault("csv", problem, "Check its quotes and its path.")]) from None


@lru_cache(maxsize=64)
def _rows(path: Path, separator: str | None, changed: int) -> list[list[str]]:
    """Read the rows of a file, once for each time it was changed."""
    del changed
    return file_rows(path, separator)


@lru_cache(maxsize=64)
def _from_file(
    path: Path, separator: str | None, changed: int, reader: ListedValues
) -> GeneralizationHierarchy:
    """Build the hierarchy of a file, once for each time it was changed."""
    return _from_rows(_rows(path, separator, changed), reader)


def _from_rows(rows: Sequence[Sequence[str]], reader: ListedValues) -> GeneralizationHierarchy:
    """Build the hierarchy of listed rows, whose values are read by what the column's values are."""
    return in_normal_form(from_rows(rows_by_key(rows, reader)))


def rows_by_key(rows: Sequence[Sequence[str]], reader: ListedValues) -> list[list[str]]:
    """Return listed rows with the key of each value in its place, equal ones once.

    Raises
    ------
    HierarchyError
        when two rows list one value with different labels
    """
    found: dict[str, tuple[int, Sequence[str]]] = {}
    keys = reader.listed([row[0] for row in rows])
    for number, (own, row) in enumerate(zip(keys, rows, strict=True), start=1):
        first, known = found.setdefault(own, (number, row[1:]))
        if known != row[1:]:
            problem = f"lists the value of row {first} again in row {number}, with other labels"
            raise HierarchyError([Fault("", problem, "Keep one row per value.", (row[0],))])
    return [[own, *labels] for own, (_, labels) in found.items()]


def _rule_of(rule: ColumnRule, column: EncodedColumn) -> HierarchyRule | None:
    """Return the rule of a column; the cost of ranges is measured by suggested steps."""
    written = rule.hierarchy
    is_open = written is None or written.ranges is not None
    return suggested_rule(rule.name, column) if is_open else written


def _from_rule(rule: ColumnRule, column: EncodedColumn) -> GeneralizationHierarchy:
    """Build the hierarchy of a column over its values."""
    written = _rule_of(rule, column)
    if written is None:
        return flat(column.texts)
    if rule.is_suggested:
        column = _fitting(written, column)
    return _built(rule, written, column)


def _fitting(rule: HierarchyRule, column: EncodedColumn) -> EncodedColumn:
    """Return the values that a suggested rule takes; the others can only be hidden."""
    if rule.intervals is not None and column.numbers is None:
        column = with_numbers_of_texts(column)
        assert column.numbers is not None  # noqa: S101 - it was made so
        fits = ~np.isnan(column.numbers) | column.is_missing
    elif rule.dates is not None:
        finest = {precision for precision, above in PERIODS_ABOVE.items() if above == rule.dates}
        fits = np.array([precision_of(text) in finest for text in column.texts], np.bool_)
        fits |= column.is_missing
    else:
        return column
    return column.chosen(fits)


def is_number_text(text: str) -> bool:
    """Return whether a text is a number, and no code with leading zeros."""
    return is_plain_number(text) and LEADING_ZERO.match(text) is None


def with_numbers_of_texts(column: EncodedColumn) -> EncodedColumn:
    """Return a column of texts with the numbers that they are; NaN for those that are none."""
    numbers = [
        float(text) if is_number_text(text) and not is_gone else math.nan
        for text, is_gone in zip(column.texts, column.is_missing.tolist(), strict=True)
    ]
    return replace(column, numbers=np.array(numbers, np.float64))


def _built(
    column_rule: ColumnRule, rule: HierarchyRule, column: EncodedColumn
) -> GeneralizationHierarchy:
    """Build the hierarchy that a rule describes over values whose dates have some format."""
    if rule.labels is not None:
        if rule.labels:
            raise HierarchyError(
                [
                    Fault(
                        "labels",
                        "lists the labels of a release without the values below them",
                        "Take the policy that the release was made with.",
                    )
                ]
            )
        return flat(column.texts)
    listed = _listed(column_rule.folder, rule, ListedValues.of(column_rule, column.meaning))
    if listed is None:
        return _build(rule, column)
    unlisted = [text for text, gone in zip(column.texts, column.is_missing, strict=True) if gone]
    return listed.with_missing(unlisted[0]) if unlisted else listed


def listed_hierarchy(rule: ColumnRule) -> GeneralizationHierarchy | None:
    """Build the hierarchy that a column's file or tree lists; None where it has neither."""
    if rule.hierarchy is None:
        return None
    return _listed(rule.folder, rule.hierarchy, ListedValues.of(rule, rule.meaning))


def _listed(
    folder: Path, rule: HierarchyRule, reader: ListedValues
) -> GeneralizationHierarchy | None:
    """Build the hierarchy of a file, a tree or rows, over all values that it lists."""
    if rule.csv is not None:
        path = folder / rule.csv
        read_rows(path, rule.separator)
        return _from_file(path, rule.separator, path.stat().st_mtime_ns, reader)
    rows = rule.rows if rule.tree is None else tree_rows(rule.tree)
    return None if rows is None else _from_rows(rows, reader)


def in_normal_form(hierarchy: GeneralizationHierarchy) -> GeneralizationHierarchy:
    """Return a listed hierarchy in which a text is one set of values, and a star the whole column.

    Raises
    ------
    HierarchyError
        when its labels cannot be told apart, or a label stands above a star
    """
    return with_distinct_labels(with_hidden_cells(hierarchy))


def _build(rule: HierarchyRule, column: EncodedColumn) -> GeneralizationHierarchy:
    """Build intervals, masks or dates over the values; the missing value keeps its own label."""
    if rule.intervals is not None:
        if column.numbers is None:
            raise HierarchyError(
                [
                    Fault(
                        "intervals",
                        "the column has values that are not numbers",
                        "Use another hierarchy, or name how missing values are written.",
                    )
                ]
            )
        return from_intervals(column.numbers.tolist(), column.texts, rule.intervals)
    if rule.dates is not None:
        gone = column.is_missing.tolist()
        return from_dates(_blanked(column.texts, gone), rule.dates).renamed(column.texts)
    return from_masks(column.texts, rule.mask or 1, column.is_missing.tolist())


def _blanked(texts: Sequence[str], gone: Sequence[bool]) -> list[str]:
    """Return the texts, the missing one empty."""
    return ["" if is_gone else text for text, is_gone in zip(texts, gone, strict=True)]


def _is_code(text: str) -> bool:
    """Return whether a text may be a code: a postcode, a number with leading zeros."""
    n_digits = sum(character.isdigit() for character in text)
    return " " not in text and 2 * n_digits >= len(text)


def _round_width(width: float) -> float:
    """Round up to 1, 2 or 5 times a power of ten."""
    power = math.floor(math.log10(width))
    # Read from text: a product of 10.0**36 is not the double that is nearest to 2e36.
    rounds = (float(f"{step}e{power}") for step in (1, 2, 5, 10))
    return next(one for one in rounds if one >= width * (1 - 1e-9))

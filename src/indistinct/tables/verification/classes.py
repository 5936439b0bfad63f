"""The equivalence classes of a release, counted by a plain group-by."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain

import polars as pl

from indistinct.tables.core.protocols import (
    Combination,
    PlainClass,
    PlainColumn,
    Scope,
    no_supersets,
)
from indistinct.tables.core.schema import Role
from indistinct.tables.engines.tallies import tallies_within, tally
from indistinct.tables.policy.column_rule import ColumnRule
from indistinct.tables.policy.specification import Specification
from indistinct.tables.verification.boxes import Box, BoxRecords
from indistinct.tables.verification.enclosing import Ranges
from indistinct.tables.verification.evidence import CheckedRelease
from indistinct.tables.verification.input import population
from indistinct.tables.verification.judging import with_missing_boxes
from indistinct.tables.verification.listed import missing_label
from indistinct.tables.verification.paths import paths_above
from indistinct.tables.verification.people import PAIRS, PEOPLE
from indistinct.tables.verification.rendering import Renderer
from indistinct.tables.verification.suggestion import suggested_rule
from indistinct.tables.verification.texts import (
    CLOSED,
    HIDDEN,
    counted_as_read,
    is_number,
    series_as_read,
    spellings,
    text_as_read,
)
from indistinct.tables.verification.value_labels import alike_codes
from indistinct.tables.verification.wildcards import group_sizes


def classes_of(evidence: CheckedRelease) -> Iterator[PlainClass]:
    """Count the equivalence classes by a plain group-by."""
    names = list(evidence.spec.class_names)
    columns = sorted({name for model in evidence.spec.models for name in model.columns})
    columns += [name for name in evidence.release.columns if name.startswith((PEOPLE, PAIRS))]
    table = {name: _table_column(evidence, name) for name in columns}
    release = evidence.release
    kinds, first, every_size = evidence.kinds()
    counts = [
        tallies_within(kinds, _as_counted(evidence, release[name]), evidence.weights)
        for name in columns
    ]
    boxes: Sequence[Box] = ()
    if _takes_boxes(evidence.spec):
        shown = [release[name].gather(first) for name in names] or [
            pl.repeat("", len(first), eager=True)
        ]
        labels = [_as_listed(evidence, key).alias(str(at)) for at, key in enumerate(shown)]
        boxes = pl.DataFrame(labels).rows()
    if names and evidence.spec.release.suppressed_cell == "any":
        cells = pl.DataFrame(boxes, schema=dict.fromkeys(names, pl.String), orient="row")
        every_size = group_sizes(cells, every_size)
    people = _people(evidence, boxes)
    boxes = with_missing_boxes(evidence, boxes)
    ways = _ways_around(evidence, _records(evidence, columns, boxes), boxes)
    combinations = _combinations(evidence, kinds)
    for number, size in enumerate(every_size):
        held = {name: of_class[number] for name, of_class in zip(columns, counts, strict=True)}
        supersets = _supersets(ways, boxes[number], table) if ways else no_supersets
        alike = None if people is None else people[number]
        together = combinations.get(number, {})
        yield PlainClass(size, held, table, every_size, alike, supersets, together)


def _takes_boxes(spec: Specification) -> bool:
    """Return whether classes are looked at by what their cells cover, and not only counted."""
    return (
        spec.release.suppressed_cell == "any"
        or spec.people_file is not None
        or any(model.scope is Scope.REGION for model in spec.models)
    )


def _combinations(
    evidence: CheckedRelease, kinds: pl.Series
) -> Mapping[int, Mapping[Combination, int]]:
    """Count the combinations of all sensitive values in each class, if some model asks.

    Parameters
    ----------
    kinds : (n_released,), number of the class of each record
    """
    if not evidence.spec.divides:
        return {}
    sensitive = evidence.spec.named(Role.SENSITIVE)
    found: dict[int, dict[Combination, int]] = defaultdict(dict)
    columns = [_as_counted(evidence, evidence.release[name]) for name in sensitive]
    for (kind, *values), count in tally([kinds, *columns], evidence.weights):
        found[kind][tuple(zip(sensitive, values, strict=True))] = count
    return found


def _people(evidence: CheckedRelease, boxes: Sequence[Box]) -> Sequence[int] | None:
    """Count the people of the population in each class's box, where the policy lists them.

    Returns
    -------
    (n_classes,), those that look like the class
    """
    spec = evidence.spec
    if spec.people_file is None:
        return None
    names = spec.class_names
    listed = population(spec)
    shown = _shown_cells(evidence, boxes)
    texts = pl.DataFrame([_as_written(evidence, listed[name], shown[name]) for name in names])
    people = replace(BoxRecords.of(texts, _cells_around(evidence, boxes), ()), are_others=True)
    return people.count_each(boxes)


def _records(
    evidence: CheckedRelease, columns: Sequence[str], boxes: Sequence[Box]
) -> BoxRecords | None:
    """Return the records that larger boxes are counted over: the input's where it is at hand."""
    if all(model.scope is not Scope.REGION for model in evidence.spec.models):
        return None
    names = evidence.spec.class_names
    cells = _cells_around(evidence, boxes)
    # A record that is left out for a missing value is in no region of the quasi-identifiers.
    before = [evidence.counted_before(name) for name in (*names, *columns)]
    known = [column for column in before if column is not None]
    if len(known) < len(before):
        shown = [_as_listed(evidence, evidence.release[name]) for name in (*names, *columns)]
        return BoxRecords.of(pl.DataFrame(shown), cells, columns, boxes, evidence.weights)
    in_boxes = _shown_cells(evidence, boxes)
    written = pl.DataFrame(
        [_as_written(evidence, column, in_boxes.get(column.name, ())) for column in known]
    )
    return BoxRecords.of(written, cells, columns, boxes, evidence.counted_weights)


def _ways_around(
    evidence: CheckedRelease, records: BoxRecords | None, boxes: Sequence[Box]
) -> Sequence[BoxRecords]:
    """Return the records with each way of looking for larger boxes: by steps, and by ranges, too.

    Where a search makes ranges of numbers, but shows single ones only, nobody sees whether the
    column was divided by numbers or by the steps that the input's values suggest.
    """
    if records is None:
        return ()
    names = evidence.spec.class_names
    shown = _shown_cells(evidence, boxes)
    undecided = [
        column
        for column, name in enumerate(names)
        if _may_be_divided_by_numbers(evidence, name, shown[name])
    ]
    if not undecided:
        return (records,)
    known = () if records.ranges is None else records.ranges.columns
    return records, replace(records, ranges=Ranges.of(boxes, [*known, *undecided]))


def _may_be_divided_by_numbers(evidence: CheckedRelease, name: str, shown: set[str]) -> bool:
    """Return whether a column whose values are known shows single numbers of a search by ranges.

    A column that stays as it is lies in no range.
    """
    spec = evidence.spec
    rule = spec.columns[name]
    if not rule.in_ranges or rule.words.max_level == 0:
        return False
    numbers = shown - {HIDDEN} - rule.texts_of_missing
    is_known = evidence.counted_before(name) is not None
    return is_known and bool(numbers) and all(map(is_number, numbers))


def _supersets(
    ways: Sequence[BoxRecords], box: Box, table: Mapping[str, PlainColumn]
) -> Callable[[], Iterator[PlainClass]]:
    """Return the larger boxes around a box in one way after the other."""
    return lambda: chain.from_iterable(records.supersets(box, table)() for records in ways)


def _as_counted(evidence: CheckedRelease, cells: pl.Series) -> pl.Series:
    """Return sensitive cells as they read: what reads alike is one value."""
    if cells.name.startswith((PEOPLE, PAIRS)):
        return cells
    return series_as_read(_by_label(evidence, cells), evidence.spec.data.missing)


def _by_label(evidence: CheckedRelease, cells: pl.Series) -> pl.Series:
    """Return codes whose labels read alike as one value."""
    rule = evidence.spec.columns.get(cells.name)
    if rule is None or not rule.code_labels:
        return cells
    alike = evidence.once(("alike codes", cells.name), lambda: _alike_codes(evidence, rule))
    return cells.replace(alike) if alike else cells


def _alike_codes(evidence: CheckedRelease, rule: ColumnRule) -> dict[str, str]:
    """Return the codes of a column that another one stands for, since their labels read alike."""
    before = evidence.before(rule.name)
    known = {*evidence.release[rule.name].unique()}
    known |= set() if before is None else {*text_as_read(before).unique()}
    return alike_codes(rule.code_labels, known)


def _as_listed(evidence: CheckedRelease, cells: pl.Series) -> pl.Series:
    """Return a missing cell of a quasi-identifier the word whose labels stand above it."""
    if cells.name not in evidence.spec.class_names:
        return _as_counted(evidence, cells)
    return cells.replace({"": missing_label(evidence.spec.columns[cells.name])})


def _cells_around(evidence: CheckedRelease, boxes: Sequence[Box]) -> Mapping[str, Renderer]:
    """Return what the values of each column read as; where nobody says it, by the input's values.

    A column that is released in ranges has no labels from the data.
    """
    found: dict[str, Renderer] = {}
    for name, shown in _shown_cells(evidence, boxes).items():
        rule, column = evidence.spec.columns[name], evidence.counted_before(name)
        in_ranges = any(map(CLOSED.match, shown))
        if rule.hierarchy is None and column is not None and not in_ranges:
            suggested = evidence.once(("suggested", name), partial(suggested_rule, column))
            rule = rule if suggested is None else rule.suggested(suggested)
        found[name] = Renderer.of(rule, shown=shown)
    return found


def _shown_cells(evidence: CheckedRelease, boxes: Sequence[Box]) -> Mapping[str, set[str]]:
    """Return the cells of each quasi-identifier in some boxes."""
    names = evidence.spec.class_names
    return {name: {box[column] for box in boxes} for column, name in enumerate(names)}


def _as_written(evidence: CheckedRelease, column: pl.Series, shown: Collection[str]) -> pl.Series:
    """Return a column of the input as a release would write it ungeneralized.

    Parameters
    ----------
    shown : released cells of the column, which tell how a missing value is written
    """
    spec = evidence.spec
    if column.name not in spec.class_names:
        return _as_counted(evidence, text_as_read(column))
    missing = spec.data.texts_of_missing
    shown_missing = (way for way in ("", *spec.data.missing) if way in shown)
    own = missing_label(spec.columns[column.name]) or next(shown_missing, "")
    texts = text_as_read(column).to_list()
    return pl.Series(column.name, [own if text in missing else text for text in texts])


def _table_column(evidence: CheckedRelease, name: str) -> PlainColumn:
    """Count a sensitive column in the whole table: the input where it is at hand."""
    before = evidence.before(name)
    reference, weights = evidence.release[name], evidence.weights
    if before is not None:
        reference, weights = text_as_read(before), evidence.original_weights
    if name.startswith((PEOPLE, PAIRS)):
        return PlainColumn({value: count for (value,), count in tally([reference], weights)}, ())
    reference = _by_label(evidence, reference.alias(name))
    missing = evidence.spec.data.missing
    written = {value: count for (value,), count in tally([reference], weights)}
    counts, spelled = counted_as_read(written, missing), spellings(list(written), missing)
    # "NaN" stands only where a file has it among texts, which have no order of numbers.
    numbers = {value: float(value) for value in counts if is_number(value) and value != "NaN"}
    is_numeric = all(value in numbers or value == "" for value in counts)
    order = sorted(
        counts,
        key=lambda value: (value == "", numbers.get(value, 0.0) if is_numeric else 0.0, value),
    )
    texts = {value: spelled[value] if value else "" for value in order}
    above = paths_above(evidence.spec.columns[name], list(texts.values()))
    paths = {value: above[text] for value, text in texts.items() if text in above}
    return PlainColumn(counts, order, numbers, paths)

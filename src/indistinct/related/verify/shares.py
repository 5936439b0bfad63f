"""How large the share of the people is who have a sensitive value, among those with some events.

Verification uses this and nothing of what made the release.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from typing import cast

from indistinct.related.policy import RelatedPolicy
from indistinct.related.verify.patterns import Label, SeenUnit, patterns_with_classes
from indistinct.related.verify.rows import units_of
from indistinct.tables.core import Role
from indistinct.tables.frames import Frame
from indistinct.tables.models import LargestShare
from indistinct.tables.policy import ColumnRule, Specification
from indistinct.tables.verification import HIDDEN, Renderer, all_as_read, listed_paths

MOST_VALUES = 100  # of a column, the most frequent ones, whose shares are measured


def owners_of(spec: RelatedPolicy, tables: Mapping[str, Frame]) -> dict[str, list[int]]:
    """Return per released table of rows the row of the table of people behind each row."""
    people = spec.people
    keys = tables[people][spec.tables[people].new_key or ""]
    pointed = {people: {key: place for place, key in enumerate(keys)}}
    found: dict[str, list[int]] = {}
    for name in spec.row_tables:
        *_, (above, column) = spec.pointers(name).items()
        frame, known = tables[name], pointed[above]
        found[name] = [known[key] for key in frame[column]]
        key = spec.tables[name].new_key
        if key is not None and key in frame.columns:
            pointed[name] = dict(zip(frame[key], found[name], strict=True))
    return found


def shows_value(rule: ColumnRule, values: Collection[str], cell: str) -> bool:
    """Return whether a cell reads like one of some values, or is below one.

    All words for a missing value are one value.
    """
    above = {cell, *Renderer.of(rule).above(cell), *listed_paths(rule).get(cell, ())}
    missing = rule.texts_of_missing
    return not {*all_as_read(above, missing)}.isdisjoint(all_as_read(values, missing))


def people_with(owners: Sequence[int], cells: Sequence[str], wanted: Collection[str]) -> set[int]:
    """Return the people who have a row with one of some cells."""
    return {owner for owner, cell in zip(owners, cells, strict=True) if cell in wanted}


def largest_share(
    spec: RelatedPolicy,
    units: Sequence[SeenUnit],
    model: LargestShare,
    shown: Collection[str],
    having: Collection[int],
) -> float:
    """Return the largest share of the people with some events who are among some people.

    Parameters
    ----------
    units : in the order of the table of people
    shown : the cells of the column that show a value; no event is one of them
    having : numbers of people
    """
    names = spec.quasi_identifiers(model.table)
    at = names.index(model.column_name) if model.column_name in names else None

    def is_open(label: Label) -> bool:
        while label is not None:
            table, cells, above = cast("tuple[str, Sequence[str], Label]", label)
            if at is not None and table == model.table and cells[at] in shown:
                return False
            label = above
        return True

    opened = [
        (kind, [row for row in rows if is_open(row.label)], labels) for kind, rows, labels in units
    ]
    everybody: Counter[Hashable] = Counter()
    some: Counter[Hashable] = Counter()
    own = patterns_with_classes(opened, spec.model.known_rows)
    for unit, patterns in enumerate(own):
        everybody.update(patterns)
        if unit in having:
            some.update(patterns)
    return max((some[one] / count for one, count in everybody.items()), default=0.0)


def shares_of(
    spec: RelatedPolicy,
    flat: Mapping[str, Specification],
    tables: Mapping[str, Frame],
    units: Sequence[SeenUnit],
) -> Iterator[tuple[LargestShare, float | None]]:
    """Yield each limited share, and the largest one in released tables.

    None where the public policy leaves out which values lie below those that are limited.
    """
    owners = owners_of(spec, tables) if spec.largest_shares else {}
    for model in spec.largest_shares:
        cells = tables[model.table][model.column_name].to_list()
        if not _are_known(flat, model, cells):
            yield model, None
            continue
        shown = shown_cells(flat, model, cells)
        having = people_with(owners[model.table], cells, shown)
        yield model, largest_share(spec, units, model, shown, having)


def _are_known(
    flat: Mapping[str, Specification], model: LargestShare, cells: Collection[str]
) -> bool:
    """Return whether it is known of each cell if it lies below one of the limited values."""
    rules = flat[model.table]
    if f"hierarchies.{model.column_name}" not in rules.withheld:
        return True
    rule = rules.columns[model.column_name]
    known = {*listed_paths(rule), *rule.texts_of_missing, HIDDEN, *model.values}
    return known.issuperset(cells)


def measured_shares(
    spec: RelatedPolicy, tables: Mapping[str, Frame]
) -> Iterator[tuple[str, float]]:
    """Yield each sensitive column of a table of rows, and the largest share of one of its values.

    Parameters
    ----------
    tables : all cells as texts, keys without faults
    """
    owners, (units, _) = owners_of(spec, tables), units_of(spec, tables)
    own = list(patterns_with_classes(units, spec.model.known_rows))
    everybody = Counter(one for patterns in own for one in patterns)
    for name in spec.row_tables:
        for column, said in spec.tables[name].columns.items():
            if said.role is not Role.SENSITIVE:
                continue
            cells = tables[name][column].to_list()
            largest = 0.0
            for value, _ in Counter(cells).most_common(MOST_VALUES):
                having = people_with(owners[name], cells, {value} - {""})
                some = Counter(one for unit in having for one in own[unit])
                shares = (count / everybody[one] for one, count in some.items())
                largest = max(largest, *shares, 0.0)
            yield f"{name}.{column}", largest


def shown_cells(
    flat: Mapping[str, Specification], model: LargestShare, cells: Collection[str]
) -> set[str]:
    """Return those of some cells, or values, that are one of the values of a limited share."""
    rule = flat[model.table].columns[model.column_name]
    return {cell for cell in set(cells) if shows_value(rule, model.values, cell)}

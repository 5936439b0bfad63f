"""Released tables beside the tables that they are said to come from, row by row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Self, cast

import numpy as np
import polars as pl

from indistinct.errors import DataError, Fault
from indistinct.related.policy import RelatedPolicy
from indistinct.related.read_tables import read_tables
from indistinct.related.verify.dates import moved_faults
from indistinct.related.verify.keys import KeysOfRows
from indistinct.related.verify.lengths import with_true_lengths
from indistinct.related.verify.patterns import SeenUnit
from indistinct.related.verify.rows import cells_in_rows, is_starred, shown_rows
from indistinct.related.verify.shares import (
    largest_share,
    owners_of,
    people_with,
    shown_cells,
)
from indistinct.related.verify.truth import TrueLinks
from indistinct.tables.core import NO_ROW, Role
from indistinct.tables.policy import Specification
from indistinct.tables.reading import read_file
from indistinct.tables.verification import Renderer, text_as_read

DISMISS = "Do not publish these files."
OTHER_INPUT = "Is this the input that the release was made from?"
SLACK = 1e-9


class RelatedInput(NamedTuple):
    """A release, its policy, and what it was made from.

    Parameters
    ----------
    flat : per table, its policy by itself
    tables : the released tables, cells as texts
    before : the tables of the input, with true lengths
    crosswalk : per table the row of the input behind each row, or the folder that says it; or None
    secret : the key of pseudonyms, if it is at hand
    """

    spec: RelatedPolicy
    flat: Mapping[str, Specification]
    tables: Mapping[str, pl.DataFrame]
    before: Mapping[str, pl.DataFrame]
    crosswalk: Any
    secret: bytes | None = None

    @classmethod
    def of(  # noqa: PLR0913, PLR0917 - what there is to compare
        cls,
        spec: RelatedPolicy,
        flat: Mapping[str, Specification],
        tables: Mapping[str, pl.DataFrame],
        original: Any,
        crosswalk: Any,
        secret: bytes | None,
    ) -> Self:
        """Read the input, a folder or frames.

        Raises
        ------
        DataError
            when it cannot be read
        """
        read, _ = read_tables(original, spec, flat)
        before = with_true_lengths(spec, {name: file.frame for name, file in read.items()})
        return cls(spec, flat, tables, before, crosswalk, secret)

    @property
    def n_vanished(self) -> int:
        """People of the input who are not released."""
        people = self.spec.people
        return self.before[people].height - self.tables[people].height


def input_faults(given: RelatedInput, units: Sequence[SeenUnit]) -> Iterator[Fault]:
    """Compare released tables with their input, and with the crosswalk where it is at hand.

    Parameters
    ----------
    units : as a reader sees them
    """
    spec, before = given.spec, given.before
    for name in spec.public_tables:
        if not _is_same(given.tables[name], before[name]):
            yield Fault(f"tables.{name}", "is public and not as it was", OTHER_INPUT)
    yield from _limit_faults(given, before)
    if given.crosswalk is None:
        return
    rows = {
        name: crosswalk_rows(given.crosswalk, name, given.tables[name].height, before[name].height)
        for name in (spec.people, *spec.row_tables)
    }
    for name, own in rows.items():
        yield from _row_faults(given, name, before[name], own)
        keys = KeysOfRows.of(spec, name, given.tables[name], before[name], own)
        if keys is not None:
            are_pseudonyms = spec.related.keys == "pseudonym"
            yield from keys.faults(are_pseudonyms=are_pseudonyms, secret=given.secret)
    links = TrueLinks.of(spec, before)
    yield from _parent_faults(given, links, rows)
    yield from _share_faults(given, before, rows, units)
    yield from moved_faults(spec, given.tables, before, links, rows)


def _is_same(table: pl.DataFrame, before: pl.DataFrame) -> bool:
    """Return whether a table has the same cells in the same order."""
    if table.columns != before.columns or table.height != before.height:
        return False
    return all((text_as_read(before[name]) == table[name]).all() for name in table.columns)


def _limit_faults(given: RelatedInput, before: Mapping[str, pl.DataFrame]) -> Iterator[Fault]:
    """Find more units and rows left out than the policy allows."""
    spec, tables = given.spec, given.tables
    method, people = spec.method, spec.people
    gone = before[people].height - tables[people].height
    if gone < 0:
        yield Fault(f"tables.{people}", "has more rows than the input", OTHER_INPUT)
    if gone > method.max_suppression * before[people].height + SLACK:
        problem = f"lacks {gone} people, which is more than max_suppression allows"
        yield Fault(f"tables.{people}", problem, OTHER_INPUT)
    total = sum(before[name].height for name in spec.row_tables)
    lost = total - sum(shown_rows(spec, name, tables[name]).height for name in spec.row_tables)
    if lost > method.max_deleted * total + SLACK:
        problem = f"lack {lost} of {total} rows, which is more than max_deleted allows"
        yield Fault("tables", problem, OTHER_INPUT)
    for name in spec.row_tables:
        limit, n_rows = spec.tables[name].max_deleted, before[name].height
        lost = n_rows - shown_rows(spec, name, tables[name]).height
        if limit is not None and lost > limit * n_rows + SLACK:
            problem = f"lacks {lost} of {n_rows} rows, which is more than its max_deleted allows"
            yield Fault(f"tables.{name}", problem, OTHER_INPUT)


def crosswalk_rows(crosswalk: Any, name: str, n_rows: int, n_input: int) -> Sequence[int]:
    """Read the row of the input behind each row of a table.

    Raises
    ------
    DataError
        when it is not the crosswalk of these tables
    """
    if isinstance(crosswalk, Mapping):
        rows = np.asarray(cast("Mapping[str, Any]", crosswalk)[name], np.int64).tolist()
    else:
        frame = read_file(str(Path(crosswalk) / f"{name}.csv"), may_be_empty=True).frame
        if frame.columns != ["output_row", "input_row"]:
            raise _wrong(name, "does not have the columns output_row and input_row")
        pairs: list[tuple[int, int]] = sorted(
            frame.cast(pl.Int64, strict=False).drop_nulls().rows()
        )
        if [one for one, _ in pairs] != list(range(n_rows)):
            raise _wrong(name, "does not name each row of the release once")
        rows = [row for _, row in pairs]
    if len(rows) != n_rows or len(set(rows)) < n_rows:
        raise _wrong(name, "names a row of the input twice, or has another number of rows")
    if rows and not (min(rows) >= 0 and max(rows) < n_input):
        raise _wrong(name, "names a row that the input does not have")
    return rows


def _wrong(name: str, problem: str) -> DataError:
    """Return what is wrong with a crosswalk."""
    return DataError([Fault(f"crosswalk.{name}", problem, "Take the files of one run.")])


def _row_faults(
    given: RelatedInput, name: str, before: pl.DataFrame, rows: Sequence[int]
) -> Iterator[Fault]:
    """Compare every row with its own record: cells cover values, other columns stay as they are."""
    table, flat = given.tables[name], given.flat[name]
    is_shown = table.select(~is_starred(given.spec, name)).to_series()
    table = table.filter(is_shown)
    rows = [row for row, one in zip(rows, is_shown, strict=True) if one]
    missing = flat.data.texts_of_missing
    for column, said in given.spec.tables[name].columns.items():
        if said.role is Role.IDENTIFIER or said.protect is not None:
            continue  # shifted dates are compared below, person by person
        own = text_as_read(before[column]).gather(pl.Series(rows, dtype=pl.Int64))
        pairs = Counter(zip(table[column].to_list(), own.to_list(), strict=True))
        place = f"tables.{name}.columns.{column}"
        if said.role is Role.QUASI_IDENTIFIER:
            cells = Renderer.of(flat.columns[column])
            wrong = sum(
                count
                for (cell, value), count in pairs.items()
                if not (value in missing or cells.is_below(cell, value))
            )
            if wrong:
                yield Fault(place, f"{wrong} cells do not cover their original value", DISMISS)
            continue
        wrong = sum(
            count
            for (cell, value), count in pairs.items()
            if cell != ("" if value in missing else value)
        )
        if wrong:
            yield Fault(place, f"{wrong} cells are not their row's own", DISMISS)


def _share_faults(
    given: RelatedInput,
    before: Mapping[str, pl.DataFrame],
    rows: Mapping[str, Sequence[int]],
    units: Sequence[SeenUnit],
) -> Iterator[Fault]:
    """Find too large shares of people who truly have a value, by the records behind their rows."""
    spec, tables = given.spec, given.tables
    for model in spec.largest_shares:
        name, column = model.table, model.column_name
        true = text_as_read(before[name][column])
        values = true.gather(pl.Series(rows[name], dtype=pl.Int64)).to_list()
        is_shown = tables[name].select(~is_starred(spec, name)).to_series().to_list()
        wanted = shown_cells(given.flat, model, values)
        seen = [value if one else "*" for value, one in zip(values, is_shown, strict=True)]
        having = people_with(owners_of(spec, tables)[name], seen, wanted - {"*"})
        shown = shown_cells(given.flat, model, tables[name][column].to_list())
        largest = largest_share(spec, units, model, shown, having)
        if largest > model.share:
            problem = f"{largest:.1%} of the people with some events truly have one of the values"
            yield Fault(f"models.{model.name}", problem, DISMISS)


def _parent_faults(
    given: RelatedInput, links: TrueLinks, rows: Mapping[str, Sequence[int]]
) -> Iterator[Fault]:
    """Find rows that point at another row than in the input, or show other cells of hidden rows."""
    spec = given.spec
    outputs = {name: {row: at for at, row in enumerate(own)} for name, own in rows.items()}
    key_rows: dict[str, dict[str, int]] = {}
    for name in (spec.people, *spec.row_tables):
        key = spec.tables[name].new_key
        if key is not None and key in given.tables[name].columns:
            shown = given.tables[name][key].to_list()
            key_rows[name] = dict(zip(shown, rows[name], strict=True))
    for name in spec.row_tables:
        lines = [links.line(name, row) for row in rows[name]]
        for target, column in spec.pointers(name).items():
            pointed = given.tables[name][column].to_list()
            wrong = sum(
                key_rows[target].get(key, -1) != line.get(target, -1)
                for key, line in zip(pointed, lines, strict=True)
            )
            if wrong:
                problem = f"{wrong} rows point at another row than in the input"
                yield Fault(f"tables.{name}.columns.{column}", problem, DISMISS)
        torn = 0
        for hidden in spec.hidden_above(name):
            columns = spec.quasi_identifiers(hidden)
            own = cells_in_rows(given.tables[name], [f"{hidden}.{one}" for one in columns])
            true = cells_in_rows(given.tables[hidden], columns)
            for cells, line in zip(own, lines, strict=True):
                output = outputs[hidden].get(line.get(hidden, -1))
                lacks = hidden not in line
                torn += (
                    cells != (NO_ROW,) * len(columns)
                    if lacks
                    else (output is None or cells != true[output])
                )
        if torn:
            problem = f"{torn} rows do not show the released cells of their hidden rows above"
            yield Fault(f"tables.{name}", problem, DISMISS)

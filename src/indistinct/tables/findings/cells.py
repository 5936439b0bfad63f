"""What the cells of single columns tell: detectors of texts, of hidden columns and of values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from indistinct.base.arrays import Ints
from indistinct.base.hierarchy import ROOT
from indistinct.tables.core.keys import counted_text
from indistinct.tables.core.schema import Role
from indistinct.tables.findings.counted_table import CountedTable, both, class_columns
from indistinct.tables.findings.finding import Finding, NotExamined
from indistinct.tables.findings.kinds import (
    ENGINE,
    IN_TEXT,
    LOOKS_LIKE,
    MISSING,
    MOSTLY_HIDDEN,
    ONE_VALUE,
    ORIGINAL,
    READ_ALIKE,
    READ_BACK,
    REFERS,
    REPEATED_PSEUDONYM,
    WHOLLY_HIDDEN,
)
from indistinct.tables.findings.named_in_texts import n_cells_naming
from indistinct.tables.frames.cell_numbers import has_texts
from indistinct.tables.frames.texts import n_among

PSEUDONYM = "pseudonym"
UNSEEN = "only a closer look tells: --fail-on of verify takes it, and so does assess"
SHORTEST, FEWEST = 4, 10  # characters of a value that names somebody, and values of a reference


def unchanged_identifiers(table: CountedTable) -> Iterator[Finding | NotExamined] | None:
    """Yield the columns that are released as they are, and name people or number records."""
    names = table.shown_as_they_are()
    return _looking_like(table, names) if names else None


def _looking_like(table: CountedTable, names: Sequence[str]) -> Iterator[Finding | NotExamined]:
    if table.closer is None:
        yield NotExamined(LOOKS_LIKE, ENGINE, UNSEEN)
        return
    for name in names:
        if table.closer.looks_like_an_identifier(table, name):
            n_known = table.n_records - _n_missing(table, name)
            yield Finding(LOOKS_LIKE, (name,), n_known, table.n_records, table=table.table)


def repeated_pseudonyms(table: CountedTable) -> Iterator[Finding] | None:
    """Yield the pseudonyms that join records of the release."""
    names = [
        name
        for name, mask in table.spec.protections.items()
        if mask.name == PSEUDONYM and name in table.columns
    ]
    return _joining(table, names) if names else None


def _joining(table: CountedTable, names: Sequence[str]) -> Iterator[Finding]:
    for name in names:
        texts, records = table.cells([name]).texts(name)
        is_known = ~_are_missing(table, texts)
        n_joined = int(records[is_known & (records > 1)].sum())
        if n_joined:
            yield Finding(REPEATED_PSEUDONYM, (name,), n_joined, table.n_records, table=table.table)


def names_in_texts(table: CountedTable) -> Iterator[Finding | NotExamined] | None:
    """Yield the columns whose texts hold what leads to a person."""
    names = [one for one in table.shown_as_they_are() if has_texts(table.cells([one]).frame[one])]
    return _naming(table, names) if names else None


def _naming(table: CountedTable, names: Sequence[str]) -> Iterator[Finding | NotExamined]:
    if table.closer is None:
        yield NotExamined(IN_TEXT, ENGINE, UNSEEN)
        return
    for name in names:
        count = n_cells_naming(table, name, table.closer.naming_somebody(table, name))
        if count:
            yield Finding(IN_TEXT, (name,), count, table.n_records, "cells", table.table)


def references(table: CountedTable) -> Iterator[Finding | NotExamined] | None:
    """Yield the columns most of whose values are values of an identifier of the input."""
    names = table.shown_as_they_are()
    return _referring(table, names) if names else None


def _referring(table: CountedTable, names: Sequence[str]) -> Iterator[Finding | NotExamined]:
    if table.values_before is None:
        yield NotExamined(REFERS, ORIGINAL, "the input has the values of the identifiers")
        return
    identifiers = table.identifiers or table.spec.named(Role.IDENTIFIER)
    named = [table.values_before(identifier) for identifier in identifiers]
    for name in names:
        texts = table.cells([name]).texts(name)[0]
        # Small numbers count things.
        shown = [one for one in texts if one is not None and len(one) >= SHORTEST]
        if len(shown) < FEWEST:
            continue
        n_shared = max((n_among(shown, one) for one in named), default=0)
        if n_shared >= FEWEST and 2 * n_shared > len(shown):
            yield Finding(REFERS, (name,), n_shared, len(shown), "values", table.table)


def cells_read_back(table: CountedTable) -> Iterator[Finding | NotExamined] | None:
    """Yield the columns that tell the cells of others, all of them together."""
    return _read_back(table) if is_read_back(table) else None


def is_read_back(table: CountedTable) -> bool:
    """Return whether a release has generalized columns and others, so that these may tell those."""
    own = class_columns(table.spec, table.columns)
    return table.spec.release.form != "anatomy" and 0 < len(own) < len(table.columns)


def _read_back(table: CountedTable) -> Iterator[Finding | NotExamined]:
    if table.closer is None:
        yield NotExamined(READ_BACK, ENGINE, UNSEEN)
        return
    found = table.closer.read_back(table)
    if found is not None:
        names, n_cells, of, k_after = found
        yield Finding(READ_BACK, names, n_cells, of, "cells", table.table, k_after=k_after)


def classes_of_one_value(table: CountedTable) -> Iterator[Finding] | None:
    """Yield the sensitive columns of which classes have one value, though the table has several."""
    names = [one for one in table.shown(Role.SENSITIVE) if one not in table.spec.protections]
    return _of_one_value(table, names) if names else None


def _of_one_value(table: CountedTable, names: Sequence[str]) -> Iterator[Finding]:
    for name in names:
        rows = table.cells([name])
        values = rows.codes(name)
        if not values.max(initial=0):
            continue
        width = int(values.max()) + 1
        pairs = np.unique(rows.classes * width + values) // width
        is_one = np.bincount(pairs) == 1
        count = int(rows.records[is_one[rows.classes]].sum())
        if count:
            yield Finding(ONE_VALUE, (name,), count, table.n_records, table=table.table)


def missing_values(table: CountedTable) -> Iterator[Finding] | None:
    """Yield the sensitive columns in which records have no value."""
    names = [one for one in table.shown(Role.SENSITIVE) if one not in table.spec.protections]
    return _missing(table, names) if names else None


def _missing(table: CountedTable, names: Sequence[str]) -> Iterator[Finding]:
    for name in names:
        count = _n_missing(table, name)
        if count:
            yield Finding(MISSING, (name,), count, table.n_records, table=table.table)


def _n_missing(table: CountedTable, name: str) -> int:
    """Count the records without a value."""
    texts, records = table.cells([name]).texts(name)
    return int(records[_are_missing(table, texts)].sum())


def _are_missing(table: CountedTable, texts: Sequence[str | None]) -> np.ndarray:
    """Return which different cells are missing: (n_values,)."""
    words = table.spec.data.texts_of_missing
    return np.array([text is None or text in words for text in texts], np.bool_)


def values_that_read_alike(table: CountedTable) -> Iterator[Finding] | None:
    """Yield the columns with cells that another reader may take for one: 007 and 7, A and a."""
    names = [*table.spec.class_names, *table.shown(Role.SENSITIVE)]
    names = [one for one in names if one in table.columns and one not in table.spec.protections]
    return _reading_alike(table, names) if names else None


def _reading_alike(table: CountedTable, names: Sequence[str]) -> Iterator[Finding]:
    for name in names:
        labels = table.spec.columns[name].code_labels
        texts = [one for one in table.cells([name]).texts(name)[0] if one]
        kinds = Counter(counted_text(labels.get(text, text)).casefold() for text in texts)
        count = sum(n for n in kinds.values() if n > 1)
        if count:
            yield Finding(READ_ALIKE, (name,), count, len(texts), "values", table.table)


def hidden_columns(table: CountedTable) -> Iterator[Finding] | None:
    """Yield the quasi-identifiers that show one cell in every record."""
    names = table.spec.class_names
    return _hidden(table, names) if names and table.n_records > 1 else None


def _hidden(table: CountedTable, names: Sequence[str]) -> Iterator[Finding]:
    for name in names:
        own = [one for one in (name, f"{name}_min", f"{name}_max") if one in table.columns]
        rows = table.cells(own)
        shown: Ints = np.zeros(len(rows.records), np.int64)
        for one in own:
            shown = both(shown, rows.codes(one))
        if own and not shown.max(initial=0):
            n = table.n_records
            yield Finding(WHOLLY_HIDDEN, (name,), n, n, table=table.table)


def mostly_hidden_columns(table: CountedTable) -> Iterator[Finding] | None:
    """Yield the quasi-identifiers that most rows of one of several tables hide, but not all."""
    names = [name for name in table.spec.class_names if name in table.columns]
    return _mostly_hidden(table, names) if names and table.table else None


def _mostly_hidden(table: CountedTable, names: Sequence[str]) -> Iterator[Finding]:
    for name in names:
        texts, records = table.cells([name]).texts(name)
        n_hidden = int(records[np.array([text == ROOT for text in texts], np.bool_)].sum())
        if table.n_records // 2 < n_hidden < table.n_records:
            yield Finding(MOSTLY_HIDDEN, (name,), n_hidden, table.n_records, "records", table.table)

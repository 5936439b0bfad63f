"""What is counted and written in memory, bit for bit: the counts and the cells of plain Python."""

import datetime as dt
from collections import Counter

import numpy as np
import polars as pl
from hypothesis import given, strategies as st

from indistinct.tables.core.frequencies import SensitiveColumn
from indistinct.tables.core.recoding import CellDomain, Recoding
from indistinct.tables.frames.encoding import count_release, encode_written, with_released_cells
from indistinct.tables.frames.tuples import count_tuples
from indistinct.tables.reading.column_types import ColumnType, kind_of
from shared import plain_number

# Per column: its values, its type in memory, and what an engine calls it.
COLUMNS = {
    "age": (st.integers(-3, 3), pl.Int64, ColumnType.WHOLE),
    "height": (st.sampled_from([-1.5, 0.0, 0.1, 2.0, 1e300]), pl.Float64, ColumnType.NUMBER),
    "born": (st.dates(dt.date(1969, 12, 30), dt.date(1970, 1, 3)), pl.Date, ColumnType.DATE),
    "seen": (
        st.datetimes(dt.datetime(1970, 1, 1), dt.datetime(1970, 1, 1, 0, 0, 1)),  # noqa: DTZ001
        pl.Datetime("us"),
        ColumnType.MOMENT,
    ),
    "ill": (st.booleans(), pl.Boolean, ColumnType.TRUTH),
    "city": (st.sampled_from(["", "a", "A", "ä", "b*", '"', "a,b"]), pl.String, ColumnType.TEXT),
}
NAMES = tuple(COLUMNS)


@st.composite
def tables(draw, least=0):
    """Draw a table as plain lists, missing cells among them."""
    height = draw(st.integers(least, 12))
    return {
        name: draw(st.lists(st.none() | values, min_size=height, max_size=height))
        for name, (values, _, _) in COLUMNS.items()
    }


def in_memory(cells):
    """Return the table that every engine is handed, in the form in which it takes tables."""
    return pl.DataFrame(cells, schema={name: dtype for name, (_, dtype, _) in COLUMNS.items()})


def text_of(value):
    """Write a value as a release does."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dt.datetime):
        return value.isoformat(timespec="microseconds").rstrip("0").rstrip(".")
    return plain_number(value) if isinstance(value, float) else str(value)


def in_order(values):
    """Sort different values as codes are: numbers and dates as such, all else as text."""
    known = {value for value in values if value is not None}
    as_such = all(isinstance(one, int | float) and not isinstance(one, bool) for one in known)
    return sorted(known, key=None if as_such else lambda one: text_of(one).encode())


def encoded(cells):
    """Encode every column of a table."""
    table = in_memory(cells)
    return {name: encode_written(table[name]) for name in cells}


def test_types_have_the_kinds_of_their_values():
    schema = in_memory({name: [] for name in NAMES}).schema
    found = {name: kind_of(dtype) for name, dtype in schema.items()}
    assert found == {name: kind for name, (_, _, kind) in COLUMNS.items()}


def test_codes_follow_the_order_of_the_values():
    @given(tables(least=1))
    def check(cells):
        for name, column in encoded(cells).items():
            known = in_order(cells[name])
            places = [len(known) if value is None else known.index(value) for value in cells[name]]
            assert column.codes.dtype == np.int32
            assert column.codes.tolist() == places
            texts = [text_of(value) for value in known]
            if texts and all(text.endswith("T00:00:00") for text in texts):
                texts = [text.removesuffix("T00:00:00") for text in texts]
            texts += [""] * (None in cells[name])
            assert list(column.texts) == texts
            assert column.is_missing.tolist() == [
                place == len(known) for place in range(len(texts))
            ]

    check()


def test_words_for_a_missing_value_count_as_one():
    table = pl.DataFrame({"city": ["b", "", None, "n/a", "a"]})
    column = encode_written(table["city"], ("", "n/a"))
    assert column.texts == ("a", "b", "")
    assert column.codes.tolist() == [1, 2, 2, 2, 0]


def test_the_count_is_that_of_plain_python():
    @given(tables(least=1), st.integers(0, len(NAMES)))
    def check(cells, width):
        columns = encoded(cells)
        codes = {name: column.codes for name, column in columns.items()}
        secrets = {
            name: SensitiveColumn(name, columns[name].texts, None, np.bincount(columns[name].codes))
            for name in NAMES[width:]
        }
        counted = count_tuples(
            {name: codes[name] for name in NAMES[:width]},
            secrets,
            {name: codes[name] for name in NAMES[width:]},
        )
        rows = [tuple(row) for row in np.stack(list(codes.values()), axis=1).tolist()]
        plain = sorted(Counter(rows).items())
        table = counted.table
        secret = [table.sensitive_codes[name] for name in NAMES[width:]]
        found = np.column_stack([table.codes, *secret])
        assert [tuple(row) for row in found.tolist()] == [row for row, _ in plain]
        assert table.weights.tolist() == [weight for _, weight in plain]
        assert [plain[place][0] for place in counted.tuple_of_row] == rows
        assert table.codes.dtype == counted.tuple_of_row.dtype == np.int32

    check()


def test_records_without_columns_are_one_tuple():
    counted = count_tuples({}, {}, {}, 3)
    assert counted.table.weights.tolist() == [3]
    assert counted.tuple_of_row.tolist() == [0, 0, 0]


def test_the_cells_of_the_decision_are_written_and_no_others():
    """Each chosen record has its class's label, in the order chosen; all else is untouched."""

    @given(tables(least=1), st.data())
    def check(cells, data):
        table = in_memory(cells)
        height = table.height
        classes = data.draw(
            st.lists(st.integers(0, 1), min_size=height, max_size=height), label="classes"
        )
        rows = data.draw(st.permutations(range(height)), label="rows")
        rows = rows[: data.draw(st.integers(0, height), label="released")]
        labels = {"age": ("-3", "[0, 9]"), "city": ("ä", "*")}
        recoding = Recoding(
            np.arange(2, dtype=np.int32),
            np.arange(2, dtype=np.int32),
            np.ones(2, np.int64),
            np.array([[0, 1], [1, 1]], np.int32),
            np.ones(2, np.bool_),
            tuple(domain(written) for written in labels.values()),
        )
        chosen_rows = np.array(classes, np.int32), np.array(rows, np.int64)
        written = with_released_cells(table, recoding, list(labels), chosen_rows)
        assert written.columns == list(NAMES)
        chosen = [classes[row] for row in rows]
        ages = [labels["age"][one] for one in chosen]
        is_kept = all(one == 0 for one in chosen)
        assert written["age"].to_list() == [
            cells["age"][row] if is_kept else age for row, age in zip(rows, ages, strict=True)
        ]
        assert written["city"].to_list() == ["*"] * len(rows)
        for name in set(NAMES) - set(labels):
            assert written[name].dtype == COLUMNS[name][1]
            assert written[name].to_list() == [cells[name][row] for row in rows]

    check()


def domain(labels):
    """Return the cells of a column: a value as it is, and one that stands for more."""
    nothing, levels = np.zeros(2), np.array([0.0, 1.0])
    return CellDomain(
        labels, levels, nothing, nothing, np.ones(2, np.int64), 1, 0.0, nothing, levels, 2, 2, None
    )


def test_a_release_is_counted_by_its_texts():
    @given(tables(least=1), st.permutations(NAMES), st.integers(1, len(NAMES)))
    def check(cells, order, width):
        names = tuple(order[:width])
        found = count_release(in_memory(cells), names)
        rows = list(zip(*(cells[name] for name in names), strict=True))
        plain = Counter(
            tuple(None if value is None else text_of(value) for value in row) for row in rows
        )
        shown = [
            tuple(texts[cell] for texts, cell in zip(found.texts, row, strict=True))
            for row in found.cells.tolist()
        ]
        assert found.names == names
        assert dict(zip(shown, found.weights.tolist(), strict=True)) == dict(plain)
        assert len(shown) == len(plain)
        assert found.cells.tolist() == sorted(found.cells.tolist())
        assert [shown[place] for place in found.row_of] == [
            tuple(None if value is None else text_of(value) for value in row) for row in rows
        ]

    check()

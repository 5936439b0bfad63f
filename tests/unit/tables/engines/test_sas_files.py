"""Files of SAS, which are only read: types, labels and missing values.

No library for Python writes them. ReadStat, which reads them for us, has a writer in C that is not
meant for use in SAS; it is called here, so that the reader meets a file of the format.
"""

import ctypes
import datetime as dt

import polars as pl
import pytest

import indistinct as ind
from indistinct.errors import DataError, OutputError
from indistinct.tables.reading import files
from indistinct.tables.reading.formats import FORMATS_BY_NAME

writer = pytest.importorskip("pyreadstat._readstat_writer")

TEXT, NUMBER = 0, 5  # of ReadStat's enumeration of types
WRITE = ctypes.CFUNCTYPE(ctypes.c_ssize_t, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p)
DAY_ZERO = dt.date(1960, 1, 1)
COLUMNS = [
    # name, type, width, label, format, cells
    ("age", NUMBER, 8, "Age in years", None, [31.0, 32.0, None, 45.0]),
    ("weight", NUMBER, 8, None, None, [70.5, None, 80.25, 61.0]),
    ("town", TEXT, 12, "Town", None, ["Łódź", "Bern", "", "Bern"]),
    ("admitted", NUMBER, 8, None, "DATE9", [0.0, 23_000.0, -365.0, None]),
]


def written(path, columns=COLUMNS) -> None:
    """Write a file by the functions of the library in C."""
    library = ctypes.CDLL(writer.__file__)
    pointer = ctypes.c_void_p
    for name, result, arguments in (
        ("readstat_writer_init", pointer, []),
        ("readstat_set_data_writer", ctypes.c_int, [pointer, WRITE]),
        (
            "readstat_add_variable",
            pointer,
            [pointer, ctypes.c_char_p, ctypes.c_int, ctypes.c_size_t],
        ),
        ("readstat_variable_set_label", None, [pointer, ctypes.c_char_p]),
        ("readstat_variable_set_format", None, [pointer, ctypes.c_char_p]),
        ("readstat_begin_writing_sas7bdat", ctypes.c_int, [pointer, pointer, ctypes.c_long]),
        ("readstat_begin_row", ctypes.c_int, [pointer]),
        ("readstat_insert_double_value", ctypes.c_int, [pointer, pointer, ctypes.c_double]),
        ("readstat_insert_string_value", ctypes.c_int, [pointer, pointer, ctypes.c_char_p]),
        ("readstat_insert_missing_value", ctypes.c_int, [pointer, pointer]),
        ("readstat_end_row", ctypes.c_int, [pointer]),
        ("readstat_end_writing", ctypes.c_int, [pointer]),
        ("readstat_writer_free", None, [pointer]),
    ):
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    content = bytearray()

    @WRITE
    def keep(data, size, context):
        del context
        content.extend(ctypes.string_at(data, size))
        return size

    made = library.readstat_writer_init()
    assert library.readstat_set_data_writer(made, keep) == 0
    variables = []
    for name, kind, width, label, shown, _ in columns:
        variable = library.readstat_add_variable(made, name.encode(), kind, width)
        if label:
            library.readstat_variable_set_label(variable, label.encode())
        if shown:
            library.readstat_variable_set_format(variable, shown.encode())
        variables.append((variable, kind))
    rows = list(zip(*(column[-1] for column in columns), strict=True))
    assert library.readstat_begin_writing_sas7bdat(made, None, len(rows)) == 0
    for row in rows:
        assert library.readstat_begin_row(made) == 0
        for (variable, kind), cell in zip(variables, row, strict=True):
            if cell is None:
                done = library.readstat_insert_missing_value(made, variable)
            elif kind == TEXT:
                done = library.readstat_insert_string_value(made, variable, cell.encode())
            else:
                done = library.readstat_insert_double_value(made, variable, cell)
            assert done == 0
        assert library.readstat_end_row(made) == 0
    assert library.readstat_end_writing(made) == 0
    library.readstat_writer_free(made)
    path.write_bytes(content)


def test_cells_types_and_missing_values(tmp_path):
    written(tmp_path / "survey.sas7bdat")
    found = files.read_file(tmp_path / "survey.sas7bdat").frame
    expected = pl.DataFrame(
        {
            "age": [31, 32, None, 45],
            "weight": [70.5, None, 80.25, 61.0],
            "town": ["Łódź", "Bern", None, "Bern"],
            "admitted": [DAY_ZERO, dt.date(2022, 12, 21), dt.date(1959, 1, 1), None],
        }
    )
    assert found.equals(expected)
    assert found.schema == expected.schema


def test_labels_are_read(tmp_path):
    written(tmp_path / "survey.sas7bdat")
    labels = files.read_file(tmp_path / "survey.sas7bdat").labels
    assert labels.columns == {"age": "Age in years", "town": "Town"}


def test_a_release_of_it_is_made_and_compared_with_it(tmp_path):
    ages = [float(20 + number % 7) for number in range(60)]
    towns = [("Bern", "Basel")[number % 2] for number in range(60)]
    written(
        tmp_path / "survey.sas7bdat",
        [("age", NUMBER, 8, "Age", None, ages), ("town", TEXT, 8, None, None, towns)],
    )
    policy = ind.Policy.from_keywords(quasi_identifiers=["age"], insensitive=["town"], k=5)
    release = ind.anonymize(tmp_path / "survey.sas7bdat", policy)
    release.write(tmp_path / "out.sav")
    assert files.read_file(tmp_path / "out.sav").labels.columns == {"age": "Age"}
    verdict = ind.verify(tmp_path / "out.sav", policy, original=tmp_path / "survey.sas7bdat")
    assert verdict.holds


@pytest.mark.parametrize("share", [0, 0.01, 0.5, 0.9])
def test_a_part_of_a_file_is_refused_in_words(tmp_path, share):
    path = tmp_path / "survey.sas7bdat"
    written(path)
    content = path.read_bytes()
    path.write_bytes(content[: int(share * len(content))])
    with pytest.raises(DataError):
        files.read_file(path)


def test_it_is_not_written(tmp_path):
    assert not FORMATS_BY_NAME["sas7bdat"].is_written
    with pytest.raises(OutputError, match="not written"):
        files.check_table_output(str(tmp_path / "out.sas7bdat"), None)

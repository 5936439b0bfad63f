"""What every format of files must give back."""

import datetime as dt

import polars as pl
import pytest

from indistinct.errors import DataError
from indistinct.tables.reading import files
from indistinct.tables.reading.formats import FORMATS

FRAME = pl.DataFrame(
    {
        "a,b": [1, None, -3],
        "city": ['x"y', "a,b;c\td|e", None],
        "born": [dt.date(2020, 1, 31), None, dt.date(1999, 12, 1)],
        "height": [0.1, 2.5, None],
    }
)
parametrized = pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.name)
written = pytest.mark.parametrize(
    "form", [form for form in FORMATS if form.is_written], ids=lambda form: form.name
)


@written
def test_a_table_comes_back_as_it_was_written(form, tmp_path):
    """Names, types and cells, for each ending."""
    table = FRAME if form.write_labelled is None else FRAME.rename({"a,b": "a_b"})
    for ending in form.endings:
        path = str(tmp_path / f"table{ending}")
        files.write_file(table, path, files.format_of_file(path))
        found = files.read_file(path)
        assert found.frame.equals(table)
        assert found.frame.schema == table.schema
        assert (found.separator is None) == (form.read is not None)


@parametrized
def test_bytes_of_another_format_are_refused(form, tmp_path):
    """The fault names the file and shows nothing of it."""
    path = tmp_path / f"table{form.endings[0]}"
    path.write_bytes(b"\x93secret\n1,2\n")
    with pytest.raises(DataError) as caught:
        files.read_file(path)
    assert str(path) in str(caught.value)
    assert "secret" not in str(caught.value)


def test_no_two_formats_share_an_ending():
    """Else the ending would not tell the format."""
    endings = [ending for form in FORMATS for ending in form.endings]
    assert len(endings) == len(set(endings))

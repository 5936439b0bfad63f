"""Files whose bytes are changed by hand, as the programs that write them seldom do."""

import numpy as np
import polars as pl
import pytest

from indistinct.engines import files
from indistinct.reader.verify.arrow_layout import ArrowColumn
from indistinct.reader.verify.bytes_scan import hidden_bytes
from indistinct.reader.verify.parquet_layout import parquet_layout
from indistinct.reader.verify.sav_layout import read_sav
from indistinct.reader.verify.statistics_files import numbers
from indistinct.reader.verify.written_table import faults_beside_cells, frame_of

TAIL = 8  # length of the footer, and the mark of the format
DOUBLE = b"\x07\0" + b"\0" * 8  # a field of kind 7 and number 0, before all others


@pytest.mark.parametrize(
    ("offsets", "missing", "is_found"),
    [
        ([0, 1, 2, 3], [], False),
        ([0, 1, 2, 3], [1], True),  # items beneath a missing list
        ([0, 1, 2], [], True),  # items behind the last list
    ],
)
def test_items_that_no_list_shows_are_found(tmp_path, offsets, missing, is_found):
    pa = pytest.importorskip("pyarrow")
    feather = pytest.importorskip("pyarrow.feather")
    path = tmp_path / "out.arrow"
    mask = pa.array([place in missing for place in range(len(offsets) - 1)])
    items = pa.array(["red", "green", "blue"])
    lists = pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), items, mask=mask)
    feather.write_feather(pa.table({"l": lists}), path, compression="uncompressed")
    found = [fault.place for fault in hidden_bytes(path, pl.read_ipc(path))]
    assert found == (["columns.l"] if is_found else [])


@pytest.fixture
def parquet(tmp_path):
    path = tmp_path / "out.parquet"
    pl.DataFrame({"a": [1, 2], "b": ["red", "green"]}).write_parquet(path)
    return path.read_bytes()


def test_a_file_without_the_mark_at_its_end_is_not_walked_through(parquet):
    """Files with an encrypted footer end otherwise."""
    assert parquet_layout(parquet) is not None
    assert parquet_layout(parquet[:-1] + b"E") is None
    assert parquet_layout(b"PAR1") is None


def test_a_field_of_a_newer_version_that_is_a_fraction_is_passed_over(parquet):
    """It takes eight bytes, and what follows is read as before."""
    length = int.from_bytes(parquet[-TAIL:-4], "little")
    footer = len(parquet) - TAIL - length
    tail = (length + len(DOUBLE)).to_bytes(4, "little") + b"PAR1"
    newer = parquet[:footer] + DOUBLE + parquet[footer:-TAIL] + tail
    before, after = parquet_layout(parquet), parquet_layout(newer)
    assert before is not None
    assert after is not None
    assert [chunk.name for chunk in after.chunks] == [chunk.name for chunk in before.chunks]


def test_a_long_name_may_contain_the_sign_behind_the_short_one(tmp_path):
    """The first sign ends the short name, and the others are part of the long one."""
    pyreadstat = pytest.importorskip("pyreadstat")
    path = tmp_path / "out.sav"
    pyreadstat.write_sav(pl.DataFrame({"annual_income": [1.0, 2.0]}).to_pandas(), path)
    content = path.read_bytes()
    assert b"=annual_income" in content
    found = read_sav(content.replace(b"annual_income", b"annual=income"))
    assert found.frame.columns == ["annual=income"]


@pytest.mark.parametrize(("place", "is_label"), [(108, False), (109, True), (172, True)])
def test_every_byte_of_the_label_of_a_file_is_looked_at(place, is_label, tmp_path):
    """SPSS has 64 bytes for it, behind the time at which the file was made."""
    pyreadstat = pytest.importorskip("pyreadstat")
    path = tmp_path / "out.sav"
    pyreadstat.write_sav(pl.DataFrame({"age": [1.0, 2.0]}).to_pandas(), path)
    content = bytearray(path.read_bytes())
    content[place] = ord("x")
    assert ("has a label of its own" in read_sav(bytes(content)).beside) is is_label


def test_bytes_behind_a_short_text_of_stata_are_found(tmp_path):
    pytest.importorskip("pyreadstat")
    path, table = tmp_path / "out.dta", pl.DataFrame({"a": ["abcd", "c"], "b": [1, 2]})
    files.write(table, str(path), "dta", None)
    content = path.read_bytes()
    found = frame_of(content)
    assert found is not None
    assert found.equals(table)
    assert not list(faults_beside_cells(content, table))
    cell = content.rindex(b"c\0\0\0")
    forged = content[: cell + 3] + b"X" + content[cell + 4 :]
    problems = [fault.problem for fault in faults_beside_cells(forged, table)]
    assert problems == ["has bytes behind the end of a text"]


@pytest.mark.parametrize(
    ("values", "kind"),
    [([1.0, np.nan], pl.Int64), ([1.5, 2.0], pl.Float64), ([2.0**60], pl.Float64)],
)
def test_numbers_are_whole_only_where_all_are(values, kind):
    """And where none is so large that a fraction of its digits was lost."""
    assert numbers("n", np.array(values)).dtype == kind


@pytest.mark.parametrize(
    ("kind", "items", "is_plain"),
    [(5, None, True), (12, 5, True), (13, None, False), (12, 13, False), (12, 12, False)],
)
def test_structures_and_lists_of_lists_are_not_plain(kind, items, is_plain):
    """Of the types of the format 5 is text, 12 a list, and 13 a structure."""
    assert ArrowColumn("a", kind, None, items).is_plain is is_plain


def test_a_dictionary_without_entries_is_a_page_of_no_bytes(tmp_path):
    pa = pytest.importorskip("pyarrow")
    pages = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "out.parquet"
    pages.write_table(pa.table({"a": pa.nulls(2, pa.string())}), path, compression="none")
    layout = parquet_layout(path.read_bytes())
    assert layout is not None
    [chunk] = layout.chunks
    assert [page.is_dictionary for page in chunk.pages] == [True, False]

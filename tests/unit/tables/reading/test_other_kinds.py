"""Files that are something else than their endings say: told by their bytes, with the way out."""

from __future__ import annotations

import bz2
import gzip
import lzma
import random
from pathlib import Path

import polars as pl
import pytest

from indistinct.errors import DataError
from indistinct.tables.reading.declared_formats import Reading
from indistinct.tables.reading.files import read_file

TEXT = b"age,sex\n30,m\n40,f\n"


@pytest.mark.parametrize(
    ("ending", "content", "kind"),
    [
        (".csv.gz", gzip.compress(TEXT), "is compressed with gzip"),
        (".csv.bz2", bz2.compress(TEXT), "is compressed with bzip2"),
        (".csv.xz", lzma.compress(TEXT), "is compressed with xz"),
        (".csv", bz2.compress(TEXT), "is not what its ending says: it is compressed with bzip2"),
        (".csv", b"\x89PNG\r\n\x1a\n" + bytes(200), "it is a PNG picture"),
        (".txt", random.Random(1).randbytes(4_000), "is not a text"),
        (".csv", bytes(8) + b"DUCK" + bytes(4_000), "it is a DuckDB database"),
    ],
    ids=["gzip", "bzip2", "xz", "bzip2 as csv", "picture", "noise", "database"],
)
@pytest.mark.parametrize("reading", [None, Reading()])
def test_the_kind_of_a_file_is_said(
    tmp_path: Path, ending: str, content: bytes, kind: str, reading: Reading | None
) -> None:
    """By every reader, of a table as of a release."""
    path = tmp_path / f"data{ending}"
    path.write_bytes(content)
    with pytest.raises(DataError, match=kind):
        read_file(path, reading=reading)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-32"])
def test_texts_stay_texts(tmp_path: Path, encoding: str) -> None:
    """Letters of two and four bytes have bytes of zero, and a text may have a stray mark."""
    path = tmp_path / "data.csv"
    path.write_bytes("age,note\n30,a\x0bb\n40,c\n".encode(encoding))
    assert read_file(path, reading=Reading()).frame["age"].to_list() == [30, 40]


def test_a_table_is_still_read_whatever_it_is_called(tmp_path: Path) -> None:
    """The bytes decide, not a second ending."""
    path = tmp_path / "data.gz.parquet"
    pl.DataFrame({"age": [1]}).write_parquet(path)
    assert read_file(path).frame["age"].to_list() == [1]

"""The pages of a Parquet file are looked into, whoever wrote it and however it is compressed."""

import zlib

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indistinct.reader.verify import parquet_layout
from indistinct.reader.verify.bytes_scan import hidden_bytes, hidden_texts, unread_parts
from indistinct.reader.verify.compressed_frames import is_whole
from indistinct.reader.verify.parquet_layout import parquet_layout as layout_of

NAMES = [f"a long secret of person {number:03d}" for number in range(100)]
TABLE = pl.DataFrame({"text": NAMES})


def foreign(path, compression, n_rows=100, **words) -> pl.DataFrame:
    """Let pyarrow write the first rows, with the dictionary of all of them."""
    pa = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    whole = pa.table({"text": pa.array(NAMES).dictionary_encode()})
    parquet.write_table(whole.slice(0, n_rows), path, compression=compression, **words)
    return pl.read_parquet(path)


@pytest.mark.parametrize("compression", ["none", "snappy", "gzip", "brotli", "zstd", "lz4"])
@pytest.mark.parametrize("version", ["1.0", "2.0"])
def test_a_dictionary_of_more_than_the_cells_is_found(tmp_path, compression, version):
    """By its length without the input, and by its texts with it."""
    path = tmp_path / "out.parquet"
    shown = foreign(path, compression, 50, data_page_version=version, write_page_index=True)
    assert [fault.place for fault in hidden_bytes(path, shown)] == ["columns.text"]
    (found,) = hidden_texts(path, shown, TABLE)
    assert found.problem == "50 texts in the file are not shown in any cell"
    shown = foreign(path, compression, data_page_version=version, write_page_index=True)
    assert not [*hidden_bytes(path, shown), *hidden_texts(path, shown, TABLE), *unread_parts(path)]


def test_texts_in_place_of_the_shown_ones_are_found(tmp_path):
    """A dictionary of as many texts as the cells have, but of others, or with bytes behind them."""
    path = tmp_path / "out.parquet"
    pl.DataFrame({"text": ["aaaaaa", "bbbbbb"] * 50}).write_parquet(
        path, compression="uncompressed", statistics=False
    )
    other = pl.DataFrame({"text": ["aaaaaa", "cccccc"] * 50})
    assert not [*hidden_bytes(path, pl.read_parquet(path))]
    assert [fault.place for fault in hidden_bytes(path, other)] == ["columns.text"]


def test_without_a_decompressor_the_length_still_tells(tmp_path, monkeypatch):
    """And a note names the columns whose pages were not searched."""
    path = tmp_path / "out.parquet"
    shown = foreign(path, "zstd", 50)
    monkeypatch.setattr(parquet_layout, "_decompressor", lambda codec: None)
    assert [fault.place for fault in hidden_bytes(path, shown)] == ["columns.text"]
    (note,) = unread_parts(path)
    assert "text are compressed and were not searched" in note


@pytest.mark.parametrize("compression", ["uncompressed", "snappy", "gzip", "brotli", "zstd", "lz4"])
def test_files_of_polars_are_read_to_the_last_byte(tmp_path, compression):
    """Of every type and several groups of rows: nothing is between the parts."""
    path = tmp_path / "out.parquet"
    frame = TABLE.with_columns(
        number=pl.int_range(100).cast(pl.Float64) / 7,
        date=pl.int_range(100).cast(pl.Date),
        truth=pl.int_range(100) % 2 == 0,
        kind=(pl.int_range(100) % 3).cast(pl.String).cast(pl.Categorical),
        gap=pl.when(pl.int_range(100) % 3 == 0).then(pl.int_range(100)),
        zero=pl.Series([0.0, -0.0, None, float("nan")] * 25),
    )
    frame.write_parquet(path, compression=compression, row_group_size=30)
    assert not [*hidden_bytes(path, frame)]
    assert unread_parts(path) == ()
    layout = layout_of(path.read_bytes())
    assert layout is not None
    assert len(layout.chunks) == 4 * frame.width


def test_bytes_between_the_parts_are_found(tmp_path):
    path = tmp_path / "out.parquet"
    TABLE.write_parquet(path)
    content = path.read_bytes()
    footer = len(content) - 8 - int.from_bytes(content[-8:-4], "little")
    path.write_bytes(content[:footer] + b"hidden!!" + content[footer:])
    assert [fault.problem for fault in hidden_bytes(path, TABLE)] == [
        "holds bytes between its parts"
    ]


def test_a_file_that_cannot_be_walked_through_is_said_so(tmp_path):
    """Whatever its bytes are, nothing is raised."""
    path = tmp_path / "out.parquet"
    TABLE.write_parquet(path)
    content = path.read_bytes()
    for place in range(4, len(content), 7):
        path.write_bytes(content[:place] + bytes([content[place] ^ 255]) + content[place + 1 :])
        list(hidden_bytes(path, TABLE))
        unread_parts(path)
    path.write_bytes(b"PAR1" + b"\xff" * 40 + b"PAR1")
    assert len(unread_parts(path)) == 1


def test_bloom_filters_are_noted_and_are_no_bytes_beside_the_cells(tmp_path):
    """DuckDB writes one for each column with a dictionary; it can be asked for any value."""
    duckdb = pytest.importorskip("duckdb")
    path = tmp_path / "out.parquet"
    with duckdb.connect() as engine:
        cells = "select ['red', 'green', 'blue'][1 + range % 3] as text from range(6000)"
        engine.execute(f"copy ({cells}) to '{path}' (format parquet)")
    layout = layout_of(path.read_bytes())
    assert layout is not None
    assert (layout.has_filters, layout.between) == (True, b"")
    shown = pl.read_parquet(path)
    assert not list(hidden_bytes(path, shown))
    [note] = unread_parts(path)
    assert "Bloom filters" in note
    shown.write_parquet(path)
    assert unread_parts(path) == ()


LONG = "\r\nänd ß 漢字 "
MASKED = pl.DataFrame(
    {
        "text": [
            "*",
            "mkaxlgnubt\nlin*",
            "1*",
            f"mkhyfrrpyg{LONG}*",
            "mkcrobbxx*",
            f"mkmbtefhzg{LONG}*",
        ]
    }
)
SECRET = pl.DataFrame({"text": ["mkcrobbxxm"]})


@pytest.mark.parametrize("compression", ["zstd", "gzip", "snappy", "lz4"])
def test_texts_that_meet_in_compressed_bytes_are_not_in_the_file(tmp_path, compression):
    """What is repeated is left out, so that a masked text is followed by the letter it hides."""
    path = tmp_path / "out.parquet"
    MASKED.write_parquet(path, compression=compression, statistics=False)
    if compression == "zstd":
        assert b"mkcrobbxxm" in path.read_bytes()
    assert not [*hidden_texts(path, MASKED, SECRET), *unread_parts(path)]


@pytest.mark.parametrize("kind", ["skipped frame", "name", "second stream"])
def test_texts_beside_compressed_bytes_are_in_the_file(kind):
    """A frame that decompression skips, and words in the header of a stream, can be read."""
    zstd, gzip = 6, 2
    stream = zlib.compressobj(wbits=31)
    packed = stream.compress(b"shown" * 9) + stream.flush()
    pa = pytest.importorskip("pyarrow")
    frame = pa.Codec("zstd").compress(b"shown" * 9, asbytes=True)
    assert is_whole(packed, gzip)
    assert is_whole(frame, zstd)
    assert is_whole(frame + frame, zstd)
    other, codec = {
        "skipped frame": (b"\x50\x2a\x4d\x18\x06\0\0\0secret" + frame, zstd),
        "name": (packed[:3] + b"\x08" + packed[4:10] + b"secret\0" + packed[10:], gzip),
        "second stream": (packed + packed, gzip),
    }[kind]
    assert not is_whole(other, codec)
    assert not is_whole(frame[:-1] if codec == zstd else packed[:-9], codec)


@given(st.binary(max_size=3000), st.integers(1, 9), st.booleans())
@settings(max_examples=40)
def test_whatever_was_compressed_is_whole_and_with_bytes_behind_it_is_not(content, level, repeats):
    pa = pytest.importorskip("pyarrow")
    content *= 50 if repeats else 1
    packed = pa.Codec("zstd", level).compress(content, asbytes=True)
    assert is_whole(packed, 6)
    assert not is_whole(packed + b"more", 6)
    packed = zlib.compress(content, level)
    assert is_whole(packed, 2)
    assert not is_whole(packed + b"more", 2)


def test_a_page_with_bytes_beside_what_is_compressed_is_searched_as_it_is(monkeypatch, tmp_path):
    path = tmp_path / "out.parquet"
    MASKED.write_parquet(path, compression="zstd", statistics=False)
    monkeypatch.setattr(parquet_layout, "is_whole", lambda part, codec: False)
    (found,) = hidden_texts(path, MASKED, SECRET)
    assert found.place == "columns.text"

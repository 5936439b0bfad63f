"""What counts as one value is one value in the written file, for every type a column can have."""

import csv
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl
import pytest
from hypothesis import given, settings, strategies as st

from indistinct.tables.frames.encoding import encode
from indistinct.tables.publish.anonymization import anonymize
from indistinct.tables.reading import files
from indistinct.tables.verification.texts import lost_differences, text_as_read
from shared import longer

SMALL = st.integers(0, 3)
NEAR = st.integers(0, 3).map(lambda step: step * 250)  # less than a second apart
WORDS = ["north", "north ", "?", "", "1", "1.0"]
TYPES = {
    "bool": (pl.Boolean, SMALL.map(lambda n: n % 2)),
    **{str(kind): (kind, SMALL) for kind in (pl.Int8, pl.Int64, pl.UInt64, pl.Int128, pl.UInt128)},
    "i128 wide": (pl.Int128, SMALL.map(lambda n: 2**100 + n)),
    **{
        str(kind): (kind, st.sampled_from([0.0, -0.0, float("nan"), 0.1, 0.3]))
        for kind in (pl.Float32, pl.Float64)
    },
    "decimal": (pl.Decimal(20, 3), st.sampled_from(["1.100", "1.101", "1.1", "0"])),
    "date": (pl.Date, SMALL),
    "time": (pl.Time, NEAR),
    **{
        f"moment {unit} {zone}": (pl.Datetime(unit, zone), NEAR)
        for unit in ("ms", "us", "ns")
        for zone in (None, "UTC", "Europe/Berlin")
    },
    **{f"duration {unit}": (pl.Duration(unit), NEAR) for unit in ("ms", "us", "ns")},
    "text": (pl.String, st.sampled_from(WORDS)),
    "categorical": (pl.Categorical, st.sampled_from(WORDS)),
    "enum": (pl.Enum(["unused", *WORDS]), st.sampled_from(WORDS)),
}


@st.composite
def columns(draw, kind: str) -> pl.Series:
    """Draw a column of a type, with values close to each other and missing ones."""
    dtype, values = TYPES[kind]
    drawn = draw(st.lists(st.none() | values, min_size=2, max_size=8))
    return pl.Series("x", drawn, strict=False).cast(dtype)


def written_cells(frame: pl.DataFrame, ending: str) -> list:
    """Write a frame, and read its cells back with nothing of ours."""
    with TemporaryDirectory() as folder:
        path = str(Path(folder) / f"table{ending}")
        files.write_file(frame, path, files.format_of_file(path))
        if ending == ".csv":
            with Path(path).open(encoding="utf-8", newline="") as file:
                return [row[0] for row in csv.reader(file)][1:]
        read = pl.read_parquet(path) if ending == ".parquet" else pl.read_ipc(path)
        column = read["x"]
        exact = column if not column.dtype.is_temporal() else column.to_physical()
        return [repr(cell) for cell in exact.to_list()]


# Every type as text, where most can go wrong, and every sixth in each other format.
@pytest.mark.parametrize(
    ("kind", "ending"),
    longer(
        product(TYPES, [".csv", ".parquet", ".arrow"]),
        {*product(TYPES, [".csv"]), *product(list(TYPES)[::6], [".parquet", ".arrow"])},
    ),
)
@settings(max_examples=max(settings().max_examples // 4, 1))  # of each type in each format
@given(data=st.data())
def test_equal_codes_if_and_only_if_equal_cells(data, kind, ending):
    """Search, written file and verification agree on which cells are equal."""
    column = data.draw(columns(kind))
    frame = files.read_file(pl.DataFrame([column, pl.Series("y", range(len(column)))])).frame
    codes = encode(frame["x"], "").codes.tolist()
    cells = written_cells(frame, ending)
    texts = text_as_read(frame["x"]).to_list()
    pairs = [(one, other) for one in range(len(codes)) for other in range(one)]
    for one, other in pairs:
        assert (codes[one] == codes[other]) == (cells[one] == cells[other])
        assert (codes[one] == codes[other]) == (texts[one] == texts[other])
    assert not list(lost_differences(frame))


@pytest.mark.parametrize("kind", [kind for kind in TYPES if kind != "bool"])
def test_neighboring_values_are_told_apart(kind):
    """Two values that lie as close as the type allows are two classes of one, not one of two."""
    dtype, _ = TYPES[kind]
    close = {
        "text": ["1", "1.0"],
        "categorical": ["1", "1.0"],
        "enum": ["1", "1.0"],
        "decimal": ["1.100", "1.101"],
        "i128 wide": [2**100, 2**100 + 1],
    }
    values = close.get(kind, [0, 1] if not dtype.is_float() else [0.1, 0.3])
    frame = pl.DataFrame({"x": pl.Series(values, strict=False).cast(dtype)})
    assert encode(frame["x"], "").codes.tolist() in ([0, 1], [1, 0])


@pytest.mark.parametrize("ending", [".csv", ".parquet", ".arrow"])
def test_twenty_times_of_a_second_are_not_one_class(ending, tmp_path):
    """Fractions of a second keep twenty people apart, in the search and in the check."""
    times = pl.Series("x", range(20)).cast(pl.Time)
    release = anonymize(
        pl.DataFrame({"x": times, "d": ["flu", "cold"] * 10}),
        quasi_identifiers=["x"],
        sensitive=["d"],
        k=20,
    )
    path = tmp_path / f"out{ending}"
    release.write(path)
    assert release.frame["x"].unique().to_list() == ["*"]

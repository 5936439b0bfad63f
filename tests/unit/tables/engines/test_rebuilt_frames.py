"""No release and no frame holds more than its cells."""

import datetime as dt
import re

import numpy as np
import polars as pl
import pytest

import indistinct as ind
from indistinct.tables.reading.rebuild import rebuilt
from indistinct.tables.verification.bytes import BESIDE

N_RECORDS = 100
NUMBERS = pl.Series("number", range(N_RECORDS))
NAMES = pl.Series("name", [f"a long secret of person {number:03d}" for number in range(N_RECORDS)])
TYPES = {
    "text": NAMES,
    "categorical": NAMES.cast(pl.Categorical),
    "enum": NAMES.cast(pl.Enum(NAMES)),
    "number": NUMBERS,
    "float": NUMBERS.cast(pl.Float32),
    "wide": NUMBERS.cast(pl.Int128),
    "decimal": NUMBERS.cast(pl.Decimal(20, 2)),
    "time": NUMBERS.cast(pl.Time),
    "date": NUMBERS.cast(pl.Date),
    "moment": NUMBERS.cast(pl.Datetime("us", "UTC")),
    "duration": NUMBERS.cast(pl.Duration("us")),
    "bool": NUMBERS % 2 == 0,
    "nothing": pl.Series([None] * N_RECORDS),
}
TABLE = pl.DataFrame([column.alias(name) for name, column in TYPES.items()])


def persons(content: bytes) -> list[int]:
    """Find the numbers of the people whose text stands in some bytes, in order."""
    return [int(number) for number in re.findall(rb"person (\d{3})", content)]


def taken(share: float = 0.95) -> pl.DataFrame:
    """Take most of the rows in a random order, as a release does."""
    return TABLE[np.random.default_rng(1).permutation(N_RECORDS)[: round(N_RECORDS * share)]]


def medical(kind=pl.String) -> pl.DataFrame:
    """Make a table with a long text for each person, one of them to be suppressed."""
    return pl.DataFrame(
        {
            "age": [30, 30, 30, 31, 31, 31] * 5 + [77],
            "when": [dt.date(2020, 1, 1)] * 31,
            "illness": pl.Series(
                [f"a long illness of person {n % 15:03d}" for n in range(30)]
                + ["a long illness of person 999"]
            ).cast(kind),
        }
    )


@pytest.mark.parametrize("kind", [pl.String, pl.Categorical, pl.Enum])
@pytest.mark.parametrize("ending", [".arrow", ".parquet", ".csv"])
def test_no_release_gives_a_suppressed_text_away(tmp_path, kind, ending):
    """Neither the files nor the frames that are handed back name a suppressed record."""
    frame = medical()
    if kind is pl.Enum:
        kind = pl.Enum(frame["illness"].unique().sort())
    frame = frame.cast({"illness": kind})
    policy = ind.Policy.from_words(
        {
            "columns": {
                "age": {
                    "role": "quasi-identifier",
                    "hierarchy": {"intervals": [2]},
                    "max_level": 1,
                },
                "when": {"role": "insensitive"},
                "illness": {"role": "sensitive"},
            },
            "models": [{"name": "k-anonymity", "k": 5}],
            "method": {"max_suppression": 0.1},
        }
    )
    release = ind.anonymize(frame, policy)
    assert release.manifest["records"]["suppressed"] == 1
    path = tmp_path / f"out{ending}"
    release.write(path)
    assert b"person 999" not in path.read_bytes()
    release.data.write_ipc(tmp_path / "own.arrow")
    assert b"person 999" not in (tmp_path / "own.arrow").read_bytes()
    assert ind.verify(path, policy, original=frame).holds


@pytest.mark.parametrize("library", ["pandas", "pyarrow"])
def test_frames_of_other_libraries_hold_their_cells_alone(library):
    """Categories of pandas and dictionaries of pyarrow list what occurs."""
    pytest.importorskip(library)
    pytest.importorskip("pyarrow")
    frame = medical(pl.Categorical)
    native = frame.to_pandas() if library == "pandas" else frame.to_arrow()
    release = ind.anonymize(
        native,
        quasi_identifiers=["age"],
        sensitive=["illness"],
        insensitive=["when"],
        k=5,
        max_suppression=0.1,
    )
    column = release.data["illness"]
    listed = (
        list(column.cat.categories)
        if library == "pandas"
        else [entry for chunk in column.chunks for entry in chunk.dictionary.to_pylist()]
    )
    shown = set(column.tolist() if library == "pandas" else column.to_pylist())
    assert set(listed) == shown


def test_verification_sees_a_file_that_gives_texts_away(tmp_path):
    """A release that somebody wrote on without rebuilding it does not hold."""
    frame = medical()
    policy = ind.Policy.from_keywords(
        quasi_identifiers=["age"], sensitive=["illness"], insensitive=["when"], k=5
    )
    leaking = frame[np.r_[1:30, 0]].with_columns(age=pl.lit("*"))
    path = tmp_path / "out.arrow"
    leaking.write_ipc(path)
    found = ind.verify(path, policy)
    assert BESIDE in {fault.problem for fault in found.faults}


@pytest.mark.parametrize("column", ["text", "categorical", "enum"])
def test_dictionaries_of_parquet_hold_shown_texts_alone(column, tmp_path):
    """Compressed pages are not looked into: that Polars writes nothing else is tested without."""
    path = tmp_path / "out.parquet"
    frame = rebuilt(taken(0.5).select(column))
    frame.write_parquet(path, compression="uncompressed")
    shown = {int(text[-3:]) for text in frame[column].cast(pl.String)}
    found = persons(path.read_bytes())
    assert set(found) == shown
    assert len(set(found)) < N_RECORDS

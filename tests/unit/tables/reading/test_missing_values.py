"""A missing value is released in one way, however it was written."""

import polars as pl
import pytest

import indistinct as ind
from indistinct.tables.reading import files
from indistinct.tables.reading.declared_formats import Reading
from indistinct.tables.reading.missing_values import with_one_missing

NAN = float("nan")


def policy_of(missing: list[str]) -> ind.Policy:
    """Make a policy for a place, an insensitive note and an illness."""
    roles = {"place": "quasi-identifier", "note": "insensitive", "illness": "sensitive"}
    return ind.Policy.from_words(
        {
            "data": {"missing": missing},
            "columns": {name: {"role": role} for name, role in roles.items()},
            "models": [{"name": "k-anonymity", "k": 2}],
        }
    )


def written(release, path) -> pl.DataFrame:
    release.write(path)
    return (
        pl.read_csv(path, infer_schema=False)
        if path.suffix == ".csv"
        else (pl.read_parquet(path) if path.suffix == ".parquet" else pl.read_ipc(path))
    )


@pytest.mark.parametrize("ending", [".csv", ".parquet", ".arrow"])
@pytest.mark.parametrize("kind", [pl.String, pl.Categorical, pl.Enum(["a", "", "?"])])
def test_words_for_missing_are_one_cell_in_every_column(tmp_path, ending, kind):
    """Null, the empty text and a configured word are one value in the count and in the file."""
    cells = ["a", "a", None, "", "?", "?"]
    frame = pl.DataFrame(dict.fromkeys(("place", "note", "illness"), cells))
    frame = frame.cast({"place": kind, "note": kind, "illness": kind})
    release = ind.anonymize(frame, policy_of(["", "?"]))
    read = written(release, tmp_path / f"out{ending}")
    assert release.manifest["classes"]["count"] == 2
    for name in read.columns:
        assert sorted(read[name].cast(pl.String).to_list(), key=str) == [None] * 4 + ["a", "a"]


@pytest.mark.parametrize("ending", [".csv", ".parquet", ".arrow"])
def test_nan_beside_null_and_minus_zero_beside_zero(tmp_path, ending):
    """Numbers that count as one are written as one."""
    numbers = [0.0, -0.0, NAN, None, 5.0, 5.0]
    frame = pl.DataFrame({"place": numbers, "note": numbers, "illness": numbers})
    release = ind.anonymize(frame, policy_of([""]))
    read = written(release, tmp_path / f"out{ending}")
    for name in read.columns:
        expected = {"0", None, "5"} if ending == ".csv" else {"0.0", None, "5.0"}
        assert set(read[name].cast(pl.String).to_list()) == expected


def test_types_and_untouched_columns_stay():
    """A column in which nothing is missing stays as it is; a numeric word means its number."""
    frame = pl.DataFrame({"a": pl.Series([1, -99], dtype=pl.Int16), "b": ["x", "y"]})
    read = files.read_file(frame, reading=Reading(missing=("", "-99"))).frame
    assert read["a"].to_list() == [1, None]
    assert read.schema == frame.schema
    assert with_one_missing(frame, ("",)).equals(frame)


def test_verification_finds_an_empty_text_beside_a_missing_cell(tmp_path):
    """Two cells that would count as one class but differ in the file are a fault."""
    path = tmp_path / "out.parquet"
    pl.DataFrame({"place": ["", None], "note": ["x", "x"], "illness": ["f", "c"]}).write_parquet(
        path
    )
    found = ind.verify(path, policy_of([""]))
    assert not found.holds
    assert any("count as one value" in fault.problem for fault in found.faults)


@pytest.mark.parametrize("name", ["records", "value", "len", "*", "count", "rows", "column 0"])
@pytest.mark.parametrize("algorithm", ["optimal", "local", "mondrian"])
def test_any_name_may_be_that_of_a_quasi_identifier(tmp_path, name, algorithm):
    """Names that the engine uses for itself, or reads as a pattern, are names like any other."""
    frame = pl.DataFrame(
        {name: [1, 1, 2, 2, 9, 9] * 4, "place": ["a", "b"] * 12, "d": ["x", "y", "z"] * 8}
    )
    policy = ind.Policy.from_keywords(
        quasi_identifiers=[name, "place"], sensitive=["d"], k=4, algorithm=algorithm
    )
    release = ind.anonymize(frame, policy)
    release.write(tmp_path / "out.csv")
    assert ind.verify(tmp_path / "out.csv", policy, original=frame).holds
    assert ind.assess(tmp_path / "out.csv", policy, original=frame).classes["smallest"] >= 4


def test_a_name_that_reads_as_a_pattern_is_refused():
    """Polars takes ^...$ for a pattern of names and finds no column."""
    with pytest.raises(ind.DataError, match="pattern"):
        files.read_file(pl.DataFrame({"^a$": [1]}))


@pytest.mark.parametrize("kind", [pl.Duration("us"), pl.Duration("ns"), pl.Int128])
@pytest.mark.parametrize("role", ["place", "note", "illness"])
@pytest.mark.parametrize("ending", [".csv", ".parquet", ".arrow"])
def test_durations_and_wide_numbers_are_released(tmp_path, kind, role, ending):
    """A column of these types may have any role."""
    frame = pl.DataFrame({name: ["a", "b"] * 6 for name in ("place", "note", "illness")})
    values = pl.Series(role, [1, 1, 2, 2, 3, 3] * 2).cast(kind)
    frame = frame.with_columns(values)
    policy = policy_of([""])
    release = ind.anonymize(frame, policy)
    release.write(tmp_path / f"out{ending}")
    assert ind.verify(tmp_path / f"out{ending}", policy, original=frame).holds

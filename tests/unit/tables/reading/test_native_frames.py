"""Frames of pandas and pyarrow come back with their types, their index and nothing else."""

import polars as pl
import pytest

import indistinct as ind
from indistinct.errors import DataError, SchemaError
from indistinct.tables.reading import files

pd = pytest.importorskip("pandas")
pa = pytest.importorskip("pyarrow")

N = 12


def frame(**more):
    return pd.DataFrame(
        {
            "age": pd.array([20, 30, None] * 4, dtype="Int64"),
            "visits": pd.array([2**60 + 1, None, 3] * 4, dtype="Int64"),
            "smokes": pd.array([True, None, False] * 4, dtype="boolean"),
            "pain": pd.Categorical(
                ["low", "high", None] * 4, categories=["low", "medium", "high"], ordered=True
            ),
            "ward": pd.Categorical(["x", "y", "x"] * 4),
            "note": pd.array(["a", None, "b"] * 4, dtype="string"),
        },
        **more,
    )


ROLES = {
    "quasi_identifiers": ["age"],
    "sensitive": ["pain"],
    "insensitive": ["visits", "smokes", "ward", "note"],
    "k": 2,
}


def test_types_of_pandas_survive():
    """Int64 with missing values, booleans, texts and ordered categories; no digit is lost."""
    given = frame()
    found = ind.anonymize(given, **ROLES, seed=1).data
    for name in ("visits", "smokes", "note"):
        assert found[name].dtype == given[name].dtype
        assert found[name].value_counts(dropna=False).to_dict() == (
            given[name].value_counts(dropna=False).to_dict()
        )
    assert found["pain"].cat.ordered
    # A category that no cell shows is left out; the order of the others stays.
    assert found["pain"].cat.categories.tolist() == ["low", "high"]
    assert found["ward"].dtype.name == "category"
    assert not found["ward"].cat.ordered


def test_a_generalized_column_is_text():
    given = frame().assign(age=pd.array(range(N), dtype="Int64"))
    found = ind.anonymize(given, **ROLES, seed=1).data
    assert all(isinstance(cell, str) for cell in found["age"])


def test_a_named_index_is_part_of_the_data():
    """It needs a role, and comes back as the index where it is released."""
    index = pd.Index([f"w{n % 2}" for n in range(N)], name="clinic")
    with pytest.raises(SchemaError, match=r"columns\.clinic: is in the data but not in the policy"):
        ind.anonymize(frame(index=index), **ROLES)
    kept = {**ROLES, "insensitive": [*ROLES["insensitive"], "clinic"]}
    found = ind.anonymize(frame(index=index), **kept, seed=1).data
    assert found.index.name == "clinic"
    assert sorted(found.index) == sorted(index)
    left = ind.anonymize(frame(index=index), **ROLES, identifiers=["clinic"], seed=1).data
    assert left.index.names == [None]
    assert "clinic" not in left.columns


def test_an_index_of_two_levels_survives():
    levels = [["a", "b"] * 6, [1, 1, 2] * 4]
    index = pd.MultiIndex.from_arrays(levels, names=["clinic", "year"])
    kept = {**ROLES, "insensitive": [*ROLES["insensitive"], "clinic", "year"]}
    found = ind.anonymize(frame(index=index), **kept, seed=1).data
    assert list(found.index.names) == ["clinic", "year"]
    assert sorted(found.index) == sorted(index)


def test_a_nameless_index_numbers_the_rows_and_is_left_out():
    """It would tell the order of the input."""
    found = ind.anonymize(frame(index=range(100, 100 + N)), **ROLES, seed=1).data
    assert found.index.tolist() == list(range(N))


def test_an_index_with_the_name_of_a_column_is_refused():
    with pytest.raises(DataError, match="named twice"):
        files.read_file(frame(index=pd.Index(range(N), name="age")))


def test_pyarrow_gets_no_metadata_of_another_library():
    """Neither of the table nor of a column, and no list of categories beside the cells."""
    given = pa.Table.from_pandas(frame()).replace_schema_metadata({"secret": "yes"})
    assert given.schema.field("pain").type.ordered
    found = ind.anonymize(given, **ROLES, seed=1).data
    assert found.schema.metadata is None
    assert [column.metadata for column in found.schema] == [None] * found.num_columns
    assert found.schema.field("pain").type.ordered
    assert found["pain"].unify_dictionaries().chunk(0).dictionary.to_pylist() == ["low", "high"]
    assert sorted(filter(None, found["pain"].to_pylist())) == ["high"] * 4 + ["low"] * 4


def test_polars_stays_as_it_is():
    given = pl.DataFrame(
        {"age": [1, 1, 2, 2], "x": pl.Series(["a", "b"] * 2, dtype=pl.Categorical)}
    )
    found = ind.anonymize(given, quasi_identifiers=["age"], insensitive=["x"], k=2, seed=1).data
    assert found.schema["x"] == pl.Categorical

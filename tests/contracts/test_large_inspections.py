"""An inspection from counts says what the one in memory says, on every engine."""

from importlib import import_module

import numpy as np
import polars as pl
import pytest

import indistinct as ind
from indistinct.errors import CapacityError, ParameterError
from indistinct.tables.engines.choosing import Resources
from large_tables import PLACES, Place, hostile_table, policy_of
from wide_tables import hospital, survey, write_table


@pytest.mark.parametrize("place", PLACES, ids=str)
def test_columns_are_described_as_in_memory(place, tmp_path):
    """Distinct values, missing ones, roles, costs, and the quasi-identifiers together."""
    frame = hostile_table(300, 5, typed=place.typed)
    address, _ = place.put(frame, tmp_path)
    found = ind.inspect(address, engine=place.engine, memory="2GB")
    whole = ind.inspect(in_memory(place, frame, address))
    assert found.document() == whole.document()
    assert found.draft() == whole.draft()
    assert found.doubts == whole.doubts


@pytest.mark.parametrize(
    ("engine", "make"), [("polars", hospital), ("duckdb", survey)], ids=["polars", "duckdb"]
)
def test_a_wide_table_has_the_same_draft(engine, make, tmp_path):
    """Words for missing values change types; columns follow from others; costs differ."""
    write_table(make(600), tmp_path / "in.csv")
    found = ind.inspect(tmp_path / "in.csv", engine=engine, memory="2GB")
    whole = ind.inspect(tmp_path / "in.csv")
    assert found.missing == whole.missing != ("",)
    assert found.document() == whole.document()
    assert found.draft(yes_to_suggestions=True) == whole.draft(yes_to_suggestions=True)


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_a_policy_gives_the_roles(engine, tmp_path):
    """Suggestions give way to the policy; words for missing values are its own."""
    frame = hostile_table(100, 2)
    address, _ = Place(engine, "folder").put(frame, tmp_path)
    found = ind.inspect(address, policy_of(), engine=engine)
    assert found.document() == ind.inspect(frame, policy_of()).document()


def hold_few_rows(monkeypatch, engine):
    """Let an engine hold a thousand distinct rows, whatever the memory."""
    few = Resources(engine, 2 * 10**9, most_rows=1000)
    monkeypatch.setattr(
        import_module("indistinct.tables.publish.table_inspection"), "resources_of", lambda *_: few
    )


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_a_column_of_too_many_values_is_judged_by_some_records(engine, tmp_path, monkeypatch):
    """Its values are guessed, nothing else of it is lost; what does not fit is refused."""
    chance = np.random.default_rng(1)
    frame = pl.DataFrame(
        {
            "patient_id": chance.permutation(6000),
            "age": chance.integers(18, 60, 6000),
            "blob": chance.permutation(6000) / 7,
        }
    )
    frame.write_parquet(tmp_path / "in.parquet")
    hold_few_rows(monkeypatch, engine)
    found = {one.name: one for one in ind.inspect(tmp_path / "in.parquet").columns}
    assert found["patient_id"].role == "identifier"
    assert found["patient_id"].distinct == pytest.approx(6000, rel=0.1)
    assert found["age"].distinct == 42
    assert found["blob"].role == "undecided"
    assert found["blob"].cost is None
    with pytest.raises(CapacityError, match="age, blob"):
        ind.inspect(
            tmp_path / "in.parquet",
            ind.Policy.from_keywords(
                identifiers=["patient_id"], quasi_identifiers=["age", "blob"], k=2
            ),
        )


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_words_for_missing_values_leave_a_column_of_too_many_values(engine, tmp_path, monkeypatch):
    """The table is opened again for the words; what was guessed of the column stays known."""
    frame = pl.DataFrame({"patient_id": range(6000), "ward": ["north", "south", "?"] * 2000})
    frame.write_parquet(tmp_path / "in.parquet")
    hold_few_rows(monkeypatch, engine)
    found = ind.inspect(tmp_path / "in.parquet")
    assert found.missing == ("", "?")
    assert [one.missing for one in found.columns] == [0, 2000]


def test_vulnerability_is_refused_in_one_sentence(tmp_path):
    """It takes single records."""
    address, _ = Place("polars", "folder").put(hostile_table(50, 5), tmp_path)
    with pytest.raises(ParameterError, match="single records"):
        ind.inspect(address, vulnerability="identity")


def in_memory(place, frame, address):
    """Return the same table to be read whole, with the types that its place gives."""
    return address if place.kind == "csv" else frame

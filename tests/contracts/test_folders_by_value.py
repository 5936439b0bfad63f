"""A release that is divided into folders by the values of a column."""

import hashlib
import json

import duckdb
import polars as pl
import pytest

import indistinct as ind
from indistinct.errors import DataError, OutputError
from indistinct.tables.engines import folders
from indistinct.tables.engines.choosing import Resources
from indistinct.tables.engines.folders import folder_name, value_in
from indistinct.tables.engines.sinks import sink_for
from indistinct.tables.publish.parts import anonymize_in_parts
from large_tables import PLACES, Place, hostile_table, policy_of, sorted_rows

IN_BRIEF = {"polars-parquet", "duckdb-folder"}
FOLDERS = [
    pytest.param(place, marks=[] if str(place) in IN_BRIEF else pytest.mark.slow)
    if isinstance(place, Place)
    else place
    for place in PLACES
]
CITIES = ["Basel", "São Paulo", "a/b", "O'Hara", 'the "x"', "100%", "..", "x=y", None]


def written(place, folder, column, frame, **options):
    """Publish a table in folders; give them and the policy."""
    policy = policy_of(typed=place.typed)
    address, _ = place.put(frame, folder)
    out, resources = folder / "divided", Resources(place.engine, 10**9)
    sink = sink_for(str(out), partition_by=column, rows_per_file=40)
    anonymize_in_parts(address, policy, sink, resources=resources, **options)
    return out, policy, address


@pytest.mark.parametrize("place", FOLDERS, ids=str)
def test_the_rows_of_the_folders_are_those_of_the_release(place, tmp_path):
    """Whatever the values are, and whichever engine wrote them."""
    frame = hostile_table(160, 3, typed=place.typed)
    chosen = [CITIES[row % len(CITIES)] for row in range(frame.height)]
    frame = frame.with_columns(note=pl.Series(chosen))
    expected = ind.anonymize(frame, policy_of(typed=place.typed), seed=1).data
    out, policy, _ = written(place, tmp_path, "note", frame)
    assert ind.verify(out, policy).holds is True
    found = pl.concat(
        pl.read_parquet(path, hive_partitioning=False).with_columns(
            note=pl.lit(value_in(path.parent.name)[1], pl.String)
        )
        for path in out.rglob("*.parquet")
    )
    assert {path.parent.name for path in out.rglob("*.parquet")} == {
        folder_name("note", city) for city in CITIES
    }
    assert sorted_rows(found.select(expected.columns)) == sorted_rows(expected)
    document = json.loads((out / "_manifest.json").read_text())["output"]
    assert document["partition_by"] == "note"
    lines = [
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(out).as_posix()}\n"
        for path in out.rglob("*.parquet")
    ]
    lines.sort(key=lambda line: line.split("  ", 1)[1])
    assert document["sha256"] == hashlib.sha256("".join(lines).encode()).hexdigest()


@pytest.mark.parametrize(
    ("engine", "column"),
    [
        ("polars", "city"),
        ("duckdb", "born"),
        *(
            pytest.param(engine, column, marks=pytest.mark.slow)
            for engine, column in [("polars", "born"), ("polars", "flag"), ("duckdb", "flag")]
        ),
    ],
)
def test_columns_of_any_kind_divide_a_release(engine, column, tmp_path):
    """Generalized ones, dates and truth values; other readers find the column, too."""
    frame = hostile_table(160, 4)
    expected = ind.anonymize(frame, policy_of(), seed=1).data
    out, policy, address = written(Place(engine, "parquet"), tmp_path, column, frame)
    found = ind.verify(out, policy, original=address)
    assert found.holds is True, found.faults
    kept = pl.read_parquet(f"{out}/**/*.parquet", hive_partitioning=True)
    counted = duckdb.sql(f"SELECT count(*) FROM read_parquet('{out}/**/*.parquet')").fetchall()
    assert kept.height == expected.height == counted[0][0]
    assert column in kept.columns


@pytest.mark.parametrize("engine", [pytest.param("polars", marks=pytest.mark.slow), "duckdb"])
def test_a_crosswalk_follows_the_records_into_their_folders(engine, tmp_path, monkeypatch):
    """And the release stays the same."""
    monkeypatch.setattr(folders, "ROWS", 50)
    frame = hostile_table(160, 5)
    place, hashes = Place(engine, "folder"), []
    for name in ("bare", "linked"):
        (tmp_path / name).mkdir()
        options = {"crosswalk": str(tmp_path / "cross.parquet")} if name == "linked" else {}
        out, policy, address = written(place, tmp_path / name, "note", frame, **options)
        hashes.append(json.loads((out / "_manifest.json").read_text())["output"]["sha256"])
    assert hashes[0] == hashes[1]
    found = ind.verify(out, policy, original=address, crosswalk=tmp_path / "cross.parquet")
    assert found.holds is True, found.faults


def test_a_record_in_another_folder_is_found(tmp_path):
    """A file that was moved, a folder that was renamed, and one that is named in another way."""
    out, policy, _ = written(Place("polars", "parquet"), tmp_path, "note", hostile_table(160, 3))
    assert ind.verify(out, policy).holds is True
    assert ind.assess(out, policy).anonymity["k"] >= 3
    one = out / folder_name("note", "ß")
    one.rename(out / "note=other")
    found = ind.verify(out, policy, original=str(tmp_path / "in.parquet"))
    assert found.holds is False
    assert "manifest.output.sha256" in {fault.place for fault in found.faults}
    (out / "note=other").rename(out / "note=ß")
    with pytest.raises(DataError, match="folder's name"):
        ind.verify(out, policy)


@pytest.mark.parametrize(
    ("column", "words"),
    [("name", "not a column of the release"), ("none", "not a column"), ("size", "fractions")],
)
def test_columns_that_cannot_divide_a_release_are_refused(column, words, tmp_path):
    """Identifiers, unknown columns and fractions; nothing is left behind."""
    with pytest.raises(OutputError, match=words):
        written(Place("polars", "parquet"), tmp_path, column, hostile_table(80, 1))
    assert [path.name for path in tmp_path.iterdir()] == ["in.parquet"]


def test_too_many_values_and_other_destinations_are_refused(tmp_path, monkeypatch):
    """A file and a table have no folders."""
    monkeypatch.setattr(folders, "MOST_FOLDERS", 3)
    with pytest.raises(OutputError, match="more than 3 values"):
        written(Place("duckdb", "parquet"), tmp_path, "note", hostile_table(80, 1))
    for address in ("out.parquet", "duckdb:///base.duckdb?table=out"):
        with pytest.raises(OutputError, match="Name a folder"):
            sink_for(address, partition_by="note")


def test_names_of_folders_are_read_back():
    """Any text, none included, has one name."""
    for text in [*CITIES, "__HIVE", "ß" * 9, "%2F", " ", "a\nb"]:
        name = folder_name("c d", text)
        assert "/" not in name
        assert value_in(name) == ("c d", text)

"""Releases that are written to object storage."""

import json
from pathlib import Path
from uuid import uuid4

import polars as pl
import pytest

import indistinct as ind
from indistinct.errors import OutputError
from indistinct.tables.engines.choosing import Resources
from indistinct.tables.engines.sinks import sink_for
from indistinct.tables.publish.parts import anonymize_in_parts
from large_tables import hostile_table, policy_of, sorted_rows
from stored import stored

pytest.importorskip("obstore", reason="needs the extra storage")


@pytest.fixture(name="bucket")
def a_bucket():
    """Name a bucket of this test alone: readers keep the connection to a bucket that they know."""
    return f"s3://bucket-{uuid4().hex}"


@pytest.fixture(name="storage")
def a_storage(monkeypatch):
    """Return what starts a storage with some objects, and is used as a context."""

    def started(objects, **behaviour):
        context = stored(objects, **behaviour)
        for name, value in context.__enter__().items():
            monkeypatch.setenv(name, value)
        open_ones.append(context)

    open_ones = []
    yield started
    for context in open_ones:
        context.__exit__(None, None, None)


@pytest.fixture(name="address")
def a_table(tmp_path):
    """Return the address of a table of this machine."""
    hostile_table(200, 3).write_parquet(tmp_path / "in.parquet")
    return str(tmp_path / "in.parquet")


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_the_parts_come_first_and_the_manifest_last(storage, address, bucket, engine, tmp_path):
    """The objects are the files that a folder would have, and the release is verified there."""
    objects, changes = {"release2/other": b"x"}, []
    storage(objects, changes=changes)
    policy, resources = policy_of(), Resources(engine, 10**9, str(tmp_path))
    anonymize_in_parts(
        address, policy, sink_for(f"{bucket}/release", rows_per_file=60), resources=resources
    )
    local = tmp_path / "local"
    anonymize_in_parts(address, policy, sink_for(str(local), rows_per_file=60), resources=resources)
    parts = {path.name: path.read_bytes() for path in local.glob("part-*")}
    assert len(parts) > 1
    kept = {key.removeprefix("release/"): body for key, body in objects.items()}
    assert {name: kept[name] for name in parts} == parts
    assert changes[-1] == ("put", "release/_manifest.json")
    assert set(kept) == {*parts, "_manifest.json", "release2/other"}
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith("indis")] == []
    found = ind.verify(f"{bucket}/release", policy, original=address)
    assert found.holds is True, found.faults


def test_what_the_manifest_does_not_list_is_not_released(storage, address, bucket):
    """A part of another run beside the others changes nothing; a changed one is found."""
    objects = {}
    storage(objects)
    policy = policy_of()
    anonymize_in_parts(
        address,
        policy,
        sink_for(f"{bucket}/release", rows_per_file=60),
        resources=Resources("polars"),
    )
    objects["release/part-99999.parquet"] = objects["release/part-00000.parquet"]
    assert ind.verify(f"{bucket}/release", policy).holds is True
    objects["release/part-00000.parquet"] = objects["release/part-00001.parquet"]
    found = ind.verify(f"{bucket}/release", policy)
    assert found.holds is False
    assert "manifest.output.sha256" in {fault.place for fault in found.faults}


@pytest.mark.parametrize(
    ("behaviour", "words"),
    [
        ({"refuses": lambda key: key.endswith("part-00001.parquet")}, "did not do"),
        ({"refuses": lambda key: key.endswith("_manifest.json")}, "did not do"),
        ({"spoils": lambda key: key.endswith("part-00001.parquet")}, "something else"),
    ],
)
def test_a_storage_that_fails_has_no_release(  # noqa: PLR0917 - fixtures and cases
    storage, address, bucket, behaviour, words, tmp_path
):
    """No part stays, no temporary file, and no word of the storage is repeated."""
    objects = {}
    storage(objects, **behaviour)
    resources = Resources("polars", 10**9, str(tmp_path))
    with pytest.raises(OutputError, match=words) as caught:
        anonymize_in_parts(
            address,
            policy_of(),
            sink_for(f"{bucket}/release", rows_per_file=60),
            resources=resources,
        )
    assert "secret" not in str(caught.value)
    assert objects == {}
    assert [path.name for path in tmp_path.iterdir()] == ["in.parquet"]


def test_a_release_is_replaced_only_where_it_is_asked_for(storage, address, bucket):
    """The old manifest goes before the first new part comes, and old parts go at the end."""
    objects, changes = {}, []
    storage(objects, changes=changes)
    policy, resources = policy_of(), Resources("polars")
    anonymize_in_parts(
        address, policy, sink_for(f"{bucket}/release", rows_per_file=40), resources=resources
    )
    with pytest.raises(OutputError, match="has objects already"):
        anonymize_in_parts(address, policy, sink_for(f"{bucket}/release"), resources=resources)
    changes.clear()
    anonymize_in_parts(
        address, policy, sink_for(f"{bucket}/release", may_replace=True), resources=resources
    )
    assert changes[0] == ("delete", "release/_manifest.json")
    assert sorted(objects) == ["release/_manifest.json", "release/part-00000.parquet"]
    assert len(json.loads(objects["release/_manifest.json"])["output"]["parts"]) == 1
    assert ind.verify(f"{bucket}/release", policy).holds is True


def test_a_table_in_storage_becomes_a_release_in_storage(storage, address, bucket, tmp_path):
    """And neither lies below the other."""
    objects = {"visits/a.parquet": Path(address).read_bytes()}
    storage(objects)
    policy, resources = policy_of(), Resources("polars")
    with pytest.raises(OutputError, match="is the input"):
        anonymize_in_parts(f"{bucket}/visits", policy, sink_for(f"{bucket}/visits/out"))
    anonymize_in_parts(
        f"{bucket}/visits", policy, sink_for(f"{bucket}/release"), resources=resources
    )
    (tmp_path / "got.parquet").write_bytes(objects["release/part-00000.parquet"])
    expected = ind.anonymize(pl.read_parquet(address), policy, seed=1).data
    assert sorted_rows(pl.read_parquet(tmp_path / "got.parquet")) == sorted_rows(expected)

"""The order of a release in folders: what the folders' names show anyway, and what they do not."""

import json

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import indistinct as ind
from indistinct.engines.choosing import Resources
from indistinct.engines.sinks import sink_for
from indistinct.publish.large import anonymize_large
from indistinct.reader.verify.folder_order import mixed
from indistinct.reader.verify.order import keeps_order

POLICY = ind.Policy(
    columns={
        "name": {"role": "identifier"},
        "age": {"role": "quasi-identifier", "hierarchy": {"intervals": [10, 100]}},
        "ill": {"role": "sensitive"},
        "ward": {"role": "insensitive"},
    },
    models=[{"name": "k-anonymity", "k": 5}],
)
N_RECORDS = 3_000
CROSSWALKS = {"rows": {}, "names": {"crosswalk_key": "name", "record_column": "record"}}


@given(st.lists(st.sampled_from(["a", "b", None]), max_size=30))
def test_the_rows_of_a_folder_stay_in_their_order(values):
    order = mixed(pl.Series(values, dtype=pl.String)).tolist()
    assert sorted(order) == list(range(len(values)))
    for value in ("a", "b", None):
        rows = [row for row in order if values[row] == value]
        assert rows == sorted(rows)


def test_folders_one_behind_the_other_show_nothing_but_sorted_ones_do():
    """One in 4e11 shuffled orders is taken for one that is kept."""
    values = pl.Series(["a"] * 500 + ["b"] * 500)
    chance = np.random.default_rng(1)
    shuffled = np.concatenate([chance.permutation(500), 500 + chance.permutation(500)])
    assert keeps_order(shuffled)
    assert not keeps_order(shuffled[mixed(values)])
    assert keeps_order(np.arange(1000)[mixed(values)])


def published(folder, column, kind):
    """Publish a table that is sorted by two columns, divided by the values of one."""
    chance = np.random.default_rng(5)
    frame = pl.DataFrame(
        {
            "age": chance.integers(1, 100, N_RECORDS),
            "ill": chance.choice(["acne", "cold", "flu", "gout"], N_RECORDS),
            "ward": chance.integers(0, 3, N_RECORDS),
        }
    ).sort("ill", "ward")
    frame = frame.with_columns(name=pl.format("n{}", pl.int_range(N_RECORDS)))
    data, out, crosswalk = (folder / name for name in ("data.parquet", "out", "links.parquet"))
    frame.write_parquet(data)
    anonymize_large(
        str(data),
        POLICY,
        sink_for(f"{out}/", partition_by=column),
        resources=Resources("polars", 10**9),
        crosswalk=str(crosswalk),
        **CROSSWALKS[kind],
    )
    return out, {"original": data, "crosswalk": crosswalk}


@pytest.mark.parametrize("kind", CROSSWALKS)
@pytest.mark.parametrize("column", ["ill", "ward"])
def test_an_input_that_is_sorted_by_the_column_of_the_folders(column, kind, tmp_path):
    out, proofs = published(tmp_path, column, kind)
    found = ind.verify(out, POLICY, **proofs)
    assert found.holds, found.faults


def test_rows_in_the_order_of_the_input_within_each_folder(tmp_path):
    out, proofs = published(tmp_path, "ill", "names")
    links = pl.read_parquet(proofs["crosswalk"]).rename({"name": "key"})
    before = pl.read_parquet(proofs["original"])["name"].to_list()
    for path in out.glob("*/*.parquet"):
        rows = pl.read_parquet(path, hive_partitioning=False).join(links, on="record", how="left")
        places = [before.index(key) for key in rows["key"]]
        rows[np.argsort(places).tolist()].drop("key").write_parquet(path)
    place = out / "_manifest.json"
    said = json.loads(place.read_text())
    found = ind.verify(out, POLICY, manifest=place, **proofs)
    assert said["output"]["partition_by"] == "ill"
    assert "the rows are in the order of the input, completely or in part" in {
        fault.problem for fault in found.faults
    }

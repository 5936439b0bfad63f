"""Tables that are not read whole: rare policies, whose releases verification once refused."""

import json
import random
import tempfile

import polars as pl
import pytest

import indistinct as ind
from indistinct.errors import HierarchyError, NoSolutionError, OutputError
from indistinct.tables.engines import streamed_files
from indistinct.tables.engines.choosing import Resources
from indistinct.tables.engines.sinks import sink_for
from indistinct.tables.publish.parts import anonymize_in_parts
from indistinct.tables.verification import crosswalk_of_places

INTERVALS = {"intervals": [0.25, 0.5, 2.5]}
QUASI = {"role": "quasi-identifier"}


def table(seed):
    chance = random.Random(seed)
    n_rows = chance.randint(20, 60)
    return pl.DataFrame(
        {
            "q": [chance.choice([93, 102]) for _ in range(n_rows)],
            "z": [chance.choice([47, 25, 99, None]) for _ in range(n_rows)],
            "s": [chance.choice("abcd") for _ in range(n_rows)],
        }
    )


def policy(n_rows):
    columns = {"q": QUASI, "z": {**QUASI, "hierarchy": INTERVALS, "min_level": 1}}
    close = ind.NTCloseness(n=n_rows // 2, t=0.4, column="s", distance="equal")
    return ind.Policy(
        columns={**columns, "s": {"role": "sensitive"}},
        models=[ind.KAnonymity(k=3), close],
        method={"max_suppression": 0.3, "algorithm": "ola"},
    )


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_regions_around_columns_without_a_hierarchy_are_verified(engine, tmp_path):
    """The values of such a column suggest its labels, so that verification needs the values."""
    n_released = 0
    for seed in range(8):
        frame, path = table(seed), tmp_path / "in.parquet"
        asked = policy(frame.height)
        frame.write_parquet(path)
        try:
            with ind.anonymize(path, asked, engine=engine) as release:
                release.write(tmp_path / f"{seed}.parquet")
            n_released += 1
        except NoSolutionError:
            continue
        assert ind.verify(tmp_path / f"{seed}.parquet", asked, original=path).holds
    assert n_released > 3


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_records_that_lack_a_value_suggest_no_ranges(engine, tmp_path):
    """They are left out for a sensitive value that no model reads, and verification knows it."""
    frame = pl.DataFrame(
        {"q": [*range(20), 10_000, 20_000], "s": [*["a", "b"] * 10, None, None]},
    )
    path = tmp_path / "in.parquet"
    frame.write_parquet(path)
    asked = ind.Policy(
        columns={"q": QUASI, "s": {"role": "sensitive"}},
        models=[ind.KAnonymity(k=3)],
        data={"missing_as": "suppress"},
        method={"algorithm": "optimal"},
    )
    with ind.anonymize(path, asked, engine=engine) as release:
        release.write(tmp_path / "out")
    assert ind.verify(tmp_path / "out", asked, original=path).holds


def counted_by_labels(tmp_path, frame, asked, out, **beside):
    """Release a table of which no more than three distinct rows fit into memory."""
    frame.write_parquet(tmp_path / "in.parquet")
    resources = Resources("polars", 10**9, most_rows=3)
    sink = sink_for(str(tmp_path / out), **beside)
    anonymize_in_parts(str(tmp_path / "in.parquet"), asked, sink, resources=resources)


def test_middles_of_ranges_stand_for_the_labels_by_which_a_column_was_counted(tmp_path):
    frame = pl.DataFrame({"q": [0.86, 0.97, 0.3, 87.15, 0.97, 4.0]})
    rule = {"intervals": [1000, 2000, 10_000]}
    asked = ind.Policy(
        columns={"q": {**QUASI, "hierarchy": rule}},
        models=[ind.KAnonymity(k=3)],
        release={"intervals": "midpoint"},
    )
    counted_by_labels(tmp_path, frame, asked, "out.parquet")
    assert pl.read_parquet(tmp_path / "out.parquet")["q"].to_list() == [500.0] * 6
    original = tmp_path / "in.parquet"
    assert ind.verify(tmp_path / "out.parquet", asked, original=original).holds


def test_losses_of_released_ranges_are_said_where_labels_were_counted(tmp_path):
    """They follow from the cells, and verification misses them where they are left out."""
    frame = pl.DataFrame({"q": [100 * number for number in range(10)]})
    asked = ind.Policy(
        columns={"q": {**QUASI, "hierarchy": {"intervals": [500, 1000]}}},
        models=[ind.KAnonymity(k=3)],
        method={"algorithm": "optimal", "objective": "height"},
        release={"intervals": "bounds"},
    )
    counted_by_labels(tmp_path, frame, asked, "out.parquet")
    path = tmp_path / "out.parquet.manifest.json"
    assert ind.verify(tmp_path / "out.parquet", asked).holds
    said = json.loads(path.read_text("utf-8"))
    assert said["loss"]["loss"] == pytest.approx(0.5)
    said["loss"]["loss"] = 0.25
    found = ind.verify(tmp_path / "out.parquet", asked, manifest=said)
    assert "manifest.loss.loss" in {fault.place for fault in found.faults}


def test_no_folder_is_named_after_a_value_where_no_record_is_released(tmp_path):
    frame = pl.DataFrame({"q": [1, 500], "s": ["a", "b"]})
    frame.write_parquet(tmp_path / "in.parquet")
    asked = ind.Policy(
        columns={"q": {**QUASI, "max_level": 0}, "s": {"role": "sensitive"}},
        models=[ind.KAnonymity(k=2)],
        method={"algorithm": "ola", "max_suppression": 1.0},
    )
    sink = sink_for(str(tmp_path / "out"), partition_by="s")
    with pytest.raises(OutputError, match="there is no released record"):
        anonymize_in_parts(str(tmp_path / "in.parquet"), asked, sink)
    assert [file.name for file in tmp_path.iterdir()] == ["in.parquet"]


def test_masked_sensitive_columns_that_no_model_reads_are_left_out_of_the_comparison(tmp_path):
    """They tell which records take part, and are not among the counted columns of the release."""
    frame = pl.DataFrame({"q": ["a"] * 8 + ["b"] * 8, "s": ["x", "y"] * 8, "m": [1, 2, 3, 4] * 4})
    frame.write_parquet(tmp_path / "in.parquet")
    rounded = {"role": "sensitive", "protect": {"name": "round", "base": 5}}
    asked = ind.Policy(
        columns={"q": QUASI, "s": {"role": "sensitive"}, "m": rounded},
        models=[ind.KAnonymity(k=2), ind.DistinctLDiversity(l=2, column="s")],
        data={"missing_as": "suppress"},
    )
    with ind.anonymize(tmp_path / "in.parquet", asked, engine="polars") as release:
        release.write(tmp_path / "out")
    found = ind.verify(tmp_path / "out", asked, original=tmp_path / "in.parquet")
    assert not found.faults


def test_a_text_file_that_was_converted_leaves_nothing_behind_a_check_of_its_crosswalk(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(streamed_files, "LEAST_BYTES", 0)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    frame = pl.DataFrame({"q": ["a"] * 8 + ["b"] * 8, "s": ["x", "y"] * 8})
    frame.write_csv(tmp_path / "in.csv")
    asked = ind.Policy(
        columns={"q": QUASI, "s": {"role": "sensitive"}}, models=[ind.KAnonymity(k=2)]
    )
    crosswalk = str(tmp_path / "crosswalk.parquet")
    with ind.anonymize(tmp_path / "in.csv", asked, engine="polars") as release:
        release.write(tmp_path / "out.csv", crosswalk=crosswalk)
    opened = []
    own = crosswalk_of_places.open_table
    monkeypatch.setattr(
        crosswalk_of_places, "open_table", lambda *words: opened.append(own(*words)) or opened[-1]
    )
    found = ind.verify(
        tmp_path / "out.csv",
        asked,
        original=tmp_path / "in.csv",
        crosswalk=crosswalk,
        engine="polars",
    )
    assert found.holds
    assert opened  # and held on to, so that nothing but an exit removes their folders
    assert {file.name for file in tmp_path.iterdir()} == {
        "in.csv", "out.csv", "out.csv.manifest.json", "crosswalk.parquet",
    }  # fmt: skip


def test_a_least_level_that_the_hierarchy_lacks_is_refused_where_labels_are_counted(tmp_path):
    frame = pl.DataFrame({"q": [*range(9)], "n": pl.Series([None] * 9, dtype=pl.Null)})
    asked = ind.Policy(
        columns={
            "q": {**QUASI, "hierarchy": {"intervals": [2, 4]}},
            "n": {**QUASI, "hierarchy": {"mask": 1}, "min_level": 2},
        },
        models=[ind.KAnonymity(k=2)],
    )
    with pytest.raises(
        HierarchyError, match=r"columns\.n\.min_level: is 2, but the hierarchy ends"
    ):
        counted_by_labels(tmp_path, frame, asked, "out.parquet")

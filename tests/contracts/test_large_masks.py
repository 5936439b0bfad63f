"""Tables that are not read whole, with columns that are masked part after part."""

import tempfile
from pathlib import Path

import polars as pl
import pytest

import indistinct as ind
from indistinct.errors import DataError, PolicyError, SchemaError, VerificationError
from indistinct.tables.engines.choosing import Resources
from indistinct.tables.engines.sinks import sink_for
from indistinct.tables.publish import protect
from indistinct.tables.publish.parts import anonymize_in_parts
from indistinct.tables.publish.protect import Protected
from indistinct.tables.verification.verify_release import verify
from large_tables import Place, hostile_table, policy_of, sorted_rows

PLACES = [Place("polars", "csv", typed=False), Place("duckdb", "folder")]
CATEGORIES = ["flu", "ulcer", "asthma", ""]
RESPONSE = {"name": "randomized-response", "epsilon": 1.0, "categories": CATEGORIES}
DETERMINISTIC = {
    "name": {"protect": {"name": "pseudonym", "key": "of-this-test.key"}},
    "age": {"protect": {"name": "top-bottom", "low": 20, "high": 55}},
    "size": {"protect": {"name": "round", "base": 5}},
}


@pytest.fixture(autouse=True)
def small_parts(monkeypatch, tmp_path):
    """Mask few records at once, so that there are many parts; keep keys and folders apart."""
    monkeypatch.setattr(protect, "ROWS", 50)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("place", PLACES, ids=str)
def test_masked_columns_are_those_of_the_table_in_memory(place, tmp_path):
    """The pseudonyms of one key, rounded and coded numbers, whichever parts there are."""
    frame = hostile_table(300, 3, typed=place.typed)
    policy = policy_of(typed=place.typed, columns=DETERMINISTIC)
    expected = ind.anonymize(frame, policy, seed=1)
    out, written = place.release(frame, policy, tmp_path)
    found = place.read(out, expected.data.schema)
    assert sorted_rows(found) == sorted_rows(expected.data)
    documents = [
        {name: entry.document() for name, entry in manifest.protection.items()}
        for manifest in (written.published, expected._held.published)
    ]
    assert documents[0] == documents[1]
    assert not list((tmp_path / "temporary").iterdir())


@pytest.mark.parametrize("place", PLACES, ids=str)
def test_a_release_with_random_answers_is_verified(place, tmp_path):
    """What is promised holds after the answers, and many of them are not the truth."""
    frame = hostile_table(300, 4, typed=place.typed)
    models = [{"name": "distinct-l-diversity", "column": "ill", "l": 2}]
    policy = policy_of(typed=place.typed, columns={"ill": {"protect": RESPONSE}}, models=models)
    out, written = place.release(frame, policy, tmp_path)
    assert written.published.protection["ill"].facts["epsilon"] <= 1
    address = str(tmp_path / ("in.csv" if place.kind == "csv" else "in"))
    found = verify(out, policy, original=address, engine=place.engine, memory="1GB")
    assert found.holds is True, found.faults


def test_a_lazy_frame_comes_back_lazy_and_masked(tmp_path):
    """Its data stay usable until the release is closed, and then nothing is left of them."""
    policy = policy_of(columns=DETERMINISTIC)
    with ind.anonymize(hostile_table(200, 5).lazy(), policy) as release:
        assert isinstance(release.data, pl.LazyFrame)
        assert release.data.collect()["size"].drop_nulls().to_numpy().__mod__(5).max() == 0
        # How many pseudonyms are shown is known when they are written.
        assert "values" not in release.manifest["protection"]["name"]
        (folder,) = (tmp_path / "temporary").iterdir()
        assert folder.stat().st_mode & 0o077 == 0
    assert not list((tmp_path / "temporary").iterdir())


@pytest.mark.parametrize("place", [Place("polars", "folder"), Place("duckdb", "folder")], ids=str)
def test_columns_that_were_not_masked_are_found_in_what_was_written(place, tmp_path, monkeypatch):
    """A part that skips the masks gives no release."""
    real = protect.protect_input

    def skipping(part, policy, chance, fits):
        return Protected(part, real(part, policy, chance, fits).entries)

    monkeypatch.setattr(protect, "protect_input", skipping)
    with pytest.raises(VerificationError, match=r"pseudonym|multiples|beyond"):
        place.release(hostile_table(200, 6), policy_of(columns=DETERMINISTIC), tmp_path)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("mask", "words"),
    [
        ({"name": "noise-additive", "correlated": True}, "leave correlated out"),
        ({"name": "swap"}, "all records at once"),
        ({"name": "microaggregation", "k": 3}, "all records at once"),
    ],
)
def test_masks_that_need_the_whole_column_are_refused(mask, words, tmp_path):
    """The message says what there is instead."""
    policy = policy_of(columns={"size": {"protect": mask}})
    with pytest.raises(PolicyError, match=words):
        Place("polars", "parquet").release(hostile_table(50, 1), policy, tmp_path)


def test_a_table_of_a_database_is_not_taken_out_of_it(tmp_path):
    """Masks are drawn by this program, and the records would have to come to it."""
    place = Place("duckdb", "table")
    address, out = place.put(hostile_table(50, 1), tmp_path)
    policy = policy_of(columns=DETERMINISTIC)
    with pytest.raises(PolicyError, match="stay in their database") as caught:
        anonymize_in_parts(address, policy, sink_for(out), resources=Resources("duckdb"))
    assert {fault.place for fault in caught.value.faults} >= {"columns.age.protect"}
    assert not list(Path(tmp_path / "temporary").iterdir())


WITHOUT_TYPES = Place("polars", "csv", typed=False)
CHANCE = {
    "note": {"protect": {"name": "pram", "truth": 0.7}},
    "ill": {"protect": {"name": "randomized-response", "truth": 0.6}},
    "size": {"protect": {"name": "noise-additive", "share": 0.5}},
    "income": {"protect": {"name": "noise-additive", "share": 0.5}},
}


@pytest.mark.parametrize("place", [WITHOUT_TYPES, PLACES[1]], ids=str)
def test_masks_that_know_the_whole_column_act_on_its_parts(place, tmp_path):
    """Values and counts of all parts are known before the first one is masked."""
    # The first parts have one category and small numbers, which tell nothing of the others. The
    # rank correlation of rows and numbers stays far below the 0.9 that is refused.
    frame = hostile_table(600, 7, typed=place.typed).sort(pl.col("size") > 170, "ill")
    policy = policy_of(typed=place.typed, columns=CHANCE)
    out, written = place.release(frame, policy, tmp_path)
    facts = {name: entry.facts for name, entry in written.exact.protection.items()}
    assert facts["note"]["categories"] == 4
    assert facts["ill"]["categories"] == 4
    assert facts["ill"]["categories_from"] == "data"
    found = place.read(out, ind.anonymize(frame, policy, seed=1).data.schema)
    assert abs(found["size"].std() / frame["size"].std() - 1.25**0.5) < 0.2
    address = str(tmp_path / ("in.csv" if place.kind == "csv" else "in"))
    assert ind.verify(out, policy, original=address, engine="polars").holds is True


@pytest.mark.parametrize("place", [WITHOUT_TYPES, PLACES[1]], ids=str)
def test_without_chance_they_give_the_table_in_memory(place, tmp_path):
    """A matrix that changes nothing, and noise of nearly none in whole numbers."""
    columns = {
        "note": {"protect": {"name": "pram", "truth": 1.0}},
        "age": {"protect": {"name": "noise-additive", "share": 1e-9, "low": 20, "high": 55}},
    }
    frame = hostile_table(300, 8, typed=place.typed)
    policy = policy_of(typed=place.typed, columns=columns)
    expected = ind.anonymize(frame, policy, seed=1)
    out, _ = place.release(frame, policy, tmp_path)
    assert sorted_rows(place.read(out, expected.data.schema)) == sorted_rows(expected.data)


def test_masked_records_of_chance_are_linked_with_their_own(tmp_path):
    """Each part of the input is compared with what came from it."""
    frame, policy = hostile_table(300, 9), policy_of(columns=CHANCE)
    address, out = Place("polars", "folder").put(frame, tmp_path)
    crosswalk = str(tmp_path / "crosswalk.parquet")
    resources = Resources("polars")
    anonymize_in_parts(address, policy, sink_for(out), resources=resources, crosswalk=crosswalk)
    found = ind.verify(out, policy, original=address, crosswalk=crosswalk)
    assert found.holds is True, found.faults


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        ({"name": {"role": "insensitive", "protect": {"name": "pram"}}}, "categories"),
        ({"note": {"protect": {"name": "noise-additive"}}}, "number"),
    ],
)
def test_columns_that_no_part_can_protect_are_refused(columns, words, tmp_path):
    """Too many categories, and texts to add noise to."""
    frame = hostile_table(2200, 1) if "name" in columns else hostile_table(80, 1)
    with pytest.raises(PolicyError, match=words):
        Place("polars", "parquet").release(frame, policy_of(columns=columns), tmp_path)


def test_the_names_are_compared_before_a_part_is_masked(tmp_path):
    """Otherwise a policy that names no column of the table ends in a fault of another library."""
    pl.DataFrame({"q": ["a", "a"], "n": [1, 2]}).write_parquet(tmp_path / "in.parquet")
    columns = {
        "q": {"role": "quasi-identifier"},
        "m": {"role": "sensitive", "protect": {"name": "round", "base": 5}},
    }
    policy = ind.Policy(columns=columns, models=[ind.KAnonymity(k=2)])
    with pytest.raises(SchemaError) as error:
        ind.anonymize(tmp_path / "in.parquet", policy, engine="polars")
    assert {fault.place for fault in error.value.faults} == {"columns.m", "columns.n"}


def test_a_release_that_says_nothing_but_masked_cells_is_verified_beside_its_input(tmp_path):
    """How many records lack a value that was masked, the input does not say."""
    pl.DataFrame({"q": [106, 7516] * 20}).write_parquet(tmp_path / "in.parquet")
    policy = ind.Policy(
        columns={
            "q": {
                "role": "quasi-identifier",
                "protect": {"name": "top-bottom", "low": 1, "high": 50},
                "hierarchy": {"intervals": [5, 10]},
            }
        },
        models=[ind.KAnonymity(k=2)],
        data={"missing_as": "suppress"},
    )
    with ind.anonymize(tmp_path / "in.parquet", policy, engine="polars") as release:
        release.write(tmp_path / "out")
    found = ind.verify(tmp_path / "out", policy, original=tmp_path / "in.parquet")
    assert not found.faults


def test_masked_numbers_that_no_parquet_file_holds_are_named(tmp_path):
    """Noise on numbers of 38 digits makes some of 39, which text holds and Parquet does not."""
    (tmp_path / "in.csv").write_text(
        "q,n,m\n" + f"a,{10**38 - 1},{10**30}\nb,{1 - 10**38},0\n" * 40
    )
    noise = {"name": "noise-additive", "share": 0.9}
    columns = {
        "q": {"role": "quasi-identifier"},
        "n": {"role": "sensitive", "protect": noise},
        "m": {"role": "insensitive"},
    }
    policy = ind.Policy(columns=columns, models=[ind.KAnonymity(k=2)])
    with ind.anonymize(tmp_path / "in.csv", policy, engine="polars") as release:
        with pytest.raises(DataError, match="becomes a whole number of more than 38") as error:
            release.write(tmp_path / "out.parquet")
        assert [fault.place for fault in error.value.faults] == ["columns.n"]
        assert not (tmp_path / "out.parquet").exists()
        release.write(tmp_path / "out.csv")
    assert max(map(len, pl.read_csv(tmp_path / "out.csv", infer_schema=False)["n"])) > 38

"""Random names of released records, and the crosswalk that lists them beside the owner's keys."""

import re

import polars as pl
import pytest

import indistinct as ind
from indistinct.base.randomness import RandomSource
from indistinct.errors import CapacityError, ParameterError
from indistinct.tables.engines.choosing import Resources
from indistinct.tables.engines.crosswalk import random_names
from indistinct.tables.engines.sinks import sink_for
from indistinct.tables.publish.parts import anonymize_in_parts
from indistinct.tables.verification import compared_parts, crosswalk_of_names, record_names
from indistinct.tables.verification.record_names import name_faults
from large_tables import PLACES, Place, hostile_table, policy_of, sorted_rows

NAMES = {"crosswalk_key": "name", "record_column": "record"}
TABLE = Place("auto", "table")
IN_BRIEF = {"polars-csv", "duckdb-folder", "auto-table", "auto-server"}
ALL = [
    place
    if not isinstance(place, Place)
    else pytest.param(place, marks=[] if str(place) in IN_BRIEF else pytest.mark.slow)
    for place in PLACES
]


@pytest.fixture(autouse=True, scope="module")
def small_parts():
    """Compare few records at once, so that there are many parts."""
    with pytest.MonkeyPatch.context() as changes:
        changes.setattr(compared_parts, "FEWEST_ROWS", 37)
        changes.setattr(compared_parts, "SHARE", 10**9)
        changes.setattr(crosswalk_of_names, "ROWS", 50)
        changes.setattr(record_names, "AT_ONCE", 50)
        yield


def published(place, folder, frame=None, policy=None, **words):
    """Publish a table with names; give the release, the input, the crosswalk and the policy."""
    frame = hostile_table(160, 3, typed=place.typed) if frame is None else frame
    policy = policy or policy_of(typed=place.typed)
    address, out = place.put(frame, folder)
    crosswalk = folder / "crosswalk.parquet"
    written = anonymize_in_parts(
        address,
        policy,
        sink_for(out, rows_per_file=60),
        resources=Resources(place.engine, 10**9, **place.options),
        manifest=str(folder / "manifest.json"),
        crosswalk=str(crosswalk),
        **NAMES | words,
    )
    assert written.published.output.record_column == "record"
    return out, address, crosswalk, policy


def checked(out, address, crosswalk, policy, folder):
    """Verify a release with its crosswalk."""
    return ind.verify(
        out,
        policy,
        original=address,
        crosswalk=crosswalk,
        manifest=folder / "manifest.json",
    )


@pytest.mark.parametrize("place", ALL, ids=str)
def test_each_record_is_linked_with_its_own_by_a_name(place, tmp_path):
    """On every engine: the cells beside a name are those of the record with its key."""
    frame = hostile_table(160, 3, typed=place.typed)
    out, address, crosswalk, policy = published(place, tmp_path, frame)
    assert crosswalk.stat().st_mode & 0o777 == 0o600
    found = checked(out, address, crosswalk, policy, tmp_path)
    assert found.holds is True, found.faults
    expected = ind.anonymize(frame, policy, seed=1).data
    shape = {**expected.schema, "record": pl.String}
    release = place.read(out, shape)
    assert release.columns == [*expected.columns, "record"]
    assert sorted_rows(release.drop("record")) == sorted_rows(expected)
    assert all(re.fullmatch("[0-9a-f]{32}", name) for name in release["record"])
    listed = pl.read_parquet(crosswalk)
    assert listed.columns == ["record", "name"]
    assert sorted(listed["name"]) == sorted(frame["name"])
    assert set(listed["record"].drop_nulls()) == set(release["record"])
    assert listed["record"].null_count() == frame.height - release.height > 0
    both = release.join(listed, on="record").join(frame, on="name", suffix=" before")
    same = both["note"].replace("?", None) == both["note before"].replace("?", None)
    assert both.height == release.height
    assert same.fill_null(value=True).all()
    sizes = both["size"].cast(pl.Float64) == both["size before"]
    assert sizes.fill_null(value=True).all()


@pytest.mark.parametrize("algorithm", ["local", pytest.param("mondrian", marks=pytest.mark.slow)])
@pytest.mark.parametrize("place", [Place("polars", "parquet"), TABLE], ids=str)
def test_records_of_split_tuples_get_names_as_well(place, algorithm, tmp_path):
    """Records that are alike go to several classes; the check is that of single records."""
    policy = policy_of(method={"algorithm": algorithm})
    found = checked(*published(place, tmp_path, policy=policy), tmp_path)
    assert found.holds is True, found.faults


def test_keys_may_be_whole_numbers(tmp_path):
    """As most tables of a database have them."""
    frame = hostile_table(160, 3)
    frame = frame.with_columns(name=pl.col("name").str.slice(1).cast(pl.Int64))
    found = checked(*published(TABLE, tmp_path, frame), tmp_path)
    assert found.holds is True, found.faults


CHANGES = [
    (lambda table: table.with_columns(name=_turned(table["name"])), "not their record's own"),
    (lambda table: table[1:], "does not list every record of the"),
    (lambda table: pl.concat([table, table[:1]]), "twice"),
    (lambda table: table.with_columns(name=pl.lit(None, pl.String)), "without a key"),
    (lambda table: pl.concat([table, _unknown(table, "record")]), "release does not have"),
    (lambda table: pl.concat([table, _unknown(table, "name")]), "input does not have"),
    (lambda table: table.rename({"name": "other"}), "column other, which is not there"),
]


def _turned(cells):
    """Exchange the first two."""
    return pl.Series([cells[1], cells[0], *cells[2:]])


def _unknown(table, column):
    """Return a line that names what is in no table."""
    line = {"record": None, "name": "N999999"} | (
        {"record": "f" * 32} if column == "record" else {}
    )
    return pl.DataFrame(line, schema=table.schema)


@pytest.fixture(scope="module")
def folder_release(tmp_path_factory):
    """Publish a folder once, for all that is changed in a copy of its crosswalk."""
    folder = tmp_path_factory.mktemp("folder")
    return folder, *published(Place("duckdb", "folder"), folder)


@pytest.mark.parametrize(("change", "words"), CHANGES)
def test_a_wrong_list_of_names_is_found(change, words, folder_release, tmp_path):
    """Exchanged, missing, doubled and unknown lines."""
    folder, out, address, crosswalk, policy = folder_release
    changed = tmp_path / crosswalk.name
    change(pl.read_parquet(crosswalk)).write_parquet(changed)
    found = checked(out, address, changed, policy, folder)
    assert found.holds is False
    assert words in str(found.faults)


@pytest.mark.parametrize(
    ("names", "words"),
    [
        ([f"{row:032x}" for row in range(300)], "drawn at random"),
        (["A" * 32] * 300, "32 digits"),
        ([None] * 300, "32 digits"),
        (random_names(299, RandomSource(1)).to_list() * 2, "several records"),
        (random_names(300, RandomSource(1)).to_list(), None),
    ],
)
def test_names_that_tell_something_are_found(names, words):
    """Numbers, keys and names that come twice; a false alarm has a probability below 1e-12."""
    from indistinct.tables.engines.sources import Tally

    column = pl.Series("record", names, dtype=pl.String)
    tally = column.value_counts(name="n")
    tally = Tally(tally.select("record"), tally["n"])
    faults = list(name_faults("record", tally, policy_of().columns))
    assert [words in fault.problem for fault in faults] == ([] if words is None else [True])


def test_a_release_without_its_manifest_has_a_column_too_many(tmp_path):
    """Only the manifest or the crosswalk says what the names are."""
    out, address, crosswalk, policy = published(Place("polars", "parquet"), tmp_path)
    assert ind.verify(out, policy, manifest=tmp_path / "manifest.json").holds is True
    found = ind.verify(out, policy)
    assert "is not in the policy" in str(found.faults)
    found = ind.verify(out, policy, original=address, crosswalk=crosswalk)
    assert (found.holds, found.faults) == (None, ())
    assert any(claim.startswith("columns.") for claim in found.not_checked)


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ({"crosswalk_key": None}, "is missing"),
        ({"record_column": None}, "is missing"),
        ({"crosswalk_key": "nobody"}, "not a column of the input"),
        ({"crosswalk_key": "size"}, "neither texts nor whole numbers"),
        ({"crosswalk_key": "note"}, "several records share"),
        ({"record_column": "ill"}, "name of another column"),
        ({"record_column": "age_min"}, "name of another column"),
    ],
)
def test_what_tells_no_records_apart_is_refused(words, problem, tmp_path):
    """Before anything is written."""
    with pytest.raises(ParameterError, match=problem):
        published(TABLE, tmp_path, **words)
    assert not (tmp_path / "crosswalk.parquet").exists()


def test_names_beyond_the_memory_are_refused(tmp_path, monkeypatch):
    """They are drawn in this process, which has to hold them."""
    from indistinct.tables.engines.sources import Capacity

    rows = Capacity.rows
    monkeypatch.setattr(Capacity, "rows", lambda own, n: 100 if n == 1 else rows(own, n))
    with pytest.raises(CapacityError, match="more than 100 records"):
        published(TABLE, tmp_path)


def test_names_say_nothing_of_the_order(tmp_path):
    """Records that are alike in everything else stand in the order of their names' hashes."""
    frame = hostile_table(600, 3).select("name", age=pl.lit(20, pl.Int16), ill=pl.lit("flu"))
    words = {"identifiers": ["name"], "quasi_identifiers": ["age"], "sensitive": ["ill"], "k": 3}
    policy = ind.Policy.from_keywords(**words)
    out, _, crosswalk, _ = published(Place("polars", "parquet"), tmp_path, frame, policy)
    listed = dict(pl.read_parquet(crosswalk).iter_rows())
    place = {name: row for row, name in enumerate(frame["name"])}
    rows = pl.Series([place[listed[name]] for name in pl.read_parquet(out)["record"]])
    assert 200 < (rows.diff() > 0).sum() < 400


def test_names_are_drawn_evenly():
    """Each of the 128 bits; 0.45 and 0.55 are 20 standard deviations away."""
    drawn = random_names(40_000, RandomSource(5))
    assert drawn.n_unique() == 40_000
    digits = pl.DataFrame({"digit": list("".join(drawn.to_list()))})["digit"].value_counts()
    assert digits.height == 16
    share = digits["count"] / (40_000 * 32)
    assert share.is_between(0.061, 0.064).all()

"""The crosswalk of tables that are not read whole: what it says, and how it is checked."""

import shutil

import polars as pl
import pytest

import indistinct as ind
from indistinct.errors import DataError, EngineError, OutputError, ParameterError
from indistinct.tables.engines import crosswalk as places
from indistinct.tables.engines.choosing import Resources
from indistinct.tables.engines.sinks import sink_for
from indistinct.tables.publish.parts import anonymize_in_parts
from indistinct.tables.reading.places import Files
from indistinct.tables.verification import compared_parts
from large_tables import PLACES, Place, hostile_table, policy_of

IN_BRIEF = {"polars-csv", "duckdb-csv", "duckdb-folder"}
OF_FILES = [
    pytest.param(place, marks=[] if str(place) in IN_BRIEF else pytest.mark.slow)
    for place in PLACES
    if getattr(place, "kind", "server") not in {"table", "server"}
]
PASSED = ["note", "size", "ill"]


@pytest.fixture(autouse=True, scope="module")
def small_parts():
    """Compare few records at once, so that there are many parts."""
    with pytest.MonkeyPatch.context() as changes:
        changes.setattr(compared_parts, "FEWEST_ROWS", 37)
        changes.setattr(compared_parts, "SHARE", 10**9)
        yield


def published(place, folder, crosswalk, frame=None, policy=None):
    """Publish a table with a crosswalk; give the release, the input's address and the policy."""
    frame = hostile_table(160, 3, typed=place.typed) if frame is None else frame
    policy = policy or policy_of(typed=place.typed)
    address, out = place.put(frame, folder)
    publish(place, address, out, policy, str(crosswalk))
    return out, address, policy


def publish(place, address, out, policy, crosswalk=None):
    """Publish a table, with or without a crosswalk."""
    sink, resources = sink_for(out, rows_per_file=60), Resources(place.engine, 10**9)
    anonymize_in_parts(address, policy, sink, resources=resources, crosswalk=crosswalk)


def parts_of(out, folder):
    """Return the files of a release, or the one."""
    found = sorted((folder / out).glob("part-*"))
    return found or [folder / out]


@pytest.mark.parametrize("place", OF_FILES, ids=str)
def test_each_record_is_linked_with_its_own(place, tmp_path):
    """The release is the same to the byte, and every link leads to a record with the same cells."""
    crosswalk = tmp_path / "crosswalk.parquet"
    out, address, policy = published(place, tmp_path, crosswalk)
    bare = out.replace("out", "bare")
    publish(place, address, bare, policy)
    pairs = zip(parts_of(bare, tmp_path), parts_of(out, tmp_path), strict=True)
    assert all(one.read_bytes() == other.read_bytes() for one, other in pairs)
    assert crosswalk.stat().st_mode & 0o777 == 0o600
    assert not [path.name for path in tmp_path.iterdir() if path.name.startswith(".")]
    listed = pl.read_parquet(crosswalk)
    linked = listed.filter(pl.col("output_row") >= 0)
    readers = {
        "csv": lambda path: pl.read_csv(path, infer_schema=False),
        "parquet": pl.read_parquet,
    }
    read = readers["csv" if place.kind == "csv" else "parquet"]
    inputs = (
        parts_of(address, tmp_path)
        if place.kind != "folder"
        else sorted((tmp_path / "in").iterdir())
    )
    before = {path.name: read(path) for path in inputs}
    after = {path.name: read(path) for path in parts_of(out, tmp_path)}
    own = [
        before[file][PASSED].row(row) for file, row in linked[["input_file", "input_row"]].rows()
    ]
    shown = [
        after[file][PASSED].row(row) for file, row in linked[["output_file", "output_row"]].rows()
    ]
    assert [same(cells) for cells in shown] == [same(cells) for cells in own]
    all_of_them = [(name, row) for name, frame in before.items() for row in range(frame.height)]
    assert sorted(listed[["input_file", "input_row"]].rows()) == all_of_them
    gone = listed.filter(pl.col("output_row") < 0)
    assert gone.height > 0
    assert set(gone[["output_file", "output_row"]].rows()) == {(None, -1)}
    assert listed.tail(gone.height).equals(gone)
    found = ind.verify(out, policy, original=address, crosswalk=crosswalk)
    assert found.holds is True, found.faults


def same(cells):
    """Write what is missing in one way, and a whole number as a release of text has it."""
    shown = [cell.removesuffix(".0") if isinstance(cell, str) else cell for cell in cells]
    return [None if cell in {"", "?"} else cell for cell in shown]


@pytest.mark.parametrize("algorithm", ["local", pytest.param("mondrian", marks=pytest.mark.slow)])
@pytest.mark.parametrize("place", [Place("polars", "parquet"), Place("duckdb", "folder")], ids=str)
def test_records_of_split_tuples_are_linked_with_their_own(place, algorithm, tmp_path):
    """Records that are alike go to several classes, and each link is one of theirs."""
    policy = policy_of(method={"algorithm": algorithm})
    crosswalk = tmp_path / "crosswalk.csv"
    out, address, _ = published(place, tmp_path, crosswalk, policy=policy)
    found = ind.verify(out, policy, original=address, crosswalk=crosswalk)
    assert found.holds is True, found.faults


@pytest.mark.parametrize(
    "place", [Place("polars", "csv", typed=False), Place("duckdb", "folder")], ids=str
)
def test_masked_records_are_linked_with_those_of_the_input(place, tmp_path):
    """The places are those of the files that were given, not of the masked copy."""
    columns = {
        "size": {"protect": {"name": "round", "base": 5}},
        "age": {"protect": {"name": "top-bottom", "low": 20, "high": 55}},
    }
    policy = policy_of(typed=place.typed, columns=columns)
    crosswalk = tmp_path / "crosswalk.parquet"
    out, address, _ = published(place, tmp_path, crosswalk, policy=policy)
    assert set(pl.read_parquet(crosswalk)["input_file"]) <= {"in.csv", "a.parquet", "b.parquet"}
    found = ind.verify(out, policy, original=address, crosswalk=crosswalk)
    assert found.holds is True, found.faults


@pytest.fixture(scope="module")
def folder_release(tmp_path_factory):
    """Publish a folder once, for all that is changed in a copy of its crosswalk."""
    folder = tmp_path_factory.mktemp("folder")
    crosswalk = folder / "crosswalk.parquet"
    return *published(Place("polars", "folder"), folder, crosswalk), crosswalk


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda rows: [rows[1], rows[0], *rows[2:]], "not their record's own"),
        (lambda rows: [rows[1], *rows[1:]], "a record of the input twice"),
        (lambda rows: [(rows[0][0], 10**6), *rows[1:]], "that the input does not have"),
        (lambda rows: [(rows[0][0], None), *rows[1:]], "that the input does not have"),
        (lambda rows: rows[:-1], "another number of records"),
    ],
)
def test_a_wrong_crosswalk_is_found(change, words, folder_release, tmp_path):
    """Exchanged, doubled, unknown and missing records."""
    out, address, policy, right = folder_release
    crosswalk = tmp_path / right.name
    listed = pl.read_parquet(right)
    linked = listed.filter(pl.col("output_row") >= 0)
    names = ["input_file", "input_row"]
    rows = change(linked.select(names).rows())
    places = pl.DataFrame(rows, schema=linked.select(names).schema, orient="row")
    changed = linked.head(len(rows)).with_columns(places)
    for table in (changed, pl.concat([changed, listed.tail(listed.height - linked.height)])):
        table.write_parquet(crosswalk)
        found = ind.verify(out, policy, original=address, crosswalk=crosswalk)
        assert found.holds is False
        assert words in str(found.faults)


def test_files_that_differ_in_their_columns_are_refused_in_words(folder_release, tmp_path):
    """What Polars says of them names a column that may be anything."""
    out, address, policy, crosswalk = folder_release
    copied = shutil.copytree(out, tmp_path / "out")
    part = max(copied.glob("part-*"))
    pl.read_parquet(part, memory_map=False).with_columns(Kaja=1).write_parquet(part)
    with pytest.raises(EngineError, match="have the same columns") as refused:
        ind.verify(copied, policy, original=address, crosswalk=crosswalk)
    assert "Kaja" not in str(refused.value)


def test_a_crosswalk_of_two_columns_is_of_the_only_files(tmp_path):
    """Rows tell everything where the input and the release are one file each."""
    crosswalk = tmp_path / "crosswalk.parquet"
    out, address, policy = published(Place("polars", "csv"), tmp_path, crosswalk)
    listed = pl.read_parquet(crosswalk).select("output_row", "input_row")
    for rows, holds in ((listed["input_row"], True), (listed["input_row"].reverse(), False)):
        listed.with_columns(rows).write_parquet(crosswalk)
        assert ind.verify(out, policy, original=address, crosswalk=crosswalk).holds is holds


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda gone, kept: gone.clear(), None),
        (lambda gone, kept: gone[1:], "every record"),
        (lambda gone, kept: pl.concat([gone, gone[:1]]), "twice"),
        (lambda gone, kept: pl.concat([kept[:1], gone[1:]]), "as suppressed"),
        (lambda gone, kept: gone.with_columns(input_row=10**6), "wrongly"),
        (lambda gone, kept: gone.with_columns(output_row=-2), "number of records"),
        (lambda gone, kept: gone.with_columns(output_row=None), "number of records"),
    ],
)
def test_suppressed_records_are_listed_all_or_not_at_all(change, words, folder_release, tmp_path):
    """A crosswalk of an older version lists none; otherwise each record of the input has a line."""
    out, address, policy, right = folder_release
    crosswalk = tmp_path / right.name
    listed = pl.read_parquet(right)
    kept, gone = listed.filter(pl.col("output_row") >= 0), listed.filter(pl.col("output_row") < 0)
    changed = change(gone, kept.with_columns(output_row=pl.lit(-1, pl.Int64)))
    pl.concat([kept, changed], how="vertical_relaxed").write_parquet(crosswalk)
    found = ind.verify(out, policy, original=address, crosswalk=crosswalk)
    assert found.holds is (words is None)
    assert words is None or words in str(found.faults)


def test_a_narrowed_cell_is_found_by_its_own_record(tmp_path):
    """Two classes whose cells are exchanged, all counts as before."""
    crosswalk = tmp_path / "crosswalk.parquet"
    out, address, policy = published(Place("polars", "parquet"), tmp_path, crosswalk)
    frame = pl.read_parquet(out)
    name = max(policy.class_names, key=lambda name: frame[name].n_unique())
    cells = frame[name].unique(maintain_order=True).drop_nulls().to_list()[:2]
    assert len(cells) == 2
    turned = frame[name].replace(dict(zip(cells, cells[::-1], strict=True)))
    frame.with_columns(turned).write_parquet(out)
    (tmp_path / "out.parquet.manifest.json").unlink()
    found = ind.verify(out, policy, original=address, crosswalk=crosswalk)
    problem = "do not cover their original value"
    assert f"columns.{name}" in {one.place for one in found.faults if problem in one.problem}


def test_a_release_in_the_order_of_its_input_is_found(tmp_path):
    """The file shows it with and without the crosswalk."""
    crosswalk = tmp_path / "crosswalk.parquet"
    out, address, policy = published(Place("polars", "parquet"), tmp_path, crosswalk)
    linked, frame = pl.read_parquet(crosswalk), pl.read_parquet(out)
    linked = linked.filter(pl.col("output_row") >= 0)
    order = linked["input_row"].arg_sort()
    frame[order].write_parquet(out)
    linked.with_columns(input_row=linked["input_row"].sort()).write_parquet(crosswalk)
    (tmp_path / "out.parquet.manifest.json").unlink()
    for links in (crosswalk, None):
        found = ind.verify(out, policy, original=address, crosswalk=links)
        assert "order" in {fault.place for fault in found.faults}


def test_what_has_no_place_that_lasts_is_refused(tmp_path):
    """Lazy data, databases, and paths that are taken."""
    policy, frame = policy_of(), hostile_table(60, 1)
    place = Place("duckdb", "table")
    address, out = place.put(frame, tmp_path)
    with pytest.raises(ParameterError, match="made of files"):
        anonymize_in_parts(address, policy, sink_for(out), crosswalk=str(tmp_path / "c.csv"))
    with ind.anonymize(frame.lazy(), policy) as release, pytest.raises(ParameterError):
        release.write(tmp_path / "out", crosswalk=tmp_path / "c.csv")
    sink = sink_for(str(tmp_path / "out"))
    for inside in (tmp_path / "out" / "c.csv", tmp_path / "in.parquet", tmp_path / "c.xlsx"):
        with pytest.raises(OutputError):
            anonymize_in_parts(str(tmp_path / "in.parquet"), policy, sink, crosswalk=str(inside))
    assert not (tmp_path / "out").exists()
    assert not (tmp_path / "c.csv").exists()


def test_a_release_in_python_is_written_with_its_crosswalk(tmp_path):
    """The engine need not know of it when the table is opened, but for text."""
    frame, policy = hostile_table(120, 3, typed=False), policy_of(typed=False)
    frame.write_csv(tmp_path / "in.csv")
    with ind.anonymize(tmp_path / "in.csv", policy, engine="polars") as release:
        release.write(tmp_path / "out", crosswalk=tmp_path / "c.csv")
    options = {"original": tmp_path / "in.csv", "crosswalk": tmp_path / "c.csv"}
    assert ind.verify(tmp_path / "out", policy, **options).holds is True
    with pytest.raises(DataError, match="original"):
        ind.verify(tmp_path / "out", policy, crosswalk=tmp_path / "c.csv")
    with (
        ind.anonymize(tmp_path / "in.csv", policy, engine="duckdb") as release,
        pytest.raises(ParameterError, match="place"),
    ):
        release.write(tmp_path / "second", crosswalk=tmp_path / "d.csv")


def test_files_are_called_by_their_paths_below_the_folder_of_all(tmp_path):
    """So that a folder may be moved."""
    paths = [str(tmp_path / name) for name in ("a/x.csv", "a/b/y.csv")]
    assert Files(tuple(paths), "csv").names == ["x.csv", "b/y.csv"]
    assert Files(tuple(paths[:1]), "csv").names == ["x.csv"]
    assert Files(tuple(paths[1:]), "csv", root=str(tmp_path / "a")).names == ["b/y.csv"]
    assert places.WORDS == ("output_file", "output_row", "input_file", "input_row")


def test_records_of_several_text_files_are_counted_as_they_are_read(tmp_path):
    """Whatever separates cells, and lines inside of quotes."""
    frame = hostile_table(150, 6, typed=False)
    notes = ["two\nlines", 'a "word"', "semi;colon", "x"]
    frame = frame.with_columns(note=pl.Series([notes[row % 4] for row in range(150)]))
    (tmp_path / "in").mkdir()
    for number, rows in enumerate((frame[:40], frame[40:41], frame[41:])):
        rows.write_csv(tmp_path / "in" / f"{number}.csv", separator=";")
    policy, crosswalk = policy_of(typed=False), tmp_path / "crosswalk.parquet"
    with ind.anonymize(str(tmp_path / "in"), policy, engine="polars") as release:
        release.write(tmp_path / "out", crosswalk=crosswalk)
    options = {"original": str(tmp_path / "in"), "crosswalk": crosswalk}
    found = ind.verify(tmp_path / "out", policy, **options)
    assert found.holds is True, found.faults
    linked = pl.read_parquet(crosswalk).filter(pl.col("output_row") >= 0)
    starts = {"0.csv": 0, "1.csv": 40, "2.csv": 41}
    rows = [starts[file] + row for file, row in linked[["input_file", "input_row"]].rows()]
    shown = pl.read_parquet(tmp_path / "out" / "*.parquet")
    assert shown["note"].to_list() == frame["note"].gather(rows).to_list()


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_bytes_of_several_row_groups_do_not_tell_of_a_crosswalk(engine, tmp_path):
    """Where a file has more rows than an engine writes as one group."""
    frame = ind.sample("patients", rows=300_000, seed=3)
    others = ("occupation", "birth_date", "postcode", "height_cm", "weight_kg", "admission_date")
    policy = ind.Policy.from_keywords(
        identifiers=["name"],
        quasi_identifiers=["sex", "insurance"],
        sensitive=["diagnosis"],
        insensitive=[*others],
        k=5,
    )
    crosswalk = tmp_path / "crosswalk.parquet"
    place = Place(engine, "parquet")
    out, address, _ = published(place, tmp_path, crosswalk, frame, policy)
    bare = out.replace("out", "bare")
    publish(place, address, bare, policy)
    assert (tmp_path / bare).read_bytes() == (tmp_path / out).read_bytes()

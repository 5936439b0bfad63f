"""A file that holds more than its cells does not hold, however it is hidden; an honest one does."""

import datetime as dt
import io
import json
import re
import shutil
import zipfile
from contextlib import suppress
from decimal import Decimal
from pathlib import Path

import polars as pl
import pytest

import indistinct as ind
from indistinct.tables.evaluation.assessments.assess import assess
from indistinct.tables.reading import files, formats
from indistinct.tables.reading.statistical import Labels
from indistinct.tables.verification.bytes import (
    BESIDE,
    WrittenTable,
    byte_faults,
    is_rewritten_alike,
)
from indistinct.tables.verification.verify_release import verify

pa = pytest.importorskip("pyarrow")
pytest.importorskip("pyreadstat")
pytest.importorskip("fastexcel")
pytest.importorskip("xlsxwriter")
pq = pytest.importorskip("pyarrow.parquet")

N = 84


def gappy(cells, dtype=None):
    return pl.Series([one if place % 7 else None for place, one in enumerate(cells)], dtype=dtype)


WHOLE = range(N)
DAY = dt.date(2020, 1, 1)
NOON = dt.datetime(2020, 1, 1, 12, 0, 5)  # noqa: DTZ001 - as files have it
TEXTS = ['a"b', "a\nb", "a,b", " a", "b;", "=1+1", "\r", "0012", "1e5", "", "É", "NA"]
COLUMNS = {
    "text": gappy([f"t{n % 13}" for n in WHOLE]),
    "odd texts": pl.Series(TEXTS * 7),
    "whole": gappy(WHOLE),
    "small": gappy([n % 100 for n in WHOLE], pl.Int8),
    "large": pl.Series([2**63 + n for n in WHOLE], dtype=pl.UInt64),
    "wide": pl.Series([10**25 + n for n in WHOLE], dtype=pl.Int128),
    "double": gappy([1.2345678901234567 * (n + 1) ** 9 for n in WHOLE]),
    "single": pl.Series([n / 7 for n in WHOLE], dtype=pl.Float32),
    "minus zero": pl.Series([-0.0, 1.5] * (N // 2)),
    "not a number": pl.Series([float("nan"), 1.5] * (N // 2)),
    "truth": gappy([n % 2 == 0 for n in WHOLE]),
    "day": gappy([DAY + dt.timedelta(days=n) for n in WHOLE]),
    "moment": gappy([NOON + dt.timedelta(hours=n) for n in WHOLE]),
    "midnight": gappy([dt.datetime(2020, 1, 1 + n % 9) for n in WHOLE]),  # noqa: DTZ001
    "zone": pl.Series([NOON] * N).dt.replace_time_zone("Europe/Berlin"),
    "time": gappy([dt.time(n % 24, n % 60) for n in WHOLE]),
    "duration": gappy([dt.timedelta(minutes=n) for n in WHOLE]),
    "decimal": gappy([Decimal(n) / 100 for n in WHOLE], pl.Decimal(20, 2)),
    "categories": gappy([f"c{n % 5}" for n in WHOLE], pl.Categorical),
    "listed": gappy([f"c{n % 5}" for n in WHOLE], pl.Enum([f"c{n}" for n in range(9)])),
    "nothing": pl.Series([None] * N),
    "no text": pl.Series([None] * N, dtype=pl.String),
    "no number": pl.Series([None] * N, dtype=pl.Float64),
    "no day": pl.Series([None] * N, dtype=pl.Date),
    "lists": pl.Series([["a", "b"] if n % 2 else ["c"] for n in WHOLE]),
}
ENDINGS = ("csv", "tsv", "parquet", "arrow", "xlsx", "sav", "dta")
LISTS = ("parquet", "arrow")


def table_at(path: Path, separator: str | None = None) -> WrittenTable:
    """Read a file as verification does."""
    form = files.format_of_file(str(path))
    read = files.read_file(
        path, separator=separator, typed=False, may_be_empty=True, as_found=True, file_format=form
    )
    return WrittenTable(path, form, read.separator, read.frame, read.labels)


@pytest.mark.parametrize("ending", ENDINGS)
def test_what_is_written_of_any_column_is_written_again_alike(ending, tmp_path):
    """All types, whole columns, one row and none."""
    path = tmp_path / f"out.{ending}"
    wrong = []
    for name, column in COLUMNS.items():
        spss = ending == "sav" and name == "odd texts"  # SPSS takes no space at the end
        if spss or (name == "lists" and ending not in LISTS):
            continue
        for n_rows in (N, 1, 0):
            formats.write_file(pl.DataFrame({"own": column.head(n_rows)}), str(path), ending)
            if not is_rewritten_alike(table_at(path)):
                wrong.append((name, n_rows))
    assert wrong == []


TABLE = pl.DataFrame(
    {
        "age": [21, 22, 23, 24, 25, 26, 31, 32, 33, 34, 35, 36],
        "pay": [1.5, 2.5, 3.0] * 4,
        "ill": ["flu", "gout", "flu"] * 4,
        "seen": [DAY] * 12,
    }
)
WORDS = {
    "columns": {
        "age": {"role": "quasi-identifier", "hierarchy": {"intervals": [10]}},
        "pay": {"role": "insensitive"},
        "ill": {"role": "sensitive"},
        "seen": {"role": "insensitive"},
    },
    "models": [{"name": "k-anonymity", "k": 3}],
}


def changed_text(change):
    def apply(path: Path) -> None:
        path.write_bytes(change(path.read_bytes()))

    return apply


def rewritten_by_pyarrow(**words):
    def apply(path: Path) -> None:
        pq.write_table(pq.read_table(path), path, **words)

    return apply


def arrow_with(change):
    def apply(path: Path) -> None:
        with pa.ipc.open_file(io.BytesIO(path.read_bytes())) as read:
            table = change(read.read_all())
        with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
            writer.write_table(table)

    return apply


def parquet_with(change):
    def apply(path: Path) -> None:
        pq.write_table(change(pq.read_table(path)), path)

    return apply


def with_unused_entry(table):
    place = table.schema.names.index("ill")
    entries = pa.array(["flu", "gout", "a name that no cell shows"])
    codes = pa.array([0, 1, 0] * 4, pa.int32())
    return table.set_column(place, "ill", pa.DictionaryArray.from_arrays(codes, entries))


def member(name: str, change, again: str | None = None):
    """Change a member of a workbook, or add one."""

    def apply(path: Path) -> None:
        with zipfile.ZipFile(path) as book:
            parts = [(info, book.read(info)) for info in book.infolist()]
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as book:
            for info, content in parts:
                own = re.fullmatch(name, info.filename) is not None
                book.writestr(info, change(content) if own else content)
            if again is not None:
                book.writestr(again, b"<secret>Ann</secret>")

    return apply


def same(content: bytes) -> bytes:
    return content


def marked(old: bytes, new: bytes):
    return lambda content: content.replace(old, new, 1)


def zip_comment(path: Path) -> None:
    with zipfile.ZipFile(path, "a") as book:
        book.comment = b"Ann"


def by_pyreadstat(kind: str, **words):
    def apply(path: Path) -> None:
        import pyreadstat

        frame, _ = getattr(pyreadstat, f"read_{kind}")(str(path), output_format="polars")
        getattr(pyreadstat, f"write_{kind}")(frame, str(path), **words)

    return apply


SHEET, STYLES = r"xl/worksheets/sheet1\.xml", r"xl/styles\.xml"
TAMPERINGS = {
    "csv": {
        "quotes around one cell": changed_text(marked(b"flu", b'"flu"')),
        "line ends of one record": changed_text(marked(b"flu,2020-01-01\n", b"flu,2020-01-01\r\n")),
        "blank lines": changed_text(marked(b"\n", b"\n\n")),
        "a mark at the beginning": changed_text(lambda content: b"\xef\xbb\xbf" + content),
        "no line end at the end": changed_text(lambda content: content[:-1]),
        "a quoted name": changed_text(marked(b"ill", b'"ill"')),
    },
    "parquet": {
        "metadata of the file": parquet_with(
            lambda table: table.replace_schema_metadata({"note": "Ann"})
        ),
        "metadata of a column": parquet_with(
            lambda table: table.cast(
                pa.schema([field.with_metadata({"x": "Ann"}) for field in table.schema])
            )
        ),
        "an entry that no cell shows": parquet_with(with_unused_entry),
        "other groups of rows": rewritten_by_pyarrow(row_group_size=3),
        "another compression": rewritten_by_pyarrow(compression="gzip"),
        "no statistics": rewritten_by_pyarrow(write_statistics=False),
        "bytes at the beginning": changed_text(marked(b"PAR1", b"PAR1Ann!")),
    },
    "arrow": {
        "metadata of the schema": arrow_with(
            lambda table: table.replace_schema_metadata({"note": "Ann"})
        ),
        "an entry that no cell shows": arrow_with(with_unused_entry),
        "several batches": arrow_with(lambda table: pa.concat_tables([table[:5], table[5:]])),
        "bytes behind the end": changed_text(lambda content: content + b"Ann"),
    },
    "xlsx": {
        "a number format": member(STYLES, marked(b"<fonts", b'<numFmts count="0"/><fonts')),
        "a comment": member("", same, "xl/comments1.xml"),
        "a header": member(
            SHEET,
            marked(
                b"<pageMargins",
                b"<headerFooter><oddHeader>Ann</oddHeader></headerFooter><pageMargins",
            ),
        ),
        "a formula": member(SHEET, marked(b"<v>", b"<f>1+1</f><v>")),
        "a hidden row": member(SHEET, marked(b'<row r="2"', b'<row r="2" hidden="1"')),
        "a wide column": member(
            SHEET, marked(b"<sheetData>", b'<cols><col min="1" max="1"/></cols><sheetData>')
        ),
        "a text that no cell shows": member(
            r"xl/sharedStrings\.xml", marked(b"</sst>", b"<si><t>Ann</t></si></sst>")
        ),
        "an author": member(
            r"docProps/core\.xml",
            marked(b"<dc:creator></dc:creator>", b"<dc:creator>A</dc:creator>"),
        ),
        "a second part of one name": member("", same, "xl/styles.xml"),
        "a comment of the archive": zip_comment,
        "bytes behind the end": changed_text(lambda content: content + b"Ann"),
        "bytes at the beginning": changed_text(lambda content: b"Ann" + content),
    },
    "sav": {
        "notes": by_pyreadstat("sav", note=["Record 7 is the mayor"]),
        "a label of the file": by_pyreadstat("sav", file_label="Patients of one ward"),
        "labels of values that no cell shows": by_pyreadstat(
            "sav", variable_value_labels={"pay": {1.5: "low", 9.0: "Ann"}}
        ),
        "codes of missing values": by_pyreadstat("sav", missing_ranges={"pay": [9]}),
        "bytes behind the end": changed_text(lambda content: content + b"Ann"),
        "the product of the header": changed_text(marked(b"@(#)", b"@(#)Ann")),
    },
    "dta": {
        "a label of the file": by_pyreadstat("dta", file_label="Ann", version=14),
        "bytes behind the end": changed_text(lambda content: content + b"Ann"),
        "bytes behind a text": changed_text(marked(b"flu\0", b"flu\0A")),
    },
}
ALL = [(ending, name) for ending, changes in TAMPERINGS.items() for name in changes]


@pytest.fixture(scope="module")
def honest(tmp_path_factory):
    """Write one release in every format."""
    folder = tmp_path_factory.mktemp("honest")
    release = ind.anonymize(TABLE, ind.Policy.from_words(WORDS), seed=1)
    for ending in TAMPERINGS:
        release.write(folder / f"out.{ending}")
    return folder


@pytest.mark.parametrize("ending", TAMPERINGS)
def test_an_honest_release_holds_and_names_its_writer(ending, honest):
    path = honest / f"out.{ending}"
    found = ind.verify(path, ind.Policy.from_words(WORDS), original=TABLE)
    assert found.holds, found.faults
    assert "bytes" not in found.not_checked
    manifest = json.loads(Path(f"{path}.manifest.json").read_text())
    assert manifest["output"]["writer"] == formats.writers_of(ending)


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize(("ending", "name"), ALL)
def test_whatever_a_file_holds_besides_its_cells_is_found(ending, name, honest, tmp_path):
    """Without a manifest, and with the manifest of whoever changed the file."""
    path = tmp_path / f"out.{ending}"
    shutil.copy(honest / path.name, path)
    before = path.read_bytes()
    TAMPERINGS[ending][name](path)
    assert path.read_bytes() != before
    policy = ind.Policy.from_words(WORDS)
    forged = json.loads((honest / f"{path.name}.manifest.json").read_text())
    forged["output"]["sha256"] = files.sha256_of(path)
    for manifest in (None, forged):
        try:
            found = ind.verify(path, policy, manifest=manifest)
        except ind.IndistinctError:
            continue  # the file cannot be read any more
        assert found.holds is False
        assert BESIDE in {fault.problem for fault in found.faults}


def test_other_compressed_bytes_of_one_workbook_are_no_difference(honest, tmp_path):
    """Versions of the library that compresses differ; what it compresses is compared."""
    path = tmp_path / "out.xlsx"
    shutil.copy(honest / "out.xlsx", path)
    member("", same)(path)
    assert is_rewritten_alike(table_at(path))


def test_bytes_of_another_version_are_not_checked_and_searched(honest, tmp_path):
    """The verdict says so; texts of the input are looked for all the same. Text is compared."""
    policy = ind.Policy.from_words(WORDS)
    for ending in ("parquet", "xlsx", "csv"):
        path = tmp_path / f"out.{ending}"
        shutil.copy(honest / path.name, path)
        changes = {"parquet": "metadata of the file", "xlsx": "a hidden row", "csv": "blank lines"}
        TAMPERINGS[ending][changes[ending]](path)
        forged = json.loads((honest / f"{path.name}.manifest.json").read_text())
        forged["output"] |= {"sha256": files.sha256_of(path), "writer": {"polars": "0.1"}}
        found = ind.verify(path, policy, manifest=forged)
        if ending == "csv":
            assert found.holds is False
        else:
            assert found.holds is True
            assert "bytes" in found.not_checked
            assert any("another version" in note for note in found.notes)
    path = tmp_path / "out.parquet"
    shutil.copy(honest / path.name, path)
    parquet_with(lambda table: table.replace_schema_metadata({"note": "Ann Miller, cook"}))(path)
    forged = json.loads((honest / "out.parquet.manifest.json").read_text())
    forged["output"] |= {"sha256": files.sha256_of(path), "writer": {"polars": "0.1"}}
    named = TABLE.with_columns(ill=pl.Series(["Ann Miller, cook", *TABLE["ill"][1:]]))
    found = ind.verify(path, policy, manifest=forged, original=named)
    assert "1 texts in the file are not shown in any cell" in {one.problem for one in found.faults}


def test_labels_of_shown_values_are_a_part_of_the_file(tmp_path):
    labels = Labels({"pay": "Pay"}, {"pay": {1.0: "low", 2.0: "high", 3.0: "Ann"}})
    for ending in ("sav", "dta"):
        path = tmp_path / f"out.{ending}"
        formats.write_file(pl.DataFrame({"pay": [1, 2, 2]}), str(path), ending, None, labels)
        table = table_at(path)
        assert table.labels is not None
        assert set(table.labels.values["pay"]) == {1, 2}
        assert list(byte_faults(table)) == []


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Write a release of several parts into a folder."""
    pytest.importorskip("duckdb")
    place = tmp_path_factory.mktemp("parts")
    TABLE.write_parquet(place / "data.parquet")
    policy = ind.Policy.from_words(WORDS)
    with ind.anonymize(place / "data.parquet", policy, engine="duckdb") as release:
        release.write(place / "out", rows_per_file=5)
    return place / "out"


def renamed_part(place: Path) -> None:
    (place / "part-00001.parquet").rename(place / "part-00007.parquet")


FOLDERS = {
    "a file with an underscore": lambda place: TABLE.write_parquet(place / "_raw.parquet"),
    "a hidden file": lambda place: (place / ".notes").write_text("Ann"),
    "a file of another kind": lambda place: (place / "readme.txt").write_text("Ann"),
    "an empty folder with a name": lambda place: (place / "Ann Miller").mkdir(),
    "a part of another number": renamed_part,
    "metadata in one part": lambda place: parquet_with(
        lambda table: table.replace_schema_metadata({"note": "Ann"})
    )(place / "part-00001.parquet"),
}


@pytest.mark.parametrize("name", FOLDERS)
@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_whatever_a_folder_holds_besides_its_parts_is_found(name, engine, folder, tmp_path):
    policy, place = ind.Policy.from_words(WORDS), tmp_path / "out"
    shutil.copytree(folder, place)
    assert verify(place, policy, engine=engine).holds
    FOLDERS[name](place)
    with suppress(ind.IndistinctError):  # files of several formats are not read at all
        assert verify(place, policy, engine=engine).holds is False


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TABLE raw AS SELECT 'Ann' AS name",
        "CREATE VIEW raw AS SELECT 'Ann' AS name",
        "COMMENT ON TABLE released IS 'Ann'",
        "COMMENT ON COLUMN released.ill IS 'Ann'",
        "CREATE MACRO ann() AS 'Ann'",
        "CREATE TYPE names AS ENUM ('Ann')",
        "CREATE TABLE raw AS SELECT 'Ann ' || range AS name FROM range(30000); DROP TABLE raw",
    ],
)
def test_a_file_of_duckdb_holds_the_release_and_nothing_else(statement, tmp_path):
    duckdb = pytest.importorskip("duckdb")
    TABLE.write_parquet(tmp_path / "data.parquet")
    policy, address = ind.Policy.from_words(WORDS), f"duckdb:///{tmp_path}/r.duckdb?table=released"
    with ind.anonymize(tmp_path / "data.parquet", policy, engine="duckdb") as release:
        release.write(address)
    assert ind.verify(address, policy).holds
    for one in statement.split("; "):
        with duckdb.connect(str(tmp_path / "r.duckdb")) as connection:
            connection.execute(one)
    found = ind.verify(address, policy)
    assert [fault.place for fault in found.faults] == ["file"]


def test_a_release_in_a_shared_file_of_duckdb_says_so(tmp_path):
    duckdb = pytest.importorskip("duckdb")
    TABLE.write_parquet(tmp_path / "data.parquet")
    with duckdb.connect(str(tmp_path / "r.duckdb")) as connection:
        connection.execute("CREATE TABLE other AS SELECT 1 AS one")
    policy, address = ind.Policy.from_words(WORDS), f"duckdb:///{tmp_path}/r.duckdb?table=released"
    with ind.anonymize(tmp_path / "data.parquet", policy, engine="duckdb") as release:
        release.write(address)
    found = ind.verify(address, policy)
    assert found.holds
    assert "file" in found.not_checked


def test_counts_do_not_trust_the_statistics_of_a_file(tmp_path):
    """DuckDB groups by them: a footer that states least and greatest values must not merge rows."""
    pytest.importorskip("duckdb")
    codes = pl.DataFrame({"code": pl.Series([n * 256 for n in range(40)] * 2, dtype=pl.Int32)})
    path = tmp_path / "out.parquet"
    codes.write_parquet(path, statistics=True)
    content = path.read_bytes()
    greatest = (39 * 256).to_bytes(4, "little")
    footer = content.rindex(greatest)
    path.write_bytes(content[:footer] + (255).to_bytes(4, "little") + content[footer + 4 :])
    policy = ind.Policy.from_keywords(quasi_identifiers=["code"], k=3)
    for engine in ("duckdb", "polars"):
        found = assess(path, policy, engine=engine)
        assert found.findings.anonymity.k == 2

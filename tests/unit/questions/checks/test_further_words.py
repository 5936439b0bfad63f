"""Neither the model nor the manifest of a made-up table holds a word that was not paid for."""

import csv
import hashlib
import json
import shutil

import pytest

import indistinct as ind
from indistinct.base.files.documents import json_text
from indistinct.questions.checks import verify as verification
from indistinct.questions.checks.verify import THE_LEDGER
from indistinct.synthetic_tables import verify_synthetic
from people import declare, person

SYNTHESIS = 'columns = ["age", "sex", "city"]\nfocus = "sex"\nbins = 6'
PEOPLE = [person(number) for number in range(300)]
RECORDS = [",".join(map(str, one)) for one in PEOPLE[:49]]


@pytest.fixture(scope="module")
def published(tmp_path_factory):
    """A folder with a made-up table and what a reader has beside it; nobody writes here."""
    folder = tmp_path_factory.mktemp("published")
    path = declare(folder, PEOPLE, 20, delta=1e-7)
    text = path.read_text("utf-8").replace("[columns.age]\n", "[columns.age]\npoints = [0]\n")
    path.write_text(f"{text}\n[synthesis]\n{SYNTHESIS}\n", "utf-8")
    ind.synthesize(path, epsilon="2").write(folder / "s.csv", model=folder / "m.json")
    (folder / "people.ledger").unlink()
    return folder


def verdict(published, folder, model=None, manifest=None, rows=None, *, texts=None):
    """Verify a copy of which documents were changed; all hashes follow."""
    for name in ("s.csv", "s.csv.manifest.json", "m.json", "people.toml"):
        shutil.copy(published / name, folder)
    model_text = (folder / "m.json").read_text("utf-8")
    document = json.loads(model_text)
    if model is not None:
        model(document)
        model_text = json_text(document)
    said = json.loads((folder / "s.csv.manifest.json").read_text("utf-8"))
    said["model_sha256"] = hashlib.sha256(json_text(document).encode()).hexdigest()
    if rows is not None:
        changed = rows((folder / "s.csv").read_bytes())
        (folder / "s.csv").write_bytes(changed)
        said["output_sha256"] = hashlib.sha256(changed).hexdigest()
    if manifest is not None:
        manifest(said)
    change_model, change_manifest = texts or (str, str)
    (folder / "m.json").write_text(change_model(model_text), "utf-8")
    (folder / "s.csv.manifest.json").write_text(change_manifest(json_text(said)), "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        if manifest is not None or texts is not None:
            # The model is the one that was made, and its counts take long.
            patch.setattr(verification, "model_faults", lambda *_: ())
        return verify_synthetic(folder / "s.csv", folder / "people.toml", folder / "m.json")


def test_what_was_made_holds_as_every_reader_has_it(published, tmp_path):
    found = verdict(published, tmp_path)
    assert found.faults == ()
    assert THE_LEDGER in found.cannot_tell


def at(*place, value):
    """Return a change of one entry of a document."""

    def change(document):
        *before, last = place
        for word in before:
            document = document[word]
        document[last] = value

    return change


@pytest.mark.parametrize(
    "place",
    [
        ("records",),
        ("columns", 0, "records"),
        ("columns", 0, "codes", 0, "records"),
        ("charges", 0, "records"),
        ("edges", 0, "records"),
        ("focus", "records"),
        ("kind",),
        ("algorithm",),
        ("epsilon",),
        ("delta",),
        ("conversion",),
        ("rows_per_person",),
        ("domain_sha256",),
        ("order",),
        ("charges", 1, "mechanism"),
        ("charges", 1, "scale"),
        ("charges", 1, "times"),
        ("focus", "name"),
        ("focus", "codes"),
        ("focus", "noisy"),
        ("focus", "noisy", 0),
        ("totals",),
        ("totals", 0),
        ("columns", 0, "name"),
        ("columns", 0, "codes", 0),
        ("columns", 0, "noisy", 0),
        ("columns", 0, "joined"),
        ("columns", 0, "joined", 0),
        ("columns", 0, "fine", 0),
        ("columns", 0, "counts", 0, 0),
        ("edges", 0, "columns"),
        ("edges", 0, "noisy", 0, 0, 0),
        ("edges", 0, "counts", 0, 0, 0),
        ("edges", 0, "counts"),
    ],
)
def test_records_in_any_place_of_a_model_are_found(published, tmp_path, place):
    """The hash in the manifest is that of the model, and no ledger is at hand."""
    with pytest.raises(ind.IndistinctError):
        verdict(published, tmp_path, at(*place, value=10**400))
    for value in (RECORDS, ", ".join(RECORDS), True):
        found = verdict(published, tmp_path, at(*place, value=value))
        assert not found.holds
        assert not any(RECORDS[0] in fault for fault in found.faults)


def longer(document):
    document["columns"][0]["noisy"].append([7, 7])


def one_more_column(document):
    document["columns"].append({"name": "person 7", "codes": [], "noisy": []})


def one_more_edge(document):
    document["edges"].append(document["edges"][0])


def in_the_digits(document):
    document["columns"][0]["fine"] = [one + 1e-9 for one in document["columns"][0]["fine"]]


def a_negative_zero(document):
    document["columns"][0]["fine"][0] = -0.0


def another_scale(document):
    document["charges"][0]["scale"] *= 1.01


def a_smaller_charge(document):
    document["charges"][0]["amount"] -= 1000


def a_smaller_rho(document):
    document["rho"] = round(document["rho"] * 0.9, 9)


def a_number_for_a_count(document):
    document["charges"][0]["times"] = 1.0


@pytest.mark.parametrize(
    "change",
    [
        longer,
        one_more_column,
        one_more_edge,
        in_the_digits,
        a_negative_zero,
        another_scale,
        a_smaller_charge,
        a_smaller_rho,
        a_number_for_a_count,
    ],
)
def test_numbers_that_say_more_than_the_noisy_counts_are_found(published, tmp_path, change):
    assert not verdict(published, tmp_path, change).holds


def test_records_as_noisy_counts_are_found(published, tmp_path):
    """Numbers far from the counts of the other columns, or below what noise makes of 0."""
    for value in (10**15, -(10**6), 5_000_000_000):
        change = at("columns", 0, "noisy", 0, 0, value=value)
        faults = verdict(published, tmp_path, change).faults
        assert any("not such as the noise makes" in fault for fault in faults)


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("verified", {"records": RECORDS[1:4], "true_count": 300}),
        ("verified", 1),
        ("verified", "true"),
        ("unit", "person; the true number of records is 300"),
        ("neighbours", "replace one person by another at no cost"),
        ("kind", RECORDS),
        ("accountant", RECORDS[0]),
        ("ledger_entry", RECORDS[0]),
        ("ledger_entry", -1),
        ("ledger_entry", 10**400),
        ("derived", {"note": RECORDS[0]}),
        ("focus", RECORDS[0]),
        ("rows", "300"),
        ("rows", 300.0),
        ("rows_per_person", True),
        ("membership_bound", RECORDS[0]),
        ("membership_bound", None),
        ("output_sha256", RECORDS[0]),
        ("true_count", 300),
    ],
)
def test_every_word_of_a_manifest_is_compared(published, tmp_path, word, value):
    try:
        found = verdict(published, tmp_path, manifest=at(word, value=value))
    except ind.IndistinctError:  # a manifest of another table
        return
    assert not found.holds
    assert not any(RECORDS[0] in fault for fault in found.faults)


def test_a_manifest_that_lacks_a_word_is_found(published, tmp_path):
    for word in ("unit", "kind", "neighbours", "rows"):
        assert not verdict(published, tmp_path, manifest=lambda said, w=word: said.pop(w)).holds


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text + "\n",
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("  ", "\t", 1),
        lambda text: "\ufeff" + text,
        lambda text: text.replace("{\n", '{\n  "kind": "person 7, 50 years",\n', 1),
        lambda text: json.dumps(json.loads(text)),
        lambda text: json_text(dict(sorted(json.loads(text).items()))),
        lambda text: text.replace('"kind"', '"k\\u0069nd"', 1),
    ],
)
def test_documents_that_are_written_otherwise_are_found(published, tmp_path, change):
    """Blanks, the order of words, words that stand twice, and letters written as numbers."""
    for texts in ((change, str), (str, change)):
        try:
            found = verdict(published, tmp_path, texts=texts)
        except ind.IndistinctError:
            continue
        assert not found.holds


@pytest.mark.parametrize("text", ["[" * 100_000, "null", "[]", "3", '"x"', "NaN", "{}"])
def test_what_is_no_document_ends_in_words(published, tmp_path, text):
    for texts in ((lambda _: text, str), (str, lambda _: text)):
        try:
            found = verdict(published, tmp_path, texts=texts)
        except ind.IndistinctError:
            continue
        assert not found.holds or (texts[0] is str and text == "null")


def quoted(content):
    rows = list(csv.reader(content.decode().splitlines()))
    return content.replace(rows[1][2].encode(), f'"{rows[1][2]}"'.encode(), 1)


@pytest.mark.parametrize(
    "change",
    [
        quoted,
        lambda content: content + b"\n",
        lambda content: content.replace(b"\n", b"\r\n"),
        lambda content: content.replace(b"\n", b"\n0", 1),
        lambda content: content.replace(b"\n", b"\n ", 1),
        lambda content: content.replace(b"\n", b"\n+", 1),
        lambda content: content.replace(b"\n", b"\n1e", 1),
        lambda content: content.replace(b",", b".0000001,", 4),
        lambda content: content[:-1],
        lambda content: b"\xef\xbb\xbf" + content,
    ],
)
def test_cells_that_are_written_otherwise_are_found(published, tmp_path, change):
    """Quotes, blanks and zeros could mark records."""
    try:
        found = verdict(published, tmp_path, rows=change)
    except ind.IndistinctError:
        return
    assert not found.holds


def test_a_ledger_of_more_decimals_still_gives_its_model(tmp_path):
    """Older versions kept counts with all digits; the model that was paid for stays usable."""
    import sqlite3

    path = declare(tmp_path, PEOPLE, 20, delta=1e-7)
    ind.synthesize(path, epsilon="2").write(tmp_path / "s.csv", model=tmp_path / "m.json")
    with sqlite3.connect(tmp_path / "people.ledger") as connection:
        (answer,) = connection.execute("SELECT answer FROM charges").fetchone()
        kept = json.loads(answer)
        kept["totals"] = [one + 1e-9 for one in kept["totals"]]
        connection.execute("UPDATE charges SET answer = ?", (json.dumps(kept),))
        connection.execute("DROP TABLE marks")  # which older versions did not have
    connection.close()
    again = ind.synthesize(path, epsilon="2")
    assert again.charged == 0
    again.write(tmp_path / "t.csv", model=tmp_path / "n.json")
    assert (tmp_path / "n.json").read_bytes() == (tmp_path / "m.json").read_bytes()


def test_a_table_with_tabs_is_compared_as_well(published, tmp_path):
    """Its quotes could mark records, too."""
    for name in ("people.toml", "m.json"):
        shutil.copy(published / name, tmp_path)
    rows = (published / "s.csv").read_text("utf-8").replace(",", "\t")
    paths = tmp_path / "s.tsv", tmp_path / "people.toml", tmp_path / "m.json"
    paths[0].write_text(rows, "utf-8")
    assert verify_synthetic(*paths).faults == ()
    paths[0].write_text(rows.replace("\tF", '\t"F"', 1), "utf-8")
    assert not verify_synthetic(*paths).holds

"""What a manifest says is checked against the model, and the charge is looked up in the ledger."""

import json
import shutil
import sqlite3

import pytest

import indistinct as ind
from indistinct.base.files.documents import json_text
from indistinct.errors import VerificationError
from indistinct.questions.checks.verify import IN_LEDGER, THE_LEDGER, THE_MANIFEST
from indistinct.synthetic_tables import verify_synthetic
from people import declare, person

FILES = ("s.csv", "s.csv.manifest.json", "m.json", "people.toml", "people.ledger")


@pytest.fixture(scope="module")
def published(tmp_path_factory):
    """A folder with a made-up table and all that belongs to it; nobody writes here."""
    folder = tmp_path_factory.mktemp("published")
    found = ind.synthesize(
        declare(folder, [person(n) for n in range(300)], 20, delta=1e-7), epsilon="2"
    )
    found.write(folder / "s.csv", model=folder / "m.json")
    return folder


def verdict(published, folder, change=None, without=(), ledger=None):
    """Verify a copy whose manifest or ledger was changed, or that lacks a file."""
    for name in set(FILES) - set(without):
        shutil.copy(published / name, folder)
    if change is not None:
        path = folder / "s.csv.manifest.json"
        document = json.loads(path.read_text("utf-8"))
        change(document)
        path.write_text(json_text(document), "utf-8")
    if ledger is not None:
        with sqlite3.connect(folder / "people.ledger") as connection:
            connection.execute(ledger)
        connection.close()
    return verify_synthetic(folder / "s.csv", folder / "people.toml", folder / "m.json")


def test_a_written_table_says_that_it_was_verified_and_holds(published, tmp_path):
    manifest = json.loads((published / "s.csv.manifest.json").read_text("utf-8"))
    assert manifest["verified"] is True
    found = verdict(published, tmp_path)
    assert found.faults == ()
    assert {IN_LEDGER, THE_MANIFEST} <= set(found.checked)
    assert THE_LEDGER not in found.cannot_tell


def test_without_ledger_and_manifest_it_says_what_it_cannot_tell(published, tmp_path):
    found = verdict(published, tmp_path, without=("people.ledger", "s.csv.manifest.json"))
    assert found.faults == ()
    assert THE_LEDGER in found.cannot_tell
    assert THE_MANIFEST not in found.checked


@pytest.mark.parametrize(
    "ledger",
    [
        "DELETE FROM charges",
        "UPDATE charges SET shared = shared - 1",
        "UPDATE charges SET answer = NULL",
        "UPDATE charges SET dataset = 'another'",
        "UPDATE charges SET answer = replace(answer, '\"noisy\": [[', '\"noisy\": [[1')",
    ],
)
def test_a_ledger_without_the_charge_is_found(published, tmp_path, ledger):
    found = verdict(published, tmp_path, ledger=ledger)
    assert found.faults == ("the ledger has no charge that paid for this model",)


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("epsilon", "1"),
        ("membership_bound", 0.01),
        ("ledger_entry", 2),
        ("tree", []),
        ("model_sha256", "0" * 64),
        ("charges", []),
    ],
)
def test_a_manifest_that_says_more_or_else_is_found(published, tmp_path, word, value):
    found = verdict(published, tmp_path, lambda manifest: manifest.update({word: value}))
    assert [fault.split(":")[0] for fault in found.faults] == [f"manifest.{word}"]


@pytest.mark.parametrize("word", ["input_rows", "person 7, 50 years"])
def test_a_further_word_of_a_manifest_is_found_and_not_repeated(published, tmp_path, word):
    found = verdict(published, tmp_path, lambda manifest: manifest.update({word: 300}))
    assert found.faults == ("manifest: has 1 words that no release says",)


def test_a_manifest_that_counts_one_record_more_is_found(published, tmp_path):
    """The number of records is noisy, so the wrong one is made from the one that was released."""

    def count_one_more(manifest):
        manifest["rows"] += 1

    found = verdict(published, tmp_path, count_one_more)
    assert [fault.split(":")[0] for fault in found.faults] == ["manifest.rows"]


def test_a_parquet_file_is_checked_as_well(published, tmp_path):
    ind.synthesize(published / "people.toml", epsilon="2").write(tmp_path / "s.parquet")
    found = verify_synthetic(
        tmp_path / "s.parquet", published / "people.toml", published / "m.json"
    )
    assert found.faults == ()
    assert THE_MANIFEST in found.checked


def test_nothing_is_left_of_a_table_that_does_not_follow_from_its_model(
    published, tmp_path, monkeypatch
):
    """The draw forgets the model: the table is refused before it has a name."""
    from indistinct.questions.synthesis import drawing, request as synthesize

    def careless(model, n_records, source):
        codes, focus = drawing.draw(model, n_records, source)
        return codes * 0, focus

    monkeypatch.setattr(synthesize, "draw", careless)
    with pytest.raises(VerificationError, match="do not follow"):
        ind.synthesize(published / "people.toml", epsilon="2").write(tmp_path / "s.csv")
    assert list(tmp_path.iterdir()) == []

"""Words for a missing value in released cells, and releases without a manifest."""

import json

import polars as pl
import pytest
import tomli_w

import indistinct as ind
from indistinct.frontends.cli.main import status
from masks import problems
from ordered import ordered

WORDS = ["NA", "?", "-9"]
ROLES = {
    "age": {"role": "quasi-identifier", "hierarchy": {"intervals": [10, 20]}},
    "town": {"role": "quasi-identifier", "hierarchy": {"tree": {"all": ["Ayr", "Bath", "?"]}}},
    "ill": {"role": "sensitive"},
    "note": {"role": "insensitive"},
    "score": {"role": "insensitive"},
}


def table():
    """Make up visitors, some of whose values are missing in one way or another."""
    rows = range(120)
    return pl.DataFrame(
        {
            "age": [(20, 30, 40, -9)[row % 4] for row in rows],
            "town": [("Ayr", "Bath", "?")[row % 3] for row in rows],
            "ill": [("flu", "cold", "NA", "gout")[row * 7 % 4] for row in rows],
            "note": [("x", "?")[row * 5 % 2] for row in rows],
            "score": [(1.5, 2.5, -9.0)[row * 11 % 3] for row in rows],
        }
    )


def policy(method=None, **columns):
    """Let every group of five hold."""
    words = words_of({**ROLES, **columns})
    return ind.Policy.from_words(words | ({"method": method} if method else {}))


def words_of(columns):
    """Return the words of a policy."""
    models = [{"name": "k-anonymity", "k": 5}]
    return {"data": {"missing": WORDS}, "columns": columns, "models": models}


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_an_honest_release_leaves_missing_cells_empty(suffix, tmp_path):
    path = tmp_path / f"out.{suffix}"
    release = ind.anonymize(table(), policy(), seed=1)
    release.write(path)
    assert release.frame.null_count().sum_horizontal().item() > 0
    for original in (None, table()):
        found = ind.verify(path, policy(), original=original)
        assert found.holds, problems(found)


@pytest.mark.parametrize("algorithm", ["local", "mondrian", "k-member"])
def test_the_first_word_stands_for_all_missing_cells_of_a_local_recoding(algorithm):
    """It is refused where it stands beside an empty cell, and so is every other word."""
    asked = policy(method={"algorithm": algorithm}, age={"role": "quasi-identifier"})
    release = ind.anonymize(table(), asked, seed=1)
    frame = release.frame
    assert ind.verify(frame, asked, manifest=release.manifest).holds
    for word in WORDS[1:]:
        cells = pl.Series("town", [word, *frame["town"][1:]])
        said = problems(ind.verify(frame.with_columns(cells), asked))
        assert any("as missing" in one for one in said)


@pytest.mark.parametrize(
    ("name", "word"),
    [("age", -9), ("town", "?"), ("ill", "NA"), ("ill", "?"), ("note", "?"), ("score", -9.0)],
)
def test_a_word_for_a_missing_value_in_a_cell_is_refused(name, word):
    frame = ind.anonymize(table(), policy(), seed=1).frame
    marked = pl.Series([row % 2 == 0 for row in range(frame.height)]) & frame[name].is_null()
    column = frame[name].cast(pl.String) if isinstance(word, str) else frame[name]
    cells = [word if is_marked else cell for cell, is_marked in zip(column, marked, strict=True)]
    forged = ordered(frame.with_columns(pl.Series(name, cells, strict=False)), "age", "town")
    said = problems(ind.verify(forged, policy()))
    assert any(one.startswith(f"columns.{name}:") and "as missing" in one for one in said)


def test_what_an_honest_cell_may_be_is_passed_over():
    """A rounded number may be the one that stands for a missing value."""
    other = policy(
        score={"role": "insensitive", "protect": {"name": "round", "base": 9}},
    )
    frame = table().with_columns(score=pl.Series([-8.0, 1.0] * 60))
    release = ind.anonymize(frame, other, seed=1)
    assert -9.0 in release.frame["score"].to_list()
    found = ind.verify(release.data, other, original=frame, crosswalk=release.crosswalk)
    assert found.holds, problems(found)


def test_the_words_of_a_large_release_are_looked_at(tmp_path):
    table().write_csv(tmp_path / "in.csv")
    with ind.anonymize(tmp_path / "in.csv", policy(), engine="polars") as release:
        release.write(tmp_path / "out.csv")
    assert ind.verify(tmp_path / "out.csv", policy(), engine="polars").holds
    text = (tmp_path / "out.csv").read_text()
    (tmp_path / "out.csv").write_text(text.replace(",x,", ",?,"))
    found = ind.verify(tmp_path / "out.csv", policy(), engine="polars")
    assert any("as missing" in one for one in problems(found))


@pytest.fixture(name="path")
def _path(tmp_path):
    """Write a release beside its manifest."""
    (tmp_path / "policy.toml").write_text(tomli_w.dumps(words_of(ROLES)))
    ind.anonymize(table(), policy(), seed=1).write(tmp_path / "out.csv")
    return tmp_path / "out.csv"


def test_without_a_manifest_the_verdict_says_what_was_not_checked(path):
    with_it = ind.verify(path, policy(), require_manifest=True)
    assert with_it.holds
    assert "manifest" not in with_it.not_checked
    (path.parent / "out.csv.manifest.json").unlink()
    found = ind.verify(path, policy())
    assert found.holds
    assert found.not_checked == ("manifest",)
    assert any("hash" in note and "--manifest" in note for note in found.notes)
    assert "manifest" in json.loads(json.dumps(found.document()))["not_checked"]


@pytest.mark.parametrize("as_frame", [True, False])
def test_a_manifest_can_be_required(path, as_frame):
    (path.parent / "out.csv.manifest.json").unlink()
    data = pl.read_csv(path) if as_frame else path
    with pytest.raises(ind.DataError, match="there is no manifest"):
        ind.verify(data, policy(), require_manifest=True)


def test_the_command_ends_with_the_code_of_a_wrong_use(path, capsys):
    words = [
        "verify",
        str(path),
        "--policy",
        str(path.parent / "policy.toml"),
        "--require-manifest",
    ]
    assert status(words, show_values=False) == 0
    (path.parent / "out.csv.manifest.json").unlink()
    assert status(words[:-1], show_values=False) == 0
    assert "there is no manifest" in capsys.readouterr().out
    assert status(words, show_values=False) == 2
    assert "--manifest" in capsys.readouterr().err
    assert status(["verify", str(path), words[-1]], show_values=False) == 2

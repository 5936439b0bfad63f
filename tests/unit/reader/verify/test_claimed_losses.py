"""False losses are found where a reader can measure them, and listed where nobody can."""

import copy
import json

import polars as pl
import pytest

import indistinct as ind
from indistinct.reader.verify.cells import Intervals, Masks
from indistinct.reader.verify.claimed_losses import _Column
from indistinct.reader.verify.listed_shares import listed_shares, listed_total

ROWS = pl.DataFrame(
    {
        "age": [21, 22, 23, 24, 61, 62, 63, 64] * 10 + [99],
        "zip": ["10115", "10117", "10119", "10117", "80331", "80333", "80335", "80337"] * 10
        + ["99999"],
        "job": list("abcdabcd") * 10 + ["z"],
        "day": [f"20{10 + row % 7}-0{1 + row % 9}-11" for row in range(81)],
        "ill": list("xyzy") * 20 + ["x"],
    }
)
QUASI = ("age", "zip", "job", "day")


def released(folder, algorithm, rules=None, **more):
    """Give a policy, the path of its release, the manifest and the crosswalk."""
    rules = rules or {}
    words = {
        "columns": {
            name: {"role": "quasi-identifier"}
            | ({"hierarchy": rules[name]} if name in rules else {})
            for name in QUASI
        }
        | {"ill": {"role": "sensitive"}},
        "models": [{"name": "k-anonymity", "k": 5}],
        "method": {"algorithm": algorithm, "max_suppression": 0.1},
        **more,
    }
    policy, path, rows = ind.Policy.from_words(words), folder / "out.csv", folder / "rows.csv"
    manifest = ind.anonymize(ROWS, policy, seed=1).write(path, crosswalk=rows)
    return policy, path, json.loads(json.dumps(manifest)), rows


@pytest.mark.parametrize("intervals", ["label", "bounds"])
@pytest.mark.parametrize("algorithm", ["optimal", "local", "mondrian", "k-member"])
def test_a_false_loss_is_found_with_the_input_and_the_crosswalk(tmp_path, algorithm, intervals):
    """Measured by another program from the cells and the values; honest ones are believed."""
    policy, path, manifest, rows = released(tmp_path, algorithm, release={"intervals": intervals})
    assert manifest["records"]["suppressed"] <= 1
    refuses_false_losses(path, policy, manifest, {"original": ROWS, "crosswalk": rows})


def refuses_false_losses(path, policy, manifest, proofs):
    honest = ind.verify(path, policy, manifest=manifest, **proofs)
    assert honest.holds
    assert not {"loss.loss", "loss.ncp"} & set(honest.not_checked)
    for metric in ("loss", "ncp"):
        false = copy.deepcopy(manifest)
        false["loss"][metric] /= 10
        found = ind.verify(path, policy, manifest=false, **proofs)
        assert [fault.place for fault in found.faults] == [f"manifest.loss.{metric}"]
        alone = ind.verify(path, policy, manifest=false)
        assert alone.holds
        assert f"loss.{metric}" in alone.not_checked


@pytest.mark.parametrize("algorithm", ["optimal", "local"])
def test_a_false_loss_is_found_beside_a_column_whose_hierarchy_is_a_file(tmp_path, algorithm):
    """Values that the data lack count, too, and a category may keep its name at two levels."""
    file = tmp_path / "job.csv"
    file.write_text("a;early;*\nb;early;*\nc;late;*\nd;late;*\ne;late;*\nz;z;*\n")
    rules = {"job": {"csv": str(file), "separator": ";"}}
    policy, path, manifest, rows = released(tmp_path, algorithm, rules)
    refuses_false_losses(path, policy, manifest, {"original": ROWS, "crosswalk": rows})


def policy_of_jobs(tree):
    columns = {"job": {"role": "quasi-identifier", "hierarchy": {"tree": tree}}}
    return ind.Policy.from_words({"columns": columns, "models": [{"name": "k-anonymity", "k": 5}]})


def test_the_loss_of_a_listed_label_is_the_share_of_the_listed_values_under_it():
    """Of six values, early has two and late three; z is one at both levels."""
    tree = {"early": ["a", "b"], "late": ["c", "d", "e"], "z": ["z"]}
    policy = policy_of_jobs(tree)
    assert listed_shares(policy, "job", None) is None
    shares = listed_shares(policy, "job", None, is_repeatable=True)
    assert shares == listed_shares(policy, "job", 0) | listed_shares(policy, "job", 1)
    shown = [("a", 3), ("early", 5), ("late", 5), ("z", 2), ("*", 1), ("", 4)]
    assert listed_total(shown, shares, "loss") == pytest.approx(5 * 1 / 5 + 5 * 2 / 5 + 1)
    assert listed_total(shown, shares, "ncp") == pytest.approx(5 * 2 / 6 + 5 * 3 / 6 + 1)


def test_a_label_with_other_values_at_another_level_has_no_share():
    """Nobody can tell whether c is a value or the label of two."""
    tree = {"c": ["a", "b"], "late": ["c", "d"]}
    policy = policy_of_jobs(tree)
    assert listed_shares(policy, "job", None, is_repeatable=True) is None
    assert listed_shares(policy, "job", 1)["c"] == (2, 4)


def test_the_words_and_the_document_say_what_was_not_checked(tmp_path):
    """A loss that only its publisher could measure is claimed, and no more."""
    policy, path, manifest, _ = released(tmp_path, "optimal")
    found = ind.verify(path, policy, manifest=manifest)
    assert "loss.loss" in found.not_checked
    assert "loss.discernibility" not in found.not_checked
    assert found.document()["not_checked"] == list(found.not_checked)
    assert ind.verify(path, policy, manifest=None).not_checked == found.not_checked


def test_a_listed_loss_is_checked_in_the_file_alone(tmp_path):
    """Where a tree lists the values, the cells determine the loss, and nothing is left open."""
    policy, path = policy_of_jobs({"early": ["a", "b"], "late": ["c", "d"]}), tmp_path / "out.csv"
    ind.anonymize(ROWS.head(80).select("job"), policy, seed=1).write(path)
    assert "loss.loss" not in ind.verify(path, policy).not_checked


@pytest.mark.parametrize(
    ("cell", "loss", "ncp"),
    [("1011", 0.0, 0.0), ("101*", 1 / 3, 2 / 4), ("10**", 2 / 3, 3 / 4), ("*", 1.0, 1.0)],
)
def test_the_loss_of_a_cell_is_the_share_of_the_values_it_covers(cell, loss, ncp):
    """Of 1011, 1012, 1027 and 8033: a loss of (values - 1) / 3, and a penalty of values / 4."""
    shown = {cell if cell == "*" else f"a{cell}": 6}
    column = _Column(Masks(3), shown, ["a1011", "a1012", "a1027", "a8033"])
    assert column.total("loss") == pytest.approx(6 * loss)
    assert column.total("ncp") == pytest.approx(6 * ncp)


@pytest.mark.parametrize(
    ("cell", "loss", "ncp"),
    [
        ("20", 0.0, 0.0),
        ("[20, 30)", 0.25, 11 / 41),
        ("[20, 30]", 0.25, 0.25),
        ("[0, 25)", 5 / 40, 6 / 41),
        ("[90, 99)", 0.0, 0.0),
        ("*", 1.0, 1.0),
    ],
)
def test_the_loss_of_a_range_is_its_share_of_the_numbers_range(cell, loss, ncp):
    """Numbers from 20 to 60; of whole numbers in half-open ranges both ends are counted."""
    column = _Column(Intervals((10,)), {cell: 3}, ["20", "35", "60", ""])
    assert column.total("loss") == pytest.approx(3 * loss)
    assert column.total("ncp") == pytest.approx(3 * ncp)


@pytest.mark.parametrize("algorithm", ["optimal", "local", "k-member"])
def test_words_that_read_like_ranges_of_other_values_lose_nothing(algorithm):
    """The value ``[0, 5)`` is no range here: it is one of the words of the column."""
    words = ["3", "0", "[0, 5)", "[3, 7]", "7"]
    frame = pl.DataFrame({"q": words * 4})
    policy = ind.Policy(
        columns={"q": {"role": "quasi-identifier"}},
        models=[{"name": "k-anonymity", "k": 2}],
        method={"algorithm": algorithm},
    )
    release = ind.anonymize(frame, policy, seed=1)
    assert sorted(release.data["q"]) == sorted(frame["q"])
    assert release.manifest["loss"]["loss"] == release.manifest["loss"]["ncp"] == 0
    assert ind.verify(release.data, policy, manifest=release.manifest, original=frame).holds


@pytest.mark.parametrize("algorithm", ["optimal", "local", "mondrian"])
def test_empty_bounds_do_not_say_what_is_lost(algorithm, tmp_path):
    """A missing number loses nothing, and a hidden one all; nobody sees which of them a cell is."""
    tree = {"[20, 71)": ["20", "26"], "[71, 100)": ["71", "99"], "": [""]}
    frame = pl.DataFrame({"q": [None, 20, 20, None, 99, 71]})
    policy = ind.Policy.from_words(
        {
            "columns": {"q": {"role": "quasi-identifier", "hierarchy": {"tree": tree}}},
            "models": [{"name": "k-anonymity", "k": 2}],
            "method": {"algorithm": algorithm},
            "release": {"intervals": "bounds"},
        }
    )
    release = ind.anonymize(frame, policy, seed=1)
    assert release.data["q_min"].null_count() == 2
    path = tmp_path / "r.csv"
    manifest = release.write(path, crosswalk=tmp_path / "c.csv")
    found = ind.verify(path, policy, manifest=manifest)
    assert found.holds
    assert {"loss.loss", "loss.ncp"} <= set(found.not_checked)
    proofs = {"original": frame, "crosswalk": tmp_path / "c.csv"}
    assert ind.verify(path, policy, manifest=manifest, **proofs).holds


def test_whoever_publishes_and_whoever_verifies_agree_on_what_a_file_determines(tmp_path):
    """A policy with bounds has a column of words as well, whose listed missing value is shown."""
    tree = {"g2": ["q", "r", "t"], "g1": ["x", "a", ""], "g0": ["p"]}
    frame = pl.DataFrame({"w": ["a", None, "x", "x", *"pqpqq", None, None, "p"]})
    policy = ind.Policy.from_words(
        {
            "columns": {"w": {"role": "quasi-identifier", "hierarchy": {"tree": tree}}},
            "models": [{"name": "k-anonymity", "k": 3}],
            "method": {"algorithm": "local"},
            "release": {"intervals": "bounds"},
        }
    )
    release = ind.anonymize(frame, policy, seed=1)
    assert release.data["w"].null_count() == 3
    path = tmp_path / "r.csv"
    manifest = release.write(path, crosswalk=tmp_path / "c.csv")
    assert ind.verify(path, policy, manifest=manifest).holds
    proofs = {"original": frame, "crosswalk": tmp_path / "c.csv"}
    assert ind.verify(path, policy, manifest=manifest, **proofs).holds

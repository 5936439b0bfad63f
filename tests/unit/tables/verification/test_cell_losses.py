"""False losses are found where a reader can measure them, and listed where nobody can."""

import copy
import json

import polars as pl
import pytest

import indistinct as ind
from indistinct.tables.policy.specification import resolve
from indistinct.tables.verification.listed import list_of
from indistinct.tables.verification.manifest_check import total_loss

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


def released(folder, algorithm, rules=None, rows=ROWS, **more):
    """Return a policy, the path of its release, the manifest and the crosswalk."""
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
    policy, path, crosswalk = ind.Policy.from_words(words), folder / "out.csv", folder / "rows.csv"
    manifest = ind.anonymize(rows, policy, seed=1).write(path, crosswalk=crosswalk)
    return policy, path, json.loads(json.dumps(manifest)), crosswalk


LISTED = {
    "age": {"intervals": [10, 20]},
    "zip": {"tree": {"E": ["10115", "10117", "10119"], "S": ["80331", "80333", "80335", "80337"]}},
    "job": {"tree": {"early": ["a", "b"], "late": ["c", "d", "e"], "z": ["z"]}},
    "day": {"tree": {"days": [f"20{10 + n}-0{m}-11" for n in range(7) for m in range(1, 10)]}},
}
LISTED["zip"]["tree"]["none"] = ["99999"]


@pytest.mark.parametrize("intervals", ["label", "bounds"])
@pytest.mark.parametrize("algorithm", ["optimal", "local", "mondrian", "k-member"])
def test_a_false_loss_is_found_in_the_file_alone(tmp_path, algorithm, intervals):
    """Where every column is listed or consists of numbers, and no cell may be missing."""
    rows, release = ROWS.head(80), {"release": {"intervals": intervals}}
    policy, path, manifest, _ = released(tmp_path, algorithm, LISTED, rows=rows, **release)
    honest = ind.verify(path, policy, manifest=manifest)
    assert honest.holds
    assert not {"loss.loss", "loss.ncp"} & set(honest.not_checked)
    for metric in ("loss", "ncp"):
        false = copy.deepcopy(manifest)
        false["loss"][metric] /= 10
        found = ind.verify(path, policy, manifest=false)
        assert [fault.place for fault in found.faults] == [f"manifest.loss.{metric}"]


@pytest.mark.parametrize("algorithm", ["optimal", "local"])
def test_what_only_the_values_tell_is_not_published(tmp_path, algorithm):
    """The share of a masked code in all codes is nobody's but the publisher's to measure."""
    policy, path, manifest, rows = released(tmp_path, algorithm)
    assert {*manifest["loss"]} == {"discernibility", "average-class-size"}
    found = ind.verify(path, policy, manifest=manifest, original=ROWS, crosswalk=rows)
    assert found.holds
    claimed = {**manifest, "loss": {**manifest["loss"], "ncp": 0.1}}
    assert not ind.verify(path, policy, manifest=claimed, original=ROWS, crosswalk=rows).holds


def policy_of_jobs(tree):
    columns = {"job": {"role": "quasi-identifier", "hierarchy": {"tree": tree}}}
    return ind.Policy.from_words({"columns": columns, "models": [{"name": "k-anonymity", "k": 5}]})


def test_the_loss_of_a_listed_label_is_the_share_of_the_listed_values_under_it():
    """Of six values, early has two and late three; the group z is one value, and so is z."""
    policy = policy_of_jobs({"early": ["a", "b"], "late": ["c", "d", "e"], "z": ["z"]})
    shown = [("a", 3), ("early", 5), ("late", 5), ("z", 2), ("*", 1), ("", 4)]
    assert total_loss(resolve(policy).columns["job"], shown, "loss") == pytest.approx(
        5 * 1 / 5 + 5 * 2 / 5 + 1
    )
    assert total_loss(resolve(policy).columns["job"], shown, "ncp") == pytest.approx(
        5 * 2 / 6 + 5 * 3 / 6 + 1
    )


def test_a_group_with_the_name_of_a_value_has_a_share_of_its_own():
    """The group c is written with its level, and the value c keeps its name."""
    listed = list_of(policy_of_jobs({"c": ["a", "b"], "late": ["c", "d"]}).rule_of("job"))
    assert len(listed.paths) == 4
    assert listed.sizes["c"] == 1
    assert listed.sizes["c (level 1)"] == 2


def test_a_listed_loss_is_checked_in_the_file_alone(tmp_path):
    """Where a tree lists the values, the cells determine the loss, and nothing is left open."""
    policy, path = policy_of_jobs({"early": ["a", "b"], "late": ["c", "d"]}), tmp_path / "out.csv"
    ind.anonymize(ROWS.head(80).select("job"), policy, seed=1).write(path)
    assert "loss" in json.loads((tmp_path / "out.csv.manifest.json").read_text())["loss"]
    assert ind.verify(path, policy).holds


@pytest.mark.parametrize(
    ("cell", "loss", "ncp"),
    [
        ("20", 0.0, 0.0),
        ("[20, 30)", 0.25, 11 / 41),
        ("[20, 30]", 0.25, 0.25),
        ("", 0.0, 0.0),
        ("*", 1.0, 1.0),
    ],
)
def test_the_loss_of_a_range_is_its_share_of_the_released_range(cell, loss, ncp):
    """Released from 20 to 60; of half-open ranges of whole numbers both ends are counted."""
    columns = {"age": {"role": "quasi-identifier", "hierarchy": {"intervals": [10]}}}
    models = [{"name": "k-anonymity", "k": 5}]
    policy = ind.Policy.from_words({"columns": columns, "models": models})
    shown = [(cell, 3), ("20", 1), ("60", 2)]
    assert total_loss(resolve(policy).columns["age"], shown, "loss") == pytest.approx(3 * loss)
    assert total_loss(resolve(policy).columns["age"], shown, "ncp") == pytest.approx(3 * ncp)


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
    assert release.owner["loss"]["loss"] == release.owner["loss"]["ncp"] == 0
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
    assert not {"loss", "ncp"} & {*manifest["loss"]}
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

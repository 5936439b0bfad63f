"""False levels of columns are found; nothing is claimed of suggested hierarchies."""

import copy
import json

import polars as pl
import pytest

import indistinct as ind

QUASI = {"role": "quasi-identifier"}
ROWS = pl.DataFrame(
    {
        "age": [21, 22, 23, 24, 61, 62, 63, 64] * 20,
        "zip": ["10115", "10117", "10119", "10117", "80331", "80333", "80335", "80337"] * 20,
        "job": list("abcdefgh") * 20,
        "ill": list("xyzy") * 40,
    }
)


WRITTEN = {"age": {"intervals": [5, 10, 20]}, "zip": {"mask": 4}}


def words(**columns):
    roles = {name: {**QUASI, **columns.get(name, {})} for name in ("age", "zip", "job")}
    for name, hierarchy in WRITTEN.items():
        roles[name] |= {"hierarchy": hierarchy}
    return {
        "columns": {**roles, "ill": {"role": "sensitive"}},
        "models": [{"name": "k-anonymity", "k": 60}],
        "method": {"algorithm": "optimal"},
    }


def released(folder, given):
    """Return a policy, the path of its release, and the manifest."""
    policy, path = ind.Policy.from_words(given), folder / "release.csv"
    manifest = ind.anonymize(ROWS, policy, seed=1).write(path)
    return policy, path, json.loads(json.dumps(manifest))


def places(policy, path, manifest, **more):
    return [one.place for one in ind.verify(path, policy, manifest=manifest, **more).faults]


@pytest.mark.parametrize("with_input", [False, True])
@pytest.mark.parametrize("intervals", ["label", "bounds"])
def test_a_level_at_which_no_cell_stands(tmp_path, with_input, intervals):
    given = {**words(), "release": {"intervals": intervals}}
    policy, path, manifest = released(tmp_path, given)
    more = {"original": ROWS} if with_input else {}
    assert places(policy, path, manifest, **more) == []
    assert "job" not in manifest["method"]["transformation"]
    # Without the input a text with stars at its end may be a value.
    for name in ("age", "zip") if with_input else ("age",):
        false = copy.deepcopy(manifest)
        assert false["method"]["transformation"][name] > 0
        false["method"]["transformation"][name] = 0
        assert f"manifest.method.transformation.{name}" in places(policy, path, false, **more)
    manifest["method"]["transformation"]["job"] = 1
    assert places(policy, path, manifest, **more) == [
        "manifest.method.levels",
        "manifest.method.transformation",
    ]


@pytest.mark.parametrize("with_input", [False, True])
def test_a_number_stands_at_no_level_above_the_lowest(tmp_path, with_input):
    given = {**words(), "models": [{"name": "k-anonymity", "k": 2}]}
    policy, path, manifest = released(tmp_path, given)
    more = {"original": ROWS} if with_input else {}
    assert places(policy, path, manifest, **more) == []
    manifest["method"]["transformation"]["age"] += 1
    assert places(policy, path, manifest, **more) == [
        "manifest.method.levels",
        "manifest.method.transformation.age",
    ]

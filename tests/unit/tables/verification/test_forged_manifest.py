"""No part of a manifest is believed: each that is changed, left out or added is found or named."""

import json
import os

import polars as pl
import pytest

import indistinct as ind
from forged import forged
from indistinct.errors import DataError

TREE = {"tree": {"north": ["a", "b"], "south": ["c", "d"]}}
ROWS = pl.DataFrame(
    {
        "pid": [f"p{n}" for n in range(13)],
        "town": list("aabbabccddcdc"),
        "age": [21, 22, 23, 21, 22, 23, 61, 62, 63, 61, 62, 63, 95],
        "seen": ["2024-01-03", "2024-02-11", "2024-01-30"] * 4 + ["2024-01-01"],
        "pay": [1000.5, 2000.5, 1500.5] * 4 + [900.5],
        "ill": list("xyzxyzxyzxyzx"),
    }
)
COLUMNS = {
    "pid": {"role": "identifier"},
    "town": {"role": "quasi-identifier", "hierarchy": TREE},
    "age": {"role": "quasi-identifier", "hierarchy": {"intervals": [10, 20]}},
    "seen": {"role": "insensitive"},
    "pay": {"role": "insensitive"},
    "ill": {"role": "sensitive"},
}
K = {"name": "k-anonymity", "k": 3}
POLICIES = {
    "plain": {
        "columns": COLUMNS,
        "models": [K, {"name": "distinct-l-diversity", "column": "ill", "l": 2}],
        "method": {"max_suppression": 0.1},
        "data": {"missing": ["?"]},
    },
    "masked": {
        "columns": {
            **COLUMNS,
            "pay": {"role": "insensitive", "protect": {"name": "round", "base": 100}},
        },
        "models": [K],
        "method": {"max_suppression": 0.1, "algorithm": "optimal"},
    },
    "anatomy": {
        "columns": COLUMNS,
        "models": [{"name": "distinct-l-diversity", "column": "ill", "l": 2}],
        "release": {"form": "anatomy"},
        "method": {"max_suppression": 0.2},
    },
    "population": {
        "columns": COLUMNS,
        "models": [{"name": "k-map", "k": 3}],
        "population": {"size": 1000},
        "method": {"max_suppression": 0.1},
    },
}  # fmt: skip
# A version, findings of which readers are told, what a search says of itself, and what describes
# the input: nothing at hand decides them.
FREE = ("indistinct", "output.writer", "sensitive.file", "warnings", "method.", "input.fingerprint")

IS_FAST = os.environ.get("HYPOTHESIS_PROFILE", "fast") == "fast"
WAYS = ("added", "changed", "left out")

MAY_LACK = {"promise", "protection", "protection.pay", "protection.pay.records", "sensitive.file"}


@pytest.fixture(scope="module")
def releases(tmp_path_factory):
    """Write a release of each form; return the policies, their paths and the manifests."""
    found = {}
    for form, words in POLICIES.items():
        path = tmp_path_factory.mktemp(form) / "out.csv"
        policy = ind.Policy.from_words(words)
        ind.anonymize(ROWS, policy, seed=1).write(path, crosswalk=path.parent / "rows.csv")
        said = json.loads((path.parent / "out.csv.manifest.json").read_text())
        found[form] = policy, path, said
    return found


@pytest.fixture(scope="module", params=POLICIES)
def form(request):
    """Name a form."""
    return request.param


@pytest.fixture(scope="module")
def made(releases, form):
    """Return the policy of a form, the path of its release and the manifest."""
    return releases[form]


@pytest.fixture(scope="module")
def manifests(releases, form):
    """Forge the manifest of a form.

    The fast run takes every way of a part in the first form that has it, and one way in each later
    form, another one in each.
    """
    number = list(POLICIES).index(form)
    earlier = list(POLICIES)[:number] if IS_FAST else []
    known = {(place, way) for one in earlier for place, way, _ in forged(releases[one][2])}
    way = WAYS[number % len(WAYS)]
    return [one for one in forged(releases[form][2]) if one[:2] not in known or one[1] == way]


def test_each_forged_part_is_a_fault_or_named_as_not_examined(made, manifests):
    policy, path, _ = made
    given = {"original": ROWS, "crosswalk": path.parent / "rows.csv"}
    assert ind.verify(path, policy, **given).holds
    silent = []
    for place, way, manifest in manifests:
        if place.startswith(FREE) and way != "added":
            continue
        verdict = ind.verify(path, policy, **given, manifest=manifest)
        named = any(name == place for name in verdict.not_checked)
        named |= way == "left out" and place in MAY_LACK  # what is not said claims nothing
        if verdict.holds is not False and not named:
            silent.append(f"{place} {way}")
    assert silent == []


def test_readers_find_what_no_manifest_has(made, manifests):
    _, path, _ = made
    for place, way, manifest in manifests:
        try:
            verdict = ind.verify(path, manifest=manifest)
        except DataError:  # the policy in the manifest is none
            assert place.startswith("policy")
            continue
        if way == "added":
            assert verdict.holds is False, place


def test_another_promise_in_words_is_a_fault(made):
    """Each form has its own sentence, and the models of others say all."""
    policy, path, said = made
    sentence = "no model is promised; columns are protected as protection says"
    verdict = ind.verify(path, policy, manifest={**said, "promise": sentence})
    assert "manifest.promise" in {fault.place for fault in verdict.faults}

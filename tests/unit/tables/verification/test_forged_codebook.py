"""A codebook that says other than the cells, and the levels of labels that a list repeats."""

import json

import polars as pl
import pytest

import indistinct as ind

ROWS = [
    ["Single", "Alone", "Alone", "*"],
    ["Widowed", "Alone", "Alone", "*"],
    ["Married", "Pair", "Together", "*"],
    ["Other", "Other", "Other", "*"],
]
TABLE = pl.DataFrame(
    {
        "age": [21, 22, 23, 24, 31, 32, 33, 34, 41, 42, 43, 44],
        "code": ["47101", "47101", "47102", "47102", "481", "481", "482", "482"] + ["49"] * 4,
        "status": ["Single", "Widowed"] * 2 + ["Married"] * 4 + ["Other"] * 4,
        "ill": ["u", "v"] * 6,
    }
)


def policy(level=0):
    hierarchies = {
        "age": {"hierarchy": {"intervals": [10, 20]}, "min_level": 1},
        "code": {"hierarchy": {"mask": 3}, "min_level": 1},
        "status": {"hierarchy": {"rows": ROWS}, "min_level": level},
    }
    columns = {name: {"role": "quasi-identifier", **words} for name, words in hierarchies.items()}
    return ind.Policy.from_words(
        {
            "columns": {**columns, "ill": {"role": "sensitive"}},
            "models": [{"name": "k-anonymity", "k": 2}],
        }
    )


@pytest.fixture(scope="module")
def release():
    return ind.anonymize(TABLE, policy(), seed=1)


def verdict(release, change):
    """Verify a release by a manifest that somebody changed, with and without the input."""
    said = json.loads(json.dumps(release.manifest, default=str))
    change(said["codebook"])
    proofs = {"original": TABLE, "crosswalk": release.crosswalk}
    found = [ind.verify(release.data, policy(), manifest=said, **more) for more in ({}, proofs)]
    return [one.holds for one in found], {fault.place for one in found for fault in one.faults}


def swapped(entries, place):
    first, *_, last = sorted(entries, key=lambda entry: str(entry[place]))
    assert first[place] != last[place]
    first[place], last[place] = last[place], first[place]


CHANGES = {
    "low": ("age", lambda book: swapped(book["age"]["cells"], 2)),
    "level": ("age", lambda book: book["age"]["cells"][0].__setitem__(1, 2)),
    "kept": ("code", lambda book: swapped(book["code"]["cells"], 2)),
    "text": ("code", lambda book: swapped(book["code"]["cells"], 0)),
    "one less": ("age", lambda book: book["age"]["cells"].pop()),
    "one more": ("age", lambda book: book["age"]["cells"].append(["[90, 100)", 1, "90"])),
    "a value": ("status", lambda book: book["status"]["cells"].append(["Other", 1])),
    "hidden": ("status", lambda book: book["status"].update(hidden=True)),
}


@pytest.mark.parametrize("change", CHANGES)
def test_whoever_changes_an_entry_is_found(change, release):
    assert verdict(release, lambda book: None) == ([True, True], set())
    name, forge = CHANGES[change]
    assert verdict(release, forge) == ([False, False], {f"manifest.codebook.{name}"})


@pytest.mark.parametrize(
    ("level", "cells", "labels"),
    [
        (0, [], []),
        (
            1,
            [["Alone", 1], ["Other", 1], ["Pair", 1]],
            [["Alone", 1, "Alone"], ["Other", 1, "Other"], ["Pair", 1, "Together"],
             ["Together", 2, "*"]],
        ),
        (
            2,
            [["Alone", 2], ["Other", 2], ["Together", 2]],
            [["Alone", 2, "*"], ["Other", 2, "*"], ["Together", 2, "*"]],
        ),
    ],
)  # fmt: skip
def test_a_repeated_label_stands_at_the_lowest_allowed_level(level, cells, labels):
    """Whoever has the public policy alone finds an honest release honest."""
    release = ind.anonymize(TABLE, policy(level), seed=1)
    said = json.loads(json.dumps(release.manifest, default=str))
    assert said["codebook"]["status"]["cells"] == cells
    public = said["policy"]["columns"]["status"]["hierarchy"]["labels"]
    assert sorted(public) == labels
    assert ind.verify(release.data, manifest=said).holds
    assert ind.verify(release.data, policy(level), manifest=said, original=TABLE).holds
    for entry in public:
        entry[1] += 1
    places = [one.place for one in ind.verify(release.data, policy(level), manifest=said).faults]
    assert ("manifest.policy.columns.status.hierarchy" in places) is bool(public)


def test_without_a_rule_and_a_manifest_nobody_knows_what_a_cell_is():
    """Models are measured; cells are not checked; with the manifest all is."""
    table = TABLE.select("age", "ill")
    asked = ind.Policy.from_words(
        {
            "columns": {"age": {"role": "quasi-identifier"}, "ill": {"role": "sensitive"}},
            "models": [{"name": "k-anonymity", "k": 2}],
        }
    )
    release = ind.anonymize(table, asked, seed=1)
    found = ind.verify(release.data, asked)
    assert (found.holds, found.faults) == (None, ())
    assert found.models[0]["holds"]
    assert "columns.age.cells" in found.not_checked
    assert any(note.startswith("columns.age: neither the policy nor") for note in found.notes)
    assert ind.verify(release.data, asked, manifest=release.manifest).holds
    alone = release.data.with_columns(age=pl.Series(["[0, 5)", *release.data["age"][1:]]))
    assert ind.verify(alone, asked).holds is False

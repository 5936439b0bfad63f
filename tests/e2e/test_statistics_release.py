"""A survey in a file of SPSS, Stata or Excel, and its release in the same format."""

import dataclasses
import json
import pickle

import numpy as np
import polars as pl
import pytest

import indistinct as ind
from indistinct.tables.reading import files
from indistinct.tables.reading.statistical import Labels

pyreadstat = pytest.importorskip("pyreadstat")
pytest.importorskip("fastexcel")
pytest.importorskip("xlsxwriter")

LABELS = Labels(
    {"sex": "Sex of the person", "party": "Party voted for", "name": "secret question"},
    {
        "sex": {1: "male", 2: "female", 3: "secret sex"},
        "party": {1: "red", 2: "green", 3: "blue", 7: "secret party"},
        "region": {1: "north", 2: "south"},
    },
)
POLICY = {
    "columns": {
        "name": {"role": "identifier"},
        "age": {"role": "quasi-identifier", "hierarchy": {"intervals": [10, 20, 40]}},
        "sex": {"role": "quasi-identifier", "max_level": 0},
        "region": {"role": "quasi-identifier"},
        "party": {"role": "sensitive"},
    },
    "models": [{"name": "k-anonymity", "k": 5}],
    "method": {"algorithm": "local", "max_suppression": 0.02},
}


def survey(n: int = 400) -> pl.DataFrame:
    """Make up a survey, in which one record has codes that no other has."""
    chance = np.random.default_rng(7)
    frame = pl.DataFrame(
        {
            "name": [f"person {number}" for number in range(n)],
            "age": chance.integers(18, 78, n),
            "sex": chance.integers(1, 3, n),
            "region": chance.integers(1, 3, n),
            "party": chance.integers(1, 4, n),
        }
    )
    odd = {"name": ["the odd one"], "age": [79], "sex": [3], "region": [1], "party": [7]}
    return pl.concat([frame, pl.DataFrame(odd, schema=frame.schema)])


@pytest.fixture(params=["sav", "dta", "xlsx"])
def form(request):
    return request.param


@pytest.fixture
def made(form, tmp_path):
    """Write the survey, and its release beside it; give the paths and the release."""
    source, out = tmp_path / f"survey.{form}", tmp_path / f"release.{form}"
    files.write_file(survey(), str(source), form, None, LABELS)
    policy = ind.Policy.from_words(POLICY)
    release = ind.anonymize(source, policy, seed=1)
    release.write(out, owner=tmp_path / "owner.json", crosswalk=tmp_path / "crosswalk.csv")
    return source, out, release, policy


def test_a_release_is_written_in_kind_and_holds(made, tmp_path):
    source, out, release, policy = made
    assert release.manifest["records"]["suppressed"] >= 1
    alone = ind.verify(out, policy)
    assert alone.holds is True
    everything = ind.verify(
        out,
        policy,
        original=str(source),
        owner=tmp_path / "owner.json",
        crosswalk=tmp_path / "crosswalk.csv",
    )
    assert everything.holds is True, everything.faults
    assert files.read_file(out).frame.height == release.frame.height
    assert json.loads((tmp_path / f"{out.name}.manifest.json").read_text())["verified"]


def test_labels_of_released_values_survive_and_no_others(made):
    _, out, release, _ = made
    assert 3 not in release.frame["sex"].cast(pl.String).to_list()
    content = out.read_bytes()
    if out.suffix == ".xlsx":
        return
    labels = files.read_file(out).labels
    assert labels.columns == {"sex": "Sex of the person", "party": "Party voted for"}
    assert labels.values["party"] == {1: "red", 2: "green", 3: "blue"}
    for secret in (b"secret", b"the odd one", b"survey"):
        assert secret not in content


def test_a_release_hands_no_label_on_that_its_cells_do_not_show(made):
    """Neither in a pickle nor as a dictionary."""
    _, _, release, _ = made
    assert b"secret" not in pickle.dumps(release)
    assert "secret" not in str(dataclasses.asdict(release)["_held"]["labels"])


def test_a_label_of_a_suppressed_code_is_a_fault(made):
    """What a careless writer leaves in the file is found by verification."""
    _, out, release, policy = made
    if out.suffix == ".xlsx":
        return
    write = pyreadstat.write_sav if out.suffix == ".sav" else pyreadstat.write_dta
    words = {} if out.suffix == ".sav" else {"version": 14}
    labels = {"party": {1: "red", 7: "secret party"}}
    write(release.frame, str(out), variable_value_labels=labels, **words)
    found = ind.verify(out, policy)
    assert any("more than its cells" in str(fault) for fault in found.faults)


def test_numbers_that_a_protection_changed_lose_their_labels(tmp_path):
    """A label of a code would lie beside noise, and beside the middle of an interval."""
    source = tmp_path / "survey.sav"
    files.write_file(survey(), str(source), "sav", None, LABELS)
    words = {**POLICY, "release": {"intervals": "midpoint"}}
    release = ind.anonymize(source, ind.Policy.from_words(words), seed=1)
    assert set(release._held.labels.values) == {"party"}

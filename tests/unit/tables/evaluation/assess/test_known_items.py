"""Sets count in every figure of risk and loss, or the gate that asks for it is refused."""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations

import numpy as np
import polars as pl
import pytest

import indistinct as ind
from indistinct.frontends.cli.main import status
from indistinct.tables.evaluation.assessments.known_items import known_items
from indistinct.tables.masks.sets.item_records import ItemRecords
from indistinct.tables.masks.sets.supports import candidates
from indistinct.tables.policy.specification import resolve
from indistinct.tables.verification.sets import candidates as read_candidates

COLUMN = {"role": "quasi-identifier", "type": "set", "suppression": "occurrences"}
MODELS = {
    "two items": {"name": "km-anonymity", "column": "films", "k": 5, "m": 2},
    "any items": {"name": "km-anonymity", "column": "films", "k": 5, "m": "all"},
    "whole sets": {"name": "set-k-anonymity", "column": "films", "k": 5},
}


def policy(model="two items", **columns):
    words = {
        "columns": {"films": COLUMN, **columns},
        "models": [MODELS[model]],
        "method": {"max_suppression": 0.9},
    }
    return ind.Policy.from_words(words)


def lists(n_records=60, n_items=8, seed=1, most=5):
    """Draw lists of films, some of them empty."""
    source = np.random.default_rng(seed)
    return [
        ";".join(f"f{item}" for item in source.permutation(n_items)[: source.integers(0, most)])
        for _ in range(n_records)
    ]


def all_different(n_records=60):
    """Return lists of which no two are equal, nor any pair of their films in five."""
    return [f"f{n};g{n // 2};h{n % 7}" for n in range(n_records)]


def plainly(cells, model):
    """Count for each record those that fit the worst that somebody knows: by definition."""
    sets = [frozenset(cell.split(";")) - {""} for cell in cells]
    if model == "whole sets":
        return [sets.count(one) for one in sets]
    m = 2 if model == "two items" else 99
    return [
        min(
            sum(set(part) <= other for other in sets)
            for size in range(min(m, len(one)) + 1)
            for part in combinations(sorted(one), size)
        )
        for one in sets
    ]


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_three_definitions_of_who_fits_agree(model, seed):
    """Of the maker, of the assessment and of the verification, with the plain definition."""
    cells, asked = lists(30, 6, seed), policy(model)
    expected = plainly(cells, model)
    number = {item: n for n, item in enumerate(sorted({i for c in cells for i in c.split(";")}))}
    records = ItemRecords.of([number[i] for i in cell.split(";") if i] for cell in cells)
    one = asked.models[0]
    assert candidates(records, one.known_items, whole=one.is_whole).tolist() == expected
    found = known_items(pl.DataFrame({"films": cells}), resolve(asked))
    assert found.alike.tolist() == expected
    sets = [frozenset(cell.split(";")) - {""} for cell in cells]
    read = dict(read_candidates(Counter(sets), one.known_items, whole=one.is_whole))
    assert [read[cell] for cell in sets] == expected


@pytest.mark.parametrize("model", MODELS)
def test_a_raw_table_of_sets_alone_is_not_without_risk(model):
    """Uniqueness, k, all risks and their gates see sixty people of whom each stands alone."""
    found = ind.assess(pl.DataFrame({"films": all_different()}), policy(model))
    assert found.findings.anonymity.k == 1
    assert found.risk["prosecutor"] == found.risk["marketer"] == 1.0
    assert found.risk["records_at_risk"]["share"] == 1.0
    assert found.separation["unique"] == found.separation["separation"] == 1.0
    assert found.anonymity["unique_records"] == 60
    assert not found
    for gate in ("prosecutor<=0.09", "marketer<=0.5", "unique<=0.1", "k>=2", "unique_records<=5",
                 "records_at_risk<=0.5", "mean_prosecutor<=0.5", "separation<=0.9"):  # fmt: skip
        assert not found.meets(gate), gate


@pytest.mark.parametrize("gate", ["loss<=0.5", "ncp<=0.5", "suda<=0.1", "individual<=0.1", "l>=1"])
def test_a_gate_that_does_not_count_sets_is_refused(gate):
    """Nobody is told that a figure of the other columns is good enough."""
    frame = pl.DataFrame({"films": lists(), "age": [30, 40] * 30, "ill": ["a", "b", "c"] * 20})
    roles = {"age": {"role": "quasi-identifier"}, "ill": {"role": "sensitive"}}
    found = ind.assess(frame, policy(**roles), original=frame)
    with pytest.raises(ind.ParameterError, match="was not measured"):
        found.meets(gate)


def test_known_items_count_inside_of_a_class():
    """Two people with one list and different ages are two people alone."""
    frame = pl.DataFrame({"films": ["a;b"] * 4, "age": [30, 30, 40, 50]})
    found = ind.assess(frame, policy(age={"role": "quasi-identifier"}))
    assert found.anonymity["unique_records"] == 2
    assert found.risk["marketer"] == pytest.approx((0.5 + 0.5 + 1 + 1) / 4)
    assert found.separation["distinction"] == 3 / 4


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("ages", [False, True])
def test_a_release_says_what_it_promises(model, ages, tmp_path):
    """Risk and loss of the manifest, of the assessment and of the verification are the same."""
    frame = pl.DataFrame({"films": lists(150, 14, 4), "age": [30, 40, 50] * 50})
    frame = frame if ages else frame.select("films")
    asked = policy(model, **({"age": {"role": "quasi-identifier"}} if ages else {}))
    release = ind.anonymize(frame, asked, seed=1)
    least = release.manifest["models"][0]["achieved"]["k"]
    risk = release.manifest["risk"]
    assert 0 < risk["prosecutor"] <= 1 / 5
    assert model == "any items" or risk["prosecutor"] >= 1 / least - 1e-12
    measured = ind.assess(release.data, asked)
    assert measured.risk["prosecutor"] == risk["prosecutor"]
    assert measured.risk["marketer"] == pytest.approx(risk["marketer"])
    lost = release.owner["sets"]["films"]["loss"]
    assert lost > 0
    assert release.owner["loss"]["ncp"] == pytest.approx(lost / 2 if ages else lost)
    out, crosswalk = tmp_path / "out.csv", tmp_path / "cross.csv"
    release.write(out, crosswalk=crosswalk)
    assert ind.verify(out, asked, original=frame, crosswalk=crosswalk)


@pytest.mark.parametrize(
    ("part", "name", "claim"),
    [
        ("risk", "prosecutor", 0.001),
        ("risk", "marketer", 0.001),
        ("loss", "loss", 0.0),
        ("loss", "ncp", 0.0),
        ("loss", "discernibility", 0.0),
    ],
)
@pytest.mark.parametrize("ages", [False, True])
def test_a_manifest_that_leaves_the_sets_out_is_refused(part, name, claim, ages, tmp_path):
    """The file alone decides the risk, and that the losses go together with those of the sets."""
    frame = pl.DataFrame({"films": lists(100, 14, 4), "age": [30, 40] * 50})
    frame = frame if ages else frame.select("films")
    tree = {"tree": {"old": ["40"], "young": ["30"]}}
    roles = {"age": {"role": "quasi-identifier", "hierarchy": tree}} if ages else {}
    asked = policy(**roles)
    release = ind.anonymize(frame, asked, seed=1)
    release.write(tmp_path / "out.csv")
    place = tmp_path / "out.csv.manifest.json"
    document = json.loads(place.read_text())
    document[part][name] = claim
    place.write_text(json.dumps(document))
    faults = ind.verify(tmp_path / "out.csv", asked).faults
    assert f"manifest.{part}.{name}" in [fault.place for fault in faults]


@pytest.mark.parametrize("engine", ["memory", "polars", "duckdb"])
def test_the_gate_of_a_command_fails_or_is_refused(engine, tmp_path, capfd):
    """In memory with exit code 1, since all are alone; where sets are not counted, with 2."""
    (tmp_path / "policy.toml").write_text(
        '[columns.films]\nrole = "quasi-identifier"\ntype = "set"\n'
        '[[models]]\nname = "km-anonymity"\ncolumn = "films"\nk = 5\nm = 2\n'
    )
    pl.DataFrame({"films": all_different()}).write_csv(tmp_path / "films.csv")
    words = ["assess", str(tmp_path / "films.csv"), "--policy", str(tmp_path / "policy.toml")]
    code = status([*words, "--require", "prosecutor<=0.09", "--engine", engine], show_values=False)
    out, err = capfd.readouterr()
    assert code == (1 if engine == "memory" else 2)
    if engine == "memory":
        assert (
            "60 of 60 records (100%) are unique for somebody who knows up to 2 items"
            in " ".join(out.split())
        )
    else:
        assert "columns.films: is a set, whose items only memory counts" in err

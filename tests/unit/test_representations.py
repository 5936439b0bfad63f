"""No representation shows a cell, and no pickle holds what is the owner's alone."""

import dataclasses
import pickle

import numpy as np
import polars as pl
import pytest

import indistinct as ind
from indistinct.base.randomness import RandomSource
from indistinct.tables.counting.preparation import prepare
from indistinct.tables.frames.encoding import encode
from indistinct.tables.policy.specification import resolve
from indistinct.tables.publish.forms.table import in_classes
from indistinct.tables.publish.protect import protect_input
from indistinct.tables.publish.searching import search
from indistinct.tables.reading import files
from indistinct.tables.verification.classes import classes_of
from indistinct.tables.verification.evidence import evidence_of

MARK = "Marker"
N_RECORDS = 24
TABLE = pl.DataFrame(
    {
        "name": [f"{MARK} name {row}" for row in range(N_RECORDS)],
        "town": [f"{MARK} town {row % 3}" for row in range(N_RECORDS)],
        "illness": [f"{MARK} illness {row % 5}" for row in range(N_RECORDS)],
        "note": [f"{MARK} note {row}" for row in np.random.default_rng(1).permutation(N_RECORDS)],
    }
)
LONGEST = 1_000  # characters of a representation


def policy_of(form: str = "generalization") -> ind.Policy:
    """Promise something of the table of marks."""
    roles = ("identifier", "quasi-identifier", "sensitive", "identifier")
    model = {"name": "distinct-l-diversity", "column": "illness", "l": 2}
    words = {
        "columns": {name: {"role": role} for name, role in zip(TABLE.columns, roles, strict=True)},
        "models": [model] if form == "anatomy" else [{"name": "k-anonymity", "k": 2}, model],
    }
    if form == "anatomy":
        words["release"] = {"form": "anatomy"}
    return ind.Policy.from_words(words)


def everything(tmp_path):
    """Make a value of every class that meets the cells of a table."""
    policy = policy_of()
    release = ind.anonymize(TABLE, policy, seed=1)
    path, crosswalk = tmp_path / "out.csv", tmp_path / "crosswalk.csv"
    release.write(path, crosswalk=crosswalk)
    source = files.read_file(TABLE)
    protected = protect_input(source.frame, resolve(policy), RandomSource(1))
    prepared = prepare(protected.frame, resolve(policy))
    solution, _ = search(prepared)
    evidence = evidence_of(release._held.reading())
    plain = next(classes_of(evidence))
    broken = ind.verify(TABLE.drop("name", "note"), policy)
    return {
        "release": release,
        "anatomy": ind.anonymize(TABLE, policy_of("anatomy"), seed=1),
        "verification": ind.verify(path, policy, original=TABLE),
        "broken": broken,
        "faults": broken.faults,
        "reading": release._held.reading(),
        "evidence": evidence,
        "class": plain,
        "column": next(iter(plain.table.values())),
        "assessment": ind.assess(path, policy, original=TABLE),
        "counted": ind.assess(path, policy).counted,
        "inspection": ind.inspect(TABLE),
        "inspected": ind.inspect(TABLE, policy),
        "sweep": ind.sweep(TABLE, policy, vary={"k": [2, 3]}),
        "attack": ind.attack(path, policy, original=TABLE, register=TABLE, crosswalk=crosswalk),
        "source": source,
        "protected": protected,
        "prepared": prepared,
        "problem": prepared.problem,
        "table": prepared.problem.table,
        "sensitive": next(iter(prepared.problem.table.sensitive.values())),
        "hierarchy": prepared.problem.hierarchies[0],
        "solution": solution,
        "recoding": solution.recoding,
        "domain": solution.recoding.domains[0],
        "noised": in_classes(prepared, solution, RandomSource(1)),
        "encoded": encode(TABLE["illness"], ""),
    }


def test_no_representation_shows_a_cell(tmp_path):
    """Names of columns and counts only, a few lines at most."""
    for name, one in everything(tmp_path).items():
        for text in (repr(one), str(one), f"{one}"):
            assert MARK not in text, name
            assert len(text) < LONGEST or name in {"assessment", "attack"}, name


@pytest.mark.parametrize("form", ["generalization", "anatomy"])
def test_what_is_the_owners_stays_behind(tmp_path, form):
    """Pickles and dictionaries leave the input and the crosswalk out, and say so."""
    release = ind.anonymize(TABLE, policy_of(form), seed=1)
    assert MARK.encode() + b" name" not in pickle.dumps(release)
    again = pickle.loads(pickle.dumps(release))
    assert again.frame.equals(release.frame)
    assert again.manifest == release.manifest
    for lost in (
        lambda: again.original,
        lambda: again.crosswalk,
        lambda: again.write(tmp_path / "out.csv"),
    ):
        with pytest.raises(ind.OutputError, match="pickle"):
            lost()
    held = dataclasses.asdict(release)
    assert f"{MARK} name" not in repr(held)
    assert f"{MARK} name" not in str(pickle.dumps(held))
    assert release.original.height == N_RECORDS
    assert dataclasses.replace(release._held, separator=";").original.height == N_RECORDS


def test_a_graph_is_shown_by_its_sizes(tmp_path):
    """Neither an edge nor what the input calls a vertex."""
    names = [f"{MARK} {number}" for number in range(12)]
    edges = tmp_path / "edges.csv"
    pl.DataFrame({"source": names, "target": names[1:] + names[:1]}).write_csv(edges)
    release = ind.graph.anonymize(edges, model="k-degree", k=2, seed=1)
    assert MARK not in repr(release)
    assert MARK not in repr(release.graph)


@pytest.mark.parametrize("model", ["naive", "k-degree", "grouping"])
def test_what_is_the_owners_of_a_graph_stays_behind(tmp_path, model):
    """Neither what the input calls a vertex nor where it went is in a pickle or a dictionary."""
    names = [f"{MARK} {number}" for number in range(12)]
    edges = tmp_path / "edges.csv"
    pl.DataFrame({"source": names, "target": names[1:] + names[:1]}).write_csv(edges)
    words = {} if model == "naive" else {"k": 2}
    release = ind.graph.anonymize(edges, model=model, seed=1, **words)
    secrets = [MARK.encode(), np.asarray(release.order).tobytes(), b"seconds"]
    if release.groups is not None:
        secrets.append(np.asarray(release.groups).tobytes())
    for held in (release, dataclasses.asdict(release)):
        assert not [secret for secret in secrets if secret in pickle.dumps(held)]
    again = pickle.loads(pickle.dumps(release))
    assert again.graph.n_edges == release.graph.n_edges
    assert "seconds" in release.document
    assert again.document == release.published
    again.write(tmp_path / "again.csv")
    release.write(tmp_path / "first.csv")
    assert (tmp_path / "again.csv").read_bytes() == (tmp_path / "first.csv").read_bytes()
    for lost in (
        lambda: again.order,
        lambda: again.input_ids,
        lambda: again.groups,
        lambda: again.write(tmp_path / "out.csv", crosswalk=tmp_path / "crosswalk.csv"),
    ):
        with pytest.raises(ind.OutputError, match="pickle"):
            lost()
    assert not (tmp_path / "out.csv").exists()

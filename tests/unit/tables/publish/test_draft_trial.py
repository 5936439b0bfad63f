"""A draft says what its promises cost on some records, and takes the cheapest."""

import re
import time
import tomllib

import numpy as np
import polars as pl

import indistinct as ind
from indistinct.frontends.cli.pictures import draft_summary
from indistinct.tables.publish.repair import repair

N = 600


def people(**more):
    chance = np.random.default_rng(2)
    return pl.DataFrame(
        {
            "age": chance.integers(18, 90, N),
            "sex": chance.choice(["f", "m"], N),
            "diagnosis": chance.choice(["flu", "gout", "asthma", "unknown"], N),
            "hiv": chance.choice(["yes", "no"], N, p=[0.03, 0.97]),
        }
        | more
    )


def test_the_cheapest_promise_is_drafted_with_its_figures():
    """Few records have the rare value, so that a second one in each class costs nearly all."""
    draft = ind.inspect(people()).drafted(None, tries=True)
    models = {one.get("column"): one["name"] for one in tomllib.loads(draft.text)["models"]}
    assert models["diagnosis"] == "distinct-l-diversity"
    assert models["hiv"] == "t-closeness"
    figures = re.findall(r"the loss is (\d\.\d+) without it, (\d\.\d+) with", draft.text)
    assert len(figures) == 2
    assert "with all promises that were tried" in draft.text


def test_without_a_trial_nothing_is_said_of_losses():
    assert "Tried" not in ind.inspect(people()).draft()


def test_a_trial_keeps_its_time():
    chance = np.random.default_rng(3)
    many = {f"diag_{n}": chance.integers(0, 9, N) for n in range(12)}
    inspection = ind.inspect(people(**many))
    started = time.process_time()
    draft = inspection.drafted(None, yes_to_suggestions=True, tries=True)
    assert time.process_time() - started < 8  # it asks the clock on the wall, and stops at 3
    assert len(draft.unprotected) == 8
    assert "no promise is drafted for" in draft_summary("p.toml", draft)


def test_a_column_that_gives_few_cells_back_stays():
    """Whether somebody is too light tells weights; a release hides some of these words."""
    chance = np.random.default_rng(5)
    weight = chance.integers(200, 9_000, N) / 100
    table = people(weight=weight, malnourished=np.where(weight < 9, "yes", "no"))
    inspection = ind.inspect(table)
    roles = {one.name: one.role for one in inspection.columns}
    assert (roles["weight"], roles["malnourished"]) == ("quasi-identifier", "sensitive")
    draft = inspection.drafted(None, tries=True)
    assert draft.left_out == ()
    made = ind.anonymize(table, ind.Policy(**tomllib.loads(draft.text)), seed=0)
    assert made.manifest["read_back"]["may_be_hidden"] == ["malnourished"]


def test_a_column_that_gives_others_back_is_left_out_and_said(monkeypatch):
    """Every weight has a glucose of its own, which hiding values alone cannot repair."""
    monkeypatch.setattr(repair, "OTHERS", ())
    weight = np.random.default_rng(5).integers(40, 60, N)
    table = people(weight=weight, glucose=weight * 7)
    draft = ind.inspect(table).drafted(None, tries=True)
    assert draft.left_out == ("glucose",)
    assert "left out: glucose" in draft_summary("p.toml", draft)
    ind.anonymize(table, ind.Policy(**tomllib.loads(draft.text)))  # is not refused

"""Limits, importance and warnings of single tables among several; and the most that can be kept."""

import numpy as np
import polars as pl
import pytest

import indistinct as ind
from indistinct.errors import NoSolutionError

QI = {"role": "quasi-identifier"}


def clinic(n=200, seed=3):
    """Draw people with frequent visits, and tests of many kinds."""
    draws = np.random.default_rng(seed)
    rare = np.minimum(draws.geometric(0.12, 2 * n), 40)
    return {
        "people": pl.DataFrame({"pid": np.arange(n), "sex": np.where(np.arange(n) % 2, "m", "f")}),
        "visits": pl.DataFrame({"pid": draws.integers(0, n, 8 * n), "kind": ["day"] * (8 * n)}),
        "tests": pl.DataFrame(
            {"pid": draws.integers(0, n, 2 * n), "code": [f"{c % 4}T{c}" for c in rare]}
        ),
    }


def policy(k=5, method=None, **tables):
    said = {
        "people": {"key": "pid", "columns": {"sex": QI}},
        "visits": {"references": {"pid": "people"}, "columns": {"kind": QI}},
        "tests": {"references": {"pid": "people"}, "columns": {"code": QI}},
    }
    for name, words in tables.items():
        said[name] = {**said[name], **words}
    return {
        "related": {"people": "people"},
        "tables": said,
        "models": [{"name": "joint-anonymity", "k": k, "m": 1}],
        "method": {"max_deleted": 0.1, **(method or {})},
    }


def deleted(release, name="tests"):
    return release.figures[name]["deleted"]


def test_a_table_that_lacks_more_than_all_may_together_is_named():
    release = ind.anonymize(clinic(), policy(), seed=0)
    assert deleted(release) > 0.1
    codes = {one.code: one for one in release.findings.found}
    assert codes["rows-left-out"].table == "tests"
    assert codes["rows-left-out"].count == round(deleted(release) * 400)
    assert "rows-left-out" not in [one["code"] for one in release.manifest["warnings"]]


def test_a_limit_of_a_table_holds_besides_that_of_all():
    rules = policy(tests={"max_deleted": 0.05})
    release = ind.anonymize(clinic(), rules, seed=0)
    assert deleted(release) <= 0.05
    assert release.manifest["policy"]["tables"]["tests"]["max_deleted"] == 0.05
    loose = ind.anonymize(clinic(), policy(), seed=0)
    found = ind.verify(dict(loose.tables), rules, original=clinic())
    assert "tables.tests" in [fault.place for fault in found.faults]


def test_a_limit_that_nothing_keeps_is_named():
    columns = {"code": {**QI, "max_level": 0}}
    rules = policy(k=50, method={"max_deleted": 1}, tests={"max_deleted": 0.0, "columns": columns})
    with pytest.raises(NoSolutionError) as caught:
        ind.anonymize(clinic(), rules, seed=0)
    assert "tables.tests.max_deleted" in [fault.place for fault in caught.value.faults]


def test_importance_of_a_table_keeps_more_of_it():
    usual = ind.anonymize(clinic(), policy(), seed=0)
    important = ind.anonymize(clinic(), policy(tests={"importance": 5}), seed=0)
    assert deleted(important) <= deleted(usual)


def bound_plainly(tables, classes, level, k):
    """Return the share of tests whose label enough people of their class have."""
    labels = [code if level == 0 else "*" for code in tables["tests"]["code"].to_list()]
    people = tables["tests"]["pid"].to_list()
    had = {}
    for person, label in zip(people, labels, strict=True):
        if classes[person] is not None:
            had.setdefault((classes[person], label), set()).add(person)
    pairs = ((classes[p], label) for p, label in zip(people, labels, strict=True))
    return sum(len(had.get(pair, ())) >= k for pair in pairs) / len(people)


def test_what_is_kept_stands_beside_the_most_that_the_classes_allow():
    tables = clinic()
    release = ind.anonymize(tables, policy(), seed=0)
    cells = release.tables["people"]["sex"].to_list()
    classes = [None] * 200
    for cell, row in zip(cells, release.crosswalk["people"].tolist(), strict=True):
        classes[row] = cell
    kept = release.figures["tests"]["kept"]["code"]
    for level, one in kept.items():
        assert one["reached"] <= one["at_most"] + 1e-9
        assert one["at_most"] == pytest.approx(
            bound_plainly(tables, classes, int(level), 5), abs=1e-6
        )
    shown = (release.tables["tests"]["code"] != "*").sum()
    assert kept["0"]["reached"] == pytest.approx(shown / 400, abs=1e-6)


def test_a_column_that_most_rows_hide_is_warned_of():
    columns = {"code": QI}
    release = ind.anonymize(
        clinic(), policy(k=12, tests={"max_deleted": 0.0, "columns": columns}), seed=0
    )
    hidden = (release.tables["tests"]["code"] == "*").mean()
    codes = [one.code for one in release.findings.found if one.table == "tests"]
    assert ("column-mostly-hidden" in codes) == (0.5 < hidden < 1)

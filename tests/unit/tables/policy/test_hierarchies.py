"""Hierarchies made from the data."""

import itertools

import numpy as np
import polars as pl
import pytest

import indistinct as ind
from indistinct.tables.frames.encoding import encode
from indistinct.tables.policy.hierarchies import hierarchy_of, nested_widths, suggested_rule


def rule(values):
    """Return the rule that is suggested for a column."""
    return suggested_rule("values", encode(pl.Series(values), ""))


def test_rules_by_values():
    """Numbers get intervals, dates periods, even codes masks, words none."""
    assert rule(list(range(17, 91))).intervals == (5.0, 10.0, 20.0)
    assert rule(["2020-01-01", "2021-02-02"]).dates == ("month", "quarter", "year", "decade")
    assert rule(["01234", "56789"]).mask == 5
    assert rule(["red", "green"]) is None
    assert rule([7, 7, None]) is None
    assert rule(["12", "345"]) is None


@pytest.mark.parametrize("numbers", [[1, 2], [0.001, 0.0015, 0.5], [-1e6, 1e6], [3, 3], [0, 100]])
def test_widths_nest(numbers):
    """Each is a multiple of the one before, none wider than half of the range but the first."""
    widths = nested_widths(np.array(numbers, float))
    assert all(b / a == pytest.approx(round(b / a)) for a, b in itertools.pairwise(widths))
    assert all(width > 0 for width in widths)


@pytest.mark.parametrize(
    "values", [[1, 2, 3, 90], ["a", "b"], ["2020-01-01"], ["12", "13"], [1.5, 9]]
)
def test_what_is_made_covers_the_data_and_ends_in_one_root(values):
    """Whatever the column, the top hides everything."""
    column = encode(pl.Series(values), "")
    policy = ind.Policy.from_keywords(quasi_identifiers=["values"], k=2)
    built = hierarchy_of(policy.rule_of("values"), column)
    assert built.values == column.texts
    assert built.labels[-1] == ("*",)


CODES = ["E10", "E11", "E10", "J45", "J46", "J45", None, "", None, "NA"]
LISTS = {
    "tree": {"tree": {"E": ["E10", "E11"], "J": ["J45", "J46"]}},
    "file": {"csv": "codes.csv"},
    "file with a root": {"csv": "rooted.csv"},
}


@pytest.mark.parametrize("algorithm", ["optimal", "local", "mondrian"])
@pytest.mark.parametrize("listed", LISTS)
def test_a_list_need_not_have_the_missing_value(tmp_path, listed, algorithm):
    """It is a node of its own below the root: other values are not hidden because of it."""
    (tmp_path / "codes.csv").write_text("E10;E\nE11;E\nJ45;J\nJ46;J\n")
    (tmp_path / "rooted.csv").write_text("E10;E;*\nE11;E;*\nJ45;J;*\nJ46;J;*\n")
    words = {
        "data": {"missing": ["NA"]},
        "columns": {"code": {"role": "quasi-identifier", "hierarchy": LISTS[listed]}},
        "models": [{"name": "k-anonymity", "k": 3}],
        "method": {"algorithm": algorithm},
    }
    table = pl.DataFrame({"code": CODES})
    policy = ind.Policy.from_words(words, tmp_path)
    release = ind.anonymize(table, policy)
    assert release.data["code"].to_list() == ["E"] * 3 + ["J"] * 3 + [None] * 4
    assert ind.verify(release.data, policy, original=table).holds
    hidden = release.data.with_columns(pl.col("code").fill_null("E"))
    assert not ind.verify(hidden, policy, original=table).holds


def test_where_a_list_has_the_missing_value_its_labels_count():
    words = {
        "columns": {
            "code": {
                "role": "quasi-identifier",
                "hierarchy": {"tree": {"E": ["E10", "E11"], "other": ["J45", "J46", ""]}},
            }
        },
        "models": [{"name": "k-anonymity", "k": 3}],
        "method": {"algorithm": "optimal"},
    }
    codes = pl.DataFrame({"code": ["E10", "E11", "E10", "J45", None, None]})
    policy = ind.Policy.from_words(words)
    release = ind.anonymize(codes, policy)
    assert release.data["code"].to_list() == ["E"] * 3 + ["other"] * 3
    assert ind.verify(release.data, policy, original=codes).holds

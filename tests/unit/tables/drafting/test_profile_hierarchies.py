"""Hierarchies that models of data ask for: ancestors, prefixes, ages and years of birth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import polars as pl
import pytest
from hypothesis import given, strategies as st

from drafted_columns import evidence
from indistinct.tables.drafting.ancestors import of_ancestors
from indistinct.tables.drafting.drawn import FLAT
from indistinct.tables.drafting.profile_hierarchies import Surroundings, profile_hierarchy

NAMES = ["ancestor_concept_id", "descendant_concept_id", "min_levels_of_separation"]
NOWHERE = Surroundings({})


def closure(parents: Mapping[int, Sequence[int]]) -> dict[tuple[int, int], int]:
    """Return the fewest steps between each code and every code above it, itself among them."""
    found: dict[tuple[int, int], int] = {}
    for code in {*parents, *(one for above in parents.values() for one in above)}:
        level, steps = {code}, 0
        while level:
            for one in level:
                found.setdefault((one, code), steps)
            level = {above for one in level for above in parents.get(one, ())}
            steps += 1
    return found


def table_of(steps: Mapping[tuple[int, int], int]) -> pl.DataFrame:
    """Return the same as the table of a folder."""
    return pl.DataFrame([(*pair, n) for pair, n in steps.items()], schema=NAMES, orient="row")


@given(
    st.dictionaries(st.integers(1, 30), st.sets(st.integers(1, 30), max_size=3), max_size=25),
    st.sets(st.integers(1, 40), min_size=1),
)
def test_labels_are_ancestors_and_make_a_tree(above: dict[int, set[int]], codes: set[int]) -> None:
    """Of any ancestors without circles: a parent has a smaller number here."""
    parents = {code: sorted(one for one in own if one < code) for code, own in above.items()}
    steps = closure(parents)
    texts = sorted(map(str, codes))
    rows = of_ancestors(texts, table_of(steps) if steps else table_of({(1, 1): 0})).rows
    if rows is None:
        return
    assert [row[0] for row in rows] == texts
    assert {row[-1] for row in rows} == {"*"}
    for row in rows:
        for label in row[1:-1]:
            ancestor = label.removesuffix(" and descendants")
            assert label == row[0] or (int(ancestor), int(row[0])) in steps
    for level in range(1, len(rows[0]) - 1):
        assert len({row[level] for row in rows}) == len({row[level:] for row in rows})
        assert 1 < len({row[level] for row in rows}) < len({row[level - 1] for row in rows})


def test_of_several_parents_the_one_above_most_codes_is_taken() -> None:
    """Code 9 is below 2 and 3; 3 has more of the codes. Of 4 and 5, which have as many, 4."""
    parents = {9: [2, 3], 8: [3], 7: [3], 6: [2], 20: [5, 4], 21: [4, 5]}
    rows = of_ancestors(["6", "7", "8", "9", "20", "21"], table_of(closure(parents))).rows
    assert {row[0]: row[1].split()[0] for row in rows or ()} == {
        "6": "2", "7": "3", "8": "3", "9": "3", "20": "4", "21": "4",
    }  # fmt: skip


def test_a_code_that_is_an_ancestor_belongs_to_its_own_group() -> None:
    parents = {10: [1], 11: [1], 100: [10], 101: [10]}
    rows = of_ancestors(["10", "100", "101", "11"], table_of(closure(parents))).rows
    assert rows is not None
    assert [row[1] for row in rows] == [*["10 and descendants"] * 3, "11"]


@pytest.mark.parametrize("pairs", [{(1, 2): 1, (2, 1): 1}, {(1, 1): 0}])
def test_without_ancestors_values_are_kept_or_hidden(pairs: dict[tuple[int, int], int]) -> None:
    """Also where they lead in a circle."""
    assert of_ancestors(["1", "2"], table_of(pairs)) is FLAT
    assert of_ancestors(["1", "2"], pl.DataFrame({"concept_id": [1]})) is FLAT


def test_concepts_without_a_table_of_ancestors_have_no_hierarchy() -> None:
    column = evidence("condition_concept_id", [1, 2])
    assert profile_hierarchy({"ancestors": "concept_ancestor"}, column, NOWHERE).shape is FLAT


def test_codes_of_both_editions_have_prefixes() -> None:
    column = evidence("icd_code", ["4019", "4011", "4100", "E119", "E1165"])
    found = profile_hierarchy({"prefixes": [3, 1]}, column, NOWHERE)
    assert [row[1:] for row in found.shape.rows or ()] == [
        ("401*", "4*", "*"), ("401*", "4*", "*"), ("410*", "4*", "*"), ("E11*", "E*", "*"),
        ("E11*", "E*", "*"),
    ]  # fmt: skip


def test_the_oldest_are_one_group_at_every_released_level() -> None:
    """An interval ends where their group begins."""
    column = evidence("anchor_age", [60, 84, 89, 90, 91, 104])
    found = profile_hierarchy({"ages": [5, 20], "together": 90}, column, NOWHERE)
    assert found.min_level == 1
    assert {row[0]: row[1:] for row in found.shape.rows or ()} == {
        "60": ("[60, 61)", "[60, 65)", "[60, 80)", "*"),
        "84": ("[84, 85)", "[80, 85)", "[80, 90)", "*"),
        "89": ("[89, 90)", "[85, 90)", "[80, 90)", "*"),
        **{text: (*["90 or more"] * 3, "*") for text in ("90", "91", "104")},
    }


def test_years_of_birth_are_those_of_the_oldest_by_the_last_year() -> None:
    """Whoever was born in 1929 may have been 90 in 2019."""
    column = evidence("year_of_birth", [1920, 1929, 1930, 1931])
    around = Surroundings({}, 2019)
    found = profile_hierarchy({"births": [4], "together": 90}, column, around)
    assert {row[0]: row[1:3] for row in found.shape.rows or ()} == {
        "1920": ("up to 1929", "up to 1929"),
        "1929": ("up to 1929", "up to 1929"),
        "1930": ("[1930, 1931)", "[1930, 1932)"),
        "1931": ("[1931, 1932)", "[1930, 1932)"),
    }


@pytest.mark.parametrize("around", [NOWHERE, Surroundings({}, 2000)])
def test_without_old_people_there_are_plain_intervals(around: Surroundings) -> None:
    column = evidence("year_of_birth", [1920, 1931])
    found = profile_hierarchy({"births": [5, 10], "together": 90}, column, around)
    assert (found.shape.rule, found.min_level) == ({"intervals": [5, 10]}, 0)

"""Ranges around a class, found among the released ranges alone."""

from itertools import product

import numpy as np
import polars as pl
import pytest
from hypothesis import example, given, settings, strategies as st

import indistinct as ind
from indistinct.errors import PolicyError
from indistinct.tables.verification.enclosing import Ranges, encloses

BOXES = [("[1, 3]", "a"), ("[4, 6]", "a"), ("[7, 9]", "b")]


def around(boxes, one, columns=(0,), inside=None):
    ranges = Ranges.of(boxes, columns)
    everywhere = np.ones(len(boxes), np.bool_) if inside is None else np.array(inside)
    return list(ranges.around(one, everywhere))


@pytest.mark.parametrize(
    ("cell", "text", "expected"),
    [
        ("[1, 5]", "3", True),
        ("[1, 5]", "5", True),
        ("[1, 5]", "5.5", False),
        ("[1, 5]", "[1, 4]", True),
        ("[1, 5]", "[4, 6]", False),
        ("[-2, 1e3]", "[-1, 20]", True),
        ("[1, 5)", "3", False),
        ("[1, 5]", "", False),
        ("word", "word", False),
    ],
)
def test_what_a_range_contains(cell, text, expected):
    assert encloses(cell, text) is expected


def test_from_the_widest_to_the_class_itself():
    assert around(BOXES, 1) == [("[1, 9]",), ("[4, 9]",), ("[1, 6]",), ("[4, 6]",)]
    assert around(BOXES, 0) == [("[1, 9]",), ("[1, 6]",), ("[1, 3]",)]


def test_only_classes_with_the_right_cells_take_part():
    assert around(BOXES, 0, inside=[True, True, False]) == [("[1, 6]",), ("[1, 3]",)]


def test_no_cut_through_a_range():
    """[3, 5] crosses every number between the others, so nothing can be told apart."""
    boxes = [("[1, 4]",), ("[3, 5]",), ("[5, 9]",)]
    assert around(boxes, 0) == [("[1, 9]",)]


def test_the_missing_value_stands_behind_all_numbers():
    boxes = [("[1, 4]",), ("[5, 9]",), ("",)]
    assert around(boxes, 0) == [("*",), ("[1, 9]",), ("[1, 4]",)]
    assert around(boxes, 2) == [("*",), ("*",), ("",)]
    assert around([*boxes, ("*",)], 0) == [("*",)]


def test_what_can_be_cut_only_after_another_cut():
    """A pinwheel's quarter: the second column can be cut in the left half alone."""
    boxes = [("[1, 4]", "[1, 4]"), ("[1, 4]", "[5, 9]"), ("[5, 9]", "[1, 9]")]
    found = around(boxes, 0, (0, 1))
    assert found == [("[1, 9]", "[1, 9]"), ("[1, 4]", "[1, 9]"), ("[1, 4]", "[1, 4]")]


@st.composite
def divisions(draw):
    """Cut points of a small grid at random; give the leaves and, per leaf, the boxes above it."""
    grid = list(product(range(6), range(5)))
    points = draw(st.lists(st.sampled_from(grid), min_size=1, max_size=20, unique=True))
    leaves = []

    def cut(some, above):
        axis = draw(st.integers(0, 1))
        values = sorted({point[axis] for point in some})
        above = (*above, box_of(some))
        if len(values) > 1 and draw(st.booleans()):
            at = draw(st.sampled_from(values[:-1]))
            cut([point for point in some if point[axis] <= at], above)
            cut([point for point in some if point[axis] > at], above)
        else:
            leaves.append((box_of(some), above))

    cut(points, ())
    return leaves


def box_of(points):
    ends = [(min(p[axis] for p in points), max(p[axis] for p in points)) for axis in range(2)]
    return tuple(f"{low}" if low == high else f"[{low}, {high}]" for low, high in ends)


@given(divisions())
def test_every_box_that_was_cut_on_the_way_is_found(leaves):
    """And every box found contains the class."""
    boxes = [leaf for leaf, _ in leaves]
    for one, (leaf, above) in enumerate(leaves):
        found = around(boxes, one, (0, 1))
        assert set(above) <= set(found)
        assert len(found) == len(set(found))
        for box in found:
            pairs = zip(box, leaf, strict=True)
            assert all(cell == own or encloses(cell, own) for cell, own in pairs)


TREE = {"x": ["a", "b"], "y": ["c", "d", "e"]}
QUASI = {"role": "quasi-identifier"}
COLUMNS = {
    "age": QUASI,
    "income": QUASI,
    "city": {**QUASI, "hierarchy": {"tree": TREE}},
    "s": {"role": "sensitive"},
}


def people(seed, n=400):
    """Make up people whose sensitive value depends on all the others; some incomes are missing."""
    chance = np.random.default_rng(seed)
    age, income = chance.integers(20, 80, n), chance.gamma(2, 10, n).round(1)
    city = chance.choice(list("abcde"), n, p=[0.4, 0.3, 0.2, 0.07, 0.03])
    is_ill = chance.random(n) < (age - 20) / 60 * np.where(city < "c", 1, 0.5)
    secret = np.where(is_ill, chance.choice(["u", "v"], n), np.where(income > 20, "w", "z"))
    gone = chance.random(n) < 0.08
    incomes = [None if g else i for g, i in zip(gone, income.tolist(), strict=True)]
    return pl.DataFrame({"age": age, "income": incomes, "city": city, "s": secret})


def policy(n, t, *, k=3, **method):
    models = [
        {"name": "k-anonymity", "k": k},
        {"name": "nt-closeness", "column": "s", "n": n, "t": t},
    ]
    return ind.Policy(columns=COLUMNS, models=models, method={"algorithm": "mondrian", **method})


@pytest.mark.slow  # the next test verifies releases of some tables
@settings(deadline=None, max_examples=25)
@given(
    st.integers(0, 10**6), st.integers(10, 300), st.sampled_from([0.1, 0.2, 0.35]), st.booleans()
)
@example(
    seed=55971, n=10, t=0.1, relaxed=False
)  # a part whose cells are those of all that it was cut from
def test_what_mondrian_accepts_is_verified_from_the_file_alone(seed, n, t, relaxed):
    assert_verified_alone(seed, n, t, relaxed=relaxed)


@pytest.mark.parametrize(("seed", "n", "t"), [(55971, 10, 0.1), (1, 60, 0.2), (2, 200, 0.35)])
@pytest.mark.parametrize("relaxed", [False, True])
def test_what_mondrian_accepts_of_some_tables_is_verified(seed, n, t, relaxed):
    assert_verified_alone(seed, n, t, relaxed=relaxed)


def assert_verified_alone(seed, n, t, *, relaxed):
    frame, asked = people(seed), policy(n, t, relaxed=relaxed, max_suppression=0.1)
    release = ind.anonymize(frame, asked, seed=1)
    alone = ind.verify(release.data, asked, manifest=release.manifest)
    undecided = bool(release.manifest["records"]["suppressed"]) and alone.notes
    assert alone.models[1]["holds"] or undecided
    assert ind.verify(release.data, asked, original=frame).models[1]["holds"]
    assert release.manifest["models"][1]["holds"]


def test_ancestors_allow_more_classes_than_the_table_alone():
    """(n,t)-closeness lets Mondrian go on where t-closeness stops it."""
    frame = people(1, 1000)
    near, far = (
        ind.anonymize(frame, policy(n, 0.2), seed=1).manifest["classes"]["count"]
        for n in (150, frame.height)
    )
    assert near > 3 * far


def test_a_class_far_from_all_that_encloses_it_is_refused():
    """Two ages, two diseases: the table is even, the halves are not, and nothing lies between."""
    rows = [("[20, 29]", "u")] * 9 + [("[20, 29]", "v")] + [("[30, 39]", "v")] * 9
    frame = pl.DataFrame([*rows, ("[30, 39]", "u")], schema=["age", "s"], orient="row")
    columns = {"age": QUASI, "s": {"role": "sensitive"}}
    for n, t, expected in ((20, 0.3, False), (20, 0.4, True), (10, 0.0, True), (11, 0.3, False)):
        model = {"name": "nt-closeness", "column": "s", "n": n, "t": t}
        asked = ind.Policy(columns=columns, models=[model])
        shuffled = frame.sample(fraction=1, shuffle=True, seed=3)
        assert ind.verify(shuffled, asked).models[0]["holds"] is expected


@pytest.mark.parametrize(
    ("n", "t", "expected"),
    [
        # The ages 39 and 41 together are the nearest four records, of both values. Of the steps
        # that the ages suggest, only the whole table is around them.
        (4, 0.5, True),
        (4, 0.4, False),
        (5, 0.6, False),
        (8, 0.75, True),
        (8, 0.7, False),
    ],
)
def test_single_numbers_may_have_been_divided_by_a_search_that_makes_ranges(n, t, expected):
    """Nobody sees whether ranges or steps were meant; without a hierarchy, both are looked at."""
    rows = [(39, "u"), (41, "v"), (90, "w"), (99, "w")] * 2
    frame = pl.DataFrame(rows, schema=["age", "s"], orient="row")
    model = {"name": "nt-closeness", "column": "s", "n": n, "t": t}
    shuffled = frame.sample(fraction=1, shuffle=True, seed=3)

    def judged(algorithm, **words):
        asked = ind.Policy(
            columns={"age": QUASI | words, "s": {"role": "sensitive"}},
            models=[model],
            method={"algorithm": algorithm},
        )
        return ind.verify(shuffled, asked, original=frame).models[0]["holds"]

    assert judged("mondrian") is expected
    by_steps = expected and n == len(rows)
    assert judged("local") is by_steps
    assert judged("mondrian", max_level=0) is by_steps


def test_a_release_of_single_numbers_is_verified():
    """Mondrian divided [21, 100] with six records; the steps only have four, or all nine."""
    numbers = [82, None, 24, 21, 24, None, 100, 21, None]
    secrets = [103, None, None, 54, None, 54, None, 103, 54]
    frame = pl.DataFrame({"age": numbers, "s": secrets})
    model = {"name": "nt-closeness", "column": "s", "n": 6, "t": 0.4, "missing_counts": True}
    asked = ind.Policy(
        columns={"age": QUASI, "s": {"role": "sensitive"}},
        models=[model | {"distance": "ordered", "ground": "value"}],
        method={"algorithm": "mondrian"},
    )
    release = ind.anonymize(frame, asked, seed=1)
    assert release.manifest["classes"]["count"] == 5
    assert ind.verify(release.data, asked, manifest=release.manifest, original=frame).holds


def test_empty_bounds_are_missing_or_hidden_numbers():
    """Mondrian divided the missing number from the others, and compared these with each other."""
    numbers = [84, 707, None, 38, 0, 4]
    secrets = ["u", "u", "u", "v", "w", "v"]
    frame = pl.DataFrame({"age": numbers, "s": secrets})
    words = {
        "columns": {"age": QUASI, "s": {"role": "sensitive"}},
        "method": {"algorithm": "mondrian"},
        "release": {"intervals": "bounds"},
    }
    asked = ind.Policy(models=[{"name": "nt-closeness", "column": "s", "n": 4, "t": 0.6}], **words)
    release = ind.anonymize(frame, asked, seed=1)
    assert release.manifest["classes"]["count"] == 5
    assert release.data["age_min"].null_count() == 1
    found = ind.verify(release.data, asked, manifest=release.manifest, original=frame)
    assert found.holds is None
    assert any("empty bounds of age stand for numbers that are missing" in n for n in found.notes)
    strict = [{"name": "nt-closeness", "column": "s", "n": 4, "t": 0.2}]
    proofs = {
        "manifest": release.manifest,
        "original": frame,
        "crosswalk": release.crosswalk,
    }
    assert ind.verify(release.data, asked, **proofs).holds
    assert not ind.verify(release.data, ind.Policy(models=strict, **words), **proofs).holds


def test_the_larger_sets_around_midpoints_cannot_be_found():
    with pytest.raises(PolicyError, match="impossible to find the larger sets around a class"):
        ind.Policy(
            columns={"age": QUASI, "s": {"role": "sensitive"}},
            models=[{"name": "nt-closeness", "column": "s", "n": 4, "t": 0.6}],
            release={"intervals": "midpoint"},
        )


def test_missing_numbers_that_have_two_words_are_counted_around_a_class():
    """One missing number lies in a class of its own, below six missing numbers of either flag."""
    frame = pl.DataFrame(
        {
            "age": [9.0, 9.0, 4.5, None, None, None, None, None, None],
            "flag": [True, False, True, True, True, True, True, True, False],
            "s": ["v", "u", "u", "v", "u", "u", "u", "u", "u"],
        }
    )
    asked = ind.Policy(
        columns={"age": QUASI, "flag": QUASI, "s": {"role": "sensitive"}},
        data={"missing": ["?", ""]},
        models=[{"name": "nt-closeness", "column": "s", "n": 6, "t": 0.2}],
        method={"algorithm": "mondrian"},
    )
    release = ind.anonymize(frame, asked, seed=1)
    assert (None, "false") in release.data.select("age", "flag").rows()
    assert ind.verify(release.data, asked, manifest=release.manifest, original=frame).holds

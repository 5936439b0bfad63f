"""Columns that give generalized cells back: against a plain program, and against chance."""

import math
from collections import Counter, defaultdict

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st

import indistinct as ind
from indistinct.base.hierarchy_builders import from_rows
from indistinct.tables.policy.specification import resolve
from indistinct.tables.release.cell_spans import cell_spans
from indistinct.tables.release.read_back import (
    GeneralizedColumn,
    _chances,
    _is_beyond_chance,
    read_back,
)
from indistinct.tables.release.read_back_of_release import released_read_back

PATHS = [("f", "A", "*"), ("g", "A", "*"), ("m", "B", "*"), ("n", "B", "*")]


def generalized(texts, paths=()):
    """Encode the cells of a column."""
    known = list(dict.fromkeys(texts))
    codes = np.array([known.index(text) for text in texts], np.int32)
    return GeneralizedColumn(codes, cell_spans(known, listed(paths)))


def listed(paths):
    """Return the hierarchy of a list; none without its paths."""
    return from_rows(paths) if paths else None


def coded(values):
    known = [value for value in dict.fromkeys(values) if value is not None]
    return np.array([-1 if v is None else known.index(v) for v in values], np.int32)


@pytest.mark.parametrize(
    ("outer", "inner", "paths"),
    [
        ("*", "[20, 30)", ()),
        ("[20, 40)", "[20, 30)", ()),
        ("[20, 30]", "30", ()),
        ("2024", "2024-Q2", ()),
        ("2024-05", "2024-05-17", ()),
        ("4****", "476**", ()),
        ("476**", "47677", ()),
        ("A", "f", PATHS),
        ("*", "A", PATHS),
        ("*", "", PATHS),
    ],
)
def test_a_finer_cell_lies_inside_a_coarser_one(outer, inner, paths):
    spans = cell_spans([outer, inner], listed(paths))
    assert spans.lows[0] <= spans.lows[1]
    assert spans.highs[1] <= spans.highs[0]
    assert (spans.lows[0], spans.highs[0]) != (spans.lows[1], spans.highs[1])


@pytest.mark.parametrize(
    ("one", "other", "paths"),
    [
        ("[20, 30)", "30", ()),
        ("2024-05", "2024-06-01", ()),
        ("476**", "47777", ()),
        ("A", "m", PATHS),
        ("f", "g", PATHS),
        ("", "A", PATHS),
        ("Ulm", "Hof", ()),
    ],
)
def test_cells_that_say_different_things_lie_apart(one, other, paths):
    spans = cell_spans([one, other, "[20, 30)" if "[" in one else one], listed(paths))
    assert spans.highs[0] <= spans.lows[1] or spans.highs[1] <= spans.lows[0]


def test_a_weight_gives_the_hidden_region_back():
    """Forty records of four regions with a weight each; one record of a region hides it."""
    regions = [region for region in "abcd" for _ in range(10)]
    weights = coded(regions)
    regions[3] = "*"
    found = read_back({"region": generalized(regions)}, {"weight": weights}, np.ones(40, np.int64))
    assert [one.columns for one in found.warned] == [("weight",)]
    assert found.together.cells == {"region": 1}
    assert (found.k, found.k_after) == (1, 10)


def test_the_number_of_rows_of_a_household_is_its_hidden_size():
    """Members share a pseudonym, and as many rows have it as the size says."""
    sizes, households = [], []
    for number in range(60):
        size = number % 3 + 1
        sizes += [str(size)] * size
        households += [number] * size
    hidden = ["*" if place % 7 == 0 else size for place, size in enumerate(sizes)]
    hidden[-3:] = ["*"] * 3  # nobody of this household shows it
    others = {"household": coded(households)}
    found = read_back({"size": generalized(hidden)}, others, np.ones(len(hidden), np.int64))
    assert ("records with one household",) in [one.columns for one in found.warned]
    assert found.together.cells["size"] == hidden.count("*")


def test_records_count_and_not_rows():
    """One row of three records is a group; three rows of other values are none."""
    column = generalized(["*", "x", "y"])
    found = read_back({"q": column}, {"c": coded([1, 1, 2])}, np.array([2, 1, 3]))
    assert found.warned == ()


def plainly(cells, paths, values):
    """Return the cells after reading back, pair by pair, by what a tree says."""
    above = {"*": {"*"}}
    for path in paths:
        for place, label in enumerate(path):
            above.setdefault(label, set()).update(path[place:])
    groups = defaultdict(list)
    for row, value in enumerate(values):
        if value is not None:
            groups[value].append(row)
    after = list(cells)
    for rows in groups.values():
        if len(rows) > 1:
            for finest in {cells[row] for row in rows}:
                if all(cells[row] in above[finest] for row in rows):
                    for row in rows:
                        after[row] = finest
    return after


@settings(max_examples=200)
@given(st.integers(0, 2**32 - 1))
def test_what_a_planted_dependence_gives_back_is_all_that_a_plain_program_finds(seed):
    """A column is a function of the value, exactly or nearly; its cells are hidden or coarser."""
    chance = np.random.default_rng(seed)
    values = chance.choice(list("fgmn"), 120)
    parent = {"f": "A", "g": "A", "m": "B", "n": "B"}
    draw = chance.random(120)
    cells = [
        "*" if d < 0.1 else parent[v] if d < 0.2 else str(v)
        for d, v in zip(draw, values, strict=True)
    ]
    numbers = np.array([ord(v) for v in values]) * 10 + chance.integers(0, 3, 120)
    is_wrong = chance.random(120) < chance.choice([0, 0.01])
    numbers = np.where(is_wrong, chance.integers(0, 1000, 120), numbers)
    other = [None if chance.random() < 0.05 else int(number) for number in numbers]
    column = generalized(cells, PATHS)
    found = read_back({"q": column}, {"c": coded(other)}, np.ones(120, np.int64))
    expected = plainly(cells, PATHS, other)
    n_back = sum(one != two for one, two in zip(cells, expected, strict=True))
    alone = [one for one in found.warned if one.columns == ("c",)]
    assert bool(alone) == bool(n_back)
    if alone:
        assert alone[0].cells == {"q": n_back}
        assert alone[0].k_after == min(Counter(expected).values())


def test_columns_that_have_nothing_to_do_with_the_cells_are_not_warned_of():
    """Two hundred tables; each warns of one in a thousand at most, so of none almost surely."""
    chance = np.random.default_rng(20261127)
    for _ in range(200):
        n_rows = int(chance.integers(50, 400))
        shares = chance.dirichlet(np.full(4, chance.choice([0.3, 1.0, 5.0])))
        cells = chance.choice(["f", "g", "m", "A"], n_rows, p=shares).tolist()
        cells = ["*" if chance.random() < 0.1 else cell for cell in cells]
        others = {
            f"c{number}": chance.integers(0, int(chance.integers(2, n_rows)), n_rows)
            for number in range(4)
        }
        found = read_back(
            {"q": generalized(cells, PATHS)},
            {name: codes.astype(np.int32) for name, codes in others.items()},
            np.ones(n_rows, np.int64),
        )
        assert found.warned == ()
        assert found.k_after == found.k


def test_the_chance_of_agreement_is_that_of_permutations():
    """Twenty thousand draws of groups of two to four; within five standard errors."""
    cells = ["f"] * 30 + ["g"] * 20 + ["A"] * 10 + ["m"] * 25 + ["*"] * 15
    column = generalized(cells, PATHS)
    lows, highs = column.spans.lows[column.codes], column.spans.highs[column.codes]
    own = np.bincount(column.codes)
    spans = column.spans
    around = np.array(
        [
            sum(
                n
                for n, low, high in zip(own, spans.lows, spans.highs, strict=True)
                if low <= spans.lows[cell] and high >= spans.highs[cell]
            )
            for cell in range(len(own))
        ]
    )
    logs = np.array([math.lgamma(n + 1) for n in range(len(cells) + 1)])
    chance = np.random.default_rng(1)
    draws = 20_000
    for size in (2, 3, 4):
        expected = float(_chances(np.array([size]), own, around, logs)[0])
        hits = 0
        for _ in range(draws):
            some = chance.choice(len(cells), size, replace=False)
            low, high = lows[some].max(), highs[some].min()
            hits += bool(((lows[some] == low) & (highs[some] == high)).any())
        error = math.sqrt(expected * (1 - expected) / draws)
        assert abs(hits / draws - expected) < 5 * error


def test_the_bound_is_never_below_the_chance_itself():
    """Groups of one size: the number that agree is binomial."""
    n, p, size = 40, 0.2, 3
    for agreeing in range(9, 41):
        exact = sum(math.comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(agreeing, n + 1))
        groups = np.array([size]), np.array([n]), np.array([p]), float(size * agreeing)
        assert not _is_beyond_chance(*groups, exact * (1 - 1e-9))
        assert _is_beyond_chance(*groups, exact * math.exp(3.5))  # and is not far from it


@pytest.mark.parametrize("n_values", [4, 3000])
def test_a_pair_of_a_large_table_is_found_by_some_of_its_records(n_values):
    """A region follows from two columns together; 60,000 records, of which some are tried first."""
    chance = np.random.default_rng(4)
    one, other = chance.integers(0, n_values, 60_000), chance.integers(0, 300, 60_000)
    region = (one * 7 + other * 3) % 5
    hidden = chance.random(60_000) < 0.1
    frame = pl.DataFrame(
        {
            "region": np.where(hidden, "*", np.array([f"R{n}" for n in region])),
            "one": one,
            "other": other,
            "nothing": chance.integers(0, 300, 60_000),
        }
    )
    policy = ind.Policy(
        columns={
            "region": {"role": "quasi-identifier", "hierarchy": {"mask": 2}},
            **{key: {"role": "insensitive"} for key in ["one", "other", "nothing"]},
        },
        models=[ind.KAnonymity(k=2)],
    )
    spec = resolve(policy)
    found = released_read_back(frame, spec.class_rules, spec.set_names)
    (said,) = found.warned
    assert said.columns == ("one", "other")
    shown = set(zip(one[~hidden].tolist(), other[~hidden].tolist(), strict=True))
    told = sum(pair in shown for pair in zip(one[hidden], other[hidden], strict=True))
    assert said.n_cells == told > 0


def weighted_regions(of_own):
    """Return fifty weights of three records: a region twice, and hidden once with another sex."""
    regions, sexes, weights = [], [], []
    for number in range(50):
        regions += ["ABCD"[number % 4]] * 2 + ["*"]
        sexes += ["f", "f", "o" if number == of_own else "m"]
        weights += [number] * 3
    columns = {"region": generalized(regions), "sex": generalized(sexes)}
    return read_back(columns, {"weight": coded(weights)}, np.ones(150, np.int64))


def test_fifty_weights_give_fifty_hidden_regions_back():
    found = weighted_regions(None)
    assert found.together.cells == {"region": 50}
    assert found.k_after == 12  # the men of C and of D
    assert found.share_below(12) == 0
    assert found.share_below(13) == 24 / 150


def test_a_hidden_region_of_a_sex_of_its_own_is_found_alone():
    found = weighted_regions(0)
    assert found.k_after == 1
    assert found.share_below(2) == 1 / 150


def test_chances_of_several_sizes_together_are_those_of_each():
    own, around = np.array([4, 3, 2]), np.array([4, 7, 10])
    sizes = np.arange(2, 10)
    logs = np.array([math.lgamma(n + 1) for n in range(10 + 1)])
    plainly = [
        (
            sum(
                math.comb(wide, m) - math.comb(wide - n, m)
                for n, wide in zip(own, around, strict=True)
            )
            / math.comb(10, m)
            + 1 / 10  # the record of a cell that was not compared
        )
        for m in sizes.tolist()
    ]
    found = _chances(sizes, own, around, logs)
    assert np.allclose(found, np.clip(plainly, 0, 1))
    one_by_one = [_chances(sizes[[place]], own, around, logs)[0] for place in range(len(sizes))]
    assert found.tolist() == one_by_one

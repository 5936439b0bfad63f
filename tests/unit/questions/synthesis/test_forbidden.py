"""Forbidden pairs never occur, whatever the noise says; verification knows them by itself."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy.optimize import LinearConstraint, minimize

import indistinct as ind
from coded_rows import CodedRows
from indistinct.base.billionths import BILLION
from indistinct.base.randomness import RandomSource
from indistinct.errors import ParameterError
from indistinct.questions.checks import combinations, declared
from indistinct.questions.checks.constraint_texts import contains
from indistinct.questions.checks.projections import is_nearest_within_reach
from indistinct.questions.database import open_session
from indistinct.questions.database.dataset import Range
from indistinct.questions.database.loading import load
from indistinct.questions.synthesis import mst, spending
from indistinct.questions.synthesis.counts import ColumnDomain
from indistinct.questions.synthesis.domain import EngineCounts
from indistinct.questions.synthesis.drawing import draw
from indistinct.questions.synthesis.labels import steps_of
from indistinct.questions.synthesis.model import settled
from indistinct.questions.synthesis.plan import make_plan
from indistinct.questions.synthesis.projection import onto_margins, onto_reachable
from indistinct.questions.synthesis.request import trial_plan
from indistinct.synthetic_tables import verify_synthetic
from people import declare, person

CHILDREN = '[[synthesis.forbidden]]\ncolumns = ["age", "city"]\npairs = [["[0, 16)", "b"]]\n'
SEXES = '[[synthesis.forbidden]]\ncolumns = ["city", "sex"]\npairs = [["c", "F"], ["a", ""]]\n'
CIRCLE = '[[synthesis.forbidden]]\ncolumns = ["age", "sex"]\npairs = [[100, "F"]]\n'


# What a word covers of the numbers from 0 to 20.
COVERED = {
    "[0, 16)": range(16),
    "(0; 16]": range(1, 17),
    "]0, 16[": range(1, 16),
    "[.5, 1e1)": range(1, 10),
    " 12 ": [12],
    "1_0": [],
    "\uff11\uff12": [],
    "[1_0, 16)": [],
    "0,5": [],
    "[a, b]": [],
}


@pytest.mark.parametrize("word", COVERED)
def test_verification_reads_the_words_of_pairs_alike(word):
    """A number has ASCII digits; a range has the brackets and marks that countries use."""
    steps = steps_of(word, Range(Fraction(1), 0, 20))
    made = [] if steps is None else [*range(steps[0], steps[1] + 1)]
    assert made == [*COVERED[word]]
    assert [number for number in range(21) if contains(word, Fraction(number))] == made


def declared_with(folder, words, n=300):
    path = declare(folder, [person(number) for number in range(n)], 200, delta=1e-7)
    path.write_text(f"{path.read_text('utf-8')}\n{words}", "utf-8")
    return path


def forbidden_in(frame):
    """List the records that CHILDREN or SEXES forbid."""
    return [
        row
        for row in frame.iter_rows(named=True)
        if (row["age"] is not None and row["age"] < 16 and row["city"] == "b")
        or (row["city"], row["sex"]) in {("c", "F"), ("a", None)}
    ]


@pytest.mark.parametrize("epsilon", ["0.05", "1", "20"])
@pytest.mark.parametrize(
    ("focus", "n_drawn"), [("", 1), ('focus = "sex"\n', 1), ('focus = "city"\n', 2)]
)
def test_forbidden_pairs_never_occur_and_the_table_holds(tmp_path, epsilon, focus, n_drawn):
    """Of three links two are given, with a focus one or none of two: the rest is drawn."""
    path = declared_with(tmp_path, f"[synthesis]\nbins = 7\n{focus}{CHILDREN}{SEXES}")
    found = ind.synthesize(path, epsilon=epsilon, rows=2000)
    assert forbidden_in(found.data) == []
    charges = {charge["step"]: charge for charge in found.manifest["charges"]}
    assert charges["tree"]["times"] == n_drawn
    assert "FORBIDDEN sha256:" in ind.database.ledger(path).charges[0]["question"]
    found.write(tmp_path / "s.csv", model=tmp_path / "m.json")
    assert verify_synthetic(tmp_path / "s.csv", path, tmp_path / "m.json").faults == ()


def test_the_baseline_of_a_comparison_does_without(tmp_path):
    """It keeps no pairs at all, so it cannot keep any apart; what is charged for is refused."""
    dataset = load(declared_with(tmp_path, f"[synthesis]\n{CHILDREN}"))
    assert trial_plan(dataset, "1", "independent", None).rules.pairs == {}
    assert set(trial_plan(dataset, "1", "mst", "sex").rules.pairs) == {(0, 2)}


def test_where_every_pair_is_given_nothing_is_drawn(tmp_path):
    words = '[synthesis]\ncolumns = ["age", "city", "sex"]\n'
    found = ind.synthesize(declared_with(tmp_path, words + CHILDREN + SEXES), epsilon="1")
    assert [one["step"] for one in found.manifest["charges"]] == ["columns", "pairs"]
    found.write(tmp_path / "s.csv", model=tmp_path / "m.json")
    path = tmp_path / "people.toml"
    assert verify_synthetic(tmp_path / "s.csv", path, tmp_path / "m.json").faults == ()


@pytest.mark.parametrize("also", ["", SEXES])
def test_what_forgets_the_pairs_is_found(tmp_path, also):
    """Records of the same model with two cells exchanged; and a model whose tree lacks the pair."""
    path = declared_with(tmp_path, f"[synthesis]\n{CHILDREN}")
    found = ind.synthesize(path, epsilon="5", rows=500)
    found.write(tmp_path / "s.csv", model=tmp_path / "m.json")
    lines = (tmp_path / "s.csv").read_text("utf-8").splitlines()
    cells = [line.split(",") for line in lines]
    b = next(row for row in cells[1:] if row[3] == "b")
    young = next(row for row in cells[1:] if row[0] and int(row[0]) < 16)
    b[0], young[0] = young[0], b[0]
    (tmp_path / "t.csv").write_text("\n".join(map(",".join, cells)), "utf-8")
    faults = verify_synthetic(tmp_path / "t.csv", path, tmp_path / "m.json").faults
    assert "age and city: a record has a forbidden pair" in faults
    path.write_text(path.read_text("utf-8") + CIRCLE.replace("[100,", "[99,") + also, "utf-8")
    assert verify_synthetic(tmp_path / "s.csv", path, tmp_path / "m.json").faults


@pytest.mark.parametrize(
    ("words", "place"),
    [
        (CHILDREN.replace('"city"', '"nose"'), "synthesis.forbidden.0.columns"),
        (CHILDREN.replace('"city"', '"age"').replace('"b"', "3"), "synthesis.forbidden.0.columns"),
        (CHILDREN.replace('"b"', '"nowhere"'), "synthesis.forbidden.0.pairs.0"),
        (CHILDREN.replace("[0, 16)", "[16, 3)"), "synthesis.forbidden.0.pairs.0"),
        (CHILDREN.replace("[0, 16)", "[101, 200)"), "synthesis.forbidden.0.pairs.0"),
        (CHILDREN + SEXES + CIRCLE, "synthesis.forbidden"),
        (CHILDREN.replace('["[0, 16)", "b"]', '["[0, 100]", "b"], ["", "b"]'),
         "synthesis.forbidden"),
        (f'algorithm = "independent"\n{CHILDREN}', "synthesis.forbidden"),
        (f'focus = "sex"\n{CIRCLE.replace("100", chr(34) + "[0, 100]" + chr(34))}'
         + CIRCLE.replace("100", '""'), "synthesis.forbidden"),
    ],
)  # fmt: skip
def test_what_cannot_be_kept_is_refused_before_the_charge(tmp_path, words, place):
    path = declared_with(tmp_path, f"[synthesis]\n{words}")
    with pytest.raises(ParameterError) as caught:
        ind.synthesize(path, epsilon="1")
    assert [fault.place for fault in caught.value.faults] == [place]
    assert ind.database.ledger(path).spent == 0


def test_a_focus_opens_a_circle(tmp_path):
    """The focus is in every table, so the two other columns are the only pair."""
    path = declared_with(tmp_path, f'[synthesis]\nfocus = "sex"\n{CHILDREN}{SEXES}{CIRCLE}')
    found = ind.synthesize(path, epsilon="1", rows=1000)
    assert forbidden_in(found.data) == []
    assert not any(row[0] == 100 and row[2] == "F" for row in found.data.iter_rows())


def test_bins_begin_where_intervals_do_and_are_counted_so(tmp_path):
    """Cut bins are counted like by a loop over the ages, and verification cuts them alike."""
    words = CHILDREN.replace(
        '["[0, 16)", "b"]', '["(3.5, 17]", "b"], [50, "a"], ["[98, 300]", "c"]'
    )
    path = declared_with(tmp_path, f"[synthesis]\nbins = 4\n{words}")
    with open_session(path) as session:
        plan = make_plan(session.dataset, "1")
        counts = EngineCounts(session.engine, plan.dataset, plan.measured).single(0)[:, 0]
    bins = plan.columns[0].bins
    assert bins == (
        (0, 3), (4, 17), (18, 25), (26, 49), (50, 50), (51, 51), (52, 77), (78, 97), (98, 100),
    )  # fmt: skip
    ages = [person(number)[1] for number in range(300)]
    assert counts.tolist() == [sum(a <= age <= b for age in ages) for a, b in bins] + [0]
    known = declared.declaration(path)
    books = declared.codebooks(known)
    assert books["age"].bins == bins
    own = combinations.combinations_of(known, books, None)
    assert np.array_equal(own.pairs["age", "city"], plan.rules.pairs[0, 3])


@settings(max_examples=30, deadline=None)
@given(st.integers(2, 4), st.integers(2, 4), st.integers(0, 10**6))
def test_sums_within_reach_are_the_nearest_ones(n_rows, n_columns, seed):
    chance = np.random.default_rng(seed)
    allowed = chance.random((n_rows, n_columns)) < 0.5
    allowed[np.arange(n_rows), chance.integers(0, n_columns, n_rows)] = True
    rows = chance.integers(1, 20, n_rows).astype(float)
    columns = chance.dirichlet(np.ones(n_columns)) * rows.sum()
    found = onto_reachable(rows, columns, allowed)
    places = np.flatnonzero(allowed.ravel())
    to_columns = np.kron(np.ones(n_rows), np.eye(n_columns))[:, places]
    to_rows = np.kron(np.eye(n_rows), np.ones(n_columns))[:, places]
    solved = minimize(
        lambda x: ((to_columns @ x - columns) ** 2).sum(),
        np.ones(len(places)),
        jac=lambda x: 2 * to_columns.T @ (to_columns @ x - columns),
        bounds=[(0, None)] * len(places),
        constraints=LinearConstraint(to_rows, rows, rows),
        method="SLSQP",
        options={"maxiter": 1000, "ftol": 1e-12},
    )
    assert np.allclose(found, to_columns @ solved.x, atol=2e-3 * rows.sum())
    table = onto_margins(chance.normal(5, 8, allowed.shape), rows, found, allowed)
    assert not table[~allowed].any()
    assert np.abs(table.sum(axis=1) - rows).max() <= 1e-5 * rows.sum()
    assert np.abs(table.sum(axis=0) - found).max() <= 1e-5 * rows.sum()
    assert is_nearest_within_reach(table, columns, allowed)


def test_mass_moves_no_farther_than_it_must():
    """Eight of the first row have only the first column: of (5, 5) three move there."""
    allowed = np.array([[True, False], [True, True]])
    assert onto_reachable(np.array([8.0, 2.0]), np.array([5.0, 5.0]), allowed).tolist() == [8, 2]
    kept = onto_reachable(np.array([2.0, 8.0]), np.array([5.0, 5.0]), allowed)
    assert kept.tolist() == [5, 5]
    assert not is_nearest_within_reach(np.array([[8.0, 0], [1, 1]]), np.array([5.0, 5]), allowed)


def test_rare_codes_are_joined_within_their_family_alone():
    """Much noise: all codes are rare, and those with other rules stay apart."""
    sizes = [6, 4]
    codes = np.stack([np.arange(200) % 6, np.arange(200) % 4], axis=1)
    codes = codes[(codes[:, 0] < 4) | (codes[:, 1] < 2)]
    mask = np.ones((6, 4), bool)
    mask[4:, 2:] = False
    rules = settled([np.ones((size, 1), bool) for size in sizes], {(0, 1): mask})
    assert rules.families(0).tolist() == [0, 0, 0, 0, 1, 1]
    spent = spending.divide(10**5, 2, 1, focused=False, paired=True, given=1)
    assert spent.choice is None
    assert spent.total <= 10**5
    counts = CodedRows(codes, sizes, np.zeros(len(codes), np.int64))
    attributes = [ColumnDomain("one", 6), ColumnDomain("other", 4)]
    for _ in range(5):
        model = mst.learn(attributes, counts, spent, focused=False, rules=rules)
        groups = model.joined[0].groups
        assert set(groups[:4]).isdisjoint(groups[4:])
        found, _ = draw(model, 500, RandomSource(1))
        assert mask[found[:, 0], found[:, 1]].all()


def test_without_noise_forbidden_pairs_cost_nothing():
    """Where the rows keep the rules, next to no noise gives them back."""
    sizes = [3, 3]
    codes = np.array([[0, 0]] * 40 + [[0, 1]] * 30 + [[1, 1]] * 20 + [[2, 2]] * 10)
    mask = np.eye(3, dtype=bool)
    mask[0, 1] = True
    rules = settled([np.ones((3, 1), bool)] * 2, {(0, 1): mask})
    spent = spending.divide(10**6 * BILLION, 2, 1, focused=False, paired=True, given=1)
    counts = CodedRows(codes, sizes, np.zeros(100, np.int64))
    attributes = [ColumnDomain("one", 3), ColumnDomain("other", 3)]
    model = mst.learn(attributes, counts, spent, focused=False, rules=rules)
    assert np.allclose(model.edges[0, 1][:, :, 0], counts.pair(0, 1)[:, :, 0], atol=0.1)

"""The searches against the enumeration of every lattice node."""

import dataclasses
from itertools import product

import pytest
from hypothesis import given, strategies as st

from indistinct.errors import NoSolutionError
from indistinct.tables.core.protocols import Deadline, Monotonicity, no_progress
from indistinct.tables.metrics import METRICS
from indistinct.tables.models import MODELS
from indistinct.tables.search.finish import solve
from indistinct.tables.search.lattice import best_first, optimal_search
from indistinct.tables.search.lattice.lattice import Lattice
from indistinct.tables.search.lattice.optimal_search import Ola, Optimal
from oracles import METRIC_DEFINITIONS, feasible, groups_at, minimal, nodes_of
from shared import longer
from strategies import JUDGED_ALONE, models_of, problems, seeded_problem, table_of, tables

DEFINED = tuple(name for name in METRICS if name in METRIC_DEFINITIONS)
ALWAYS = tuple(model for model in JUDGED_ALONE if model.monotone is Monotonicity.ALWAYS)


@pytest.fixture
def frontiers(request):
    """Search once with an array over the lattice, once with a heap."""
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "lazy":
            patch.setattr(best_first, "DENSE_NODES", 0)
            patch.setattr(optimal_search, "DENSE_NODES", 0)
        yield request.param


def solved(algorithm, problem, deadline=None):
    """Search; None where there is no solution."""
    try:
        return solve(algorithm, problem, deadline or Deadline(), no_progress)
    except NoSolutionError:
        return None


# Each objective with one frontier, every third with the other one, too.
@pytest.mark.parametrize(
    ("frontiers", "objective"),
    longer(
        product(["dense", "lazy"], DEFINED),
        {*product(["dense"], DEFINED), *product(["lazy"], DEFINED[::3])},
    ),
    indirect=["frontiers"],
)
@pytest.mark.usefixtures("frontiers")
def test_the_optimum_is_the_best_of_all_nodes(objective):
    """No feasible node of the lattice costs less, whatever models, budget, weights and limits."""

    @given(problems(metrics=(objective,)))
    def check(problem):
        allowed = feasible(problem)
        solution = solved(Optimal(), problem)
        assert (solution is None) == (not allowed)
        if solution is None:
            return
        best = min(judged.value for judged in allowed)
        value = problem.objective.evaluate(solution.recoding)
        assert value == pytest.approx(best, rel=1e-9, abs=1e-9)
        own = {judged.node: judged for judged in allowed}[solution.recoding.transformation]
        assert own.value == pytest.approx(best, rel=1e-9, abs=1e-9)
        assert solution.recoding.n_suppressed == own.n_suppressed
        assert solution.facts["optimal"]
        finer = [judged for judged in allowed if is_a_step_below(judged.node, own.node)]
        assert all(judged.value > own.value for judged in finer)

    check()


def is_a_step_below(low, high):
    """Return whether a node is one level lower in one column."""
    return sorted(b - a for a, b in zip(low, high, strict=True)) == [0] * (len(low) - 1) + [1]


@given(problems(metrics=DEFINED, max_rows=12))
def test_a_search_that_stops_early_gives_a_true_bound(problem):
    """What a stopped search says of the rest is at most the optimum, and its node is feasible."""
    assert_true_bound(problem)


def test_a_lazy_search_that_stops_early_gives_a_true_bound(monkeypatch):
    """The same with a heap, on problems for which the node given last is the optimum."""
    monkeypatch.setattr(best_first, "DENSE_NODES", 0)
    monkeypatch.setattr(optimal_search, "DENSE_NODES", 0)
    for seed in range(60):
        assert_true_bound(seeded_problem(seed))


def assert_true_bound(problem):
    """Stop a search as early as it can be, and compare its bound with the true optimum."""
    allowed = feasible(problem)
    solution = solved(Optimal(), problem, Deadline(0.0))
    assert (solution is None) == (not allowed)
    if solution is None:
        return
    assert solution.recoding.transformation in {judged.node for judged in allowed}
    if not solution.facts["optimal"]:
        best = min(judged.value for judged in allowed)
        assert solution.facts["bound"] <= best + 1e-9 * max(1.0, abs(best))


@given(problems(kinds=ALWAYS, metrics=DEFINED))
def test_ola_finds_exactly_the_minimal_nodes(problem):
    """The k-minimal nodes are those that satisfy and have no such node below."""
    nodes = [judged.node for judged in feasible(problem)]
    solution = solved(Ola(), problem)
    assert (solution is None) == (not nodes)
    if solution is not None:
        found = {tuple(node) for node in solution.facts["minimal_nodes"]}
        assert found == set(minimal(nodes))
        values = {j.node: j.value for j in feasible(problem)}
        best = min(values[node] for node in found)
        assert problem.objective.evaluate(solution.recoding) == pytest.approx(best, abs=1e-9)


@given(problems(metrics=DEFINED))
def test_ola_keeps_the_budget_whatever_the_models(problem):
    """A node that Ola chooses suppresses no more records than allowed, monotone or not."""
    solution = solved(Ola(), problem)
    if solution is not None:
        assert solution.recoding.n_suppressed <= problem.budget


@given(problems(metrics=DEFINED), st.data())
def test_models_stay_true_as_far_as_they_are_declared_monotone(problem, data):
    """A node above a satisfying one satisfies, for models that say so."""
    believed = {Monotonicity.ALWAYS}
    if problem.budget == 0:
        believed.add(Monotonicity.WITHOUT_SUPPRESSION)
    models = tuple(model for model in problem.models if model.monotone in believed)
    problem = dataclasses.replace(problem, models=models)
    nodes = [judged.node for judged in feasible(problem)]
    for node in data.draw(st.permutations(nodes))[:3] if nodes else []:
        for column, high in enumerate(problem.max_levels):
            if node[column] < high:
                above = (*node[:column], node[column] + 1, *node[column + 1 :])
                assert above in nodes


BY_PARTS = tuple(
    kind
    for kind in JUDGED_ALONE
    if kind.name in {"t-closeness", "probabilistic-l-diversity", "entropy-l-diversity"}
)


@given(problems(kinds=BY_PARTS, metrics=DEFINED, suppressions=(0.25,)))
def test_finer_nodes_suppress_what_is_doomed(problem):
    """Of classes that may fail in part, no node below releases more than was proven."""
    lattice = Lattice(problem)
    suppressed = {node: lattice.check(node).n_suppressed for node in nodes_of(problem)}
    for node in suppressed:
        least_suppressed = lattice.check(node).n_least_suppressed
        below = (
            found
            for other, found in suppressed.items()
            if all(low <= high for low, high in zip(other, node, strict=True))
        )
        assert least_suppressed <= min(below)


@given(problems(metrics=DEFINED), st.data())
def test_rolling_up_counts_what_counting_anew_counts(problem, data):
    """A node's classes do not depend on which nodes were counted before."""
    lattice = Lattice(problem)
    nodes = [
        tuple(
            data.draw(st.integers(low, high))
            for low, high in zip(problem.min_levels, problem.max_levels, strict=True)
        )
        for _ in range(4)
    ]
    for node in nodes:
        checked = lattice.check(node)
        groups = groups_at(problem, node)
        assert sorted(checked.sizes.tolist()) == sorted(group.size for group in groups)
        assert checked.n_suppressed == lattice.recoding(node).n_suppressed
        assert checked.n_least_suppressed <= checked.n_suppressed


ONE_PASS = tuple(
    kind
    for kind in JUDGED_ALONE
    if kind.name
    in {
        "k-anonymity",
        "confident-k-anonymity",
        "distinct-l-diversity",
        "probabilistic-l-diversity",
        "entropy-l-diversity",
        "recursive-cl-diversity",
        "simpson-diversity",
        "alpha-k-anonymity",
        "t-closeness",
        "beta-likeness",
    }
)


@given(problems(kinds=ONE_PASS, metrics=DEFINED))
def test_one_pass_over_a_node_sees_what_one_model_after_the_other_sees(problem):
    """Same classes, suppressed records and loss at every node; no less is doomed, nor too much."""
    lattice, plain = Lattice(problem), Lattice(problem)
    suppressed = {}
    for node in nodes_of(problem):
        one, other = lattice.check(node), plain.check_plainly(node)
        assert one.n_suppressed == other.n_suppressed
        found, expected = (
            sorted(zip(judged.sizes.tolist(), judged.released.tolist(), strict=True))
            for judged in (one, other)
        )
        assert found == expected
        cost = problem.objective.evaluate
        assert cost(one) == pytest.approx(cost(other), rel=1e-12, abs=1e-12)
        assert one.n_least_suppressed <= one.n_suppressed
        suppressed[node] = one.n_suppressed, one.n_least_suppressed
    for node, (_, least_suppressed) in suppressed.items():
        for other, (found, _) in suppressed.items():
            if all(low <= high for low, high in zip(other, node, strict=True)):
                assert least_suppressed <= found


@pytest.mark.parametrize("kind", ONE_PASS)
def test_models_that_count_values_are_checked_in_one_pass(kind):
    """But for forms of them that no count in bins decides, such as a smoothed distance."""

    @given(problems(kinds=(kind,), metrics=("loss",), max_rows=6))
    def check(problem):
        seen.append(Lattice(problem).is_one_pass)

    seen: list[bool] = []
    check()
    assert any(seen)


@given(tables(), st.data())
def test_the_order_of_records_is_irrelevant(drawn, data):
    """Shuffled records give the same cost, the same suppression and the same classes."""
    table, hierarchies = drawn
    rows = [
        (*codes, illness)
        for codes, illness, weight in zip(
            table.codes.tolist(),
            table.sensitive_codes["illness"].tolist(),
            table.weights.tolist(),
            strict=True,
        )
        for _ in range(weight)
    ]
    full = [*hierarchies, table.sensitive["illness"].hierarchy]
    model = data.draw(st.sampled_from(MODELS).flatmap(models_of))
    objective = METRICS["loss"]((1.0,) * table.n_columns)
    costs = []
    for order in (rows, data.draw(st.permutations(rows))):
        shuffled, same = table_of(order, full)
        problem = optimal_search.Problem(
            shuffled,
            same,
            (None,) * shuffled.n_columns,
            (0,) * shuffled.n_columns,
            tuple(hierarchy.height for hierarchy in same),
            (model,),
            objective,
            0.3,
            objective.weights,
        )
        solution = solved(Optimal(), problem)
        costs.append(
            None
            if solution is None
            else (
                pytest.approx(objective.evaluate(solution.recoding), abs=1e-12),
                solution.recoding.transformation,
                solution.recoding.n_suppressed,
            )
        )
    assert costs[0] == costs[1]

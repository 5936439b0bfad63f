"""Declarations are checked whole, and every fault has its place."""

from __future__ import annotations

import copy
from fractions import Fraction

import pytest

from indistinct.base.billionths import BILLION
from indistinct.errors import AccessError, PolicyError
from indistinct.questions.database.loading import build, load
from indistinct.questions.mechanisms.accountant import epsilon_of_rho

GOOD = {
    "dataset": {"name": "d", "data": "d.csv", "table": "d", "person": "id", "ledger": "d.ledger"},
    "budget": {"epsilon": 3},
    "columns": {
        "age": {"type": "number", "bounds": [0, 120]},
        "height": {"type": "number", "bounds": ["0", "2.5"], "step": "0.01", "missing": "1"},
        "sex": {"type": "text", "values": ["F", "M"]},
        "group": {"type": "bins", "of": "age", "edges": [20, 50]},
    },
    "analysts": {"alice": {"epsilon": 1, "token_sha256": "0" * 64}, "boss": {"role": "owner"}},
}


def changed(place, value):
    declaration = copy.deepcopy(GOOD)
    *folders, last = place.split("/")
    table = declaration
    for folder in folders:
        table = table.setdefault(folder, {})
    table[last] = value
    return declaration


def test_bounds_become_whole_steps(tmp_path):
    """Two and a half metres are 250 steps of a centimetre."""
    height = build(GOOD, tmp_path).columns["height"].bounds
    assert (height.low, height.high, height.missing) == (0, 250, 100)
    assert height.step == Fraction(1, 100)


def test_bins_are_disjoint_and_complete(tmp_path):
    """The slide's bins, with every age in exactly one of them."""
    assert build(GOOD, tmp_path).keys["group"].labels == ("< 20", "[20, 50)", ">= 50")


def test_caps_are_exact(tmp_path):
    """An analyst's cap is their own, else the general one; the owner has the dataset's."""
    dataset = build(changed("budget/per_analyst", "0.1"), tmp_path)
    assert dataset.budget.cap == 3 * BILLION
    assert dataset.analyst("alice").cap == BILLION
    assert dataset.analyst("owner").cap == dataset.analyst("boss").cap == 3 * BILLION
    with pytest.raises(AccessError):
        dataset.analyst("mallory")


def test_a_zcdp_account_grants_the_rho_of_its_epsilon(tmp_path):
    """The rho granted amounts to no more than the epsilon declared."""
    given = changed("budget", {"epsilon": 3, "accounting": "zcdp", "delta": 1e-6})
    assert epsilon_of_rho(build(given, tmp_path).budget.cap / BILLION, 1e-6) <= 3


@pytest.mark.parametrize(
    ("place", "value", "named"),
    [
        ("dataset/person", "", "dataset.person"),
        ("dataset/colour", "red", "dataset.colour"),
        ("dataset/rows_per_person", 0, "dataset.rows_per_person"),
        ("budget/epsilon", 0, "epsilon"),
        ("budget/epsilon", True, "budget.epsilon"),
        ("dataset/rows_per_person", True, "dataset.rows_per_person"),
        ("analysts/alice/epsilon", True, "analysts.alice.epsilon"),
        ("columns/age/step", True, "columns.age.step"),
        ("columns/age/bounds", [False, True], "columns.age.bounds"),
        ("budget/epsilon", float("nan"), "epsilon"),
        ("budget/per_analyst", -1, "per_analyst"),
        ("budget/epsilon", "0.0000000001", "epsilon"),
        ("budget/accounting", "zcdp", "budget.delta"),
        ("budget/delta", 2, "budget.delta"),
        ("columns/age/bounds", [5, 5], "columns.age"),
        ("columns/age/bounds", [120, 0], "columns.age"),
        ("columns/age/bounds", [0, float("inf")], "columns.age"),
        ("columns/age/bounds", [0, 1e300], "columns.age"),
        ("columns/age/bounds", [0], "columns.age"),
        ("columns/age/step", 0, "columns.age"),
        ("columns/age/missing", 500, "columns.age"),
        ("columns/sex/bounds", [0, 1], "columns.sex"),
        ("columns/sex/values", ["F", "F"], "columns.sex"),
        ("columns/sex/values", [1], "columns.sex"),
        ("columns/group/of", "sex", "columns.group"),
        ("columns/group/edges", [50, 20], "columns.group"),
        ("columns/group/edges", [], "columns.group"),
        ("columns/AGE", {"type": "number"}, "columns.AGE"),
        ("analysts/alice/role", "king", "analysts.alice.role"),
        ("analysts/alice/token_sha256", "secret", "analysts.alice.token_sha256"),
    ],
)
def test_what_contradicts_is_refused_by_place(tmp_path, place, value, named):
    """Each fault says where it stands."""
    with pytest.raises(PolicyError, match=named):
        build(changed(place, value), tmp_path)


def test_all_faults_come_at_once(tmp_path):
    """Two contradictions, two faults."""
    given = changed("columns/age/bounds", [5, 5])
    given["columns"]["group"]["edges"] = []
    with pytest.raises(PolicyError) as caught:
        build(given, tmp_path)
    assert len(caught.value.faults) == 2


@pytest.mark.parametrize("text", [None, "no = = toml", "\udcff"])
def test_a_file_that_is_no_declaration_is_refused(tmp_path, text):
    """Missing, malformed, or not text."""
    if text is not None:
        (tmp_path / "d.toml").write_text(text, encoding="utf-8", errors="surrogateescape")
    with pytest.raises(PolicyError, match=r"d\.toml"):
        load(tmp_path / "d.toml")

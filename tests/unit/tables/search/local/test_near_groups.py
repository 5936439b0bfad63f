"""The groups that prices nearly pay for, against a plain enumeration of all groups."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, strategies as st

from indistinct.tables.core.protocols import Deadline
from indistinct.tables.models import KAnonymity
from indistinct.tables.search.local import near_groups as module
from indistinct.tables.search.local.local_space import local_space
from indistinct.tables.search.local.near_groups import REACHED, is_walkable, near_groups
from local_problems import (
    SIZED,
    groups_at_every_node,
    halves,
    prices_of_records,
    problem_of,
    problems,
    run_of,
)
from shared import examples


def plain_groups(space, prices, largest):
    """Return the least loss of every set of members that forms a wanted group."""
    found = {}
    for cells, members in groups_at_every_node(space):
        owned = prices_of_records(space, prices, members)
        loss = space.items.costs[list(cells)].sum()
        enough = REACHED * space.least * loss
        if space.least <= len(owned) <= largest and sum(owned[: space.least]) >= enough:
            key = frozenset(members)
            found[key] = min(found.get(key, np.inf), loss)
    return found


def drawn_prices(space, seed):
    return np.random.default_rng(seed).uniform(0, space.price, space.n_items)


def members_of(groups):
    return [members.tolist() for members in np.split(groups.members, groups.starts[1:-1])]


@examples(60)
@given(problems(models=SIZED, max_columns=3), st.integers(0, 100))
def test_the_groups_are_those_of_a_plain_enumeration(problem, seed):
    space = local_space(problem)
    prices = drawn_prices(space, seed)
    expected = plain_groups(space, prices, module.LARGEST)
    groups = near_groups(space, prices, run_of())
    if groups is None:
        assert not expected
        return
    listed = members_of(groups)
    found = dict(zip(map(frozenset, listed), groups.losses.tolist(), strict=True))
    assert len(found) == len(listed)
    assert found.keys() == expected.keys()
    for members, loss in found.items():
        assert loss == pytest.approx(expected[members], abs=1e-12)
    items = space.items
    for members, node, loss in zip(listed, groups.nodes, groups.losses, strict=True):
        assert prices[members].tolist() == sorted(prices[members], reverse=True)
        paid = 0.0
        for column, level in enumerate(node):
            cells = items.cells[items.offsets[column, level] + items.codes[members, column]]
            assert len(set(cells.tolist())) == 1
            paid += items.costs[cells[0]]
        assert loss == pytest.approx(paid, abs=1e-12)


def table(n_records=300):
    rows = np.random.default_rng(0).integers(0, 16, (n_records, 3))
    return local_space(problem_of(rows, [halves(16)] * 3, [KAnonymity(3)]))


def test_chunks_of_nodes_and_large_groups_change_nothing_else(monkeypatch):
    space = table()
    prices = drawn_prices(space, 1)
    monkeypatch.setattr(module, "LARGEST", 20)
    whole = near_groups(space, prices, run_of())
    monkeypatch.setattr(module, "AT_ONCE", 3 * space.n_items)
    parts = near_groups(space, prices, run_of())
    for one, other in zip(whole, parts, strict=True):
        assert np.array_equal(one, other)
    expected = plain_groups(space, prices, 20)
    assert set(map(frozenset, members_of(whole))) == expected.keys()


def test_what_is_too_large_is_given_up(monkeypatch):
    space = table()
    prices = drawn_prices(space, 1)
    groups = near_groups(space, prices, run_of())
    assert is_walkable(space)
    limits = [
        ("MOST_PER_TUPLE", 5**3 * 3),
        ("MOST_WORK", 5**3 * 3 * space.n_items),
        ("MOST_GROUPS", groups.n_groups),
        ("MOST_MEMBERS", len(groups.members)),
    ]
    for name, limit in limits:
        with monkeypatch.context() as patch:
            patch.setattr(module, name, limit)
            assert near_groups(space, prices, run_of()).n_groups == groups.n_groups
            patch.setattr(module, name, limit - 1)
            assert near_groups(space, prices, run_of()) is None


def test_a_passed_deadline_ends_the_walk():
    space = table()
    assert near_groups(space, drawn_prices(space, 1), run_of(deadline=Deadline.after(0))) is None


def test_an_interruption_between_two_parts_reaches_the_caller():
    def interrupt(share, text):
        raise KeyboardInterrupt

    space = table()
    with pytest.raises(KeyboardInterrupt):
        near_groups(space, drawn_prices(space, 1), replace(run_of(), progress=interrupt))

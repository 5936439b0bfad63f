"""Attackers who repeat the search of sets, of stars that fit every value, and of anatomy."""

from collections import Counter
from itertools import permutations, product

import numpy as np
import polars as pl
import pytest

import indistinct as ind
from indistinct.errors import NoSolutionError, ParameterError
from indistinct.tables.publish.anonymization import draft_release
from indistinct.tables.search.anatomy import anatomy_groups

TREE = {"fruit": ["apple", "plum", "pear"], "nut": ["hazel", "cashew"]}


def set_policy(algorithm, k=2, m=2, columns=None, **words):
    columns = {
        "bought": {
            "role": "quasi-identifier",
            "type": "set",
            "hierarchy": {"tree": TREE},
            **words,
        },
        **(columns or {}),
    }
    models = [{"name": "km-anonymity", "column": "bought", "k": k, "m": m}]
    method = {"algorithm": algorithm, "max_suppression": 0.3}
    return ind.Policy.from_words({"columns": columns, "models": models, "method": method})


def shown(sets, policy):
    """Return the released sets as a reader counts them; None where nothing is released."""
    table = pl.DataFrame({"bought": [";".join(sorted(one)) for one in sets]})
    try:
        released = ind.anonymize(table, policy, seed=1).frame["bought"].to_list()
    except NoSolutionError:
        return None
    return Counter(tuple(sorted((cell or "").split(";"))) for cell in released)


def plainly(sets, policy):
    """Return candidates and possible items of everything under a label, by whole releases."""
    wanted = shown(sets, policy)
    occurring = set().union(*sets)
    labels = {label for cell in wanted for label in cell}
    found = []
    for row, own in enumerate(sets):
        for item in own:
            above = [name for name, items in TREE.items() if item in items and name in labels]
            under = occurring if labels == {"*"} else set(TREE[above[0]]) if above else {item}
            candidates = sorted(((under & occurring) - set(own)) | {item})
            worlds = [
                [*sets[:row], {*own} - {item} | {one}, *sets[row + 1 :]] for one in candidates
            ]
            agreeing = sum(shown(world, policy) == wanted for world in worlds)
            if len(candidates) > 1:
                found.append((len(candidates), agreeing))
    return found


@pytest.mark.parametrize("algorithm", ["apriori", "partition"])
def test_refinement_of_sets_is_what_whole_releases_find(algorithm):
    """Every other item is put under each label, and the whole table released again."""
    sets = [{"apple", "hazel"}, {"plum", "hazel"}, {"apple"}, {"pear"}, {"apple", "hazel"}]
    policy = set_policy(algorithm, m=2 if algorithm == "apriori" else "all")
    expected = plainly(sets, policy)
    table = pl.DataFrame({"bought": [";".join(sorted(one)) for one in sets]})
    release = ind.anonymize(table, policy, seed=1)
    found = ind.attack(release.data, policy, attack="refinement", original=table, seed=1).answer
    assert found.found.attempts == len(expected) > 0
    assert found.details["candidates"] == sum(n for n, _ in expected)
    assert found.details["possible"] == sum(n for _, n in expected)
    assert found.found.successes == pytest.approx(sum(1 / n for _, n in expected))
    assert found.baseline.successes == pytest.approx(sum(1 / n for n, _ in expected))


def test_replays_of_sets_stay_within_their_number():
    chance = np.random.default_rng(3)
    items = [item for below in TREE.values() for item in below]
    table = pl.DataFrame(
        {"bought": [";".join(chance.choice(items, 2, replace=False)) for _ in range(30)]}
    )
    policy = set_policy("apriori", k=6)
    release = ind.anonymize(table, policy, seed=1)
    words = {"attack": "refinement", "original": table, "seed": 1}
    found = ind.attack(release.data, policy, **words, replays=10).answer
    assert 0 < found.details["worlds"] <= 10
    assert found.found.attempts > 0


def test_sets_that_the_search_does_not_give_are_refused():
    table = pl.DataFrame({"bought": ["apple", "apple", "pear", "pear"]})
    policy = set_policy("apriori")
    with pytest.raises(ind.errors.DataError, match="does not give this release"):
        ind.attack(table[:2], policy, attack="refinement", original=table)


@pytest.mark.parametrize(
    ("attack", "columns", "reason"),
    [
        ("minimality", {"ill": {"role": "sensitive"}}, "without a look at any other column"),
        ("downcoding", {}, "without a look at any other column"),
        ("refinement", {"sex": {"role": "quasi-identifier"}}, "classes are made again"),
    ],
)
def test_what_cannot_be_repeated_for_sets_is_said_with_the_reason(attack, columns, reason):
    table = pl.DataFrame({"bought": ["apple"] * 4, "sex": ["f"] * 4, "ill": ["y"] * 4})
    policy = set_policy("apriori", columns=columns)
    if "sex" in columns:
        policy = policy.with_words({"method": {"algorithm": "local"}})
    with pytest.raises(ParameterError, match=reason):
        ind.attack(table, policy, attack=attack, original=table)


# --- stars that fit every value ---


def star_policy(k=2):
    return ind.Policy.from_words(
        {
            "columns": {
                "age": {"role": "quasi-identifier"},
                "sex": {"role": "quasi-identifier"},
                "ill": {"role": "sensitive"},
            },
            "models": [{"name": "k-anonymity", "k": k}],
            "method": {"algorithm": "cell-suppression", "max_suppression": 0.5},
            "release": {"suppressed_cell": "any"},
        }
    )


def rows(table, policy):
    """Return the released rows with the record that each is of; None where nothing is released."""
    try:
        release = draft_release(table, policy, seed=1)
    except NoSolutionError:
        return None
    cells = release.frame.cast(pl.String).rows()
    return dict(zip(release.crosswalk.tolist(), cells, strict=True))


def fits(cells, values):
    return all(cell in {"*", value} for cell, value in zip(cells, values, strict=True))


def test_refinement_of_stars_is_what_trying_all_tables_finds():
    """All tables of values that occur, released again: the chance of each tuple under each row."""
    own = [("20", "f"), ("20", "f"), ("21", "f"), ("21", "m")]
    ills = list("abab")
    policy = star_policy()

    def table(world):
        return pl.DataFrame(
            {"age": [a for a, _ in world], "sex": [s for _, s in world], "ill": ills}
        )

    truth = rows(table(own), policy)
    wanted = Counter(truth.values())
    assert any("*" in row for row in wanted)
    kinds = list(product(["20", "21"], "fm"))
    possible = []
    for world in product(kinds, repeat=len(own)):
        if all(fits(truth[row][:2], one) for row, one in enumerate(world)):
            found = rows(table(world), policy)
            if found is not None and Counter(found.values()) == wanted:
                possible.append(world)
    right = attempts = passed = 0
    for cells in {row[:2] for row in truth.values()}:
        if "*" not in cells:
            continue
        members = [row for row, of in truth.items() if of[:2] == cells]
        chances = Counter(world[row] for world in possible for row in members)
        every = Counter(
            world[row]
            for world in product(*[[t for t in kinds if fits(cells, t)]] * len(members))
            for row in range(len(members))
        )
        best = [one for one, times in chances.items() if times == max(chances.values())]
        right += (
            len(members)
            * np.mean([sum(own[r] == one for r in members) for one in best])
            / len(members)
        )
        attempts += len(members)
        around = sum(
            all("*" in (a, b) or a == b for a, b in zip(cells, of[:2], strict=True))
            for of in truth.values()
        )
        passed += sum(
            chances[one] / chances.total() > 1 / around + 1e-9 >= every[one] / every.total()
            for one in kinds
        )
    release = ind.anonymize(table(own), policy, seed=1)
    found = ind.attack(
        release.data, policy, attack="refinement", original=table(own), seed=1
    ).answer
    assert found.details["exact"]
    assert found.found.attempts == attempts
    assert found.found.successes == pytest.approx(right)
    assert found.details["passed"] == passed


def test_sensitive_values_say_nothing_to_a_search_for_stars():
    """Only k-anonymity is promised where a star fits every value, and it reads no such value."""
    table = pl.DataFrame({"age": [20, 20, 21, 22], "sex": list("ffmm"), "ill": list("abac")})
    release = ind.anonymize(table, star_policy(), seed=1)
    found = ind.attack(
        release.data, star_policy(), attack="minimality", original=table, seed=1
    ).answer
    assert found.details["exact"]
    assert found.details["possible"] == found.details["worlds"] > 1
    assert found.details["certain"] == 0


# --- anatomy ---


class Listed:
    """Chance that gives a listed order, and listed words."""

    def __init__(self, order, words=()):
        self.order, self.given = order, words

    def apart(self, _name):
        return self

    def permutation(self, size):
        return np.array(self.order) if size == len(self.order) else np.arange(size)

    def words(self, size):
        return self.given[:size]


def partition(groups):
    return frozenset(
        frozenset(np.flatnonzero(groups == number).tolist()) for number in set(groups.tolist())
    )


@pytest.mark.parametrize("values", [(0, 0, 1, 1), (0, 0, 1, 1, 2)])
def test_groups_of_anatomy_are_as_likely_whoever_has_which_value(values):
    """Over all random orders, each way to give the values to people makes some groups as often."""
    n = len(values)
    made = Counter()
    for world in set(permutations(values)):
        for order in permutations(range(n)):
            for word in range(2 if n % 2 else 1):
                groups = anatomy_groups(np.array(world, np.int32), 2, None, Listed(order, [word]))
                shown = frozenset(
                    (part, tuple(sorted(world[one] for one in part))) for part in partition(groups)
                )
                made[shown, world] += 1
    for shown in {one for one, _ in made}:
        assert len({times for (one, _), times in made.items() if one == shown}) == 1
        # Every assignment within the groups is among them.
        n_worlds = len([1 for one, _ in made if one == shown])
        assert n_worlds == np.prod([len(set(permutations(had))) for _, had in shown])

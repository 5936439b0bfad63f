"""Attackers who repeat the search: their chances by plain enumeration of whole releases."""

from collections import Counter
from itertools import permutations, product

import numpy as np
import polars as pl
import pytest
from hypothesis import given, strategies as st

import indistinct as ind
import versions
from indistinct.errors import DataError, NoSolutionError, ParameterError
from indistinct.tables.evaluation.attacks.minimality import least_worlds, worlds_of_values
from shared import longer

ALGORITHMS = ("optimal", "local", "mondrian", "k-member", "lattice-peel")


def policy_of(algorithm, *, replay="allowed", k=2, diverse=2, suppressed=0.0, **method):
    """Ask for k-anonymity and, where wanted, distinct l-diversity of an illness."""
    models = [{"name": "k-anonymity", "k": k}]
    if diverse:
        models.append({"name": "distinct-l-diversity", "column": "ill", "l": diverse})
    return ind.Policy.from_words(
        {
            "columns": {
                "age": {"role": "quasi-identifier", "hierarchy": {"intervals": [2, 4]}},
                "sex": {"role": "quasi-identifier"},
                "ill": {"role": "sensitive"},
            },
            "models": models,
            "method": {
                "algorithm": algorithm,
                "replay": replay,
                "max_suppression": suppressed,
                **method,
            },
        }
    )


def people(ages, sexes, ills):
    return pl.DataFrame({"age": ages, "sex": list(sexes), "ill": list(ills)})


def random_people(n, seed, values="abc"):
    chance = np.random.default_rng(seed)
    return people(
        chance.integers(20, 25, n), chance.choice(["f", "m"], n), chance.choice(list(values), n)
    )


def cells_of(table, policy):
    """Give the released rows as a reader sees them, in no order; None where nothing is released."""
    try:
        return Counter(ind.anonymize(table, policy, seed=1).frame.cast(pl.String).rows())
    except NoSolutionError:
        return None


def attacked(table, policy, name, **words):
    release = ind.anonymize(table, policy, seed=1)
    return ind.attack(release.data, policy, attack=name, original=table, seed=1, **words).answer


# --- minimality ---


def plain_chances(table, policy):
    """Give each person's chance of each value: all orders of the values that give the release."""
    wanted = cells_of(table, policy)
    worlds = [
        world
        for world in sorted(set(permutations(table["ill"].to_list())))
        if cells_of(table.with_columns(ill=pl.Series(world)), policy) == wanted
    ]
    return [Counter(world[person] for world in worlds) for person in range(table.height)]


def right_guesses(chances, owned):
    """Return how many best guesses are right."""
    total = 0.0
    for found, value in zip(chances, owned, strict=True):
        best = [one for one, times in found.items() if times == max(found.values())]
        total += (value in best) / len(best)
    return total


@pytest.mark.parametrize("algorithm", ["optimal", "mondrian", "local"])
@pytest.mark.parametrize(("n", "seed"), longer([(5, 2), (6, 2), (6, 4)], [(5, 2)]))
def test_minimality_is_what_trying_all_tables_finds(algorithm, n, seed):
    table = random_people(n, seed)
    policy = policy_of(algorithm)
    if cells_of(table, policy) is None:
        pytest.skip("this table has no release")
    chances = plain_chances(table, policy)
    found = attacked(table, policy, "minimality")
    assert found.details["exact"]
    assert found.details["possible"] == sum(chances[0].values())
    assert found.found.successes == pytest.approx(right_guesses(chances, table["ill"]))


def published_example(replay="allowed"):
    """Lay out section 3 of the paper: two of one kind, both with y, beside three of another."""
    table = people([20] * 5, "ffmmm", "yyabc")
    return table, policy_of("optimal", replay=replay, diverse=2)


def test_two_alike_with_one_illness_give_themselves_away():
    """Nobody would have joined the two groups, had the two not both had y (wong2007)."""
    table, policy = published_example()
    assert set(ind.anonymize(table, policy, seed=1).frame["sex"]) == {"*"}
    found = attacked(table, policy, "minimality")
    # Of 5! / 2! = 60 worlds the 3! remain in which both have y: for certain, though 2 in 5 have it.
    assert found.details == {
        "column": "ill",
        "exact": True,
        "worlds": 60,
        "possible": 6,
        "certain": 2,
        "certain_of_left_out": 0,
        "greatest_gain": pytest.approx(1 - 2 / 5),
        "highest_chance": 1.0,
    }
    assert found.found.successes == pytest.approx(2 + 3 / 3)
    assert found.baseline.successes == pytest.approx(2)


@pytest.mark.parametrize("algorithm", longer(ALGORITHMS, {*ALGORITHMS} - {"local"}))
def test_nothing_is_gained_from_a_resistant_search(algorithm):
    """The share of the class stays everybody's chance, on all small tables that are tried."""
    tried = 0
    for seed in range(6):
        # Nobody is like another one, so that nothing is left to the secret random of the search.
        chance = np.random.default_rng(seed)
        table = people(20 + chance.permutation(6), "fmfmfm", chance.choice(["a", "b"], 6))
        policy = policy_of(algorithm, replay="resistant", k=3, suppressed=0.5)
        if cells_of(table, policy) is None:
            continue
        details = attacked(table, policy, "minimality").details
        assert details["exact"]
        assert details["greatest_gain"] == pytest.approx(0, abs=1e-9)
        assert details["certain"] == 0
        tried += 1
    assert tried >= 2


def test_who_is_told_a_secret_chance_is_said_to_know_too_much():
    """Of four who are alike, three are in one class, and one joins the two others."""
    policy = policy_of("k-member", replay="resistant", k=3, suppressed=1.0)
    for ages, divided in (([20, 20, 20, 21, 21, 21], False), ([20, 20, 20, 20, 21, 21], True)):
        table = people(ages, "ffffff", "abcabc")
        found = attacked(table, policy, "minimality")
        assert any("secret random" in doubt for doubt in found.warnings) is divided


def test_the_same_tables_give_people_away_to_a_search_that_looks():
    """Without the option an attacker is certain of somebody whom the class leaves open."""
    certain = 0
    for seed in (0,):
        table, policy = random_people(8, seed), policy_of("local")
        if cells_of(table, policy) is not None:
            certain += attacked(table, policy, "minimality").details.get("certain", 0)
    assert certain >= 3


def test_a_table_of_thousands_is_attacked_by_pairs():
    """Listing would take longer than the world has stood, and a step for each of the people."""
    table = random_people(2000, 4)
    found = attacked(table, policy_of("optimal"), "minimality", replays=3)
    assert found.details["pairs"] == 3


def test_a_table_of_one_illness_is_attacked_by_pairs_too():
    """There is one world, and no two people have different values."""
    table = random_people(2000, 4, values="a")
    found = attacked(table, policy_of("optimal", diverse=0), "minimality", replays=3)
    assert found.details["pairs"] == 0


def test_pairs_are_decided_where_worlds_are_too_many():
    """An attacker who knows all but two people's values: a swap gives the release or does not."""
    table = random_people(40, 1)
    found = attacked(table, policy_of("optimal"), "minimality", replays=12)
    assert found.details == {"column": "ill", "exact": False, "pairs": 12, "decided": 0}
    assert found.found.rate == found.baseline.rate == 0.5
    # Whoever changes his value with one of the two leaves both groups diverse and apart.
    table, policy = published_example()
    found = attacked(table, policy, "minimality", replays=20)
    assert found.details["pairs"] == 5
    assert found.details["decided"] >= 2
    assert found.found.rate > 0.5


@given(
    st.lists(st.lists(st.booleans(), min_size=2, max_size=2), min_size=2, max_size=5),
    st.lists(st.integers(0, 5), min_size=5, max_size=5),
)
def test_worlds_are_the_assignments_that_fit(covers, drawn):
    """Each assignment once: there is a way to give every person a free place with the value."""
    covers = np.array([[*row, True] for row in covers])
    slots = np.bincount(drawn[: len(covers)], minlength=6)
    slots = np.resize(slots, 6).reshape(3, 2)
    places = [divmod(cell, 2) for cell in np.repeat(np.arange(6), slots.ravel()).tolist()]
    expected = {
        tuple(value for _, value in order)
        for order in permutations(places)
        if all(covers[person, place] for person, (place, _) in enumerate(order))
    }
    found = [tuple(world.tolist()) for world in worlds_of_values(covers, slots)]
    assert len(found) == len(set(found))
    assert set(found) == expected


def test_the_least_number_of_worlds_changes_places_in_no_class():
    """Two classes of 2 a and 1 b, and of a, b and c: 3 ways in one and 6 in the other."""
    slots = np.array([[2, 1, 0], [1, 1, 1]])
    assert least_worlds(slots) == 18
    apart = np.repeat(np.eye(2, dtype=bool), 3, axis=0)
    assert len(list(worlds_of_values(apart, slots))) == 18
    assert len(list(worlds_of_values(np.ones_like(apart), slots))) == 60


# --- refinement and downcoding ---


def plain_tables(table, policy, leaves):
    """List all tables that give the release: values of every record, cells being ignored."""
    wanted = cells_of(table, policy)
    found = []
    for ages in product(leaves, repeat=table.height):
        world = table.with_columns(age=pl.Series(ages))
        if cells_of(world, policy) == wanted:
            found.append(ages)
    return found


@pytest.mark.parametrize("algorithm", longer(["optimal", "mondrian", "k-member"], ("optimal",)))
def test_refinement_is_what_trying_all_tables_finds(algorithm):
    """Four records of one sex: the chance of each age in each class, over all ordered tables."""
    table = people([20, 20, 21, 23], "ffff", "abab")
    policy = policy_of(algorithm, diverse=0)
    release = ind.anonymize(table, policy, seed=1).frame.cast(pl.String)
    tables = plain_tables(table, policy, [20, 21, 23])
    found = attacked(table, policy, "refinement")
    assert found.details["exact"]
    right = attempts = 0.0
    for cell, size in Counter(release["age"]).items():
        chances = Counter()
        for ages in tables:
            world = table.with_columns(age=pl.Series(ages))
            made = ind.anonymize(world, policy, seed=1)
            rows = made.crosswalk.tolist()
            cells = made.frame["age"].cast(pl.String).to_list()
            chances.update(ages[row] for row, of in zip(rows, cells, strict=True) if of == cell)
        if len({age for age in [20, 21, 23] if covers(cell, age)}) < 2:
            continue
        truth = ind.anonymize(table, policy, seed=1)
        own = [
            table["age"][row]
            for row, of in zip(truth.crosswalk.tolist(), truth.frame["age"], strict=True)
            if str(of) == cell
        ]
        best = [age for age, times in chances.items() if times == max(chances.values())]
        right += np.mean([own.count(age) for age in best])
        attempts += size
    assert found.found.attempts == attempts
    assert found.found.successes == pytest.approx(right)


def covers(cell, age):
    """Return whether a released age covers an exact one."""
    if cell == "*":
        return True
    numbers = [float(part.strip("[]() ")) for part in cell.replace("-", ",").split(",")]
    return numbers[0] <= age and age <= numbers[-1] and (len(numbers) < 2 or age < numbers[-1])


def test_a_hidden_division_gives_both_sides_away():
    """Were all four f, no search would hide the sex: at least one is f and one is m (cohen2022)."""
    table = people([20, 20, 20, 20], "fffm", "abab")
    found = attacked(table, policy_of("optimal", diverse=0), "downcoding")
    # Of the four, none to all may be f. With none, two or all nothing would be hidden: 1 or 3 are.
    assert found.details == {
        "exact": True, "worlds": 5, "possible": 2, "claimed": 2, "classes": 1, "unsettled": 0,
    }  # fmt: skip
    assert (found.found.successes, found.found.attempts) == (2, 4)


def test_where_values_are_released_there_is_nothing_to_refine():
    table = people([20, 20, 21, 21], "ffmm", "abab")
    for name in ("refinement", "downcoding"):
        found = attacked(table, policy_of("optimal", diverse=0), name)
        assert found.found.attempts == 0


def test_tables_are_drawn_where_they_are_too_many():
    table = random_people(30, 2)
    policy = policy_of("optimal", diverse=0, k=8)
    found = attacked(table, policy, "refinement", replays=60)
    assert not found.details["exact"]
    assert found.details["worlds"] <= 60
    claims = attacked(table, policy, "downcoding", replays=60)
    assert claims.found.successes <= claims.details["claimed"]


@pytest.mark.parametrize("algorithm", ["optimal", "mondrian"])
def test_a_single_drawn_table_tells_nothing_more_when_it_is_replayed(algorithm):
    """What is true of its finer cells is true by chance, and the baseline says so."""
    table, policy = random_people(60, 2), policy_of(algorithm, diverse=0, k=12)
    found = attacked(table, policy, "downcoding", replays=3)
    assert found.details["possible"] > 0
    assert found.found.successes == found.baseline.successes > 0


# --- refusals ---


def test_a_release_of_another_table_is_refused_in_words():
    table = random_people(8, 1)
    release = ind.anonymize(table, policy_of("optimal"), seed=1)
    with pytest.raises(DataError, match="repeated on --original, does not give this release"):
        ind.attack(
            release.data, policy_of("optimal"), attack="minimality", original=random_people(8, 9)
        )


def test_anatomy_is_refused_in_words():
    words = {
        "columns": {
            "age": {"role": "quasi-identifier"},
            "sex": {"role": "quasi-identifier"},
            "ill": {"role": "sensitive"},
        },
        "models": [{"name": "k-anonymity", "k": 2}],
        "release": {"form": "anatomy"},
    }
    words["models"] = [{"name": "distinct-l-diversity", "column": "ill", "l": 2}]
    policy = ind.Policy.from_words(words)
    with pytest.raises(ParameterError, match='anatomy", where nothing is found'):
        ind.attack(random_people(8, 1), policy, attack="refinement", original=random_people(8, 1))


# How many people there are, and what else the attacks are told.
SHORT, LONG = (6, (("replays", 5),)), (8, ())


@pytest.mark.parametrize("algorithm", ["optimal", "local"])
@pytest.mark.parametrize(("n", "options"), longer([SHORT, LONG], [SHORT]))
def test_a_history_of_k_anonymity_changes_no_search_and_no_finding(tmp_path, algorithm, n, options):
    """Found is the same as without a history, in its first release and in a later one."""
    table = random_people(n, 3).with_columns(id=pl.Series([f"p{row}" for row in range(n)]))
    alone, id_words = policy_of(algorithm), {"id": {"role": "identifier"}}
    remembered = alone.with_words({"columns": id_words, "history": {"person": "id"}})
    for number in range(2):
        release = ind.anonymize(table, remembered, history=tmp_path / "h.db", seed=number)
        release.write(tmp_path / f"{number}.csv")
        for attack in ("minimality", "refinement", "downcoding"):
            found, expected = (
                ind.attack(
                    str(tmp_path / f"{number}.csv"),
                    policy,
                    attack=attack,
                    original=people,
                    seed=1,
                    **dict(options),
                ).answer
                for policy, people in ((remembered, table), (alone, table.drop("id")))
            )
            assert (found.found, found.baseline) == (expected.found, expected.baseline)


def test_m_invariance_is_refused_in_words(tmp_path):
    table = random_people(8, 3).with_columns(id=pl.Series([f"p{n}" for n in range(8)]))
    policy = versions.policy_of(2)
    with pytest.raises(ParameterError, match="a model of all releases"):
        ind.attack(table, policy, attack="minimality", original=table)

"""Made-up patients."""

import pytest

import indistinct as ind
from indistinct.errors import ParameterError


def test_a_seed_repeats_a_table():
    """The same seed, the same people; another one, others."""
    assert ind.sample("patients", rows=50, seed=1).equals(ind.sample("patients", rows=50, seed=1))
    assert not ind.sample("patients", rows=50, seed=1).equals(
        ind.sample("patients", rows=50, seed=2)
    )


def test_bodies_are_like_people_s():
    """Means and deviations of height by sex as published, and one weight in a hundred missing."""
    people = ind.sample("patients", rows=20_000, seed=5)
    for sex, mean in (("male", 175), ("female", 161.5)):
        heights = people.filter(sex=sex)["height_cm"]
        assert abs(heights.mean() - mean) < 1.5
        assert 6 < heights.std() < 9
    assert 0.005 < people["weight_kg"].null_count() / 20_000 < 0.015
    assert people["postcode"].str.len_chars().unique().to_list() == [5]


@pytest.mark.parametrize("people", [1, 3, 4, 300])
def test_a_graph_of_friends_is_simple_and_has_everybody(people):
    """No tie is listed twice, in either direction, nobody is tied to themselves, all are there."""
    edges = ind.sample("friends", rows=people, seed=7).rows()
    assert len({frozenset(edge) for edge in edges}) == len(edges)
    assert all(one != other for one, other in edges)
    assert len({person for edge in edges for person in edge}) == max(people, 3)


def test_some_have_many_friends():
    """Degrees are spread widely, so that a graph has people who stand out."""
    edges = ind.sample("friends", rows=300, seed=1)
    degrees = edges["source"].append(edges["target"]).value_counts()["count"]
    assert degrees.max() > 5 * degrees.median()


@pytest.mark.parametrize(("name", "rows"), [("doctors", 5), ("patients", 0), ("patients", -1)])
def test_what_there_is_no_sample_of(name, rows):
    """Refused in words."""
    with pytest.raises(ParameterError):
        ind.sample(name, rows=rows)

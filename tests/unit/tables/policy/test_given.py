"""A policy is taken as itself, as its words, and as the path of its file, at every door."""

import pickle

import pandas as pd
import pytest

import indistinct as ind
from indistinct.errors import PolicyError
from indistinct.tables.policy.given import policy_of

WORDS = {
    "columns": {"sex": {"role": "quasi-identifier"}, "ill": {"role": "sensitive"}},
    "models": [{"name": "k-anonymity", "k": 2}],
}
TABLE = {"sex": ["f", "f", "m", "m", "m"], "ill": ["a", "b", "a", "b", "a"]}


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    place = tmp_path_factory.mktemp("given") / "policy.toml"
    ind.Policy.from_words(WORDS).save(place)
    return place


def frame():
    return pd.DataFrame(TABLE)


def test_each_form_gives_the_same_policy(path):
    policy = ind.Policy.load(path)
    assert policy_of(policy) is policy
    for form in (path, str(path), WORDS):
        assert policy_of(form).sha256 == policy.sha256


@pytest.mark.parametrize("wrong", [5, None, ["policy.toml"], b"policy.toml"])
def test_another_kind_of_value_is_refused_in_words(wrong):
    with pytest.raises(PolicyError, match="or the path of a TOML file"):
        policy_of(wrong)


def linked(table, given):
    return ind.attack(
        table, given, register=pd.DataFrame(TABLE).assign(name=["a", "b", "c", "d", "e"])
    )


@pytest.mark.parametrize("door", [ind.anonymize, ind.inspect, ind.assess, linked, ind.verify])
def test_every_door_takes_the_path(door, path):
    by_path, by_policy = (door(frame(), given) for given in (path, ind.Policy.load(path)))
    assert repr(by_path) == repr(by_policy)


def test_a_sweep_and_estimates_take_the_path(path):
    assert len(ind.sweep(frame(), str(path), vary={"k": [2, 3]}).points) == 2
    assert ind.estimates(frame(), str(path)) == {}


def test_a_release_made_by_its_path_can_be_kept(path):
    release = ind.anonymize(frame(), path)
    assert repr(pickle.loads(pickle.dumps(release))) == repr(release)

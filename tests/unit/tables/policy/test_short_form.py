"""The short form of a policy, and the words that a misspelled one probably meant."""

import pytest
from hypothesis import given, strategies as st
from typer.main import get_command

import indistinct as ind
from indistinct.base.nearest_words import nearest
from indistinct.errors import PolicyError
from indistinct.frontends.cli.main import WRONG_USE, app
from indistinct.tables.models import MODELS_BY_NAME
from indistinct.tables.policy.policy import Policy
from indistinct.tables.policy.policy_table import words_at
from indistinct.tables.policy.tables import PolicyTables

K = {"name": "k-anonymity", "k": 2}
AGE = {"age": {"role": "quasi-identifier"}}


def refused(**words) -> str:
    with pytest.raises(PolicyError) as caught:
        Policy(**words)
    return str(caught.value)


def short(**words) -> str:
    with pytest.raises(PolicyError) as caught:
        ind.anonymize([], **words)
    return str(caught.value)


def test_l_is_diversity_of_every_sensitive_column():
    policy = Policy.from_keywords(quasi_identifiers=["age"], sensitive=["a", "b"], k=3, l=2)
    assert policy.models == (
        ind.KAnonymity(k=3),
        ind.DistinctLDiversity("a", l=2),
        ind.DistinctLDiversity("b", l=2),
    )
    assert "no column is sensitive" in short(quasi_identifiers=["age"], l=2)


def test_hierarchies_are_rules_by_column():
    rules = {"age": ind.intervals(5, 10), "zip": {"mask": 3}}
    policy = Policy.from_keywords(quasi_identifiers=["age", "zip"], hierarchies=rules, k=2)
    assert policy.columns["age"].hierarchy == ind.intervals(5, 10)
    assert policy.columns["zip"].hierarchy == ind.mask(3)
    assert 'Did you mean "age"?' in short(
        quasi_identifiers=["age"], hierarchies={"aeg": ind.mask(3)}, k=2
    )


def test_an_unknown_keyword_suggests_the_near_one():
    said = short(quasi_identifier=["age"], max_supression=0.1, k=2)
    assert "quasi_identifier: is not a keyword of the short form" in said
    assert 'Did you mean "quasi_identifiers"?' in said
    assert 'Did you mean "max_suppression"?' in said


def test_a_text_in_place_of_a_list_is_refused():
    """It would be read letter by letter."""
    said = short(quasi_identifiers="age", sensitive=5, k=2)
    assert 'Write quasi_identifiers=["age"].' in said
    assert "sensitive: is not a list of column names" in said
    assert "must be a list" in refused(columns=AGE, models=[K], data={"missing": "?"})
    dates = {"age": {"role": "quasi-identifier", "hierarchy": {"dates": "month"}}}
    assert "must be a list" in refused(columns=dates, models=[K])


def test_a_policy_and_keywords_are_refused_together():
    policy = Policy(columns=AGE, models=[K])
    with pytest.raises(PolicyError, match="both a policy and its short form"):
        ind.anonymize([], policy, k=3)


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ({"columns": {"age": {"role": "quasi_identifier"}}}, "quasi-identifier"),
        (
            {"columns": {"age": {**AGE["age"], "importancee": 2}}},
            "importance",
        ),
        ({"columns": {"age": {**AGE["age"], "hierarchy": {"interval": [5]}}}}, "intervals"),
        ({"columns": {"age": {**AGE["age"], "protect": "micro-agregation"}}}, "microaggregation"),
        ({"dat": {}}, "data"),
        ({"data": {"seperator": ";"}}, "separator"),  # codespell:ignore seperator
        ({"data": {"missing_as": "surpress"}}, "suppress"),  # codespell:ignore surpress
        ({"method": {"algorithm": "optimum"}}, "optimal"),
        ({"method": {"objective": "los"}}, "loss"),
        ({"method": {"time-limit": 5}}, "time_limit"),
        ({"release": {"suppresed": "drop"}}, "suppressed"),  # codespell:ignore suppresed
        ({"release": {"suppressed": "masked"}}, "mask"),
        ({"noise": {"epsylon": 1}}, "epsilon"),
        ({"population": {"sise": 5}}, "size"),  # codespell:ignore sise
        ({"models": [{"name": "k-anonimity", "k": 2}]}, "k-anonymity"),
    ],
)
def test_every_table_of_a_policy_suggests_the_near_word(words, meant):
    said = refused(**{"columns": AGE, "models": [K]} | words)
    assert f'Did you mean "{meant}"?' in said


def test_a_parameter_of_a_model_suggests_the_near_one():
    said = refused(columns=AGE, models=[{"name": "k-map", "kk": 2}])
    assert "did you mean k?" in said


def words_of_policies():
    """List every word of every table, with its place."""
    for place in ((), ("data",), ("method",), ("release",), ("noise",), ("population",),
                  ("columns", "age"), ("columns", "age", "hierarchy")):  # fmt: skip
        for word in words_at(PolicyTables, place):
            yield place, word


@pytest.mark.parametrize(("place", "word"), list(words_of_policies()))
def test_each_word_is_found_when_a_letter_is_doubled(place, word):
    assert nearest(word + word[-1], words_at(PolicyTables, place)) == word


@given(st.sampled_from(sorted(MODELS_BY_NAME)))
def test_hyphens_and_case_make_no_difference(name):
    assert nearest(name.upper().replace("-", "_"), MODELS_BY_NAME) == name


def test_nothing_is_suggested_where_nothing_is_near():
    assert nearest("zzz", ["age", "sex"]) is None


GROUP = get_command(app)


@pytest.mark.parametrize("name", GROUP.list_commands(None))
def test_every_command_suggests_the_near_option(name):
    """Commands of a door are asked one by one."""
    command = GROUP.get_command(None, name)
    commands = getattr(command, "commands", {name: command})
    for one, own in commands.items():
        options = [o for p in own.params for o in p.opts if o.startswith("--") and len(o) > 5]
        for option in options:
            with pytest.raises(WRONG_USE) as caught:
                own.main([option + option[-1]], standalone_mode=False, prog_name=one)
            said = caught.value.format_message()
            assert "Possible options" in said or "Did you mean" in said
            assert option in said.replace(option + option[-1], "")


def test_a_saved_policy_is_the_same_policy(tmp_path):
    """Models, hierarchies, protections and the method; unset words are left out."""
    policy = Policy(
        columns={
            "age": {"role": "quasi-identifier", "hierarchy": {"intervals": [5, 10]}},
            "zip": {"role": "quasi-identifier", "hierarchy": {"tree": {"north": ["1", "2"]}}},
            "pay": {"role": "sensitive", "protect": {"name": "swap", "percent": 5}},
            "ill": {"role": "sensitive"},
        },
        models=[K, ind.TCloseness("ill", t=0.2)],
        method={"max_suppression": 0.1},
        population={"size": 1000},
    )
    policy.save(tmp_path / "policy.toml")
    found = Policy.load(tmp_path / "policy.toml")
    assert found.words() == policy.words()
    assert found.sha256 == policy.sha256

"""Linkage by a register: who may be whom by the meaning of the cells, and how often it is right."""

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given, settings, strategies as st

import indistinct as ind
from indistinct.errors import NoSolutionError, ParameterError
from indistinct.tables.evaluation.attacks.attack import released_texts
from indistinct.tables.evaluation.attacks.matching import match
from indistinct.tables.evaluation.attacks.scenario import AttackContext, AttackScenario
from indistinct.tables.metrics.risk import marketer_risk, mean_journalist_risk, mean_prosecutor_risk
from indistinct.tables.policy.specification import resolve
from indistinct.tables.publish.searching import searched
from indistinct.tables.verification.rendering import Renderer
from indistinct.tables.verification.texts import HIDDEN
from shared import examples
from strategies import frames, policy_words

QUASI = ["age", "city", "sex"]
POLICY = {
    "columns": {
        "name": {"role": "identifier"},
        "age": {"role": "quasi-identifier", "hierarchy": {"intervals": [10]}},
        "sex": {"role": "quasi-identifier"},
        "illness": {"role": "sensitive"},
    },
    "models": [{"name": "k-anonymity", "k": 2}],
}
ALGORITHMS = ("optimal", "mondrian", "local")


def labels_only(words):
    """Keep to cells that say what they cover."""
    if words["release"]["intervals"] == "midpoint":
        words["release"]["intervals"] = "label"
    return words


def anonymized(frame, words):
    """Anonymize, or give up the example."""
    policy = ind.Policy.from_words(labels_only(words))
    try:
        return policy, ind.anonymize(frame, policy, seed=1)
    except NoSolutionError:
        assume(False)


def plain_matches(policy, released, register):
    """Compare every person with every record, by the definition of the cells."""
    cells = {
        (name, cell): Renderer.of(policy.rule_of(name), shown=[cell])
        for name in QUASI
        for cell in released[name].unique()
    }
    return [
        [
            all(
                record[name] == HIDDEN
                or cells[name, record[name]].is_below(record[name], str(person[name]))
                for name in QUASI
            )
            for record in released.iter_rows(named=True)
        ]
        for person in register.iter_rows(named=True)
    ]


@examples(12)
@given(frames(), frames(min_rows=1, max_rows=12), policy_words(algorithms=ALGORITHMS))
def test_matches_are_those_that_the_cells_mean(frame, register, words):
    """Generalized, masked, cut to ranges and hidden cells, compared one by one."""
    policy, release = anonymized(frame, words)
    assume(release.frame.height > 0)
    released, _ = released_texts(release.frame, resolve(policy))
    scenario = AttackScenario(
        resolve(policy),
        released,
        {"register": register},
        AttackContext(),
        np.random.default_rng(1),
        searched,
    )
    found = match(scenario.columns(QUASI), "register")
    expected = np.array(plain_matches(policy, released, register)).reshape(register.height, -1)
    assert found.records.tolist() == expected.sum(axis=1).tolist()
    people = found.people[found.box_of_record]
    assert people.tolist() == expected.sum(axis=0).tolist()
    everybody, everything = np.indices(expected.shape).reshape(2, -1)
    assert found.covers(everybody, everything).tolist() == expected.reshape(-1).tolist()


@examples(12)
@given(frames(min_rows=8), policy_words(algorithms=ALGORITHMS))
def test_at_most_one_in_k_is_found_among_those_who_are_covered(frame, words):
    """The chance of everybody who is released is at most 1/k, that of the others is 0."""
    policy, release = anonymized(frame, words)
    assume(release.frame.height > 0)
    register = frame.drop("illness")
    outcome = ind.attack(
        release.frame, policy, register=register, original=frame, crosswalk=release.crosswalk
    ).answer
    bound = 1.0 / words["models"][0]["k"]
    assert outcome.counted
    assert outcome.details.get("expected_rate", 0.0) <= bound + 1e-12
    assert outcome.details.get("highest_chance", 0.0) <= bound + 1e-12


@examples(8)
@given(frames(min_rows=8, max_rows=20), frames(min_rows=15, max_rows=25), policy_words())
def test_the_prosecutor_hopes_for_most_and_the_marketer_for_least(frame, others, words):
    """With a register of everybody in the original and of others, and the truth at hand."""
    policy, release = anonymized(frame, words)
    assume(release.frame.height > 0)
    others = others.with_columns(pl.col("name") + " of another town")
    register = pl.concat([frame, others]).drop("illness")
    outcomes = [
        ind.attack(
            release.frame, policy, attacker=who, register=register, original=frame,
            crosswalk=release.crosswalk,
        ).answer
        for who in ("prosecutor", "marketer")
    ]  # fmt: skip
    hopes = [one.details.get("expected_rate", 0.0) * one.found.attempts for one in outcomes]
    assert hopes[0] >= hopes[1] - 1e-9


@settings(max_examples=20)
@given(frames(), frames(min_rows=1))
def test_without_the_truth_the_rates_are_the_risks_of_the_classes(frame, others):
    """What dankar2010 defines by the sizes of classes and of the population."""
    key = ["city", "sex"]
    policy = ind.Policy.from_keywords(
        identifiers=["name"], quasi_identifiers=key, sensitive=["illness"], insensitive=["age"], k=2
    )
    released = frame.drop("name")
    register = pl.concat([frame, others]).drop("illness")
    classes = frame.group_by(key).len("f").join(register.group_by(key).len("F"), on=key)
    sizes, people = classes["f"].to_numpy(), classes["F"].to_numpy()
    rates = {
        who: ind.attack(released, policy, attacker=who, register=those).answer.found.rate
        for who, those in (("prosecutor", frame), ("journalist", register), ("marketer", register))
    }
    assert rates["prosecutor"] == pytest.approx(mean_prosecutor_risk(sizes))
    assert rates["journalist"] == pytest.approx(mean_journalist_risk(sizes, people))
    assert rates["marketer"] == pytest.approx(marketer_risk(sizes, people))
    assert rates["prosecutor"] >= rates["journalist"] - 1e-12 >= rates["marketer"] - 2e-12


@pytest.fixture
def four():
    """Four people, two released ranges."""
    frame = pl.DataFrame(
        {
            "name": ["a", "b", "c", "d"],
            "age": [21, 24, 33, 38],
            "sex": ["f", "f", "m", "m"],
            "illness": ["flu", "gout", "flu", "flu"],
        }
    )
    released = pl.DataFrame(
        {
            "age": ["[20, 30)", "[20, 30)", "[30, 40)", "[30, 40)"],
            "sex": ["f", "f", "m", "*"],
            "illness": ["flu", "gout", "flu", "flu"],
        }
    )
    return ind.Policy.from_words(POLICY), frame, released


def test_expected_successes_are_counted_by_hand(four):
    """a and b: 1/2 each; c and d: the third and the fourth record, 1/2 each."""
    policy, frame, released = four
    outcome = ind.attack(released, policy, register=frame.drop("illness")).answer
    assert not outcome.counted
    assert (outcome.found.attempts, outcome.found.successes) == (4, 2.0)


def test_a_person_whom_no_record_covers_is_no_attempt(four):
    policy, frame, released = four
    stranger = pl.DataFrame({"name": ["e"], "age": [77], "sex": ["f"]})
    register = pl.concat([frame.drop("illness"), stranger])
    outcome = ind.attack(released, policy, register=register).answer
    assert outcome.found.attempts == 4
    assert outcome.details["people"] == 5
    assert outcome.details["covered"] == 4


def test_the_raw_table_gives_everybody_away(four):
    """Identifiers that were left in tell the truth by themselves."""
    policy, frame, _ = four
    outcome = ind.attack(frame, policy, register=frame.drop("illness")).answer
    assert outcome.counted
    assert outcome.found.successes == 4


def test_a_wrong_crosswalk_finds_nobody(four):
    """Records that do not cover their own person are never counted as found."""
    policy, frame, released = four
    outcome = ind.attack(
        released, policy, register=frame.drop("illness"), original=frame, crosswalk=[2, 3, 0, 1]
    ).answer
    assert outcome.found.successes == 0
    assert outcome.details["expected_rate"] == 0.0


def test_the_marketer_and_the_journalist_by_hand(four):
    """People per record: 2, 2, 2 (c, d) and 2; with two more people in the first box 4, 4, 2, 2."""
    policy, frame, released = four
    more = pl.DataFrame({"name": ["e", "g"], "age": [22, 29], "sex": ["f", "f"]})
    register = pl.concat([frame.drop("illness"), more])
    marketer = ind.attack(released, policy, attacker="marketer", register=register).answer
    assert marketer.found.successes == pytest.approx(1 / 4 + 1 / 4 + 1 / 2 + 1 / 2)
    journalist = ind.attack(released, policy, attacker="journalist", register=register).answer
    assert journalist.found.rate == pytest.approx(1.5 / 4)
    assert journalist.details["way"] == "from records"


def test_the_journalist_takes_a_larger_register(four):
    policy, frame, released = four
    with pytest.raises(ParameterError, match="population"):
        ind.attack(released, policy, attacker="journalist", register=frame)


def test_people_who_share_a_name_are_left_out(four):
    policy, frame, released = four
    register = frame.drop("illness").with_columns(pl.Series("name", ["a", "a", "c", "d"]))
    outcome = ind.attack(
        released, policy, register=register, original=frame, crosswalk=[0, 1, 2, 3]
    ).answer
    assert outcome.details["unclear"] == 2
    assert outcome.found.attempts == 2


def test_guesses_are_right_as_often_as_expected():
    """500 persons in boxes of five, 100 of them right: within 4.5 deviations (7e-6)."""
    frame = pl.DataFrame(
        {
            "name": [str(row) for row in range(500)],
            "age": [10 * (row // 5) + row % 5 for row in range(500)],
            "sex": ["f"] * 500,
            "illness": ["flu"] * 500,
        }
    )
    ages = [f"[{10 * (row // 5)}, {10 * (row // 5) + 10})" for row in range(500)]
    released = frame.select(pl.Series("age", ages), "sex", "illness")
    policy = ind.Policy.from_words(POLICY)
    outcome = ind.attack(
        released, policy, register=frame, original=frame, crosswalk=list(range(500)), seed=3
    ).answer
    assert outcome.details["expected_rate"] == pytest.approx(0.2)
    assert abs(outcome.found.successes - 100) < 4.5 * np.sqrt(500 * 0.2 * 0.8)


@settings(max_examples=5)
@given(st.integers(0, 2**32))
def test_a_seed_repeats_the_guesses(seed):
    frame = ind.sample("patients", rows=40, seed=1)
    policy = ind.Policy.from_keywords(
        identifiers=["name"], quasi_identifiers=["sex", "insurance"], k=2
    )
    reports = [
        ind.attack(frame, policy, register=frame.select("name", "sex", "insurance"), seed=seed)
        for _ in range(2)
    ]
    assert reports[0].document() == reports[1].document()

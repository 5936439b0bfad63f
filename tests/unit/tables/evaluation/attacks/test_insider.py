"""Homogeneity, background, skewness and similarity: by records, and by people of a register."""

from collections import Counter

import polars as pl
import pytest
from hypothesis import assume, given, settings

import indistinct as ind
from indistinct.errors import DataError, NoSolutionError, ParameterError
from shared import examples
from strategies import frames, policy_words

POLICY = {
    "columns": {
        "name": {"role": "identifier"},
        "age": {"role": "quasi-identifier", "hierarchy": {"intervals": [10]}},
        "illness": {
            "role": "sensitive",
            "hierarchy": {
                "tree": {
                    "stomach": ["gastric ulcer", "gastritis", "stomach cancer"],
                    "lungs": ["flu", "pneumonia"],
                }
            },
        },
    },
    "models": [{"name": "k-anonymity", "k": 2}],
}


def table(*classes):
    """Release classes of illnesses, one range of ages each."""
    return pl.DataFrame(
        [
            {"age": f"[{20 + 10 * index}, {30 + 10 * index})", "illness": illness}
            for index, illnesses in enumerate(classes)
            for illness in illnesses
        ]
    )


def attacked(released, attack, **words):
    """Return the outcome of one attack."""
    return ind.attack(released, ind.Policy.from_words(POLICY), attack=attack, **words).answer


STOMACH = ["gastric ulcer", "gastritis", "stomach cancer"]


def test_a_class_of_one_value_gives_it_away():
    found = attacked(table(["flu", "flu"], ["flu", "gastritis", "flu"]), "homogeneity").found
    assert (found.attempts, found.successes) == (5, 2)


def test_ruling_out_a_value_leaves_one():
    """Two values less one; three values less one are two."""
    released = table(["flu", "gastritis"], STOMACH)
    assert attacked(released, "background").found.successes == 2
    assert attacked(released, "background", excluded=2).found.successes == 5


def test_stomach_diseases_are_of_one_kind():
    """The paper's class: a stomach problem, whichever it is."""
    outcome = attacked(table(STOMACH, ["flu", "gastritis", "pneumonia"]), "similarity")
    assert outcome.found.successes == 3
    assert outcome.details["classes"] == 1


def test_a_test_with_one_percent_positive():
    """99 to 1 in the table, half and half in a class: 50 times as likely, a rise of .49."""
    rare, common = "stomach cancer", "flu"
    released = table([rare, common], [common] * 98)
    outcome = attacked(released, "skewness", gain=0.4)
    assert outcome.details["greatest_ratio"] == pytest.approx(50)
    assert outcome.details["greatest_difference"] == pytest.approx(0.49)
    assert outcome.found.successes == 2


def test_a_person_between_two_boxes_has_the_candidates_of_both():
    """At 35 both records of overlapping ranges may be his: one alone would give him away."""
    released = pl.DataFrame(
        {"age": ["[30, 40)", "[35, 45)", "[20, 30)"], "illness": ["flu", "gastritis", "flu"]}
    )
    register = pl.DataFrame({"name": ["a", "b", "c"], "age": [35, 31, 25]})
    found = attacked(released, "homogeneity", register=register).found
    assert (found.attempts, found.successes) == (3, 2)


def test_people_who_are_not_in_the_release_are_guessed_right_by_chance_only():
    """Both of the control group fall into the class of flu, one has it."""
    released = table(["flu", "flu"], ["flu", "gastritis"])
    control = pl.DataFrame({"name": ["x", "y"], "age": [22, 27], "illness": ["flu", "gastritis"]})
    outcome = attacked(released, "homogeneity", control=control)
    assert (outcome.control.attempts, outcome.control.successes) == (2, 1)


def test_the_insider_answers_by_homogeneity_and_by_background_if_he_knows_more():
    policy = ind.Policy.from_words(POLICY)
    released = table(["flu", "gastritis"], ["flu", "flu"], STOMACH)
    report = ind.attack(released, policy, attacker="insider")
    assert report.answer.attack == "homogeneity"
    names = [outcome.attack for outcome in report.outcomes]
    assert names == ["homogeneity", "background", "skewness", "similarity"]
    knowing = ind.attack(released, policy, attacker="insider", excluded=1)
    assert knowing.answer.attack == "background"
    assert knowing.answer.found.successes == 4


def test_without_a_sensitive_column_there_is_nothing_to_learn():
    policy = ind.Policy.from_keywords(quasi_identifiers=["age"], k=2)
    with pytest.raises(DataError):
        ind.attack(table(["flu"]).select("age"), policy, attacker="insider")


def test_without_groups_there_is_no_similarity():
    policy = ind.Policy.from_keywords(quasi_identifiers=["age"], sensitive=["illness"], k=2)
    with pytest.raises(ParameterError):
        ind.attack(table(["flu", "flu"]), policy, attack="similarity")


@examples(10)
@given(frames(min_rows=8), policy_words(algorithms=("optimal", "mondrian")))
def test_a_diverse_release_is_homogeneous_nowhere(frame, words):
    """With 2-diversity promised, nobody is learned, by records or by a register of all."""
    words["models"] = [words["models"][0], {"name": "distinct-l-diversity", "column": "illness",
                                            "l": 2}]  # fmt: skip
    words["release"]["intervals"] = "label"
    policy = ind.Policy.from_words(words)
    try:
        release = ind.anonymize(frame, policy, seed=1)
    except NoSolutionError:
        assume(False)
    assume(release.frame.height > 0)
    for register in (None, frame.drop("illness")):
        found = ind.attack(release.frame, policy, attack="homogeneity", register=register)
        assert found.answer.found.successes == 0


@settings(max_examples=25)
@given(frames(min_rows=8))
def test_homogeneity_counts_the_records_of_classes_of_one_value(frame):
    """On a raw table, by a plain count."""
    policy = ind.Policy.from_keywords(
        identifiers=["name"], quasi_identifiers=["city", "sex"], sensitive=["illness"],
        insensitive=["age"], k=2,
    )  # fmt: skip
    values = {}
    rows = list(frame.select("city", "sex", "illness").iter_rows())
    for city, sex, illness in rows:
        values.setdefault((city, sex), Counter())[illness] += 1
    expected = sum(sum(found.values()) for found in values.values() if len(found) == 1)
    by_records = ind.attack(frame, policy, attack="homogeneity").answer
    by_people = ind.attack(frame, policy, attack="homogeneity", register=frame).answer
    assert by_records.found.successes == by_people.found.successes == expected
    assert by_records.found.attempts == by_people.found.attempts == frame.height

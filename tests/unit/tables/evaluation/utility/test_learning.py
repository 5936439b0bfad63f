"""What a model learns from a release."""

import sys
from collections import Counter

import numpy as np
import polars as pl
import pytest
from hypothesis import given, strategies as st

import indistinct as ind
from indistinct.errors import DataError, MissingExtraError, NoSolutionError, ParameterError
from indistinct.tables.core.schema import Role
from indistinct.tables.evaluation.utility.covering_kernels import first_covering
from indistinct.tables.evaluation.utility.learning import (
    LEARNERS,
    _followed,
    fallen_into,
    model_accuracy,
    records_of,
)
from indistinct.tables.release.released import column_scale, count_release
from indistinct.tables.verification.rendering import Renderer
from shared import examples
from strategies import frames, policy_words

COLUMNS = {
    "age": {"role": "quasi-identifier", "hierarchy": {"intervals": [10, 20, 40]}},
    "town": {"role": "quasi-identifier"},
    "job": {"role": "sensitive"},
}


def policy_of(k=5, **words):
    models = [{"name": "k-anonymity", "k": k}]
    return ind.Policy.from_words({"columns": COLUMNS, "models": models, **words})


def people(n_people=600, seed=1):
    """Make up people whose job is told by their age, but for one in ten."""
    chance = np.random.default_rng(seed)
    age = chance.integers(20, 60, n_people)
    is_odd = chance.random(n_people) < 0.1
    job = np.where((age >= 40) ^ is_odd, "senior", "junior")
    return pl.DataFrame({"age": age, "town": chance.choice(["Hof", "Ulm"], n_people), "job": job})


@pytest.mark.parametrize("learner", LEARNERS)
def test_what_the_cells_still_tell_is_learned(learner):
    """Age tells the job to nine in ten; decades tell it as well, a hidden age does not."""
    original, policy = people(), policy_of()
    decades = (pl.col("age") // 10 * 10).cast(pl.String)
    upper = ((pl.col("age") // 10 + 1) * 10).cast(pl.String)
    kept = original.with_columns(
        age=pl.concat_str(pl.lit("["), decades, pl.lit(", "), upper, pl.lit(")"))
    )
    found = model_accuracy(kept, original, policy, "job", learner=learner)
    assert 0.85 < found["accuracy"] < 0.95
    assert found["relative"] == pytest.approx(found["accuracy"] / found["original"])
    assert found["relative"] > 0.95
    hidden = original.with_columns(age=pl.lit("*"))
    lost = model_accuracy(hidden, original, policy, "job", learner=learner)
    assert abs(lost["accuracy"] - 0.5) < 0.1  # five standard deviations are 0.1
    assert lost["original"] == found["original"]
    assert 0.4 < lost["baseline"] < 0.6


def test_nothing_changed_is_nothing_lost():
    """The original as a release gives the accuracy of the original."""
    original = people()
    found = model_accuracy(original, original, policy_of(), "job", learner="decision-tree")
    assert found["accuracy"] == found["original"]
    assert found["relative"] == 1


def test_a_model_of_the_release_never_saw_the_records_it_is_tested_on():
    """Jobs that are pure chance are not predicted, however fine the cells are."""
    chance = np.random.default_rng(5)
    n_people = 800
    original = pl.DataFrame(
        {
            "age": np.arange(n_people),
            "town": ["Hof"] * n_people,
            "job": chance.choice(["a", "b"], n_people),
        }
    )
    found = model_accuracy(original.reverse(), original, policy_of(), "job")
    assert abs(found["accuracy"] - 0.5) < 0.1  # more than five standard deviations


@examples(12)
@given(frame=frames(), words=policy_words(("optimal", "mondrian", "local")))
def test_each_record_falls_into_the_cells_it_was_released_in(frame, words):
    """Of full-domain releases exactly those; of others, cells that cover it and are no larger."""
    words["release"] = {"suppressed": "drop", "intervals": "label"}
    policy = ind.Policy.from_words(words)
    try:
        release = ind.anonymize(frame, policy, seed=1)
    except NoSolutionError:
        return
    if release.frame.is_empty():
        return
    names = policy.named(Role.QUASI_IDENTIFIER)
    axes = [column_scale(frame, policy.rule_of(name)) for name in names]
    counted = count_release(release.frame, axes)
    before = records_of(axes, count_release(frame, axes))
    after = records_of(axes, counted)
    mapped, fallen, class_of = fallen_into(before, after)
    texts = [[book.texts[code] for code in mapped.codes[:, column]]
             for column, book in enumerate(counted.books)]  # fmt: skip
    exactly = "transformation" in release.owner["method"]
    readers = {
        name: Renderer.of(policy.rule_of(name), shown=map(str, release.frame[name]))
        for name in names
    }
    for output, row in enumerate(release.crosswalk.tolist()):
        assert fallen[row] >= 0
        for column, name in enumerate(names):
            value, cell = str(frame[name][row]), texts[column][row]
            assert readers[name].is_below(cell, value)
            if exactly:
                assert cell == str(release.frame[name][output])
        if exactly:
            assert fallen[row] == class_of[output]


def test_a_record_in_no_class_takes_the_nearest_cells():
    """A suppressed record is still predicted, from the cells that the release has."""
    original = pl.DataFrame({"age": [21, 22, 23, 48, 90], "town": ["u", "u", "u", "u", "v"]})
    released = pl.DataFrame({"age": ["[20, 30)"] * 3 + ["[40, 50)"], "town": ["u"] * 4})
    words = {"columns": {n: COLUMNS[n] for n in ("age", "town")}}
    policy = ind.Policy.from_words({**words, "models": [{"name": "k-anonymity", "k": 2}]})
    axes = [column_scale(original, policy.rule_of(name)) for name in ("age", "town")]
    counted = count_release(released, axes)
    before = records_of(axes, count_release(original, axes))
    mapped, fallen, _ = fallen_into(before, records_of(axes, counted))
    ages = [counted.books[0].texts[code] for code in mapped.codes[:, 0]]
    assert ages == ["[20, 30)"] * 3 + ["[40, 50)"] * 2
    assert fallen.tolist() == [0, 0, 0, 1, -1]


@examples(60)
@given(
    st.lists(st.tuples(*[st.integers(0, 6)] * 4), min_size=1, max_size=12),
    st.lists(st.tuples(*[st.integers(0, 6)] * 4), max_size=12),
    st.integers(0, 1),
)
def test_the_first_class_around_a_record_is_found(records, classes, pivot):
    """By looking through all of them."""

    def spans(rows):
        table = np.array(rows, np.float64).reshape(-1, 4)
        return np.sort(table.reshape(-1, 2, 2), axis=2)

    mine, theirs = spans(records), spans(classes)
    parts = (np.ascontiguousarray(s[:, :, end]) for s in (mine, theirs) for end in (0, 1))
    found = first_covering(*parts, pivot)
    for record, place in zip(mine, found.tolist(), strict=True):
        around = [
            number
            for number, other in enumerate(theirs)
            if (other[:, 0] <= record[:, 0]).all() and (record[:, 1] <= other[:, 1]).all()
        ]
        assert place == (around[0] if around else -1)


def test_folds_follow_their_records():
    """Per key, as many released records in each fold as there are original ones."""
    chance = np.random.default_rng(2)
    keys = chance.integers(0, 6, 400)
    folds = chance.permutation(400) % 5
    released = chance.permutation(keys)
    found = _followed((keys, folds), released, chance)
    assert Counter(zip(released, found, strict=True)) == Counter(zip(keys, folds, strict=True))
    some = _followed((keys, folds), released[:100], chance)
    left = Counter(zip(keys, folds, strict=True))
    left.subtract(zip(released[:100], some, strict=True))
    assert min(left.values()) >= 0
    foreign = _followed((keys, folds), np.full(50, 99), chance)
    assert set(foreign) <= set(range(5))


def test_nothing_released_teaches_nothing():
    """Dropped or masked, no record is learned from, and every guess is wrong."""
    original = people(60)
    masked = original.select(
        pl.lit("*").repeat_by(1).list.first().alias(n) for n in original.columns
    )
    masked = pl.concat([masked] * 60)
    for released in (original.clear(), masked):
        found = model_accuracy(released, original, policy_of(), "job", learner="decision-tree")
        assert found["accuracy"] == found["relative"] == 0
        assert found["original"] > 0.7


def test_missing_values_are_learned_from():
    """They are a place of their own."""
    original = people().with_columns(
        age=pl.when(pl.col("job") == "junior").then(None).otherwise(pl.col("age")),
        town=pl.when(pl.col("age") > 50).then(None).otherwise(pl.col("town")),
    )
    for learner in LEARNERS:
        found = model_accuracy(original, original, policy_of(), "job", learner=learner)
        assert found["accuracy"] == found["original"] > 0.98


@pytest.mark.parametrize("target", ["age", "luck", "name"])
def test_targets_that_cannot_be_predicted(target):
    """Only columns that are released as they are."""
    with pytest.raises(ParameterError, match="target"):
        model_accuracy(people(20), people(20), policy_of(), target)


def test_a_target_of_many_values_is_refused():
    """A model of classes needs classes."""
    original = people(60).with_columns(job=pl.int_range(60).cast(pl.String))
    with pytest.raises(ParameterError, match="60 values"):
        model_accuracy(original, original, policy_of(), "job")


def test_parameters_out_of_range_are_all_named():
    """Every fault at once."""
    with pytest.raises(ParameterError) as caught:
        model_accuracy(people(9), people(9), policy_of(), "job", learner="oracle", folds=1)
    assert [fault.place for fault in caught.value.faults] == ["learner", "folds"]


def test_a_release_without_the_target_is_refused():
    """It is no release of this policy."""
    with pytest.raises(DataError, match=r"columns\.job"):
        model_accuracy(people(9).drop("job"), people(9), policy_of(), "job")


def test_without_scikit_learn_the_message_says_what_to_install(monkeypatch):
    """The extra is named."""
    for room in [name for name in sys.modules if name.startswith("sklearn")]:
        monkeypatch.delitem(sys.modules, room)
    monkeypatch.setitem(sys.modules, "sklearn", None)
    with pytest.raises(MissingExtraError, match=r"indistinct\[learn\]"):
        model_accuracy(people(30), people(30), policy_of(), "job")


def test_the_seed_is_all_the_chance_there_is():
    """The same seed gives the same figures."""
    original, policy = people(200), policy_of()
    released = ind.anonymize(original, policy, seed=1).frame
    first, again, other = (
        model_accuracy(released, original, policy, "job", seed=seed) for seed in (1, 1, 2)
    )
    assert first == again
    assert first != other

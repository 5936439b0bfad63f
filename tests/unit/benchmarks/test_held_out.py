"""A model predicts held-out records of a release."""

import numpy as np
import polars as pl
import pytest

import indistinct as ind
from held_out import held_out_accuracy
from indistinct.errors import DataError

POLICY = ind.Policy.from_words(
    {
        "columns": {
            "age": {"role": "quasi-identifier"},
            "town": {"role": "quasi-identifier"},
            "job": {"role": "sensitive"},
        },
        "models": [{"name": "k-anonymity", "k": 2}],
    }
)


def release(n_records=600, noise=0.0, seed=1):
    """Make up a release whose job follows from the age's cell, but for some noise."""
    chance = np.random.default_rng(seed)
    young = chance.random(n_records) < 0.5
    wrong = chance.random(n_records) < noise
    return pl.DataFrame(
        {
            "age": np.where(young, "[20, 30)", "[30, 60)"),
            "town": chance.choice(["a*", "b*"], n_records),
            "job": np.where(young != wrong, "pupil", "clerk"),
        }
    )


def test_cells_that_tell_the_target_are_learned():
    assert held_out_accuracy(release(), POLICY, "job") == 1.0


def test_noise_bounds_what_can_be_had():
    """400 of 2,000 are wrong on average; 4 standard deviations are 0.036."""
    assert held_out_accuracy(release(2000, 0.2), POLICY, "job") == pytest.approx(0.8, abs=0.036)


def test_a_target_of_its_own_is_not_predicted():
    frame = release(2000).with_columns(pl.col("job").shuffle(seed=4))
    assert held_out_accuracy(frame, POLICY, "job") == pytest.approx(0.5, abs=0.06)


def test_bounds_are_features_too():
    frame = release().with_columns(age_min=pl.col("age").str.slice(1, 2), age_max=pl.lit("60"))
    assert held_out_accuracy(frame.drop("age"), POLICY, "job") == 1.0


def test_the_same_seed_gives_the_same():
    first, again = (held_out_accuracy(release(300, 0.3), POLICY, "job", seed=3) for _ in range(2))
    assert first == again


@pytest.mark.parametrize("frame", [release(3), release().drop("job")])
def test_what_cannot_be_measured_is_refused(frame):
    with pytest.raises(DataError, match="job"):
        held_out_accuracy(frame, POLICY, "job")

"""What two releases tell together: by hand, and on Adult as it was measured before."""

import json

import pytest

import indistinct as ind
from indistinct.tables.history.entries import ReleasedClass
from indistinct.tables.publish.composition import ComposedClasses, together
from indistinct.tables.release.earlier import earlier_releases
from indistinct.tables.release.manifest import Manifest
from shared import needs
from versions import changing, planned, policy_of


def classes_of(members, values):
    """Make classes of people, each with its diagnoses."""
    shown = {
        number: ReleasedClass(number, {"ill": tuple(held)}, (), 2)
        for number, held in values.items()
    }
    return ComposedClasses({who.encode(): number for who, number in members.items()}, shown)


def test_two_releases_are_compared_by_the_people_in_both():
    """Bob and Ann share both classes; Cem is alone, and his classes have one value in common."""
    now = classes_of(
        {"Bob": 1, "Ann": 1, "Cem": 2, "new": 2}, {1: ["flu", "HIV"], 2: ["flu", "gout"]}
    )
    earlier = classes_of({"Bob": 7, "Ann": 7, "Cem": 7}, {7: ["HIV", "flu"]})
    found = together(1, now, earlier, k=3)
    assert found.people == 3
    assert found.below_k == 1.0
    assert found.alone == pytest.approx(1 / 3)
    assert found.certain == {"ill": pytest.approx(1 / 3)}
    assert together(1, now, earlier, k=2).below_k == pytest.approx(1 / 3)


def test_the_report_has_a_sentence_for_each_figure(tmp_path):
    """Who kept values, how many records have no person; nothing without a history."""
    for frame in changing(1, size=20, steps=2, n_values=6):
        draft = planned(frame, policy_of(2), tmp_path / "h.db")
    said = earlier_releases(Manifest.read(dict(draft.manifest)))
    assert list(said) == ["people", "counterfeits"]
    assert said["people"].startswith("This is release 2 of the table. Of its 20 people")
    plain = {k: v for k, v in draft.manifest.items() if k not in {"history", "counterfeits"}}
    assert earlier_releases(Manifest.read(plain)) == {}


@pytest.mark.slow
@needs("data/adult/adult.csv")
def test_adult_tells_together_what_was_measured():
    """Two 5-anonymous releases, 15,000 people in both: within .01 of the known figures."""
    import republication

    found = republication.composed(1)
    assert found["people"] == 15_000
    assert found["below_k"] == pytest.approx(0.443, abs=0.01)
    assert found["alone"] == pytest.approx(0.076, abs=0.01)
    assert found["certain"]["occupation"] == pytest.approx(0.033, abs=0.01)
    assert found["right_for_certain"] == pytest.approx(0.033, abs=0.01)
    assert found["chances"] == pytest.approx([0.244, 0.243, 0.310], abs=0.01)


@pytest.mark.slow
@needs("data/adult/adult.csv")
def test_losses_on_adult_are_within_the_goals():
    """Six releases of 3,000 people, m = 4: fixed companions .179, free signatures .208."""
    import republication

    fixed = republication.released("fixed", 3000, 6, "fast", 1)
    free = republication.released("free", 3000, 6, "fast", 1)
    assert fixed["loss_mean"] <= 0.179, json.dumps(fixed)
    assert free["loss_mean"] <= 0.208, json.dumps(free)
    assert ind.MInvariance("occupation", m=4).least_size == 4

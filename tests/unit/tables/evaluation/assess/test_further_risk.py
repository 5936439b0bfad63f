"""What an assessment says of single records, from the table's cells."""

import polars as pl
import pytest

import indistinct as ind
from indistinct.errors import DataError
from indistinct.tables.evaluation.assessments.findings import AtRisk
from indistinct.tables.evaluation.assessments.further_risk import assessed_risk
from indistinct.tables.policy.specification import resolve
from indistinct.tables.release.entries import RiskEntry
from indistinct.tables.verification.verify_release import VerificationInput

FRAME = pl.DataFrame(
    {
        "sex": ["f", "f", "m", "m", "m"],
        "age_min": [20, 20, 20, 20, 30],
        "age_max": [30, 30, 30, 30, 40],
        "weight": [10, 10, 10, 10, 10],
        "note": ["a", "b", None, "c", "d"],
    }
)
COLUMNS = {
    "sex": {"role": "quasi-identifier"},
    "age": {"role": "quasi-identifier"},
    "weight": {"role": "insensitive"},
    "note": {"role": "insensitive"},
}


def risks(frame=FRAME, weights=None, **tables):
    policy = ind.Policy(columns=COLUMNS, models=[ind.KAnonymity(k=2)], **tables)
    return assessed_risk(
        VerificationInput(frame, resolve(policy)), RiskEntry(0.5, None, 0.1), weights=weights
    )


def test_by_hand():
    """Classes of 2, 2 and 1; the fifth is unique by each bound of its age: 2! twice of three."""
    found = risks()
    assert found.mean_prosecutor == 3 / 5
    assert found.records_at_risk == AtRisk(threshold=0.2, share=1.0)
    assert (found.suda.sample_uniques, found.suda.special) == (1, 1)
    assert found.suda.largest_set == 3
    assert found.mean_journalist is found.individual is None


def test_weights_and_the_size_of_the_population():
    """One record of ten people: .25584; five records of 49 people: 6 / 50 for one record."""
    weighted = risks(weights="weight").individual
    assert weighted.method == "weights"
    assert weighted.highest == pytest.approx(0.25584279, abs=5e-9)
    assert weighted.re_identifications == pytest.approx(4 * 0.08268413 + 0.25584279, abs=5e-8)
    prior = risks(population={"size": 49}).individual
    assert prior.method == "uniform-prior"
    assert prior.highest == pytest.approx(6 / 50)


@pytest.mark.parametrize("name", ["note", "nothing"])
def test_weights_that_are_none(name):
    with pytest.raises(DataError):
        risks(weights=name)


def test_nothing_released_nothing_at_risk():
    found = risks(FRAME.head(0))
    assert found.records_at_risk.share == found.mean_prosecutor == 0.0
    assert found.suda is None


def test_a_requirement_may_name_every_number():
    figures = risks(weights="weight").figures()
    assert figures["prosecutor"] == 0.5
    assert figures["individual"] == pytest.approx(0.25584279, abs=5e-9)
    assert set(figures) == {
        "prosecutor", "marketer", "mean_prosecutor", "records_at_risk", "suda", "individual",
        "fewest_people",
    }  # fmt: skip


def test_many_columns_are_searched_up_to_some_size():
    """Sixteen columns have 65,535 sets; up to four columns make 2,516 of them."""
    columns = {f"c{index}": {"role": "quasi-identifier"} for index in range(16)}
    frame = pl.DataFrame({name: [1, 2, 1] for name in columns})
    policy = ind.Policy(columns=columns, models=[ind.KAnonymity(k=2)])
    assert (
        assessed_risk(
            VerificationInput(frame, resolve(policy)), RiskEntry(0.5, None, 0.1)
        ).suda.largest_set
        == 4
    )

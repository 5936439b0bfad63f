"""How many people a class of a release has, and how many of a population look like them."""

import polars as pl
import pytest

import indistinct as ind
from indistinct.tables.policy.specification import resolve
from indistinct.tables.verification.evidence import VerificationInput
from indistinct.tables.verification.verify_release import people_of, verify_frame

ORIGINAL = pl.DataFrame({"who": ["a", "a", "b", "c"], "age": [31, 32, 33, 45], "ill": list("xyxy")})
RELEASE = pl.DataFrame({"age": ["[30, 40)"] * 3, "ill": list("xxy")})
ROWS = [2, 0, 1]


def policy(folder, **words):
    """Return a policy that counts people, beside a table of 5 people in their thirties."""
    pl.DataFrame({"age": [30, 31, 34, 38, 39, 45]}).write_csv(folder / "population.csv")
    return ind.Policy.from_words(
        {
            "columns": {
                "who": {"role": "identifier"},
                "age": {"role": "quasi-identifier", "hierarchy": {"intervals": [10, 20]}},
                "ill": {"role": "sensitive"},
            },
            "data": {"person": "who"},
            "models": [{"name": "k-anonymity", "k": 3}],
            "method": {"max_suppression": 0.5},
            **words,
        }
    )


def test_classes_are_counted_in_people_where_the_input_tells_them(tmp_path):
    listed = policy(tmp_path, population={"data": str(tmp_path / "population.csv")})
    for given, size in (((ORIGINAL, ROWS), 2), ((ORIGINAL, None), 3), ((), 3)):
        sizes, population = people_of(VerificationInput(RELEASE, resolve(listed), *given))
        assert (sizes.tolist(), population.tolist()) == ([size], [5])
    assert people_of(VerificationInput(RELEASE, resolve(policy(tmp_path)))) is None


@pytest.mark.parametrize(("k", "given", "holds"), [
    (3, (ORIGINAL, ROWS), False), (2, (ORIGINAL, ROWS), True), (4, (), False), (3, (), None),
])  # fmt: skip
def test_a_model_is_judged_in_people_or_not_decided_by_records(k, given, holds, tmp_path):
    """Three records of two people are three people at most."""
    words = policy(tmp_path, models=[{"name": "k-anonymity", "k": k}])
    found = verify_frame(VerificationInput(RELEASE, resolve(words), *given))
    assert found.holds is holds, found

"""A seed that made the data makes their release, too, and the release tells no order of theirs."""

import numpy as np
import polars as pl
import pytest

import indistinct as ind

N = 400
WORDS = {"columns": {"q": {"role": "quasi-identifier"}, "s": {"role": "sensitive"}}}
MODELS = {
    "generalized": {"models": [{"name": "k-anonymity", "k": 2}]},
    "masked": {
        "models": [{"name": "k-anonymity", "k": 2}],
        "release": {"suppressed": "mask"},
        "method": {"max_suppression": 0.5},
    },
    "anatomy": {
        "models": [{"name": "distinct-l-diversity", "column": "s", "l": 2}],
        "release": {"form": "anatomy"},
    },
}


@pytest.mark.parametrize("form", MODELS)
@pytest.mark.parametrize("seed", [0, 1, 2, 3])
def test_a_release_tells_no_order_that_the_same_seed_drew(form, seed):
    """NumPy's first numbers from a seed decide who is who in many made-up tables."""
    drawn = np.random.default_rng(seed).random(N)
    table = pl.DataFrame(
        {"q": np.where(drawn < 0.5, "a", "b"), "s": list("uvw") * (N // 3) + ["u"]}
    )
    if form == "masked":
        table[7, "q"] = "c"
    policy = ind.Policy.from_words(WORDS | MODELS[form])
    given = [table, table[np.argsort(drawn)], table[np.random.default_rng(seed).permutation(N)]]
    first, *others = (ind.anonymize(one, policy, seed=seed) for one in given)
    for other in others:
        assert other.frame.equals(first.frame)
        assert (first.sensitive is None) is (form != "anatomy")
        assert first.sensitive is None or other.sensitive.equals(first.sensitive)


@pytest.mark.parametrize("seed", [1, 2])
def test_a_sample_released_with_its_own_seed_holds(tmp_path, seed):
    table = ind.sample(rows=300, seed=seed).select("sex", "postcode", "diagnosis")
    words = {
        "columns": {
            "sex": {"role": "quasi-identifier"},
            "postcode": {"role": "quasi-identifier", "hierarchy": {"mask": 5}},
            "diagnosis": {"role": "sensitive"},
        },
        "models": [{"name": "k-anonymity", "k": 5}],
    }
    policy = ind.Policy.from_words(words)
    release = ind.anonymize(table, policy, seed=seed)
    release.write(tmp_path / "release.csv")
    found = ind.verify(tmp_path / "release.csv", policy, original=table)
    assert found.holds, found.faults

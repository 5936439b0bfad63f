"""What no release can give is said at once, with the most that the table gives."""

import polars as pl
import pytest

import indistinct as ind

FRAME = pl.DataFrame({"zip": ["11", "12", "21", "22"] * 5, "s": ["a", "a", "b", "c"] * 5})


def refusal(model, **method):
    policy = ind.Policy(
        columns={"zip": {"role": "quasi-identifier"}, "s": {"role": "sensitive"}},
        models=[model],
        method=method,
    )
    with pytest.raises(ind.NoSolutionError) as caught:
        ind.anonymize(FRAME, policy)
    return str(caught.value)


@pytest.mark.parametrize(
    ("model", "said"),
    [
        ({"name": "distinct-l-diversity", "column": "s", "l": 4}, "l = 3"),
        ({"name": "probabilistic-l-diversity", "column": "s", "l": 2.5}, "l = 2"),
        ({"name": "entropy-l-diversity", "column": "s", "l": 3.0}, "l = 2.82843"),
        ({"name": "recursive-cl-diversity", "column": "s", "c": 1.0, "l": 4}, "no c at all"),
        ({"name": "alpha-k-anonymity", "column": "s", "alpha": 0.4, "k": 2}, "alpha = 0.5"),
        ({"name": "average-risk", "threshold": 0.04}, "threshold = 0.05"),
    ],
)
@pytest.mark.parametrize("method", [{}, {"algorithm": "ola"}, {"max_suppression": 0.1}])
def test_more_than_the_whole_table_gives_is_refused(model, said, method):
    assert said in refusal(model, **method)


def test_a_column_of_one_value_is_close_but_not_diverse():
    frame = FRAME.with_columns(s=pl.lit("a"))
    columns = {"zip": {"role": "quasi-identifier"}, "s": {"role": "sensitive"}}
    close = [{"name": "t-closeness", "column": "s", "t": 0.0}]
    release = ind.anonymize(frame, ind.Policy(columns=columns, models=close))
    assert release.manifest["models"][0]["achieved"] == {"t": 0.0}
    diverse = [{"name": "distinct-l-diversity", "column": "s", "l": 2}]
    with pytest.raises(ind.NoSolutionError, match="l = 1"):
        ind.anonymize(frame, ind.Policy(columns=columns, models=diverse))


@pytest.mark.parametrize("distance", ["equal", "ordered", "kernel"])
def test_a_missing_sensitive_value_is_a_value_of_its_own(distance):
    frame = FRAME.with_columns(s=pl.when(pl.col("s") != "c").then("s"))
    columns = {"zip": {"role": "quasi-identifier"}, "s": {"role": "sensitive"}}
    models = [
        {"name": "distinct-l-diversity", "column": "s", "l": 3},
        {"name": "nt-closeness", "column": "s", "n": 10, "t": 0.3, "distance": distance},
    ]
    release = ind.anonymize(frame, ind.Policy(columns=columns, models=models))
    assert all(entry["holds"] for entry in release.manifest["models"])
    assert release.manifest["models"][0]["achieved"] == {"l": 3}


def test_n_beyond_the_table_is_refused():
    policy = ind.Policy(
        columns={"zip": {"role": "quasi-identifier"}, "s": {"role": "sensitive"}},
        models=[{"name": "nt-closeness", "column": "s", "n": 21, "t": 0.5}],
    )
    with pytest.raises(ind.PolicyError, match="larger than the table"):
        ind.anonymize(FRAME, policy)

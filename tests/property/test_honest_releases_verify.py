"""Whatever the table, algorithm and form: an honest release verifies, alone and by its input."""

import datetime as dt
from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl
import pytest
from hypothesis import Phase, given, settings, strategies as st

import indistinct as ind
from strategies import OF_ONE_RELEASE

TREE = {"left": ["a", "b"], "right": ["c", "d"]}
DAY = dt.date(1990, 1, 1)
CELLS = {
    "whole": (st.integers(-5, 60), [None, {"intervals": [5, 10]}]),
    "broken": (st.integers(-40, 40).map(lambda n: n / 8), [None, {"intervals": [0.5, 2]}]),
    "code": (st.integers(100, 140).map(str), [None, {"mask": 2}, {"mask": 3}]),
    "word": (st.sampled_from("abcd"), [None, {"tree": TREE}]),
    "day": (st.integers(0, 4000).map(lambda n: DAY + dt.timedelta(n)),
            [None, {"dates": ["month", "year", "decade"]}]),
}  # fmt: skip


@st.composite
def tables(draw: st.DrawFn) -> tuple[pl.DataFrame, dict]:
    """Draw a table of 12 to 60 records and the columns of its policy."""
    n_rows = draw(st.integers(12, 60))
    names = draw(st.lists(st.sampled_from(list(CELLS)), min_size=1, max_size=3, unique=True))
    has_gaps = draw(st.booleans())
    columns, data = {}, {}
    for name in names:
        values, rules = CELLS[name]
        # A tree lists no missing value.
        rule = draw(st.sampled_from(rules))
        gaps = has_gaps and not (rule and "tree" in rule)
        kind = st.one_of(values, values, values, st.none()) if gaps else values
        data[name] = draw(st.lists(kind, min_size=n_rows, max_size=n_rows))
        columns[name] = {"role": "quasi-identifier", **({"hierarchy": rule} if rule else {})}
    data["illness"] = draw(st.lists(st.sampled_from("xyz"), min_size=n_rows, max_size=n_rows))
    columns["illness"] = {"role": "sensitive"}
    frame = pl.DataFrame(data, strict=False)
    typed = [frame[name] for name in frame.columns if frame[name].dtype != pl.Null]
    kept = pl.DataFrame(typed)
    return kept, {name: columns[name] for name in kept.columns}


@pytest.mark.parametrize("algorithm", OF_ONE_RELEASE)
@settings(max_examples=6, deadline=None, phases=(Phase.explicit, Phase.reuse, Phase.generate))
@given(
    table=tables(),
    release=st.fixed_dictionaries(
        {
            "intervals": st.sampled_from(["label", "bounds", "midpoint"]),
            "suppressed": st.sampled_from(["drop", "mask"]),
            "range_ends": st.sampled_from(["exact", "rounded"]),
        }
    ),
    share=st.sampled_from([0.0, 0.1, 1.0]),
    missing_as=st.sampled_from(["value", "suppress"]),
    ending=st.sampled_from(["csv", "parquet"]),
)
def test_honest_releases_verify(  # noqa: PLR0917 - what is drawn
    algorithm, table, release, share, missing_as, ending
):
    """In memory, and read from the file that was written, with the input and without."""
    frame, columns = table
    if not any(words["role"] == "quasi-identifier" for words in columns.values()):
        return
    policy = ind.Policy.from_words(
        {
            "columns": columns,
            "models": [{"name": "k-anonymity", "k": 3}],
            "method": {"algorithm": algorithm, "max_suppression": share},
            "release": release,
            "data": {"missing_as": missing_as},
        }
    )
    try:
        made = ind.anonymize(frame, policy, seed=1)
    except (ind.NoSolutionError, ind.PolicyError):
        return
    for more in ({}, {"original": frame}):
        # Without a rule in the policy, only the manifest says what the cells are.
        alone = ind.verify(made.frame, policy, **more)
        is_known = not any(claim.startswith("columns.") for claim in alone.not_checked)
        assert alone.holds is (True if is_known else None), alone.faults
        verdict = ind.verify(made.frame, policy, manifest=made.manifest, **more)
        assert verdict.holds is True, verdict.faults
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"release.{ending}"
        made.write(path)
        for verdict in (ind.verify(path, policy), ind.verify(path, policy, original=frame)):
            assert verdict.holds is True, verdict.faults

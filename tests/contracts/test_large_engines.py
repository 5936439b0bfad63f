"""Every engine gives the release that the table in memory has, as a multiset of rows."""

import polars as pl
import pytest

import indistinct as ind
from indistinct.tables.core.schema import Role
from indistinct.tables.engines.choosing import Resources, open_table
from indistinct.tables.policy.specification import resolve
from indistinct.tables.publish.pipeline import decide
from large_tables import PLACES, Place, hostile_table, policy_of, sorted_rows

T_CLOSENESS = {"name": "t-closeness", "column": "ill", "t": 0.6, "distance": "equal"}
POLICIES = {
    "optimal": {},
    "bounds": {"release": {"intervals": "bounds"}},
    "midpoints": {"release": {"intervals": "midpoint"}},
    "mondrian": {"method": {"algorithm": "mondrian"}},
    "local": {"method": {"algorithm": "local", "effort": "fast"}},
    "ola": {"method": {"algorithm": "ola"}},
    "closeness": {"models": [{"name": "k-anonymity", "k": 2}, T_CLOSENESS]},
    "diversity": {"models": [{"name": "distinct-l-diversity", "column": "ill", "l": 2}]},
    "suppress": {"data": {"missing_as": "suppress"}, "method": {"max_suppression": 0.3}},
}


@pytest.mark.parametrize("place", PLACES, ids=str)
def test_a_release_has_the_rows_of_the_one_in_memory(place, tmp_path):
    """Whatever is missing, below zero or beyond ASCII, in any kind of column."""
    check(place, POLICIES["bounds"], tmp_path, hostile_table(120, 3, typed=place.typed))


@pytest.mark.parametrize(
    "place", [Place("polars", "csv", typed=False), Place("duckdb", "parquet")], ids=str
)
def test_records_that_lack_a_value_are_left_out_as_in_memory(place, tmp_path):
    """One place of each engine, typed and not; the others are in the slow test below."""
    check(place, POLICIES["suppress"], tmp_path, hostile_table(120, 3, typed=place.typed))


@pytest.mark.slow
@pytest.mark.parametrize("place", PLACES, ids=str)
@pytest.mark.parametrize("words", POLICIES.values(), ids=POLICIES)
@pytest.mark.parametrize("seed", [1, 2])
def test_every_policy_has_the_rows_of_the_one_in_memory(place, words, seed, tmp_path):
    """Every algorithm, form and model, on several tables."""
    check(place, words, tmp_path, hostile_table(150, seed, typed=place.typed))


@pytest.mark.parametrize("words", ["local", "mondrian", "closeness"])
def test_algorithms_that_look_at_tuples_do_so_on_counts(words, tmp_path):
    """They split tuples, make ranges and compare distributions."""
    place = Place("polars", "parquet")
    check(place, POLICIES[words], tmp_path, hostile_table(120, 3))


def check(place, words, folder, frame):
    """Compare a release from a place with that of the frame."""
    policy = policy_of(typed=place.typed, **words)
    expected = ind.anonymize(frame, policy, seed=1).data
    address, _ = place.put(frame, folder)
    (folder / "apart").mkdir()
    with open_table(
        address, Resources().opening(policy.data.missing, None), place.engine
    ) as source:
        whole = decide(source, resolve(policy), Resources()).plan.is_whole
    out, written = place.release(frame, policy, folder / "apart")
    found = place.read(out, expected.schema)
    assert found.columns == expected.columns
    assert found.height == written.published.records.released > frame.height / 8
    passed = ["note", "size"]
    others = [name for name in found.columns if name not in policy.named(Role.INSENSITIVE)]
    assert sorted_rows(found, others) == sorted_rows(expected, others)
    assert sorted_rows(found, passed) == sorted_rows(expected, passed)
    if whole:
        assert sorted_rows(found) == sorted_rows(expected)


@pytest.mark.parametrize("place", [Place("polars", "parquet"), Place("duckdb", "parquet")], ids=str)
def test_one_row_is_released_where_a_model_allows_it(place, tmp_path):
    """A class of one record is no special case of any engine."""
    frame = hostile_table(1, 1)
    policy = policy_of(models=[{"name": "average-risk", "threshold": 1.0}])
    out, _ = place.release(frame, policy, tmp_path)
    assert pl.read_parquet(out).height == 1

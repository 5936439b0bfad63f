"""Counting by labels, where the distinct values do not fit."""

import pytest

from indistinct.errors import CapacityError, PolicyError
from large_tables import POSTGRES, Place, hostile_table, policy_of

PLACES = [
    Place("polars", "parquet"),
    Place("duckdb", "parquet"),
    Place("auto", "table"),
    pytest.param(
        Place("auto", "server"),
        marks=[
            pytest.mark.postgres,
            pytest.mark.skipif(not POSTGRES, reason="needs a server: tests/postgres.sh start"),
        ],
    ),
]
COLUMNS = {
    "income": {"hierarchy": {"intervals": [1, 2, 4]}},
    "city": {"hierarchy": {"mask": 9}},
}


def released(place, folder, most_rows, **words):
    """Publish 400 records where so many distinct rows fit."""
    place.options["most_rows"] = most_rows
    policy = policy_of(**({"columns": COLUMNS} | words))
    return policy, place.release(hostile_table(400, 5), policy, folder)


@pytest.mark.parametrize("place", PLACES, ids=str)
def test_classes_are_exact_although_labels_were_counted(place, tmp_path):
    """The manifest says at which levels, no optimum is claimed, and every class has k records."""
    policy, (out, written) = released(place, tmp_path, 150)
    levels = written.published.method.facts["counted"]["levels"]
    assert levels
    assert not written.published.method.facts.get("optimal")
    sizes = place.read(out, None).group_by(policy.class_names).len()["len"]
    assert sizes.min() >= 3
    assert sizes.sum() == written.published.records.released
    assert written.exact.method.facts["counted"]["tuples"] <= 150


@pytest.mark.parametrize("place", PLACES, ids=str)
def test_the_loss_is_that_of_the_values(place, tmp_path):
    """Where the recoding that was found is coarser than the labels, nothing changes at all."""
    (tmp_path / "coarse").mkdir()
    _, (out, written) = released(place, tmp_path / "coarse", 150)
    levels = written.published.method.transformation
    same = {name: {"min_level": level} for name, level in levels.items()}
    columns = {name: COLUMNS.get(name, {}) | words for name, words in same.items()}
    policy = policy_of(columns=columns)
    place.options["most_rows"] = None
    (tmp_path / "fine").mkdir()
    fine_out, fine = place.release(hostile_table(400, 5), policy, tmp_path / "fine")
    assert fine.published.method.transformation == levels
    assert fine.exact.loss.items() >= written.exact.loss.items()
    assert place.read(out, None).equals(place.read(fine_out, None))


def test_what_fits_at_no_level_is_said_with_what_would_help(tmp_path):
    """No level of these hierarchies leaves as few as three rows."""
    with pytest.raises(CapacityError, match="more than 3 combinations") as error:
        released(
            PLACES[0],
            tmp_path,
            3,
            columns={},
            models=[{"name": "distinct-l-diversity", "column": "ill", "l": 2}],
        )
    assert "memory" in error.value.faults[0].remedy


def test_models_of_larger_sets_are_refused_where_labels_are_counted(tmp_path):
    """Their supersets are made of values."""
    model = {"name": "nt-closeness", "column": "ill", "t": 0.5, "n": 10, "distance": "equal"}
    with pytest.raises(PolicyError, match="larger sets of records"):
        released(PLACES[0], tmp_path, 150, models=[model])


def test_entropies_are_unknown_where_records_are_left_out_for_missing_values(tmp_path):
    """Nobody counted the values of the others: these entropies were below nothing."""
    suppress = {"missing_as": "suppress"}
    most = {"max_suppression": 1.0}
    policy, (_, written) = released(PLACES[0], tmp_path, 150, data=suppress, method=most)
    assert policy.data.missing_as == "suppress"
    assert written.exact.method.facts["counted"]["levels"]
    assert {"loss", "ncp", "discernibility"} <= written.exact.loss.keys()
    assert not [name for name in written.exact.loss if "entropy" in name or "mutual" in name]
    for objective in ("non-uniform-entropy", "monotone-entropy"):
        method = {**most, "objective": objective, "aggregate": "geometric-mean"}
        with pytest.raises(PolicyError, match="counts records by values"):
            released(PLACES[0], tmp_path, 150, data=suppress, method=method)

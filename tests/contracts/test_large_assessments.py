"""An assessment from counts has the figures of the one in memory, on every engine."""

import pytest

import indistinct as ind
from indistinct.errors import ParameterError, PolicyError
from large_tables import PLACES, Place, hostile_table, policy_of

MODELS = [
    {"name": "k-anonymity", "k": 2},
    {"name": "distinct-l-diversity", "column": "ill", "l": 2},
    {"name": "t-closeness", "column": "ill", "t": 0.6, "distance": "equal"},
]


@pytest.mark.parametrize("place", PLACES, ids=str)
def test_a_raw_table_is_measured_as_in_memory(place, tmp_path):
    """Risks, special uniques, sensitive columns and models of a table with every oddity."""
    frame = hostile_table(200, 5, typed=place.typed)
    policy = policy_of(typed=place.typed, models=MODELS)
    address, _ = place.put(frame, tmp_path)
    found = ind.assess(address, policy, engine=place.engine, memory="2GB")
    assert found.document() == close_to(ind.assess(frame, policy).document())


@pytest.mark.parametrize("place", [Place("polars", "folder"), Place("duckdb", "parquet")], ids=str)
@pytest.mark.parametrize("intervals", ["label", "bounds"])
def test_a_release_is_measured_beside_its_original(place, intervals, tmp_path):
    """The suppressed records, the distribution of the original and the loss."""
    frame = hostile_table(200, 5)
    policy = policy_of(models=MODELS[:1], release={"intervals": intervals})
    out, _ = place.release(frame, policy, tmp_path)
    address = str(tmp_path / ("in" if place.kind == "folder" else "in.parquet"))
    found = ind.assess(out, policy, original=address, engine=place.engine, memory="2GB").document()
    plain = ind.assess(place.read(out, None), policy, original=frame).document()
    assert "utility" not in found
    assert plain.pop("utility") is not None
    stated, own = found.pop("statements"), plain.pop("statements")  # a frame has no manifest
    assert stated["size"] == own["size"]
    assert stated["risk"]["known"] == own["risk"]["known"]
    assert found == close_to(plain)
    assert found["loss"]["loss"] > 0


def test_weights_of_a_survey_count_as_in_memory(tmp_path):
    """A weight stands for people whether its records are counted or read."""
    frame = hostile_table(200, 5).with_columns(size=abs(hostile_table(200, 5)["size"].fill_null(3)))
    policy = policy_of(models=MODELS[:1])
    address, _ = Place("polars", "parquet").put(frame, tmp_path)
    found = ind.assess(address, policy, weights="size", engine="polars")
    plain = ind.assess(frame, policy, weights="size")
    assert found.risk["individual"] == close_to(plain.risk["individual"])
    assert found.risk["individual"]["people"] > 30_000


def test_what_takes_records_is_refused_in_one_sentence(tmp_path):
    """Queries and learners, and rows of stars."""
    frame = hostile_table(50, 5)
    address, _ = Place("polars", "folder").put(frame, tmp_path)
    with pytest.raises(ParameterError, match="single records"):
        ind.assess(address, policy_of(), original=address, queries=10)
    with pytest.raises(PolicyError, match="rows of stars"):
        ind.assess(address, policy_of(release={"suppressed": "mask"}))


def close_to(document):
    """Let numbers differ in the last places, since sums have another order."""
    if isinstance(document, dict):
        return {name: close_to(one) for name, one in document.items()}
    if isinstance(document, list | tuple):
        return [close_to(one) for one in document]
    return pytest.approx(document, rel=1e-9) if isinstance(document, float) else document

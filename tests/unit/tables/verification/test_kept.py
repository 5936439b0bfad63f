"""What is kept of the differences between records: the headline of a release and each column."""

import polars as pl
import pytest
from hypothesis import given, strategies as st

from indistinct.tables.policy import Policy, resolve
from indistinct.tables.verification.evidence import VerificationInput, evidence_of
from indistinct.tables.verification.stating.kept import kept_in

KNOWN = {"role": "quasi-identifier"}
TOWNS = {f"land {land}": [f"town {land}.{number}" for number in range(10)] for land in range(100)}


def kept(columns, shown, original, rows, **words):
    """Return what is kept by a policy of some columns."""
    models = [{"name": "k-anonymity", "k": 2}]
    spec = resolve(Policy.from_words({"models": models, "columns": columns, **words}))
    frames = pl.DataFrame(shown), pl.DataFrame(original)
    return kept_in(evidence_of(VerificationInput(frames[0], spec, frames[1], list(rows))))


@pytest.mark.parametrize("importance", [1.0, 4.0])
def test_one_column_hidden_and_one_untouched_are_half(importance):
    columns = {"age": KNOWN, "city": {**KNOWN, "importance": importance}}
    original = {"age": [1, 2, 3, 4], "city": list("aabb")}
    found = kept(columns, {"age": ["*"] * 4, "city": list("aabb")}, original, range(4))
    assert found["share"] == pytest.approx(0.5)
    assert found["hidden"] == ["age"]


def test_a_record_that_is_left_out_loses_everything():
    columns = {"age": {**KNOWN, "hierarchy": {"intervals": [20]}}, "sex": KNOWN}
    original = {"age": [21, 23, 28, 34, 36, 61], "sex": list("ffmmmm")}
    released = {"age": ["[20, 40)"] * 5, "sex": list("ffmmm")}
    found = kept(columns, released, original, range(5))
    assert found["columns"] == pytest.approx({"age": 1 / 6, "sex": 5 / 6})
    assert found["share"] == pytest.approx(0.5)


def test_one_large_number_makes_a_wide_interval_no_smaller():
    columns = {"pay": {**KNOWN, "hierarchy": {"intervals": [10_000]}}}
    released = {"pay": ["[0, 10000)"] * 99 + ["1000000"]}
    found = kept(columns, released, {"pay": [*range(1, 100), 1_000_000]}, range(100))
    assert found["share"] == pytest.approx(0.02)


def test_values_that_nobody_has_make_a_label_no_smaller():
    columns = {"town": {**KNOWN, "hierarchy": {"tree": TOWNS}}}
    original = {"town": [f"town 3.{number}" for number in (1, 2, 3, 4)] * 2}
    found = kept(columns, {"town": ["land 3"] * 8}, original, range(8))
    assert found["share"] == pytest.approx(0.0, abs=1e-12)
    assert found["hidden"] == []


def test_what_is_not_counted_is_named():
    columns = {
        "land": KNOWN,
        "sex": KNOWN,
        "name": {"role": "identifier"},
        "pay": {**KNOWN, "protect": {"name": "noise-additive"}},
    }
    original = {"land": ["a"] * 4, "sex": list("ffmm"), "name": list("wxyz"), "pay": [1, 2, 3, 4]}
    released = {"land": ["a"] * 4, "sex": list("ffmm"), "pay": [1.1, 2.2, 3.3, 4.4]}
    found = kept(columns, released, original, range(4))
    assert (found["share"], found["columns"]) == (1.0, {"sex": 1.0})
    assert (found["same"], found["masked"], found["left_out"]) == (["land"], ["pay"], ["name"])


def test_a_missing_cell_is_a_value():
    found = kept({"sex": KNOWN}, {"sex": ["f", None]}, {"sex": ["f", None]}, [0, 1])
    assert found["share"] == 1.0


def test_without_a_column_that_differs_there_is_no_figure():
    found = kept({"sex": KNOWN}, {"sex": ["f", "f"]}, {"sex": ["f", "f"]}, [0, 1])
    assert "not_examined" in found["share"]


def test_without_the_crosswalk_there_is_no_figure():
    models = [{"name": "k-anonymity", "k": 2}]
    spec = resolve(Policy.from_words({"models": models, "columns": {"sex": KNOWN}}))
    frame = pl.DataFrame({"sex": ["f", "m"]})
    found = kept_in(evidence_of(VerificationInput(frame, spec, frame)))
    assert found["share"]["needs"] == ["crosswalk"]


def test_a_midpoint_stands_for_all_intervals_with_this_middle():
    columns = {"age": {**KNOWN, "hierarchy": {"intervals": [10, 30]}}}
    # 15 is the middle of [10, 20) and of [0, 30): nobody can tell which one it was.
    shown = {"age": [15.0, 15.0, 35.0, 15.0]}
    original = {"age": [12, 14, 35, 2]}
    found = kept(columns, shown, original, range(4), release={"intervals": "midpoint"})
    assert found["share"] == pytest.approx(1 - (2 / 3 + 2 / 3 + 0 + 2 / 3) / 4)


def test_items_lose_the_share_of_the_items_that_occur_below_their_label():
    tree = {"fruit": ["apple", "pear", "plum"], "root": ["beet", "carrot"]}
    columns = {"basket": {**KNOWN, "type": "set", "hierarchy": {"tree": tree}}}
    models = [{"name": "km-anonymity", "column": "basket", "k": 2, "m": 1}]
    spec = resolve(Policy.from_words({"columns": columns, "models": models}))
    original = pl.DataFrame({"basket": ["apple;beet", "pear;beet", "apple"]})
    release = pl.DataFrame({"basket": ["fruit;beet", "fruit;beet"]})
    found = kept_in(evidence_of(VerificationInput(release, spec, original, [0, 1])))
    # Three items occur, two of them below fruit; the last record is left out.
    assert found["share"] == pytest.approx(1 - (2 / 3 + 0 + 2 / 3 + 0 + 1) / 5)


def stands_for(cell, value, rule):
    """Return whether a cell stands for a value, by the plain meaning of its writing."""
    if cell in {"*", value}:
        return True
    if rule == "intervals" and cell.startswith("["):
        low, high = cell[1:-1].split(", ")
        return value != "" and float(low) <= float(value) < float(high)
    if rule == "mask" and cell.endswith("*"):
        return len(cell) == len(value) and value.startswith(cell.rstrip("*"))
    return rule == "tree" and value != "" and cell == f"group {int(value[1]) // 2}"


def cell_at(value, level, rule):
    """Return what a value reads as at a level of its rule."""
    if level == 0 or value == "":
        return "*" if level == 2 else value
    if level == 2:
        return "*"
    if rule == "intervals":
        low = int(value) // 10 * 10
        return f"[{low}, {low + 10})"
    return value[0] + "*" if rule == "mask" else f"group {int(value[1]) // 2}"


RULES = {
    "intervals": {"intervals": [10]},
    "mask": {"mask": 1},
    "tree": {"tree": {f"group {at}": [f"a{2 * at}", f"a{2 * at + 1}"] for at in range(3)}},
}
VALUES = {
    "intervals": st.integers(0, 35).map(str),
    "mask": st.sampled_from(["11", "12", "21", "22", "31"]),
    "tree": st.integers(0, 5).map(lambda at: f"a{at}"),
}


@given(st.data(), st.sampled_from(["intervals", "mask", "tree"]))
def test_pairs_of_values_and_cells_count_what_pairs_of_records_differ_in(data, rule):
    """The oracle goes through every pair of records of the input, one after the other."""
    values = data.draw(st.lists(VALUES[rule] | st.just(""), min_size=2, max_size=12))
    levels = [data.draw(st.integers(-1, 2)) for _ in values]  # -1: left out
    rows = [row for row, level in enumerate(levels) if level >= 0]
    cells = [cell_at(values[row], levels[row], rule) for row in rows]
    losses = []
    for row, value in enumerate(values):
        others = [other for other in values if other != value]
        if row not in rows:
            losses.append(1.0)
        elif others:
            cell = cells[rows.index(row)]
            losses.append(sum(stands_for(cell, other, rule) for other in others) / len(others))
    columns = {"x": {**KNOWN, "type": "text" if rule != "intervals" else "number"}}
    columns["x"]["hierarchy"] = RULES[rule]
    schema = {"x": pl.String}
    original = pl.DataFrame({"x": values}, schema)
    if rule == "intervals":
        original = original.with_columns(pl.col("x").cast(pl.Int64, strict=False))
    spec = resolve(
        Policy.from_words({"columns": columns, "models": [{"name": "k-anonymity", "k": 2}]})
    )
    release = pl.DataFrame({"x": cells}, schema)
    found = kept_in(evidence_of(VerificationInput(release, spec, original, rows)))
    if len({*values}) < 2:
        assert found["same"] == ["x"]
    else:
        assert found["share"] == pytest.approx(1 - sum(losses) / len(values), abs=1e-12)

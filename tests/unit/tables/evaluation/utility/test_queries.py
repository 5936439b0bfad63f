"""The error of count queries on a release."""

import math
from functools import cache

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st

import indistinct as ind
from indistinct.errors import DataError, NoSolutionError, ParameterError, SchemaError
from indistinct.tables.core.schema import Role
from indistinct.tables.evaluation.utility.queries import (
    AskedRange,
    Workload,
    _answers,
    ask,
    query_error,
)
from indistinct.tables.release.column_cells import cells_on
from indistinct.tables.release.released import column_scale, count_release
from indistinct.tables.verification.rendering import Renderer
from shared import examples
from strategies import frames, policy_words

AGES = {"age": {"role": "quasi-identifier", "hierarchy": {"intervals": [10]}}}


def policy_of(columns, **more):
    return ind.Policy.from_words(
        {"columns": columns, "models": [{"name": "k-anonymity", "k": 2}], **more}
    )


@pytest.mark.parametrize("cell", ["[30, 40)", "[30, 39]"])
def test_the_worked_example(cell):
    """Ages 30 to 34, asked of ten records in one class of whole numbers: 5, where 4 is right."""
    original = pl.DataFrame({"age": [30, 31, 32, 33, 35, 36, 36, 37, 38, 39]})
    released = pl.DataFrame({"age": [cell] * 10})
    policy = policy_of(AGES)
    axis = column_scale(original, policy.rule_of("age"))
    asked = [{"age": AskedRange(30, 35)}]
    answer = _answers(asked, count_release(released, [axis]))
    truth = _answers(asked, count_release(original, [axis]))
    assert (answer.item(), truth.item()) == (5, 4)
    assert abs(answer - truth).item() / truth.item() == 0.25


def spread_plainly(query, lines, rows, policy, domains):
    """Answer a query record by record, value by value."""

    @cache  # many records have the same cell
    def share(name, cell):
        reader = Renderer.of(policy.rule_of(name), shown={row[name] for row in rows})
        inside = [v for v in domains[name] if reader.is_below(cell, v)]
        if cell == "*":
            inside = [v for v in domains[name] if v in lines[name][1]]
        asked = [query[name].share(cells_on(lines[name][0], (v,))).item() for v in inside]
        return sum(asked) / len(inside)

    return sum(math.prod(share(name, row[name]) for name in query) for row in rows)


@examples(8)
@given(frame=frames(), words=policy_words(("optimal", "mondrian", "local")), seed=st.integers(0, 9))
def test_it_is_the_mean_over_the_values_that_a_cell_stands_for(frame, words, seed):
    """The same as counting, for every record, the values of its cells that are asked about."""
    words["release"]["intervals"] = "label"
    policy = ind.Policy.from_words(words)
    try:
        released = ind.anonymize(frame, policy, seed=1).frame
    except NoSolutionError:
        return
    found = query_error(released, frame, policy, queries=12, seed=seed)
    lines, domains = {}, {}
    for name in ("age", "city", "sex", "illness"):
        present = [str(value) for value in frame[name].unique().sort()]
        if name == "age":
            present = [str(age) for age in range(frame["age"].min(), frame["age"].max() + 1)]
        if name == "illness":
            present = ["asthma", "flu", "gastritis", "ulcer"]
        lines[name] = (column_scale(frame, policy.rule_of(name)), set(present))
        domains[name] = [str(age) for age in range(200)] if name == "age" else present
    quasi, sensitive = ([lines[n][0] for n in policy.named(role)]
                        for role in (Role.QUASI_IDENTIFIER, Role.SENSITIVE))  # fmt: skip
    rows = released.select(pl.all().cast(pl.String)).to_dicts()
    rows += [dict.fromkeys(lines, "*")] * (frame.height - released.height)
    texts = frame.select(pl.all().cast(pl.String)).to_dicts()
    errors = []
    for query in Workload(12, 2, 0.1, 0.001, seed).draw(quasi, sensitive):
        truth = spread_plainly(query, lines, texts, policy, domains)
        answer = spread_plainly(query, lines, rows, policy, domains)
        errors.append(abs(answer - truth) / max(truth, 0.001 * frame.height))
    assert found["mean"] == pytest.approx(np.mean(errors), abs=1e-9)
    assert found["median"] == pytest.approx(np.median(errors), abs=1e-9)


@settings(max_examples=25, deadline=None)
@given(frame=frames(), words=policy_words(), seed=st.integers(0, 99))
def test_the_original_answers_without_error(frame, words, seed):
    """What was not changed has no error, whatever the records and the hierarchies."""
    policy = ind.Policy.from_words(words)
    found = query_error(frame, frame, policy, queries=30, seed=seed)
    assert found == {"median": 0.0, "mean": 0.0, "queries": 30.0}


def test_records_that_are_all_hidden_are_spread_over_the_domain():
    """Dropped or masked makes no difference; each query is answered with its selectivity."""
    original = pl.DataFrame({"age": list(range(20, 60)), "ill": ["a", "b"] * 20})
    policy = policy_of({**AGES, "ill": {"role": "sensitive"}})
    masked = pl.DataFrame({"age": ["*"] * 40, "ill": ["*"] * 40})
    for released in (masked, masked.clear()):
        found = query_error(released, original, policy, queries=50, selectivity=0.25)
        assert 0 <= found["median"] < 0.2
    assert query_error(masked, original, policy) == query_error(masked.clear(), original, policy)


def test_numbers_that_are_not_whole_are_spread_by_length():
    """A range of reals is covered by the share of its length; its upper end lies outside."""
    original = pl.DataFrame({"x": [0.5, 2.0, 9.75]})
    policy = policy_of({"x": {"role": "quasi-identifier", "hierarchy": {"intervals": [10]}}})
    axis = column_scale(original, policy.rule_of("x"))
    spans = cells_on(axis, ["[0, 10)", "2.0", "[0, 10]", "9.75", "*", ""])
    assert AskedRange(0, 2).share(spans).tolist()[:4] == pytest.approx([0.2, 0, 0.2, 0])
    assert AskedRange(2, 9.75).share(spans).tolist()[:4] == pytest.approx([0.775, 1, 0.775, 0])
    assert AskedRange(0.5, 9.75).share(spans)[4] == pytest.approx(1)
    assert AskedRange(0, 99).share(spans)[5] == 0


@pytest.mark.parametrize(
    ("cell", "first", "last"),
    [
        ("2024-02-29", "2024-02-29", "2024-02-29"),
        ("2024-02", "2024-02-01", "2024-02-29"),
        ("2024-Q4", "2024-10-01", "2024-12-31"),
        ("2024", "2024-01-01", "2024-12-31"),
        ("2020s", "2020-01-01", "2029-12-31"),
    ],
)
def test_periods_are_their_days(cell, first, last):
    """A month, a quarter, a year and a decade, from the first to the last day."""
    days = pl.Series("day", ["2020-01-01", "2024-05-06"]).str.to_date()
    rule = {"dates": ["month", "quarter", "year", "decade"]}
    policy = policy_of({"day": {"role": "quasi-identifier", "hierarchy": rule}})
    axis = column_scale(days.to_frame(), policy.rule_of("day"))
    spans = cells_on(axis, [cell, first, last])
    assert spans.starts[0] == spans.starts[1]
    assert spans.ends[0] == spans.ends[2]


def test_bounds_and_midpoints_are_cells():
    """Two bounds are a range, a midpoint is one number."""
    ages = list(range(20, 60))
    original = pl.DataFrame({"age": ages})
    errors = {}
    for form in ("label", "bounds", "midpoint"):
        policy = policy_of(AGES, release={"intervals": form})
        released = ind.anonymize(original, policy, seed=1).frame
        errors[form] = query_error(released, original, policy, attributes=1, seed=3)["mean"]
    assert errors["label"] == errors["bounds"] < errors["midpoint"]


def test_a_hierarchy_in_a_file_counts_the_values_that_the_data_lack(tmp_path):
    """A label stands for all its leaves."""
    rows = [f"{age};{age // 10}0s;*\n" for age in range(20, 40)]
    (tmp_path / "age.csv").write_text("".join(rows))
    rule = {"csv": str(tmp_path / "age.csv")}
    policy = policy_of({"age": {"role": "quasi-identifier", "hierarchy": rule}})
    axis = column_scale(pl.DataFrame({"age": [23, 37, 21]}), policy.rule_of("age"))
    spans = cells_on(axis, ["20s", "30s", "*", "23"])
    assert spans.lengths.tolist() == [10, 10, 20, 1]
    assert cells_on(axis, ["[23, 32]"]).lengths.item() == 10
    asked = ask(axis, 0.5, np.random.default_rng(1))
    assert asked.share(spans)[2] == 0.5


def test_missing_values_are_never_in_a_range():
    """Missing ages are in no range; missing words are a word of their own."""
    original = pl.DataFrame({"age": [20, None, 31], "town": ["u", None, "v"]})
    policy = policy_of({**AGES, "town": {"role": "quasi-identifier"}})
    assert query_error(original, original, policy)["mean"] == 0
    age = column_scale(original, policy.rule_of("age"))
    table = count_release(original, [age])
    shares = AskedRange(0, 99).share(table.books[0])
    assert shares[table.records[:, 0]].tolist() == [1, 0, 1]
    assert column_scale(original, policy.rule_of("town")).whole == (0, 3)


def test_the_seed_is_all_the_chance_there_is():
    """The same seed asks the same; another asks something else."""
    original = ind.sample("patients", rows=300, seed=1).select("sex", "postcode", "diagnosis")
    policy = policy_of(
        {
            "sex": {"role": "quasi-identifier"},
            "postcode": {"role": "quasi-identifier", "hierarchy": {"mask": 5}},
            "diagnosis": {"role": "sensitive"},
        }
    )
    released = ind.anonymize(original, policy, seed=1).frame
    first, again, other = (query_error(released, original, policy, seed=s) for s in (1, 1, 2))
    assert first == again != other
    assert all(math.isfinite(value) for value in first.values())


def test_parameters_out_of_range_are_all_named():
    """Every fault at once."""
    original = pl.DataFrame({"age": [20, 30]})
    with pytest.raises(ParameterError) as caught:
        query_error(original, original, policy_of(AGES), queries=0, selectivity=1.5, seed=-1)
    assert [fault.place for fault in caught.value.faults] == ["queries", "selectivity", "seed"]


def test_cells_of_another_table_are_refused_without_being_shown():
    """The column is named, the cell is not."""
    original = pl.DataFrame({"age": [20, 30]})
    with pytest.raises(DataError, match=r"columns\.age") as caught:
        query_error(pl.DataFrame({"age": ["old", "young"]}), original, policy_of(AGES))
    assert "old" not in str(caught.value).split("has cells")[0]
    with pytest.raises(SchemaError, match="is not in the table"):
        query_error(pl.DataFrame({"sex": ["f"]}), original, policy_of(AGES))

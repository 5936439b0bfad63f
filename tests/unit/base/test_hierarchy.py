"""Generalization hierarchies: builders, what a label costs, and every fault."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from indistinct.base.hierarchy import from_levels, with_distinct_labels, with_hidden_cells
from indistinct.base.hierarchy_builders import flat, from_masks, from_rows, tree_rows
from indistinct.errors import HierarchyError
from indistinct.tables.core.date_hierarchies import from_dates
from indistinct.tables.core.interval_hierarchies import from_intervals, interval_label
from strategies import hierarchies


def refused(build, *arguments) -> str:
    """Return what is said when a builder refuses."""
    with pytest.raises(HierarchyError) as caught:
        build(*arguments)
    return str(caught.value)


def test_rows_of_a_file_become_levels():
    """One row per value, finest first; codes follow first appearance."""
    built = from_rows([["flu", "lungs", "*"], ["ulcer", "belly", "*"], ["asthma", "lungs", "*"]])
    assert built.values == ("flu", "ulcer", "asthma")
    assert built.labels == (("flu", "ulcer", "asthma"), ("lungs", "belly"), ("*",))
    assert built.codes.tolist() == [[0, 1, 2], [0, 1, 0], [0, 0, 0]]
    assert [extents.tolist() for extents in built.extents] == [[1, 1, 1], [2, 1], [3]]
    assert built.height == 2


def test_a_label_costs_its_share_of_the_other_leaves():
    """Domain of 5 leaves, a node with 2: loss .25 (spec D), penalty .4 (spec F)."""
    built = from_levels([list("abcde"), ["ab", "ab", "c", "de", "de"], ["*"] * 5])
    assert built.cell_loss(1).tolist() == [0.25, 0.0, 0.25]
    assert built.certainty_penalty(1).tolist() == [0.4, 0.0, 0.4]
    assert built.cell_loss(0).tolist() == [0.0] * 5
    assert built.certainty_penalty(2).tolist() == [1.0]


def test_a_single_value_costs_nothing():
    """A domain of one leaf has nothing to lose: M = 1 -> 0."""
    built = flat(["only"])
    assert built.cell_loss(1).tolist() == [0.0]
    assert built.certainty_penalty(1).tolist() == [0.0]


def test_costs_count_the_domain_and_not_the_data():
    """Restricted to values that occur, a label still stands for all its leaves."""
    built = from_rows(tree_rows({"a": ["x", "y"], "b": ["z", "w"]})).restricted(["z", "x"])
    assert built.values == ("z", "x")
    assert built.extents[1][built.codes[1]].tolist() == [2.0, 2.0]
    assert built.domain == 4


def test_masks_hide_from_the_right():
    """47677 at level 2 is 476**; the last level hides all."""
    built = from_masks(["47677", "47602"], 5)
    assert built.height == 5
    assert [level[0] for level in built.labels] == [
        "47677", "4767*", "476**", "47***", "4****", "*",
    ]  # fmt: skip


def test_masks_that_leave_something_get_a_root():
    """Two hidden characters of five, then the root; short texts are hidden whole."""
    built = from_masks(["47677", "4", "48"], 2)
    assert [labels[1] for labels in built.labels[:3]] == ["4", "*", "*"]
    assert built.labels[2] == ("476**", "*")
    assert built.labels[3] == ("*",)
    assert built.cell_loss(2).tolist() == [0.0, 1.0]  # hidden costs as much as hiding
    assert built.certainty_penalty(1)[built.codes[1]].tolist() == [0.0, 1.0, 0.0]


def test_masks_hide_the_digits_of_numbers():
    """No star stands for a zero behind the point; codes that are no numbers stay as they are."""
    texts = ["47101.0", "47101.50", "-38.0", "1e+21", "0.0", "1E2", "B2.0"]
    built = from_masks(texts, 2)
    labels = [built.labels[1][code] for code in built.codes[1]]
    assert labels == ["4710*", "47101.*", "-3*", "1" + "0" * 20 + "*", "*", "1E*", "B2.*"]
    assert built.values == tuple(texts)
    assert from_masks(["1.0", "2.0"], 2, [False, True]).labels[1] == ("*", "2.0")


def test_a_missing_value_keeps_its_label_below_the_root():
    built = from_masks(["476", "477", "NA"], 2, [False, False, True])
    assert [labels[-1] for labels in built.labels] == ["NA", "NA", "NA", "*"]
    assert from_masks(["47", "NA"], 2, [False, True]).labels[-1] == ("*",)


@pytest.mark.parametrize(
    ("rows", "labels"),
    [
        ([["a", "a"], ["b", "a"]], [("a", "b"), ("a (level 1)",)]),
        ([["a", "g", "g"], ["b", "g", "g"], ["c", "h", "g"]],
         [("a", "b", "c"), ("g", "h"), ("g (level 2)",)]),
        ([["a", "a", "x"], ["b", "y", "x"]], [("a", "b"), ("a", "y"), ("x",)]),
        ([["a", "b", "b"], ["b", "c", "b"]], [("a", "b"), ("b (level 1)", "c"), ("b (level 2)",)]),
        ([["a", "*"], ["b", "*"]], [("a", "b"), ("*",)]),
    ],
)  # fmt: skip
def test_a_text_is_one_set_of_values(rows, labels):
    """The lowest keeps its text; a label that stays as it is above the same values is one."""
    assert list(with_distinct_labels(from_rows(rows)).labels) == labels


def test_a_group_without_a_name_beside_the_missing_value_is_refused():
    rows = [["a", "", "x"], ["", "", "x"], ["b", "y", "x"]]
    with pytest.raises(HierarchyError, match="at level 1, a group has no name"):
        with_distinct_labels(from_rows(rows))


def test_a_new_name_that_is_taken_is_refused():
    rows = [["a", "a"], ["b", "a"], ["a (level 1)", "c"]]
    with pytest.raises(HierarchyError, match="names that others get"):
        with_distinct_labels(from_rows(rows))


def test_what_is_hidden_stays_hidden():
    """A label above a star would stand for less than what is below it."""
    built = with_hidden_cells(from_rows([["a", "*", "*"], ["b", "g", "*"], ["c", "g", "*"]]))
    assert built.cell_loss(1)[built.codes[1]].tolist() == [1.0, 0.5, 0.5]
    with pytest.raises(HierarchyError, match="stands above"):
        with_hidden_cells(from_rows([["a", "*", "g"], ["b", "h", "g"]]))


@pytest.mark.parametrize(
    ("number", "width", "label"),
    [
        (0.0, 1e-8, "[0, 0.00000001)"),
        (3.2, 0.1, "[3.2, 3.3)"),
        (0.3, 0.1, "[0.3, 0.4)"),
        (-0.05, 0.1, "[-0.1, 0)"),
        (-0.1, 0.1, "[-0.1, 0)"),
        (7e36, 5e36, f"[5{'0' * 36}, 1{'0' * 37})"),
        (1.5, 0.25, "[1.5, 1.75)"),
    ],
)
def test_ends_have_all_their_digits_and_no_exponent(number, width, label):
    """Widths and numbers are the decimals that they are written as."""
    assert interval_label(number, width) == label


def test_intervals_start_at_multiples_of_their_width():
    """Labels do not depend on the data; ends outside the range cost nothing."""
    built = from_intervals([21.0, 29.0, 31.0], ["21", "29", "31"], [10, 20])
    assert built.labels[1] == ("[20, 30)", "[30, 40)")
    assert built.labels[2] == ("[20, 40)",)
    assert built.cell_loss(1).tolist() == [0.8, 0.1]
    assert built.labels[3] == ("*",)


def test_negative_numbers_and_missing_ones():
    """-1 lies in [-5, 0); a missing number keeps its label below the root."""
    built = from_intervals([-1.0, 4.0, np.nan], ["-1", "4", "?"], [5])
    assert built.labels[1] == ("[-5, 0)", "[0, 5)", "?")
    assert built.labels[2] == ("*",)


@pytest.mark.parametrize("number", [0.3, 0.6, 0.7, 1.1, 2.3, -0.3])
def test_a_decimal_that_starts_an_interval_lies_in_it(number):
    """0.3 is in [0.3, 0.4), although 0.3 / 0.1 is below 3 in binary."""
    assert interval_label(number, 0.1).startswith(f"[{number}, ")


@given(
    st.floats(-1e6, 1e6).map(lambda number: round(number, 3)),
    st.sampled_from([0.1, 0.2, 0.5, 1, 2, 2.5, 10, 100]),
)
def test_every_number_lies_between_the_ends_of_its_label(number, width):
    """What a reader of the label concludes is true."""
    low, high = interval_label(number, width)[1:-1].split(", ")
    assert float(low) <= number < float(high)


def test_dates_become_periods():
    """Month, quarter, year, decade, root; a missing date keeps its label."""
    built = from_dates(["1987-05-03", ""], ["month", "quarter", "year", "decade"])
    assert [level[0] for level in built.labels] == [
        "1987-05-03", "1987-05", "1987-Q2", "1987", "1980s", "*",
    ]  # fmt: skip
    assert built.labels[1][1] == ""


def test_moments_become_hours_days_and_weeks():
    """An ISO week has the year in which most of its days lie."""
    built = from_dates(["2021-01-01T09:30:00", "2021-01-04 10:05"], ["hour", "day", "week"])
    assert built.labels[1:] == (
        ("2021-01-01T09", "2021-01-04T10"),
        ("2021-01-01", "2021-01-04"),
        ("2020-W53", "2021-W01"),
        ("*",),
    )


@pytest.mark.parametrize(
    ("values", "steps", "labels"),
    [
        (["1987", "1990"], ["decade"], ("1980s", "1990s")),
        (["1987-05", "1990-12"], ["quarter", "year"], ("1987-Q2", "1990-Q4")),
        (["1987-Q2", "1990-Q4"], ["year", "decade"], ("1987", "1990")),
    ],
)
def test_periods_alone_become_longer_ones(values, steps, labels):
    assert from_dates(values, steps).labels[1] == labels


def test_a_root_is_added_once():
    """A hierarchy that ends in several labels gets one; one that ends in one is left alone."""
    open_ended = from_levels([["a", "b"], ["A", "B"]])
    assert open_ended.with_root().labels[-1] == ("*",)
    rooted = flat(["a", "b"])
    assert rooted.with_root() is rooted


def test_the_faults_of_rows():
    """Ragged rows, doubled values and second parents are named, with numbers of rows."""
    assert "rows 2, 3" in refused(from_rows, [["a", "*"], ["b"], ["c", "x", "*"]])
    assert "no row" in refused(from_rows, [])
    said = refused(from_rows, [["a", "x", "*"], ["a", "y", "*"], ["b", "x", "+"]])
    assert "1 values are in more than one row" in said
    assert "level 0: 1 labels have two parents at level 1" in said
    assert "level 1: 1 labels have two parents at level 2" in said


def test_a_fault_keeps_values_out_of_its_text():
    """The offending values stand beside, for their owner alone."""
    with pytest.raises(HierarchyError) as caught:
        flat(["secret"]).restricted(["secret", "canary"])
    assert "does not contain 1" in str(caught.value)
    assert "canary" not in str(caught.value) + repr(caught.value)
    assert caught.value.faults[0].values == ("canary",)


def test_the_faults_of_trees_intervals_and_dates():
    """Leaves of different depth, widths that do not nest, words that are no dates."""
    assert "levels" in refused(
        lambda tree: from_rows(tree_rows(tree)), {"a": ["x"], "b": {"c": ["y"]}}
    )
    assert "neither a table nor a list" in refused(
        lambda tree: from_rows(tree_rows(tree)), {"a": 3}
    )
    assert "not a multiple" in refused(from_intervals, [1.0], ["1"], [2, 3])
    assert "not a multiple" in refused(from_intervals, [1.0], ["1"], [2, 2])
    for widths in ([], [0], [-1], [float("nan")]):
        assert "positive" in refused(from_intervals, [1.0], ["1"], widths)
    assert "order" in refused(from_dates, ["2020-01-01"], ["year", "month"])
    assert "order" in refused(from_dates, ["2020-01-01"], ["fortnight"])
    assert "a week may lie in two months" in refused(from_dates, ["2020-01-01"], ["week", "month"])
    assert "a week may lie in two months" in refused(from_dates, ["2020-01-01"], ["week", "year"])
    assert "which are years" in refused(from_dates, ["1987", ""], ["year", "decade"])
    assert "which are weeks" in refused(from_dates, ["2024-W05"], ["year"])
    assert "1 of 2" in refused(from_dates, ["1987", "1987-05"], ["decade"])
    assert "1 of 2" in refused(from_dates, ["2020-01-01", "2020-13-01"], ["year"])


@given(st.integers(1, 6).flatmap(hierarchies))
def test_coarser_labels_never_cost_less(built):
    """Loss and penalty of a value grow from level to level, up to 1."""
    for costs in (built.cell_loss, built.certainty_penalty):
        of_values = np.array([costs(level)[built.codes[level]] for level in range(built.n_levels)])
        assert (np.diff(of_values, axis=0) >= 0).all()
        assert of_values.min() >= 0
        assert of_values.max() <= 1


def values_read(built, text):
    """Return the values that a reader of a text finds in it: of any level, or all of the root."""
    above = [
        {labels[code] for labels, code in zip(built.labels, codes, strict=True)}
        for codes in built.codes.T
    ]
    return {at for at, texts in enumerate(above) if text in texts or text == "*"}


@pytest.mark.parametrize(
    "built",
    [
        from_masks(["A", "B", "AB", "AA", "1"], 2),
        from_masks(["*", "A", "AB", "A*"], 1),
        from_rows([["a", "a", "*"], ["b", "a", "*"], ["c", "*", "*"]]),
        from_rows(tree_rows({"a": ["a", "b"], "x": ["c"], "y": ["d", "e"]})),
    ],
)
def test_labels_that_read_like_larger_ones(built):
    """Where one text stands at two levels for different sets, only the largest set is meant."""
    for level, (labels, codes) in enumerate(zip(built.labels, built.codes, strict=True)):
        for value, code in enumerate(codes):
            own = set(np.flatnonzero(codes == code).tolist())
            is_read_alone = values_read(built, labels[code]) == own
            assert built.is_unambiguous[level, value] == is_read_alone
    assert not built.is_unambiguous.all()

"""The reader's recognisers of cells: which levels a text stands at, which values it covers."""

import datetime as dt

import polars as pl
import pytest
from hypothesis import given, strategies as st

import indistinct as ind
from indistinct.base.hierarchy_builders import from_masks, in_plain_digits
from indistinct.tables.core.date_hierarchies import DATE_LEVELS, from_dates
from indistinct.tables.core.interval_hierarchies import from_intervals
from indistinct.tables.policy.column_rule import ColumnRule
from indistinct.tables.policy.sections.column import ColumnPolicy
from indistinct.tables.verification.paths import paths_above
from indistinct.tables.verification.rendering import Renderer
from indistinct.tables.verification.texts import digits_of_number, value_key
from renderers import intervals, listed, masks, periods


def test_listed_cells():
    """A label stands where its path has it; the root may be added on top."""
    cells = listed({"flu": ["flu", "lungs"], "ulcer": ["ulcer", "belly"]})
    assert [list(cells.levels(text)) for text in ("flu", "lungs", "*", "heart")] == [
        [0], [1], [2], [],
    ]  # fmt: skip
    assert cells.is_below("lungs", "flu")
    assert not cells.is_below("belly", "flu")
    assert cells.is_below("*", "flu")


@pytest.mark.parametrize(
    ("cell", "levels"),
    [("21", [0]), ("[20, 25)", [1]), ("[20, 30)", [2]), ("*", [3]), ("[21, 26)", []),
     ("[20, 30]", []), ("[20,30)", []), ("young", []), ("", [0, 1, 2]), ("-3", [0]),
     ("[-10, 0)", [2]), ("[2e1, 3e1)", []), ("[20.00, 30)", []), ("[020, 30)", [])],
)  # fmt: skip
def test_interval_cells(cell, levels):
    """Intervals of width 5 and 10 that start at multiples of their width."""
    assert list(intervals(5, 10).levels(cell)) == levels


@pytest.mark.parametrize(
    ("cell", "width", "levels"),
    [
        ("[-190357946, -190357945.8)", 0.2, [1]),
        ("[0.3, 0.4)", 0.1, [1]),
        ("[1000000000, 1000000010)", 10, [1]),
        ("[1000000001, 1000000011)", 10, []),
        ("[1000000000, 1000000010.5)", 10, []),
        ("[1e400, 2e400)", 10, []),
        ("[2.7, 3.0)", 0.30000000000000004, []),
        ("[2.7, 3)", 0.3, [1]),
        ("[2.7, 3.0)", 0.3, []),
        ("[0.0000001, 0.0000002)", 1e-7, [1]),
        ("[1e-07, 2e-07)", 1e-7, []),
        ("[5" + "0" * 36 + ", 10" + "0" * 36 + ")", 5e36, [1]),
    ],
)
def test_intervals_of_large_numbers(cell, width, levels):
    """Ends are multiples of the width as decimals, with all their digits and no others."""
    assert list(intervals(width).levels(cell)) == levels


@pytest.mark.parametrize(
    ("cell", "levels"),
    [("47677", [0]), ("476**", [2]), ("*", [1, 2, 3]), ("**", []), ("", [0, 1, 2]),
     ("4****", []), ("4*7**", []), ("4*7", [])],
)  # fmt: skip
def test_mask_cells(cell, levels):
    """Up to two characters hidden, then the root; a text of which nothing is left is hidden."""
    assert list(masks(2).levels(cell)) == levels


@pytest.mark.parametrize(
    ("cell", "value", "covers"),
    [("4710*", "47101.0", True), ("47101.*", "47101.0", False), ("47101.*", "47101.50", True),
     ("47101.**", "47101.50", False), ("*", "0.0", True), ("0.*", "-0.0", False),
     ("0.*", "0.1", True), ("-3*", "-38.0", True), ("-38.*", "-38.0", False),
     ("100000000000000000000*", "1e+21", True), ("1e+2*", "1e+21", False),
     ("1E*", "1E2", True), ("E11.*", "E11.0", True), ("47101", "47101.0", True)],
)  # fmt: skip
def test_a_mask_hides_the_digits_of_a_number(cell, value, covers):
    """A star for a zero behind the point would hide nothing; 1E2 and E11.0 are codes."""
    assert masks(5).is_below(cell, value) is covers


NUMBERS = st.one_of(
    st.floats().map(str),
    st.floats(width=32).map(str),
    st.decimals(places=3, allow_nan=False).map(str),
    st.text("01259.eE+-", max_size=9),
)


@given(NUMBERS)
def test_the_reader_writes_numbers_as_the_builder_does(text):
    assert digits_of_number(text) == in_plain_digits(text)


def test_longer_masks_of_a_number_are_found():
    assert list(masks(3).above("47101.0")) == ["4710*", "471**", "47***", "*"]


@pytest.mark.parametrize(
    ("cell", "levels"),
    [("2020-05-03", [0]), ("2020-05", [1]), ("2020-Q2", [2]), ("2020", [3]), ("2020s", [4]),
     ("*", [5]), ("May", []), ("2020-Q5", []), ("2020-02-30", []), ("2021-02-29", []),
     ("2020-02-29", [0]), ("0000-02-29", [0]), ("2020-02-29 24:00", [0])],
)  # fmt: skip
def test_period_cells(cell, levels):
    """Recognized by their form."""
    assert list(periods("month", "quarter", "year", "decade").levels(cell)) == levels


@pytest.mark.parametrize(
    ("cell", "value", "covers"),
    [("2020-H1", "2020-06-30", True), ("2020-H1", "2020-07-01", False),
     ("2020-H2", "2020-Q3", True), ("2020-H2", "2020-06", False),
     ("2020-2024", "2024-12-31", True), ("2020-2024", "2025", False),
     ("2020-2024", "2021.0", True), ("2020-2039", "2030s", True),
     ("2020-2039", "2040-01-01", False),
     ("2020-2024", "2020x", False), ("2020-2025", "2021", False), ("2020-H3", "2020-12-31", False)],
)  # fmt: skip
def test_longer_periods(cell, value, covers):
    """Half years, five and twenty years; a text that is no date lies in none of them."""
    steps = ("half-year", "five-years", "twenty-years")
    assert periods(*steps).is_below(cell, value) is covers


@pytest.mark.parametrize(
    ("cell", "value", "covers"),
    [("2020-Q2", "2020-04-01", True), ("2020-Q2", "2020-07-01", False),
     ("2020-Q2", "2021-04-01", False), ("2020s", "2029-12-31", True),
     ("2020s", "2030-01-01", False), ("2020-04", "2020-04-30", True), ("2020", "2021-01-01", False),
     ("[20, 30)", "29.9", True), ("[20, 30)", "30", False), ("[20, 30]", "30", True),
     ("47***", "47677", True), ("47***", "48677", False), ("47***", "476", False)],
)  # fmt: skip
def test_cells_without_a_rule_are_judged_by_their_form(cell, value, covers):
    """Periods, ranges and masks of a column whose hierarchy nobody says."""
    rule = ColumnRule("q", ColumnPolicy(role="quasi-identifier"), (), ".", False, "exact", "label")
    assert Renderer.of(rule, shown=[cell], values=["2020-01-01"]).is_below(cell, value) is covers


BUILDERS = {
    "intervals": (lambda texts: from_intervals([float(t) for t in texts], texts, [5, 10]),
                  st.integers(-50, 50).map(str), {"intervals": [5, 10]}),
    "mask": (lambda texts: from_masks(texts, 3), st.text("0123456789", min_size=1, max_size=5),
             {"mask": 3}),
    "masked numbers": (lambda texts: from_masks(texts, 3),
                       st.one_of(st.floats(allow_nan=False, allow_infinity=False).map(str),
                                 st.text("015.", min_size=1, max_size=5)), {"mask": 3}),
    "dates": (lambda texts: from_dates(texts, ["month", "year"]), st.dates().map(str),
              {"dates": ["month", "year"]}),
    "moments": (lambda texts: from_dates(texts, ["hour", "day", "week"]), st.datetimes().map(str),
                {"dates": ["hour", "day", "week"]}),
    "longer": (lambda texts: from_dates(texts, ["half-year", "five-years", "twenty-years"]),
               st.dates().map(str), {"dates": ["half-year", "five-years", "twenty-years"]}),
    "all": (lambda texts: from_dates(texts, DATE_LEVELS[3:]), st.dates().map(str),
            {"dates": list(DATE_LEVELS[3:])}),
    "quarters below": (lambda texts: from_dates(texts, ["half-year", "five-years"]),
                       st.tuples(st.integers(1000, 9999), st.integers(1, 4))
                       .map("{0[0]}-Q{0[1]}".format), {"dates": ["half-year", "five-years"]}),
    "years below": (lambda texts: from_dates(texts, ["five-years", "twenty-years"]),
                    st.integers(1000, 9999).map(str), {"dates": ["five-years", "twenty-years"]}),
    "years": (lambda texts: from_dates(texts, ["decade"]), st.integers(1000, 9999).map(str),
              {"dates": ["decade"]}),
    "quarters": (lambda texts: from_dates(texts, ["year", "decade"]),
                 st.tuples(st.integers(1000, 9999), st.integers(1, 4)).map("{0[0]}-Q{0[1]}".format),
                 {"dates": ["year", "decade"]}),
}  # fmt: skip


@pytest.mark.parametrize("kind", BUILDERS)
def test_the_reader_knows_every_label_that_the_builder_makes(kind):
    """Each label is allowed at its level and covers exactly the values that lead to it."""
    build, texts, rule = BUILDERS[kind]
    words = {
        "columns": {"q": {"role": "quasi-identifier", "hierarchy": rule}},
        "models": [{"name": "k-anonymity", "k": 2}],
    }
    cells = Renderer.of(ind.Policy.from_words(words).rule_of("q"))

    @given(st.lists(texts, min_size=1, max_size=8, unique=True))
    def check(values):
        built = build(values)
        for level, labels in enumerate(built.labels):
            for code, label in enumerate(labels):
                assert level in cells.levels(label)
                for value in [built.values[v] for v in (built.codes[level] == code).nonzero()[0]]:
                    assert cells.is_below(label, value)

    check()


@pytest.mark.parametrize("value", ["abc", "12.5", "2024-05-06"])
def test_a_missing_or_shorter_text_is_no_period(value):
    """Neither the empty cell nor a word that a value begins with covers the value."""
    for cell in ("", value[:1], value[:2]):
        assert not periods("month", "year").is_below(cell, value)


def test_a_text_that_is_no_date_lies_in_no_quarter():
    quarters = periods("quarter")
    assert quarters.is_below("2024-Q2", "2024-05-06")
    assert not quarters.is_below("2024-Q2", "2024-xx-06")
    assert not quarters.is_below("2024-Q2", "2024")


@pytest.mark.parametrize("number", ["0.0000062360905", "6.2360905e-6", "1e-7", "1.5e16", "12.0"])
def test_a_number_is_known_by_its_plain_digits(number):
    """Labels have no exponents and no zeros behind the point."""
    plain = {"1e-7": "0.0000001", "1.5e16": "15000000000000000", "12.0": "12"}
    assert plain.get(number, "0.0000062360905") == value_key(number)


def test_nan_is_in_the_middle_of_no_interval():
    """It is a word in a column of texts, at the values' own level, and no number to reckon with."""
    assert intervals(5, 10).allows_middle("NaN")
    assert not intervals(5, 10).allows_middle("many")


def alike(labels):
    """Number the labels by where each stands first."""
    return [labels.index(label) for label in labels]


RULES = {
    "dates": (
        {"dates": ["month", "quarter", "year", "decade"]},
        st.dates(dt.date(1890, 1, 1), dt.date(2110, 1, 1)).map(str),
        lambda values: from_dates(values, ("month", "quarter", "year", "decade")),
    ),
    "mask": (
        {"mask": 4},
        st.text("ab1", min_size=4, max_size=4),
        lambda values: from_masks(values, 4),
    ),
    "masked numbers": (
        {"mask": 4},
        st.decimals(-999, 999, places=2).map(str),
        lambda values: from_masks(values, 4),
    ),
    "intervals": (
        {"intervals": [2, 10]},
        st.integers(-30, 30).map(str),
        lambda values: from_intervals([float(value) for value in values], values, (2, 10)),
    ),
}


@pytest.mark.parametrize("rule", RULES)
def test_values_share_the_labels_above_them_as_in_the_hierarchy(rule):
    """Level by level, the reader's labels divide the values as the hierarchy of the search does."""
    words, texts, built = RULES[rule]
    policy = ind.Policy.from_words(
        {
            "columns": {"x": {"role": "quasi-identifier", "hierarchy": words}},
            "models": [{"name": "k-anonymity", "k": 2}],
        }
    )

    @given(st.lists(texts, min_size=1, max_size=12, unique=True))
    def check(values):
        hierarchy = built(values)
        paths = paths_above(policy.rule_of("x"), hierarchy.values)
        ways = [paths[value] for value in hierarchy.values]
        assert len({way[-1] for way in ways}) == 1
        for level in range(1, hierarchy.n_levels):
            above = [way[min(level, len(way)) - 1] for way in ways]
            assert alike(above) == alike(hierarchy.codes[level].tolist())

    check()


@pytest.mark.parametrize(
    ("rows", "above"),
    [
        (["flu;lungs;any", "ulcer;belly;any"], ["lungs", "any"]),
        (["flu;lungs", "ulcer;belly"], ["lungs", "*"]),
        (["flu;lungs;*", "ulcer;belly;*"], ["lungs", "*"]),
    ],
)
def test_a_file_has_the_root_it_lists_or_a_star(tmp_path, rows, above):
    """A second root would count as a level of its own in distances along the hierarchy."""
    (tmp_path / "ill.csv").write_text("\n".join(rows) + "\n")
    policy = ind.Policy.from_words(
        {
            "columns": {
                "age": {"role": "quasi-identifier"},
                "ill": {
                    "role": "sensitive",
                    "hierarchy": {"csv": str(tmp_path / "ill.csv"), "separator": ";"},
                },
            },
            "models": [{"name": "k-anonymity", "k": 2}],
        }
    )
    assert paths_above(policy.rule_of("ill"), ["flu", "ulcer"])["flu"] == above


def test_a_label_covers_the_value_that_has_the_name_of_a_group_above_it(tmp_path):
    tree = {"flu": {"lung": ["flu"]}, "gut": {"bowel": ["ulcer"]}}
    rule = {"role": "quasi-identifier", "min_level": 1, "hierarchy": {"tree": tree}}
    models = [{"name": "k-anonymity", "k": 2}]
    policy = ind.Policy.from_words({"columns": {"ill": rule}, "models": models})
    table = pl.DataFrame({"ill": ["flu", "flu", "ulcer", "ulcer"]})
    ind.anonymize(table, policy).write(path := tmp_path / "out.csv")
    assert "lung" in path.read_text(encoding="utf-8")
    found = ind.verify(path, policy=policy, original=table)
    assert found.holds, found.faults


@pytest.mark.parametrize("change", [str.lower, str.capitalize, str.upper])
def test_truths_are_those_of_a_list_however_it_writes_them(change, tmp_path):
    rows = [[change("true"), "some", "*"], [change("false"), "some", "*"]]
    rule = {"role": "quasi-identifier", "hierarchy": {"rows": rows}}
    models = [{"name": "k-anonymity", "k": 2}]
    policy = ind.Policy.from_words({"columns": {"ill": rule}, "models": models})
    table = pl.DataFrame({"ill": [True, True, False, False]})
    ind.anonymize(table, policy).write(path := tmp_path / "out.csv")
    assert path.read_text(encoding="utf-8").split() == ["ill", "false", "false", "true", "true"]
    assert ind.verify(path, policy=policy, original=table).holds

"""Which cells a column may have: midpoints, hidden characters, and values of the input."""

import polars as pl
import pytest

import indistinct as ind
from indistinct.tables.policy.specification import resolve
from indistinct.tables.verification.columns import cell_notes, shows_midpoints
from indistinct.tables.verification.evidence import CheckedRelease
from ordered import ordered
from renderers import intervals, listed, periods, ranges


def evidence(cells, hierarchy, **release):
    """Return a release of one column, without its input."""
    column = {"role": "quasi-identifier", "hierarchy": hierarchy}
    words = {"columns": {"q": column}, "models": [{"name": "k-anonymity", "k": 2}]}
    policy = ind.Policy.from_words({**words, "release": release})
    frame = pl.DataFrame({"q": cells}, schema={"q": pl.String})
    return CheckedRelease(frame, frame, resolve(policy), None, None, 0, None)


@pytest.mark.parametrize(
    ("cells", "are_midpoints"),
    [(["35", "45"], True), (["35", ""], True), (["[30, 40)", "45"], False)],
)
def test_numbers_and_empty_cells_are_read_as_midpoints(cells, are_midpoints):
    """An empty cell stands beside numbers for what is hidden; a range is none."""
    shown = evidence(cells, {"intervals": [10, 20]}, intervals="midpoint")
    assert shows_midpoints(shown, "q") is are_midpoints


@pytest.mark.parametrize(
    ("number", "values"),
    [("31", ["31"]), ("35", ["31"]), ("40", ["31"]), ("41", []), ("x", None), ("", ["31", "x"])],
)
def test_a_listed_label_has_its_number_or_its_middle(number, values):
    cells = listed({"31": ("31", "[30, 40)", "[0, 80]"), "x": ("x", "word", "word")})
    assert cells.allows_middle(number) is (number != "41")
    if values is not None:
        assert [one for one in ("31", "x") if cells.has_in_middle(number, one)] == values


@pytest.mark.parametrize(
    ("number", "value", "is_inside"),
    [("25", "21", True), ("25", "29.5", True), ("25", "30", False), ("30", "21", True),
     ("30", "40", False), ("30", "30.0", True), ("27", "26", False)],
)  # fmt: skip
def test_a_midpoint_stands_for_the_values_of_an_interval_around_it(number, value, is_inside):
    """Of width 10 around 25, of width 20 around 30; or for the number itself."""
    assert intervals(10, 20).has_in_middle(number, value) is is_inside


def test_the_middle_of_a_range_that_an_algorithm_made_may_stand_for_any_value():
    assert ranges().allows_middle("12.25")
    assert ranges().has_in_middle("12.25", "99")


def test_a_missing_date_may_stand_at_every_level_but_not_for_a_star():
    cells = periods("year", "decade")
    assert list(cells.levels("")) == [0, 1, 2]
    assert list(cells.levels("*")) == [3]


@pytest.mark.parametrize(
    ("cells", "n_notes"), [(["47*", "48*"], 0), (["47*", "4812"], 1), (["47*", "*"], 0)]
)
def test_masks_of_several_lengths_are_not_decided_by_the_file(cells, n_notes):
    """A cell that is hidden has no length."""
    assert len(list(cell_notes(evidence(cells, {"mask": 3})))) == n_notes


@pytest.mark.parametrize("words", [("NA",), ("unknown", "NA"), ()])
def test_a_missing_code_stays_missing_under_a_mask(words):
    """A missing cell is a value of its own below the root: no character of a word is hidden."""
    codes = ["03291", "03291", "19381", "19381", None, None] * 2
    frame = pl.DataFrame({"q": codes, "x": ["u", "v"] * 6})
    policy = ind.Policy.from_words(
        {
            "columns": {
                "q": {"role": "quasi-identifier", "hierarchy": {"mask": 4}, "min_level": 2},
                "x": {"role": "insensitive"},
            },
            "data": {"missing": list(words)},
            "models": [{"name": "k-anonymity", "k": 4}],
        }
    )
    release = ind.anonymize(frame, policy, seed=1)
    assert set(release.data["q"]) == {"032**", "193**", None}
    assert ind.verify(release.data, policy, original=frame).holds
    for wrong in ("N*", "*****", "NA***", "**"):
        lies = release.data.with_columns(q=pl.col("q").fill_null(wrong))
        assert not ind.verify(ordered(lies, "q"), policy, original=frame).holds


@pytest.mark.parametrize(
    ("q", "rule"),
    [(["*", "a"] * 3, {"tree": {"g": ["*", "a"]}}), (["1*2", "132"] * 3, {"mask": 2}),
     (["*", "b"] * 3, None), (["ab*", "abc"] * 3, {"mask": 3})],
)  # fmt: skip
def test_a_value_that_is_written_like_a_hidden_cell_is_refused(q, rule):
    """Nobody could tell it from a hidden one; the message does not show it."""
    column = {"role": "quasi-identifier"} | ({} if rule is None else {"hierarchy": rule})
    words = {"columns": {"q": column}, "models": [{"name": "k-anonymity", "k": 2}]}
    with pytest.raises(ind.errors.UsageError, match="written like a hidden cell") as raised:
        ind.anonymize(pl.DataFrame({"q": q}), ind.Policy.from_words(words), seed=1)
    assert q[0] not in str(raised.value).replace("data.missing", "") or q[0] == "*"
    if q[0] == "*":
        words |= {"columns": {"q": {"role": "quasi-identifier"}}, "data": {"missing": ["*"]}}
        frame = pl.DataFrame({"q": q})
        release = ind.anonymize(frame, ind.Policy.from_words(words), seed=1)
        assert release.data["q"].null_count() == 3


def test_people_with_a_missing_code_look_alike(tmp_path):
    """The population has the same word for a missing value."""
    codes = ["03291", "03292", "19381", "19382", None, None] * 2
    frame = pl.DataFrame({"q": codes, "x": ["u", "v"] * 6})
    frame.select("q").write_parquet(tmp_path / "people.parquet")
    policy = ind.Policy.from_words(
        {
            "columns": {"q": {"role": "quasi-identifier"}, "x": {"role": "insensitive"}},
            "data": {"missing": ["NA"]},
            "models": [{"name": "k-map", "k": 4}],
            "method": {"algorithm": "optimal"},
            "population": {"data": "people.parquet"},
        },
        tmp_path,
    )
    release = ind.anonymize(frame, policy, seed=1)
    assert None in release.data["q"].to_list()
    assert ind.verify(release.data, policy, manifest=release.manifest, original=frame).holds


@pytest.mark.parametrize(("end", "levels"), [("0.2", [1]), ("0.2000000002", []), ("0.20", [])])
def test_an_end_is_a_multiple_of_the_width(end, levels):
    assert list(intervals(0.1).levels(f"[0.1, {end})")) == levels

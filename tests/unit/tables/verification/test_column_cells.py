"""Which cells a column may have: midpoints, hidden characters, and values of the input."""

import polars as pl
import pytest

import indistinct as ind
from indistinct.tables.policy.resolved import resolve
from indistinct.tables.verification.cells import Intervals, Listed, Periods
from indistinct.tables.verification.columns import cell_notes, released_cells
from indistinct.tables.verification.data_cells import Midpoints
from indistinct.tables.verification.evidence import CheckedRelease
from ordered import ordered


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
    found = released_cells(evidence(cells, {"intervals": [10, 20]}, intervals="midpoint"), "q")
    assert isinstance(found, Midpoints) is are_midpoints


def test_a_listed_label_has_its_number_or_its_middle():
    listed = Listed({"31": ("31", "[30, 40)", "[0, 80]"), "x": ("x", "word", "word")})
    assert Midpoints(listed).levels("31") == [0]
    assert Midpoints(listed).levels("35") == [1]
    assert Midpoints(listed).levels("40") == [2]
    assert Midpoints(listed).levels("41") == []


def test_a_missing_date_may_stand_at_every_level_but_not_for_a_star():
    periods = Periods(("year", "decade"))
    assert periods.levels("") == (0, 1, 2)
    assert periods.levels("*") == (3,)


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
    assert ind.verify(release.data, policy, original=frame).holds


@pytest.mark.parametrize(("end", "levels"), [("0.2", [1]), ("0.2000000002", []), ("0.20", [])])
def test_an_end_is_a_multiple_of_the_width(end, levels):
    assert list(Intervals([0.1]).levels(f"[0.1, {end})")) == levels

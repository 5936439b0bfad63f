"""Which cells a column may have: midpoints, hidden characters, and values of the input."""

from decimal import Decimal

import polars as pl
import pytest

import indistinct as ind
from indistinct.reader.verify.cells import Intervals, Listed, MadeFromData, Periods
from indistinct.reader.verify.columns import cell_notes, released_cells
from indistinct.reader.verify.data_cells import MOST_LEVELS, FromValues, Midpoints
from indistinct.reader.verify.evidence import Evidence
from ordered import ordered


def evidence(cells, hierarchy, **release):
    """Give a release of one column, without its input."""
    column = {"role": "quasi-identifier", "hierarchy": hierarchy}
    words = {"columns": {"q": column}, "models": [{"name": "k-anonymity", "k": 2}]}
    policy = ind.Policy.from_words({**words, "release": release})
    frame = pl.DataFrame({"q": cells}, schema={"q": pl.String})
    return Evidence(frame, frame, policy, None, None, 0, None)


@pytest.mark.parametrize(
    ("cells", "n_notes"), [(["47*", "48*"], 0), (["47*", "4812"], 1), (["47*", "***", "*"], 0)]
)
def test_masks_of_several_lengths_are_not_decided_by_the_file(cells, n_notes):
    """A cell that is hidden whole has no length."""
    assert len(list(cell_notes(evidence(cells, {"mask": 3})))) == n_notes


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


def test_words_among_the_values_are_no_numbers():
    forms = MadeFromData(rounded_ends=True)
    found = FromValues.of(forms, None, ["some", "NaN", "7", "2.5"])
    assert list(found.numbers) == [Decimal("2.5"), Decimal(7)]


@pytest.mark.parametrize("words", [("NA",), ("unknown", "NA"), ()])
def test_a_suggested_mask_hides_the_word_for_a_missing_value_too(words):
    """Codes of one length are masked; the first word for a missing value is, as far as it goes."""
    codes = ["03291", "03291", "19381", "19381", None, None] * 2
    frame = pl.DataFrame({"q": codes, "x": ["u", "v"] * 6})
    policy = ind.Policy.from_words(
        {
            "columns": {"q": {"role": "quasi-identifier"}, "x": {"role": "insensitive"}},
            "data": {"missing": list(words)},
            "models": [{"name": "k-anonymity", "k": 4}],
            "method": {"algorithm": "optimal"},
        }
    )
    for hidden in range(1, 5):
        known = ["03291"[: 5 - hidden] + "*" * hidden, "19381"[: 5 - hidden] + "*" * hidden]
        word = words[0] if words else ""
        kept = word[: max(0, len(word) - hidden)]
        labels = [*known, kept + "*" * (len(word) - len(kept))]
        shown = frame.with_columns(q=pl.Series([labels[i // 2 % 3] for i in range(12)]))
        assert ind.verify(ordered(shown, "q"), policy, original=frame).holds
        for wrong in ("****" if "NA" in words else "N*", "x*"):
            lies = shown.with_columns(q=pl.col("q").replace(labels[2], wrong))
            found = ind.verify(ordered(lies, "q"), policy, original=frame)
            assert {fault.place for fault in found.faults} == {"columns.q"}


def test_people_with_a_missing_code_look_like_its_masked_word(tmp_path):
    """The population has the same word for a missing value, and the same mask."""
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
    assert "NA"[:1] + "*" in release.data["q"].to_list()
    assert ind.verify(release.data, policy, original=frame).holds


@pytest.mark.parametrize(
    ("number", "is_middle"),
    [("0.2", True), ("0.3", True), ("0.25", False), ("5.15", True), ("10", True), ("11", False)],
)
def test_the_middle_of_two_values_may_be_of_any_level(number, is_middle):
    """Of 0.1, 0.3 and 10; a number that was halved and doubled differs in its last digit."""
    found = Midpoints(
        FromValues.of(MadeFromData(numbers_have_levels=False), None, ["0.1", "0.3", "10"])
    ).levels(number)
    assert found == (list(range(MOST_LEVELS)) if is_middle else [])


@pytest.mark.parametrize(("end", "levels"), [("0.2000000002", [1]), ("0.2000000003", [])])
def test_an_end_is_a_multiple_of_the_width_up_to_its_last_digits(end, levels):
    assert Intervals([0.1]).levels(f"[0.1, {end})") == levels

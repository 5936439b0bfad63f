"""Bands in several writings, times of day and codes of two lengths in drafted hierarchies."""

import pytest

from drafted_columns import evidence
from indistinct.tables.drafting.bands import of_bands
from indistinct.tables.drafting.hierarchies import drawn
from indistinct.tables.drafting.times_of_day import of_times


@pytest.mark.parametrize(
    ("bands", "label"),
    [
        (["[20,40[", "[40,60[", "[60,80["], "[20,60["),
        (["]20;40]", "]40;60]", "]60;80]"], "]20;60]"),
        (["20 bis unter 40", "40 bis unter 60", "60 bis unter 80"], "20 bis unter 60"),
        (["20 to <40", "40 to <60", "60 to <80"], "20 to <60"),
        (["20..39", "40..59", "60..79"], "20..59"),
        (["20 \u2014 39", "40 \u2014 59", "60 \u2014 79"], "20 \u2014 59"),
        (["20 \u00e0 moins de 40", "40 \u00e0 moins de 60", "60 et plus"], "20 \u00e0 moins de 60"),
    ],
)
def test_bands_are_joined_in_the_writing_that_they_have(bands, label):
    assert evidence("age", bands * 9).like == "bands"
    assert (of_bands(bands).rows or [])[0][1] == label


def test_times_of_day_have_hours_and_quarters_of_a_day_above_them():
    found = of_times(["08:25", "8:59", "17:30"])
    assert found is not None
    assert [row[1:] for row in found.rows or []] == [
        ("08:00-08:59", "06:00-11:59", "*"),
        ("08:00-08:59", "06:00-11:59", "*"),
        ("17:00-17:59", "12:00-17:59", "*"),
    ]
    assert of_times(["08:25", "soon", "17:30"]) is None


def test_one_postcode_of_another_length_changes_no_label():
    usual = [f"20{at:02d}" for at in range(10, 60)] * 6
    plain, odd = (
        drawn(evidence("postcode", cells), "place") for cells in (usual, [*usual, "20385"])
    )
    assert plain.rule == odd.rule == {"mask": 4}


def test_labels_of_codes_without_their_zeros_begin_as_the_codes_do():
    codes = [*range(2138, 2160), *range(10115, 10150)] * 3
    shape = drawn(evidence("zip", codes), "place")
    for text, *labels in shape.rows or []:
        assert all(text.startswith(label.rstrip("*")) for label in labels)

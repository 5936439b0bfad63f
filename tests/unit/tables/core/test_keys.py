"""Texts that read alike have one canonical writing; verification finds the same by its own code."""

import unicodedata

import pytest
from hypothesis import given, strategies as st

from indistinct.tables.core.keys import counted_text
from indistinct.tables.verification.texts import as_read

WAYS = {
    "Hépatite B": [
        "Hépatite B ",
        "Hépatite B",
        "Hépatite\u00a0B",
        "\u3000Hépatite  B\t",
        "He\u0301patite B",
        "He\u200d\u0301patite B",
        "He\u0301patite\u2009\u200b B\ufeff",
        "Hé\u00adpatite B\u200e",
        "Hé\u034fpatite B\u2028",
        "Hé\ufe0fpatite B\r\n",
        "Hé\U000e0041patite B\x00",
        "\u3164Hépatite B",
    ],
    "1": ["1.0", "+1", "01", "1e0", "1.", " 1\u00a0", "10e-1", "0.1E1", "\u200b1"],
    "-2.5": ["-2.50", "-02.5", "-25e-1", "-.25e+1"],
    "0": ["-0", "0.0", "+.0", "00", "0e7"],
    "1000000": ["1e6", "1E+6", "1000000.000", "0001000000"],
    "\u3042": ["\u3042 "],
    "abc": ["\uff41\uff42\uff43", "a\uff42c"],
    "12": ["\uff11\uff12", "\u2460\uff12"],
    "m2": ["m\u00b2"],
    "[10, 20)": ["[10,20)", "[10.0, 2e1)", "[ 10 ,20)", "\uff3b10, 20\uff09"],
    "]10, 20[": ["]10,20[", "] 10.0 ,2e1 ["],
    "(10, 20]": ["(10,20]", "\uff0810, 20 ]"],
    "[a, b]": ["[a,  b]"],
    "": [" ", "\u200b", "\u00a0\u2060", "\u115f", "\x7f"],
}
APART = ["flu", "Flu", "f lu", "1", "-1", "10", "0.1", "1,0", "1-0", "e1", "1e", ".", "+", "NaN"]


@pytest.mark.parametrize("read", [counted_text, as_read])
@pytest.mark.parametrize("text", WAYS)
def test_what_reads_alike_is_written_in_one_way(read, text):
    assert {read(way) for way in [text, *WAYS[text]]} == {text}


@pytest.mark.parametrize("read", [counted_text, as_read])
def test_other_texts_stay_apart(read):
    assert [read(text) for text in APART] == APART


@pytest.mark.parametrize("read", [counted_text, as_read])
def test_long_numbers_lose_no_digit(read):
    """Two numbers that are one double are two; a power of ten without end takes no memory."""
    assert read("12345678901234567890") != read("12345678901234567891")
    assert read("1e999999") == read("10e999998")
    assert len(read("1e999999999")) < 20


@given(
    st.text(
        st.sampled_from("aé e\u0301\u200b\u00a0\u20090123.+-eE\ufe0f\u00ad\t\U000e0041"), max_size=9
    )
)
def test_both_agree_and_nothing_changes_twice(text):
    """The canonical writing is that of itself, and of the decomposed text."""
    once = counted_text(text)
    assert once == counted_text(once) == as_read(text) == as_read(once)
    assert once == counted_text(unicodedata.normalize("NFD", text))

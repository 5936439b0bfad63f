"""Texts that hold the identifier of their own record: few different ones, and many."""

import polars as pl
import pytest
from hypothesis import given, strategies as st

from indistinct.tables.findings import named_in_texts
from indistinct.tables.findings.named_in_texts import folded, hold_their_own, holds, phrases_of

# Signs that end a word, letters whose small form has another length, and blanks of two alphabets.
LETTERS = st.sampled_from("aAbß\u0130\u03a3\u03c2 1-.\t\x1f\u00a0")
TEXTS = st.none() | st.text(LETTERS, max_size=12)


def plainly(text, own):
    """Try each place of a text."""
    word, whole = folded(own), (text or "").casefold()
    places = [at for at in range(len(whole)) if whole.startswith(word, at)]
    return len(word) >= 4 and any(
        not whole[max(at - 1, 0) : at].isalnum()
        and not whole[at + len(word) : at + len(word) + 1].isalnum()
        for at in places
    )


@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=8))
def test_an_identifier_is_found_by_phrases_and_without(pairs):
    texts, beside = (pl.Series(list(one), dtype=pl.String) for one in zip(*pairs, strict=True))
    right = [plainly(text, own) for text, own in pairs]
    assert [holds(text, folded(own)) for text, own in pairs] == right
    assert hold_their_own(texts, beside, None).tolist() == right
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(named_in_texts, "SMALL", 0)
        assert hold_their_own(texts, beside, phrases_of(texts.unique())).tolist() == right


def test_an_identifier_within_a_longer_word_is_not_found():
    texts = pl.Series(["seen by P-001, twice", "P-0012 was seen", "p-001", None])
    beside = pl.Series(["P-001", "P-001", " P-001 ", "P-001"])
    phrases = phrases_of(texts)
    assert hold_their_own(texts, beside, phrases).tolist() == [True, False, True, False]


def test_texts_of_very_many_phrases_are_looked_at_one_by_one():
    assert phrases_of(["a b " * 1_000]) is None
    assert phrases_of(["of two words", None]) == {"of two words", "of two", "two words", "words"}

"""Encodings found by their words."""

import random
import re

import pytest

from indistinct.base.cells.decoding import decoded
from indistinct.base.cells.encodings import alphabets, found_encoding
from indistinct.errors import DataError
from sentences_in_languages import WRITTEN_IN, written

PAIRS = [(language, encoding) for language, some in WRITTEN_IN.items() for encoding in some]
STRAY = ("", "\u00b4", "\u00d7", "\u00a8")


def table(text, encoding):
    """Put sentences into a column of a table, with a number beside each."""
    sentences = re.split(r"(?<=[.?!\u3002])\s*", text)
    rows = [f"{number};{one}" for number, one in enumerate(sentences)]
    return "\n".join(["number;text", *rows, ""]).encode(encoding)


def words_of(text):
    """Return the words of a text that are not ASCII alone."""
    return [word for word in re.findall(r"[^\W\d_]+", text) if not word.isascii()]


def reads_alike(content, one, other):
    """Return whether two encodings read some bytes alike."""
    return content.decode(one, "replace") == content.decode(other, "replace")


def test_texts_of_fifteen_words_are_read_right():
    sure = asked = 0
    for language, encoding in PAIRS:
        text = written(language, encoding).decode(encoding)
        for stray in STRAY:
            try:
                content = table(text + f" {stray}", encoding)
            except UnicodeEncodeError:
                continue
            found = found_encoding(content)
            is_right = reads_alike(content, found.name, encoding)
            assert is_right or not found.is_sure, (language, encoding, stray, found)
            sure += is_right and found.is_sure
            asked += not found.is_sure
    assert sure >= 0.95 * (sure + asked)


def test_few_words_are_never_sure():
    for language, encoding in PAIRS:
        text = written(language, encoding).decode(encoding)
        words = [word for word in words_of(text) if len(word) < 16][:4]
        content = " ".join(words).encode(encoding)
        if words and not content.isascii() and language not in {"zh", "ja", "ko"}:
            assert not found_encoding(content).is_sure, (language, encoding)


def test_random_sentences_are_never_wrong_and_sure():
    chance = random.Random(3)
    for _ in range(150):
        language, encoding = chance.choice(PAIRS)
        sentences = re.split(r"(?<=[.?!])\s+", written(language, encoding).decode(encoding))
        some = " ".join(chance.sample(sentences, chance.randint(1, len(sentences))))
        content = table(some, encoding)
        found = found_encoding(content)
        if len(words_of(some)) >= 15 and found.is_sure:
            assert reads_alike(content, found.name, encoding), (language, encoding, some)


def test_one_sign_does_not_outweigh_many_letters():
    rows = ["Käse;früh", "Ida\u00b4s Öl;schön"] + ["Köln;Übelkeit", "Gießen;Übung"] * 30
    found = found_encoding("\n".join(rows).encode("cp1252"))
    assert (found.name, found.is_sure, found.spoilt, found.lines) == ("cp1252", True, 1, (2,))


def test_spoilt_words_are_counted_and_read_as_they_stand():
    good = "Größe;Übung\n" * 200
    content = good.encode() + "für\nmüde\n".encode("cp1252") + good.encode()
    read = decoded("a.csv", content, None)
    assert read.encoding == "utf-8"
    assert read.found is not None
    assert (read.found.spoilt, read.found.lines) == (2, (201, 202))
    assert read.text.decode().count("\ufffd") == 2
    assert read.text.decode().replace("\ufffd", "") == good + "fr\nmde\n" + good


@pytest.mark.parametrize(("n_lines", "has_more"), [(3, False), (4, True), (20, True)])
def test_a_line_with_several_spoilt_words_is_named_once(n_lines, has_more):
    words = ["für", "müde", "süß", "kühl", "grün", "früh", "Tür", "dünn", "übel", "Mühe"]
    spoilt = [f"{words[n % 10]}{n} {words[-1 - n % 10]}{n}" for n in range(n_lines)]
    good = "Größe;Übung\n" * 400
    found = decoded("a.csv", good.encode() + "\n".join(spoilt).encode("cp1252"), None).found
    assert found is not None
    assert (found.spoilt, found.lines) == (2 * n_lines, (401, 402, 403))
    assert found.has_more_lines is has_more


def test_an_encoding_that_is_said_reads_spoilt_words_as_well():
    content = ("Größe;Übung;weiß\n" * 50).encode("cp1252") + b"spoilt \x81ber\n"
    assert decoded("a.csv", content, "cp1252").text.decode().endswith("spoilt \ufffdber\n")
    with pytest.raises(DataError, match="is not UTF-8"):
        decoded("a.csv", content, "utf-8")


def test_each_of_two_encodings_that_are_asked_for_reads_the_file():
    """Half of the words are in the one, half in the other: whatever is answered leads on."""
    lines = [f"{n};Köln\n".encode("utf-8" if n % 2 else "cp1252") for n in range(60)]
    content = b"age;town\n" + b"".join(lines)
    found = decoded("a.csv", content, None, asks=True).found
    assert found is not None
    assert {found.name, found.other} == {"utf-8", "cp1252"}
    for encoding in (found.name, found.other):
        read = decoded("a.csv", content, encoding)
        assert (read.encoding, read.found) == (encoding, None)
        assert read.text.decode().count("Köln") == 30
    with pytest.raises(DataError, match="is not shift_jis"):
        decoded("a.csv", content, "shift_jis")


def test_two_encodings_that_read_alike_are_one():
    found = found_encoding(("Köln\n" * 20).encode("latin-1"))
    assert (found.name, found.is_sure) == ("cp1252", True)


def test_an_open_encoding_is_refused_with_both_names():
    content = "a;b\n1;Köln\n".encode("cp1252")
    with pytest.raises(DataError, match=r"can be read as cp1252 or as \w+"):
        decoded("a.csv", content, None)
    assert decoded("a.csv", content, None, asks=True).encoding == "cp1252"


def test_signs_alone_prove_nothing():
    found = found_encoding("25 °C\n30 °C\n".encode("cp1252") * 20)
    assert (found.words, found.is_sure) == (0, False)


def test_the_alphabets_are_of_letters_beyond_ascii():
    assert len(alphabets()) >= 29
    letters = {one for some in alphabets().values() for one in some}
    assert all(one.isalpha() and not one.isascii() for one in letters)
    assert "Ü" in alphabets()["de"]


@pytest.mark.parametrize("sign", ["\xa8", "\xb4"])
def test_a_sign_glued_to_one_word_does_not_decide(sign):
    words = ["Orl\xe9ans", "Besan\xe7on", "S\xe8te"] * 20
    found = found_encoding(f"{sign}x {' '.join(words)}".encode("cp1252"))
    assert (found.name, found.is_sure) == ("cp1252", True)


def test_a_sign_before_a_letter_is_a_capital_of_another_encoding():
    words = ["Ž\u010f\xe1r", "Šumperk", "D\u011b\u010d\xedn"] * 20
    found = found_encoding(" ".join(words).encode("iso8859_2"))
    assert (found.name, found.is_sure) == ("iso8859_2", True)

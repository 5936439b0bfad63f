"""The copy of a release is written as its input was, or as a workbook."""

import polars as pl
import pytest

import indistinct as ind
from indistinct.frontends.app.work.copies import AS_INPUT, WORKBOOK, write_copy

RELEASED = 'name,city\nA,Köln\nB,"x;y"\n'


def copied(folder, form, data="input.csv", text=RELEASED, **reading):
    release = folder / "release.csv"
    release.write_text(text, encoding="utf-8")
    models = [{"name": "k-anonymity", "k": 2}]
    words = {"columns": {"name": {"role": "quasi-identifier"}}, "models": models, "data": reading}
    write_copy(release, str(folder / data), ind.Policy.from_words(words), form)
    assert release.read_text(encoding="utf-8") == text
    return [one for one in folder.iterdir() if one != release]


def test_a_plain_text_needs_no_copy(tmp_path):
    assert copied(tmp_path, AS_INPUT) == []
    assert copied(tmp_path, AS_INPUT, separator=",", encoding="UTF-8") == []


def test_a_copy_has_the_separator_and_the_encoding_of_the_input(tmp_path):
    (copy,) = copied(tmp_path, AS_INPUT, separator=";", encoding="cp1252")
    assert copy.name == "release.copy.csv"
    assert copy.read_bytes() == 'name;city\nA;Köln\nB;"x;y"\n'.encode("cp1252")


def test_a_letter_that_the_encoding_lacks_makes_it_utf_8_with_a_mark(tmp_path):
    (copy,) = copied(tmp_path, AS_INPUT, text="name\nŁódź\n", encoding="latin-1")
    assert copy.read_bytes() == "\ufeffname\nŁódź\n".encode()


def test_a_workbook_gets_a_text_with_a_mark(tmp_path):
    (copy,) = copied(tmp_path, AS_INPUT, data="input.xlsx")
    assert copy.read_bytes() == f"\ufeff{RELEASED}".encode()


def test_a_workbook_is_written_on_request(tmp_path):
    pytest.importorskip("fastexcel")
    (copy,) = copied(tmp_path, WORKBOOK)
    assert copy.name == "release.copy.xlsx"
    assert pl.read_excel(copy).rows() == [("A", "Köln"), ("B", "x;y")]

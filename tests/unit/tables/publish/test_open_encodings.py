"""An encoding that the words of a file do not decide: asked by one door, refused by the others."""

import pytest

import indistinct as ind
from indistinct.errors import DataError

POLICY = {
    "columns": {
        "age": {"role": "quasi-identifier"},
        "city": {"role": "quasi-identifier"},
        "ill": {"role": "insensitive"},
    },
    "models": [{"name": "k-anonymity", "k": 2}],
}


@pytest.fixture
def few_words(tmp_path):
    rows = [f"{20 + at % 5};town;flu" for at in range(40)] + ["21;K\u00f6ln;flu"] * 2
    path = tmp_path / "in.csv"
    path.write_bytes("\n".join(["age;city;ill", *rows, ""]).encode("cp1252"))
    return path


def test_the_question_stands_first_and_has_two_encodings(few_words):
    inspection = ind.inspect(few_words)
    first = inspection.doubts[0]
    assert (first.about, first.kind, first.order, first.chosen) == (
        ("(file)",),
        "encoding",
        1,
        None,
    )
    assert first.candidates[0].answer == "cp1252"
    assert first.how == '--settle "(file)=cp1252"'
    assert "K\u00f6ln" not in str(first.document())
    assert "encoding =" not in inspection.draft().replace("# encoding =", "")
    with pytest.raises(DataError, match="can be read as cp1252 or as"):
        inspection.draft(yes_to_suggestions=True)


def test_the_preview_shows_the_words_in_both(few_words):
    (shown,) = ind.preview(few_words).open
    assert shown[0][0] == "cp1252"
    assert shown[1][0] == "K\u00f6ln"


def test_a_release_needs_the_encoding_to_be_said(few_words, tmp_path):
    with pytest.raises(DataError, match="can be read as cp1252 or as"):
        ind.anonymize(few_words, POLICY)
    said = POLICY | {"data": {"encoding": "cp1252"}}
    ind.anonymize(few_words, said).write(tmp_path / "out.csv")
    assert "K\u00f6ln" in (tmp_path / "out.csv").read_text(encoding="utf-8")
    with pytest.raises(DataError, match="can be read as cp1252 or as"):
        ind.verify(tmp_path / "out.csv", policy=ind.Policy.from_words(POLICY), original=few_words)


def test_an_answer_settles_it(few_words):
    inspection = ind.inspect(few_words, settle={"(file)": "cp1252"})
    assert not [one for one in inspection.doubts if one.kind == "encoding"]
    assert 'encoding = "cp1252"' in inspection.draft(yes_to_suggestions=True)

"""A fixed part of the fuzz, cases that once failed, and the plain reader's own checks.

It takes more than 20 seconds of a processor: each of some 150 cases is released, written in four
formats, read back and verified three times.
"""

import json
import re
from pathlib import Path

import polars as pl
import pytest

from fuzz.generators import random_case
from fuzz.plain_models import VALUE_MODELS
from fuzz.plain_tables import meaning_of, meant, meant_column, of_frame, parse_text, read_parquet
from fuzz.run import in_folder, smaller_cases
from fuzz.trial import broken_models
from shared import longer

CORPUS = sorted((Path(__file__).parent / "corpus").glob("*.json"))
OPEN = json.loads((Path(__file__).parent / "open.json").read_text(encoding="utf-8"))
CASES_OF_A_BLOCK = 20
SEED = 20_240_600


def closed(outcome):
    """Return the findings of a case that are not known to be open."""
    return closed_findings(outcome.findings)


@pytest.mark.parametrize("block", longer(range(6), range(2)))
def test_random_releases_pass_or_are_refused_in_words(block):
    for number in range(CASES_OF_A_BLOCK):
        seed = SEED + block * CASES_OF_A_BLOCK + number
        assert not closed(in_folder(random_case(seed))), f"case {seed}"


@pytest.mark.slow
@pytest.mark.parametrize("block", range(6, 60))
def test_many_more_random_releases_pass_or_are_refused_in_words(block):
    test_random_releases_pass_or_are_refused_in_words(block)


def words_of(file):
    """Return what a file is named by: the words of its failure, without the number of the case."""
    return re.sub(r"-\d+$", "", file.stem)


# The first of those that failed with the same words.
FIRST_OF_ITS_WORDS = {words_of(file): file for file in reversed(CORPUS)}


@pytest.mark.parametrize(
    "file", longer(CORPUS, FIRST_OF_ITS_WORDS.values()), ids=lambda file: file.stem
)
def test_cases_that_once_failed_pass(file):
    kept = json.loads(file.read_text(encoding="utf-8"))
    findings = in_folder(kept["case"]).findings
    if kept.get("open"):
        assert findings, f"{file.name} passes now: take the word open out of it"
        pytest.xfail(kept["open"])
    assert not closed_findings(findings)


def closed_findings(findings):
    """Give those findings that are not known to be open."""
    return [f for f in findings if not any(f.key.startswith(known) for known in OPEN)]


def test_a_case_is_made_from_its_seed_alone():
    assert json.dumps(random_case(7)) == json.dumps(random_case(7))
    assert random_case(7) != random_case(8)


def test_a_class_of_one_is_found():
    table = of_frame(pl.DataFrame({"q": ["a", "b", "b"]}))
    words = {"columns": {"q": {"role": "quasi-identifier"}}}
    models = {"models": [{"name": "k-anonymity", "k": 2}]}
    assert [found.kind for found in broken_models(words | models, table, table, "csv")]


def test_smaller_cases_lack_something():
    case = random_case(7)
    assert all(len(json.dumps(small)) < len(json.dumps(case)) + 10 for small in smaller_cases(case))


def test_text_is_parsed_as_the_standard_says():
    assert parse_text('a,b\n"x, ""y""\nz",\n"",1\n', ",") == [
        [("a", False), ("b", False)],
        [('x, "y"\nz', False), ("", False)],
        [("", True), ("1", False)],
    ]


def test_a_plain_reader_tells_missing_cells_apart_and_gives_them_one_meaning(tmp_path):
    frame = pl.DataFrame({"t": [None, "", "a"], "f": [None, float("nan"), -0.0]})
    frame.write_parquet(tmp_path / "x.parquet")
    table = read_parquet(tmp_path / "x.parquet")
    assert len(set(table.exact["t"])) == 3
    assert len(set(table.exact["f"])) == 3
    assert table.meaning == {"t": ["", "", "a"], "f": ["", "", 0.0]}
    assert of_frame(frame).meaning == of_frame(frame.to_pandas()).meaning


@pytest.mark.parametrize(
    ("cell", "kind", "text"),
    [
        (1_500, "clock ms", "00:00:01.500"),
        (-1, "moment us", "1969-12-31 23:59:59.999999"),
        (0, "moment ms Europe/Berlin", "1970-01-01 01:00:00 CET"),
        (-90_061_500, "span ms", "-P1DT1H1M1.5S"),
        (0.1, "number", "0.1"),
        (0.25196436047554016, "single", "0.25196436"),
    ],
)
def test_typed_cells_and_texts_have_one_meaning(cell, kind, text):
    assert meaning_of(cell, kind) == meant(text, kind)


def test_days_are_moments_where_no_other_text_of_the_column_has_a_clock():
    days = ["1970-01-02", "", "1970-01-03"]
    assert meant_column(days, "moment us") == [(1, 0), "", (2, 0)]
    assert meant_column([*days, "1970-01-03T00:00:00"], "moment us")[0] == "unread: 1970-01-02"


@pytest.mark.parametrize(
    ("name", "words", "holds"),
    [
        ("distinct-l-diversity", {"l": 2}, True),
        ("distinct-l-diversity", {"l": 3}, False),
        ("probabilistic-l-diversity", {"l": 1.3}, True),
        ("probabilistic-l-diversity", {"l": 1.4}, False),
        ("entropy-l-diversity", {"l": 1.75}, True),
        ("entropy-l-diversity", {"l": 1.76}, False),
        ("recursive-cl-diversity", {"c": 4, "l": 2}, True),
        ("recursive-cl-diversity", {"c": 3, "l": 2}, False),
        ("simpson-diversity", {"d": 1.6}, True),
        ("simpson-diversity", {"d": 1.61}, False),
        ("alpha-k-anonymity", {"alpha": 0.75, "k": 4}, True),
        ("alpha-k-anonymity", {"alpha": 0.74, "k": 4}, False),
        ("t-closeness", {"t": 0.25}, True),
        ("t-closeness", {"t": 0.24}, False),
        ("t-closeness", {"t": 0.1112, "distance": "ordered"}, True),
        ("t-closeness", {"t": 0.111, "distance": "ordered"}, False),
        ("t-closeness", {"t": 0.1667, "distance": "hierarchical"}, True),
        ("t-closeness", {"t": 0.1666, "distance": "hierarchical"}, False),
        ("beta-likeness", {"beta": 0.5, "variant": "basic"}, True),
        ("beta-likeness", {"beta": 0.49, "variant": "basic"}, False),
        ("delta-disclosure", {"delta": 0.41, "absent": "ignore"}, True),
        ("delta-disclosure", {"delta": 5, "absent": "violates"}, False),
    ],
)
def test_plain_models_measure_the_worked_example(name, words, holds):
    """Class B of the worked example in docs/models.md, and its whole table."""
    tree = {"flu": "lungs", "asthma": "lungs", "ulcer": "other", "HIV": "other"}
    whole = ["flu"] * 6 + ["ulcer"] * 3 + ["asthma"] * 2 + ["HIV"]
    further = {"tree": tree, "is_ordered": True} if name == "t-closeness" else {}
    found = VALUE_MODELS[name]([["flu"] * 3 + ["ulcer"]], words, table=whole, **further)
    assert found is holds

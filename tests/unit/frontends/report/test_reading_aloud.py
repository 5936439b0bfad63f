"""Sentences that stopped a reader who was not there when the release was made."""

import html
import re

import polars as pl
import pytest

import indistinct as ind
from indistinct.base.statements.number_texts import figure
from indistinct.frontends.report.thresholds import PRESETS


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """Both pages of a release whose promise says nothing of one sensitive column."""
    folder = tmp_path_factory.mktemp("aloud")
    table = pl.DataFrame(
        {
            "age": [31, 32, 33, 51, 52, 53] * 5,
            "diagnosis": ["flu", "cold", "flu", "cold", "flu", "cold"] * 5,
            "debts": (["none"] * 3 + ["many"] * 3) * 5,
            "ward": ["A", "B"] * 15,
        }
    )
    policy = ind.Policy.from_words(
        {
            "columns": {
                "age": {"role": "quasi-identifier", "hierarchy": {"intervals": [10]}},
                "diagnosis": {"role": "sensitive"},
                "debts": {"role": "sensitive"},
                "ward": {"role": "insensitive"},
            },
            "models": [
                {"name": "k-anonymity", "k": 5},
                {"name": "distinct-l-diversity", "column": "diagnosis", "l": 2},
            ],
            "method": {"algorithm": "optimal"},
        }
    )
    release = ind.anonymize(table, policy)
    said = {}
    for name, public in (("owner", False), ("public", True)):
        release.report(folder / f"{name}.html", public=public)
        text = re.sub(r"<[^>]+>", " ", (folder / f"{name}.html").read_text(encoding="utf-8"))
        said[name] = " ".join(html.unescape(text).split())
    return said


def test_the_verdict_names_what_it_does_not_cover(pages):
    """The promise holds, and every debt is known from the group: section 1 says so."""
    verdict = pages["owner"].partition("2 Context of the release")[0]
    assert "The promise holds." in verdict
    assert "For 100% of the released records, the value of the sensitive column debts" in verdict
    assert "sensitive column diagnosis" not in verdict


def test_both_pages_name_the_sensitive_column_that_no_model_protects(pages):
    for page in pages.values():
        assert "No model of the policy protects the values of debts" in page


def test_columns_that_no_model_looks_at_are_said_to_be_unchanged(pages):
    """A reader who needs them does not find them in the charts."""
    assert "The columns debts and ward are unchanged." in pages["owner"]


def test_a_threshold_says_what_of_it_was_not_confirmed(pages):
    """Neither number was read in its document."""
    assert "commonly attributed to this document" in pages["owner"]
    assert "groups of at least 11 is how the number is usually read" in pages["owner"]
    for preset in PRESETS.values():
        assert "neither was confirmed in the text of the document" in preset.confirmed


def test_numbers_that_nobody_reads_are_powers_of_ten():
    """The last digits of such sums are rounding, which differs between machines."""
    assert figure(6_734_346_940_777_913_344.0) == "6.734 \N{MULTIPLICATION SIGN} 10^18"
    assert figure(-2.5e12) == "-2.500 \N{MULTIPLICATION SIGN} 10^12"
    assert figure(315_784_840.0) == "315,784,840"

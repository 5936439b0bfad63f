"""The book of a column's cells: for every kind of hierarchy, and beside what verification reads."""

import math

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st

import indistinct as ind
from indistinct.base.hierarchy import ROOT
from indistinct.tables.counting.columns import encode_column
from indistinct.tables.frames.texts import filled_texts
from indistinct.tables.policy.hierarchies import hierarchy_of, listed_values
from indistinct.tables.policy.sections.hierarchy import HierarchyRule
from indistinct.tables.release.cells import read_ends
from indistinct.tables.release.column_cells import cells_on, scale_of
from indistinct.tables.release.released import column_scale, count_release
from indistinct.tables.verification.rendering import Renderer
from indistinct.tables.verification.suggestion import suggested_rule
from shared import examples

TREE = {"lungs": ["flu", "asthma"], "belly": ["ulcer", "gastritis"]}
RULES = {
    "intervals": ind.intervals(5, 10, 40),
    "fractions": ind.intervals(0.1, 0.5),
    "mask": ind.mask(3),
    "dates": ind.dates("month", "quarter", "year", "decade"),
    "half years": ind.dates("half-year", "five-years", "twenty-years"),
    "years": ind.dates("year"),
    "tree": ind.tree(TREE),
    "file": None,  # written by a fixture
    "words": None,
    "numbers": None,
    "days": None,
    "codes": None,
}
PLACES = {  # a label may stay as it is at the next level; the missing value is listed, too
    "u": ("u", "town"), "v": ("north", "town"), "w": ("north", "town"), "x": ("x", "country"),
    "": ("", "country"),
}  # fmt: skip
NUMBERS = ("intervals", "fractions", "numbers")
TYPES = {"intervals": pl.Int64, "numbers": pl.Int64, "fractions": pl.Float64}
TYPES |= {"half years": pl.Date, "dates": pl.Date, "years": pl.Date, "days": pl.Date}
VALUES = {
    "intervals": st.integers(-45, 45),
    "fractions": st.integers(-30, 30).map(lambda step: step / 20),
    "mask": st.sampled_from(["101", "102", "120", "203", "31", "7"]),
    "dates": st.dates(),
    "half years": st.dates(),
    "years": st.dates(),
    "tree": st.sampled_from(["flu", "asthma", "ulcer", "gastritis"]),
    "file": st.sampled_from(["u", "v", "w", "x"]),
    "words": st.sampled_from(["a", "b", "c c", "[d", "1e"]),
    "numbers": st.integers(100, 190),
    "days": st.dates(),
    "codes": st.sampled_from(["30159", "30161", "80331", "80333"]),
}
KINDS = pytest.mark.parametrize("kind", RULES)


@pytest.fixture(scope="module")
def rules(tmp_path_factory):
    """Every kind of rule, one of them in a file."""
    path = tmp_path_factory.mktemp("hierarchies") / "places.csv"
    rows = [";".join((place, *above)) for place, above in PLACES.items()]
    path.write_text("\n".join(rows), encoding="utf-8")
    return {**RULES, "file": ind.from_csv(path, separator=";")}


@st.composite
def columns(draw, kind, rules):
    """Return a policy and a column of one kind; some of those that may lack values do."""
    values = draw(st.lists(VALUES[kind], min_size=1, max_size=12))
    values += [None] if kind != "tree" and draw(st.booleans()) else []
    words = {"role": "quasi-identifier"}
    words |= {"hierarchy": rules[kind]} if rules[kind] else {}
    policy = ind.Policy(columns={"c": words}, models=[ind.KAnonymity(k=2)])
    return policy, pl.DataFrame({"c": pl.Series("c", values, dtype=TYPES.get(kind, pl.String))})


def under(book, cell):
    """Return the codes that a cell covers."""
    runs = range(book.cover.starts[cell], book.cover.starts[cell + 1])
    return {c for r in runs for c in range(book.cover.lows[r], book.cover.highs[r])}


@KINDS
@examples(10)
@given(st.data())
def test_every_label_is_found_with_its_values(kind, rules, data):
    """A label covers exactly the values that read so at some level, and lies around them."""
    policy, frame = data.draw(columns(kind, rules))
    encoded = encode_column(frame, policy.rule_of("c"))
    hierarchy = hierarchy_of(policy.rule_of("c"), encoded)
    texts = sorted({label for labels in hierarchy.labels for label in labels} | {ROOT})
    line = scale_of(policy.rule_of("c"), encoded)
    book, own = cells_on(line, texts), cells_on(line, encoded.texts)
    assert book.are_cells.all()
    assert own.are_cells.all()
    for cell, text in enumerate(texts):
        levels = {level for level, labels in enumerate(hierarchy.labels) if text in labels}
        covered = {
            code for level in levels for code, label in enumerate(hierarchy.codes[level])
            if hierarchy.labels[level][label] == text
        }  # fmt: skip
        everything = set(range(len(encoded.texts)))
        assert under(book, cell) == (everything if text == ROOT else covered), text
        is_value = text in listed_values(policy.rule_of("c"))
        lowest = book.root_level if text == ROOT else 0 if is_value else min(levels)
        assert book.levels[cell] == lowest, text
        if cell in {book.hidden, book.missing}:
            continue
        places = sorted(under(book, cell))
        assert all(book.starts[cell] <= start for start in own.starts[places])
        assert all(end <= book.ends[cell] for end in own.ends[places])


def reader(rule, frame):
    """Return what verification takes the column's values to read as."""
    if rule.hierarchy is None:
        suggested = suggested_rule(frame["c"])
        rule = rule.suggested(suggested or HierarchyRule(labels=()))
    return Renderer.of(rule)


@KINDS
@examples(10)
@given(st.data())
def test_verification_reads_the_same(kind, rules, data):
    """Its own parser allows each cell at the same levels, over the same values."""
    policy, frame = data.draw(columns(kind, rules))
    others = data.draw(st.lists(VALUES[kind], max_size=4))
    encoded = encode_column(frame, policy.rule_of("c"))
    plainly = reader(policy.rule_of("c"), frame)
    hierarchy = hierarchy_of(policy.rule_of("c"), encoded)
    texts = {label for labels in hierarchy.labels for label in labels} | {ROOT}
    strange = pl.DataFrame({"c": pl.Series("c", others, dtype=TYPES.get(kind, pl.String))})
    strange = {label for text in encode_column(strange, policy.rule_of("c")).texts
               for label in (text, *plainly.above(text))}  # fmt: skip
    texts = sorted(texts | strange)
    book = cells_on(scale_of(policy.rule_of("c"), encoded), texts)
    for cell, text in enumerate(texts):
        covered = {
            code for code, value in enumerate(encoded.texts) if plainly.is_below(text, value)
        }
        assert under(book, cell) == covered, text
        allowed = plainly.levels(text)
        if rules[kind] and book.are_cells[cell] and text.strip(ROOT):
            assert book.levels[cell] == min(allowed), text


@KINDS
@examples(10)
@given(st.data())
def test_a_counted_column_is_decoded_again(kind, rules, data):
    """Encoding and decoding give every record's own cell; weights are the records of each."""
    policy, frame = data.draw(columns(kind, rules))
    table = count_release(frame, [column_scale(frame, policy.rule_of("c"))])
    texts = [table.books[0].texts[cell] for cell in table.records[:, 0]]
    assert texts == filled_texts(frame["c"]).to_list()
    assert table.weights.tolist() == np.bincount(table.row_of).tolist()
    cells, weights = table.among([0])
    assert sorted(weights.tolist()) == sorted(frame["c"].value_counts()["count"].to_list())
    assert len(cells) == len(set(texts))


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(NUMBERS), st.data())
def test_spans_keep_the_order_of_numbers(rules, kind, data):
    """Of two numbers the smaller lies before the greater, whatever the column has."""
    policy, frame = data.draw(columns(kind, rules))
    book = cells_on(
        column_scale(frame, policy.rule_of("c")), encode_column(frame, policy.rule_of("c")).texts
    )
    known = book.starts[~np.isnan(book.starts)]
    assert (np.diff(known) > 0).all()
    assert (book.ends[: len(known) - 1] <= known[1:]).all()


def test_ends_are_read_as_they_are_written():
    """Numbers and ranges, open and closed; anything else has no ends."""
    texts = ["[1, 3)", "[1, 3]", "-2.5", "1e+16", "[3, 3]", "[1,3)", "(1, 3)", "[1, 3)\n", "one"]
    ends = read_ends(texts)
    assert ends.lows[:5].tolist() == [1, 1, -2.5, 1e16, 3]
    assert ends.highs[:5].tolist() == [3, 3, -2.5, 1e16, 3]
    assert ends.is_open.tolist() == [True] + [False] * 8
    assert ends.are_written.tolist() == [True] * 5 + [False] * 4
    assert ends.after[0] == 3 < ends.after[1] == math.nextafter(3, 4)

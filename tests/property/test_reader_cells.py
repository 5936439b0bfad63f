"""The reader's own definition of cells against the hierarchies that makers build.

The two share no code: which text stands at which level, what it covers, and what is above it must
be the same for every kind of hierarchy.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl
import pytest
from hypothesis import given, settings, strategies as st

import indistinct as ind
from indistinct.base.hierarchy import ROOT
from indistinct.tables.core.date_hierarchies import DATE_LEVELS
from indistinct.tables.counting.columns import encode_column
from indistinct.tables.policy.hierarchies import hierarchy_of
from indistinct.tables.policy.sections.hierarchy import HierarchyRule
from indistinct.tables.verification.input import known
from indistinct.tables.verification.rendering import Renderer
from indistinct.tables.verification.suggestion import suggested_rule

WORDS = st.text("abcdxyz ", min_size=1, max_size=4)
CODES = st.text("0123456789A", min_size=1, max_size=6)
WHOLE = st.integers(-10_000, 10_000)
HALVES = st.integers(-40_000, 40_000).map(lambda n: n / 40)
DATES = st.dates()
STEPS = list(DATE_LEVELS[3:])


@st.composite
def interval_rules(draw):
    """Draw widths of which each is a multiple of the one before."""
    widths = [draw(st.sampled_from([0.1, 0.25, 0.5, 1, 2, 5, 10, 30]))]
    for factor in draw(st.lists(st.sampled_from([2, 3, 5]), max_size=3)):
        widths.append(widths[-1] * factor)
    return {"intervals": widths}


@st.composite
def listed(draw, kind):
    """Draw values and the groups, and groups of groups, that they are listed in."""
    values = draw(st.lists(WORDS, min_size=1, max_size=8, unique=True))
    groups = [f"group {draw(st.integers(0, 3))}" for _ in values]
    parts = [f"part {int(group[-1]) // 2}" for group in groups]
    if kind == "csv":
        rows = [
            f'"{value}","{group}","{part}","*"'
            for value, group, part in zip(values, groups, parts, strict=True)
        ]
        return values, "\n".join(rows)
    tree = {}
    for value, group, part in zip(values, groups, parts, strict=True):
        tree.setdefault(part, {}).setdefault(group, []).append(value)
    return values, {"tree": tree}


def drawn_rule(draw, kind):
    """Draw values of a kind, and what the policy says of their hierarchy."""
    if kind in {"csv", "tree"}:
        values, rule = draw(listed(kind))
        return draw(st.lists(st.sampled_from(values), min_size=1, max_size=8)), rule
    values, rules = {
        "intervals of whole numbers": (WHOLE, interval_rules()),
        "intervals": (HALVES, interval_rules()),
        "masks": (CODES, st.integers(1, 8).map(lambda hidden: {"mask": hidden})),
        "dates": (
            DATES,
            st.sets(st.sampled_from(STEPS), min_size=1).map(
                lambda some: {"dates": sorted(some, key=STEPS.index)}
            ),
        ),
        "none, whole numbers": (WHOLE, st.none()),
        "none, numbers": (HALVES, st.none()),
        "none, dates": (DATES, st.none()),
        "none, codes": (st.text("0123456789", min_size=5, max_size=5), st.none()),
        "none, words": (WORDS, st.none()),
    }[kind]
    return draw(st.lists(values, min_size=1, max_size=12)), draw(rules)


def both(values, rule, folder, *, missing):
    """Return the hierarchy over the values, and the reader's cells; the missing value is empty."""
    says = {"role": "quasi-identifier"}
    if isinstance(rule, str):
        Path(folder, "rows.csv").write_text(rule + '\n"?","?","?","*"\n', encoding="utf-8")
        says["hierarchy"] = {"csv": str(Path(folder, "rows.csv")), "separator": ","}
    elif rule is not None:
        says["hierarchy"] = rule
    policy = ind.Policy.from_words(
        {"columns": {"x": says}, "models": [{"name": "k-anonymity", "k": 2}],
         "data": {"missing": ["", "?"]}}
    )  # fmt: skip
    frame = pl.DataFrame({"x": [*values, *([None] if missing else [])]})
    hierarchy = hierarchy_of(policy.rule_of("x"), encode_column(frame, policy.rule_of("x")))
    asked = policy.rule_of("x")
    if asked.hierarchy is None:
        suggested = suggested_rule(known(frame["x"], policy.data.missing))
        asked = asked.suggested(suggested or HierarchyRule(labels=()))  # words are kept or hidden
    return hierarchy, Renderer.of(asked)


def rooted(labels, value):
    """Leave out what repeats the label below; a mask that hides all characters is the root."""
    chain = [value]
    for label in labels:
        kept = label if label.strip(ROOT) or not label else ROOT
        if kept != chain[-1]:
            chain.append(kept)
    return chain[1:]


KINDS = [
    "intervals of whole numbers", "intervals", "masks", "dates", "csv", "tree",
    "none, whole numbers", "none, numbers", "none, dates", "none, codes", "none, words",
]  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_reader_and_maker_mean_the_same_by_every_cell(kind):
    """Levels, values covered and labels above agree, the missing value included."""

    @settings(deadline=None)
    @given(st.data())
    def check(data):
        values, rule = drawn_rule(data.draw, kind)
        missing = kind != "tree" and data.draw(st.booleans())  # a tree does not list it
        with TemporaryDirectory() as folder:
            hierarchy, cells = both(values, rule, folder, missing=missing)
        labels = [
            [names[code] for code in codes]
            for names, codes in zip(hierarchy.labels, hierarchy.codes, strict=True)
        ]
        for cell in {label for level in labels for label in level}:
            stands = [level for level, row in enumerate(labels) if cell in row]
            allowed = list(cells.levels(cell))
            if not cell.strip("*?"):
                # Without the data a reader knows neither how high the root is, nor whether a mask
                # that hides all characters of all values has become it; what is missing has its
                # own label at every level.
                assert set(stands) <= set(allowed)
            else:
                assert allowed == stands
            for place, value in enumerate(hierarchy.values):
                is_below = any(row[place] == cell for row in labels)
                assert cells.is_below(cell, value) is is_below, (cell, value)
        for place, value in enumerate(hierarchy.values):
            assert rooted(cells.above(value), value) == rooted(
                [*(row[place] for row in labels[1:]), ROOT], value
            )

    check()


@pytest.mark.parametrize("kind", ["csv", "tree"])
def test_no_other_text_is_a_cell_of_listed_values(kind):
    """A reader allows no text at any level that the hierarchy does not have."""

    @settings(deadline=None)
    @given(st.data(), st.text(max_size=4))
    def check(data, text):
        values, rule = drawn_rule(data.draw, kind)
        with TemporaryDirectory() as folder:
            hierarchy, cells = both(values, rule, folder, missing=False)
            has = {label for level in hierarchy.labels for label in level} | {ROOT, "", "?"}
        assert text in has or not cells.levels(text)

    check()

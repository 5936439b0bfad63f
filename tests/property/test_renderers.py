"""Labels as makers write them, and as verification renders the policy's words: two definitions."""

import datetime as dt
from dataclasses import replace

import polars as pl
import pytest
from hypothesis import assume, given, settings, strategies as st

import indistinct as ind
from indistinct.base.hierarchy import ROOT
from indistinct.errors import HierarchyError
from indistinct.tables.core import date_hierarchies, interval_hierarchies
from indistinct.tables.core.date_hierarchies import DATE_LEVELS
from indistinct.tables.counting.columns import encode_column
from indistinct.tables.policy import hierarchies
from indistinct.tables.policy.hierarchies import hierarchy_of
from indistinct.tables.policy.specification import resolve
from indistinct.tables.release import codebook
from indistinct.tables.release.codebook import codebook_of
from indistinct.tables.verification import listed, periods, rendering
from indistinct.tables.verification.rendering import Renderer
from shared import examples

STEPS = list(DATE_LEVELS[3:])
LISTED = [
    ["Single", "Alone", "Alone", "*"],
    ["Widowed", "Alone", "Alone", "*"],
    ["Married", "Pair", "Together", "*"],
    ["Other", "Other", "Other", "*"],
    ["Pair", "Two", "Together", "*"],
]
WORDS = [row[0] for row in LISTED]


def _steps(steps):
    some = st.sets(st.sampled_from(steps), min_size=1)
    return some.map(lambda found: {"dates": sorted(found, key=DATE_LEVELS.index)})


@st.composite
def _widths(draw):
    widths = [draw(st.sampled_from([0.1, 0.25, 0.3, 1, 2, 5, 7]))]
    for factor in draw(st.lists(st.sampled_from([2, 3, 5]), max_size=3)):
        widths.append(widths[-1] * factor)
    return {"intervals": widths}


@st.composite
def _lists(draw):
    """Draw rows in which labels repeat values, labels of other groups, and themselves."""
    above = {word: draw(st.sampled_from([word, "A", "B", WORDS[0]])) for word in WORDS}
    higher = {one: draw(st.sampled_from([one, "A", "C"])) for one in {*above.values()}}
    return {"rows": [[word, above[word], higher[above[word]], "*"] for word in WORDS]}


MASKS = st.integers(1, 6).map(lambda hidden: {"mask": hidden})
KINDS = {
    "whole numbers": (st.integers(-10_000, 10_000), _widths()),
    "fractions": (st.integers(-40_000, 40_000).map(lambda n: n / 40), _widths()),
    "codes": (st.text("0123456789A", min_size=1, max_size=6), MASKS),
    "numbers": (st.integers(0, 99_999), MASKS),
    "days": (st.dates(dt.date(2, 1, 1)), _steps(["day", *STEPS])),
    "weeks": (st.dates(dt.date(2, 1, 1)), _steps(["day", "week"])),
    "moments": (
        st.datetimes(dt.datetime(2, 1, 1)).map(lambda one: one.replace(microsecond=0)),  # noqa: DTZ001
        _steps(["hour", "day", *STEPS]),
    ),
    "words": (st.sampled_from(WORDS), _lists()),
}


def policy_of(rule, level):
    words = {"role": "quasi-identifier", "hierarchy": rule, "min_level": level}
    return ind.Policy.from_words(
        {"columns": {"c": words}, "models": [{"name": "k-anonymity", "k": 2}]}
    )


def differences(policy, frame, chosen=lambda texts: texts):
    """List where the two say something else of a column.

    Parameters
    ----------
    chosen : of the labels, those that a release shows
    """
    rule = policy.rule_of("c")
    encoded = encode_column(frame, rule)
    hierarchy = hierarchy_of(rule, encoded)
    renderer = Renderer.of(rule)
    found, texts = [], set()
    for level, (labels, codes) in enumerate(zip(hierarchy.labels, hierarchy.codes, strict=True)):
        own = dict(zip(hierarchy.values, (labels[code] for code in codes), strict=True))
        texts |= {text for text in own.values() if level >= rule.words.min_level}
        for value, text in own.items():
            # Where all values are hidden by a mask, the missing one is below the same root.
            if renderer.text_of(level, value) != text and (value or text != ROOT):
                found.append((level, value, text))
            if text and level not in renderer.levels(text):
                found.append((level, text))
            below = {one for one in own if own[one] == text}
            if value and {one for one in own if one and renderer.is_below(text, one)} < below - {
                ""
            }:
                found.append((text, below))
    shown = chosen(sorted(texts - {ROOT, ""}))
    said = codebook_of(resolve(policy), {"c": {*shown}})["c"]["cells"]
    found += [
        entry for entry in said if entry not in [one.words for one in renderer.entries(shown)]
    ]
    return found + [one for one in renderer.entries(shown) if one.words not in said]


def _agree(data, kind):
    values, rules = KINDS[kind]
    column = data.draw(st.lists(values, min_size=1, max_size=8))
    column += [None] if kind != "words" and data.draw(st.booleans()) else []
    policy = policy_of(data.draw(rules), data.draw(st.integers(0, 1)))
    frame = pl.DataFrame({"c": column})
    try:
        hierarchy_of(policy.rule_of("c"), encode_column(frame, policy.rule_of("c")))
    except HierarchyError:
        assume(False)
    assert (
        differences(policy, frame, lambda texts: [t for t in texts if data.draw(st.booleans())])
        == []
    )


@pytest.mark.parametrize("kind", KINDS)
def test_both_write_the_same_labels(kind):
    @examples(15)
    @given(st.data())
    def check(data):
        _agree(data, kind)

    check()


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_both_write_the_same_labels_under_many_rules(kind):
    @settings(deadline=None, max_examples=250)
    @given(st.data())
    def check(data):
        _agree(data, kind)

    check()


SAMPLES = {
    "intervals": ({"intervals": [5, 10]}, [-7, -5, 0, 4, 5, 29, 30]),
    "dates": (
        {"dates": ["day", "month", "quarter", "half-year", "year", "five-years"]},
        [dt.date(2020, 1, 1), dt.date(2020, 6, 30), dt.date(2020, 7, 1), dt.date(2024, 12, 31)],
    ),
    "mask": ({"mask": 3}, ["4", "47", "47101", "471", "48101"]),
    "list": ({"rows": LISTED}, WORDS),
}


def all_differences():
    return [
        one
        for rule, values in SAMPLES.values()
        for level in (0, 1, 2)
        for one in differences(policy_of(rule, level), pl.DataFrame({"c": values}))
    ]


def shifted(text, step):
    """Take the last month of a quarter for the first of the next."""
    own = _period_around(text, step)
    return own.replace("Q2", "Q3") if own and step == "quarter" else own


_period_around = periods.period_around
_interval_around = rendering.interval_around
_step = interval_hierarchies.interval_step
_codebook_entries = codebook._listed
_date_label = date_hierarchies.dated_label
_masks = hierarchies.from_masks

BUGS = {
    "an interval includes its upper end": lambda patch: patch.setattr(
        rendering,
        "interval_around",
        lambda number, width: _interval_around(
            str(float(number) - 1) if float(number) % width == 0 else number, width
        ),
    ),
    "a quarter is another": lambda patch: patch.setattr(rendering, "period_around", shifted),
    "a mask hides one character less": lambda patch: patch.setitem(
        rendering.RENDERED,
        "mask",
        lambda rule, level, value: (value[: len(value) - level + 1] + ROOT * (level - 1)) or ROOT,
    ),
    "a list is read a level too high": lambda patch: patch.setattr(
        rendering,
        "list_of",
        lambda rule, as_texts=False: (
            None
            if (own := listed.list_of(rule)) is None
            else replace(own, paths={v: [v, *path[2:], "*"] for v, path in own.paths.items()})
        ),
    ),
    "the maker starts intervals elsewhere": lambda patch: patch.setattr(
        interval_hierarchies, "interval_step", lambda number, width: _step(number, width) + 1
    ),
    "the maker writes years for half years": lambda patch: patch.setattr(
        date_hierarchies,
        "dated_label",
        lambda text, step: _date_label(text, "year" if step == "half-year" else step),
    ),
    "the maker hides one character less": lambda patch: patch.setattr(
        hierarchies, "from_masks", lambda values, hidden, *more: _masks(values, hidden - 1, *more)
    ),
    "the codebook has other levels": lambda patch: patch.setattr(
        codebook,
        "_listed",
        lambda rule, shown: {
            text: one._replace(level=one.level + 1)
            for text, one in _codebook_entries(rule, shown).items()
        },
    ),
    "the codebook leaves a label out": lambda patch: patch.setattr(
        codebook,
        "_listed",
        lambda rule, shown: dict(list(_codebook_entries(rule, shown).items())[1:]),
    ),
}


@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_on_either_side_is_found(bug, monkeypatch):
    assert all_differences() == []
    BUGS[bug](monkeypatch)
    assert all_differences()

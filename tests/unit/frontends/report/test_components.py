"""Every component: escaped, accessible, with its numbers behind each chart."""

import re
from html.parser import HTMLParser

import pytest

from components_page import HOSTILE, every_component
from indistinct.frontends.report.charts.bars import Bar, bar_chart
from indistinct.frontends.report.charts.heat_map import field_style
from indistinct.frontends.report.charts.pairs import Pair, pair_chart
from indistinct.frontends.report.components import Callout, Table, Tone
from indistinct.frontends.report.drawing import shortened, text_width
from indistinct.frontends.report.pages import fragment_of, html_of


class Tags(HTMLParser):
    """Collects the tags of a page, and fails where they do not nest."""

    def __init__(self, text):
        super().__init__()
        self.open, self.found = [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))
        if tag not in {"meta", "link", "rect", "line"}:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        if tag not in {"rect", "line"}:
            assert self.open.pop() == tag


@pytest.fixture(scope="module")
def text():
    return html_of(every_component())


def test_whatever_is_put_in_is_escaped(text):
    assert "<script" not in text
    assert text.count("&lt;script&gt;alert(1)&lt;/script&gt;") >= 8


def test_tags_nest_and_ids_are_unique(text):
    tags = Tags(text)
    ids = [attrs["id"] for _, attrs in tags.found if "id" in attrs]
    assert not tags.open
    assert len(ids) == len(set(ids)) > 8


def test_a_page_fetches_nothing_and_has_no_script(text):
    tags = Tags(text)
    addresses = [v for _, attrs in tags.found for k, v in attrs.items() if k in {"src", "href"}]
    assert {address[:1] for address in addresses if address != "data:,"} == {"#"}
    assert "script" not in {tag for tag, _ in tags.found}
    assert "url(" not in text
    assert "@import" not in text


def test_every_chart_is_named_described_and_has_its_numbers_in_a_table(text):
    charts = re.findall(r"<figure class=\"chart\">.*?</figure>", text, re.DOTALL)
    assert len(charts) == 4
    for chart in charts:
        names = re.search(r'role="img" aria-labelledby="([^"]+)"', chart)[1].split()
        assert all(re.search(rf'<(title|desc) id="{name}">[^<]+<', chart) for name in names)
        assert "<table>" in chart


def test_a_bar_is_as_long_as_its_number():
    bars = [Bar("a", (2.0,), "2"), Bar("b", (1.0, 0.5), "1 and a half")]
    drawing = bar_chart("n", "t", "d", bars, heads=("l", "n")).drawing
    lengths = [mark.width for mark in drawing.marks if mark.kind == "rect"]
    assert lengths[0] / lengths[1] == pytest.approx(2)
    assert lengths[1] / lengths[2] == pytest.approx(2)


@pytest.mark.parametrize("in_order", [False, True])
def test_before_and_after_have_one_scale(in_order):
    pair = Pair(["a", "b"], [0.8, 0.2], [0.4, 0.6], in_order)
    drawing = pair_chart("n", "t", "d", pair).drawing
    side = "height" if in_order else "width"
    of = {
        style: [getattr(m, side) for m in drawing.marks if m.kind == "rect" and m.style == style][
            1:
        ]
        for style in ("before", "after")
    }
    assert of["before"][0] / of["after"][0] == pytest.approx(2)
    assert of["before"][1] / of["after"][1] == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("figure", "style"),
    [(0.0, "even"), (0.004, "even"), (0.25, "more-1"), (-0.26, "less-2"), (-3.0, "less-4")],
)
def test_the_color_of_a_field_follows_its_figure(figure, style):
    assert field_style(figure, 1.0) == style


def test_a_long_label_says_that_it_was_cut():
    assert shortened("abc", 100) == "abc"
    assert shortened("a" * 50, 66).endswith("…")
    assert len(shortened("a" * 50, 66)) <= 11
    assert text_width(["<=50K"]) > text_width(["a50bK"]) == text_width(["abcde"])
    assert shortened("<=50K", text_width(["<=50K"])) == "<=50K"


def test_charts_without_numbers_are_empty_pictures():
    assert bar_chart("n", "t", "d", [], heads=("a", "b")).drawing.width > 0
    assert pair_chart("n", "t", "d", Pair([], [], [], in_order=True)).drawing.height > 0


def test_a_fragment_keeps_its_styles_to_itself():
    text = fragment_of(Callout("Mind this.", HOSTILE, Tone.BAD), Table("t", ("a",), [("b",)]))
    assert "@scope (.indistinct)" in text
    assert "<script" not in text
    assert "<body" not in text

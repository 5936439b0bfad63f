"""The style guide says the colors as they are, and every pair of them can be read."""

import re
from pathlib import Path

import pytest

from app_visits import patients, prepare, searched, visiting
from indistinct.frontends.app import screen
from shared import ROOT

GUIDE = Path(ROOT / "docs" / "contributing" / "style-guide.md")
READABLE = 4.5  # WCAG 2.2, AA, for texts of any size
PAIRS = (
    ("ink", "paper"),
    ("ink", "raised"),
    ("soft", "paper"),
    ("soft", "raised"),
    ("link", "paper"),
    ("paper", "accent"),
    ("good", "good-paper"),
    ("warning", "warning-paper"),
    ("ink", "warning-paper"),
    ("soft", "warning-paper"),
    ("bad", "bad-paper"),
)


def colors():
    """Return the colors of the light pages, and of the dark ones."""
    sheet = screen.style()
    light, dark = (
        re.search(r":root.*?\}", sheet, re.DOTALL),
        re.search(r"prefers-color-scheme: dark\) \{ :root.*?\}", sheet, re.DOTALL),
    )
    return [dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", one.group())) for one in (light, dark)]


def contrast(first, second):
    """Return the ratio of the luminances of two colors, as WCAG 2.2 defines it."""
    bright, dim = sorted(map(luminance, (first, second)), reverse=True)
    return (bright + 0.05) / (dim + 0.05)


def luminance(color):
    parts = [int(color[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in parts]
    return sum(weight * one for weight, one in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def test_black_on_white_has_the_contrast_of_the_definition():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_every_pair_of_colors_can_be_read_and_stands_in_the_guide(first, second):
    ratios = [contrast(of[first], of[second]) for of in colors()]
    assert min(ratios) >= READABLE
    row = f"| `{first}` on `{second}` | {ratios[0]:.1f} | {ratios[1]:.1f} |"
    assert row in GUIDE.read_text(encoding="utf-8"), row


FILLED = re.compile(r'<button(?! hidden)(?![^>]*class="(?:quiet|plain))[^>]*>|<a class="button"')
PAGES = ("data", "people", "roles", "hierarchies", "hierarchies/0", "promise", "search", "explore",
         "compare", "release", "script", "history", "graph", "questions")  # fmt: skip


def test_a_page_has_one_filled_button_at_most(tmp_path):
    """It leads to the next step; whoever opens a page sees at once which it is."""
    path = patients(tmp_path)
    with visiting(tmp_path, path) as visitor:
        prepare(visitor)
        for is_found in (False, True):
            if is_found:
                searched(visitor)
            for page in PAGES:
                work = visitor.get(f"/{page}").text.partition("<main")[2]
                assert len(FILLED.findall(work)) <= 1, (page, FILLED.findall(work))

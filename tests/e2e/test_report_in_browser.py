"""Pages in a browser: light, dark, print; nothing in the console, no request, accessible."""

import shutil
from pathlib import Path

import polars as pl
import pytest

import indistinct as ind
from components_page import every_component
from indistinct.frontends.report.pages import html_of
from printed import heights_of_texts
from reported import write_pages

CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"
pytestmark = pytest.mark.skipif(not Path(CHROMIUM).exists(), reason="there is no Chromium")


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    (folder / "components.html").write_text(html_of(every_component()), encoding="utf-8")
    return {**write_pages(folder), "components": folder / "components.html"}


@pytest.fixture(scope="module")
def browser():
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as started:
        chromium = started.chromium.launch(executable_path=CHROMIUM)
        yield chromium
        chromium.close()


def opened(browser, page, *, dark=False, width=900):
    """Open a page, and note what it says to the console and whom it asks for anything."""
    scheme = "dark" if dark else "light"
    context = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": 900})
    tab, noted = context.new_page(), []
    tab.on("console", lambda message: noted.append(message.text))
    tab.on("pageerror", lambda error: noted.append(str(error)))
    tab.on("request", lambda request: noted.append(request.url))
    tab.goto(page.as_uri())
    return tab, [one for one in noted if one != page.as_uri()]


SLOW = [pytest.param(name, marks=pytest.mark.slow) for name in ("public", "components")]


@pytest.mark.parametrize("name", ["owner", *SLOW])
@pytest.mark.parametrize("medium", ["light", "dark", "print"])
def test_a_page_is_quiet_and_accessible(browser, pages, name, medium):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    tab, noted = opened(browser, pages[name], dark=medium == "dark")
    if medium == "print":
        tab.emulate_media(media="print")
    tab.eval_on_selector_all("details", "all => all.forEach(one => one.open = true)")
    assert noted == []
    found = axe.Axe().run(tab).response["violations"]
    assert [(one["id"], one["nodes"][0]["html"][:120]) for one in found] == []
    tab.context.close()


def test_the_check_finds_what_is_wrong(browser, tmp_path):
    """A page whose text is as pale as its paper, and whose chart has no name, does not pass."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    page = tmp_path / "pale.html"
    wrong = html_of(every_component()).replace("--ink: #17202b", "--ink: #eeeeee")
    page.write_text(wrong.replace("<title id=", "<desc id="), encoding="utf-8")
    tab, _ = opened(browser, page)
    found = {one["id"] for one in axe.Axe().run(tab).response["violations"]}
    assert "color-contrast" in found
    tab.context.close()


def test_nothing_is_wider_than_a_small_screen(browser, pages):
    for name in ("owner", "public"):
        tab, _ = opened(browser, pages[name], width=380)
        assert tab.evaluate("document.documentElement.scrollWidth") <= 380
        tab.context.close()


def test_every_printed_page_carries_its_marking(browser, pages, tmp_path):
    tab, _ = opened(browser, pages["owner"])
    tab.emulate_media(media="print")
    marking = tab.locator("p.marking")
    assert marking.is_visible()
    assert marking.evaluate("one => getComputedStyle(one).position") == "fixed"
    assert "Confidential" in marking.inner_text()
    assert tab.locator("details table").first.is_visible()
    tab.context.close()


@pytest.mark.slow
def test_a_report_on_36_columns_prints_on_twelve_pages_below_which_its_marking_stands(
    browser, tmp_path
):
    """No text of a page is within a line of the marking, which is the lowest text of each."""
    rows = range(400)
    columns = {f"column_{n}": [(row * (n + 3)) % (5 + n % 7) for row in rows] for n in range(36)}
    roles = ["quasi-identifier"] * 10 + ["sensitive"] * 8 + ["insensitive"] * 18
    policy = ind.Policy.from_words(
        {
            "columns": {name: {"role": role} for name, role in zip(columns, roles, strict=True)},
            "models": [{"name": "k-anonymity", "k": 5}],
            "release": {"read_back": "accepted"},
            "method": {"algorithm": "mondrian", "max_suppression": 0.1},
        }
    )
    ind.anonymize(pl.DataFrame(columns), policy, seed=1).report(tmp_path / "wide.html")
    tab, _ = opened(browser, tmp_path / "wide.html")
    pages = heights_of_texts(tab.pdf(prefer_css_page_size=True))
    tab.context.close()
    assert 3 < len(pages) <= 12
    lowest = {page[-1] for page in pages}
    assert len(lowest) == 1
    assert all(page[-1] - page[-2] > 12 for page in pages)

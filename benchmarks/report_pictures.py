"""Take the pictures of docs/reports.md and the README from a report of fictitious patients.

    python benchmarks/report_pictures.py docs/images

It needs the extra for tests and a Chromium, whose path CHROMIUM names.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

import indistinct as ind
from indistinct.frontends.cli.main import status

# Picture, page, color scheme, and the size of the window.
PICTURES = (
    ("report-verdict.png", "report.html", "light", (860, 680)),
    ("report-cost-dark.png", "report.html#cost", "dark", (860, 1150)),
    ("report-public.png", "public.html", "light", (860, 926)),
)


def publish() -> None:
    """Write a release of fictitious patients into this folder, with both reports."""
    ind.sample("patients", rows=2000).write_csv("patients.csv")
    ind.Policy.from_keywords(
        identifiers=["name"],
        quasi_identifiers=["birth_date", "sex", "postcode"],
        sensitive=["diagnosis"],
        insensitive=["occupation", "insurance", "height_cm", "weight_kg", "admission_date"],
        k=5,
        l=2,
    ).save("policy.toml")
    of_release = ["patients-release.csv", "--policy", "policy.toml"]
    runs = (
        ["anonymize", "patients.csv", "--policy", "policy.toml", "--out", "patients-release.csv"],
        ["report", *of_release, "--original", "patients.csv", "--out", "report.html"],
        ["report", *of_release, "--public", "--out", "public.html"],
    )
    for words in runs:
        if status(list(words), show_values=False):
            raise SystemExit(f"{words[0]} failed")


def take(browser: Any, address: str, scheme: str, size: tuple[int, int], target: Path) -> None:
    """Take one picture."""
    width, height = size
    page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
    page.goto(address)
    page.screenshot(path=target)
    page.close()


def main() -> None:
    """Publish, and take every picture."""
    images = Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as play:
        os.chdir(folder)
        publish()
        browser = play.chromium.launch(executable_path=os.environ.get("CHROMIUM"))
        for name, page, scheme, size in PICTURES:
            take(browser, f"{Path(folder).as_uri()}/{page}", scheme, size, images / name)
        browser.close()


if __name__ == "__main__":
    main()

"""The page of attacks names tests that exist, and every row has one."""

import re

from test_docs import ROOT

PAGE = (ROOT / "docs/evidence.md").read_text(encoding="utf-8")
ROWS = [line for line in PAGE.splitlines() if line.startswith("| ") and not line.startswith("| |")]
ROWS = [line for line in ROWS if not line.startswith(("| attack |", "| fault |"))]
TESTS = {
    name
    for file in (ROOT / "tests").rglob("test_*.py")
    for name in re.findall(r"^def (test_\w+)\(", file.read_text(encoding="utf-8"), re.MULTILINE)
}


def test_every_attack_names_tests_that_exist():
    for row in ROWS:
        named = re.findall(r"`(test_\w+)`", row.split("|")[-2])
        assert named, row
        assert not set(named) - TESTS


def test_all_twenty_five_points_have_a_row():
    assert [int(number) for number in re.findall(r"^\| (\d+) \|", PAGE, re.MULTILINE)] == [
        *range(1, 26)
    ]

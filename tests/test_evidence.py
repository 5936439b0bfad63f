"""The page of evidence names tests and commands that exist, and every row has one."""

import re
import shlex

import pytest

from test_docs import ROOT

PAGE = (ROOT / "docs/evidence.md").read_text(encoding="utf-8")
SHOWN, TRIED = PAGE.split("## Attacks that were tried")


def rows(part, *heads):
    """List the rows of the tables in a part of the page."""
    found = [line for line in part.splitlines() if line.startswith("| ")]
    return [line for line in found if not line.startswith(("| |", *heads))]


ROWS = rows(TRIED.split("<!-- kills: begin -->")[0], "| attack |", "| fault |")
COMMANDS = [
    command
    for row in rows(SHOWN, "| guarantee |", "| source |")
    for command in re.findall(r"`((?:python|make) [^`]+)`", row.split("|")[-2]) or [""]
]
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


@pytest.mark.parametrize("command", sorted(set(COMMANDS)))
def test_every_guarantee_and_number_has_a_command_that_exists(command):
    program, *words = shlex.split(command)
    if program == "make":
        targets = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
        assert words
        assert set(words) <= set(targets)
        return
    if words[:2] == ["-m", "pytest"]:
        assert words[2:]
        assert all((ROOT / word).exists() for word in words[2:])
        return
    script, *options = words
    text = (ROOT / script).read_text("utf-8")
    assert all(f'"{word}"' in text for word in options if word.startswith("--"))


def test_every_command_that_writes_was_killed(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    monkeypatch.setenv("INDISTINCT_POSTGRES", "postgresql://nobody@localhost/none?host=/nowhere")
    monkeypatch.setenv("INDISTINCT_SPARK", "1")
    import fault_cases

    kills = PAGE.partition("<!-- kills: begin -->")[2].partition("<!-- kills: end -->")[0]
    counts = {row.split("|")[1].strip(): row.split("|")[2:-1] for row in rows(kills, "| command |")}
    assert set(counts) == {job.name for job in fault_cases.JOBS}
    assert all(
        int(lost) == 0 < min(int(random), int(steps)) for random, steps, *_, lost in counts.values()
    )


def test_the_page_is_not_empty():
    assert len(COMMANDS) > 20
    assert all(f"tests/{place}" in PAGE for place in ("contracts", "oracle", "statistical"))

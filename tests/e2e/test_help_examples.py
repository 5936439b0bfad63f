"""The help of every command: paragraphs that flow, and an example that runs."""

import re
import shlex
from pathlib import Path

import pytest
import typer.main

from indistinct.frontends.cli import terminal
from indistinct.frontends.cli.main import app, status


def every_command():
    """Return the commands with their full names, those of graphs and databases among them."""
    root = typer.main.get_command(app)
    for name in root.list_commands(None):
        command = root.get_command(None, name)
        for inner, one in getattr(command, "commands", {"": command}).items():
            yield f"{name} {inner}".strip(), one


COMMANDS = dict(every_command())
ONLY_STARTED_BY_HAND = {"database serve", "app"}


def example_of(name):
    paragraphs = COMMANDS[name].help.split("\n\n")
    (found,) = [one for one in paragraphs if one.startswith("Example: ")]
    return shlex.split(found.removeprefix("Example: indistinct "))


@pytest.mark.parametrize("name", COMMANDS)
def test_a_help_flows_and_ends_no_line_by_itself(name):
    """On a narrow terminal, the lines of the source would be broken in the middle."""
    for paragraph in COMMANDS[name].help.split("\n\n"):
        assert "\n" not in paragraph or "\n " in paragraph
    assert f"indistinct {name}" in f"indistinct {' '.join(example_of(name))}"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("examples")


@pytest.mark.parametrize(
    "door",
    [
        ["sample friends --rows 220 --seed 1 --out friends.csv",
         "graph anonymize friends.csv --model grouping --k 5 --out groups.csv",
         "graph inspect", "graph anonymize", "graph assess", "graph verify", "graph sample",
         "graph report", "graph attack"],
        ["sample patients --rows 200 --seed 1 --out patients.csv",
         "database init", "database ask", "database ledger", "database report", "database token",
         "database reopen",
         "database price"],
    ],
    ids=["graph", "database"],
)  # fmt: skip
def test_the_examples_of_a_door_run_one_after_another(door, folder, monkeypatch, capsys):
    """As they are written; a line that is no command makes what they need."""
    monkeypatch.chdir(folder)
    Path("questions.sql").write_text("SELECT COUNT(*) FROM patients;")
    for line in door:
        words = example_of(line) if line in COMMANDS else shlex.split(line)
        assert status(words, show_values=False) == 0, (line, capsys.readouterr().err)
    named = {line for line in door if line in COMMANDS} | ONLY_STARTED_BY_HAND
    door_of = door[-1].split()[0]
    assert {name for name in COMMANDS if name.startswith(f"{door_of} ")} <= named
    Path("report.html").unlink()  # the next door writes one of this name


def test_a_run_that_exceeds_its_limit_says_so(capsys):
    """The limit shortens the search alone."""
    terminal.say_if_late(30.0, 41.04)
    said = " ".join(capsys.readouterr().err.split())
    assert re.search(r"took 41\.0 s, longer than the time_limit of 30 s", said)
    terminal.say_if_late(None, 41.0)
    terminal.say_if_late(60.0, 41.0)
    assert not capsys.readouterr().err


def test_anonymize_compares_the_run_with_its_limit(tmp_path, monkeypatch, capsys):
    """A limit that no run can keep to: the release holds, and a note says why it took longer."""
    monkeypatch.chdir(tmp_path)
    Path("table.csv").write_text("age,sex\n" + "31,f\n32,m\n" * 20, encoding="utf-8")
    Path("policy.toml").write_text(
        '[columns.age]\nrole = "quasi-identifier"\n[columns.sex]\nrole = "insensitive"\n'
        '[[models]]\nname = "k-anonymity"\nk = 2\n[method]\ntime_limit = 0.0001\n',
        encoding="utf-8",
    )
    run = "anonymize table.csv --policy policy.toml --out out.csv"
    assert status(run.split(), show_values=False) == 0
    assert "longer than the time_limit of 0.0001 s" in " ".join(capsys.readouterr().err.split())

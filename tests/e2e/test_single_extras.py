"""Every command with no extra and with each extra alone: it works, or it names what it needs."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from typer.main import get_command

from indistinct.base.extras import EXTRA_OF
from indistinct.frontends.cli.main import app
from shared import environment

ROOT = Path(__file__).resolve().parents[2]
EXTRAS = sorted(
    set(tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"][
        "optional-dependencies"
    ])
    - {"dev", "docs"}
)  # fmt: skip
NONE = "none"
# What an extra brings besides the packages that it alone is named for.
ALSO = {
    "app": {"starlette", "uvicorn", "python_multipart"},
    "database": {"duckdb", "starlette", "uvicorn"},
    "duckdb": {"duckdb"},
}

# The process hides every package of an extra. Each situation is a child, which shows its own again.
SCRIPT = """
import contextlib, io, json, os, sys

hidden, situations, before = json.load(sys.stdin)


class Hiding:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in hidden:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return None


sys.meta_path.insert(0, Hiding())

from indistinct.frontends.cli.main import run


def told(line):
    sys.argv = ["indistinct", *line]
    out, error, code = io.StringIO(), io.StringIO(), 0
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(error):
        try:
            run()
        except SystemExit as end:
            code = end.code or 0
    return [" ".join(line), code, error.getvalue()]


def inside(shown, lines, file):
    if os.fork():
        return os.wait()[1]
    hidden[:] = [package for package in hidden if package not in shown]
    with open(file, "w") as answers:
        json.dump([told(line) for line in lines], answers)
    os._exit(0)


assert inside(hidden, before, "before.json") == 0
for name, (shown, lines) in situations.items():
    assert inside(shown, lines, f"{name}.json") == 0
"""

BEFORE = """
sample patients --rows 200 --out patients.csv
sample register --rows 200 --out register.csv
anonymize patients.csv --policy policy.toml --out release.csv
anonymize patients.csv --policy policy.toml --out release.xlsx
anonymize patients.csv --policy policy.toml --out release.sav
graph anonymize friends.csv --model grouping --k 2 --out groups.csv --crosswalk groups-crosswalk.csv
database init patients.csv --person name --epsilon 30 --values sex=female,male --values insurance=public,private,none --delta 1e-9 --out asked.toml
""".strip().splitlines()  # noqa: E501 - a line is a command

# Each command, and the extras that it may have to do with. Alone with "none", it has none of them.
LINES = {
    "inspect patients.csv": (),
    "inspect release.xlsx": ("files",),
    "inspect release.sav": ("files",),
    "inspect duckdb:///none.duckdb?table=patients": ("duckdb",),
    "inspect postgresql://user@127.0.0.1:1/visits?table=public.visits": ("postgres",),
    "inspect patients.csv --engine duckdb": ("duckdb", "database"),
    "anonymize patients.csv --policy policy.toml --out NAME.xlsx": ("files",),
    "anonymize patients.csv --policy policy.toml --out NAME.dta": ("files", "frames"),
    "anonymize patients.csv --policy policy.toml --engine duckdb --out NAME.csv": ("duckdb",),
    "tabulate patients.csv --rows insurance --columns sex --minimum 5": (),
    "verify release.csv --policy policy.toml": (),
    "assess release.csv --policy policy.toml --original patients.csv --learn diagnosis": ("learn",),
    "attack release.csv --policy policy.toml --register register.csv": (),
    "report release.csv --policy policy.toml --original patients.csv --learn diagnosis"
    " --out NAME.html": ("learn",),
    "sample patients --rows 10 --out NAME-sample.xlsx": ("files",),
    "sweep patients.csv --policy policy.toml --vary k=2 --out NAME.csv": (),
    "compare patients.csv --policy policy.toml --target sex --contestants policy": ("learn",),
    "history none.db": (),
    "graph inspect friends.csv": (),
    "graph anonymize friends.csv --model k-degree --k 2 --out NAME-friends.csv": ("graph",),
    "graph assess groups.csv --original friends.csv": ("graph",),
    "graph verify groups.csv --original friends.csv --crosswalk groups-crosswalk.csv": (),
    "graph sample groups.csv --worlds 1 --out NAME-worlds": (),
    "graph attack friends.csv --attack degree --trials 1": (),
    "graph report groups.csv --original friends.csv --out NAME-groups.html": (),
    "database init patients.csv --person name --epsilon 3 --out NAME.toml": ("database", "duckdb"),
    "database init postgresql://user@127.0.0.1:1/visits --table visits --person name --epsilon 3"
    " --out NAME-server.toml": ("database", "postgres"),
    "database ask asked.toml QUESTION --epsilon 0.1": ("database", "duckdb"),
    "database price asked.toml questions.sql --epsilon-in-all 1": ("database", "duckdb"),
    "database ledger asked.toml": ("database",),
    "database report asked.toml --out NAME-ledger.html": ("database",),
    "database reopen asked.toml owner": ("database",),
    "database token asked.toml NAME": ("database",),
    "database serve asked.toml --port 1": ("app", "duckdb"),  # with its own extra, it serves
    "synthesize asked.toml --epsilon 1 --out NAME-synthetic.csv": ("database", "duckdb"),
    "app --no-browser": ("database",),  # with its own extra, it serves
}
QUESTION = "SELECT COUNT(*) FROM patients"

POLICY = """
[columns.name]
role = "identifier"
[columns.sex]
role = "quasi-identifier"
[columns.insurance]
role = "quasi-identifier"
[columns.diagnosis]
role = "sensitive"
[columns.birth_date]
role = "insensitive"
[columns.postcode]
role = "insensitive"
[columns.occupation]
role = "insensitive"
[columns.height_cm]
role = "insensitive"
[columns.weight_kg]
role = "insensitive"
[columns.admission_date]
role = "insensitive"
[[models]]
name = "k-anonymity"
k = 3
[method]
max_suppression = 0.2
"""


def shown_by(extra: str) -> list[str]:
    """Name the packages that an extra brings."""
    own = {package for package, brought_by in EXTRA_OF.items() if brought_by == extra}
    return sorted(own | ALSO.get(extra, set()))


def lines_for(extra: str) -> list[list[str]]:
    """Return the lines that are run with one extra, or with none."""
    own = [line for line, extras in LINES.items() if extra in {NONE, *extras}]
    said = {"NAME": extra, "QUESTION": QUESTION}
    return [[said.get(word, word.replace("NAME", extra)) for word in line.split()] for line in own]


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, tuple[int, str]]]:
    folder = tmp_path_factory.mktemp("single")
    ring = [f"{one},{(one + step) % 12}" for one in range(12) for step in (1, 2)]
    (folder / "friends.csv").write_text("\n".join(["source,target", *ring]) + "\n", "utf-8")
    (folder / "policy.toml").write_text(POLICY, "utf-8")
    (folder / "questions.sql").write_text(f"{QUESTION};\n", "utf-8")
    situations = {name: (shown_by(name), lines_for(name)) for name in (NONE, *EXTRAS)}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        cwd=folder,
        env=environment(),
        input=json.dumps([sorted(EXTRA_OF), situations, [line.split() for line in BEFORE]]),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    files = {name: (folder / f"{name}.json").read_text("utf-8") for name in ("before", *situations)}
    return {
        name: {line: (code, " ".join(error.split())) for line, code, error in json.loads(text)}
        for name, text in files.items()
    }


# Fourteen seconds; test_missing_extras.py runs the core without any extra, and what names one.
@pytest.mark.slow
def test_what_the_lines_need_is_there(told: dict[str, dict[str, tuple[int, str]]]) -> None:
    assert {line: answer for line, answer in told["before"].items() if answer[0]} == {}


@pytest.mark.slow
@pytest.mark.parametrize("name", [NONE, *EXTRAS])
def test_a_command_works_or_names_an_extra_that_is_missing(
    name: str, told: dict[str, dict[str, tuple[int, str]]]
) -> None:
    for line, (code, error) in told[name].items():
        assert code in {0, 2}, (line, error)
        assert "Traceback" not in error, line
        if "which is not installed" in error:
            assert f"[{name}]" not in error, (line, error)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("files", "inspect release.xlsx"),
        ("files", "inspect release.sav"),
        ("files", "sample patients --rows 10 --out files-sample.xlsx"),
        ("files", "anonymize patients.csv --policy policy.toml --out files.dta"),
        ("duckdb", "inspect patients.csv --engine duckdb"),
        ("learn", "compare patients.csv --policy policy.toml --target sex --contestants policy"),
        ("database", f"database ask asked.toml {QUESTION} --epsilon 0.1"),
        ("database", "synthesize asked.toml --epsilon 1 --out database-synthetic.csv"),
    ],
)
def test_the_extra_that_a_command_names_is_enough(
    name: str, line: str, told: dict[str, dict[str, tuple[int, str]]]
) -> None:
    without = line.replace(f"{name}.", f"{NONE}.").replace(f"{name}-", f"{NONE}-")
    assert f"indistinct[{name}]" in told[NONE][without][1]
    assert told[name][line][0] == 0, told[name][line]


def test_every_command_is_tried() -> None:
    doors = get_command(app)
    for name in doors.list_commands(None):
        command = doors.get_command(None, name)
        inner = command.list_commands(None) if hasattr(command, "list_commands") else [""]
        for words in (f"{name} {word}".strip() for word in inner):
            assert any(line.startswith(f"{words} ") for line in LINES), words

"""The command that publishes tables, from the words of a beginner to the check of the folder."""

import json
from pathlib import Path

import pytest

from indistinct.frontends.cli.main import status

GRID = {
    "north": "ffmmmmmmmmmxxxxxx",
    "south": "ffffffffmmmmxxxxxxx",
    "west": "fffffmmmmmmmxxxxxxxxx",
}
PRINTED = """\
        f   m   x  total
north   c   c   6     17
south   c   c   7     19
west    5   7   9     21
total  15  20  22     57

4 counts are hidden (c): those below 5, and others so that none of them can be worked out from the totals.
Checked: 2 complete tables agree with everything shown; in them each hidden count differs by 8 or more and can be 5 or more.
Not checked: other tables of these people; publish them in one run with this one.
"""  # noqa: E501 - as it is printed
TABLE = ["tabulate", "people.csv", "--rows", "region", "--columns", "sex", "--minimum", "5"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    rows = [f"{region},{sex}" for region, own in GRID.items() for sex in own]
    (tmp_path / "people.csv").write_text("\n".join(["region,sex", *rows]) + "\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*words):
    return status(list(words), show_values=False)


def test_without_a_folder_the_table_is_printed_and_nothing_is_written(folder, capsys):
    assert run(*TABLE) == 0
    assert capsys.readouterr().out == PRINTED
    assert [path.name for path in folder.iterdir()] == ["people.csv"]


def test_a_folder_is_written_and_verified(folder, capsys):
    assert run(*TABLE, "--out", "out", "--owner", "owner.json") == 0
    names = {"manifest.json", "table.csv", "table.json", "witnesses.csv.gz"}
    assert {path.name for path in (folder / "out").iterdir()} == names
    assert Path("owner.json").stat().st_mode & 0o777 == 0o600
    capsys.readouterr()
    assert run("verify", "out", "--original", "people.csv", "--owner", "owner.json") == 0
    assert capsys.readouterr().out == (
        "It holds: 4 hidden cells; 2 complete tables agree with all that is published; each "
        "hidden cell differs by 1 or more and can reach 5.\n"
    )
    assert run(*TABLE, "--out", "out") == 2
    Path("out/witnesses.csv.gz").unlink()
    assert run("verify", "out") == 4
    text = Path("out/table.csv").read_text("utf-8")
    Path("out/table.csv").write_text(text.replace("west,m,count,7", "west,m,count,8"), "utf-8")
    assert run("verify", "out", "--json") == 1


def test_a_policy_says_the_same(folder, capsys):
    assert run(*TABLE, "--json") == 0
    short = json.loads(capsys.readouterr().out)
    Path("policy.toml").write_text(
        '[publish]\nrules = [{ minimum = 5 }]\n[[publish.tables]]\nrows = ["region"]\n'
        'columns = ["sex"]\n',
        "utf-8",
    )
    assert run("tabulate", "people.csv", "--policy", "policy.toml", "--json") == 0
    assert json.loads(capsys.readouterr().out) == short
    assert len(short["tables"]["table"]) == 16
    assert run("tabulate", "people.csv", "--policy", "policy.toml", "--minimum", "5") == 2


def test_no_minimum_and_no_pattern_are_told(folder, capsys):
    assert run(*TABLE[:-2]) == 2
    said = capsys.readouterr().err
    assert "Give minimum = 5 or minimum = 11, or a profile: cms, pcornet, uk-llc." in said
    assert run(*TABLE[:-1], "100") == 3
    assert run(*TABLE, "--share", "sex=f") == 2
    assert "come later" in capsys.readouterr().err

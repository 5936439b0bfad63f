"""``indistinct graph`` as users run it: publish, verify, assess, draw worlds; how each run ends."""

import json
import stat
from dataclasses import dataclass

import networkx as nx
import pytest

from indistinct.frontends.cli.main import status


@dataclass
class Ended:
    returncode: int
    stdout: str
    stderr: str


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)

    def started(*words):
        code = status(["graph", *map(str, words)], show_values=False)
        return Ended(code, *capsys.readouterr())

    return started


@pytest.fixture
def folder(tmp_path):
    graph = nx.relaxed_caveman_graph(10, 5, 0.1, seed=1)
    rows = [f"p{one},p{other}" for one, other in graph.edges]
    (tmp_path / "friends.csv").write_text("\r".join(["from,to", *rows, ""]), newline="")
    return tmp_path


def test_a_grouping_from_the_first_command_to_the_last(folder, run):
    """Published with a bound on certain edges, verified, assessed, and drawn from."""
    words = ("--model", "grouping", "--k", 3, "--seed", 1, "--out", "out.csv", "--json")
    free = run("anonymize", "friends.csv", *words)
    assert free.returncode == 0, free.stderr
    assert json.loads(free.stdout)["certain_edges"]["share"] > 0.01
    bound = ("--max-certain", 0.01, "--crosswalk", "secret.csv", "--replace")
    made = run("anonymize", "friends.csv", *words, *bound)
    assert made.returncode == 0, made.stderr
    assert json.loads(made.stdout)["certain_edges"]["share"] <= 0.01
    assert stat.S_IMODE((folder / "secret.csv").stat().st_mode) == 0o600

    alone = run("verify", "out.csv", "--json")
    assert alone.returncode == 4
    assert json.loads(alone.stdout)["holds"] is None
    fully = ("--original", "friends.csv", "--crosswalk", "secret.csv")
    checked = run("verify", "out.csv", *fully, "--json")
    assert checked.returncode == 0, checked.stdout
    assert json.loads(checked.stdout)["verdict"] == "holds"
    assert "p1" not in checked.stdout

    measured = run("assess", "out.csv", "--worlds", 2, "--json")
    assert json.loads(measured.stdout)["certain_edges"]["share"] <= 0.01

    drawn = run("sample", "out.csv", "--worlds", 10, "--out", "worlds", "--seed", 1)
    assert drawn.returncode == 0, drawn.stderr
    assert (folder / "worlds" / "world-01.csv").read_text().startswith("source,target\n")
    assert (folder / "worlds" / "world-10.csv").exists()


def test_a_naive_release_over_a_grouping(folder, run):
    """What the grouping left behind is gone; put back, it is refused and does not hold."""
    run("anonymize", "friends.csv", "--model", "grouping", "--k", 5, "--out", "out.csv")
    groups = (folder / "out.groups.csv").read_bytes()
    made = run("anonymize", "friends.csv", "--model", "naive", "--out", "out.csv", "--replace")
    assert made.returncode == 0, made.stderr
    assert not (folder / "out.groups.csv").exists()
    assert run("verify", "out.csv").returncode == 0
    (folder / "out.groups.csv").write_bytes(groups)
    measured = run("assess", "out.csv", "--require", "k>=5")
    assert measured.returncode == 2
    assert "out.groups.csv" in measured.stderr
    assert measured.stdout == ""
    judged = run("verify", "out.csv")
    assert judged.returncode == 1
    assert "does not hold" in judged.stdout
    assert run("sample", "out.csv", "--out", "worlds").returncode == 2
    assert not (folder / "worlds").exists()


def test_an_unknown_header_is_refused_in_words(folder, run):
    (folder / "net.csv").write_text("member,colleague\nann,bob\nbob,cem\n")
    result = run("inspect", "net.csv")
    assert result.returncode == 2
    assert "Call the two columns source and target" in result.stderr
    assert not any(word in result.stderr for word in ("member", "ann", "Traceback"))


def test_wrong_use_is_refused_in_words(folder, run):
    """A crosswalk without the original, a release without a manifest, an input as an output."""
    assert run("verify", "friends.csv", "--crosswalk", "x.csv").returncode == 2
    assert run("verify", "friends.csv").returncode == 2
    (folder / "out.vertices.csv").write_text("id,job\np1,cook\n")
    before = (folder / "out.vertices.csv").read_bytes()
    listed = ("--vertices", "out.vertices.csv", "--keep", "job")
    made = run(
        "anonymize", "friends.csv", *listed, "--model", "naive", "--out", "out.csv", "--replace"
    )
    assert made.returncode == 2
    assert "is the input itself" in made.stderr
    assert (folder / "out.vertices.csv").read_bytes() == before
    assert not (folder / "out.csv").exists()

"""``indistinct graph``: one document on standard output, nothing written when refused."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from graphs import SEVEN_EDGES
from indistinct.errors import IndistinctError
from indistinct.frontends.cli.graph import app


@pytest.fixture
def friends(tmp_path):
    file = tmp_path / "friends.csv"
    file.write_text("source,target\n" + "\n".join(",".join(edge) for edge in SEVEN_EDGES) + "\n")
    return file


def run(*words):
    return CliRunner().invoke(app, [str(word) for word in words])


def test_anonymize_prints_one_document_and_writes_the_files(friends, tmp_path):
    out, walk = tmp_path / "out.csv", tmp_path / "walk.csv"
    words = ("--model", "k-degree", "--k", 2, "--mode", "add", "--seed", 1)
    result = run("anonymize", friends, *words, "--out", out, "--crosswalk", walk, "--json")
    assert result.exit_code == 0, result.output
    document = json.loads(result.stdout)
    assert document["levels"] == {"degree": 2, "h2": 1, "h3": 1, "neighborhood": 2}
    assert document["edges"]["added"] == 1
    assert (document["cost"], document["lower_bound"]) == (2, 1)
    assert out.read_text().count("\n") == 13
    assert walk.read_text().startswith("output_id,input_id\n")


def test_inspect_tells_levels(friends):
    document = json.loads(run("inspect", friends, "--json").stdout)
    assert (document["vertices"], document["edges"]) == (7, 11)
    assert document["knowledge"]["degree"]["classes"] == 4
    assert "levels.degree" in run("inspect", friends).stdout


@pytest.mark.parametrize(
    "words",
    [
        ("--model", "k-degree", "--k", 9),
        ("--model", "k-degree"),
        ("--model", "magic", "--k", 2),
        ("--k", 2, "--mode", "sideways"),
        ("--k", 2, "--keep", "job"),
    ],
)
def test_wrong_use_is_code_2_and_writes_nothing(friends, tmp_path, words):
    result = run("anonymize", friends, *words, "--out", tmp_path / "out.csv")
    assert isinstance(result.exception, IndistinctError)
    assert result.exception.exit_code == 2
    assert not (tmp_path / "out.csv").exists()


def test_the_input_is_never_overwritten(friends):
    before = friends.read_bytes()
    result = run("anonymize", friends, "--model", "naive", "--out", friends)
    assert isinstance(result.exception, IndistinctError)
    assert friends.read_bytes() == before


def test_opening_the_door_loads_nothing_heavy():
    code = (
        "import sys, indistinct.graph, indistinct.frontends.cli.graph\n"
        "print([m for m in ('numba', 'polars', 'networkx', 'numpy') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert done.stdout.strip() == b"[]"


def test_assess_sets_the_exit_code(friends, tmp_path):
    out = tmp_path / "out.csv"
    run("anonymize", friends, "--k", 2, "--mode", "add", "--seed", 1, "--out", out)
    result = run("assess", out, "--original", friends, "--require", "k>=2", "--json")
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["levels"]["degree"] == 2
    missed = run("assess", out, "--require", "k>=3", "--json")
    assert isinstance(missed.exception, IndistinctError)
    assert missed.exception.exit_code == 1


def test_attack_prints_rate_and_interval(friends):
    words = ("--attack", "degree", "--trials", 1, "--seed", 1, "--json")
    document = json.loads(run("attack", friends, *words).stdout)
    assert document["attempts"] == 7
    assert document["successes"] == pytest.approx(4)
    assert document["interval"][0] < document["rate"] < document["interval"][1]


@pytest.mark.parametrize(
    "command", ["inspect", "anonymize", "assess", "verify", "sample", "attack"]
)
def test_every_command_has_help_with_an_example(command):
    assert "Example" in run(command, "--help").stdout


def test_a_dash_is_standard_input(friends):
    result = CliRunner().invoke(app, ["inspect", "-", "--json"], input=friends.read_bytes())
    assert json.loads(result.stdout)["edges"] == 11


def test_the_release_goes_to_standard_output(friends):
    words = ("--k", 2, "--mode", "add", "--seed", 1, "--realization", "supergraph", "--json")
    result = run("anonymize", friends, *words, "--out", "-")
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[0] == "source,target"
    assert len(lines) == 13
    assert [file.name for file in friends.parent.iterdir()] == ["friends.csv"]


def test_what_standard_output_cannot_say_is_refused(friends):
    (friends.parent / "friends.vertices.csv").write_text("id\nA\nZ\n")
    result = run("anonymize", friends, "--model", "naive", "--out", "-")
    assert isinstance(result.exception, IndistinctError)
    assert result.exception.exit_code == 2
    assert result.stdout == ""


def test_labels_are_generalized_and_kept(friends, tmp_path):
    (friends.parent / "friends.vertices.csv").write_text(
        "id,job\nA,nurse\nB,nurse\nC,cook\nD,cook\nE,smith\nF,nurse\nG,cook\n"
    )
    jobs, out = tmp_path / "jobs.csv", tmp_path / "out.csv"
    jobs.write_text("nurse;health;*\ncook;craft;*\nsmith;craft;*\n")
    words = ("--model", "k-neighborhood", "--k", 2, "--seed", 1, "--max-loss", 1)
    labeled = ("--labels", "job", "--hierarchy", jobs, "--label-weight", 0.5, "--keep", "job")
    result = run("anonymize", friends, *words, *labeled, "--out", out, "--json")
    assert result.exit_code == 0, result.output
    document = json.loads(result.stdout)
    assert document["levels"]["neighborhood"] >= 2
    assert document["labels"]["penalty"] >= 0
    rows = (tmp_path / "out.vertices.csv").read_text().splitlines()
    assert {row.split(",")[1] for row in rows[1:]} <= {"nurse", "health", "craft", "cook", "*"}


def test_a_release_by_groups_is_assessed_over_its_worlds(friends, tmp_path):
    out = tmp_path / "out.csv"
    run("anonymize", friends, "--model", "grouping", "--k", 3, "--seed", 1, "--out", out)
    result = run("assess", out, "--original", friends, "--worlds", 5, "--require", "k>=3", "--json")
    assert result.exit_code == 0, result.output
    worlds = json.loads(result.stdout)["worlds"]
    assert worlds["worlds"] == 5
    assert worlds["triangles"]["low"] <= worlds["triangles"]["mean"] <= worlds["triangles"]["high"]


@pytest.mark.parametrize("words", [("--hierarchy", "x.csv"), ("--label-weight", -1)])
def test_words_for_labels_are_checked(friends, tmp_path, words):
    result = run("anonymize", friends, "--k", 2, *words, "--out", tmp_path / "out.csv")
    assert isinstance(result.exception, IndistinctError)
    assert result.exception.exit_code == 2


def first_words(*words):
    """Return the sentences above the figures."""
    return run(*words).stdout.partition("\n\n")[0].splitlines()


def test_sentences_say_who_is_found_before_the_figures(friends):
    said = first_words("inspect", friends)
    found = json.loads(run("inspect", friends, "--json").stdout)
    assert said[0] == f"The graph has {found['vertices']} vertices and {found['edges']} edges."
    for line, name in zip(said[1:], ("degree", "h2", "h3", "neighborhood"), strict=True):
        assert f"identifies {found['knowledge'][name]['unique']:.1%} of the vertices" in line


def test_sentences_say_what_a_release_changed(friends, tmp_path):
    out = tmp_path / "out.csv"
    said = first_words(
        "anonymize", friends, "--model", "k-degree", "--k", 2, "--seed", 1, "--out", out
    )
    document = json.loads((tmp_path / "out.csv.manifest.json").read_text())
    assert said[0].startswith(f"The release has {document['vertices']} vertices and ")
    assert said[1] == "Directions are left out."
    assert said[2].endswith("finds at least 2 vertices that fit.")
    groups = first_words(
        "anonymize",
        friends,
        "--model",
        "grouping",
        "--k",
        2,
        "--seed",
        1,
        "--out",
        out,
        "--replace",
    )
    assert "groups of at least 2" in groups[0]
    assert all("at least 2 vertices" in line for line in groups[2:])
    assert first_words("assess", out) == groups[2:]


def test_the_sentence_on_what_is_left_out_stands_beside_a_streamed_release(tmp_path):
    edges = tmp_path / "calls.csv"
    edges.write_text("caller,callee,minutes\na,b,3\nb,a,4\nb,c,1\nc,a,2\n")
    ran = run("anonymize", edges, "--model", "naive", "--out", "-")
    assert ran.stderr == (
        "Directions, 1 further column (minutes) and 1 repeated tie (1 in the other direction) are "
        "left out.\n"
    )
    out = json.loads(
        run("anonymize", edges, "--model", "naive", "--out", tmp_path / "o.csv", "--json").stdout
    )
    assert out["left_out"] == ran.stderr.strip()


def test_sentences_say_how_often_an_attack_succeeded(friends):
    words = ("attack", friends, "--attack", "degree", "--trials", 1, "--seed", 1)
    found = json.loads(run(*words, "--json").stdout)
    (said,) = first_words(*words)
    assert f"of {found['attempts']} attempts, which is {found['rate']:.1%}" in said

"""The public face: its names, and what importing it costs."""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import indistinct as ind
from shared import environment

HEAVY = ("numba", "polars", "pandas", "sklearn", "duckdb", "scipy", "networkx", "numpy", "rich")


def test_every_public_name_is_there_and_sorted():
    """What is listed can be had, and is listed once, in order."""
    assert list(ind.__all__) == sorted(set(ind.__all__))
    for name in ind.__all__:
        assert getattr(ind, name) is not None
    assert set(ind.__all__) <= set(dir(ind))
    assert not hasattr(ind, "nonsense")


def test_every_public_name_is_documented():
    """No name without a sentence."""
    assert all((getattr(ind, name).__doc__ or "").strip() for name in ind.__all__)


def test_importing_costs_next_to_nothing():
    """The bare import loads none of the heavy libraries."""
    source = "import sys, json, indistinct; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", source], capture_output=True, check=True, env=environment()
    )
    assert not set(HEAVY) & set(json.loads(done.stdout))


def test_reading_a_policy_compiles_nothing(tmp_path):
    """A policy is read, each model and protection known, without numba and without SciPy."""
    policy = tmp_path / "policy.toml"
    policy.write_text(
        "[columns]\n"
        'age = { role = "quasi-identifier", protect = { name = "microaggregation", k = 3 } }\n'
        'income = { role = "quasi-identifier", protect = "noise" }\n'
        "[[models]]\nname = 'k-anonymity'\nk = 2\n"
    )
    source = (
        "import sys, json, indistinct;"
        f"indistinct.Policy.load({str(policy)!r});"
        "print(json.dumps(sorted(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", source], capture_output=True, check=True, env=environment()
    )
    assert not {"numba", "scipy"} & set(json.loads(done.stdout))


def test_models_leave_scipys_parts_alone_until_an_estimator_asks():
    """A command that estimates no population does not wait for SciPy."""
    source = "import sys, json, indistinct.tables.models; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", source], capture_output=True, check=True, env=environment()
    )
    loaded = set(json.loads(done.stdout))
    assert not {"scipy.special", "scipy.optimize", "scipy.stats"} & loaded


def test_help_loads_no_library_for_data():
    """--help answers without numba, polars or pandas."""
    source = (
        "import sys, json; from indistinct.frontends.cli.main import status;"
        "status(['anonymize', '--help'], show_values=False);"
        "print(json.dumps(sorted(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", source], capture_output=True, check=True, env=environment()
    )
    assert not {"numba", "polars", "pandas"} & set(json.loads(done.stdout.splitlines()[-1]))


# What no plain command waits for; each takes from a hundredth to a fifth of a second to load.
NEVER = {
    "pandas",
    "duckdb",
    "pyarrow",
    "sklearn",
    "scipy.special",
    "scipy.stats",
    "matplotlib",
    "rich",
    "indistinct.frontends.report",
    "indistinct.questions.database",
    "indistinct.graph",
    "indistinct.questions.synthesis",
    "indistinct.tables.evaluation.attacks",
    "indistinct.tables.verification.in_place",
    "indistinct.tables.verification.past_releases",
}
COMMANDS = {
    "anonymize": (
        ["anonymize", "in.csv", "--policy", "policy.toml", "--out", "out.csv"],
        NEVER
        | {
            "indistinct.tables.drafting.counted_column",
            "indistinct.tables.search.adaptive.vulnerability",
        },
    ),
    "verify": (
        ["verify", "out.csv", "--policy", "policy.toml"],
        NEVER | {"numba", "scipy", "indistinct.tables.publish", "indistinct.tables.drafting"},
    ),
    "inspect": (
        ["inspect", "in.csv"],
        NEVER - {"rich"} | {"numba", "scipy", "indistinct.tables.verification"},
    ),
}


def test_each_command_loads_what_it_needs_alone(tmp_path):
    """A table is published, checked and looked at without what other commands need."""
    ages = [20 + row % 7 for row in range(60)]
    rows = "".join(f"{age},{'ab'[age % 2]}\n" for age in ages)
    (tmp_path / "in.csv").write_text(f"age,sex\n{rows}")
    (tmp_path / "policy.toml").write_text(
        '[columns]\nage = { role = "quasi-identifier", hierarchy = { intervals = [2, 4] } }\n'
        'sex = { role = "quasi-identifier" }\n'
        '[[models]]\nname = "k-anonymity"\nk = 3\n[method]\nalgorithm = "optimal"\n'
    )
    for words, unwanted in COMMANDS.values():
        source = (
            "import sys, json; from indistinct.frontends.cli.main import status;"
            f"code = status({words!r}, show_values=False);"
            "print(); print(json.dumps([code, sorted(sys.modules)]))"
        )
        done = subprocess.run(
            [sys.executable, "-c", source],
            capture_output=True,
            check=True,
            cwd=tmp_path,
            env=environment(),
        )
        code, loaded = json.loads(done.stdout.splitlines()[-1])
        assert code == 0
        assert not unwanted & set(loaded)


def test_every_place_names_the_same_version() -> None:
    root = Path(__file__).parents[1]
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    citation = (root / "CITATION.cff").read_text("utf-8")
    changes = (root / "CHANGELOG.md").read_text("utf-8")
    assert project["version"] == ind.__version__
    assert f"\nversion: {ind.__version__}\n" in citation
    heading = re.findall(r"^## (.+)$", changes, re.MULTILINE)[0]
    released, is_unreleased = re.subn(r"\.dev\d+$", "", ind.__version__)
    assert heading.startswith(f"Unreleased: {released}" if is_unreleased else released)

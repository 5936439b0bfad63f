"""What a newcomer sets up: the locks, what the core loads, and the tests of one house."""

import json
import re
import subprocess
import sys
import tomllib
from importlib.metadata import distributions, packages_distributions
from pathlib import Path

import pytest

from houses import COMMANDS, HOUSES, TESTS, files_of
from install_sizes import closure
from shared import warmed_environment

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
BUILD = ["hatchling", "editables"]

CORE_COMMANDS = (
    ("sample", "patients", "--rows", "300", "--seed", "1", "--out", "patients.csv"),
    ("inspect", "patients.csv", "--draft", "policy.toml", "--yes-to-suggestions"),
    ("anonymize", "patients.csv", "--policy", "policy.toml", "--out", "release.csv"),
    ("verify", "release.csv", "--policy", "policy.toml"),
    ("sample", "register", "--rows", "300", "--seed", "1", "--out", "register.csv"),
    ("attack", "release.csv", "--policy", "policy.toml", "--register", "register.csv"),
)


def pins(name):
    """Read a lock: each package with its version and its hashes."""
    text = (ROOT / name).read_text("utf-8")
    return {
        pin.partition("==")[0]: pin.split()
        for pin in re.findall(r"^\w.*?(?=^\w|\Z)", text, re.MULTILINE | re.DOTALL)
    }


def test_the_lock_of_the_core_is_a_part_of_the_whole():
    """In the same versions, with the same hashes, and without addresses."""
    core, whole = pins("requirements-core.lock"), pins("requirements.lock")
    assert {name: whole.get(name) for name in core} == core
    assert "://" not in (ROOT / "requirements-core.lock").read_text("utf-8")


def test_the_lock_of_the_core_has_what_the_core_needs():
    """Nothing is missing, and nothing is there that nobody needs."""
    core = pins("requirements-core.lock")
    installed = {f"{one.name.lower().replace('_', '-')}=={one.version}" for one in distributions()}
    if not {first for first, *_ in core.values()} <= installed:
        pytest.skip("other versions are installed, which may need other packages")
    assert set(core) == closure([*PROJECT["dependencies"], *BUILD])


def modules_of_extras():
    """List the modules that packages of the extras bring, and the core does not."""
    core = closure([*PROJECT["dependencies"], *BUILD, "pip"]) | {"indistinct"}
    of_extras = closure(
        [one for extra in PROJECT["optional-dependencies"].values() for one in extra]
    )
    return {
        module
        for module, packages in packages_distributions().items()
        if {one.lower().replace("_", "-") for one in packages} <= of_extras - core
    }


def test_the_core_loads_no_extra(tmp_path):
    """Neither the import of the package, nor the commands of the demo, nor their verification."""
    source = (
        "import sys, json, indistinct; from indistinct.frontends.cli.main import status\n"
        "import brief_search; brief_search.anneal_as_asked_by('')\n"
        f"codes = [status(list(one), show_values=False) for one in {CORE_COMMANDS!r}]\n"
        "print(); print(json.dumps([codes, sorted({name.split('.')[0] for name in sys.modules})]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", source],
        capture_output=True, check=True, cwd=tmp_path, env=warmed_environment(),
    )  # fmt: skip
    codes, loaded = json.loads(done.stdout.splitlines()[-1])
    assert codes == [0] * len(CORE_COMMANDS)
    assert {"pandas", "pyarrow", "duckdb", "pytest"} <= modules_of_extras()
    # Numba reads a file of settings by it, where it happens to be installed.
    assert sorted(modules_of_extras() & set(loaded)) in ([], ["yaml"])


def test_the_demo_compiles_modules_that_are_there():
    """A word of the Makefile that names no module would compile nothing, and say nothing."""
    text = (ROOT / "Makefile").read_text("utf-8")
    [local] = re.findall(r"^LOCAL = \$\(addprefix ([\w.]+),([\w ]+)\)$", text, re.MULTILINE)
    [others] = re.findall(r"^\t@\$\(PRECOMPILE\) \$\(LOCAL\) (.+)$", text, re.MULTILINE)
    noted = json.loads((ROOT / "src/indistinct/base/compiled/loop_types.json").read_text("utf-8"))
    words = [local[0] + name for name in local[1].split()] + others.split()
    assert {f"indistinct.{word}" for word in words} <= set(noted)


@pytest.mark.parametrize("house", HOUSES)
def test_a_house_has_its_test_files(house):
    """The folder of its unit tests is a part of them, and so are the commands that are listed."""
    files = set(files_of(house))
    assert all((TESTS / "e2e" / f"{name}.py") in files for name in COMMANDS[house])
    assert all(file.is_file() for file in files)
    assert set((TESTS / "unit" / house).rglob("test_*.py")) < files


def test_a_house_has_no_files_of_another():
    """Graphs are not tested by what tests tables alone."""
    assert TESTS / "unit/tables/models/test_beta_likeness.py" not in files_of("graph")
    assert len(files_of("graph")) < len(files_of("tables")) / 4


def test_another_name_is_refused_with_the_seven():
    """The message says which houses there are, and no file is printed."""
    done = subprocess.run(
        [sys.executable, str(TESTS / "houses.py"), "garden"], capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert not done.stdout
    assert all(house in done.stderr for house in HOUSES)

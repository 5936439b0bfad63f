"""A program of ten lines that uses indistinct is typed: only its mistakes are told."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import indistinct as ind
from shared import ROOT, environment

# What mypy found of the package and of libraries; else each run reads all of them again.
CACHE = ROOT / ".mypy_cache"
PROGRAM = """\
import indistinct as ind
from indistinct.tables.models import DistinctLDiversity, KAnonymity

patients = ind.sample("patients", rows=100)
policy = ind.Policy(
    columns={"sex": {"role": "quasi-identifier"}, "diagnosis": {"role": "sensitive"}},
    models=[KAnonymity(k=5), DistinctLDiversity("diagnosis", l=2)],
)
release = ind.anonymize(patients, policy)
release.write("release.csv")
KAnonymity(k="5")  # a mistake
release.written_to("release.csv")  # a mistake
ind.anonymise(patients, policy)  # a mistake
release.data.head(5)
release.data.headless(5)  # a mistake
lazily = ind.anonymize(patients.lazy(), policy, engine="polars")
lazily.data.collect()
lazily.data.collected()  # a mistake
kept: ind.Release = ind.anonymize("release.csv", policy)
ind.anonymize("release.csv", policy, engine="memory").data.headless(5)  # a mistake
ind.anonymize(patients, quasi_identifiers=["sex"], k="5")  # a mistake
"""


def test_the_package_says_that_it_is_typed() -> None:
    assert Path(ind.__file__).with_name("py.typed").exists()


@pytest.mark.slow  # make check has the same types checked
def test_the_mistakes_of_a_program_are_found_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM, "utf-8")
    (tmp_path / "pyproject.toml").write_text(
        '[tool.basedpyright]\ntypeCheckingMode = "standard"\n'
        f'extraPaths = ["{Path(ind.__file__).parents[1]}"]\n',
        "utf-8",
    )
    done = subprocess.run(
        [Path(sys.executable).parent / "basedpyright", "--pythonpath", sys.executable],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    found = {int(line) for line in re.findall(r"program\.py:(\d+):\d+ - error", done.stdout)}
    lines = PROGRAM.splitlines()
    assert found == {place for place, line in enumerate(lines, 1) if "a mistake" in line}


def documented_programs(folder: Path) -> list[Path]:
    """Write the Python of every page of the documentation as one program a page."""
    root = Path(__file__).parents[2]
    written = []
    for page in [*sorted((root / "docs").glob("*.md")), root / "README.md"]:
        blocks = re.findall(
            r"^```python\n(.*?)^```", page.read_text("utf-8"), re.DOTALL | re.MULTILINE
        )
        if blocks:
            written.append(folder / f"{page.stem.replace('-', '_')}_page.py")
            written[-1].write_text("\n".join(blocks), "utf-8")
    return written


def test_documented_programs_pass_mypy_as_its_strictest(tmp_path: Path) -> None:
    """As users run it; the package itself is followed, and not judged."""
    programs = documented_programs(tmp_path)
    assert len(programs) > 20
    done = subprocess.run(
        [
            *[sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent"],
            *["--no-error-summary", "--hide-error-context", "--cache-dir", str(CACHE)],
            *map(str, programs),
        ],
        cwd=tmp_path,
        env={**environment(), "MYPYPATH": str(Path(ind.__file__).parents[1])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == ""
    assert done.returncode == 0, done.stderr


@pytest.mark.slow  # mypy judges the same programs
def test_documented_programs_pass_pyright(tmp_path: Path) -> None:
    """In the mode that it has where nobody chooses one."""
    documented_programs(tmp_path)
    (tmp_path / "pyproject.toml").write_text(
        '[tool.basedpyright]\ntypeCheckingMode = "standard"\n'
        f'extraPaths = ["{Path(ind.__file__).parents[1]}"]\n',
        "utf-8",
    )
    done = subprocess.run(
        [Path(sys.executable).parent / "basedpyright", "--pythonpath", sys.executable],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    # The types of pyreadstat do not know frames of pandas without further stubs.
    errors = [line for line in done.stdout.splitlines() if " - error" in line]
    assert [line for line in errors if "write_sav" not in line] == []

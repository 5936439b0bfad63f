"""A program of ten lines that uses indistinct is typed: only its mistakes are told."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import indistinct as ind

PROGRAM = """\
import indistinct as ind
from indistinct.models import DistinctLDiversity, KAnonymity

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

"""The pages that lead somebody from a file to a release run as they stand, in their own order."""

import re
import subprocess
from pathlib import Path

import pytest

import indistinct as ind
from forked import shell_with_command

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def follow(page: str, folder: Path) -> None:
    """Do what a reader of a page does: Python is run, TOML is the policy, sh is the shell."""
    names: dict[str, object] = {"__name__": "example"}
    shell = shell_with_command(folder)
    for language, text in BLOCK.findall((ROOT / "docs" / page).read_text("utf-8")):
        if language == "python":
            exec(compile(text, page, "exec", dont_inherit=True), names)
        elif language == "toml":
            (folder / "policy.toml").write_text(text, "utf-8")
        elif language == "sh":
            done = subprocess.run(
                ["sh", "-ec", text], env=shell, capture_output=True, text=True, check=False
            )
            assert done.returncode == 0, done.stderr


def test_the_statistician_hands_over_a_file_of_spss(tmp_path, monkeypatch):
    """With labels of what it shows, without the code of refused answers."""
    pyreadstat = pytest.importorskip("pyreadstat")
    monkeypatch.chdir(tmp_path)
    follow("statistician.md", tmp_path)
    frame, said = pyreadstat.read_sav("release.sav", output_format="polars", user_missing=True)
    assert "seqn" not in frame.columns
    assert said.column_names_to_labels["smokes"] == "Smokes cigarettes"
    assert said.variable_value_labels["smokes"] == {1.0: "yes", 2.0: "no"}
    assert b"refused" not in Path("release.sav").read_bytes()
    assert frame["smokes"].null_count() > 0
    assert ind.verify("release.sav", ind.Policy.load("policy.toml")).holds
    assert Path("release.sav.manifest.json").exists()


def test_the_engineer_hands_over_a_file_that_a_pipeline_checked(tmp_path, monkeypatch):
    pytest.importorskip("pandas")
    monkeypatch.chdir(tmp_path)
    follow("engineer.md", tmp_path)
    assert ind.verify("release.parquet", ind.Policy.load("policy.toml")).holds
    assert '"holds": true' in Path("verification.json").read_text("utf-8")

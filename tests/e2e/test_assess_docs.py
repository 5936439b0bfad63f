"""The run of docs/assess.md prints what the page says."""

import re
from pathlib import Path

import pytest

from indistinct.frontends.cli.main import status

PAGE = Path(__file__).resolve().parents[2] / "docs" / "assess.md"


def blocks(language: str) -> list[str]:
    text = PAGE.read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "132")
    (tmp_path / "policy.toml").write_text(blocks("toml")[0], encoding="utf-8")
    return tmp_path


def run(line: str) -> int:
    words = re.findall(r'"([^"]*)"|(\S+)', line)
    return status([quoted or plain for quoted, plain in words][1:], show_values=False)


def test_the_page_shows_what_the_command_prints(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Line for line, before and after anonymization."""
    raw, released, requirements = blocks("sh")
    for script, expected in zip((raw, released), blocks("text"), strict=True):
        for line in script.splitlines():
            capsys.readouterr()
            assert run(line) == 0
        assert capsys.readouterr().out.split() == expected.split()
    codes = [run(line) for line in requirements.splitlines()]
    assert codes == [0, 0]

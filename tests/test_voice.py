"""What the page on our voice calls the old wording stands nowhere else."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
VOICE = ROOT / "docs" / "contributing" / "voice.md"
PAIRS = re.findall(r"^\| (.+) \| (.+) \|$", VOICE.read_text("utf-8"), re.MULTILINE)[1:]
KINDS = {".py", ".md", ".toml", ".html", ".j2"}


def one_line(text: str) -> str:
    """Join a text that is broken over lines, or over the quotes of a program."""
    return " ".join(re.sub(r'"\n\s*f?"', "", text).split()).lower()


TEXTS = {
    file: one_line(file.read_text("utf-8"))
    for folder in ("src", "docs")
    for file in (ROOT / folder).rglob("*")
    if file.suffix in KINDS and file != VOICE
    if not {"_build", "jupyter_execute", "reference_pages"} & set(file.parts)
}


def test_there_are_twenty_pairs() -> None:
    assert len(PAIRS) >= 20
    assert len(TEXTS) > 300


def test_a_text_over_two_lines_is_read_as_one() -> None:
    assert one_line('("is no\n     row", "of "\n    f"a table")') == '("is no row", "of a table")'


@pytest.mark.parametrize("before", [before for before, _ in PAIRS])
def test_the_old_wording_is_gone(before: str) -> None:
    assert [str(file) for file, text in TEXTS.items() if before.lower() in text] == []

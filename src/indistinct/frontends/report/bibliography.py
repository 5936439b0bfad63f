"""The papers behind what a release used, as BibTeX: the keys stand in the docstrings."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from pathlib import Path

KEY = re.compile(r"\b([a-z]+(?:19|20)[0-9]{2}[a-z]?)\b")
ENTRY = re.compile(r"^@\w+\{(\w+),.*?^\}", re.MULTILINE | re.DOTALL)


def keys_of(*kinds: type) -> list[str]:
    """Return the keys that the docstrings of classes name after ``Source:``, each once."""
    said = [part for kind in kinds for part in (kind.__doc__ or "").split("Source:")[1:]]
    return list(dict.fromkeys(key for text in said for key in KEY.findall(text)))


def entries_of(keys: Iterable[str]) -> str:
    """Return the entries of some keys, as ``docs/references.bib`` has them."""
    known = _entries()
    return "\n\n".join(known[key] for key in keys if key in known)


@cache
def _entries() -> dict[str, str]:
    """Read the entries; the package has a copy of the file, a source tree has it in its docs."""
    copy = files("indistinct.frontends.report") / "references.bib"
    if copy.is_file():
        text = copy.read_text(encoding="utf-8")
    else:
        in_docs = Path(__file__).resolve().parents[4] / "docs" / "references.bib"
        text = in_docs.read_text(encoding="utf-8") if in_docs.is_file() else ""
    return {found[1]: found[0] for found in ENTRY.finditer(text)}

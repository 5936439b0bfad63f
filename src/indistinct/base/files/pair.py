"""A release and the manifest beside it: one run wrote both, or no reader takes them.

Two files cannot get their names in one step. The manifest gets its name first and the release
last, and the manifest holds the hash of its release. A run that is cut off in between therefore
leaves an older release beside a manifest that names another hash, which is what is refused here.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from indistinct.base.inputs import json_document, read_document
from indistinct.errors import DataError, Fault

SUFFIX = ".manifest.json"
REMEDY = (
    "A run that was cut off leaves an older release beside a newer manifest: run it again. "
    "Otherwise put the release and the manifest of one run beside each other."
)


def refuse_mixed_pair(data: Any, sha256: str) -> None:
    """Refuse a file beside which the manifest of another run stands.

    Parameters
    ----------
    data : a path, or a frame, which has no manifest beside it
    sha256 : hash of the bytes that were read from it

    Raises
    ------
    DataError
        when the manifest names another hash

    Notes
    -----
    A manifest that cannot be read, or that names no hash, says nothing of the file; ``verify``
    finds what is wrong with it.
    """
    if not isinstance(data, str | Path):
        return
    file = Path(f"{data}{SUFFIX}")
    said = hash_in(file)
    if said is None or said == sha256:
        return
    problem = f"is not the release that {file.name} describes: its hash is another one"
    raise DataError([Fault(Path(data).name, problem, REMEDY)])


def manifest_beside(data: Any) -> Mapping[str, Any]:
    """Return what the manifest beside a release says; nothing where none is, or it is no JSON.

    Parameters
    ----------
    data : a path, or a frame, which has no manifest beside it
    """
    if not isinstance(data, str | Path):
        return {}
    return _document(Path(f"{data}{SUFFIX}"))


def hash_in(file: Path) -> str | None:
    """Return the hash of the release that a manifest names, where it names one."""
    document = _document(file)
    output = _entry(document, "output")
    said = _entry(document, "output_sha256") if output is None else _entry(output, "sha256")
    return said if isinstance(said, str) else None


def _document(file: Path) -> Mapping[str, Any]:
    """Read a JSON object; nothing where there is none."""
    try:
        document: object = json_document(read_document(file))
    except (OSError, ValueError):
        return {}
    return cast("dict[str, Any]", document) if isinstance(document, dict) else {}


def _entry(document: object, word: str) -> object:
    """Return an entry of a JSON object; None where it is no object or has no such entry."""
    return cast("dict[str, object]", document).get(word) if isinstance(document, dict) else None


def sensitive_path(path: str | Path) -> Path:
    """Return the path of the sensitive table beside a release: ``x.csv``, ``x.sensitive.csv``."""
    file = Path(path)
    return file.with_name(f"{file.stem}.sensitive{file.suffix}")


def counterfeits_path(path: str | Path) -> Path:
    """Return the path of the list of counterfeits beside a release."""
    return Path(f"{path}.counterfeits.csv")

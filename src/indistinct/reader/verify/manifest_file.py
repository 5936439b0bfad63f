"""A manifest as it stands in a file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from indistinct.core.inputs import json_document, read_document
from indistinct.errors import DataError

NO_MANIFEST = (
    "there is no manifest: the hash of the file, the number of suppressed records and the claims "
    "about models, classes, risks and losses could not be checked; give the manifest (--manifest)"
)


def manifest_in(file: Path) -> Mapping[str, Any]:
    """Read the document of a manifest; empty where it says null, for that is a broken manifest.

    Raises
    ------
    DataError
        when the file cannot be read, or holds no JSON
    """
    try:
        return manifest_of(read_document(file), str(file))
    except OSError as error:
        raise DataError(f"{file} cannot be read: {error.strerror}", "Check the path.") from None
    except UnicodeDecodeError:
        raise _no_document(str(file)) from None


def manifest_of(text: str, called: str) -> Mapping[str, Any]:
    """Read the document of a manifest from its text, as :func:`manifest_in` does.

    Raises
    ------
    DataError
        when it holds no JSON
    """
    try:
        document = json_document(text)
    except ValueError:
        raise _no_document(called) from None
    return {} if document is None else document


def without_manifest(found: Mapping[str, Any] | None, *, is_required: bool) -> Mapping[str, str]:
    """Return a note under ``manifest`` if there is none.

    Raises
    ------
    DataError
        when there is none, and one is required
    """
    if found is not None:
        return {}
    if is_required:
        raise DataError(
            "there is no manifest, but one is required",
            "Put RELEASE.manifest.json beside the release, or name the manifest with --manifest.",
        )
    return {"manifest": NO_MANIFEST}


def _no_document(called: str) -> DataError:
    """Say that something is not a manifest."""
    return DataError(f"{called} is not a JSON document", "Name the release's manifest.")

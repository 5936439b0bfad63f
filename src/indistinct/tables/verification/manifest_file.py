"""The manifest of a release: where it is, and the document in it."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from indistinct.base.inputs import json_document, read_document
from indistinct.errors import DataError
from indistinct.tables.reading.places import (
    DUCKDB,
    MANIFEST,
    database_table,
    is_cluster_path,
    is_database,
    is_object_storage,
)

NO_MANIFEST = (
    "there is no manifest: the hash of the file, the number of suppressed records and the claims "
    "about models, classes, risks and losses could not be checked; give the manifest (--manifest)"
)


def manifest_of_release(
    data: Any, given: str | Path | Mapping[str, Any] | None
) -> Mapping[str, Any] | None:
    """Return the manifest that was given, inside the folder, or beside the file or table.

    Parameters
    ----------
    data : the release; None to look nowhere but at the one that was given
    """
    if given is not None:
        return manifest_in(Path(given)) if isinstance(given, str | Path) else given
    if not isinstance(data, str | Path) or is_cluster_path(str(data)):
        return None
    if is_object_storage(str(data)):
        from indistinct.tables.engines.object_storage import manifest_at

        return manifest_at(str(data)) if find_spec("obstore") is not None else None
    if is_database(str(data)):
        from indistinct.tables.engines.duckdb_catalog import manifest_of_table

        table = database_table(str(data))
        text = manifest_of_table(table) if table.kind == DUCKDB else None
        return None if text is None else manifest_of(text, "the manifest beside the table")
    path = Path(data)
    file = path / MANIFEST if path.is_dir() else Path(f"{data}.manifest.json")
    return manifest_in(file) if file.exists() else None


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
    """Return the error that something is not a manifest."""
    return DataError(f"{called} is not a JSON document", "Name the release's manifest.")

"""A manifest as it stands in a file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from indistinct.core.inputs import json_document, read_document
from indistinct.errors import DataError


def manifest_in(file: Path) -> Mapping[str, Any]:
    """Read the document of a manifest; empty where it says null, for that is a broken manifest.

    Raises
    ------
    DataError
        when the file cannot be read, or holds no JSON
    """
    try:
        document = json_document(read_document(file))
    except OSError as error:
        raise DataError(f"{file} cannot be read: {error.strerror}", "Check the path.") from None
    except ValueError:
        raise DataError(f"{file} is not a JSON document", "Name the release's manifest.") from None
    return {} if document is None else document

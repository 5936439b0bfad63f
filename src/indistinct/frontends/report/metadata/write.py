"""Metadata as files beside a release."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from indistinct.base.files.documents import json_text
from indistinct.base.files.text import STANDARD_STREAM
from indistinct.base.files.writing import atomic
from indistinct.errors import OutputError
from indistinct.frontends.report.metadata.columns import DescribedColumn, MetadataType, described
from indistinct.frontends.report.metadata.croissant import STATEMENTS, croissant
from indistinct.tables.publish import Release
from indistinct.tables.reading import format_of_file

CROISSANT, SCHEMA = ".jsonld", ".json"


def check_metadata(path: str | Path, out: str) -> None:
    """Refuse a path that does not say which metadata are wanted, or a release without a file.

    Raises
    ------
    OutputError
        when the ending is neither, or the release goes to standard output
    """
    if Path(path).suffix.lower() not in {CROISSANT, SCHEMA}:
        raise OutputError(
            f"{Path(path).name} does not say which metadata to write",
            "Let it end with .jsonld for Croissant, or with .json for a Table Schema.",
        )
    if out == STANDARD_STREAM:
        raise OutputError("metadata describe a file", "Name a file with --out.")


def write_metadata(
    release: Release, path: str | Path, out: str, manifest: Mapping[str, Any]
) -> None:
    """Write what machines read of a written release.

    Parameters
    ----------
    path : a ``.jsonld`` file for Croissant, a ``.json`` file for a Table Schema
    out : the released file
    manifest : of the written release

    Raises
    ------
    OutputError
        when the file cannot be written, or its ending is another
    """
    check_metadata(path, out)
    columns = described(dict(release.frame.schema), release.policy)
    if Path(path).suffix.lower() == SCHEMA:
        document = table_schema(columns) | {STATEMENTS: manifest["statements"]}
    else:
        form = format_of_file(out)
        document = croissant(Path(out).name, form, columns, release.policy, manifest)
    with atomic(Path(path)) as temporary:
        temporary.write_text(json_text(document), encoding="utf-8")


def table_schema(columns: Sequence[DescribedColumn]) -> dict[str, Any]:
    """Describe the released file; an empty cell is a missing value."""
    fields = [_field(column) for column in columns]
    return {
        "$schema": "https://datapackage.org/profiles/2.0/tableschema.json",
        "fields": fields,
        "missingValues": [""],
    }


def _field(column: DescribedColumn) -> dict[str, Any]:
    """Describe one column."""
    field: dict[str, Any] = {"name": column.name, "type": column.kind.value}
    if column.kind is MetadataType.TRUTH:
        field |= {"trueValues": ["true"], "falseValues": ["false"]}
    return {**field, "description": column.about}

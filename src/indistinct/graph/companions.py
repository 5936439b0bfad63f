"""The files of a release: what stands beside the edge list, and whether the manifest names it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast

from indistinct.base.inputs import json_document, read_document
from indistinct.errors import DataError, Fault
from indistinct.graph.graph_files import VERTEX_SUFFIX
from indistinct.graph.models import GRAPH_MODELS

MANIFEST_SUFFIX = ".manifest.json"
MODEL_SUFFIXES = tuple(suffix for model in GRAPH_MODELS for suffix in model.companions)
SUFFIXES = (VERTEX_SUFFIX, *MODEL_SUFFIXES)


def companion_of(path: Path, suffix: str) -> Path:
    """Name a companion of a file."""
    return path.with_name(path.name.removesuffix(".gz").removesuffix(".csv") + suffix)


def manifest_of(path: Path, given: str | Path | None = None) -> Path:
    """Name the manifest of a release: the given one, or the one beside it."""
    return path.with_name(path.name + MANIFEST_SUFFIX) if given is None else Path(given)


def sha256_of(content: bytes) -> str:
    """Return the hash of a file's content, in hexadecimal digits."""
    return hashlib.sha256(content).hexdigest()


def load_manifest(file: Path) -> Mapping[str, Any] | None:
    """Read a manifest; None where there is none.

    Raises
    ------
    DataError : the file cannot be read, or is not a JSON object
    """
    try:
        found: object = json_document(read_document(file))
    except FileNotFoundError:
        return None
    except OSError as error:
        problem = f"cannot be read: {error.strerror}"
        raise DataError([Fault(file.name, problem, "Check the path.")]) from error
    except (ValueError, RecursionError) as error:
        problem, remedy = "is not a JSON document", "Name the manifest of the release."
        raise DataError([Fault(file.name, problem, remedy)]) from error
    if not isinstance(found, dict):
        problem, remedy = "is not a JSON object", "Name the manifest of the release."
        raise DataError([Fault(file.name, problem, remedy)])
    return cast("dict[str, Any]", found)


def hashes_in(manifest: Mapping[str, Any]) -> dict[str, str]:
    """Return the hash of each file that a manifest names."""
    entries = manifest.get("files")
    if not isinstance(entries, dict):
        return {}
    return {
        name: str(cast("dict[str, object]", entry).get("sha256"))
        for name, entry in cast("dict[str, object]", entries).items()
        if isinstance(entry, dict)
    }


def owned(path: Path, manifests: Iterator[Path] | tuple[Path, ...]) -> set[Path]:
    """Find the companions that a release which stood at ``path`` has written.

    Notes
    -----
    A companion belongs to the older release only if that release's manifest has its very hash, so
    no file of somebody else is ever taken for one.
    """
    found: set[Path] = set()
    for file in manifests:
        try:
            manifest = load_manifest(file)
        except DataError:
            continue
        hashes = hashes_in(manifest or {})
        for suffix in SUFFIXES:
            companion = companion_of(path, suffix)
            if companion.is_file() and has_hash(companion, hashes.get(companion.name)):
                found.add(companion)
        if path.name in hashes:
            found.add(file)
    return found


def has_hash(file: Path, wanted: str | None) -> bool:
    """Return whether a file has a hash."""
    return wanted is not None and sha256_of(file.read_bytes()) == wanted


def check_files(path: Path, given: str | Path | None = None) -> Mapping[str, Any] | None:
    """Check that a release and what stands beside it are the files that its manifest names.

    Parameters
    ----------
    path : the released graph
    given : its manifest; default ``PATH.manifest.json``

    Returns
    -------
    the manifest; None where there is none and nothing stands beside the file that needs one

    Raises
    ------
    DataError : a file was changed, is missing, or is left over from another release; names each
    """
    file = manifest_of(path, given)
    manifest = load_manifest(file)
    if manifest is None and given is not None:
        raise DataError([Fault(file.name, "does not exist", "Check the path of the manifest.")])
    hashes = hashes_in(manifest or {})
    if not hashes:
        faults = list(unnamed(path))
    else:
        faults = [*changed(path, hashes), *left_over(path, hashes)]
    if faults:
        raise DataError(faults)
    return manifest


def unnamed(path: Path) -> Iterator[Fault]:
    """Find tables of a model that no manifest vouches for."""
    for suffix in MODEL_SUFFIXES:
        companion = companion_of(path, suffix)
        if companion.exists():
            problem = "is beside the release, but no manifest lists it"
            remedy = (
                "Give the manifest of the release, remove the file, or write the release again."
            )
            yield Fault(companion.name, problem, remedy)


def changed(path: Path, hashes: Mapping[str, str]) -> Iterator[Fault]:
    """Find files that the manifest names and that are missing or have another content."""
    if path.name not in hashes:
        problem = "is not named in its manifest"
        yield Fault(path.name, problem, "Take the files and the manifest of one release.")
    for name, wanted in hashes.items():
        file = path.with_name(name)
        if Path(name).name != name or not file.is_file():
            problem = "is listed in the manifest, but is not beside it"
            yield Fault("files", problem, "Take all files of the release.")
        elif not has_hash(file, wanted):
            problem = "does not have the hash that the manifest says"
            yield Fault(name, problem, "Take the files and the manifest of one release.")


def left_over(path: Path, hashes: Mapping[str, str]) -> Iterator[Fault]:
    """Find companions that the manifest does not name."""
    for suffix in SUFFIXES:
        companion = companion_of(path, suffix)
        if companion.exists() and companion.name not in hashes:
            problem = "is beside the release, but is not listed in its manifest"
            yield Fault(companion.name, problem, "Remove it; it belongs to another release.")

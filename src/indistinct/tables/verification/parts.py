"""Whether the files of a large release hold their cells and nothing else, part by part."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

from indistinct.base.files.literal_paths import scan_parquet
from indistinct.base.files.text import separator_of_file
from indistinct.errors import Fault
from indistinct.tables.engines.streamed_files import polars_in_words, rewrite_part, scan_texts
from indistinct.tables.frames.frame import Frame
from indistinct.tables.reading.places import MANIFEST, TABS, Files
from indistinct.tables.verification.bytes import BESIDE, DISMISS, are_alike
from indistinct.tables.verification.order import FrameParts

AT_ONCE = 250_000  # rows that are held
PART = re.compile(r"part-(\d{5})\.(parquet|csv|tsv)")


def part_faults(files: Files, separator: str | None) -> Iterator[Fault]:
    """Find parts that are not what is written of their own cells.

    Parameters
    ----------
    files : the parts; each is read and written again without being held whole
    separator : of text files, where it is known

    Notes
    -----
    O(cells), and the bytes of one part after the other in a temporary folder of the owner's.
    """
    wrong = 0
    for path in map(Path, files.paths):
        with TemporaryDirectory() as folder:
            own = Path(folder) / f"again.{files.file_format}"
            mark = _separator(path, files, separator)
            rewrite_part(path, own, files.file_format, mark)
            wrong += not are_alike(path, own)
    if wrong:
        which = "" if len(files.paths) == 1 else f"{wrong} of {len(files.paths)} parts: each "
        yield Fault("file", f"{which}{BESIDE}", DISMISS)


def rows_of_parts(files: Files, separator: str | None) -> FrameParts:
    """Return the rows of a release, folder after folder and part after part, not held at once.

    Parameters
    ----------
    separator : of text files, where it is known
    """

    def rows() -> Iterator[tuple[bool, Frame]]:
        folder: Path | None = None
        for path in map(Path, files.paths):
            mark = _separator(path, files, separator)
            is_text = bool(files.separators)
            lazy = scan_texts([str(path)], mark) if is_text else scan_parquet(path)
            with polars_in_words(str(path)):
                for batch in lazy.collect_batches(chunk_size=AT_ONCE, maintain_order=True):
                    yield path.parent != folder, batch
                    folder = path.parent

    return rows


def _separator(path: Path, files: Files, separator: str | None) -> str:
    """Return the separator of a part: that of the input, unless the ending names another one."""
    known = None if files.file_format == TABS else separator
    return known or separator_of_file(path, files.separators)


def folder_faults(root: Path, manifest: Mapping[str, Any]) -> Iterator[Fault]:
    """Find what lies in the folder of a release beside the parts that its manifest lists.

    Parameters
    ----------
    root : the folder, hidden names and folders below it included
    manifest : without faults of its shape
    """
    listed = _parts(manifest)
    names = [str(part.get("path")) for part in listed]
    there = {path.relative_to(root).as_posix() for path in root.rglob("*") if not path.is_dir()}
    more = there - {*names, MANIFEST}
    if more:
        problem = f"holds {len(more)} files that the manifest does not list"
        yield Fault("folder", problem, "Give away the folder as it was written, and nothing else.")
    if any(_folders(root, there)):
        yield Fault("folder", "holds an empty folder", "Give away the folder as it was written.")
    for _, group in groupby(sorted(zip(names, listed, strict=True), key=_folder_of), _folder_of):
        parts = [(PART.fullmatch(name.rpartition("/")[2]), part) for name, part in group]
        numbers = [int(found[1]) if found else -1 for found, _ in parts]
        sizes = [part.get("rows") for _, part in parts]
        if numbers != list(range(len(parts))) or len(set(sizes[:-1])) > 1:
            problem = "has parts that are not numbered and filled one after another"
            yield Fault("folder", problem, "Write the release again.")


def _parts(manifest: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the parts that a manifest lists."""
    said = manifest["output"].get("parts")
    parts = cast("list[Any]", said) if isinstance(said, list | tuple) else []
    return [part for part in parts if isinstance(part, Mapping)]


def _folders(root: Path, files: set[str]) -> Iterator[Path]:
    """Yield the folders below a folder that none of some files is in: their names may tell."""
    used = {parent.as_posix() for name in files for parent in Path(name).parents}
    for path in root.rglob("*"):
        if path.is_dir() and path.relative_to(root).as_posix() not in used:
            yield path


def _folder_of(part: tuple[str, object]) -> str:
    """Return the folder of a part."""
    return part[0].rpartition("/")[0]

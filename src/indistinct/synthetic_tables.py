"""Made-up tables in files of any format: written, read afresh and verified, then named."""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

from indistinct.base.billionths import as_number
from indistinct.base.brief import short_repr
from indistinct.base.files.documents import json_text
from indistinct.base.files.pair import SUFFIX, refuse_mixed_pair
from indistinct.base.files.writing import atomic
from indistinct.base.former_names import former_names
from indistinct.base.inputs import LARGEST_DOCUMENT, json_document, read_bytes, read_document
from indistinct.errors import DataError, Fault, OutputError, VerificationError
from indistinct.questions.checks import MadeUpTable, SyntheticVerification, verified
from indistinct.questions.synthesis import KIND, drawn
from indistinct.tables.frames import table_of_cells
from indistinct.tables.reading import (
    check_table_output,
    format_of_file,
    read_file,
    sha256_of,
    write_file,
)
from indistinct.tables.verification import WrittenTable, is_rewritten_alike

SEPARATORS = {"csv": ",", "tsv": "\t"}


@final
@dataclass(frozen=True, slots=True)
class Synthesis:
    """Synthetic records, the model from which they were drawn, and the promise.

    Parameters
    ----------
    data : the records, as a Polars frame
    model : noisy counts and the counts made of them, as JSON has them; it may be published
    manifest : what is promised and what it cost
    charged, left : rho that this call cost, and that the owner can still spend
    declaration : by which the written files are verified
    warning : that the noise is as large as what is counted, and what would be needed; else None
    """

    data: Any
    model: Mapping[str, Any]
    manifest: Mapping[str, Any]
    charged: float
    left: float
    declaration: Path
    warning: str | None = None

    __repr__ = short_repr

    def write(
        self,
        path: str | Path,
        *,
        manifest: str | Path | None = None,
        model: str | Path | None = None,
        replace: bool = False,
    ) -> Mapping[str, Any]:
        """Write the records and their manifest, and the model if asked for; all or nothing.

        What was written is read afresh and verified before it gets its name.

        Parameters
        ----------
        path : the ending chooses the format
        manifest : beside the records when left out
        model : where the model goes, a file that its owner alone can read
        replace : whether a file at ``path`` that is no synthetic table may be replaced

        Returns
        -------
        the manifest, the hashes of the written files included

        Raises
        ------
        OutputError
            when a file cannot be written, or something else stands at ``path``
        VerificationError
            when what was written does not hold; nothing is then left behind
        """
        places = places_of(path, manifest, model, replace=replace)
        with ExitStack() as together:
            # Names appear in reverse order: the manifest first, and the records last.
            temporary = together.enter_context(atomic(Path(path)))
            file_format = format_of_file(str(path))
            write_file(self.data, str(temporary), file_format)
            noted = self._verified(temporary, file_format)
            for place in places[1:]:
                text = json_text(self.model)
                together.enter_context(atomic(place, private=True)).write_text(text, "utf-8")
            together.enter_context(atomic(places[0])).write_text(json_text(noted), "utf-8")
        return noted

    def _verified(self, written: Path, file_format: str) -> dict[str, Any]:
        """Verify a written table; give the manifest that says so."""
        noted = {**self.manifest, "output_sha256": sha256_of(written)}
        found = _verify_unpublished(written, file_format, self.declaration, self.model, noted)
        if not found.holds:
            raise VerificationError([Fault("synthesize", fault) for fault in found.faults])
        return {**noted, "verified": True}


def places_of(
    path: str | Path,
    manifest: str | Path | None,
    model: str | Path | None,
    *,
    replace: bool,
) -> list[Path]:
    """Check where files go before anything is charged; give those of manifest and model.

    Raises
    ------
    OutputError
        when a place cannot be written to, is named twice, or holds what is no made-up table
    """
    manifest_file = Path(f"{path}.manifest.json" if manifest is None else manifest)
    places = [manifest_file, *([] if model is None else [Path(model)])]
    check_table_output(str(path), None)
    for one in places:
        if not one.absolute().parent.is_dir():
            raise OutputError(f"the folder of {one.name} does not exist", "Make it first.")
    everything = [Path(path).resolve(), *(place.resolve() for place in places)]
    if len(set(everything)) < len(everything):
        raise OutputError("two outputs have the same path", "Give each a path of its own.")
    if not replace and Path(path).exists() and not _is_ours(manifest_file):
        raise OutputError(
            f"{path} exists and is not a synthetic table that can be replaced",
            "Choose another path, or remove the file.",
        )
    return places


def _is_ours(manifest: Path) -> bool:
    try:
        return bool(json_document(read_document(manifest)).get("kind") == KIND)
    except (OSError, ValueError, AttributeError):
        return False


@former_names(positional=("epsilon",))
def synthesize(
    declaration: str | Path,
    *,
    epsilon: Any,
    rows: int | None = None,
    fresh: bool = False,
) -> Synthesis:
    """Make synthetic records from noisy counts of a declared table; its ledger is charged.

    The same request again costs nothing and draws other records from the same model.

    Parameters
    ----------
    declaration : the TOML file that declares the dataset, ``accounting = "zcdp"``
    epsilon : a positive decimal number, of at most nine decimals
    rows : how many records; about as many as there are when left out
    fresh : pay for a new model even if there is one

    Raises
    ------
    ParameterError
        If the declaration or a parameter does not allow it; nothing is charged.
    BudgetExceededError
        If it costs more than is left; nothing is charged.
    EngineError
        If the data cannot be reached; the charge stays.

    Notes
    -----
    Source: mckenna2021.
    """
    found = drawn(declaration, epsilon, rows, fresh=fresh)
    return Synthesis(
        data=table_of_cells(found.cells),
        model=found.model,
        manifest=found.manifest,
        charged=as_number(found.charged),
        left=as_number(found.left),
        declaration=Path(declaration),
        warning=found.warning,
    )


def verify_synthetic(
    data: str | Path,
    dataset: str | Path,
    model: str | Path,
    manifest: str | Path | None = None,
) -> SyntheticVerification:
    """Check a made-up table against the declaration and the model it was drawn from.

    The ledger is looked into where it lies beside the declaration, and the manifest is checked
    where there is one.

    Parameters
    ----------
    data : a file; its ending says the format
    dataset : the declaration, a TOML file
    model : what ``indistinct synthesize --model`` wrote
    manifest : beside the table when left out

    Raises
    ------
    DataError
        when one of the files cannot be read, or the manifest beside the table is of another one
    """
    default = Path(f"{data}{SUFFIX}")
    place = Path(manifest) if manifest is not None else default if default.exists() else None
    try:
        table = read_table(Path(data), format_of_file(str(data)))
        refuse_mixed_pair(data, table.sha256)
        texts = [
            read_bytes(model),
            b"null" if place is None else read_bytes(place, LARGEST_DOCUMENT),
        ]
        found, said = (json_document(text) for text in texts)
        return verified(table, Path(dataset), found, said, texts)
    except (OSError, ValueError):
        raise DataError(
            "the table, the declaration or the model cannot be read",
            "Give the made-up table, the dataset's TOML file and the file of --model.",
        ) from None


def _verify_unpublished(
    data: Path,
    file_format: str,
    dataset: Path,
    model: Mapping[str, Any],
    manifest: Mapping[str, Any],
) -> SyntheticVerification:
    """Check a made-up table that was written and has no name yet."""
    return verified(read_table(data, file_format), dataset, model, manifest)


def read_table(path: Path, file_format: str) -> MadeUpTable:
    """Read a file; cells of a text file stay as they are written.

    Raises
    ------
    DataError, OSError, ValueError
        when it cannot be read
    """
    content = path.read_bytes()
    sha256 = hashlib.sha256(content).hexdigest()
    mark = SEPARATORS.get(file_format)
    if mark is not None:
        table = list(csv.reader(io.StringIO(content.decode(), newline=""), delimiter=mark))
        again = "".join(mark.join(_again(cell, mark) for cell in row) + "\n" for row in table)
        return MadeUpTable(table[0], table[1:], sha256, content == again.encode())
    read = read_file(path, file_format=file_format, typed=False)
    frame = read.frame
    rows = [["" if cell is None else str(cell) for cell in row] for row in frame.iter_rows()]
    written = WrittenTable(path, file_format, read.separator, frame, read.labels)
    return MadeUpTable(list(frame.columns), rows, sha256, is_rewritten_alike(written))


def _again(cell: str, mark: str) -> str:
    """Write a cell again, in quotes only where it has a mark of the format."""
    return '"' + cell.replace('"', '""') + '"' if set(cell) & {mark, '"', "\r", "\n"} else cell

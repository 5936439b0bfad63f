"""Check that a made-up table follows from its model, and the model from its noisy counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, final

import numpy as np

from indistinct.base.arrays import Ints
from indistinct.base.shapes import is_written_so, shape_faults
from indistinct.base.verdicts import raise_unless_holds, truth
from indistinct.errors import Fault
from indistinct.questions.checks.accounting import accounting_faults
from indistinct.questions.checks.combinations import Combinations, combinations_of
from indistinct.questions.checks.declared import (
    PLAIN,
    Codebook,
    codebooks,
    declaration,
    names_of,
)
from indistinct.questions.checks.entry import entries_of
from indistinct.questions.checks.model import is_joined_as_expected, model_faults, noise_faults
from indistinct.questions.checks.records import lookup_faults, record_faults
from indistinct.questions.checks.rules import order_faults, rules_in
from indistinct.questions.checks.shape import claim_faults, claims_of, shape_of
from indistinct.questions.checks.table import MadeUpTable

CHECKED: tuple[str, ...] = (
    "the model has the words of a model of this declaration, and no others",
    "every cell has a code in the declaration",
    "columns that are looked up have the cells of their public tables",
    "counts of records follow the model within one record, and no forbidden pair occurs",
    "the model is a tree whose counts are the projections of its noisy counts",
    "codes are joined as the noisy counts ask for",
    "noisy counts of the same records agree within their noise",
    "the charges, recomputed from scales and sensitivities, are within epsilon and delta",
)
UNKNOWN: tuple[str, ...] = (
    "whether the noise was drawn as the model says",
    "whether the declared values and bounds were known without the data",
    "whether the limit of rows holds for people and not only for identifiers",
    "whether the table is useful",
)
THE_LEDGER = "whether the ledger has the charge: only the owner can look"
IN_LEDGER = "the ledger has the charge that paid for the model"
OTHERWISE = "has other blanks, another order of words, or a word twice; take it as it was written"
THE_MANIFEST = "the manifest says what the model and the table say, and nothing else"


@final
@dataclass(frozen=True, slots=True)
class SyntheticVerification:
    """What was checked, what is wrong, and what no check of these files can tell."""

    faults: tuple[str, ...]
    checked: tuple[str, ...] = field(default=CHECKED)
    cannot_tell: tuple[str, ...] = field(default=UNKNOWN)

    @property
    def holds(self) -> bool:
        """True where nothing is wrong."""
        return not self.faults

    __bool__ = truth
    raise_unless_holds = raise_unless_holds

    @property
    def reasons(self) -> tuple[Fault, ...]:
        """What is wrong."""
        return tuple(Fault("", fault) for fault in self.faults)

    def document(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        return {
            "holds": self.holds,
            "faults": list(self.faults),
            "checked": list(self.checked),
            "cannot_tell": list(self.cannot_tell),
        }


def verified(
    table: MadeUpTable,
    dataset: Path,
    model: Mapping[str, Any],
    manifest: Mapping[str, Any] | None,
    texts: Sequence[bytes] = (),
) -> SyntheticVerification:
    """Check a table, its model and its manifest by the text of a declaration.

    Parameters
    ----------
    texts : contents of the files of model and manifest, where they were read from files
    """
    declared = declaration(dataset)
    checked, unknown = list(CHECKED), list(UNKNOWN)
    checked += [
        f"{less} <= {more} in every record in which both are known"
        for less, more in rules_in(declared)
    ]
    try:
        shape = shape_of(model, declared, codebooks(declared))
        faults = [f"{one}: {what}" for one, what in shape_faults(model, shape, "model")]
        if faults:
            return SyntheticVerification(tuple(faults), tuple(checked), tuple(unknown))
        if texts and not is_written_so(texts[0], model, shape):
            faults.append(f"model: {OTHERWISE}")
        faults += _faults(declared, dataset.parent, model, table)
        if manifest is not None:
            derived = {
                name: declared["columns"][name]["from"]["column"]
                for name in names_of(declared)
                if "from" in declared["columns"][name]
            }
            claims = claims_of(manifest, model, derived, table)
            wrong = list(claim_faults(manifest, claims))
            if texts and not wrong and not is_written_so(texts[1], manifest, claims):
                wrong.append(f"manifest: {OTHERWISE}")
            faults += wrong
            checked.append(THE_MANIFEST)
        try:
            faults += _ledger_faults(entries_of(declared, dataset.parent, model), manifest)
            checked.append(IN_LEDGER)
        except FileNotFoundError:
            unknown.append(THE_LEDGER)
    except (KeyError, TypeError, IndexError, ValueError, AttributeError, OverflowError):
        faults = ["the model does not have the shape of a model of this declaration"]
    return SyntheticVerification(tuple(faults), tuple(checked), tuple(unknown))


def _ledger_faults(entries: Sequence[int], manifest: Mapping[str, Any] | None) -> Iterator[str]:
    if not entries:
        yield "the ledger has no charge that paid for this model"
    elif manifest is not None and manifest.get("ledger_entry") not in entries:
        yield "manifest.ledger_entry: is not the charge that paid for this model"


def _faults(
    declared: Mapping[str, Any], folder: Path, model: Mapping[str, Any], table: MadeUpTable
) -> Iterator[str]:
    books = codebooks(declared)
    focus = model["focus"]["name"] if model["focus"] else None
    allowed = combinations_of(declared, books, focus)
    limit = declared["dataset"].get("rows_per_person", 1)
    yield from accounting_faults(model, limit, allowed.n_given)
    yield from noise_faults(model)
    yield from model_faults(model, allowed)
    yield from _joining_faults(model, books, allowed)
    if table.header != names_of(declared):
        yield "the table's columns are not those of the declaration"
        return
    if not table.is_plain:
        yield "the table's file holds more than its cells, such as quotes or other line ends"
    yield from lookup_faults(declared, folder, table.header, table.rows)
    yield from order_faults(declared, table.header, table.rows)
    codes: dict[str, Ints] = {}
    for name, book in books.items():
        coded = _codes(book, table.rows, table.header.index(name))
        if coded is None:
            yield f"columns.{name}: the table has a cell that the declaration does not know"
        else:
            codes[name] = coded
    if len(codes) == len(books):
        yield from record_faults(model, codes, len(table.rows), allowed)


def _joining_faults(
    model: Mapping[str, Any], books: Mapping[str, Codebook], allowed: Combinations
) -> Iterator[str]:
    (scale,) = (one["scale"] for one in model["charges"] if one["step"] == "columns")
    for column in model["columns"]:
        name = column["name"]
        families = allowed.families(name)
        if not is_joined_as_expected(column, len(books[name].bins), scale, families):
            yield f"columns.{name}: its noisy counts ask for other joined codes"


def _codes(book: Codebook, rows: Sequence[Sequence[str]], at: int) -> Ints | None:
    cells = [row[at] if len(row) > at else "" for row in rows]
    known = {cell: book.code(cell) for cell in set(cells)}
    numbers = [cell for cell in known if PLAIN.fullmatch(cell)]
    is_whole = any(cell.lstrip("-").isdigit() for cell in numbers)
    is_mixed = is_whole and any(cell.endswith(".0") for cell in numbers)
    # 2 in one record and 2.0 in another could mark both.
    if None in known.values() or (book.has_numbers and is_mixed):
        return None
    return np.array([known[cell] for cell in cells], np.int64)

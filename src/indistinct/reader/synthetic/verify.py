"""Check that a made-up table follows from its model, and the model from its noisy counts."""

from __future__ import annotations

import csv
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, final

import numpy as np

from indistinct.core.arrays import Floats, Ints
from indistinct.errors import DataError
from indistinct.reader.synthetic.accounting import accounting_faults
from indistinct.reader.synthetic.declared import Codebook, codebooks, declaration
from indistinct.reader.synthetic.joining import is_joined_as_expected
from indistinct.reader.synthetic.projections import (
    CLOSE,
    distance_to_nearest,
    is_nearest_to_total,
)
from indistinct.release.pair import refuse_mixed_pair

CHECKED = (
    "every cell has a code in the declaration",
    "counts of records follow the model within one record",
    "the model is a tree whose counts are the projections of its noisy counts",
    "codes are joined as the noisy counts ask for",
    "the charges, recomputed from scales and sensitivities, are within epsilon and delta",
)
UNKNOWN = (
    "whether the noise was drawn as the model says",
    "whether the declared values and bounds were known without the data",
    "whether the limit of rows holds for people and not only for identifiers",
    "whether the ledger has the charge: only the owner can look",
    "whether the table is useful",
)


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

    def document(self) -> dict[str, Any]:
        """Give it as JSON has it."""
        return {
            "holds": self.holds,
            "faults": list(self.faults),
            "checked": list(self.checked),
            "cannot_tell": list(self.cannot_tell),
        }


def verify_synthetic(
    data: str | Path, dataset: str | Path, model: str | Path
) -> SyntheticVerification:
    """Check a made-up table against the declaration and the model it was drawn from.

    Parameters
    ----------
    data : comma-separated text
    dataset : the declaration, a TOML file
    model : what ``indistinct synthesize --model`` wrote

    Raises
    ------
    DataError
        when one of the files cannot be read, or the manifest beside the table is of another one
    """
    try:
        refuse_mixed_pair(data, hashlib.sha256(Path(data).read_bytes()).hexdigest())
        declared = declaration(Path(dataset))
        found: dict[str, Any] = json.loads(Path(model).read_text(encoding="utf-8"))
        with Path(data).open(encoding="utf-8", newline="") as file:
            header, *rows = list(csv.reader(file))
    except (OSError, ValueError):
        raise DataError(
            "the table, the declaration or the model cannot be read",
            "Give a CSV file, the dataset's TOML file and the file of --model.",
        ) from None
    try:
        faults = tuple(_faults(declared, found, header, rows))
    except (KeyError, TypeError, IndexError, ValueError):
        faults = ("the model does not have the shape of a model of this declaration",)
    return SyntheticVerification(faults)


def _faults(
    declared: Mapping[str, Any],
    model: Mapping[str, Any],
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
) -> Iterator[str]:
    books = codebooks(declared)
    parts = [*model["columns"], *([model["focus"]] if model["focus"] else [])]
    if model["order"] != list(books) or sorted(books) != sorted(part["name"] for part in parts):
        yield "the model's columns are not those of the declaration"
        return
    if any(len(part["codes"]) != books[part["name"]].n_codes for part in parts):
        yield "the model has other codes than the declaration"
        return
    yield from accounting_faults(model, declared["dataset"].get("rows_per_person", 1))
    yield from model_faults(model)
    yield from _joining_faults(model, books)
    if list(header) != list(books):
        yield "the table's columns are not those of the declaration"
        return
    codes: dict[str, Ints] = {}
    for at, (name, book) in enumerate(books.items()):
        coded = _codes(book, rows, at)
        if coded is None:
            yield f"columns.{name}: the table has a cell that the declaration does not know"
        else:
            codes[name] = coded
    if len(codes) == len(books):
        yield from record_faults(model, codes, len(rows))


def _joining_faults(model: Mapping[str, Any], books: Mapping[str, Codebook]) -> Iterator[str]:
    (scale,) = (one["scale"] for one in model["charges"] if one["step"] == "columns")
    for column in model["columns"]:
        if not is_joined_as_expected(column, len(books[column["name"]].bins), scale):
            yield f"columns.{column['name']}: its noisy counts ask for other joined codes"


def _codes(book: Codebook, rows: Sequence[Sequence[str]], at: int) -> Ints | None:
    cells = [row[at] if len(row) > at else "" for row in rows]
    known = {cell: book.code(cell) for cell in set(cells)}
    if None in known.values():
        return None
    return np.array([known[cell] for cell in cells], np.int64)


def model_faults(model: Mapping[str, Any]) -> Iterator[str]:
    """Find counts of a model that are no projections of its noisy counts."""
    scales = {charge["step"]: charge["scale"] for charge in model["charges"]}
    totals = _totals(model, scales["columns"])
    stated = _floats(model["totals"])
    if not np.allclose(stated, totals, rtol=CLOSE, atol=CLOSE):
        yield "the model's totals are not the mean of its noisy counts"
    for column in model["columns"]:
        yield from _node_faults(model, column, scales, stated)
    names = [column["name"] for column in model["columns"]]
    if model["edges"] and len(tree_order(model)) != len(names):
        yield "the model's pairs are not a tree"
    counts = {column["name"]: _floats(column["counts"]) for column in model["columns"]}
    for edge in model["edges"]:
        one, other = (counts[name] for name in edge["columns"])
        noisy, found = _floats(edge["noisy"]), _floats(edge["counts"])
        for t in range(len(stated)):
            if not _is_projected(found[..., t], noisy[..., t], one[:, t], other[:, t]):
                yield f"the pair {' and '.join(edge['columns'])} is not a projection"


def _totals(model: Mapping[str, Any], scale: float) -> Floats:
    blocks = [_floats(column["noisy"]) for column in model["columns"]]
    if model["focus"]:
        blocks.append(_floats(model["focus"]["noisy"])[np.newaxis])
    weights = np.array([1 / (len(block) * scale**2) for block in blocks])
    sums = np.array([block.sum(axis=0) for block in blocks])
    return np.maximum(0.0, np.average(sums, axis=0, weights=weights))


def _node_faults(
    model: Mapping[str, Any],
    column: Mapping[str, Any],
    scales: Mapping[str, float],
    totals: Floats,
) -> Iterator[str]:
    joined, noisy = _ints(column["joined"]), _floats(column["noisy"])
    member = _members(joined)
    if bool((member.sum(axis=1) == 0).any()) or int(joined.min()) < 0:
        yield f"columns.{column['name']}: its joined codes are not numbered from 0"
        return
    precision: Floats = 1 / (member.sum(axis=1) * scales["columns"] ** 2)
    weighted: Floats = (member @ noisy) * precision[:, np.newaxis]
    for edge in model["edges"]:
        if column["name"] in edge["columns"]:
            pair = _floats(edge["noisy"])
            axis = 1 - edge["columns"].index(column["name"])
            own = 1 / (pair.shape[axis] * scales["pairs"] ** 2)
            weighted = weighted + own * pair.sum(axis=axis)
            precision = precision + own
    found = _floats(column["counts"])
    for t, total in enumerate(totals):
        mean = weighted[:, t] / precision
        if not is_nearest_to_total(found[:, t], mean, 1 / precision, float(total)):
            yield f"columns.{column['name']}: its counts are not a projection of its noisy counts"
            return
    fine = _floats(column["fine"])
    ones = np.ones(len(joined))
    if not is_nearest_to_total(fine, noisy.sum(axis=1), ones, float(totals.sum())):
        yield f"columns.{column['name']}: the counts of its codes are not a projection"


def _is_projected(found: Floats, noisy: Floats, rows: Floats, columns: Floats) -> bool:
    """Tell whether a table meets its sums and is within half a record of the nearest such table."""
    allowed = CLOSE * max(1.0, float(rows.sum()))
    off = max(
        float(np.abs(found.sum(axis=1) - rows).max()),
        float(np.abs(found.sum(axis=0) - columns).max()),
    )
    if (found < 0).any() or off > allowed:
        return False
    near = 0.5 + 0.001 * float(np.sqrt((found**2).sum()))
    return distance_to_nearest(found, noisy, rows, columns) <= near


def tree_order(model: Mapping[str, Any]) -> list[tuple[str, str | None]]:
    """List columns after their parents, from the first column on; short where pairs are no tree."""
    names = [column["name"] for column in model["columns"]]
    if len(model["edges"]) not in {0, len(names) - 1}:
        return []
    listed: list[tuple[str, str | None]] = [(names[0], None)]
    for name, _ in listed:
        for edge in model["edges"]:
            if name in edge["columns"]:
                far = edge["columns"][1 - edge["columns"].index(name)]
                if far not in {known for known, _ in listed}:
                    listed.append((far, name))
    return listed if model["edges"] else [(name, None) for name in names]


def record_faults(
    model: Mapping[str, Any], codes: Mapping[str, Ints], n_records: int
) -> Iterator[str]:
    """Find counts of records that lie a record or more from what the model gives."""
    focus = np.zeros(n_records, np.int64)
    if model["focus"]:
        focus = codes[model["focus"]["name"]]
        if not _follows(focus, np.zeros(n_records, np.int64), _floats([model["totals"]])):
            yield f"columns.{model['focus']['name']}: its counts do not follow from the model"
    columns = {column["name"]: column for column in model["columns"]}
    joined = {name: _ints(columns[name]["joined"])[codes[name]] for name in columns}
    for name, parent in tree_order(model):
        if parent is None:
            cells, shares = focus, _floats(columns[name]["counts"]).T
        else:
            edge = next(one for one in model["edges"] if {name, parent} == set(one["columns"]))
            table = _floats(edge["counts"])
            if edge["columns"][0] == name:
                table = table.swapaxes(0, 1)
            cells = focus * table.shape[0] + joined[parent]
            shares = table.transpose(2, 0, 1).reshape(-1, table.shape[1])
        member = _members(_ints(columns[name]["joined"]))
        within = member * _floats(columns[name]["fine"])
        within = np.where(within.sum(axis=1, keepdims=True) > 0, within, member)
        if not _follows(joined[name], cells, shares) or not _follows(
            codes[name], joined[name], within
        ):
            yield f"columns.{name}: its counts do not follow from the model"


def _follows(values: Ints, cells: Ints, shares: Floats) -> bool:
    """Tell whether every cell's records are spread over values as its shares, within one record."""
    counts = np.zeros(shares.shape)
    np.add.at(counts, (cells, values), 1)
    sums = shares.sum(axis=1, keepdims=True)
    parts = np.where(sums > 0, shares / np.where(sums > 0, sums, 1), 1 / shares.shape[1])
    expected = parts * counts.sum(axis=1, keepdims=True)
    return bool((np.abs(counts - expected) < 1 + 1e-6).all())


def _members(joined: Ints) -> Floats:
    """Tell, as 0 or 1, which codes belong to each joined code, shape (joined, codes)."""
    numbers: Ints = np.arange(int(joined.max()) + 1, dtype=np.int64)
    return np.equal(joined[np.newaxis, :], numbers[:, np.newaxis]).astype(np.float64)


def _floats(given: Sequence[Any]) -> Floats:
    return np.array(given, np.float64)


def _ints(given: Sequence[Any]) -> Ints:
    return np.array(given, np.int64)

"""Two hundred files as people have them are read truly, or refused with the culprit.

Every file is read twice: as an inspection drafts it, and as the draft, which is a policy, says. The
truth of each cell stands beside the file that was made.
"""

import csv
import io
import re
import tomllib
from decimal import Decimal
from itertools import product

import pandas as pd
import polars as pl
import pytest

import indistinct as ind
from indistinct.errors import IndistinctError
from indistinct.tables.policy.tables import PolicyTables
from indistinct.tables.reading import files
from indistinct.tables.reading.declared_formats import Reading
from made_files import KINDS, SECRET, MadeFile, Truth, made_file

SEEDS = range(4)


@pytest.mark.parametrize(("kind", "seed"), list(product(KINDS, SEEDS)))
def test_a_file_is_read_truly_or_refused_with_its_culprit(tmp_path, kind, seed):
    check(tmp_path, made_file(kind, seed))


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(100, 104))
def test_fresh_files_are_read_truly_as_well(tmp_path, kind, seed):
    check(tmp_path, made_file(kind, seed))


def drafted(path):
    """Return the draft of a policy, its words and the table that they read, or the refusal."""
    try:
        draft = ind.inspect(path).drafted("p", yes_to_suggestions=True)
        words = tomllib.loads(draft.text)
        return draft, words, read_as_drafted(path, words)
    except IndistinctError as error:
        return str(error)


def check(tmp_path, made: MadeFile) -> None:
    """Hold a file that was read against its truth."""
    path = tmp_path / made.name
    path.write_bytes(made.content)
    found = drafted(path)
    if isinstance(found, str):
        assert made.culprit, f"is refused: {found}"
        assert any(word in found for word in made.culprit), found
        assert SECRET not in found
        return
    draft, words, frame = found
    assert SECRET not in draft.text
    assert frame.columns == list(made.columns)
    for name, truth in made.columns.items():
        check_cells(frame[name], truth)
        check_labels(rows_of(words["columns"][name], draft.files), truth)
    for word in made.said:
        assert word in draft.text, f"{word} is not said"


def read_as_drafted(path, words) -> pl.DataFrame:
    """Read a table as the draft of a policy says."""
    reading = PolicyTables(**words).reading
    return files.read_file(path, reading=reading).frame


def check_cells(column: pl.Series, truth: Truth) -> None:
    """Hold the cells of a column against their truth."""
    if truth.kind == "number":
        assert column.dtype.is_numeric(), f"{column.name} is read as {column.dtype}"
        read = [None if cell is None else Decimal(repr(cell)) for cell in column.to_list()]
    else:
        wanted = {"date": pl.Date, "moment": pl.Datetime}.get(truth.kind, pl.String)
        assert column.dtype == wanted, f"{column.name} is read as {column.dtype}"
        read = column.to_list()
    expected = [_as_read(cell, truth.kind) for cell in truth.cells]
    assert len(read) == len(expected)
    wrong = [at for at, pair in enumerate(zip(read, expected, strict=True)) if pair[0] != pair[1]]
    assert not wrong, f"{column.name}: {len(wrong)} cells, such as {read[wrong[0]]!r}"


def _as_read(cell, kind):
    """Return what a cell of the truth is when it is read."""
    if cell is not None and kind == "number":
        return Decimal(str(cell))
    return cell


def rows_of(words, beside) -> list[list[str]]:
    """Return the rows of a drafted hierarchy that lists its values."""
    rule = words.get("hierarchy", {})
    if "csv" in rule:
        return list(csv.reader(io.StringIO(beside[rule["csv"]]), delimiter=";"))
    return list(_leaves(rule.get("tree", {}), []))


def _leaves(tree, above):
    """Return the paths from the values of a tree to its root."""
    for label, below in tree.items():
        if isinstance(below, dict):
            yield from _leaves(below, [label, *above])
        else:
            yield from ([value, label, *above, "*"] for value in below)


def check_labels(rows, truth: Truth) -> None:
    """Hold the labels of a drafted hierarchy against the truth of the values below them."""
    if truth.days:
        assert rows, "nothing is drawn"
    if truth.kind == "number":
        assert not rows, "the values of a column of numbers are listed"
    days = dict(zip(map(str, truth.cells), truth.days, strict=bool(truth.days)))
    cells = {str(cell) for cell in truth.cells}
    for value, *labels in rows:
        for label in labels:
            assert truth.days or label == value or label not in cells, f"{label} is a value"
            if value in days and (found := re.fullmatch(r"(\d{3,4})(s?)", label)):
                assert found[1].removesuffix("0" if found[2] else "").startswith(days[value][:3])
                assert found[2] or found[1] == days[value]


# Kinds whose columns mean the same in a frame of texts, as pandas reads them with dtype=str.
OF_COLUMNS = sorted(
    kind
    for kind in KINDS
    if re.search("first|digit|month|date|moment|week|decimal|thousand|percent|currenc|minus", kind)
)


@pytest.mark.parametrize("kind", OF_COLUMNS)
def test_columns_of_a_frame_mean_what_those_of_a_file_do(kind):
    """Except plain numbers, which somebody has made texts."""
    made = made_file(kind, 7)
    text = made.content.decode()
    separator = max(",;\t", key=text.split("\n", 1)[0].count)
    frame = pd.read_csv(io.StringIO(text), sep=separator, dtype=str, keep_default_na=False)
    name = list(made.columns)[-1]
    reading = Reading(missing=("",), decimal="," if kind.startswith("decimal") else None)
    read = files.read_file(frame, reading=reading).frame
    if kind == "packed_dates" or made.columns[name].kind == "text":
        assert read[name].dtype in {pl.String, pl.Date}
    else:
        check_cells(read[name], made.columns[name])


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
@pytest.mark.parametrize("kind", OF_COLUMNS)
def test_engines_draw_true_labels_over_texts(tmp_path, engine, kind):
    """They read the cells as they are written, and the draft lists what is sure of them."""
    made = made_file(kind, 8)
    path = tmp_path / made.name
    path.write_bytes(made.content)
    draft = ind.inspect(path, engine=engine).drafted("p", yes_to_suggestions=True)
    words = tomllib.loads(draft.text)
    name = list(made.columns)[-1]
    truth = made.columns[name]
    labels = rows_of(words["columns"][name], draft.files)
    if truth.kind in {"date", "moment"}:
        assert all(row[0] not in row[1:] for row in labels if row[0])
        years = {str(cell.year) for cell in truth.cells if cell is not None}
        assert {label for row in labels for label in row if re.fullmatch(r"\d{4}", label)} <= years
    elif truth.kind == "number":
        assert not labels

"""Dialects of separated text: quotes inside of cells, no quotes, and backslashes."""

from __future__ import annotations

import csv
import io
import random
from pathlib import Path

import polars as pl
import pytest

from indistinct.base.files.lines import lines_of_rows
from indistinct.errors import DataError
from indistinct.tables.engines.choosing import Resources, open_table
from indistinct.tables.reading.declared_formats import Reading
from indistinct.tables.reading.dialects import TextDialect
from indistinct.tables.reading.files import read_file


def rows_of(path: Path, text: str, **said: str) -> list[tuple[str | None, ...]]:
    """Read a text, every cell as it is written."""
    path.write_text(text, encoding="utf-8")
    return read_file(path, reading=Reading(**said), typed=False).frame.rows()


def found_in(path: Path, text: str) -> dict[str, str | int]:
    """Read a text, and return the words that were found."""
    path.write_text(text, encoding="utf-8")
    return dict(read_file(path, reading=Reading(), typed=False).found.words)


def test_a_quote_inside_of_a_cell_that_has_none_around_it_is_a_character(tmp_path: Path) -> None:
    """Feet and inches are read as they are written, beside cells with quotes around them."""
    text = 'size,town\n5\'6",Ulm\n6\'0","Hof, north"\n'
    assert rows_of(tmp_path / "a.csv", text) == [("5'6\"", "Ulm"), ("6'0\"", "Hof, north")]


def test_a_backslash_before_quotes_is_found_where_doubled_quotes_do_not_fit(tmp_path: Path) -> None:
    """The word is found, and backslashes before other characters stay."""
    text = 'a,b,c\n1,"said \\"no, thanks\\"",x\n2,"C:\\new \\\\ old",\\N\n'
    expected = [("1", 'said "no, thanks"', "x"), ("2", "C:\\new \\ old", "\\N")]
    assert rows_of(tmp_path / "a.csv", text) == expected
    assert found_in(tmp_path / "a.csv", text) == {"escape": "\\"}
    assert rows_of(tmp_path / "a.csv", text, escape="\\") == expected


def test_quotes_are_characters_where_no_cell_is_enclosed_by_them(tmp_path: Path) -> None:
    """Cells that begin with a quote that nothing closes."""
    text = 'a,b\n"5,x\n"" 6,y\n'
    assert rows_of(tmp_path / "a.csv", text) == [('"5', "x"), ('"" 6', "y")]
    assert found_in(tmp_path / "a.csv", text) == {"quote": ""}


def test_a_word_of_the_policy_comes_before_what_is_found(tmp_path: Path) -> None:
    """With no quotes, quotes around cells are part of them."""
    text = 'a,b\n"5",x\n6,y\n'
    assert rows_of(tmp_path / "a.csv", text, quote="") == [('"5"', "x"), ("6", "y")]


def test_single_quotes_are_found_below_a_header_without_them(tmp_path: Path) -> None:
    """Without them the lines have different numbers of cells."""
    text = "a,b\n1,'x, y'\n2,'z'\n"
    assert rows_of(tmp_path / "a.csv", text) == [("1", "x, y"), ("2", "z")]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('a,b\n"1","x"\n2,"y\n3,z\n', 3),  # never closed
        ('a,b\n"1\n1","x"\n"2" 2,y\n', 4),  # closed inside of the cell
    ],
)
def test_a_quote_that_does_not_fit_is_named_by_its_line(
    tmp_path: Path, text: str, line: int
) -> None:
    """The error names the line of the file, and both ways out."""
    with pytest.raises(DataError, match=rf"\(line {line}\)") as caught:
        rows_of(tmp_path / "a.csv", text)
    assert "data.quote" in str(caught.value)
    assert "data.escape" in str(caught.value)


def test_lines_are_those_of_the_file(tmp_path: Path) -> None:
    """A record is called by the line in which it begins, below cells of several lines."""
    text = 'a,b\n"1\n1",x\n2,y\n3,z,more\n'
    with pytest.raises(DataError, match=r"1 line does not have 2 cells \(line 5\)"):
        rows_of(tmp_path / "a.csv", text)


def test_the_first_line_of_every_row_is_that_of_a_plain_reader() -> None:
    """Random cells with line breaks, separators and quotes."""
    chance = random.Random(5)
    rows = [["".join(chance.choices('ab,"\n', k=3)) for _ in range(3)] for _ in range(300)]
    written = io.StringIO(newline="")
    csv.writer(written, lineterminator="\n").writerows(rows)
    expected, line = [], 1
    for row in rows:
        expected.append(line)
        line += 1 + sum(cell.count("\n") for cell in row)
    found = lines_of_rows(written.getvalue().encode())
    assert found[: len(rows)].tolist() == expected


def test_doubled_quotes_are_read_as_a_plain_reader_reads_backslashes() -> None:
    """Random cells, escaped by a few lines of another kind."""
    chance = random.Random(7)
    cells = ["".join(chance.choices('ab,"\\\n', k=4)) for _ in range(500)]
    written = [
        '"' + "".join("\\" + one if one in '"\\' else one for one in cell) + '"' for cell in cells
    ]
    text = "\n".join(written).encode()
    plain = TextDialect('"', "\\").doubled(text).decode()
    read = list(csv.reader(io.StringIO(plain, newline=""), strict=True))
    assert [row[0] for row in read] == cells


def test_a_dialect_that_fits_nearly_all_lines_is_told_with_their_number(tmp_path: Path) -> None:
    """Of 120 lines one has a cell too many; it is the only one that no quotes do not explain."""
    rows = "".join(f'{n},"5 inches\n' for n in range(120))
    with pytest.raises(DataError) as caught:
        rows_of(tmp_path / "a.csv", f"a,b\n{rows}7,8,9\n")
    assert 'With data.quote = "", 121 of the first 122 lines have 2 cells.' in str(caught.value)


def test_what_polars_does_not_read_in_parts_is_named_by_its_line(tmp_path: Path) -> None:
    """DuckDB reads it as the memory does."""
    path = tmp_path / "a.csv"
    path.write_text('size,town\n"5\n5",Ulm\n5\'7",Hof\n', encoding="utf-8")
    expected = read_file(path, reading=Reading()).frame.rows()
    opening = Resources("duckdb").opening((), None)
    with open_table(str(path), opening, "duckdb") as table:
        found = pl.concat(pl.DataFrame(one) for one in table.batches(10)).rows()
    assert sorted(found) == sorted(expected)
    with pytest.raises(DataError, match=r"quote inside of a cell .* \(line 4\)") as caught:
        open_table(str(path), opening, "polars")
    assert "--engine memory or duckdb" in str(caught.value)


@pytest.mark.parametrize("separator", [";", "\t", "|"])
@pytest.mark.parametrize("above", ["Members, as of today", "Beiträge, in Euro, je Jahr"])
def test_commas_in_a_title_and_in_decimals_are_no_separators(
    tmp_path: Path, separator: str, above: str
) -> None:
    """Each line has one comma, as a title may have, and more of the true separator."""
    rows = [["nr", "town", "fee"], *([str(n), "Bath", f"{n},50"] for n in range(30))]
    text = "\n".join([above, *map(separator.join, rows)]) + "\n"
    assert rows_of(tmp_path / "a.csv", text)[0] == ("0", "Bath", "0.50")
    assert found_in(tmp_path / "a.csv", text)["header"] == 2


def test_lists_in_the_cells_of_a_column_are_no_cells_of_their_own(tmp_path: Path) -> None:
    """Their mark cuts every line but the one of the names."""
    text = "\n".join(["name,likes", *(f"p{n},tea;milk;rum" for n in range(30))]) + "\n"
    assert rows_of(tmp_path / "a.csv", text)[0] == ("p0", "tea;milk;rum")

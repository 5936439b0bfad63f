"""Text files with lines that do not fit: named by number, never quoted, left out where allowed."""

from __future__ import annotations

import gzip
import traceback

import polars as pl
import pytest

from indistinct.errors import DataError, IndistinctError, SchemaError
from indistinct.questions.database import init, open_session

COUNT = "SELECT COUNT(*) FROM d"
GOOD = b"id,age,note\n" + b"".join(b"%d,%d,x\n" % (n, n) for n in range(1, 41))


@pytest.fixture
def declared(tmp_path):
    (tmp_path / "d.csv").write_bytes(GOOD)
    init(
        tmp_path / "d.csv",
        person="id",
        epsilon=10**6,
        out=tmp_path / "d.toml",
        bounds={"age": (0, 50)},
    )
    return tmp_path


def allow(folder):
    path = folder / "d.toml"
    path.write_text(path.read_text().replace("[dataset]\n", '[dataset]\nmisfits = "leave-out"\n'))


MISFITS = (b"2,secret", b"2,3,secret,secret", b"secret")


@pytest.mark.parametrize("line", MISFITS)
def test_a_line_that_does_not_fit_is_named_and_not_quoted(declared, line):
    """Its number is in the message; with leave-out all other lines count."""
    (declared / "d.csv").write_bytes(GOOD + line + b"\n50,5,x\n")
    with pytest.raises(DataError, match="line 42") as caught:
        open_session(declared / "d.toml")
    assert "secret" not in "".join(traceback.format_exception(caught.value))
    allow(declared)
    with open_session(declared / "d.toml") as session:
        assert session.ask(COUNT, epsilon=5000).answer == 41
        assert session.ask("SELECT SUM(age) FROM d", epsilon=50_000).answer == sum(range(41)) + 5


def test_lines_may_end_in_either_way(declared):
    """One end of line that differs from the others, or all of them: the values are the same."""
    pieces = GOOD.split(b"\n")
    for content in (
        b"\n".join(pieces[:5]) + b"\r\n" + b"\n".join(pieces[5:]),
        GOOD.replace(b"\n", b"\r\n"),
        b"\r\n".join(pieces[:9]) + b"\n" + b"\r\n".join(pieces[9:]),
    ):
        (declared / "d.csv").write_bytes(content)
        with open_session(declared / "d.toml") as session:
            assert session.ask(f"{COUNT} WHERE note = 'x'", epsilon=5000).answer == 40


def test_an_open_quote_or_another_encoding_is_said_in_words(declared):
    """These faults swallow lines of others, so nothing is left out."""
    allow(declared)
    for line in (b'50,5,"secret\n', b"50,5,secret\xff\n"):
        (declared / "d.csv").write_bytes(GOOD + line + b"51,5,x,x\n")
        with pytest.raises(DataError) as caught:
            open_session(declared / "d.toml")
        assert "secret" not in "".join(traceback.format_exception(caught.value))


def test_a_file_without_a_header_is_not_quoted(declared):
    """Its first record is no list of columns."""
    (declared / "d.csv").write_bytes(b"77,secret,x\n" + GOOD[12:])
    with pytest.raises(SchemaError) as caught:
        open_session(declared / "d.toml")
    with pytest.raises(IndistinctError) as refused:
        init(declared / "d.csv", person="id", epsilon=1, out=declared / "e.toml")
    assert "secret" not in str(caught.value) + str(refused.value)


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_the_header_tells_the_separator(tmp_path, separator):
    """Compressed or not."""
    text = GOOD.decode().replace(",", separator).replace("1", '"1"', 1)
    path = tmp_path / "d.csv.gz"
    path.write_bytes(gzip.compress(text.encode()))
    init(
        path,
        person="id",
        epsilon=10**6,
        out=tmp_path / "d.toml",
        table="d",
        bounds={"age": (0, 50)},
    )
    with open_session(tmp_path / "d.toml") as session:
        assert session.ask(COUNT, epsilon=5000).answer == 40


def people(n=40):
    """Return the header and the records of some people, by lines."""
    return ["id,sex", *(f"{number},{'FM'[number % 2]}" for number in range(n))]


LINES = [
    lambda lines: lines[0] + "\r\n" + "\n".join(lines[1:]) + "\n",
    lambda lines: lines[0] + "\n" + "\r\n".join(lines[1:]) + "\r\n",
    lambda lines: "\n".join(lines[:2]) + "\r\n" + "\n".join(lines[2:]) + "\n",
    lambda lines: "\n".join(lines[:-1]) + "\r\n" + lines[-1] + "\r\n",
    lambda lines: "\n".join(lines[:9]) + "\r" + "\n".join(lines[9:]),
    "\r".join,
    lambda lines: "\n".join(lines[:9]) + "\n\r\n\n" + "\n".join(lines[9:]),
    lambda lines: "\n".join([*lines[:9], '"8","F"\r', *lines[10:]]),
    lambda lines: "\n".join([lines[0], '"0",F', *lines[2:]]) + "\r\n",
    lambda lines: "\ufeff" + "\r\n".join(lines[:9]) + "\n" + "\n".join(lines[9:]),
]


@pytest.mark.parametrize("write", LINES, ids=range(len(LINES)))
@pytest.mark.parametrize("suffix", [".csv", ".csv.gz"])
def test_no_line_ending_of_one_record_changes_how_others_are_read(tmp_path, write, suffix):
    """Wherever another line end or another quote stands, the same people are counted."""
    path, content = tmp_path / f"d{suffix}", write(people()).encode()
    path.write_bytes(gzip.compress(content) if suffix.endswith(".gz") else content)
    init(
        path,
        person="id",
        epsilon=10**6,
        out=tmp_path / "d.toml",
        table="d",
        values={"sex": ("F", "M")},
    )
    with open_session(tmp_path / "d.toml") as session:
        reply = session.ask("SELECT sex, COUNT(*) FROM d GROUP BY sex", epsilon=5000)
        assert [row["count"] for row in reply.answer] == [20, 20, 0, 0]


@pytest.mark.parametrize("cell", ['5 ft 6"', 'a"b', "x\ty", "a;b", "\x00", "'", "#", "  "])
def test_odd_cells_change_nobody_else(tmp_path, cell):
    """A quote within a cell is a letter, and so is every other mark."""
    lines = ["id,sex,note", *(f"{number},{'FM'[number % 2]},x" for number in range(40))]
    lines[9] = f"8,F,{cell}"
    (tmp_path / "d.csv").write_text("\n".join(lines), "utf-8")
    init(
        tmp_path / "d.csv",
        person="id",
        epsilon=10**6,
        out=tmp_path / "d.toml",
        values={"sex": ("F", "M")},
    )
    with open_session(tmp_path / "d.toml") as session:
        reply = session.ask("SELECT sex, COUNT(*) FROM d GROUP BY sex", epsilon=5000)
        assert [row["count"] for row in reply.answer] == [20, 20, 0, 0]


@pytest.mark.parametrize("name", ["d[1]", "all*", "who?", "[a-z]", "it's[1]"])
@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_the_declared_file_is_read_whatever_its_name(tmp_path, name, suffix):
    """Forty women, and none of the men in files that the name matches; no column from a folder."""
    folder = tmp_path / "sex=M"
    folder.mkdir()
    for stem, sex in ((name, "F"), ("d1", "M"), ("all-2025", "M"), ("whom", "M"), ("q", "M")):
        frame = pl.DataFrame({"id": [f"{sex}{n}" for n in range(40)], "sex": [sex] * 40})
        path = folder / f"{stem}{suffix}"
        frame.write_parquet(path) if suffix == ".parquet" else frame.write_csv(path)
    options = {"table": "d", "values": {"sex": ("F", "M")}}
    init(folder / f"{name}{suffix}", person="id", epsilon=10**6, out=tmp_path / "d.toml", **options)
    with open_session(tmp_path / "d.toml") as session:
        reply = session.ask("SELECT sex, COUNT(*) FROM d GROUP BY sex", epsilon=5000)
        assert [row["count"] for row in reply.answer] == [40, 0, 0, 0]

"""Text files with lines that do not fit: named by number, never quoted, left out where allowed."""

from __future__ import annotations

import gzip
import traceback

import pytest

from indistinct.database import init, open_session
from indistinct.errors import DataError, IndistinctError, PolicyError

COUNT = "SELECT COUNT(*) FROM d"
GOOD = b"id,age,note\n" + b"".join(b"%d,%d,x\n" % (n, n) for n in range(1, 41))


@pytest.fixture
def declared(tmp_path):
    (tmp_path / "d.csv").write_bytes(GOOD)
    init(tmp_path / "d.csv", "id", 10**6, tmp_path / "d.toml", bounds={"age": (0, 50)})
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
        assert session.ask(COUNT, 5000).answer == 41
        assert session.ask("SELECT SUM(age) FROM d", 50_000).answer == sum(range(41)) + 5


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
            assert session.ask(f"{COUNT} WHERE note = 'x'", 5000).answer == 40


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
    with pytest.raises(PolicyError) as caught:
        open_session(declared / "d.toml")
    with pytest.raises(IndistinctError) as refused:
        init(declared / "d.csv", "id", 1, declared / "e.toml")
    assert "secret" not in str(caught.value) + str(refused.value)


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_the_header_tells_the_separator(tmp_path, separator):
    """Compressed or not."""
    text = GOOD.decode().replace(",", separator).replace("1", '"1"', 1)
    path = tmp_path / "d.csv.gz"
    path.write_bytes(gzip.compress(text.encode()))
    init(path, "id", 10**6, tmp_path / "d.toml", table="d", bounds={"age": (0, 50)})
    with open_session(tmp_path / "d.toml") as session:
        assert session.ask(COUNT, 5000).answer == 40

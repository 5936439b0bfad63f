"""Constants are texts: no mark in them is a comment, and none of them forges a line of a list."""

from __future__ import annotations

import sqlite3
import subprocess

import pytest

from asked import read
from indistinct.base.one_line import one_line
from indistinct.errors import QuestionError
from indistinct.questions.database import ledger, open_session
from indistinct.questions.database.loading import load
from indistinct.questions.database.relational.tree import Constant, Name, Operation
from indistinct.questions.database.session import open_engine
from people import declare, person
from served import command
from shared import environment

COUNT = "SELECT COUNT(*) FROM people"
MARKS = [
    "--", "a -- b", ";", "a; b", "#1", "C:\\x", "\\", "\\'", "/* x */", "*/", "$$x$$", "{{x}}",
    "%s", "?", ":b0", "'", "''", "';--", "a\tb", "a\nb", '"', "`", "E'x'", "\\n",
]  # fmt: skip
COMMENTS = [
    f"{COUNT} /* x */", f"{COUNT}; SELECT 1", f"{COUNT} # x",
    f"{COUNT} WHERE note = 'a'; --'",
    f"{COUNT} WHERE note = $1",
    f"{COUNT} WHERE note = \\'a\\'", f"{COUNT};;",
]  # fmt: skip


@pytest.mark.parametrize("mark", MARKS, ids=range(len(MARKS)))
def test_a_mark_in_quotes_is_a_letter(tmp_path, mark):
    """The constant that reaches the database is the one that was written."""
    dataset = load(declare(tmp_path, [person(1)]))
    written = mark.replace("'", "''")
    statement = read(f"{COUNT} WHERE note = '{written}'", dataset)
    assert statement.select.where == Operation("=", Name("note"), Constant(mark))
    engine = open_engine(dataset)
    sql = statement.base.partition(" WHERE ")[2].replace("s1.c4", "'x'")
    assert engine.fetch(f"SELECT count(*) FROM (SELECT 1) WHERE {sql}") == [(int(mark == "x"),)]
    assert mark in engine.fetch(f"SELECT '{written}'")[0][0]
    engine.close()


@pytest.mark.parametrize("text", COMMENTS, ids=range(len(COMMENTS)))
def test_a_comment_outside_of_quotes_is_refused(tmp_path, text):
    """And a second statement, and an escape."""
    with pytest.raises(QuestionError):
        read(text, load(declare(tmp_path, [person(1)])))


FORGED = [
    "x\n2026-01-01T00:00:00+00:00  bob  2.5  COUNT(*)",
    "x\r\n2026-01-01T00:00:00+00:00  bob  2.5  COUNT(*)",
    "x" + " " * 200 + "2026-01-01T00:00:00+00:00  bob  2.5  COUNT(*)",
    "x\t2026-01-01T00:00:00+00:00  bob  2.5  COUNT(*)",
    "\x1b[2K\x1b[1G2026-01-01T00:00:00+00:00  bob  2.5  COUNT(*)",
    "x\u20282026-01-01T00:00:00+00:00  bob  2.5  COUNT(*)",
    "x\u202e)*(TNUOC  5.2  bob",
    "\u00a0\u00a02026-01-01T00:00:00+00:00\u00a0\u00a0bob",
]


@pytest.mark.parametrize("constant", FORGED, ids=range(len(FORGED)))
def test_no_constant_looks_like_a_line_of_the_list(constant):
    """One line, no gap between columns, nothing that moves the cursor or the direction."""
    written = one_line(f"COUNT(*) WHERE \"note\" IN ('{constant}')")
    assert written.isprintable()
    assert len(written.splitlines()) == 1
    assert "  " not in written
    assert "\u00a0" not in written


def test_the_list_of_charges_has_a_line_for_each(tmp_path):
    """In the command, in Python, and for a ledger in which such a line stands already."""
    path = declare(tmp_path, [person(n) for n in range(40)])
    with open_session(path) as session:
        session.ask(
            f"{COUNT} WHERE note = 'x\n2026-01-01T00:00:00+00:00  bob  2.5  SECRET'", epsilon=1
        )
    connection = sqlite3.connect(path.with_suffix(".ledger"))
    assert "\n" in connection.execute("SELECT question FROM charges").fetchone()[0]
    connection.close()
    shown = subprocess.run(
        command("ledger", path), capture_output=True, text=True, check=True, env=environment()
    )
    assert len(shown.stdout.splitlines()) == 2
    assert "  bob  " not in shown.stdout
    assert "\\n2026" in ledger(path).charges[0]["question"]

"""A question that fails after its charge tells nothing more: who asked is closed."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import time

import duckdb
import pytest

from indistinct.errors import AccessError, EngineError
from indistinct.questions.database import ledger, open_session, reopen
from indistinct.questions.database.failures import failure_of
from indistinct.questions.database.limits import ServiceLimits
from served import command, declare_with_analysts, live

COUNT = "SELECT COUNT(*) FROM people"
SEXES = "SELECT sex, COUNT(*) FROM people GROUP BY sex"
CLOSED = "the owner was told"


@pytest.fixture
def place(tmp_path):
    """A declaration with analysts, and their tokens."""
    return declare_with_analysts(tmp_path, rows=20)


def failing(monkeypatch, session, error):
    """Let the engine fail."""

    def fetch(_, sql):
        del sql
        raise failure_of(error) if isinstance(error, duckdb.Error) else error

    monkeypatch.setattr(type(session.engine), "fetch", fetch)


def charges(session):
    """Count the charges."""
    return len(session.ledger.entries())


@pytest.mark.parametrize(
    "error",
    [duckdb.ConversionException("of 47 in a cell"), IndexError(7), KeyError("F"), OverflowError()],
    ids=lambda error: type(error).__name__,
)
def test_one_failure_closes_an_analyst(place, monkeypatch, error):
    """The same words for every error and every later question; nothing more is charged."""
    with open_session(place[0]) as session:
        with monkeypatch.context() as patched:
            failing(patched, session, error)
            with pytest.raises(EngineError, match=CLOSED) as first:
                session.ask(COUNT, epsilon=1, analyst="alice")
        before = charges(session)
        with pytest.raises(EngineError) as later:
            session.ask(SEXES, epsilon=1, analyst="alice")
        assert str(first.value) == str(later.value)
        assert "47" not in str(first.value)
        assert first.value.__cause__ is None
        assert first.value.__suppress_context__
        assert charges(session) == before
        assert session.ask(COUNT, epsilon=1, analyst="bob").answer is not None


def test_the_owner_finds_question_and_class_and_opens_again(place, monkeypatch):
    """The message of the engine is kept nowhere."""
    with open_session(place[0]) as session, monkeypatch.context() as patched:
        failing(patched, session, duckdb.ConversionException("of 47 in a cell"))
        with pytest.raises(EngineError):
            session.ask(COUNT, epsilon=1, analyst="alice")
    (closed,) = ledger(place[0]).closed
    assert closed["analyst"] == "alice"
    assert closed["error"] == "ConversionException"
    assert "FROM people" in closed["question"]
    assert b"in a cell" not in place[0].with_suffix(".ledger").read_bytes()
    assert "in a cell" not in str(ledger(place[0]).document())
    assert reopen(place[0], "alice") == 1
    assert reopen(place[0], "alice") == 0
    assert ledger(place[0]).closed == ()
    with open_session(place[0]) as session:
        assert session.ask(SEXES, epsilon=1, analyst="alice").answer


def test_what_may_pass_closes_with_the_third_charge(place, monkeypatch):
    """Of one day, and since the owner last opened."""
    with open_session(place[0]) as session:
        with monkeypatch.context() as patched:
            failing(patched, session, duckdb.OutOfMemoryException("no memory"))
            said = []
            for _ in range(3):
                with pytest.raises(EngineError) as failed:
                    session.ask(COUNT, epsilon=1, analyst="alice")
                said.append(CLOSED in str(failed.value))
            assert said == [False, False, True]
            assert session.ledger.reopen("alice") == 1
            with pytest.raises(EngineError, match="did not answer"):
                session.ask(COUNT, epsilon=1, analyst="alice")
        assert session.ask(COUNT, epsilon=1, analyst="alice").answer is not None


def test_owners_close_nobody(place, monkeypatch):
    """Neither by name nor by role."""
    with open_session(place[0]) as session:
        with monkeypatch.context() as patched:
            failing(patched, session, IndexError(7))
            for who in ("owner", "boss"):
                with pytest.raises(EngineError, match="did not answer"):
                    session.ask(COUNT, epsilon=1, analyst=who)
        assert session.ledger.closings() == []
        assert session.ask(COUNT, epsilon=1, analyst="boss").answer is not None


@pytest.mark.parametrize(
    ("state", "is_passing"),
    [("08006", True), ("53200", True), ("57014", True), ("22003", False), ("42883", False)],
)
def test_errors_of_a_server_are_told_apart_by_their_class(state, is_passing):
    """A lost connection, memory and time may pass; a cell that cannot be cast does not."""
    exceptions = pytest.importorskip("pg8000.exceptions")
    found = failure_of(exceptions.DatabaseError({"C": state, "M": "invalid input: 47"}))
    assert found.is_passing is is_passing
    assert found.cause == f"DatabaseError {state}"
    assert failure_of(exceptions.InterfaceError("network error")).is_passing


def test_over_http_it_is_503(place, monkeypatch):
    """For this and every later question, and never 500."""
    path, tokens = place
    with open_session(path) as session:
        with monkeypatch.context() as patched:
            failing(patched, session, IndexError(7))
            with live(session) as client:
                head = {"Authorization": f"Bearer {tokens['alice']}"}
                replies = [
                    client.post("/ask", json={"question": text, "epsilon": 1}, headers=head)
                    for text in (COUNT, SEXES)
                ]
        assert [reply.status_code for reply in replies] == [503, 503]
        assert replies[0].json() == replies[1].json()
        assert replies[0].json()["error"] == "engine"


def test_waiting_too_long_counts_as_a_charge_without_an_answer(place, monkeypatch):
    """Three of them within a day close."""
    path, tokens = place
    with open_session(path) as session:
        right = type(session.engine).fetch

        def slow(self, sql):
            time.sleep(0.5)
            return right(self, sql)

        with monkeypatch.context() as patched:
            patched.setattr(type(session.engine), "fetch", slow)
            patched.setattr(type(session.ledger), "commit", lambda *_: None)
            limits = ServiceLimits(timeout_seconds=0.2)
            with live(session, limits) as client:
                head = {"Authorization": f"Bearer {tokens['alice']}"}
                for n in range(3):
                    asked = {"question": f"{COUNT} WHERE age > {n}", "epsilon": 1}
                    reply = client.post("/ask", json=asked, headers=head)
                    assert reply.status_code == 503
                    time.sleep(1)
        assert [one.cause for one in session.ledger.closings()] == ["took too long"]


def test_the_command_names_who_is_closed_and_opens_again(place, monkeypatch):
    """The line of the ledger leads to the command."""
    path = place[0]
    with open_session(path) as session, monkeypatch.context() as patched:
        failing(patched, session, IndexError(7))
        with pytest.raises(EngineError):
            session.ask(COUNT, epsilon=1, analyst="alice")

    def said(*words):
        return subprocess.run(command(*words), capture_output=True, text=True, check=True).stdout

    lines = said("ledger", path).splitlines()
    (line,) = [one for one in lines if "gets no answers" in one]
    assert "IndexError" in line
    assert json.loads(said("ledger", path, "--json"))["closed"][0]["analyst"] == "alice"
    words = line.split("indistinct database ")[1].split()
    assert said(*words) == "alice gets answers again.\n"
    assert said("reopen", path, "alice") == "alice was not closed.\n"
    with pytest.raises(AccessError):
        reopen(path, "nobody")


def test_a_ledger_of_before_opens_and_gives_no_answer_of_before(place):
    """It has no table of closings; what was spent stays spent, and is charged anew."""
    path = place[0]
    with open_session(path) as session:
        session.ask(COUNT, epsilon=1, analyst="alice")
        version = session.version
    with sqlite3.connect(path.with_suffix(".ledger")) as store:
        store.execute("DROP TABLE closings")
        for table in ("charges", "accounts"):
            store.execute(f"UPDATE {table} SET version = 'former' WHERE version = ?", (version,))
        store.execute("DELETE FROM marks")
    with open_session(path) as session:
        spent = session.ledger.spent()
        assert spent == 10**9
        session.ask(COUNT, epsilon=1, analyst="alice")
        assert session.ledger.spent() == 2 * spent

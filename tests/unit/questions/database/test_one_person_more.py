"""With and without one person: both answer, or both refuse in the same words, whatever is asked."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from indistinct.errors import QuestionError
from indistinct.questions.database import begin, open_session
from neighbours import check_pair
from one_person import WAYS, people, written

QUESTIONS = [(way, *question) for way, questions in WAYS.items() for question in questions]


@pytest.fixture(scope="module")
def sessions(tmp_path_factory):
    """The two databases, open; what they answer costs next to nothing of their budgets."""
    found = []
    for with_99 in (True, False):
        folder = tmp_path_factory.mktemp("with" if with_99 else "without")
        declaration = written(folder, people(with_99=with_99))
        begin(declaration)
        found.append(open_session(declaration))
    yield found
    for session in found:
        session.close()


class Counted:
    """A session as questions are compared with: what its engine counts, before any noise."""

    def __init__(self, session):
        self.setting = session.engine.setting()
        self.fetch = session.engine.fetch


def asked(session, question, limits):
    """Return an answer with next to no noise, or the words of a refusal."""
    try:
        return session.ask(question, epsilon=1_000_000, **limits).answer
    except QuestionError as error:
        return str(error)


@pytest.mark.parametrize(("way", "question", "limits"), QUESTIONS)
def test_no_text_tells_whether_a_person_is_there(sessions, way, question, limits):
    """Every part moves by at most what is charged, in both norms; no failure is told."""
    del way
    answers = [asked(session, question, limits) for session in sessions]
    assert isinstance(answers[0], str) == isinstance(answers[1], str), answers
    if isinstance(answers[0], str):
        assert answers[0] == answers[1]
    else:
        one, other = map(Counted, sessions)
        assert check_pair(one, other, question, limits)


def test_a_column_of_one_value_is_no_constant(sessions):
    """Where it is missing nothing is equal to it."""
    question = (
        "SELECT COUNT(*) FROM (SELECT pid, CASE WHEN cost > 110 THEN 5 END AS k FROM persons) t "
        "JOIN persons p ON t.pid = p.pid AND p.cost - p.cost + 5 = t.k"
    )
    assert asked(sessions[1], question, {}) == 29
    for wrong in ("t.code = t.k", "t.k = t.code"):
        refused = asked(
            sessions[1],
            "SELECT COUNT(*) FROM (SELECT pid, town AS code, CASE WHEN cost > 110 THEN 5 END AS k "
            f"FROM persons) t WHERE {wrong}",
            {},
        )
        assert "compares" in refused


def test_columns_of_two_types_are_refused_by_name(sessions):
    """As they are where the equation is written out."""
    question, limits = WAYS["columns of two types are equated by their name"][0]
    assert "(k = b.k): compares a text with a number" in asked(sessions[0], question, limits)


PARTS = """
from fractions import Fraction
from indistinct.questions.database.relational.dialect import DuckDb
from indistinct.questions.database.relational.from_ import QuestionSetting
from indistinct.questions.database.relational.statement import compiled
from indistinct.questions.database.tables import DeclaredTable, TypedColumn
from indistinct.questions.mechanisms.accountant import Accounting
from one_person import WAYS
cost = TypedColumn("cost", "number", Fraction(0), Fraction(300), Fraction(1))
setting = QuestionSetting(
    {"persons": DeclaredTable("persons", {"cost": cost}, "pid", 1)}, {"persons": "t0"}, DuckDb()
)
for question, _ in WAYS["one text of two numbers"]:
    statement = compiled(question, setting)
    print(statement.parts, statement.query(statement.parts, Accounting.ZCDP))
"""


def test_parts_follow_no_seed_of_hashes():
    """Four processes of other seeds write the same parts and queries."""
    found = {
        subprocess.run(
            [sys.executable, "-c", PARTS],
            capture_output=True, text=True, check=True,
            env={**os.environ, "PYTHONPATH": "tests", "PYTHONHASHSEED": str(seed)},
        ).stdout
        for seed in range(4)
    }  # fmt: skip
    assert len(found) == 1

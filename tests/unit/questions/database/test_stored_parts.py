"""What was paid for is not paid for again: answers are known by their noisy parts."""

from __future__ import annotations

import pytest

from indistinct.errors import EngineError
from indistinct.questions.database import add_analyst, init, open_session
from people import write_rows

HEADER = ("id", "sex", "cost")
ROWS = [(n, "FM"[n % 2], n % 50) for n in range(400)]
WHOLE = "SELECT sex, COUNT(*) AS n, AVG(cost) AS m, SUM(cost) AS s FROM t GROUP BY sex"


def declared(folder, header, rows, **words):
    """Open a session over a table of its own."""
    data = write_rows(folder / "t.csv", rows, header)
    init(data, person="id", epsilon=10**6, out=folder / "t.toml", **words)
    return open_session(folder / "t.toml")


@pytest.fixture
def session(tmp_path):
    """Four hundred people of two sexes."""
    with declared(
        tmp_path, HEADER, ROWS, bounds={"cost": (0, 50)}, values={"sex": ["F", "M"]}
    ) as found:
        yield found


def paid(session, question, epsilon="1", **words):
    """Ask; return what it cost, and the answer."""
    reply = session.ask(question, epsilon=epsilon, **words)
    return reply.charged, reply.answer


@pytest.mark.parametrize(
    ("question", "epsilon"),
    [
        ("SELECT sex, SUM(cost) AS s FROM t GROUP BY sex", "0.15"),
        ("SELECT sex, AVG(cost) AS m FROM t GROUP BY sex ORDER BY m DESC LIMIT 1", "0.5"),
        ("SELECT sex, COUNT(cost) AS known FROM t GROUP BY sex HAVING known > 1", "0.05"),
        ("SELECT sex, 2 * SUM(cost) + 1 AS x, SUM(cost) AS s FROM t GROUP BY sex", "0.1"),
        (WHOLE.replace("t GROUP", "t AS other GROUP"), "1"),
    ],
)
def test_parts_of_an_answer_are_free_whatever_is_made_of_them(session, question, epsilon):
    """Fewer measures, another order, arithmetic, and no more precise than what was paid for."""
    _, whole = paid(session, WHOLE)
    charged, answer = paid(session, question, epsilon)
    assert charged == 0
    sums = {str(row["sex"]): row["s"] for row in whole}
    for row in answer:
        assert row.get("s") in {None, sums[str(row["sex"])]}


@pytest.mark.parametrize(
    ("question", "epsilon"),
    [
        ("SELECT sex, SUM(cost) AS s FROM t GROUP BY sex", "0.9"),  # more precise
        ("SELECT sex, VARIANCE(cost) AS v FROM t GROUP BY sex", "0.1"),  # another part
        ("SELECT SUM(cost) AS s FROM t", "0.1"),  # other groups
        ("SELECT sex, SUM(cost) AS s FROM t WHERE cost > 1 GROUP BY sex", "0.1"),  # other rows
        ("SELECT sex, SUM(cost) FILTER (WHERE cost > 1) AS s FROM t GROUP BY sex", "0.1"),
        ("SELECT sex, SUM(CLAMP(cost, 0, 20)) AS s FROM t GROUP BY sex", "0.1"),  # other bounds
    ],
)
def test_what_was_not_answered_is_paid_for(session, question, epsilon):
    """One of them would else be a number that nobody drew."""
    paid(session, WHOLE)
    assert paid(session, question, epsilon)[0] > 0


def test_other_limits_are_another_part(tmp_path):
    """A store that ignores limits would give the answer of one row a person for that of three."""
    rows = [(n, "FM"[n % 2], at) for n in range(100) for at in range(3)]
    with declared(tmp_path, HEADER, rows, bounds={"cost": (0, 50)}, rows_per_person=3) as session:
        question = "SELECT COUNT(*) FROM t"
        assert paid(session, question, rows=1)[0] > 0
        assert paid(session, question, "0.5", rows=2)[0] > 0
        assert paid(session, question, "0.5", rows=1)[0] == 0


def test_an_interval_is_that_of_the_noise_that_was_drawn(session):
    """Paid at epsilon 1 and asked again at 0.1, it stays as narrow as it was."""
    text = "SELECT COUNT(*) FROM t"
    first = session.ask(text, epsilon="1")
    again = session.ask(text, epsilon="0.1")
    assert (again.answer, again.interval, again.scale) == (
        first.answer, first.interval, first.scale
    )  # fmt: skip
    assert again.price < first.price


def test_another_analyst_pays_for_a_more_precise_answer(session, tmp_path):
    """Else somebody with a small budget would see what only a large one pays for."""
    text = "SELECT sex, SUM(cost) AS s FROM t GROUP BY sex"
    paid(session, WHOLE)
    add_analyst(tmp_path / "t.toml", name="alice")
    with open_session(tmp_path / "t.toml") as again:
        spent = again.ledger.spent()
        assert again.ask(WHOLE, epsilon="1", analyst="alice").charged > 0
        assert again.ledger.spent() == spent  # the same draw for both
        assert again.ask(text, epsilon="0.1", analyst="alice").charged == 0  # her own by now
        variance = "SELECT sex, VARIANCE(cost) AS v FROM t GROUP BY sex"
        again.ask(variance, epsilon="1")
        spent = again.ledger.spent()
        assert again.ask(variance, epsilon="0.5", analyst="alice").charged > 0
        assert again.ledger.spent() > spent  # a draw of her own


def test_a_part_that_was_written_by_hand_is_noticed(session):
    """A row that says an answer has a part which it has not."""
    charge = session.ask("SELECT COUNT(*) FROM t", epsilon="1")
    plan = session.plan("SELECT SUM(cost) FROM t", "0.1")
    ((name, _),) = plan.scales.items()
    with session.ledger.store.transaction() as execute:
        execute("INSERT INTO parts VALUES (1, ?, 0.5)", (f"{plan.statement.relation} {name}",))
    assert charge.charged > 0
    with pytest.raises(EngineError, match="changed"):
        session.ask("SELECT SUM(cost) FROM t", epsilon="0.1")

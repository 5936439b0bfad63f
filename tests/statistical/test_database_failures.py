"""What goes wrong elsewhere: one test per known failure, with the broken variant as a control."""

from __future__ import annotations

import random
import statistics
from functools import reduce
from operator import add

import duckdb
import numpy as np
import pytest

from accounts import compose
from asked import planned, read
from exact import any_question, any_rows
from indistinct.base.billionths import BILLION, billionths
from indistinct.errors import BudgetExceededError, IndistinctError, ParameterError, QuestionError
from indistinct.questions.database import open_session
from indistinct.questions.database.loading import load
from indistinct.questions.database.relational.answering import counted, tabulated
from indistinct.questions.database.session import open_engine
from indistinct.questions.mechanisms import laplace
from indistinct.questions.mechanisms.accountant import Accounting, Charge, sequential
from noise import discrete_laplace, fit
from people import declare, opened, person, redeclare

COUNT = "SELECT COUNT(*) FROM people"
MEASURES = ("COUNT(*)", "SUM(weight)", "AVG(age)", "VARIANCE(age)", "MEDIAN(age)")


def porous(draws):
    """Return the share of answers that only some exact values can lead to."""
    draws = np.asarray(draws, dtype=float)
    scaled = draws * 2.0**53
    return float(((abs(draws) < 0.5) & (scaled != np.round(scaled))).mean())


def test_1_noise_has_no_holes():
    """Floating-point noise tells 0 from 1 by its last bits; whole numbers have none."""
    generator = np.random.default_rng(1)
    control = [porous(x + generator.laplace(0, 1, 20_000)) for x in (0.0, 1.0)]
    assert control[0] > 0.2
    assert control[1] < 0.01
    mechanism = laplace.calibrate(1, BILLION)
    assert [porous(mechanism.sample([x] * 20_000)) for x in (0, 1)] == [0, 0]


def test_2_order_and_extremes_do_not_raise_the_sensitivity(tmp_path):
    """Sums are exact in every order, and at the limits of 64 bits neighbours stay neighbours."""
    values = ["1e308", "-1e308", "0.1", "0.2", "0.3", "200", "-1e-300"] * 20
    rows = [(n, 1, value, "F", "a", "x") for n, value in enumerate(values)]
    assert (
        len({sum(random.Random(n).sample([0.1, 0.2, 0.3, 1e16, -1e16], 5)) for n in range(50)}) > 1
    )
    path, sums = declare(tmp_path, rows), set()
    for number in range(6):
        shuffled = random.Random(number).sample(rows, len(rows))
        dataset = load(redeclare(path, tmp_path / str(number), shuffled))
        engine = open_engine(dataset)
        statement = read("SELECT SUM(weight) FROM people", dataset)
        sums.add(tuple(engine.fetch(statement.query(statement.parts, Accounting.PURE))[0]))
    assert len(sums) == 1
    statement = read(COUNT, load(path))
    far = [tabulated(statement, [(n,)], [()], 1) for n in (2**63, 2**63 - 1)]
    assert far[0] == far[1] == [[2**62]]


def test_3_noise_is_what_its_proof_is_about(tmp_path):
    """Answers follow the discrete Laplace distribution of the plan's scale (false alarm 1e-6)."""
    dataset = load(declare(tmp_path, []))
    plan = planned(COUNT, dataset, "0.5")
    draws = [counted(plan, lambda sql: [(0,)]).numbers[0][0] for _ in range(20_000)]
    assert fit(draws, discrete_laplace(2.0), 24) > 1e-6
    assert fit(draws, discrete_laplace(1.7), 24) < 1e-6


@pytest.mark.parametrize(
    "odd", ["nan", "inf", "-inf", "", "-0.0", "5e-324", "1e308", "NULL", "\u00e9"]
)
def test_4_odd_values_change_neither_type_nor_shape(tmp_path, odd):
    """In every column; a plain mean gives NaN away."""
    assert np.isnan(np.mean([1.0, float("nan")]))
    rows = [(n, odd, odd, odd, odd, odd) for n in range(5)] + [person(n) for n in range(5, 9)]
    with opened(tmp_path, rows, epsilon=10_000) as session:
        for measure in MEASURES:
            reply = session.ask(f"SELECT sex, {measure} FROM people GROUP BY sex", epsilon=1)
            values = [list(row.values())[-1] for row in reply.answer]
            assert len(values) == 4
            # A mean or variance is not known where its noisy count is small.
            known = [value for value in values if value is not None]
            assert all(isinstance(value, int | float) and value - value == 0 for value in known)
            assert len(known) == 4 or measure.startswith(("AVG", "VARIANCE"))


def test_5_neither_a_crash_nor_a_message_tells(tmp_path):
    """Rows by chance: the same outcome for every question; a cast of the same rows tells."""
    with pytest.raises(duckdb.Error, match="secret"):
        duckdb.sql("SELECT CAST(a AS INT) FROM (VALUES ('secret')) t(a)").fetchall()
    chance, outcomes = random.Random(5), []
    texts = [any_question(chance) for _ in range(40)] + ["SELECT 1", f"{COUNT} WHERE note > 'a'"]
    path = declare(tmp_path, [person(1)], epsilon=10**6)
    for number in range(4):
        rows = any_rows(chance, range(1, 10 * number + 1))
        with open_session(redeclare(path, tmp_path / str(number), rows)) as session:
            outcomes.append([outcome(session, text) for text in texts])
    assert all(found == outcomes[0] for found in outcomes)


def outcome(session, text):
    """Return all of a reply that may be seen but its numbers."""
    try:
        document = session.ask(text, epsilon=1).document()
    except IndistinctError as error:
        return type(error).__name__, str(error)
    rows = document["answer"]
    return sorted(document), [sorted(row) for row in rows] if isinstance(rows, list) else "a number"


def test_6_groups_are_those_declared_whatever_the_data_hold(tmp_path):
    """Keys out are keys declared; a bare GROUP BY shows the secret one."""
    assert ("rare",) in duckdb.sql("SELECT a FROM (VALUES ('rare')) t(a) GROUP BY a").fetchall()
    for name, rows in (("none", []), ("rare", [(1, 1, 1, "rare", "a", "x")])):
        (tmp_path / name).mkdir()
        with opened(tmp_path / name, rows) as session:
            reply = session.ask("SELECT sex, COUNT(*) FROM people GROUP BY sex", epsilon=1)
            assert [row["sex"] for row in reply.answer] == ["F", "M", {"other": True}, None]
            with pytest.raises(QuestionError):
                session.ask("SELECT note, COUNT(*) FROM people GROUP BY note", epsilon=1)


@pytest.mark.parametrize("sensitivity", [None, 0, float("inf"), float("nan"), -1])
def test_7_a_missing_bound_never_means_no_noise(tmp_path, sensitivity):
    """The mechanism refuses it; a sum without declared bounds is refused before data are read."""
    with pytest.raises(ParameterError):
        laplace.calibrate(sensitivity, BILLION)
    with opened(tmp_path, [person(1)], bounds={"weight": (0, 1)}) as session:
        session.engine.close()
        with pytest.raises(QuestionError, match="bounds"):
            session.ask("SELECT SUM(age) FROM people", epsilon=1)


def test_8_a_million_tiny_charges_sum_exactly():
    """Floats lose count; billionths do not."""
    tenth = billionths("0.1")
    assert reduce(add, [0.1] * 1_000_000) != 100_000  # sum() corrects itself since Python 3.12
    assert sequential([tenth] * 1_000_000) == 100_000 * BILLION
    assert compose([Charge(tenth)] * 10_000).spent == 1000 * BILLION


def test_12_averaging_a_repeated_question_teaches_nothing(tmp_path):
    """One hundred repeats are one answer at one price; fresh draws average out, and cost."""
    with opened(tmp_path, [person(n) for n in range(200)], epsilon=101) as session:
        repeated = [session.ask(COUNT, epsilon="0.1") for _ in range(100)]
        assert len({reply.answer for reply in repeated}) == 1
        assert session.ledger.spent() == billionths("0.1")
        fresh = [session.ask(COUNT, epsilon=1, fresh=True).answer for _ in range(100)]
        assert abs(statistics.mean(fresh) - 200) < 1
        assert session.ledger.spent() == billionths("100.1")
        with pytest.raises(BudgetExceededError):
            session.ask(COUNT, epsilon=1, fresh=True)


PEOPLE = 24
QUESTIONS = 96


def reconstruct(folder, epsilon):
    """Ask for sums over random crowds within a budget; guess everybody's secret bit."""
    chance = random.Random(13)
    secrets = [chance.randrange(2) for _ in range(PEOPLE)]
    rows = [(n, n, 1, "FM"[bit], "a", "x") for n, bit in enumerate(secrets, 1)]
    crowds = [chance.sample(range(1, PEOPLE + 1), PEOPLE // 2) for _ in range(QUESTIONS)]
    path = declare(folder, rows, epsilon=epsilon)
    each = f"{epsilon / QUESTIONS:.9f}"[:-1]
    with open_session(path) as session:
        told = [
            session.ask(
                f"{COUNT} WHERE sex = 'M' AND age IN ({', '.join(map(str, crowd))})", epsilon=each
            )
            for crowd in crowds
        ]
    member = np.array([[n in crowd for n in range(1, PEOPLE + 1)] for crowd in crowds], dtype=float)
    guess = np.linalg.lstsq(member, [reply.answer for reply in told], rcond=None)[0] > 0.5
    return float((guess == np.array(secrets, dtype=bool)).mean())


def test_13_reconstruction_stays_at_the_bound_of_the_budget(tmp_path):
    """With epsilon 1 in all at most e/(1+e) of the bits are right, but for chance; with 10,000 all.

    The share of 24 people scatters by 0.09; the limit is three times that above the bound.
    """
    (tmp_path / "control").mkdir()
    assert reconstruct(tmp_path / "control", 10_000) == 1
    assert reconstruct(tmp_path, 1) < np.e / (1 + np.e) + 3 * 0.09


def test_tabulated_cells_are_all_there(tmp_path):
    """An engine that returns nothing still gives every cell."""
    dataset = load(declare(tmp_path, []))
    statement = read(f"{COUNT} GROUP BY sex, city", dataset)
    assert tabulated(statement, [], statement.cells, 1) == [[0]] * (4 * 5)

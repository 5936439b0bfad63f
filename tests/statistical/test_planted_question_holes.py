"""Holes of questions and their ledger, planted again: each is caught by what closed it."""

from __future__ import annotations

import re
import sqlite3
from fractions import Fraction
from importlib import import_module
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import indistinct as ind
from indistinct.base.files import literal_paths
from indistinct.errors import IndistinctError
from indistinct.questions.database import initialize, open_session, workers
from indistinct.questions.database.book import Book
from indistinct.questions.database.dataset import Range
from indistinct.questions.database.ledger_of_charges import Ledger
from indistinct.questions.database.relational import quantiles
from indistinct.questions.mechanisms import selection
from indistinct.questions.mechanisms.accountant import Accounting
from people import OPTIONS, declare, person

COUNT = "SELECT COUNT(*) FROM people"


def edit(path, statement_):
    """Change a ledger by hand."""
    connection = sqlite3.connect(path.with_suffix(".ledger"))
    connection.execute(statement_)
    connection.commit()
    connection.close()


def asked_once(folder):
    """Declare people and ask one question."""
    path = declare(folder, [person(n) for n in range(30)])
    with open_session(path) as session:
        session.ask(COUNT, epsilon=1)
    return path


def an_edited_charge_is_noticed(folder):
    """Who asked it is part of its mark."""
    path = asked_once(folder)
    edit(path, "UPDATE charges SET question = 'nothing'")
    with pytest.raises(IndistinctError):
        open_session(path).close()


def a_table_has_one_name(folder):
    """In one ledger."""
    path = asked_once(folder)
    other = folder / "other.toml"
    other.write_text(path.read_text().replace('name = "people"', 'name = "other"'))
    with pytest.raises(IndistinctError, match="under the name people"):
        open_session(other).close()


def a_file_has_one_ledger(folder):
    """Beside it; a second declaration shares it."""
    asked_once(folder)
    ind.database.init(
        folder / "people.csv", person="id", epsilon=100, out=folder / "other.toml", **OPTIONS
    )
    assert ind.database.ledger(folder / "other.toml").spent == 1


def a_few_rows_have_a_wide_interval(folder):
    """Three rows, in nine of ten draws at least."""
    del folder
    noises = [selection.calibrate(1, 10**8, Accounting.PURE)] * 3
    counts = np.zeros(101, np.int64)
    counts[[3, 90, 91]] = 1
    bounds = Range(Fraction(1), 0, 100, 0)
    drawn = [quantiles.quantile(noises, Fraction(1, 2), counts, bounds) for _ in range(40)]
    assert sum(low <= 90 <= high for _, low, high in drawn) >= 34


def a_slot_is_a_slot(folder):
    """Work of a tenth of a second that takes a second."""
    del folder
    assert workers.rest(0.1, 1.0) == pytest.approx(0.9)


def a_charge_has_one_line(folder):
    """Whatever was asked."""
    path = declare(folder, [person(n) for n in range(30)])
    with open_session(path) as session:
        session.ask(f"{COUNT} WHERE note = 'x\ny'", epsilon=1)
    assert "\n" not in ind.database.ledger(path).charges[0]["question"]


def a_path_is_literal(folder):
    """A Parquet file whose name matches another one."""
    for name, sex in (("d[1]", "F"), ("d1", "M")):
        pl.DataFrame({"id": range(30), "sex": [sex] * 30}).write_parquet(folder / f"{name}.parquet")
    given = {"values": {"sex": ["F", "M"]}, "table": "people"}
    ind.database.init(
        folder / "d[1].parquet", person="id", epsilon=10**5, out=folder / "d.toml", **given
    )
    with open_session(folder / "d.toml") as session:
        assert session.ask(f"{COUNT} WHERE sex = 'F'", epsilon=1000).answer == 30


def patched(owner, name, bug):
    """Put something wrong in the place of something right."""
    return lambda monkeypatch: monkeypatch.setattr(owner, name, bug)


def only_candidates(noise, beyond):
    """Draw an end among the candidates alone."""
    return noise.choose([-max(0, int(far)) for far in beyond])


HOLES = {
    "charges are believed": (
        patched(Book, "has_true_marks", lambda self: True),
        an_edited_charge_is_noticed,
    ),
    "data are known by no name": (
        patched(Ledger, "holder", lambda self: None),
        a_table_has_one_name,
    ),
    "no other ledger is looked at": (
        patched(initialize, "holder", lambda *_: None),
        a_file_has_one_ledger,
    ),
    "no bound is offered": (
        patched(quantiles, "_end", only_candidates),
        a_few_rows_have_a_wide_interval,
    ),
    "replies leave at once": (patched(workers, "rest", lambda *_: 0.0), a_slot_is_a_slot),
    "questions are shown as they are": (
        patched(import_module("indistinct.questions.database.statement"), "one_line", str),
        a_charge_has_one_line,
    ),
    "marks in a path are a pattern": (
        patched(literal_paths, "MARKS", re.compile("(?!)")),
        a_path_is_literal,
    ),
}
DETECTORS = list(dict.fromkeys(detector for _, detector in HOLES.values()))
CAUGHT = (AssertionError, pytest.fail.Exception, ind.IndistinctError)


@pytest.mark.parametrize("detector", DETECTORS, ids=lambda detector: detector.__name__)
def test_the_code_as_it_is_has_none_of_these_holes(tmp_path, detector):
    """A detector that always fails would catch every hole."""
    detector(tmp_path)


@pytest.mark.parametrize("name", HOLES)
def test_every_hole_that_is_dug_again_is_found(tmp_path, monkeypatch, name):
    """A detector that always passes would catch none."""
    plant, detector = HOLES[name]
    plant(monkeypatch)
    with pytest.raises(CAUGHT):
        detector(tmp_path)


def test_every_detector_has_a_hole_to_find():
    """A check that no hole needs could be empty, and nobody would see it."""
    here = Path(__file__).read_text(encoding="utf-8")
    checks = set(re.findall(r"^def (\w+)\(folder\)", here, flags=re.MULTILINE))
    assert checks - {"asked_once"} == {detector.__name__ for detector in DETECTORS}

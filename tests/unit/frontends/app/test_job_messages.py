"""What a job is doing is said in whole sentences, whatever the engine calls it."""

import ast
import re
from pathlib import Path
from string import Formatter

import pytest

import indistinct
from indistinct.base.coded_text import sentence as told_in
from indistinct.frontends.app import worker
from indistinct.frontends.app.job_messages import sentence
from indistinct.frontends.app.texts import catalogue
from indistinct.frontends.app.work.search import of_search
from indistinct.tables.search.progress import best_stage


def told_of(message):
    stage = worker.stage_of(message)
    return {"message": message, "code": stage.code, "parts": stage.parts}


@pytest.mark.parametrize(
    ("kind", "message", "said"),
    [
        ("search", "", "The work is beginning."),
        ("search", "reading", "The table is being read."),
        ("search", best_stage("round 8", "loss", 0.25, None), "The best release so far loses 25%"),
        ("search", best_stage("12 nodes", "loss", 0.25, 0.2), "No release can lose less than 20%."),
        ("search", best_stage("3 nodes", "height", 4, 2), "can have less than 2."),
        ("search", best_stage("12 nodes", "loss", None, 0.1), "No release that keeps the promise"),
        ("search", told_in("classes", "{number}", number=2000), "There are 2,000 groups so far."),
        ("sweep", "k = 5 (1 of 3)", "the promise k = 5 (1 of 3)."),
        ("around", "age", "one level less of age."),
        ("search", "something new", "The work goes on."),
    ],
)
def test_a_message_becomes_a_sentence(kind, message, said):
    whole = sentence(kind, told_of(message))
    assert said in whole
    assert re.fullmatch(r"[A-Z0-9].*\.", whole)


def test_every_stage_of_the_source_has_a_sentence():
    """A code of a stage is a text of the catalogue, and the figures fill its holes."""
    found = {}
    tables = Path(indistinct.__file__).parent / "tables"
    for path in [*(tables / "search").rglob("*.py"), tables / "publish" / "protect.py"]:
        for node in ast.walk(ast.parse(path.read_text())):
            match node:
                case ast.Call(func=ast.Name(id="sentence"), args=[ast.Constant(value=code), _]):
                    found[code] = {one.arg for one in node.keywords}
    assert len(found) > 8
    for code, parts in found.items():
        name = "stage.best_bounded" if code == "best" else f"stage.{code}"
        assert name in catalogue()
        assert {hole for _, hole, _, _ in Formatter().parse(catalogue()[name]) if hole} <= parts


def test_the_best_release_so_far_never_gets_worse(tmp_path):
    """Two searches of one job tell of their own best, in any order; the bound grows with it."""
    written = []
    teller = worker._ProgressWriter(tmp_path)
    teller._write = written.append
    pairs = [(0.5, 0.1), (0.4, None), (0.6, 0.2), (0.3, 0.15), (0.35, 0.31)]
    for best, bound in pairs:
        teller.last = 0.0
        teller(0.5, best_stage("round", "loss", best, bound))
    told = [(one["parts"]["best"], one["parts"]["bound"]) for one in written]
    assert told == [(0.5, 0.1), (0.4, 0.1), (0.4, 0.2), (0.3, 0.2), (0.3, 0.3)]


def test_the_stages_of_a_search_go_once_from_nothing_to_all():
    told = []
    tell = of_search(lambda share, message: told.append((share, message)))
    for share, message in ((0, "reading"), (0, "counting"), (0.5, "x"), (1, "x"), (1, "writing")):
        tell(share, message)
    shares = [share for share, _ in told]
    assert shares == sorted(shares)
    assert 0 < shares[0] < shares[-1] < 1
    assert [message for _, message in told] == ["reading", "counting", "x", "x", "writing"]


def test_every_stage_is_told_although_numbers_are_not(tmp_path):
    written = []
    teller = worker._ProgressWriter(tmp_path)
    teller._write = written.append
    rounds = [best_stage(f"round {n}", "loss", 1 / n, None) for n in (1, 2)]
    for message in ("reading", "counting", *rounds, "writing"):
        teller(0.5, message)
    assert [one["message"] for one in written] == ["reading", "counting", rounds[0], "writing"]

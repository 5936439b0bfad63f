"""What a job is doing is said in whole sentences, whatever the engine calls it."""

import re

import pytest

from indistinct.frontends.app import worker
from indistinct.frontends.app.job_messages import sentence
from indistinct.frontends.app.jobs import Job
from indistinct.frontends.app.work.search import of_search
from indistinct.tables.search.progress import SearchProgress, read_so_far, so_far


@pytest.mark.parametrize(
    ("kind", "message", "said"),
    [
        ("search", "", "The work is beginning."),
        ("search", "reading", "The table is being read."),
        ("search", "round 8; loss 0.25 so far", "The best release so far loses 25% of the"),
        (
            "search",
            "12 nodes; loss 0.25 so far, at least 0.2 in any case",
            "No release can lose less than 20%.",
        ),
        ("search", "3 nodes; height 4 so far, at least 2 in any case", "can have less than 2."),
        ("search", "12 nodes; no release found yet", "12 combinations of levels"),
        ("search", "2000 classes", "There are 2,000 groups so far."),
        ("sweep", "k = 5 (1 of 3)", "the promise k = 5 (1 of 3)."),
        ("around", "age", "one level less of age."),
        ("search", "something new", "Now: something new."),
    ],
)
def test_a_message_becomes_a_sentence(kind, message, said):
    whole = sentence(kind, message)
    assert said in whole
    assert re.fullmatch(r"[A-Z0-9].*\.", whole)


@pytest.mark.parametrize("bound", [None, 0.125])
def test_what_a_search_says_is_read_again(bound):
    assert read_so_far(f"3 nodes; {so_far('loss', 0.25, bound)}") == SearchProgress(
        "loss", 0.25, bound
    )
    assert read_so_far(f"3 nodes; {so_far('loss', None, bound)}") is None


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
    for message in ("reading", "counting", "round 1; loss 0.2", "round 2; loss 0.1", "writing"):
        teller(0.5, message)
    assert written == ["reading", "counting", "round 1; loss 0.2", "writing"]


def test_what_is_left_is_judged_only_when_something_is_done(tmp_path):
    job = Job(1, "search", "", "", "", tmp_path, None)
    assert job.left(0.5) is None  # no time has passed
    job.started -= 30
    assert job.left(0.01) is None
    assert job.left(0.75) == pytest.approx(10, abs=1)

"""How long the pages of the application take on 20,000 patients, in seconds of the processor.

``-s`` prints the table. Seconds of the clock would say how busy the machine is.
"""

import os
import resource
import sys
import time
from pathlib import Path

import pytest

from app_visits import patients, prepare, searched, visiting
from indistinct.frontends.app import jobs

pytestmark = pytest.mark.slow
MOST_SECONDS, MOST_SECONDS_OF_A_TRIAL = 0.3, 2.0
REHEARSED = jobs._waiting
PAGES = (
    *("data", "people", "roles", "hierarchies", "hierarchies/1", "promise", "search", "explore"),
    *("compare", "release", "script", "history", "related", "graph", "questions"),
)


def of_this_process():
    """Return what this process has used; the threads that read the table are part of it."""
    return time.process_time()


def of_ended_children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def of_a_child(process):
    """Return what a running process has used."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def viewed(visitor, when):
    """Look at every page; give the seconds of each."""
    taken = {}
    for page in PAGES:
        began = of_this_process()
        assert visitor.get(f"/{page}").status_code == 200
        taken[page] = of_this_process() - began
        sys.stdout.write(f"{when:14} {page:14} {1000 * taken[page]:5.0f} ms\n")
    return taken


def test_each_page_is_quick_first_and_later(tmp_path):
    with visiting(tmp_path, patients(tmp_path, 20_000)) as visitor:
        first = viewed(visitor, "first")
        prepare(visitor)
        searched(visitor)
        for job in ("explore/around", "compare/measure"):
            visitor.post(f"/{job}")
            assert visitor.wait().state.value == "done"
        visitor.post("/explore/sweep", k="2,5", l="", max_suppression="")
        assert visitor.wait().state.value == "done"
        later = viewed(visitor, "with results")
        began = of_this_process()
        for _ in range(10):
            visitor.get("/job")
        assert of_this_process() - began < MOST_SECONDS
    assert max(first.values()) < MOST_SECONDS, first
    assert max(later.values()) < MOST_SECONDS, later


def test_a_trial_is_quick(tmp_path, monkeypatch):
    with visiting(tmp_path, patients(tmp_path, 20_000)) as visitor:
        prepare(visitor)
        visitor.post("/search/method", algorithm="local", max_suppression="5", time_limit="")
        waiting = REHEARSED(visitor.app_state.jobs._place.name)
        visitor.app_state.jobs._spare = waiting
        idle = 0.0
        while (used := of_a_child(waiting)) > idle or used < 1:  # until it has rehearsed
            idle = used
            time.sleep(3)
        before = of_ended_children()
        visitor.post("/search/trial")
        assert visitor.wait().state.value == "done"
        taken = of_ended_children() - before - idle
        sys.stdout.write(f"trial {1000 * taken:5.0f} ms\n")
        assert visitor.app_state.trial() is not None
        assert taken < MOST_SECONDS_OF_A_TRIAL

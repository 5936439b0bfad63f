"""The time limit covers the whole run, not the search alone."""

import io
import time
from datetime import timedelta

import polars as pl

import indistinct as ind
from indistinct.tables.core.protocols import Deadline
from indistinct.tables.engines import rehearsal
from indistinct.tables.engines.rehearsal import PART, TIMES, estimate_seconds
from indistinct.tables.publish.forms import table as module
from indistinct.tables.publish.searching import search_deadline
from indistinct.tables.reading import files


class JumpingClock:
    """A clock that stands still, but for a trial, which takes some seconds."""

    def __init__(self, monkeypatch, trial):
        self.now, self.trial = 1000.0, trial
        monkeypatch.setattr(time, "monotonic", lambda: self.now)
        monkeypatch.setattr(rehearsal, "_count", self.count)

    def count(self, text):
        self.now += self.trial
        return len(text)


def records(n_records):
    return pl.DataFrame({"age": range(n_records), "sex": ["m"] * n_records})


def test_the_search_leaves_time_for_writing_and_verification(monkeypatch):
    clock = JumpingClock(monkeypatch, 0.5)
    frame = records(2 * PART)
    assert search_deadline(None, 5.0, frame) == Deadline(None)
    assert clock.now == 1000.0  # without a limit nothing is tried
    reserve = TIMES * 2 * 0.5
    assert search_deadline(100.0, 5.0, frame) == Deadline(1000.5 + 100.0 - 5.5 - reserve)
    # A machine that is ten times as busy takes ten times as long, but the search keeps one half.
    clock.trial, clock.now = 5.0, 1000.0
    assert search_deadline(200.0, 5.0, frame) == Deadline(1005.0 + 200.0 - 10.0 - 10 * reserve)
    clock.now = 1000.0
    assert search_deadline(50.0, 5.0, frame) == Deadline(1005.0 + 0.5 * (50.0 - 10.0))
    # Reading alone took longer than the limit: the search ends as soon as it has anything.
    clock.now = 1000.0
    assert search_deadline(3.0, 5.0, frame) == Deadline(1005.0)


def test_what_a_part_took_is_foreseen_for_all_records(monkeypatch):
    JumpingClock(monkeypatch, 0.25)
    assert estimate_seconds(records(0)) == 0.0
    assert estimate_seconds(records(10)) == TIMES * 0.25
    assert estimate_seconds(records(3 * PART)) == TIMES * 3 * 0.25


def test_the_trial_writes_reads_and_counts_what_cells_there_are():
    odd = pl.DataFrame(
        {
            "when": [timedelta(1), None, timedelta(1)],
            "word": ['a "b"\n,', None, 'a "b"\n,'],
            "share": [0.5, None, 0.5],
        }
    )
    assert estimate_seconds(odd) > 0.0
    written = io.BytesIO()
    odd.select("word").write_csv(written)
    assert sorted(rehearsal._count(written.getvalue()).values()) == [1, 2]


def test_reading_counts_and_a_search_without_time_still_holds(monkeypatch):
    """Reading takes longer than the whole run may, by a clock that jumps; the release holds."""
    jump = [0.0]
    clock = time.monotonic
    read = files.read_file
    given = []

    def slow(*arguments, **keywords):
        jump[0] += 20.0
        return read(*arguments, **keywords)

    def searched(prepared, progress, deadline, chance):
        given.append(deadline)
        return search(prepared, progress, deadline, chance)

    search = module.search
    monkeypatch.setattr(files, "read_file", slow)
    monkeypatch.setattr(module, "search", searched)
    monkeypatch.setattr(time, "monotonic", lambda: clock() + jump[0])
    release = ind.anonymize(
        ind.sample("patients", rows=500),
        quasi_identifiers=["birth_date", "sex", "postcode"],
        identifiers=["name"],
        sensitive=["diagnosis"],
        insensitive=["occupation", "insurance", "height_cm", "weight_kg", "admission_date"],
        k=5,
        max_suppression=0.05,
        time_limit=15,
    )
    assert given[0].passed
    assert release.manifest["verified"]
    assert release.manifest["models"][0]["holds"]


def test_progress_names_reading_first():
    said = []
    ind.anonymize(
        ind.sample("patients", rows=50).select("sex", "diagnosis"),
        quasi_identifiers=["sex"],
        sensitive=["diagnosis"],
        k=2,
        progress=lambda share, message: said.append((share, message)),
    )
    assert said[0] == (0.0, "reading")
    assert said[1] == (0.0, "counting")
    assert all(0.0 <= share <= 1.0 for share, _ in said)

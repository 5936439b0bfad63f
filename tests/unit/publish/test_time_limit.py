"""The time limit covers the whole run, not the search alone."""

import time

import indistinct as ind
from indistinct.core.protocols import Deadline
from indistinct.engines import files
from indistinct.publish.forms import table as module
from indistinct.release.searching import AFTERWARDS, search_deadline


def test_the_search_leaves_time_for_writing_and_verification(monkeypatch):
    monkeypatch.setattr(time, "monotonic", lambda: 1000.0)
    assert search_deadline(None, 5.0) == Deadline(None)
    assert search_deadline(100.0, 5.0) == Deadline(1000.0 + 100.0 - 5.0 - AFTERWARDS * 5.0)
    # Reading alone took longer than the limit: the search ends as soon as it has anything.
    assert search_deadline(30.0, 10.0) == Deadline(1000.0 + 0.5 * (30.0 - 10.0))
    assert search_deadline(3.0, 5.0) == Deadline(1000.0)


def test_reading_counts_and_a_search_without_time_still_holds(monkeypatch):
    """Reading takes longer than the whole run may, by a clock that jumps; the release holds."""
    jump = [0.0]
    clock = time.monotonic
    read = files.read
    given = []

    def slow(*arguments, **keywords):
        jump[0] += 20.0
        return read(*arguments, **keywords)

    def searched(prepared, progress, deadline, chance):
        given.append(deadline)
        return search(prepared, progress, deadline, chance)

    search = module.search
    monkeypatch.setattr(files, "read", slow)
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

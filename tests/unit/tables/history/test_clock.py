"""A clock that jumps changes neither the order of releases nor what is in them."""

from datetime import UTC, datetime, timedelta
from itertools import count

import pytest

import indistinct as ind
from indistinct.tables.history import store
from indistinct.tables.history.entries import ReleaseState
from indistinct.tables.history.writing import opened
from versions import changing, policy_of

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def released(folder):
    """Release three versions; give their files and their entries in the history."""
    folder.mkdir()
    versions = list(changing(5, size=24, steps=3, n_values=6))
    texts = []
    for number, version in enumerate(versions):
        path = folder / f"r{number}.csv"
        release = ind.anonymize(version, policy_of(2), history=folder / "h.db", seed=number)
        release.write(path)
        texts.append(path.read_text())
        said = ind.verify(path, policy_of(2), original=version, history=folder / "h.db")
        assert said.holds, said.faults
    with opened(folder / "h.db") as history:
        return texts, list(history.releases())


@pytest.fixture
def jumping(monkeypatch):
    """Let every look at the clock be months before or after the last."""
    looks = count()

    class Jumping(datetime):
        @classmethod
        def now(cls, tz=None):
            return (NOON - timedelta(days=100 * next(looks))).astimezone(tz)

    monkeypatch.setattr(store, "datetime", Jumping)
    return looks


def test_releases_follow_their_numbers_and_not_the_clock(tmp_path, jumping, monkeypatch):
    texts, entries = released(tmp_path / "jumping")
    assert next(jumping) >= len(entries)  # the clock was looked at
    assert [entry.made for entry in entries] == sorted((e.made for e in entries), reverse=True)
    assert [entry.number for entry in entries] == [1, 2, 3]
    assert {entry.state for entry in entries} == {ReleaseState.PUBLISHED}
    monkeypatch.undo()
    assert texts == released(tmp_path / "steady")[0]

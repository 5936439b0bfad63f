"""The history on the command line: writing, killed runs, settling, and its exit codes."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import indistinct as ind
from indistinct.errors import HistoryMovedError
from indistinct.frontends.cli.main import status
from indistinct.tables.history.entries import ReleaseState
from indistinct.tables.history.writing import opened
from shared import warmed_environment
from versions import changing, policy_of

POLICY = """
[columns.id]
role = "identifier"
[columns.age]
role = "quasi-identifier"
hierarchy = { intervals = [5, 10, 20] }
[columns.sex]
role = "quasi-identifier"
[columns.note]
role = "insensitive"
[columns.ill]
role = "sensitive"
[history]
person = "id"
max_counterfeits = 9.0
[[models]]
name = "m-invariance"
column = "ill"
m = 2
[method]
algorithm = "invariant"
effort = "fast"
"""
K_ANONYMITY = POLICY.replace(
    '"m-invariance"\ncolumn = "ill"\nm = 2', '"k-anonymity"\nk = 3'
).replace('algorithm = "invariant"', 'algorithm = "local"')
STEPS = 6  # of writing: the history, three names, the history again, and one more after the end


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Work in a folder with two versions and a policy."""
    prepare(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def prepare(place):
    place.mkdir(exist_ok=True)
    for number, frame in enumerate(changing(1, size=16, steps=3, n_values=6, changes=0.0)):
        frame.write_csv(place / f"d{number}.csv")
    (place / "p.toml").write_text(POLICY)
    (place / "k.toml").write_text(K_ANONYMITY)


def run(*words):
    return status([str(word) for word in words], show_values=False)


def anonymize(number, policy="p.toml", out=None):
    return run(
        "anonymize", f"d{number}.csv", "--policy", policy, "--history", "h.db",
        "--out", out or f"r{number}.csv",
    )  # fmt: skip


def states(path="h.db"):
    with opened(path) as history:
        return [made.state for made in history.releases()]


def test_releases_follow_each_other_and_verify(folder, capsys):
    """Anonymize, list, verify with the history, as an owner would."""
    for number in range(3):
        assert anonymize(number) == 0
    capsys.readouterr()
    assert run("history", "h.db", "--json") == 0
    document = json.loads(capsys.readouterr().out)
    assert [made["state"] for made in document["releases"]] == ["published"] * 3
    assert (document["m"], document["companions"]) == (2, "fixed")
    verify = ("verify", "r1.csv", "--policy", "p.toml", "--original", "d1.csv", "--history", "h.db")
    assert run(*verify) == 0
    assert run(*verify[:5], "d2.csv", *verify[6:]) == 1
    assert run("history", "h.db") == 0
    assert "Quetzal" not in capsys.readouterr().out


def test_a_release_that_never_left_can_be_withdrawn(folder, capsys):
    """The history is then as before it, and later numbers go on."""
    anonymize(0)
    with opened("h.db") as history:
        before = history.past().ties
    anonymize(1)
    assert run("history", "h.db", "--withdraw", "1") == 2
    assert "later releases build on it" in capsys.readouterr().err
    assert run("history", "h.db", "--withdraw", "2") == 0
    with opened("h.db") as history:
        assert history.past().ties == before
    assert anonymize(2) == 0
    assert states() == [ReleaseState.PUBLISHED, ReleaseState.WITHDRAWN, ReleaseState.PUBLISHED]
    assert run("history", "h.db", "--withdraw", "9") == 2


def test_members_can_be_forgotten(folder):
    """The next release needs signatures only; verification of the old one says what it lacks."""
    anonymize(0)
    assert run("history", "h.db", "--forget", "1") == 0
    with opened("h.db") as history:
        assert history.members(1) == {}
    assert anonymize(1) == 0
    verdict = ind.verify("r0.csv", policy_of(2), original="d0.csv", history="h.db")
    assert any("forgotten" in fault.problem for fault in verdict.faults)


# Forks before any work; each child ends itself, without a word, at one step of writing.
KILLER = """
import os, sys
import indistinct.frontends.cli.main, indistinct.tables.publish.forms.invariant, warmed
import indistinct.base.files.writing as writing
from indistinct.tables.history.store import History

warmed.load_kept_loops()

def ending(function, left):
    def call(*arguments, **more):
        if left[0] == 0:
            os._exit(9)
        left[0] -= 1
        return function(*arguments, **more)
    return call

for step in range(int(sys.argv[1])):
    child = os.fork()
    if child == 0:
        os.chdir(str(step))
        left = [step]
        writing.name_file = ending(writing.name_file, left)
        History.commit = ending(History.commit, left)
        History.publish = ending(History.publish, left)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        words = ["anonymize", "d0.csv", "--policy", "p.toml", "--history", "h.db"]
        words += ["--out", "r0.csv"]
        os._exit(indistinct.frontends.cli.main.status(words, show_values=False))
    _, how = os.waitpid(child, 0)
    print(os.waitstatus_to_exitcode(how), flush=True)
"""


def test_a_run_that_is_killed_between_two_steps_is_completed_or_refused(tmp_path, monkeypatch):
    """Whatever stands afterwards, the next run knows it, or says that it does not."""
    for step in range(STEPS):
        prepare(tmp_path / str(step))
    done = subprocess.run(
        [sys.executable, "-c", KILLER, str(STEPS)],
        cwd=tmp_path,
        env=warmed_environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    assert [int(code) for code in done.stdout.split()] == [9] * (STEPS - 1) + [0]
    outcomes = []
    for step in range(STEPS):
        monkeypatch.chdir(tmp_path / str(step))
        is_there = Path("r0.csv").exists()
        code = anonymize(1)
        known = states() if Path("h.db").exists() else []
        outcomes.append((is_there, code))
        if is_there:
            # What stood is in the history, whether or not its run came to note it.
            assert (code, known) == (0, [ReleaseState.PUBLISHED, ReleaseState.PUBLISHED])
        elif code == 2:
            assert known == [ReleaseState.PENDING]
            assert run("history", "h.db", "--withdraw", "1") == 0
            assert anonymize(1) == 0
        else:
            assert known == [ReleaseState.PUBLISHED]
    assert {(False, 0), (False, 2), (True, 0)} == set(outcomes)


def test_a_pending_release_that_was_given_out_can_be_noted(folder):
    """The owner knows what no file tells: here it was published from another place."""
    release = ind.anonymize("d0.csv", policy_of(2), history="h.db")
    with opened("h.db", create=True) as history:
        history.commit(release._held.remembered.held.step, "0" * 64, "elsewhere.csv")
    assert anonymize(1) == 2
    assert run("history", "h.db", "--publish", "1") == 0
    assert anonymize(1) == 0


def test_two_runs_at_once_are_planned_one_after_the_other(folder):
    """A plan that does not know the last release is not written, and nothing stands."""
    first = ind.anonymize("d0.csv", policy_of(2), history="h.db")
    second = ind.anonymize("d1.csv", policy_of(2), history="h.db")
    first.write("r0.csv")
    with pytest.raises(HistoryMovedError):
        second.write("r1.csv")
    assert not Path("r1.csv").exists()
    assert states() == [ReleaseState.PUBLISHED]
    ind.anonymize("d1.csv", policy_of(2), history="h.db").write("r1.csv")
    assert states() == [ReleaseState.PUBLISHED] * 2


def test_a_file_that_cannot_be_named_leaves_no_release_behind(folder, monkeypatch):
    """An error after the history was written is undone in it."""
    from indistinct.base.files import writing

    anonymize(0)

    def broken(opened_file, target):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(writing, "name_file", broken)
    assert anonymize(1) == 2
    monkeypatch.undo()
    assert states(folder / "h.db") == [ReleaseState.PUBLISHED, ReleaseState.WITHDRAWN]
    assert not (folder / "r1.csv").exists()


def test_other_models_are_told_what_two_releases_tell_together(folder, capsys):
    """A warning of one sentence, figures in the manifest; refuse gives exit 3."""
    assert anonymize(0, "k.toml") == 0
    assert anonymize(1, "k.toml") == 0
    assert "who are also in an earlier release share their classes" in capsys.readouterr().err
    entry = json.loads((folder / "r1.csv.manifest.json").read_text())["composition"]
    assert (entry["releases"], entry["people"]) == (2, shared_people(0, 1))
    assert 0 <= entry["alone"] <= entry["below_k"] <= 1
    strict = K_ANONYMITY.replace("max_counterfeits = 9.0", 'composition = "refuse"')
    (folder / "strict.toml").write_text(strict)
    assert anonymize(2, "strict.toml") == 3
    assert not (folder / "r2.csv").exists()
    assert states() == [ReleaseState.PUBLISHED] * 2


def shared_people(*numbers):
    """Count the people in all of some versions."""
    import polars as pl

    names = [set(pl.read_csv(f"d{number}.csv")["id"]) for number in numbers]
    return len(set.intersection(*names))


def test_a_history_that_is_none_is_refused(folder, capsys):
    """Exit 2, and nothing is written."""
    (folder / "h.db").write_text("id,age\n1,2\n" * 300)
    assert anonymize(0) == 2
    assert not (folder / "r0.csv").exists()
    assert run("history", "nowhere.db") == 2
    assert run("history", "h.db", "--withdraw", "1", "--publish", "1") == 2
    assert "Traceback" not in capsys.readouterr().err

"""What ``indistinct verify`` loads: nothing of what makes a release, whoever names it."""

import json
import subprocess
import sys

import pytest

import indistinct as ind
from hospitals import hospital, policy

MAKERS = ("tables.publish", "tables.counting", "tables.drafting", "related.publish", "questions")
OF_RELEASE = {"", ".entries"}
REGISTRIES = ("tables.search", "tables.masks")
LOADED = "print(json.dumps([name for name in sys.modules if '\\0' not in name]))"
VERIFY = f"""
import json, sys
from indistinct.frontends.cli.main import status
assert status(["verify", sys.argv[1], "--json"], show_values=False) == 0
{LOADED}
"""


def modules_after(code, *words):
    """Return what a new process has loaded."""
    done = subprocess.run(
        [sys.executable, "-c", code, *words], capture_output=True, text=True, check=True
    )
    return set(json.loads(done.stdout.strip().splitlines()[-1]))


def below(loaded, room):
    """Return the modules of a room, by what follows its name."""
    start = f"indistinct.{room}"
    return {name[len(start) :] for name in loaded if f"{name}.".startswith(f"{start}.")}


@pytest.fixture(scope="module")
def registries():
    """What stands in the registries against which a policy checks its words."""
    named = ", ".join(f"indistinct.{room}" for room in REGISTRIES)
    every = "list(indistinct.tables.masks.MASKS.values())"  # each is loaded when it is named
    return modules_after(f"import json, sys, {named}\n{every}\n{LOADED}")


def table(folder):
    """Write a release of one table."""
    frame = ind.sample("patients", rows=100, seed=1).select("sex", "insurance")
    release = ind.anonymize(frame, quasi_identifiers=["sex", "insurance"], k=2)
    release.write(folder / "out.csv")
    return folder / "out.csv"


def related_tables(folder):
    """Write a release of related tables."""
    tables = ind.RelatedPolicy.from_words(policy())
    ind.anonymize(hospital(1), tables, seed=1).write(folder / "out")
    return folder / "out"


@pytest.mark.parametrize("written", [table, related_tables])
def test_verification_loads_nothing_of_what_makes_a_release(written, tmp_path, registries):
    loaded = modules_after(VERIFY, str(written(tmp_path)))
    assert {room: below(loaded, room) for room in MAKERS} == {room: set() for room in MAKERS}
    assert below(loaded, "tables.release") <= OF_RELEASE
    assert not loaded & {"numba", "scipy"}
    for room in REGISTRIES:
        assert below(loaded, room) <= below(registries, room)

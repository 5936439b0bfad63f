"""A synthesis that is killed never gives out a model that nobody paid for, and loses no charge."""

import json
import subprocess
import sys

import numpy as np
import pytest

import indistinct as ind
from people import declare, person, spent_in_rho
from shared import environment, longer

KILLS = longer([(3, 3), (8, 3), (500, 4)], [(3, 3)])
# Loads the program once and forks before any work, so that kills fall into work. One line per
# run: the number of the output and the delay; 0 seconds: until it ends.
FORKS = """
import os, signal, sys, time
import duckdb, opendp.prelude, numba, polars
import indistinct as ind
import indistinct.synthetic_tables

def run(number):
    found = ind.synthesize("people.toml", "0.01", fresh=True)
    found.write(f"{number}.csv", model=f"{number}.model.json")

os.chdir(sys.argv[1])
for line in sys.stdin:
    number, delay = line.split()
    started = time.monotonic()
    child = os.fork()
    if child == 0:
        run(number)
        os._exit(0)
    if float(delay):
        time.sleep(float(delay))
        os.kill(child, signal.SIGKILL)
    _, how = os.waitpid(child, 0)
    print(os.WIFSIGNALED(how), time.monotonic() - started, flush=True)
"""


@pytest.mark.parametrize(("kills", "seed"), KILLS)
def test_a_killed_synthesis_stays_charged_and_gives_all_or_nothing(tmp_path, kills, seed):
    path = declare(tmp_path, [person(n) for n in range(300)], 50, delta=1e-7)
    with subprocess.Popen(
        [sys.executable, "-c", FORKS, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=environment(),
    ) as forks:

        def run(number, delay):
            forks.stdin.write(f"{number} {delay}\n")
            forks.stdin.flush()
            was_killed, seconds = forks.stdout.readline().split()
            return was_killed == "True", float(seconds)

        _, whole = run("first", 0)
        chance = np.random.default_rng(seed)
        ended = [run(n, whole * chance.uniform(0.05, 1.0))[0] for n in range(kills)]
        forks.stdin.close()
    ledger = ind.database.ledger(path)
    charges = {charge["number"]: charge for charge in ledger.charges}
    rho = {number: one["rho"] for number, one in charges.items()}
    assert spent_in_rho(path) == pytest.approx(sum(rho.values()))
    given = sorted(tmp_path.glob("*.csv"))
    given.remove(tmp_path / "people.csv")
    assert given
    for file in given:
        manifest = json.loads((tmp_path / f"{file.name}.manifest.json").read_text("utf-8"))
        entry = charges[manifest["ledger_entry"]]
        assert rho[manifest["ledger_entry"]] == manifest["rho"]
        assert entry["answered"]
        assert (tmp_path / f"{file.stem}.model.json").exists()
    price = next(iter(rho.values()))
    assert spent_in_rho(path) >= len(given) * price - 1e-12
    assert any(ended)
    assert len(charges) <= kills + 1

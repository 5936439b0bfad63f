"""How thoroughly properties are tried: ``fast`` unless HYPOTHESIS_PROFILE says otherwise.

``fast`` and ``thorough`` try the same examples in every run, so that a failure is one of the change
at hand; ``nightly`` looks for new ones. ``make test`` is fast, ``make test-all`` thorough.

Files that take longest begin first, so that no worker is left with one at the end.

Every second worker reads the files from the last to the first. In a fresh clone, where each has to
be compiled, two workers then compile half of them each.

There is one worker more than there are cores, so that the cores have work while a test waits for a
browser, a server or another process. It takes a tenth off the time of two cores.

Python looks for no cycles of garbage until the first test begins, then less often than usual, and
not among what was there before. Typer reads the signature of each command once in a process.
"""

import functools
import gc
import os

import pytest
import typer.main
from hypothesis import HealthCheck, settings

from brief_search import anneal_as_asked_by
from indistinct.base.compiled.compiling import EVERY_PROCESSOR
from shared import FAST

# Libraries and collected tests are a million objects that live to the end. As Python sets it, all
# are searched for cycles of garbage again and again, which takes up to an eighth of a file's time,
# and a fifth of the time in which the tests are collected.
gc.set_threshold(20_000, 20, 20)
gc.disable()

# A program reads its commands once, tests that run the command in this process a thousand times.
typer.main.get_params_from_function = functools.cache(typer.main.get_params_from_function)

# As the package itself says when it loads numba; some tests load numba before.
os.environ.setdefault("NUMBA_CPU_NAME", EVERY_PROCESSOR)

SLOW_IS_FINE = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]

for profile, examples in (("fast", FAST), ("thorough", 100)):
    settings.register_profile(
        profile,
        deadline=None,
        max_examples=examples,
        derandomize=True,
        suppress_health_check=SLOW_IS_FINE,
        print_blob=True,
    )
settings.register_profile(
    "nightly", deadline=None, max_examples=2000, suppress_health_check=SLOW_IS_FINE
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fast"))

# What takes 5 seconds of a processor or more: pages of documentation that run or are typed,
# browsers, problems that are drawn for every algorithm, metric and model, optima of large lattices,
# processes that are killed one after the other, tables that are tried one and all, and noise drawn
# until sure.
LONGEST_FIRST = (
    "tests/test_docs.py",
    "tests/contracts/test_algorithms.py",
    "tests/oracle/test_arx.py",
    "tests/fuzz/test_fuzz.py",
    "tests/property/test_people.py",
    "tests/statistical/test_planted_bugs.py",
    "tests/e2e/test_app_pages.py",
    "tests/e2e/test_app_in_browser.py",
    "tests/unit/tables/search/local/test_local.py",
    "tests/contracts/test_large_crosswalks.py",
    "tests/e2e/test_kill.py",
    "tests/e2e/test_kill_related.py",
    "tests/unit/tables/search/local/test_beginning.py",
    "tests/e2e/test_types.py",
    "tests/unit/related/test_known_rows.py",
    "tests/unit/tables/drafting/test_wide_tables.py",
    "tests/unit/questions/database/test_server.py",
    "tests/unit/questions/database/test_answers.py",
    "tests/statistical/test_database_failures.py",
    "tests/unit/related/test_deeper_tables.py",
    "tests/unit/tables/engines/test_made_files.py",
    "tests/contracts/test_record_names.py",
    "tests/statistical/test_joint_noise.py",
    "tests/property/test_honest_releases_verify.py",
    "tests/oracle/test_k_epsilon_results.py",
    "tests/e2e/test_first_run.py",
    "tests/unit/tables/evaluation/attacks/test_replay.py",
    "tests/contracts/test_large_inspections.py",
    "tests/e2e/test_missing_extras.py",
    "tests/e2e/test_command.py",
    "tests/e2e/test_app_flow.py",
    "tests/e2e/test_report_in_browser.py",
    "tests/e2e/test_database_command.py",
)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    """Prepare the search before the first fixture of a test makes a release."""
    anneal_as_asked_by(item.nodeid)


@pytest.hookimpl(optionalhook=True)  # there is no such hook without pytest-xdist
def pytest_xdist_auto_num_workers(config):
    """Return how many workers ``-n auto`` starts."""
    del config
    return (os.cpu_count() or 1) + 1


class Backwards(pytest.Dir):
    """A folder whose last file is read first."""

    def collect(self):
        return list(super().collect())[::-1]


def pytest_collect_directory(path, parent):
    """Let every second worker begin at the other end; None leaves it to pytest."""
    number = os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")
    is_second = int(number) % 2 == 1
    return Backwards.from_parent(parent, path=path) if is_second else None


def pytest_collection_modifyitems(items):
    """Put the files that take longest first, and the others in the order of their names."""
    turns = {name: turn for turn, name in enumerate(LONGEST_FIRST)}

    def place(item):
        name = item.nodeid.partition("::")[0]
        return turns.get(name, len(turns)), name

    items.sort(key=place)
    gc.freeze()
    gc.enable()

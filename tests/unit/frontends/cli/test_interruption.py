"""An interruption while the command loads its libraries ends it without a traceback."""

import signal
import subprocess
import sys
import tomllib

import pytest

from shared import environment
from test_docs import ROOT

# Interrupts the process in the middle of the import of a module, and says so if it lives on.
START = """
import os, runpy, signal, sys

class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == sys.argv[1]:
            sys.argv[1:] = ["--version"]
            os.kill(os.getpid(), signal.SIGINT)
            try:
                sum(range(1000))
            except BaseException as error:
                print("caught", type(error).__name__)

sys.meta_path.insert(0, Interrupting())
if sys.argv[2] == "ignored":
    signal.signal(signal.SIGINT, signal.SIG_IGN)
runpy.run_module("indistinct", run_name="__main__")
"""


def started(module, way):
    return subprocess.run(
        [sys.executable, "-c", START, module, way],
        capture_output=True,
        check=False,
        env=environment(),
        text=True,
    )


@pytest.mark.parametrize(
    "module", ["indistinct.frontends.cli.main", "typer", "indistinct.frontends.cli.table"]
)
def test_an_interruption_while_libraries_are_loaded_ends_quietly(module):
    """No library can catch it, and nothing is said."""
    done = started(module, "heeded")
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_a_command_in_the_background_ignores_interruptions():
    """A shell starts it with this signal ignored, and it stays so."""
    done = started("typer", "ignored")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("indistinct ")


def test_an_interruption_after_the_command_ends_with_its_code(monkeypatch):
    """The command has said what there was to say."""
    from indistinct import __main__ as start
    from indistinct.frontends.cli import main

    def interrupted():
        raise KeyboardInterrupt

    monkeypatch.setattr(main, "run", interrupted)
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(SystemExit) as ended:
        start.run()
    assert ended.value.code == 130
    assert signal.getsignal(signal.SIGINT) is before


def test_the_command_on_the_path_starts_there():
    """Another place to start would load libraries first."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["scripts"] == {"indistinct": "indistinct.__main__:run"}

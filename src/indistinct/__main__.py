"""Start the command: ``indistinct`` and ``python -m indistinct`` both begin here.

The libraries of the command take some tenths of a second to load. Before that, :func:`run` decides
what an interruption means in this time.
"""

from __future__ import annotations

import os
import signal
import sys

from indistinct.frontends.cli import INTERRUPTED
from indistinct.frontends.cli.quick_start import start_quickly


def run() -> None:
    """Run the command; an interruption ends it without a traceback, at whatever moment it comes.

    Where the starter of the process ignores interruptions, as ``nohup`` and scripts in the
    background do, they stay ignored.
    """
    is_heeded = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if is_heeded:
        signal.signal(signal.SIGINT, _end_at_once)
    start_quickly()
    from indistinct.frontends.cli import main

    try:
        if is_heeded:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        main.run()
    except KeyboardInterrupt:  # before the command began to catch it, or after its last line
        sys.exit(INTERRUPTED)


def _end_at_once(*_: object) -> None:
    """End a process that has only loaded libraries: an exception could be caught by one of them."""
    os._exit(INTERRUPTED)


if __name__ == "__main__":
    run()

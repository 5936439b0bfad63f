"""The process of one job: waits for an order on standard input, does it, and ends."""

from __future__ import annotations

import contextlib
import json
import os
import select
import sys
import tempfile
import threading
import time
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from indistinct.base.coded_text import Sentence, sentences_of
from indistinct.base.extras import missing
from indistinct.base.files.writing import atomic
from indistinct.base.panics import kind_and_place, panics_as
from indistinct.errors import Fault, IndistinctError
from indistinct.frontends.app.jobs import FAULTS, PROGRESS, RESULT

NICENESS = 10
SHARE_OF_MEMORY = 0.75
TELL_EVERY_SECONDS = 0.2
REHEARSED = ("local", "optimal")


def main() -> None:
    """Wait for one order, do it, and say what came of it."""
    _be_modest()
    import_module("indistinct.frontends.app.work")
    _rehearse(sys.argv[1])
    line = sys.stdin.buffer.readline()
    if not line:
        return
    threading.Thread(target=_end_with_the_application, daemon=True).start()
    order = json.loads(line)
    _do(order["kind"], Path(order["folder"]), order["arguments"])


def _rehearse(place: str) -> None:
    """Search a tiny table by each algorithm that is likely to be asked for.

    All that a trial needs is then loaded when somebody waits for one. What an order that has come
    meanwhile does not need is left out.
    """
    from indistinct.frontends.app.work.search import tried
    from indistinct.tables.publish import sample
    from indistinct.tables.reading import write_file

    table = sample("patients", rows=60, seed=1)
    columns = {name: {"role": "identifier"} for name in table.columns}
    columns |= {name: {"role": "quasi-identifier"} for name in ("birth_date", "sex", "postcode")}
    columns["diagnosis"] = {"role": "sensitive"}
    models = [
        {"name": "k-anonymity", "k": 2},
        {"name": "distinct-l-diversity", "column": "diagnosis", "l": 2},
    ]
    with tempfile.TemporaryDirectory(dir=place) as folder:
        data = str(Path(folder) / "invented.csv")
        write_file(table, data, "csv")
        for algorithm in REHEARSED:
            method = {"algorithm": algorithm, "max_suppression": 1.0}
            words: dict[str, Any] = {"columns": columns, "models": models, "method": method}
            with contextlib.suppress(IndistinctError):
                tried(_nothing, words, folder, data)
            if _somebody_waits():
                return


def _somebody_waits() -> bool:
    """Return whether an order has come; where the system cannot tell, none has."""
    try:
        return bool(select.select([sys.stdin.buffer], [], [], 0)[0])
    except (OSError, ValueError):
        return False


def _nothing(share: float, message: str) -> None:
    """Report nothing, where nobody waits for the progress."""


def _do(kind: str, folder: Path, arguments: dict[str, Any]) -> None:
    """Do the work, and write its result or its faults."""
    from indistinct.frontends.app.work import WORK

    tell = _ProgressWriter(folder)
    try:
        with panics_as(RuntimeError):
            result = WORK[kind](tell, **arguments)
        _write(folder / RESULT, result)
    except IndistinctError as error:
        faults = error.faults
    except ModuleNotFoundError as error:
        faults = missing(error).faults
    except MemoryError:
        remedy = "Take a smaller table, or a faster algorithm such as mondrian."
        problem = "the computer has too little memory for this"
        faults = (Fault("", problem, remedy, code="too-little-memory"),)
    except Exception as error:  # noqa: BLE001 - the one net of this shell: a traceback may show values
        faults = (_unexpected(error),)
    else:
        return
    _write(folder / FAULTS, {"faults": [fault.document() for fault in faults]})


class _ProgressWriter:
    """Writes the progress of a job: each new stage at once, numbers some times a second.

    The best release so far is never a worse one than what was told before, and the bound never a
    weaker one: several searches of one job do not know of each other.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / PROGRESS
        self.last = 0.0
        self.share = 0.0
        self.stage = ""
        self.best: dict[str, tuple[float, float | None]] = {}

    def __call__(self, share: float, message: str) -> None:
        """Write the share that is done, and a message."""
        told = stage_of(message)
        now, stage = time.monotonic(), told.code
        self.share = min(max(share, 0.0), 1.0)
        if stage != self.stage or now - self.last >= TELL_EVERY_SECONDS:
            self.last, self.stage = now, stage
            self._write({"message": message, "code": stage, "parts": self._parts(told.parts)})

    def _parts(self, parts: dict[str, Any]) -> dict[str, Any]:
        """Return the figures of what is told; of the best release, the best that were told."""
        if "best" not in parts:
            return parts
        measure, least, bound = parts["measure"], parts["best"], parts["bound"]
        before = self.best.get(measure, (least, bound))
        bounds = [one for one in (bound, before[1]) if one is not None]
        least = min(least, before[0])
        bound = min(max(bounds), least) if bounds else None
        self.best[measure] = (least, bound)
        return {"measure": measure, "best": least, "bound": bound}

    def _write(self, told: Mapping[str, Any]) -> None:
        """Write what is told."""
        _write(self.path, {"share": self.share, **told})


def stage_of(message: str) -> Sentence:
    """Return what is told; a text without a code is its own, in one word."""
    plain = Sentence(message, message.replace(" ", "_"))
    return next((one for one in sentences_of(message) if one.code), plain)


def _be_modest() -> None:
    """Leave the machine usable: let others go first, and do not take all of the memory."""
    with contextlib.suppress(OSError, AttributeError):
        os.nice(NICENESS)
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        limit = int(os.environ.get("INDISTINCT_JOB_MEMORY", memory * SHARE_OF_MEMORY))
        resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))


def _end_with_the_application() -> None:
    """End this process when the application is gone, which closes standard input."""
    sys.stdin.buffer.read()
    os._exit(1)


def _write(path: Path, document: object) -> None:
    """Write a JSON document that its owner alone reads, all or nothing."""
    with atomic(path, private=True) as temporary:
        temporary.write_text(json.dumps(document), encoding="utf-8")


def _unexpected(error: Exception) -> Fault:
    """Report an error of the program itself: its kind and place, nothing of the data."""
    return Fault(
        "",
        f"an error of indistinct itself: {kind_and_place(error)}",
        "Please report it with this line and the policy.",
        code="unexpected",
        parts={"where": kind_and_place(error)},
    )


if __name__ == "__main__":
    main()

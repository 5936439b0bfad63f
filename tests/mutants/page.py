"""Write a sample of mutants, and those that survived, into the page of evidence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

SAMPLES_BEGIN, SAMPLES_END = "<!-- samples: begin -->", "<!-- samples: end -->"
SURVIVORS_BEGIN, SURVIVORS_END = "<!-- survivors: begin -->", "<!-- survivors: end -->"
NO_REASON = "no reason given yet"
KILLED = ("killed", "late")


@dataclass(frozen=True)
class Tried:
    """What became of a mutant.

    Parameters
    ----------
    said : ``killed``, ``late``, ``survived`` or ``unseen``
    place : file and line
    change : the line, and what stands in place of a part of it
    """

    room: str
    said: str
    place: str
    change: str


def with_sample(page: str, seed: int, tests: str, found: Sequence[Tried]) -> str:
    """Add a row for each room to the table of samples, and a line for each survivor to their list.

    A survivor that is listed already keeps its reason: its place may have moved, the change tells.
    """
    for room in dict.fromkeys(one.room for one in found):
        counts = Counter(one.said for one in found if one.room == room)
        killed = sum(counts[word] for word in KILLED)
        cells = (room, seed, tests or "all of the room", counts.total(), killed,
                 counts["survived"], counts["unseen"])  # fmt: skip
        row = "| " + " | ".join(map(str, cells)) + " |"
        page = _appended(page, SAMPLES_END, [row])
    known = page.partition(SURVIVORS_BEGIN)[2].partition(SURVIVORS_END)[0]
    new = [one for one in found if one.said not in KILLED and one.change not in known]
    return _appended(page, SURVIVORS_END, [_line(one) for one in new])


def unexplained(page: str) -> list[str]:
    """List the survivors without a reason."""
    return [line for line in page.splitlines() if line.endswith(NO_REASON)]


def _line(one: Tried) -> str:
    reached = "" if one.said == "survived" else " (in a line that no chosen test runs)"
    return f"- `{one.place}`{reached}, `{one.change}`: {NO_REASON}"


def _appended(page: str, end: str, lines: Iterable[str]) -> str:
    """Put lines before a mark."""
    before, mark, after = page.partition(end)
    return before.rstrip("\n") + "".join(f"\n{line}" for line in lines) + f"\n\n{mark}{after}"

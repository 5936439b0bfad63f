"""Add trials to the tables of the page that lists them: all faults, and the kills by command."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping

# Of a fault and a command: how many tries, what was left, and how often.
Tally = Mapping[tuple[str, str], Counter[str]]

FAULTS_BEGIN, FAULTS_END = "<!-- faults: begin -->", "<!-- faults: end -->"
KILLS_BEGIN, KILLS_END = "<!-- kills: begin -->", "<!-- kills: end -->"
KILL, STEP = "SIGKILL at a random moment", "SIGKILL at a step of writing"
LOST = ("broken", "gone", "does not run", "leaves something")
NUMBER = re.compile(r"^[\d,]+$")
KILL_COLUMNS = ("command", "at a random moment", "at a step of writing", "while it ran", "refused",
                "hidden files left", "lost")  # fmt: skip


def sum_of(total: Tally, name: str) -> Counter[str]:
    """Add up what one fault did to all commands."""
    found: Counter[str] = Counter()
    for (fault, _), counts in total.items():
        if fault == name:
            found.update(counts)
    return found


def lost_in(counts: Mapping[str, int]) -> int:
    """Count the trials in which something was lost."""
    return sum(times for word, times in counts.items() if word.startswith(LOST))


def added(page: str, total: Tally, seed: int) -> str:
    """Add the trials of a run to the tables of a page, and its seed to the list of seeds once."""
    page = _replaced(page, FAULTS_BEGIN, FAULTS_END, _faults(_rows(page, FAULTS_BEGIN), total))
    page = _replaced(page, KILLS_BEGIN, KILLS_END, _kills(_rows(page, KILLS_BEGIN), total))
    known = re.search(r"<!-- seeds -->([\d, ]*\d)", page)
    if known is None or str(seed) in known[1].split(", "):
        return page
    return page.replace(known[0], f"{known[0]}, {seed}")


def _rows(page: str, begin: str) -> list[list[str]]:
    """Read the cells of a table, without its two lines at the top."""
    inside = page.partition(begin)[2].partition("<!--")[0].strip().splitlines()
    return [[cell.strip() for cell in line.strip()[1:-1].split("|")] for line in inside[2:]]


def _faults(rows: Iterable[list[str]], total: Tally) -> list[str]:
    """Write the table of all faults: trials and losses grow, remarks and tests stay."""
    lines = ["| fault | trials | lost | remarks | tests |", "|---|---|---|---|---|"]
    for fault, trials, lost, remarks, tests in (_padded(row, 5) for row in rows):
        found = sum_of(total, "SIGKILL" if fault == KILL else fault)
        trials_now = _number(trials) + found["tries"]
        lost_now = _number(lost) + lost_in(found)
        lines.append(f"| {fault} | {trials_now:,} | {lost_now} | {remarks} | {tests} |")
    return lines


def _kills(rows: Iterable[list[str]], total: Tally) -> list[str]:
    """Write the table of kills by command; a command that was not killed before gets a line."""
    known = {row[0]: [_number(cell) for cell in row[1:]] for row in rows}
    for command in dict.fromkeys(command for _, command in total):
        moments = total.get(("SIGKILL", command), Counter[str]())
        steps = total.get((STEP, command), Counter[str]())
        both = moments + steps
        if not both["tries"]:
            continue
        new = [moments["tries"], steps["tries"], both["cut off"], both["refused"],
               both["hidden files left"], lost_in(both)]  # fmt: skip
        old = known.get(command, [0] * len(new))
        known[command] = [one + other for one, other in zip(old, new, strict=True)]
    head = ["| " + " | ".join(KILL_COLUMNS) + " |", "|---|" + "---:|" * (len(KILL_COLUMNS) - 1)]
    return head + [
        f"| {command} | " + " | ".join(map(str, counts)) + " |" for command, counts in known.items()
    ]


def _replaced(page: str, begin: str, end: str, lines: list[str]) -> str:
    before, after = page.partition(begin)[0], page.partition(end)[2]
    return before + "\n".join([begin, "", *lines, "", end]) + after


def _number(cell: str) -> int:
    return int(cell.replace(",", "")) if NUMBER.match(cell) else 0


def _padded(row: list[str], width: int) -> list[str]:
    return [*row, *[""] * (width - len(row))]

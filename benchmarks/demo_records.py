"""Two patients of the demo before and after: records that the crosswalk says belong together."""

from __future__ import annotations

import csv
import sys
from pathlib import Path

PATIENTS = 2


def read(path: Path) -> list[dict[str, str]]:
    """Read a table."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def pairs(folder: Path) -> list[tuple[dict[str, str], dict[str, str]]]:
    """Find the first released records, each with the record that it was made from."""
    before, after = read(folder / "patients.csv"), read(folder / "release.csv")
    rows = {int(row["input_row"]): int(row["output_row"]) for row in read(folder / "crosswalk.csv")}
    released = [row for row in sorted(rows) if rows[row] >= 0][:PATIENTS]
    return [(before[row], after[rows[row]]) for row in released]


def lines(found: list[tuple[dict[str, str], dict[str, str]]]) -> list[str]:
    """Write a row per column: each patient before and after."""
    heads = [f"patient {number}, {when}" for number in (1, 2) for when in ("before", "after")]
    rows = [["column", *heads[: 2 * len(found)]]]
    for name in found[0][0] if found else ():
        cells = [one.get(name, "(left out)") for pair in found for one in pair]
        rows.append([name, *cells])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    padded = [[cell.ljust(width) for cell, width in zip(row, widths, strict=True)] for row in rows]
    return ["   ".join(row).rstrip() for row in padded]


if __name__ == "__main__":
    print("\n".join(lines(pairs(Path(sys.argv[1])))))

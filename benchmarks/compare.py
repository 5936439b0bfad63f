"""Put two runs side by side.

    python benchmarks/compare.py benchmarks/results/OLD.jsonl benchmarks/results/NEW.jsonl

Above 1 the second run needs more: of the unit (one bare group_by), of memory, of loss.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

FIGURES = ("search_ratio", "ratio", "peak_mb", "loss")


def read(path: str) -> dict[str, dict[str, Any]]:
    lines = Path(path).read_text(encoding="utf-8").splitlines()
    return {line["case"]: line for line in map(json.loads, lines)}


def times(before: float, after: float) -> str:
    if before == 0:
        return "same" if after == 0 else "new"
    return f"{after / before:.3f}"


def main(first: str, second: str) -> None:
    before, after = read(first), read(second)
    print(f"{'case':24}" + "".join(f"{name:>14}" for name in FIGURES))
    for case in before.keys() & after.keys():
        cells = (times(before[case][name], after[case][name]) for name in FIGURES)
        print(f"{case:24}" + "".join(f"{cell:>14}" for cell in cells))
    for case in sorted(before.keys() ^ after.keys()):
        print(f"{case:24} is in one run only")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    main(sys.argv[1], sys.argv[2])

"""Whom known members of a household find, before and after; and the pictures of docs/related.md.

python benchmarks/related.py                 prints the rows of the table of households, and risks
python benchmarks/related.py --homes 1200    prints what so many households lose
python benchmarks/related.py --draw docs/related.md docs/pictures/related.svg

The picture shows the two tables of the page that begin with "known events" and "known members".
"""

from __future__ import annotations

import argparse
import random
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl

import indistinct as ind
from related_shapes import static_loss

HOMES, TARGETS, K, MOST_KNOWN, SEED = 1_200, 300, 5, 4, 1
WORDS: dict[str, Any] = {
    "columns": {
        "region": {"role": "quasi-identifier", "level": "household"},
        "age": {"role": "quasi-identifier", "hierarchy": {"intervals": [5, 10, 20, 40]}},
        "sex": {"role": "quasi-identifier"},
        "occupation": {"role": "quasi-identifier"},
    },
    "models": [{"name": "k-anonymity", "k": K}],
    "method": {"max_suppression": 0.05},
}
COLORS = ("#8c8c8c", "#0072b2", "#009e73")
Member = tuple[str, ...]
Home = tuple[str, list[Member]]


def survey(seed: int = SEED, homes: int = HOMES) -> pl.DataFrame:
    """Make up households of one to five members: a parent or two, and children."""
    chance = random.Random(seed)
    rows: list[tuple[int, str, int, str, str]] = []
    for home in range(homes):
        region = chance.choice("NESW")
        age = round(chance.triangular(20, 85, 42))
        ages = [age]
        if chance.random() < 0.6:
            ages.append(max(18, age + round(chance.gauss(0, 4))))
        if age < 60 and len(ages) > 1:
            ages += [max(0, age - 22 - chance.randrange(14)) for _ in range(chance.randrange(4))]
        for one in ages:
            works = chance.choice(["office", "craft", "care", "trade"])
            job = "school" if one < 18 else "retired" if one > 66 else works
            rows.append((home, region, one, chance.choice("fm"), job))
    chance.shuffle(rows)
    return pl.DataFrame(rows, schema=["home", *WORDS["columns"]], orient="row")


def homes_of(frame: pl.DataFrame) -> dict[Any, Home]:
    """Return the region and the members of each household, by its number."""
    found: dict[Any, Home] = {}
    columns = ["home", *WORDS["columns"]]
    for home, region, *member in frame.select(columns).rows():
        found.setdefault(home, (str(region), []))[1].append(tuple(map(str, member)))
    return found


def covers(cell: str, value: str) -> bool:
    """Return whether a released cell may stand for a value."""
    if cell in {"*", value}:
        return True
    ends = re.match(r"\[(\d+), (\d+)\)", cell)
    return ends is not None and value.isdigit() and int(ends[1]) <= int(value) < int(ends[2])


def fits(home: Home, region: str, size: int, known: Sequence[Member]) -> bool:
    """Return whether a released household may be one of which some members are known."""
    if len(home[1]) != size or not covers(home[0], region):
        return False
    return _match(home[1], known)


def _match(members: Sequence[Member], known: Sequence[Member]) -> bool:
    """Return whether different members fit each known one."""
    if not known:
        return True
    return any(
        all(map(covers, member, known[0]))
        and _match([*members[:at], *members[at + 1 :]], known[1:])
        for at, member in enumerate(members)
    )


def found(
    true: dict[Any, Home], released: dict[Any, Home], number_of: dict[Any, Any]
) -> list[float]:
    """Return how often a household is found by 0, 1, ... known members, besides region and size.

    Parameters
    ----------
    number_of : the number of each household in the release
    """
    chance = random.Random(SEED)
    targets = chance.sample(sorted(true), TARGETS)
    shares: list[float] = []
    for n_known in range(MOST_KNOWN + 1):
        hits = 0.0
        for target in targets:
            region, members = true[target]
            known = random.Random(target).sample(members, min(n_known, len(members)))
            fitting = [
                number
                for number, home in released.items()
                if fits(home, region, len(members), known)
            ]
            if number_of.get(target) in fitting:
                hits += 1 / len(fitting)
        shares.append(hits / TARGETS)
    return shares


def lost(homes: int) -> float:
    """Return the mean loss of a cell where whole households are made alike."""
    frame, words = survey(homes=homes), {**WORDS, "data": {"household": "home"}}
    shown = ind.anonymize(frame, words, seed=SEED).data
    losses = [static_loss(frame[name], shown[name]) for name in WORDS["columns"]]
    return sum(losses) / len(losses)


def household_risk(frame: pl.DataFrame) -> float:
    """Return the mean chance that some member of the household of a record is found."""
    found = ind.assess(frame, {**WORDS, "data": {"household": "home"}})
    return float(found.risk["household_risk"]["mean"])


def measured() -> list[list[float]]:
    """Measure the households before, after flat k-anonymity, and as whole households."""
    frame = survey()
    true = homes_of(frame)
    flat = {**WORDS, "columns": {"home": {"role": "insensitive"}, **WORDS["columns"]}}
    flat["columns"]["region"] = {"role": "quasi-identifier"}
    flat["release"] = {"read_back": "accepted"}
    whole = {**WORDS, "data": {"household": "home"}}
    series = [found(true, true, {home: home for home in true})]
    print(f"household risk {household_risk(frame):.2f}")
    for words in (flat, whole):
        release = ind.anonymize(frame, words, seed=SEED)
        before = frame["home"].gather(pl.Series(release.crosswalk))
        number_of = dict(zip(before, release.data["home"], strict=True))
        series.append(found(true, homes_of(release.data), number_of))
        loss = release.manifest["loss"]["loss"]
        risk = household_risk(release.data)
        print(f"loss {loss:.3f}; {release.manifest['records']}; household risk {risk:.2f}")
    return series


def table_in(page: str, begins: str) -> tuple[list[str], list[list[float]]]:
    """Read a table of shares: the heads, and a column of numbers each."""
    lines = iter(page.splitlines())
    head = next(line for line in lines if line.startswith(f"| {begins}"))
    next(lines)
    rows: list[list[float]] = []
    for line in lines:
        if not line.startswith("|"):
            break
        cells = [cell.strip().removesuffix("%") for cell in line.strip("|").split("|")]
        rows.append([float(cell) for cell in cells[1:]])
    names = [cell.strip() for cell in head.strip("|").split("|")]
    return names, [list(column) for column in zip(*rows, strict=True)]


def plot(names: Sequence[str], series: Sequence[Sequence[float]], left: int) -> list[str]:
    """Draw one table as lines: shares by what is known."""
    width, height, top = 300, 200, 40
    parts = [
        f'<text x="{left}" y="20" font-weight="bold">Found, by the number of {names[0]}</text>'
    ]
    for share in (0, 50, 100):
        y = top + height * (1 - share / 100)
        parts.append(f'<line x1="{left}" x2="{left + width}" y1="{y}" y2="{y}" stroke="#ddd"/>')
        parts.append(f'<text x="{left - 6}" y="{y + 4}" text-anchor="end">{share} %</text>')
    n = len(series[0]) - 1
    for at in range(n + 1):
        x = left + width * at / n
        parts.append(f'<text x="{x:.0f}" y="{top + height + 16}" text-anchor="middle">{at}</text>')
    for place, (name, shares) in enumerate(zip(names[1:], series, strict=True)):
        color, dash = COLORS[place], ("", "6 3", "2 3")[place]
        points = " ".join(
            f"{left + width * at / n:.1f},{top + height * (1 - share / 100):.1f}"
            for at, share in enumerate(shares)
        )
        line = f'fill="none" stroke="{color}" stroke-width="2.5" stroke-dasharray="{dash}"'
        parts.append(f'<polyline points="{points}" {line}/>')
        y = top + height + 36 + 18 * place
        parts.append(f'<line x1="{left}" x2="{left + 28}" y1="{y}" y2="{y}" {line}/>')
        parts.append(f'<text x="{left + 36}" y="{y + 4}">{name}</text>')
    return parts


def picture(page: str) -> str:
    """Draw the table of events and that of members beside each other."""
    parts: list[str] = []
    for begins, left in (("known events", 60), ("known members", 440)):
        parts += plot(*table_in(page, begins), left)
    head = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 780 340" width="780" height="340" '
        'font-family="sans-serif" font-size="12" fill="#222">'
    )
    title = "<title>Share of people and of households who are found, before and after</title>"
    return "\n".join(
        [head, title, '<rect width="780" height="340" fill="white"/>', *parts, "</svg>", ""]
    )


def main() -> None:
    """Measure, or draw."""
    words = argparse.ArgumentParser()
    words.add_argument("--draw", nargs=2, metavar=("PAGE", "SVG"))
    words.add_argument("--homes", type=int)
    asked = words.parse_args()
    if asked.homes:
        print(f"loss of a cell {lost(asked.homes):.3f}")
        return
    if asked.draw:
        page, svg = map(Path, asked.draw)
        svg.write_text(picture(page.read_text(encoding="utf-8")), encoding="utf-8")
        return
    for at, shares in enumerate(zip(*measured(), strict=True)):
        print(
            f"| {at} | " + " | ".join(f"{share:.0%}".replace("%", " %") for share in shares) + " |"
        )


if __name__ == "__main__":
    main()

"""Made-up visits with diagnoses and notes, and every attacker on them, for deeper tables."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from itertools import combinations, permutations, product
from typing import Any, NamedTuple

import polars as pl

from hospitals import CODES, TREE

DATES = {"dates": ["month", "quarter", "year"]}
ABOVE = {"visits": "patients", "diagnoses": "visits", "notes": "diagnoses"}
KEYS = {"patients": "pid", "visits": "vid", "diagnoses": "did", "notes": "nid"}
SHOWN = {"visits": "day", "diagnoses": "code", "notes": "kind"}
RULES: dict[str, Any] = {
    "day": DATES,
    "code": {"tree": TREE},
    "kind": {"tree": {"x": ["x1", "x2"], "y": ["y1"]}},
}


def policy(levels: int, released: Sequence[bool], k: int = 2, m: int | str = 2) -> dict[str, Any]:
    """Return a policy of patients and so many levels of rows, some keys released."""
    tables: dict[str, Any] = {
        "patients": {"key": "pid", "columns": {"sex": {"role": "quasi-identifier"}}}
    }
    for (name, above), is_released in zip(list(ABOVE.items())[:levels], released, strict=False):
        tables[name] = {
            "key": KEYS[name],
            "release_key": is_released,
            "references": {KEYS[above]: above},
            "columns": {
                SHOWN[name]: {"role": "quasi-identifier", "hierarchy": RULES[SHOWN[name]]},
                "cost": {"role": "insensitive"},
            },
        }
    return {
        "related": {"people": "patients"},
        "tables": tables,
        "models": [{"name": "joint-anonymity", "k": k, "m": m}],
        "method": {"max_deleted": 1.0},
    }


def visits(seed: int, levels: int, n_units: int = 12, most: int = 2) -> dict[str, pl.DataFrame]:
    """Draw patients, visits, diagnoses and notes in a random order."""
    chance = random.Random(seed)
    values = {
        "day": lambda: f"2020-{chance.choice([1, 2, 5]):02d}-{chance.randint(1, 28):02d}",
        "code": lambda: chance.choice(CODES[:3] + CODES[4:6]),
        "kind": lambda: chance.choice(["x1", "x2", "y1"]),
    }
    keys = [f"p{n}" for n in range(n_units)]
    chance.shuffle(keys)
    sexes = [chance.choice("fm") for _ in keys]
    found = {"patients": pl.DataFrame({"pid": keys, "sex": sexes})}
    for name, above in list(ABOVE.items())[:levels]:
        rows = [
            (values[SHOWN[name]](), chance.randrange(100), key)
            for key in keys
            for _ in range(chance.randint(0, most))
        ]
        chance.shuffle(rows)
        keys = [f"{name[0]}{n * 37 % 1009}" for n in range(len(rows))]
        found[name] = pl.DataFrame(
            [(key, *row) for key, row in zip(keys, rows, strict=True)],
            schema=[KEYS[name], SHOWN[name], "cost", KEYS[above]],
            orient="row",
        )
    return found


def tables_above(name: str) -> list[str]:
    """Return the tables above one, the nearest first."""
    found = [ABOVE[name]]
    while found[-1] in ABOVE:
        found.append(ABOVE[found[-1]])
    return found


def with_gaps(tables: Mapping[str, pl.DataFrame], seed: int) -> dict[str, pl.DataFrame]:
    """Return the same tables, whose rows name some of the rows above them, and maybe others not.

    A third of the references is empty; where the nearest one is, the row belongs to no row there.
    """
    chance = random.Random(seed)
    found = {"patients": tables["patients"]}
    lines: dict[str, dict[str, str]] = {key: {} for key in tables["patients"]["pid"]}
    for name in [one for one in ABOVE if one in tables]:
        listed: dict[str, list[str | None]] = {KEYS[above]: [] for above in tables_above(name)}
        for key, pointer in tables[name].select(KEYS[name], KEYS[ABOVE[name]]).rows():
            line = {KEYS[ABOVE[name]]: pointer, **lines[pointer]}
            nearest = next(one for one in listed if one in line and _is_taken(chance, one))
            line = {nearest: line[nearest], **lines[line[nearest]]}
            lines[key] = line
            for column, keys in listed.items():
                is_shown = column == nearest or chance.random() < 2 / 3
                keys.append(line.get(column) if is_shown else None)
        found[name] = tables[name].with_columns(
            pl.Series(column, keys, dtype=pl.String) for column, keys in listed.items()
        )
    return found


def _is_taken(chance: random.Random, column: str) -> bool:
    """Draw whether a reference is not empty; that to the patient, which comes last, never is."""
    return column == "pid" or chance.random() < 2 / 3


def gaps_policy(
    levels: int, released: Sequence[bool], k: int = 2, m: int | str = 2
) -> dict[str, Any]:
    """Return a policy of such tables, which reference all tables above them."""
    words = policy(levels, released, k, m)
    for name, table in words["tables"].items():
        if name in ABOVE:
            table["references"] = {KEYS[above]: above for above in tables_above(name)}
    return words


class Row(NamedTuple):
    """A released row, with what is true of it: its unit, the row above it, its own values."""

    table: str
    unit: int
    parent: int
    is_released: bool
    label: Any
    cell: str | None
    value: str


def true_rows(
    before: Mapping[str, pl.DataFrame], release: Any, released: Sequence[bool]
) -> tuple[list[Row], dict[int, str]]:
    """Return all released rows, parents first, by the truth; and the class of each unit."""
    keys = before["patients"]["pid"].to_list()
    classes = dict(
        zip(release.crosswalk["patients"].tolist(), release.tables["patients"]["sex"], strict=True)
    )
    rows: list[Row] = []
    places: dict[str, dict[str, int]] = {"patients": {key: n for n, key in enumerate(keys)}}
    for name, is_released in zip(ABOVE, released, strict=False):
        if name not in before:
            break
        places[name] = {}
        truth = before[name]
        shown = release.tables[name][SHOWN[name]].to_list()
        for cell, row in zip(shown, release.crosswalk[name].tolist(), strict=True):
            above, pointer = next(
                (one, truth[KEYS[one]][row])
                for one in tables_above(name)
                if KEYS[one] in truth.columns and truth[KEYS[one]][row] is not None
            )
            parent = -1 if above == "patients" else places[above][pointer]
            unit = places["patients"][pointer] if parent < 0 else rows[parent].unit
            label = (name, cell, None if parent < 0 else rows[parent].label)
            places[name][truth[KEYS[name]][row]] = len(rows)
            value = truth[SHOWN[name]][row]
            rows.append(Row(name, unit, parent, is_released, label, cell, value))
    return rows, classes


def _chain(rows: Sequence[Row], row: int) -> list[int]:
    """Return a row and the rows above it, from the lowest on."""
    found: list[int] = []
    while row >= 0:
        found.append(row)
        row = rows[row].parent
    return found


def nearest_released(rows: Sequence[Row], row: int) -> int:
    """Return the nearest row with a released key above a row; -1 for the unit."""
    above = rows[row].parent
    while above >= 0 and not rows[above].is_released:
        above = rows[above].parent
    return above


def least_alike(rows: Sequence[Row], classes: Mapping[int, str], m: int) -> int:
    """Count, from the definition, the units that have each pattern of at most m rows of a unit."""
    own = {unit: [n for n, row in enumerate(rows) if row.unit == unit] for unit in classes}
    sizes = [sum(kind == other for other in classes.values()) for kind in classes.values()]
    found = [min(sizes)]
    for unit, mine in own.items():
        for size in range(1, m + 1):
            for chosen in combinations(mine, size):
                needs = _needs(rows, chosen, mine)
                found.append(
                    sum(
                        classes[unit] == classes[other]
                        and any(
                            _is_alike(rows, chosen, other_rows, needs, theirs)
                            for other_rows in permutations(theirs, size)
                        )
                        for other, theirs in own.items()
                    )
                )
    return min(found)


def _needs(rows: Sequence[Row], chosen: Sequence[int], mine: Sequence[int]) -> dict[Any, int]:
    """Return how many rows of each hidden label a pattern needs below each released row."""
    below: dict[Any, set[int]] = {}
    for row in chosen:
        for above in _chain(rows, row):
            if not rows[above].is_released:
                below.setdefault((nearest_released(rows, above), rows[above].label), set()).add(row)
    return {place: min(len(known), _there(rows, mine, *place)) for place, known in below.items()}


def _there(rows: Sequence[Row], mine: Sequence[int], above: int, label: Any) -> int:
    """Count the rows of a hidden label below a row with a released key, or the unit."""
    return sum(
        not rows[row].is_released
        and rows[row].label == label
        and nearest_released(rows, row) == above
        for row in mine
    )


def _is_alike(
    rows: Sequence[Row],
    chosen: Sequence[int],
    others: Sequence[int],
    needs: Mapping[Any, int],
    theirs: Sequence[int],
) -> bool:
    """Return whether other rows show the same labels and rows above, and as many as needed."""
    if any(rows[a].label != rows[b].label for a, b in zip(chosen, others, strict=True)):
        return False
    same: dict[int, int] = {-1: -1}
    for one, other in zip(chosen, others, strict=True):
        own = [row for row in _chain(rows, one) if rows[row].is_released]
        their = [row for row in _chain(rows, other) if rows[row].is_released]
        if len(own) != len(their):
            return False
        if any(same.setdefault(a, b) != b for a, b in zip(own, their, strict=True)):
            return False
    if len(set(same.values())) < len(same):
        return False
    return all(
        _there(rows, theirs, same[above], label) >= number
        for (above, label), number in needs.items()
    )


def fewest_who_explain(rows: Sequence[Row], classes: Mapping[int, str], m: int) -> int:
    """Count the units that explain all that somebody knows of at most m released rows of a unit.

    Known are the true values of these rows and of the rows above them, and which of these are one
    row. A unit explains them by different rows of its own whose cells may stand for the values, and
    that hang together as far as keys are released.
    """
    own = {unit: [n for n, row in enumerate(rows) if row.unit == unit] for unit in classes}
    return min(
        sum(
            classes[unit] == classes[other] and _explains(rows, chosen, theirs)
            for other, theirs in own.items()
        )
        for unit, mine in own.items()
        for size in range(m + 1)
        for chosen in combinations(mine, size)
    )


def _explains(rows: Sequence[Row], chosen: Sequence[int], theirs: Sequence[int]) -> bool:
    """Return whether known rows, with those above them, fit different rows of a unit."""
    known = list(dict.fromkeys(row for one in chosen for row in _chain(rows, one)))
    options = [
        [
            row
            for row in theirs
            if rows[row].table == rows[one].table and _covers(rows[row].cell, rows[one].value)
        ]
        for one in known
    ]
    for picked in product(*options):
        if len(set(picked)) < len(picked):
            continue
        same = dict(zip(known, picked, strict=True))
        if all(_hangs_together(rows, one, same) for one in known):
            return True
    return not known


def _hangs_together(rows: Sequence[Row], one: int, same: Mapping[int, int]) -> bool:
    """Return whether a row hangs below the one that stands for its parent, as far as is seen."""
    parent, shown = rows[one].parent, rows[same[one]].parent
    if parent < 0 or shown < 0:
        return parent == shown
    if rows[parent].is_released:
        return shown == same[parent]
    return rows[shown].label == rows[same[parent]].label and nearest_released(
        rows, shown
    ) == nearest_released(rows, same[parent])


def _covers(cell: str | None, value: str) -> bool:
    """Return whether a released cell may stand for a value."""
    if value[:2] == "20":
        month = int(value[5:7])
        return cell in {value, value[:7], f"{value[:4]}-Q{(month + 2) // 3}", value[:4], "*"}
    return cell in {value, value[0], "*"}

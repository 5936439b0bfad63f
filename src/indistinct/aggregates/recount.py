"""Count the records again, plainly, and compare with what was published and what its owner keeps.

Nothing that makes tables takes part: cells are entries of dictionaries, and moves are added up.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, cast

from indistinct.aggregates.check import MANIFEST, TOTAL, Key, Promised, promise_of, published_cells
from indistinct.aggregates.columns import as_columns
from indistinct.aggregates.policy import DimensionWords, TablesPolicy, tables_policy
from indistinct.base.inputs import json_document, read_document
from indistinct.errors import DataError, Fault
from indistinct.tables.counting import LabelledColumn, count_rows, listed_labels

UNREADABLE = "is not the owner's file of published tables"


def with_labels(policy: TablesPolicy) -> dict[str, Any]:
    """Return the words of a policy with listed labels in place of files and trees."""
    words = policy.words()
    for name, paths in listed_labels(as_columns(policy)).items():
        found: dict[str, tuple[int, str]] = {}
        for path in paths:
            for level, label in enumerate(path):
                above = next((one for one in path[level:] if one != label), TOTAL)
                if label != TOTAL:
                    found[label] = max(found.get(label, (level, above)), (level, above))
        labels = [[label, level, above] for label, (level, above) in found.items()]
        words["columns"][name]["hierarchy"] = {"labels": labels}
    return words


@dataclass(frozen=True, slots=True)
class RecountedFamily:
    """The cells of all tables as they were counted again.

    Parameters
    ----------
    promised : by the policy
    counts : contributors of each cell
    inside : the contributors of each cell that has one alone: whose cell it is
    parents : per table and dimension, the label above each label
    hidden : the hidden cells
    """

    promised: Promised
    counts: Mapping[Key, int]
    inside: Mapping[Key, object]
    parents: Mapping[str, Mapping[str, Mapping[str, str]]]
    hidden: frozenset[Key]


def recount_faults(
    files: Mapping[str, bytes],
    policy: Any,
    original: Any,
    owner: str | Path | Mapping[str, Any] | None,
) -> Iterator[str]:
    """Find what differs from the records, and moves of the owner's file that prove nothing.

    Parameters
    ----------
    files : of the folder
    policy : with the files of its hierarchies; that of the manifest when left out
    """
    words = json.loads(files[MANIFEST])["policy"]
    promised = promise_of(words)
    shown, parents = published_cells(files)
    asked = tables_policy(words if policy is None else policy)
    counts, alone = _counted(asked, promised, parents, original)
    for name, cells in shown.items():
        for key, value in cells.items():
            if value not in {-1, counts.get(key, 0)}:
                yield f"{name}.csv: {' x '.join(key)} is not the count of the records"
    every = {key for cells in shown.values() for key in cells}
    if n_lacking := len(counts.keys() - every):
        yield f"{n_lacking} cells of the records are in no table"
    hidden = frozenset(key for cells in shown.values() for key, value in cells.items() if value < 0)
    if owner is not None:
        found = RecountedFamily(promised, counts, alone, parents, hidden)
        yield from _owner_faults(found, _owners(owner))


def _owners(given: str | Path | Mapping[str, Any]) -> Mapping[str, Any]:
    """Read the owner's file.

    Raises
    ------
    DataError
        when it is none
    """
    if isinstance(given, Mapping):
        return given
    try:
        found = json_document(read_document(Path(given)))
    except (OSError, ValueError):
        raise DataError([Fault(str(given), UNREADABLE, "Check the path.")]) from None
    if not {"primary", "moves", "proofs"} <= {*found}:
        raise DataError([Fault(str(given), UNREADABLE, "Check the path.")])
    return found


def _counted(
    policy: TablesPolicy,
    promised: Promised,
    parents: Mapping[str, Mapping[str, Mapping[str, str]]],
    original: Any,
) -> tuple[Counter[Key], dict[Key, object]]:
    """Count contributors, cell by cell; return also whose each cell of one contributor is."""
    rows = count_rows(original, as_columns(policy), person=policy.data.person)
    names = promised.dimensions
    said, missing = policy.columns, policy.publish.missing
    labels = {name: _labels(rows.columns[name], said.get(name), missing) for name in names}
    groups: dict[tuple[str, ...], set[int] | int] = {}
    for row, records in enumerate(rows.records.tolist()):
        for place, lowest in enumerate(promised.tables.values()):
            key = (str(place), *(labels[name][row][level] for name, level in lowest.items()))
            if rows.persons is None:
                groups[key] = cast("int", groups.get(key, 0)) + records
            else:
                cast("set[int]", groups.setdefault(key, set())).add(int(rows.persons[row]))
    return _added(promised.tables, names, parents, groups)


def _added(
    tables: Mapping[str, Mapping[str, int]],
    names: Sequence[str],
    parents: Mapping[str, Mapping[str, Mapping[str, str]]],
    groups: Mapping[tuple[str, ...], set[int] | int],
) -> tuple[Counter[Key], dict[Key, object]]:
    """Add innermost cells to all cells above them."""
    per_table: list[Counter[Key]] = []
    whose: dict[Key, object] = {}
    for place, (table, lowest) in enumerate(tables.items()):
        sums: Counter[Key] = Counter()
        for group, found in groups.items():
            if group[0] != str(place):
                continue
            own = dict(zip(lowest, group[1:], strict=True))
            chains = [
                [*_chain(parents[table][name], own[name])] if name in own else [TOTAL]
                for name in names
            ]
            n = found if isinstance(found, int) else len(found)
            for key in product(*chains):
                sums[key] += n
                whose[key] = next(iter(found)) if isinstance(found, set) else (place, group)
        per_table.append(sums)
    counts: Counter[Key] = Counter()
    for sums in per_table:
        counts |= sums
    return counts, {key: one for key, one in whose.items() if counts[key] == 1}


def _chain(parents: Mapping[str, str], label: str) -> Iterator[str]:
    """Yield a label and those above it, the total last."""
    while label != TOTAL:
        yield label
        label = parents.get(label, TOTAL)
    yield TOTAL


def _labels(
    column: LabelledColumn, said: DimensionWords | None, missing: str
) -> list[Sequence[str]]:
    """Return the labels of each row, level by level."""
    values = column.values
    levels: list[Sequence[str]] = [*(column.levels or [values.texts])]
    if said is not None and said.bands is not None and values.numbers is not None:
        levels = [_bands(values.numbers.tolist(), said.bands)]
    paths = [
        [missing] * len(levels) if gone else list(path)
        for gone, path in zip(values.is_missing.tolist(), zip(*levels, strict=True), strict=True)
    ]
    return [paths[code] for code in values.codes.tolist()]


def _bands(numbers: Sequence[float], edges: Sequence[float]) -> list[str]:
    """Return the name of the band of each number."""
    known = [number for number in numbers if number == number]  # noqa: PLR0124 - not a number
    is_whole = all(number == int(number) for number in (*known, *edges))
    found: list[str] = []
    for number in numbers:
        below = [edge for edge in edges if edge <= number]
        above = [edge for edge in edges if edge > number]
        if not below:
            found.append(f"below {edges[0]:.15g}")
        elif not above:
            found.append(f"{edges[-1]:.15g} and over")
        elif not is_whole:
            found.append(f"{below[-1]:.15g} to under {above[0]:.15g}")
        else:
            last = above[0] - 1
            name = f"{below[-1]:.15g}"
            found.append(f"{name} to {last:.15g}" if last > below[-1] else name)
    return found


def _owner_faults(found: RecountedFamily, owner: Mapping[str, Any]) -> Iterator[str]:
    """Check the small cells, and that a move for each is left to every contributor."""
    said = {tuple(one["key"]): int(one["count"]) for one in owner["primary"]}
    least = found.promised.reaches
    small = {key for key in found.hidden if found.counts.get(key, 0) < least}
    if said != {key: found.counts.get(key, 0) for key in small}:
        yield "owner: its small cells are not those of the records"
    moves: list[dict[Key, int]] = [
        {tuple(key): int(by) for key, by in move["changes"]} for move in owner["moves"]
    ]
    wrong = {number for number, move in enumerate(moves) if not _is_move(found, move)}
    if wrong:
        yield f"owner: {len(wrong)} moves change a sum, a published cell, or go too far"
    proofs: dict[Key, list[int]] = {tuple(key): numbers for key, numbers in owner["proofs"]}
    lone: defaultdict[object, set[Key]] = defaultdict(set)
    for key, who in found.inside.items():
        if key in found.hidden:
            lone[who].add(key)
    for key in small:
        if not (count := found.counts.get(key, 0)):
            continue  # it holds nobody
        own = [
            move
            for number in proofs.get(key, ())
            for move in [moves[number]]
            if number not in wrong and count + move.get(key, 0) >= max(least, count + 1)
        ]
        readers = [cells for who, cells in lone.items() if found.inside.get(key) != who]
        if not own or any(all(cells & move.keys() for move in own) for cells in readers):
            yield f"owner: {' x '.join(key)} is not protected from everybody"


def _is_move(found: RecountedFamily, move: Mapping[Key, int]) -> bool:
    """Return whether changes leave all sums and all published cells as they are."""
    if not move.keys() <= found.hidden:
        return False
    floor = found.promised.at_least
    if any(found.counts.get(key, 0) + by < floor for key, by in move.items()):
        return False
    names = found.promised.dimensions
    for parents in found.parents.values():
        for one, above in parents.items():
            place, sums = names.index(one), Counter[Key]()
            others = [names.index(name) for name in names if name not in parents]
            for key, by in move.items():
                if all(key[other] == TOTAL for other in others) and _is_of(key, names, parents):
                    if key[place] in {TOTAL, *above.values()}:
                        sums[key] -= by
                    if key[place] != TOTAL:
                        sums[(*key[:place], above[key[place]], *key[place + 1 :])] += by
            if any(sums.values()):
                return False
    return True


def _is_of(key: Key, names: Sequence[str], parents: Mapping[str, Mapping[str, str]]) -> bool:
    """Return whether a table has a cell."""
    own = zip(names, key, strict=True)
    return all(label == TOTAL or label in parents.get(name, {}) for name, label in own)

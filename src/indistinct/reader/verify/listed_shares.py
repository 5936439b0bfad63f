"""What the cells of a column lose whose values a file or a tree lists: the values under each."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, cast

from indistinct.policy.policy import Policy
from indistinct.reader.verify.cells import HIDDEN
from indistinct.reader.verify.policy_cells import listed_paths

Shares = Mapping[str, tuple[int, int]]


def claimed_levels(manifest: Mapping[str, Any]) -> Mapping[str, object]:
    """Give the level that a manifest claims for all cells of each column; none if it claims none.

    Parameters
    ----------
    manifest : without faults of its shape
    """
    claimed = manifest["method"].get("transformation")
    return cast("Mapping[str, object]", claimed) if isinstance(claimed, Mapping) else {}


def listed_shares(
    policy: Policy, name: str, level: object, *, is_repeatable: bool = False
) -> Shares | None:
    """Count the listed values under each label, and all of them.

    Parameters
    ----------
    level : of all cells of the column, where the manifest claims one; else anything but a number
    is_repeatable : whether a label may stand at several levels, if it has the same values in each

    Returns
    -------
    per label: listed values under it, and all listed values; None where nothing lists the values,
    or a label stands at several levels and nobody says which
    """
    paths = list(listed_paths(policy, name).values())
    if not paths:
        return None
    depths = (level,) if isinstance(level, int) else range(max(map(len, paths)))
    found: defaultdict[str, list[int]] = defaultdict(list)
    for depth in depths:
        labels = Counter(path[depth] if depth < len(path) else HIDDEN for path in paths)
        for label, count in labels.items():
            found[label].append(count)
    if any(len(set(counts) if is_repeatable else counts) > 1 for counts in found.values()):
        return None
    shares = {label: (counts[0], len(paths)) for label, counts in found.items()}
    of_root = (len(paths), len(paths))
    if not isinstance(level, int) and shares.get(HIDDEN, of_root) != of_root:
        return None  # the star of some values reads like the root above all
    return {HIDDEN: of_root, **shares}


def listed_total(shown: Sequence[tuple[str, int]], shares: Shares, metric: str) -> float:
    """Add up the loss of a column's released cells; of one that nothing lists, nothing.

    Parameters
    ----------
    shown : cells, and the records of each
    metric : ``loss`` or ``ncp``
    """
    total = 0.0
    for cell, count in shown:
        under, of_all = shares.get(cell, (1, 2))
        if metric == "ncp":
            total += count * (0.0 if under <= 1 else under / of_all)
        else:
            total += count * (under - 1) / max(of_all - 1, 1)
    return total

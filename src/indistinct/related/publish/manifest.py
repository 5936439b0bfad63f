"""The manifest of released tables: nothing in it tells of a single unit that vanished."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from indistinct import __version__
from indistinct.base.arrays import Ints
from indistinct.base.files.documents import plain
from indistinct.errors import WorkError
from indistinct.related.publish.history import ReleasedRows, row_history, shown_rows, whole_patterns
from indistinct.related.publish.level_bounds import kept_at_levels
from indistinct.related.publish.search import RelatedDecision
from indistinct.related.publish.shares import value_rows
from indistinct.related.publish.tables import RelatedTables, RowTable
from indistinct.related.publish.whole_shares import whole_shares
from indistinct.tables.findings import Finding
from indistinct.tables.frames import Frame, distinct_texts
from indistinct.tables.masks import PatternCounts, units_with
from indistinct.tables.models import JointAnonymity
from indistinct.tables.policy import public_policy, resolve

FORMAT = 3
FURTHER = (1, 2)  # events beyond m that somebody may know
MOST_BEYOND = 500_000  # patterns that are listed one by one to count them


def related_manifest(
    tables: RelatedTables,
    decision: RelatedDecision,
    frames: Mapping[str, Frame],
    warnings: Sequence[Finding] = (),
) -> dict[str, Any]:
    """Return what was promised of related tables, and what was reached."""
    model = tables.policy.model
    classes = decision.people.classes
    released = int((classes >= 0).sum())
    # How many rows those who vanish had, and what they held, is in no other figure.
    entries = {
        table.name: {"rows": int(rows.kept.sum())}
        for table, rows in zip(tables.row_tables, decision.rows, strict=True)
    }
    return plain(
        {
            "indistinct": __version__,
            "format": FORMAT,
            "policy": public_words(tables, frames),
            "related": {
                "people": {"released": released, "vanished": tables.n_units - released},
                "tables": entries,
                "classes": len(np.unique(classes[classes >= 0])),
                "rows_alone": rows_alone(tables, decision),
                "beyond": {str(m): beyond(tables, decision, m) for m in further_rows(model)},
            },
            "models": [_joint_entry(tables, decision), *_share_entries(tables, decision)],
            "warnings": list(warnings),
            "verified": False,
        }
    )


def owner_figures(tables: RelatedTables, decision: RelatedDecision) -> dict[str, dict[str, Any]]:
    """Return per table of rows what the release costs, which follows from rows that are left out.

    Returns
    -------
    ``input_rows``, ``deleted``: the share of them that is left out or shows nothing, ``loss`` of
    each column, and ``kept``: per column and level, see :func:`kept_at_levels`
    """
    return {
        table.name: {
            "input_rows": table.n_rows,
            "deleted": _share_lost(tables, table, rows),
            "loss": _column_losses(table, rows),
            "kept": kept_at_levels(tables, table, rows, decision.people.classes),
        }
        for table, rows in zip(tables.row_tables, decision.rows, strict=True)
    }


def _joint_entry(tables: RelatedTables, decision: RelatedDecision) -> dict[str, Any]:
    """Return what is promised of people, and what was reached."""
    model, least = tables.policy.model, least_count(tables, decision)
    return {
        "name": model.name,
        "required": model.required(),
        "achieved": None if least is None else {"k": least, "m": model.m},
        "holds": least is None or least >= model.k,
    }


def _share_entries(tables: RelatedTables, decision: RelatedDecision) -> Iterator[dict[str, Any]]:
    """Yield what is promised of values, and the largest shares that were reached."""
    history, classes = row_history(tables, decision.rows), decision.people.classes
    values = value_rows(tables, decision.rows)
    for model, value in zip(tables.policy.largest_shares, values, strict=True):
        m = tables.policy.model.known_rows
        if m is None:
            patterns = whole_shares(history, value, classes)
        else:
            rows, instances = history.instances(m)
            everything = np.ones(len(rows.units), np.bool_)
            patterns = value.patterns(rows, instances, classes, everything)
        largest = patterns.largest(units_with(history.units, value.is_seen, len(classes)))
        yield {
            "name": model.name,
            "required": model.required(),
            "achieved": {"share": largest},
            "holds": largest <= model.share,
        }


def _share_lost(tables: RelatedTables, table: RowTable, rows: ReleasedRows) -> float:
    """Return the share of the rows of a table that are left out or show nothing."""
    return 1 - float(shown_rows(tables, table, rows).mean()) if table.n_rows else 0.0


def public_words(tables: RelatedTables, frames: Mapping[str, Frame]) -> dict[str, Any]:
    """Return the words of the policy that readers need, and nothing of the records."""
    policy = tables.policy
    words = policy.words()
    said: dict[str, Any] = {}
    withheld: list[str] = []
    for name, table in words["tables"].items():
        own = {word: one for word, one in table.items() if word not in {"columns", "data"}}
        if "columns" in table:
            flat = policy.flat(name)
            cells = {
                column: distinct_texts(frames[name][column])
                for column in policy.quasi_identifiers(name)
            }
            public = public_policy(resolve(flat), cells)
            own["columns"] = {column: public["columns"][column] for column in table["columns"]}
            withheld += [one.replace(".", f".{name}.", 1) for one in public.get("withheld", ())]
        said[name] = own
    parts = ("related", "models", "data", "method")
    found = {part: words[part] for part in parts if part in words}
    found["related"].pop("key", None)  # the path of a secret
    left_out = {"withheld": withheld} if withheld else {}
    return {**found, "tables": said, **left_out}


def _counted(
    tables: RelatedTables, decision: RelatedDecision, m: int, most: int | None = None
) -> tuple[Ints, Ints]:
    """Return for each instance of a pattern of at most m rows its unit, and how many have it."""
    _, instances = row_history(tables, decision.rows).instances(m, most)
    living = np.ones(len(instances.units), np.bool_)
    if not len(living):
        return instances.units, instances.units
    counts = PatternCounts.of(instances).counts(living)
    return instances.units, counts[instances.patterns]


def least_count(tables: RelatedTables, decision: RelatedDecision) -> int | None:
    """Return the fewest units of a class that have a pattern that one of them has."""
    classes = decision.people.classes
    sizes = np.bincount(classes[classes >= 0])
    if not sizes.any():
        return None
    m = tables.policy.model.known_rows
    if m is None:
        history = row_history(tables, decision.rows)
        return min(Counter(whole_patterns(history, classes)).values())
    _, counts = _counted(tables, decision, m)
    return int(min(sizes[sizes > 0].min(), counts.min(initial=np.iinfo(np.int64).max)))


def further_rows(model: JointAnonymity) -> list[int]:
    """Return the numbers of known events beyond those of the promise that are looked at."""
    return [] if model.known_rows is None else [model.known_rows + more for more in FURTHER]


def beyond(tables: RelatedTables, decision: RelatedDecision, m: int) -> float | None:
    """Return the share of the units that so many exact events leave below k.

    None where there are too many patterns to count.
    """
    model, classes = tables.policy.model, decision.people.classes
    try:
        units, counts = _counted(tables, decision, m, MOST_BEYOND)
    except WorkError:
        return None
    n_released = int((classes >= 0).sum())
    return len(np.unique(units[counts < model.k])) / max(n_released, 1)


def rows_alone(tables: RelatedTables, decision: RelatedDecision) -> float:
    """Return the share of the units that their class and their numbers of rows single out."""
    classes = decision.people.classes
    numbers = [classes]
    for table, rows in zip(tables.row_tables, decision.rows, strict=True):
        units = table.attached.units[rows.kept]
        numbers.append(np.bincount(units, minlength=len(classes)))
    kinds = np.column_stack(numbers)[classes >= 0]
    if not len(kinds):
        return 0.0
    sizes = np.unique(kinds, axis=0, return_counts=True)[1]
    return float((sizes == 1).sum() / len(kinds))


def _column_losses(table: RowTable, rows: ReleasedRows) -> dict[str, float]:
    """Return the mean loss of the released rows of a table in each column."""
    kept = rows.kept
    return {
        column.name: float(column.levels.losses[rows.cells[kept, at]].mean()) if kept.any() else 0.0
        for at, column in enumerate(table.columns)
    }

"""Questions over one table, as the engine sees them and as plain loops count them."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction

from exact import code, number, units
from indistinct.questions.database.dataset import Range
from indistinct.questions.database.engines.tables import setting_of
from indistinct.questions.database.relational.dialect import DuckDb
from indistinct.questions.database.relational.limits import WantedLimits
from indistinct.questions.database.relational.plan import make_plan
from indistinct.questions.database.relational.quantiles import candidates
from indistinct.questions.database.relational.statement import compiled
from indistinct.questions.database.relational.tree import (
    Among,
    Call,
    Constant,
    IsNull,
    Name,
    Negation,
    Operation,
)


def read(text, dataset, **limits):
    """Turn a question into a statement."""
    return compiled(text, setting_of(dataset, DuckDb()), WantedLimits(**limits))


def planned(text, dataset, epsilon=1, **limits):
    """Plan a question."""
    budget = dataset.budget
    return make_plan(
        read(text, dataset, **limits), epsilon, budget.meaning(), budget.threshold_share
    )


def part_counts(engine, text, dataset):
    """Return, per part and group, what the engine counts; of a quantile, rows per candidate."""
    statement = compiled(text, engine.setting())
    width, found = len(statement.keys), []
    for part in statement.parts:
        rows = engine.fetch(statement.query([part], dataset.budget.accounting))
        if part.kind == "ranks":
            found.append({tuple(row[:-1]): int(row[-1]) for row in rows})
        else:
            found.append({tuple(row[:width]): int(row[width]) for row in rows})
    return statement, found


COMPARE = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "=": lambda a, b: a == b,
    "<>": lambda a, b: a != b,
}


def cell(row, name, dataset):
    """Return a row's value of a column: a number, a text, or None."""
    if name in dataset.keys and dataset.keys[name].edges:
        found = code(dataset.keys[name], row, dataset)
        return None if found == -2 else dataset.keys[name].labels[found]
    is_number = dataset.columns[name].kind == "number"
    value = number(row[name]) if is_number else (row[name] or None)
    if is_number and value is not None:
        value = max(-1e15, min(1e15, 0.0 if abs(value) < 1e-150 else value))
    return value


def holds(row, node, dataset):  # noqa: PLR0911 - a kind each
    """Return whether a condition holds: True, False, or None where that is not known."""
    match node:
        case None:
            return True
        case Operation("AND", left, right):
            both = holds(row, left, dataset), holds(row, right, dataset)
            return False if False in both else None if None in both else True
        case Operation("OR", left, right):
            both = holds(row, left, dataset), holds(row, right, dataset)
            return True if True in both else None if None in both else False
        case Negation(_, inner):
            found = holds(row, inner, dataset)
            return None if found is None else not found
        case IsNull(Name(column)):
            return cell(row, column, dataset) is None
        case Operation(operator, Name(column), Constant(value)):
            seen = cell(row, column, dataset)
            value = float(value) if isinstance(value, Fraction) else value
            return None if seen is None else COMPARE[operator](seen, value)
        case Among(Name(column), values):
            seen = cell(row, column, dataset)
            listed = [float(v.value) if isinstance(v.value, Fraction) else v.value for v in values]
            return None if seen is None else seen in listed
    raise AssertionError(node)


def plain_count(rows, call, dataset):
    """Give the whole numbers that a measure is made of, by kind."""
    if call.name == "COUNT" and call.distinct:
        return {"people": len({row[dataset.person] for row in rows})}
    if call.name == "COUNT":
        names = [one.column for one in call.arguments]
        return {"count": sum(all(cell(row, n, dataset) is not None for n in names) for row in rows)}
    (name,) = [one.column for one in call.arguments[:1]]
    bounds = dataset.columns[name].bounds
    found = [units(number(row[name]), bounds) for row in rows]
    steps = [one for one in found if one is not None]
    middle = (bounds.low + bounds.high) // 2
    centred = [one - middle for one in steps]
    match call.name:
        case "SUM":
            return {"sum": sum(steps)}
        case "AVG" | "VARIANCE":
            off = max(bounds.high - middle, middle - bounds.low) ** 2 // 2
            squares = {"squares": sum(c * c - off for c in centred)}
            both = {"count": len(steps), "centred": sum(centred)}
            return both if call.name == "AVG" else {**both, **squares}
    offered = candidates(Range(bounds.step, bounds.low, bounds.high))
    seen = defaultdict(int)
    for one in steps:
        seen[(one - bounds.low) // offered.step] += 1
    return {"ranks": dict(seen)}


def plain_counts(rows, statement, dataset):
    """Give, per part and group, what plain loops count."""
    groups = defaultdict(list)
    keys = [node.column for node in statement.nodes]
    for row in rows:
        if row[dataset.person] and holds(row, statement.select.where, dataset) is True:
            labels = tuple(
                label(cell(row, key, dataset), one)
                for key, one in zip(keys, statement.keys, strict=True)
            )
            groups[labels].append(row)
    calls = [
        item.expression for item in statement.select.items if isinstance(item.expression, Call)
    ]
    found = []
    for part in statement.parts:
        counts = {}
        for labels, members in groups.items():
            for call in calls:
                counted = plain_count(members, call, dataset)
                if part.kind == "ranks" and "ranks" in counted:
                    counts.update({(*labels, at): n for at, n in counted["ranks"].items()})
                elif part.kind in counted:
                    counts[labels] = counted[part.kind]
        found.append(counts)
    return found


def label(value, key):
    """Return the code of a key's value."""
    if value is None or value in key.labels:
        return value
    return key.other

"""Equal questions in one writing, so that what was paid for is found again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any, cast

from indistinct.questions.database.relational.tree import Among, Constant, Expression, Operation

MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=", "<>": "<>"}


def normal(node: Any) -> Any:
    """Return a tree whose conditions stand in an order of their own, each once."""
    if isinstance(node, tuple):
        return tuple(normal(part) for part in cast("tuple[Any, ...]", node))
    if isinstance(node, Operation) and node.operator in {"AND", "OR"}:
        parts = {normal(part) for part in chain(node.operator, node)}
        return joined(node.operator, sorted(parts, key=str))
    if not is_dataclass(node) or isinstance(node, type):
        return node
    changed: dict[str, Any] = {one.name: normal(getattr(node, one.name)) for one in fields(node)}
    return written(replace(node, **changed))


def written(node: Any) -> Any:
    """Write one node in the one way."""
    match node:
        case Operation(operator, Constant() as left, right) if (
            operator in MIRRORED and not isinstance(right, Constant)
        ):
            return Operation(MIRRORED[operator], right, left)
        case Among(inner, values):
            listed = tuple(sorted(set(values), key=str))
            return Operation("=", inner, listed[0]) if len(listed) == 1 else Among(inner, listed)
        case _:
            return node


def chain(word: str, node: Expression) -> Iterator[Expression]:
    """List the parts of a chain of AND, or of OR."""
    pending = [node]
    while pending:
        one = pending.pop()
        if isinstance(one, Operation) and one.operator == word:
            pending += [one.left, one.right]
        else:
            yield one


def joined(word: str, parts: list[Expression]) -> Expression:
    """Return a chain of some parts."""
    found = parts[0]
    for part in parts[1:]:
        found = Operation(word, found, part)
    return found

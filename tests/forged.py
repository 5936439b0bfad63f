"""Documents in which one part is another than it was."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

NOTE = "Kaja has F20"


def places(document: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the places of all values of a document, each as the keys that lead to it."""
    found = [at] if at else []
    parts = document.items() if isinstance(document, dict) else ()
    parts = enumerate(document) if isinstance(document, list) else parts
    return found + [one for key, part in parts for one in places(part, (*at, key))]


def other(value: Any) -> Any:
    """Return another value of the same type; for nothing a number, and nothing for an object."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 1
    if value is None:
        return 1
    return f"{value}x" if isinstance(value, str) else None


def forged(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield a document with each part changed, left out, and one added at each depth."""
    for *above, last in places(document):
        for way in ("changed", "left out", "added"):
            copied = copy.deepcopy(document)
            part: Any = copied
            for key in above:
                part = part[key]
            if way == "changed":
                part[last] = other(part[last])
            elif way == "left out":
                del part[last]
            elif isinstance(part[last], dict):
                part[last]["note"] = NOTE
            else:
                continue
            yield ".".join(map(str, (*above, last))), way, copied

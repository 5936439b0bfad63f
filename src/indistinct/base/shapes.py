"""The shape of a JSON document: its words in their order, and of which kind each value is.

A document that is given away could hold anything beside what it should say: in further words, in
texts in the place of numbers, in blanks, or in the order of its words. Whoever checks it compares
its bytes with what is written of the words that it should have.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import cast

ShapeTest = Callable[[object], bool]
Shape = ShapeTest | dict[str, "Shape"] | list["Shape"]

LARGEST = 2**62


def is_whole(value: object) -> bool:
    """Return whether a value is a whole number of 63 bits."""
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < LARGEST


def is_count(value: object) -> bool:
    """Return whether a value is a whole number of at least 0."""
    return is_whole(value) and cast("int", value) >= 0


def is_one_of(*values: object) -> ShapeTest:
    """Return the check that a value is one of some, and of the very kind: true is not 1."""
    return lambda value: any(type(value) is type(one) and value == one for one in values)


def matches(pattern: str) -> ShapeTest:
    """Return the check that a value is a text of one pattern."""
    return lambda value: isinstance(value, str) and re.fullmatch(pattern, value) is not None


def shape_faults(said: object, shape: Shape, place: str) -> Iterator[tuple[str, str]]:
    """Find words that a document lacks or has too many, and values of another kind.

    Parameters
    ----------
    said : the document, or a part of it
    shape : a check of a value; the words of an object; or the entries of a list, one by one
    place : what messages call it

    Returns
    -------
    places and problems; a word that is not known is not repeated, because it may hold anything
    """
    if callable(shape):
        if not shape(said):
            yield place, "is not of the kind that stands here"
    elif isinstance(shape, list):
        listed = cast("list[object]", said) if isinstance(said, list) else None
        if listed is None or len(listed) != len(shape):
            yield place, f"is not a list of {len(shape)} entries"
        else:
            for number, (value, kind) in enumerate(zip(listed, shape, strict=True)):
                yield from shape_faults(value, kind, f"{place}[{number}]")
    elif not isinstance(said, dict):
        yield place, "is not an object of names and values"
    else:
        found = cast("dict[str, object]", said)
        unknown = len(found.keys() - shape.keys())
        if unknown:
            yield place, f"has {unknown} words that no release says"
        for name, kind in shape.items():
            if name in found:
                yield from shape_faults(found[name], kind, f"{place}.{name}")
            else:
                yield f"{place}.{name}", "is missing"


def ordered(said: object, shape: Shape) -> object:
    """Return a document of the right shape with its words in their order."""
    if callable(shape):
        return said
    if isinstance(shape, list):
        parts = zip(cast("list[object]", said), shape, strict=True)
        return [ordered(value, kind) for value, kind in parts]
    found = cast("dict[str, object]", said)
    return {name: ordered(found[name], kind) for name, kind in shape.items()}


def is_written_so(content: bytes, said: object, shape: Shape) -> bool:
    """Return whether a document of the right shape is written in the one way to write it.

    Parameters
    ----------
    content : of its file
    said : what was read of it
    """
    text = json.dumps(ordered(said, shape), indent=2, ensure_ascii=False)
    return content == f"{text}\n".encode("utf-8", "surrogatepass")

"""The types of a loop's arguments as texts: ``int64``, ``float64[:, ::1]``, a name of fields."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from indistinct.base.compiled.compiling import compiler

NUMBA: Any = compiler().types
# How the texts of arrays end, by their number of dimensions and layout.
DIMENSIONS = {
    f"[{', '.join([':'] * (n_dimensions - 1) + [last])}]": (n_dimensions, layout)
    for n_dimensions in (1, 2, 3)
    for last, layout in (("::1", "C"), (":", "A"))
}
ENDINGS = {kind: ending for ending, kind in DIMENSIONS.items()}
READ_ONLY = "read-only "

# One text, or the name of a class of fields and what each of them is.
Text = str | dict[str, "list[Text]"]


def text_of(kind: Any) -> Text:
    """Return the text of a type that numba gave an argument."""
    if isinstance(kind, NUMBA.BaseNamedTuple):
        fields = kind.instance_class
        return {f"{fields.__module__}.{fields.__qualname__}": [text_of(one) for one in kind.types]}
    if isinstance(kind, NUMBA.Array) and kind.aligned:
        begin = "" if kind.mutable else READ_ONLY
        return f"{begin}{kind.dtype}{ENDINGS[kind.ndim, kind.layout]}"
    if isinstance(kind, NUMBA.Number | NUMBA.Boolean):
        return str(kind)
    raise TypeError(f"no text for a {type(kind).__name__}")


def type_of(text: Text) -> Any:
    """Return the type of a text."""
    if isinstance(text, dict):
        ((name, fields),) = text.items()
        module, _, of_fields = name.rpartition(".")
        return NUMBA.NamedTuple([*map(type_of, fields)], vars(import_module(module))[of_fields])
    number, bracket, rest = text.removeprefix(READ_ONLY).partition("[")
    kind = getattr(NUMBA, "boolean" if number == "bool" else number)
    if not bracket:
        return kind
    n_dimensions, layout = DIMENSIONS[bracket + rest]
    return NUMBA.Array(kind, n_dimensions, layout, readonly=text.startswith(READ_ONLY))

"""What is left out of a graph to make it simple and undirected, in figures and in a sentence."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import final

from indistinct.base.one_line import one_line

MOST_NAMES = 10


@final
@dataclass(frozen=True, slots=True)
class Cleaning:
    """What was left out to make a graph simple and undirected.

    Parameters
    ----------
    loops : edges from a vertex to itself
    duplicates : edges named again in the same direction
    reversed : edges named in both directions
    loop_only_vertices : vertices that only a loop named
    ignored_columns : columns of the file beside the two ends, or attributes of its edges
    columns : their names, where the file has names
    without_partner : vertices in lines whose other end is missing; they are there without a tie
    directions : whether the form of the input can say which end of an edge comes first
    """

    loops: int = 0
    duplicates: int = 0
    reversed: int = 0
    loop_only_vertices: int = 0
    ignored_columns: int = 0
    columns: tuple[str, ...] = ()
    directions: bool = False
    without_partner: int = 0

    def of_a_file(self, columns: Sequence[str], *, directions: bool) -> Cleaning:
        """Return the same counts with what the input says of its edges beside their ends."""
        return replace(
            self, ignored_columns=len(columns), columns=tuple(columns), directions=directions
        )

    def document(self) -> dict[str, int]:
        """Return the counts by name."""
        return {
            "loops": self.loops,
            "duplicates": self.duplicates,
            "reversed": self.reversed,
            "loop_only_vertices": self.loop_only_vertices,
            "ignored_columns": self.ignored_columns,
        }


def left_out(cleaning: Cleaning, attributes: Collection[str] = ()) -> str:
    """Return a sentence that says what of the input a release leaves out, besides the names.

    Parameters
    ----------
    attributes : of the vertices, that are not released
    """
    parts = list(_parts(cleaning, attributes))
    if not parts:
        return "Nothing but the names of the vertices is left out of the input."
    *others, last = parts
    listed = f"{', '.join(others)} and {last}" if others else last
    # A column may be called as it likes: only our own first letter becomes a capital one.
    are = "is" if len(parts) == 1 and last.startswith("1 ") else "are"
    return f"{listed[0].upper()}{listed[1:]} {are} left out."


def _parts(cleaning: Cleaning, attributes: Collection[str]) -> Iterator[str]:
    """List what is left out."""
    if cleaning.directions:
        yield "directions"
    if cleaning.ignored_columns:
        n = cleaning.ignored_columns
        yield f"{n:,} further {_plural('column', n)}{_named(cleaning.columns)}"
    repeated = cleaning.duplicates + cleaning.reversed
    if repeated:
        way = f" ({cleaning.reversed:,} in the other direction)" if cleaning.reversed else ""
        yield f"{repeated:,} repeated {_plural('tie', repeated)}{way}"
    if cleaning.without_partner:
        n = cleaning.without_partner
        yield f"the missing other {'end of 1 vertex' if n == 1 else f'ends of {n:,} vertices'}"
    if cleaning.loops:
        yield f"{cleaning.loops:,} {_plural('tie', cleaning.loops)} of a vertex with itself"
    if cleaning.loop_only_vertices:
        n = cleaning.loop_only_vertices
        yield f"{n:,} {'vertex' if n == 1 else 'vertices'} without another tie"
    if attributes:
        n = len(attributes)
        yield f"{n:,} {_plural('attribute', n)} of the vertices{_named(attributes)}"


def _plural(noun: str, number: int) -> str:
    return noun if number == 1 else f"{noun}s"


def _named(names: Collection[str]) -> str:
    """List names in brackets; of many, the first."""
    known = [one_line(name) for name in names if name]
    if not known:
        return ""
    more = ", ..." if len(known) > MOST_NAMES else ""
    return f" ({', '.join(known[:MOST_NAMES])}{more})"

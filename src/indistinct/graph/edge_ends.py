"""The two ends of the edges of a list: ids that read alike, and lines with one end alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import numpy as np

from indistinct.base.arrays import Ints
from indistinct.base.cells.missing_words import MACHINES
from indistinct.errors import DataError, Fault

WHOLE = re.compile(r"(-?[0-9]+)(\.0*)?")  # of a table whose whole numbers became floats
LEADING_ZEROS = re.compile(r"^0+(?=.)")
FEWEST_EDGES, FEWEST_ENDS = 20, 3  # of a list whose two columns should meet
MOST_LINES, FEWEST_MARKED = 200, 2  # lines that are looked at for marks of comments

End = tuple[int, str, str]


def alike(pairs: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return ids with 7.0 as 7, where all of them are whole numbers.

    Examples
    --------
    >>> alike([("7", "8.0"), ("8", "7.0")]), alike([("7.0", "a")])
    ([('7', '8'), ('8', '7')], [('7.0', 'a')])
    """
    ids = {one for pair in pairs for one in pair}
    whole = {one: found[1] for one in ids if (found := WHOLE.fullmatch(one))}
    if len(whole) < len(ids):
        return list(pairs)
    return [(whole[one], whole[other]) for one, other in pairs]


def without_partners(ends: Sequence[End]) -> tuple[list[End], list[str]]:
    """Leave out lines whose other end is missing, as programs write people without ties.

    Parameters
    ----------
    ends : the number of each line, and its two cells

    Returns
    -------
    the other lines, and the ids that stand alone. A word is an id where it stands in both columns,
    or where all cells of its column hold it
    """
    for first, second in ((1, 2), (2, 1)):
        words = {str(end[second]) for end in ends if _is_nothing(str(end[second]))}
        others = {str(end[first]) for end in ends}
        gone = words - others
        if not gone or all(str(end[second]) in gone for end in ends):
            continue
        alone = [str(end[first]) for end in ends if str(end[second]) in gone]
        if all(alone):
            return [end for end in ends if str(end[second]) not in gone], list(dict.fromkeys(alone))
    return list(ends), []


def _is_nothing(cell: str) -> bool:
    """Return whether a cell is a word that programs write for nothing."""
    return bool(cell) and cell.lower() in MACHINES


def check_ends(pairs: Sequence[tuple[str, str]], name: str) -> None:
    """Refuse a list in whose two columns no id stands in both.

    Raises
    ------
    DataError
        since they are people and something else, or ids in two writings
    """
    sources, targets = {one for one, _ in pairs}, {other for _, other in pairs}
    if not _never_meet(len(pairs), sources, targets):
        return
    remedy = (
        "Write an id in one way, if the columns name the same people. People and groups are two "
        "kinds of vertices: join the people who share a group first, since one kind is released."
    )
    plain = [{LEADING_ZEROS.sub("", one.casefold()) for one in some} for some in (sources, targets)]
    if plain[0] & plain[1]:
        remedy = (
            "Ids such as 007 and 7 are two different ones: write them in one way, if they are one "
            "person."
        )
    raise DataError([Fault(name, "no id stands in both columns", remedy)])


def check_ends_of_numbers(pairs: Ints, name: str) -> None:
    """Refuse the same of ids that are numbers.

    Raises
    ------
    DataError
        as :func:`check_ends`
    """
    if len(pairs) < FEWEST_EDGES or np.intersect1d(pairs[:, 0], pairs[:, 1]).size:
        return
    check_ends([(str(one), str(other)) for one, other in pairs.tolist()], name)


def _never_meet(n_edges: int, sources: Iterable[str], targets: Iterable[str]) -> bool:
    """Return whether two columns with ids that come again have none in common."""
    left, right = set(sources), set(targets)
    are_few = len(left) < n_edges and len(right) < n_edges
    are_enough = min(len(left), len(right)) >= FEWEST_ENDS and n_edges >= FEWEST_EDGES
    return are_few and are_enough and not left & right


def check_all_marked(content: bytes, name: str) -> None:
    """Refuse a list all of whose lines but the header begin with the mark of a comment.

    Raises
    ------
    DataError
        since nobody can tell ids that begin so from comments
    """
    lines = [line.strip() for line in content.split(b"\n", MOST_LINES) if line.strip()]
    first, *others = lines or [b""]
    if len(others) >= FEWEST_MARKED and first[:1] not in b"#%" and first:
        marked = [line for line in others if line[:1] in b"#%"]
        if len(marked) == len(others):
            raise DataError(
                [
                    Fault(
                        name,
                        "all lines below the header begin with # or %, as comments do",
                        "Put ids that begin so in quotes, or remove the comments.",
                    )
                ]
            )

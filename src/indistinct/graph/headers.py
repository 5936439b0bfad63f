"""Tell whether the first line of an edge list names its columns, or is an edge."""

from __future__ import annotations

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from indistinct.errors import DataError, Fault

DIGITS = re.compile(r"[-+]?[0-9]+(\.[0-9]+)?")
CANONICAL = ("source", "target")

# What tools call the two ends of an edge, without case, spaces and marks.
PAIRS = (
    CANONICAL,
    ("src", "dst"),
    ("src", "tgt"),
    ("src", "dest"),
    ("source", "destination"),
    ("from", "to"),
    ("fromnode", "tonode"),
    ("fromid", "toid"),
    ("fromnodeid", "tonodeid"),
    ("sourceid", "targetid"),
    ("sourcenode", "targetnode"),
    ("sourcenodeid", "targetnodeid"),
    ("startid", "endid"),
    ("startnode", "endnode"),
    ("start", "end"),
    ("origin", "destination"),
    ("node1", "node2"),
    ("nodeid1", "nodeid2"),
    ("nodea", "nodeb"),
    ("vertex1", "vertex2"),
    ("id1", "id2"),
    ("ida", "idb"),
    ("n1", "n2"),
    ("v1", "v2"),
    ("user1", "user2"),
    ("userid1", "userid2"),
    ("person1", "person2"),
    ("personid1", "personid2"),
    ("actor1", "actor2"),
    ("sender", "receiver"),
    ("sender", "recipient"),
    ("caller", "callee"),
    ("follower", "followee"),
    ("follower", "followed"),
    ("citing", "cited"),
    ("ego", "alter"),
    ("tail", "head"),
    ("u", "v"),
)
SOURCES = frozenset(one for one, _ in PAIRS)
TARGETS = frozenset(other for _, other in PAIRS)
OTHERS = frozenset(
    {"weight", "id", "ids", "node", "nodes", "vertex", "label", "type", "timestamp", "edge"}
    | {"person", "user", "friend", "name", "neighbor", "neighbour", "edgeid", "edgetype"}
)


def plain(token: str) -> str:
    """Write a token without case, spaces and marks."""
    return re.sub(r"[\W_]+", "", token).lower()


def named_columns(tokens: Sequence[str]) -> tuple[int, int] | None:
    """Find the two columns that a known header calls the ends of an edge.

    Returns
    -------
    source, target : positions; None where the line is no known header
    """
    words = [plain(token) for token in tokens]
    for one, other in PAIRS:
        if one in words and other in words:
            return words.index(one), words.index(other)
    ones = [place for place, word in enumerate(words) if word in SOURCES]
    others = [place for place, word in enumerate(words) if word in TARGETS]
    if len(ones) == 1 and len(others) == 1 and ones != others:
        return ones[0], others[0]
    return None


def is_canonical(tokens: Sequence[str]) -> bool:
    """Tell whether the two ends are called source and target, which nothing else can mean."""
    return set(CANONICAL) <= {plain(token) for token in tokens}


def may_be_words(tokens: Sequence[str]) -> bool:
    """Tell whether neither end in a first line is a number."""
    return len(tokens) > 1 and not any(DIGITS.fullmatch(token) for token in tokens[:2])


def check_first_line(
    tokens: Sequence[str],
    ids: AbstractSet[str],
    listed: AbstractSet[str],
    name: str,
    *,
    heading: bool,
) -> bool:
    """Decide whether a first line of words is a header.

    Parameters
    ----------
    tokens : cells of the first line
    ids : ends of all edges in the other lines
    listed : ids of the file of vertices
    name : what messages call the file
    heading : whether the line is a known header

    Returns
    -------
    whether the line names columns; it is an edge otherwise

    Raises
    ------
    DataError : it can be either, or is a header that does not say which columns are the ends

    Notes
    -----
    A word that stands in the first line only is a name of a column far more often than somebody who
    has a single friend who has no other, so such a line is not taken for an edge.
    """
    if heading:
        if not is_canonical(tokens) and all(token in ids for token in tokens[:2]):
            raise undecided(name)
        return True
    if not may_be_words(tokens) or set(tokens[:2]) <= listed:
        return False
    if ids and all(DIGITS.fullmatch(one) for one in ids):
        if len(tokens) > 2:  # noqa: PLR2004 - which two of several columns are the ends?
            raise undecided(name)
        return True
    known = (SOURCES | TARGETS | OTHERS) - {"u", "v"}
    new = [token for token in tokens[:2] if token not in ids]
    if len(new) == 2 or any(plain(token) in known for token in new):  # noqa: PLR2004 - both ends
        raise undecided(name)
    return False


def undecided(name: str) -> DataError:
    """Say that the first line may be a header or an edge."""
    return DataError(
        [
            Fault(
                name,
                "the first line may be a header that is not known, or an edge",
                "Call the two columns source and target. If the line is an edge, put the line "
                "source,target above it.",
            )
        ]
    )

"""Tell whether the first line of an edge list names its columns, or is an edge."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set as AbstractSet

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


SPAN = frozenset({"start", "end"})
KINDS = frozenset(
    {"id", "ids", "node", "nodes", "vertex", "vertices", "label", "name", "person", "people"}
    | {"user", "friend", "neighbor", "neighbour", "member", "contact", "actor", "author", "key"}
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
    once = {word for word in words if words.count(word) == 1}
    # Beside others, a start and an end are times more often than people.
    once -= SPAN if len(words) > len(SPAN) else frozenset()
    pairs = [pair for pair in PAIRS if once.issuperset(pair)]
    ones, others = once & SOURCES, once & TARGETS
    if CANONICAL in pairs:
        pairs = [CANONICAL]
    elif not pairs and len(ones) == len(others) == 1 and ones != others:
        pairs = [(*ones, *others)]
    return (words.index(pairs[0][0]), words.index(pairs[0][1])) if len(pairs) == 1 else None


def are_of_one_kind(tokens: Sequence[str]) -> bool:
    """Return whether two words can name the same kind of vertices, as people and their friends."""
    return all(plain(token) in KINDS for token in tokens[:2])


def names_an_id(token: str) -> bool:
    """Return whether a word can name the column of ids in a table of vertices."""
    word = plain(token)
    return word in KINDS or word.endswith("id")


def is_canonical(tokens: Sequence[str]) -> bool:
    """Return whether the two ends are called source and target, which nothing else can mean."""
    return set(CANONICAL) <= {plain(token) for token in tokens}


def may_be_words(tokens: Sequence[str]) -> bool:
    """Return whether neither end in a first line is a number."""
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
        looks = {look_of(one) for one in ids}
        alike = any(
            token in ids or (look_of(token) in looks and re.search("[0-9]|^.$", token))
            for token in tokens[:2]
        )
        if alike and not is_canonical(tokens):
            raise undecided(name)
        return True
    if (
        ids
        and all(DIGITS.fullmatch(token) for token in tokens[:2])
        and not any(DIGITS.fullmatch(one) for one in ids)
    ):
        raise counts_or_edge(name)
    if not may_be_words(tokens) or set(tokens[:2]) <= listed:
        return False
    if ids and all(DIGITS.fullmatch(one) for one in ids):
        # Which two of several columns are the ends? And are these two of one kind?
        if len(tokens) > 2 or not are_of_one_kind(tokens):  # noqa: PLR2004 - two ends
            raise undecided(name)
        return True
    known = (SOURCES | TARGETS | OTHERS) - {"u", "v"}
    new = [token for token in tokens[:2] if token not in ids]
    if len(new) == 2 or any(plain(token) in known for token in new):  # noqa: PLR2004 - both ends
        raise undecided(name)
    return False


def look_of(token: str) -> str:
    """Return the form that numbered ids share, such as n0 for n17, and that of letters alone."""
    return re.sub("[0-9]+", "0", token.lower()) if len(token) > 1 else "a"


def counts_or_edge(name: str) -> DataError:
    """Return the error that the first line may be an edge, or count what follows."""
    problem = "the first line may be an edge, or the numbers of vertices and edges"
    return DataError([Fault(name, problem, "Remove it, or put the line source,target above it.")])


def undecided(name: str) -> DataError:
    """Return the error that the first line may be a header or an edge."""
    return DataError(
        [
            Fault(
                name,
                "the first line may be a header that is not known, or an edge",
                "Call the two columns source and target if both hold the same kind of vertices. If "
                "the line is an edge, put the line source,target above it.",
            )
        ]
    )

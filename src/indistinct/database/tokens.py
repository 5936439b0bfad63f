"""The words of a question, checked before any parser sees them.

A general SQL parser tries one reading of a word after the other, and with some words (JOIN, nested
types, nested calls) its time doubles with each of them. So the text is split into tokens here, in
time that grows with its length alone, and only the words of our own grammar go on; every name is
written in quotes, so that no name can be taken for a word of SQL.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import final

from indistinct.errors import QuestionError

# Limits of a question, far above what people ask: within them a question is parsed in milliseconds,
# and the recursion of the parser stays far from the limit of Python.
LONGEST = 4000
DEEPEST = 16
MOST_TOKENS = 1200
GRAMMAR = (
    "Ask: SELECT [keys,] COUNT(*) | COUNT(x) | COUNT(DISTINCT person) | SUM(x) | AVG(x) | "
    "MEDIAN(x) | QUANTILE(x, q) | VARIANCE(x) FROM table [WHERE conditions] [GROUP BY keys]."
)
TOKEN = re.compile(
    r"""
      (?P<space>\s+)
    | (?P<name>"(?:[^"]|"")*")
    | (?P<text>'(?:[^']|'')*')
    | (?P<number>(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?(?![\w.]))
    | (?P<word>[^\W\d]\w*(?!['"]))
    | (?P<other>--|/\*|\*/|[;\#$\\])
    | (?P<mark><=|>=|<>|!=|==|[=<>(),*+-])
    """,
    re.VERBOSE,
)
# How often each word of the grammar may stand in a question.
OFTEN = MOST_TOKENS
CLAUSES = {
    "SELECT": 1, "FROM": 1, "WHERE": 1, "GROUP": 2, "BY": 2, "ORDER": 1, "AS": 1, "DISTINCT": 1,
    "AND": OFTEN, "OR": OFTEN, "NOT": OFTEN, "IN": OFTEN, "BETWEEN": OFTEN, "TRUE": OFTEN,
    "FALSE": OFTEN, "IS": OFTEN, "NULL": OFTEN,
}  # fmt: skip
FUNCTIONS = frozenset({
    "COUNT", "SUM", "AVG", "MEDIAN", "QUANTILE", "VARIANCE", "VAR_POP", "PERCENTILE_CONT",
    "PERCENTILE_DISC",
})  # fmt: skip
MOST_CALLS = 4
BEFORE_GROUPS = frozenset({"WHERE", "AND", "OR", "NOT", "("})
OF_CONDITIONS = frozenset({"AND", "OR", "NOT", "IN", "BETWEEN", "SELECT", "IS"})
SIGNS = frozenset({"+", "-"})


@final
@dataclass(frozen=True, slots=True)
class Token:
    """A piece of a question.

    Parameters
    ----------
    kind : name (in quotes or not), text, number, mark or word (of the grammar)
    text : as a parser shall read it
    """

    kind: str
    text: str


def refuse(problem: str, line: str = "") -> QuestionError:
    """Make the one kind of error that questions meet.

    Parameters
    ----------
    line : of the declaration, with which its owner would let the question be answered
    """
    owners = f" The owner of the data can add to the declaration: {line}." if line else ""
    return QuestionError(problem, GRAMMAR + owners)


def screened(text: str) -> str:
    """Return a question's text with all names in quotes, if it has only words of the grammar.

    Parameters
    ----------
    text : at most 4000 characters, no comment, parentheses and NOT at most 16 deep

    Raises
    ------
    QuestionError
        For every word, mark or order of them that no question has.

    Notes
    -----
    Time and memory grow with the length of the text.
    """
    tokens = [_in_context(token, after) for token, after in _pairs(_split(_plain(text)))]
    _check_counts(tokens)
    _check_parentheses(tokens)
    return " ".join(token.text for token in tokens)


def _plain(text: str) -> str:
    if len(text) > LONGEST:
        raise refuse(f"the question is longer than {LONGEST} characters")
    text = text.strip().removesuffix(";")
    if not text.isprintable() and not text.replace("\n", " ").replace("\t", " ").isprintable():
        raise refuse("the question holds characters that cannot be printed")
    return text


def _split(text: str) -> list[Token]:
    tokens: list[Token] = []
    place = 0
    while place < len(text):
        found = TOKEN.match(text, place)
        if found is None:
            raise refuse("the question holds a mark that is not read here, or an open quote")
        place = found.end()
        kind = str(found.lastgroup)
        if kind == "other":
            raise refuse("the question holds a comment, a second statement or an escape")
        if kind != "space":
            tokens.append(Token(kind, found.group()))
    if not tokens:
        raise refuse("the question is empty")
    if len(tokens) > MOST_TOKENS:
        raise refuse(f"the question has more than {MOST_TOKENS} words and marks")
    return tokens


def _pairs(tokens: list[Token]) -> list[tuple[Token, str]]:
    """Return each token with the text of the next one, in capital letters."""
    following = [token.text.upper() for token in tokens[1:]]
    return list(zip(tokens, [*following, ""], strict=True))


def _in_context(token: Token, after: str) -> Token:
    """Return a word as one of the grammar or as a name; refuse the call of any other function."""
    if token.kind == "word":
        word = token.text.upper()
        is_within = word == "WITHIN" and after == "GROUP"
        if word in CLAUSES or is_within or (word in FUNCTIONS and after == "("):
            return Token("word", word)
        token = Token("name", f'"{token.text}"')
    if after == "(" and token.kind != "mark":
        raise refuse("the question calls a function that is not answered here")
    return token


def _check_counts(tokens: list[Token]) -> None:
    seen = Counter(token.text for token in tokens if token.kind == "word")
    if any(count > CLAUSES.get(word, MOST_CALLS) for word, count in seen.items()):
        raise refuse("the question uses an SQL keyword more often than the grammar allows")
    if sum(seen[word] for word in FUNCTIONS) > MOST_CALLS:
        raise refuse("the question does not ask for exactly one measure")


def _check_parentheses(tokens: list[Token]) -> None:
    """Refuse parentheses and NOTs that lie too deep, and any parenthesis within a call or list."""
    depth = n_nots = 0
    inside = ""  # what the innermost parenthesis is: a group of conditions, or a call or list
    before = ""
    for token in tokens:
        is_mark = token.kind == "mark"
        if is_mark and token.text == "(":
            if inside == "call":
                raise refuse("the question calls a function within another one")
            inside = "group" if before in BEFORE_GROUPS else "call"
            depth += 1
        elif is_mark and token.text == ")":
            depth -= 1
            inside = "group" if depth else ""
        elif inside == "call" and token.text in OF_CONDITIONS:
            raise refuse("the question has a condition where a column belongs")
        elif is_mark and before in SIGNS:
            raise refuse("the question has a sign that no number follows")
        n_nots += token.kind == "word" and token.text == "NOT"
        if depth < 0 or depth > DEEPEST:
            raise refuse(f"the question is nested deeper than {DEEPEST}, or closes too often")
        before = token.text if token.kind != "text" else ""
    if depth:
        raise refuse("the question leaves a parenthesis open")
    if n_nots > DEEPEST:
        raise refuse(f"the question has more than {DEEPEST} words NOT")

"""The words of a question, in time that grows with its length alone."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import final

from indistinct.errors import QuestionError

LONGEST = 8000
MOST_WORDS = 2500
DEEPEST = 24
MOST_JOINS = 8
MOST_SELECTS = 12
MOST_OPERATORS = 200
TOKEN = re.compile(
    r"""
      (?P<space>\s+|--[^\n]*)
    | (?P<quoted>"(?:[^"]|"")+"|`[^`]+`)
    | (?P<text>'(?:[^']|'')*')
    | (?P<number>(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?(?![\w.]))
    | (?P<word>[^\W\d]\w*(?!['"]))
    | (?P<refused>/\*|\*/|::|\|\||[;\#$\\\[\]{}%?@^&|~!:](?!=))
    | (?P<mark><=|>=|<>|!=|==|[=<>(),.*+/-])
    """,
    re.VERBOSE,
)
WAYS = {
    "::": "Types are declared: write the column alone; a text's number is NUMBER(x).",
    "%": "Write x - 10 * FLOOR(x / 10).",
    "||": "Texts are compared, and never put together.",
    "/*": "Write comments after --.",
    "*/": "Write comments after --.",
    ";": "Ask one question at a time.",
}
OPERATORS = frozenset({"AND", "OR", "+", "-", "*", "/", "=", "<", ">", "<=", ">=", "<>", "!="})
SHORT = 40
KEYWORDS = frozenset([
    "ALL", "AND", "AS", "ASC", "BETWEEN", "BY", "CASE", "CROSS", "DATE", "DESC", "DISTINCT",
    "ELSE", "END", "EXCEPT", "FALSE", "FILTER", "FROM", "FULL", "GROUP", "HAVING", "IN", "INNER",
    "INTERSECT", "IS", "JOIN", "LEFT", "LIKE", "LIMIT", "NATURAL", "NOT", "NULL", "ON", "OR",
    "ORDER", "OUTER", "OVER", "RIGHT", "SELECT", "THEN", "TRUE", "UNION", "USING", "WHEN",
    "WHERE", "WITH",
])  # fmt: skip
MEASURES: dict[str, tuple[int, int]] = {
    "COUNT": (0, 1), "SUM": (1, 1), "AVG": (1, 1), "VARIANCE": (1, 1), "VAR_POP": (1, 1),
    "VAR_SAMP": (1, 1), "STDDEV": (1, 1), "STDDEV_POP": (1, 1), "STDDEV_SAMP": (1, 1),
    "MEDIAN": (1, 1), "QUANTILE": (2, 2), "MIN": (1, 1), "MAX": (1, 1), "BOOL_OR": (1, 1),
    "ARG_MIN": (2, 2), "ARG_MAX": (2, 2),
}  # fmt: skip
FIELDS = ("YEAR", "QUARTER", "MONTH", "WEEK", "DAY", "HOUR", "DOW", "ISODOW")
EXTRACTED = frozenset(FIELDS)
PERIODS = ("year", "quarter", "month", "week", "day")
COMPARISONS = frozenset({"=", "<>", "<", "<=", ">", ">="})
OPTIONS = {"epsilon": "epsilon", "delta": "delta", "max_groups_contributed": "groups",
           "max_rows_contributed": "rows_in_all", "max_rows_per_group": "rows",
           "max_full_groups": "full_groups"}  # fmt: skip
PERSON_FIRST = "Write a value per person first: FROM (SELECT person, ... GROUP BY person)."
NOT_HERE = {
    "OVER": PERSON_FIRST,
    **dict.fromkeys(("UNION", "INTERSECT", "EXCEPT"), "Ask two questions."),
    "RIGHT": "Write the tables in the other order, with LEFT JOIN.",
    "FULL": "Ask two questions, with LEFT JOIN.", "CROSS": "Write JOIN ... USING (person).",
    "NATURAL": "Write JOIN ... USING (person).",
    **dict.fromkeys(("CAST", "TRY_CAST"), "Types are declared: write the column alone; the day of "
                    "a time is DATE_TRUNC('day', x), and the number in a text NUMBER(x)."),
    "INTERVAL": "Write DAYS_BETWEEN(from, to) <= 30.",
    "EXISTS": "Write person IN (SELECT person FROM ...).",
    **dict.fromkeys(
        ("CURRENT_DATE", "CURRENT_TIMESTAMP", "NOW"), "Write the date: DATE '2024-01-31'."
    ),
    **dict.fromkeys(("LAG", "LEAD"), "Write ARG_MIN or ARG_MAX in a subquery per person."),
    **dict.fromkeys(
        ("UPPER", "LOWER", "LENGTH", "SUBSTRING"), "Write LIKE, or the owner declares a column."
    ),
    "CORR": "Ask for three means.",
    **{word: f"Write EXTRACT({word} FROM ...)." for word in FIELDS},
    "DATEDIFF": "Write DAYS_BETWEEN(from, to).", "AGE": "Write AGE_YEARS(born, at).",
    "CONCAT": "Texts are compared, and never put together.", "OFFSET": "Use LIMIT alone.",
    "ILIKE": "Write LIKE; it minds case.", "APPROX_QUANTILES": "Write QUANTILE(x, 0.5).",
    "PERCENTILE_CONT": "Write QUANTILE(x, 0.5).", "PERCENTILE_DISC": "Write QUANTILE(x, 0.5).",
    "IF": "Write CASE WHEN ... THEN ... ELSE ... END.", "QUALIFY": "Ask with HAVING.",
}  # fmt: skip
GRAMMAR = "Write SELECT measures FROM a table [JOIN ...] [WHERE ...] [GROUP BY ...]."


@final
@dataclass(frozen=True, slots=True)
class Word:
    """A piece of a question.

    Parameters
    ----------
    kind : word, name (was in quotes), text, number, mark, or end
    text : a word in capital letters, else what it says
    spelt : as it was written
    """

    kind: str
    text: str
    spelt: str


END = Word("end", "", "the end")


def refusal(part: str, reason: str, way: str) -> QuestionError:
    """Make the one kind of error that questions meet: the part, the reason, the way around."""
    return QuestionError(f"{part}: {reason}", way)


def words_of(text: str) -> list[Word]:
    """Split a question into words, in time that grows with its length.

    Raises
    ------
    QuestionError
        For a mark that no question has, and for a text beyond the limits.
    """
    if len(text) > LONGEST:
        raise refusal("the question", f"is longer than {LONGEST} characters", "Ask for less.")
    text = text.strip().removesuffix(";").rstrip()
    if not text.replace("\n", " ").replace("\t", " ").replace("\r", " ").isprintable():
        raise refusal("the question", "holds characters that cannot be printed", "Leave them out.")
    words = list(_split(text))
    if not words:
        raise refusal("the question", "is empty", "Write SELECT COUNT(*) FROM a table.")
    _check(words)
    return [*words, END]


def _split(text: str) -> list[Word]:
    words: list[Word] = []
    place = 0
    while place < len(text):
        found = TOKEN.match(text, place)
        if found is None:
            raise refusal(
                shortened(text[place:]), "is not read here, or is an open quote",
                "Put texts into ' and names into \".",
            )  # fmt: skip
        place = found.end()
        kind, spelt = str(found.lastgroup), found.group()
        if kind == "refused":
            raise refusal(spelt, "is not read here", WAYS.get(spelt, "Leave it out."))
        if kind != "space":
            words.append(_word(kind, spelt))
        if len(words) > MOST_WORDS:
            raise refusal("the question", f"has more than {MOST_WORDS} words", "Ask for less.")
    return words


def _word(kind: str, spelt: str) -> Word:
    match kind:
        case "word":
            return Word("word", spelt.upper(), spelt)
        case "quoted":
            inner = spelt[1:-1].replace('""', '"') if spelt[0] == '"' else spelt[1:-1]
            return Word("name", inner, inner)
        case "text":
            return Word("text", spelt[1:-1].replace("''", "'"), spelt)
        case _:
            return Word(kind, {"!=": "<>", "==": "="}.get(spelt, spelt), spelt)


def _check(words: list[Word]) -> None:
    """Refuse what is too deep or too much."""
    depth = deepest = 0
    for word in words:
        if word.kind == "mark":
            depth += (word.text == "(") - (word.text == ")")
            deepest = max(deepest, depth)
    counts = Counter(word.text for word in words if word.kind in {"word", "mark"})
    limits = (
        ("parentheses", deepest, DEEPEST, "are nested deeper than"),
        ("JOIN", counts["JOIN"], MOST_JOINS, "stands more often than"),
        ("SELECT", counts["SELECT"], MOST_SELECTS, "stands more often than"),
        ("NOT", counts["NOT"], 4 * DEEPEST, "stands more often than"),
        ("CASE", counts["CASE"], DEEPEST, "stands more often than"),
        ("operators", sum(counts[one] for one in OPERATORS), MOST_OPERATORS, "are more than"),
    )
    for part, seen, most, reason in limits:
        if seen > most:
            raise refusal(part, f"{reason} {most}", "Ask for less at once.")


def shortened(text: str) -> str:
    """Write the beginning of a text of the question on one line."""
    line = " ".join(text.split())
    return line if len(line) <= SHORT else f"{line[:SHORT]}..."

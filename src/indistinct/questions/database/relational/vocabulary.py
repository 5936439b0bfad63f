"""The words of the grammar, what takes how many arguments, and what to write instead of others."""

from __future__ import annotations

KEYWORDS = frozenset(
    [
        "ALL",
        "AND",
        "AS",
        "ASC",
        "BETWEEN",
        "BY",
        "CASE",
        "CROSS",
        "DATE",
        "DESC",
        "DISTINCT",
        "ELSE",
        "END",
        "EXCEPT",
        "FALSE",
        "FILTER",
        "FROM",
        "FULL",
        "GROUP",
        "HAVING",
        "IN",
        "INNER",
        "INTERSECT",
        "IS",
        "JOIN",
        "LEFT",
        "LIKE",
        "LIMIT",
        "NATURAL",
        "NOT",
        "NULL",
        "ON",
        "OR",
        "ORDER",
        "OUTER",
        "OVER",
        "RIGHT",
        "SELECT",
        "THEN",
        "TRUE",
        "UNION",
        "USING",
        "WHEN",
        "WHERE",
        "WITH",
    ]
)
ONE_ARGUMENT = frozenset({"ABS", "FLOOR", "CEIL", "CEILING", "SQRT"})
FUNCTIONS: dict[str, tuple[int, int]] = {
    **dict.fromkeys(ONE_ARGUMENT, (1, 1)),
    "COALESCE": (1, 20), "NULLIF": (2, 2), "ROUND": (1, 2), "LEAST": (1, 20), "GREATEST": (1, 20),
    "CLAMP": (3, 3), "DATE_TRUNC": (2, 2), "DAYS_BETWEEN": (2, 2), "HOURS_BETWEEN": (2, 2),
    "AGE_YEARS": (2, 2),
}  # fmt: skip
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
NOT_HERE = {
    "OVER": "Write a value per person first: FROM (SELECT person, ... GROUP BY person).",
    **dict.fromkeys(("UNION", "INTERSECT", "EXCEPT"), "Ask two questions."),
    "RIGHT": "Write the tables in the other order, with LEFT JOIN.",
    "FULL": "Ask two questions, with LEFT JOIN.", "CROSS": "Write JOIN ... USING (person).",
    "NATURAL": "Write JOIN ... USING (person).",
    "CAST": "Types are declared: write the column alone.",
    "TRY_CAST": "Types are declared: write the column alone.",
    **{word: f"Write EXTRACT({word} FROM ...)." for word in FIELDS},
    "DATEDIFF": "Write DAYS_BETWEEN(from, to).", "AGE": "Write AGE_YEARS(born, at).",
    "CONCAT": "Texts are compared, and never put together.", "OFFSET": "Use LIMIT alone.",
    "ILIKE": "Write LIKE; it minds case.", "APPROX_QUANTILES": "Write QUANTILE(x, 0.5).",
    "PERCENTILE_CONT": "Write QUANTILE(x, 0.5).", "PERCENTILE_DISC": "Write QUANTILE(x, 0.5).",
    "IF": "Write CASE WHEN ... THEN ... ELSE ... END.", "QUALIFY": "Ask with HAVING.",
}  # fmt: skip
GRAMMAR = "Write SELECT measures FROM a table [JOIN ...] [WHERE ...] [GROUP BY ...]."

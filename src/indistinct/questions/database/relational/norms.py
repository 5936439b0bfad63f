"""The limit of one person as a norm: who is beyond it counts with less weight in all groups.

The numbers of a person over all groups are multiplied by t = min(1, B / norm), and cut toward zero
on the grid of the part. B is the norm that is charged: the sum of the sizes where epsilon is, and
the root of the sum of their squares where rho is. t depends on the rows of this person alone: sizes
are whole numbers, which an engine adds up to the same sum in any order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import final

from indistinct.questions.database.preparation import double
from indistinct.questions.database.relational.dialect import QueryDialect
from indistinct.questions.database.relational.limits import PersonLimits
from indistinct.questions.database.relational.parts import Number, Part
from indistinct.questions.mechanisms.accountant import Accounting

MOST_GROUPS = 10**6  # of one person: the squares of so many sums of up to 2**50 have room
EXACT_SQUARES = 2**52  # doubles add whole numbers up to it without an error, and tell larger sums
SLACK = 1 - Fraction(
    1, 10**9
)  # more than one division, one root and two products of doubles are rounded by


@final
@dataclass(frozen=True, slots=True)
class Size:
    """What a norm of a person is of, in each group; parts that have it in common share the factor.

    Parameters
    ----------
    sql : the size of one group, as the engine counts it
    most : what the norm is at most: the sum, or the sum of squares
    is_sum : whether it is a sum of numbers, and not a number of rows or people
    """

    sql: str
    most: int
    is_sum: bool

    def factor(self, column: str, accounting: Accounting, dialect: QueryDialect) -> str:
        """Write what the numbers of a person are multiplied by; 1 for a person within the limit."""
        norm = self.norm(column, accounting, dialect)
        share = f"{double(Fraction(self.most))} / CAST({norm} AS DOUBLE PRECISION)"
        root = share if accounting is Accounting.PURE else f"sqrt({share})"
        most = f"CAST('{self.most}' AS {dialect.wide})" if self.is_sum else str(self.most)
        return f"CASE WHEN {norm} <= {most} THEN 1 ELSE {root} * {double(SLACK)} END"

    def norm(self, column: str, accounting: Accounting, dialect: QueryDialect) -> str:
        """Write the sum of the sizes, or of their squares, which is exact in any order."""
        if accounting is Accounting.PURE:
            return f"sum(abs({column}))"
        wide = dialect.wide if self.is_sum else "DOUBLE PRECISION"
        return f"sum(CAST({column} AS {wide}) * {column})"


def scaled_query(  # noqa: PLR0913, PLR0917 - what is counted, where, and in which norm
    parts: Sequence[Part],
    grouped: str,
    keys: Sequence[str],
    sizes: Sequence[Size | None],
    accounting: Accounting,
    dialect: QueryDialect,
) -> str:
    """Write the query that adds up the scaled numbers of all people.

    Parameters
    ----------
    grouped : the query of one row per person and group: p, keys, v0.. and s0..
    sizes : of each part; None where nobody is scaled
    """
    once = list(dict.fromkeys(size for size in sizes if size is not None))
    factors = "".join(
        f", {size.factor(f's{at}', accounting, dialect)} AS t{at}" for at, size in enumerate(once)
    )
    exact = f"count(*) <= {MOST_GROUPS}"
    if accounting is not Accounting.PURE:
        exact += "".join(
            f" AND {size.norm(f's{at}', accounting, dialect)} <= {EXACT_SQUARES}"
            for at, size in enumerate(once)
            if not size.is_sum
        )
    sums = [
        f"coalesce(sum({units(at, part, None if size is None else once.index(size))}), 0)"
        for at, (part, size) in enumerate(zip(parts, sizes, strict=True))
    ]
    by = f" GROUP BY {', '.join(keys)}" if keys else ""
    return (
        # An engine may put its own WITH before a query, so none begins with one.
        f"SELECT * FROM (WITH grouped AS MATERIALIZED ({grouped}), factors AS (SELECT p{factors} "  # noqa: S608
        f"FROM grouped GROUP BY p HAVING {exact}) SELECT {', '.join([*keys, *sums])} "
        f"FROM grouped JOIN factors USING (p){by}) AS scaled"
    )


def units(at: int, part: Part, factor: int | None) -> str:
    """Write the numbers of a person in one group, in units."""
    if factor is None:
        return f"v{at} * {part.grid}"
    # The product is at most 2**53: the size is no larger than its norm, and the reach is checked.
    product = f"CAST(v{at} AS DOUBLE PRECISION) * t{factor} * {double(Fraction(part.grid))}"
    return f"CAST(trunc({product}) AS BIGINT)"


def size_of(
    part: Part,
    limits: PersonLimits,
    accounting: Accounting,
    numbers: dict[Number, str],
    conditions: dict[str, str],
) -> Size | None:
    """Return the size by which a part is scaled; None where reading keeps everybody within it."""
    if part.is_within(limits):
        return None
    reach = part.sizes(limits)
    most = reach.total if accounting is Accounting.PURE else reach.squares
    return Size(part.size(numbers, conditions), most, part.kind == "sum")


def weights(
    rows: str, columns: Sequence[str], part: Part, limits: PersonLimits, dialect: QueryDialect
) -> str:
    """Write the weights of the candidates of a quantile: of a person in a group as much as counts.

    Up to each candidate lie as many units of the weight as the share of the person's rows there,
    rounded down.

    Parameters
    ----------
    rows : the query of p, keys, candidate and the number n of rows
    columns : the keys and the candidate
    """
    group = ", ".join(["p", *columns[:-1]])
    listed = ", ".join(["p", *columns])
    upto = f"sum(n) OVER (PARTITION BY {group} ORDER BY candidate ROWS UNBOUNDED PRECEDING)"
    total = f"sum(n) OVER (PARTITION BY {group})"
    wide = [f"CAST({one} AS {dialect.wide})" for one in (upto, total)]
    weight = f"{part.grid} * least({part.rows_per_group(limits)}, total)"
    ends = [dialect.quotient(f"{weight} * {one}", "total") for one in ("upto", "(upto - n)")]
    return (
        f"SELECT {listed}, {' - '.join(ends)} AS n FROM (SELECT {listed}, n, {wide[0]} AS upto, "  # noqa: S608
        f"{wide[1]} AS total FROM ({rows}) AS w) AS w"
    )

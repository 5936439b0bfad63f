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
    part : that says how far the size is bounded
    most : what the norm is at most: the sum, or the sum of squares
    """

    sql: str
    part: Part
    most: int

    @property
    def is_sum(self) -> bool:
        """Return whether it is a sum of numbers, and not a number of rows or people."""
        return self.part.kind == "sum"

    def factor(self, column: str, accounting: Accounting, dialect: QueryDialect) -> str:
        """Write what the numbers of a person are multiplied by; 1 for a person within the limit."""
        norm = self.norm(column, accounting, dialect)
        share = f"{double(Fraction(self.most))} / CAST({norm} AS DOUBLE PRECISION)"
        root = share if accounting is Accounting.PURE else f"sqrt({share})"
        most = f"CAST('{self.most}' AS {dialect.wide})" if self.is_sum else str(self.most)
        return f"CASE WHEN {norm} <= {most} THEN 1 ELSE {root} * {double(SLACK)} END"

    def norm(self, column: str, accounting: Accounting, dialect: QueryDialect) -> str:
        """Write the sum of the sizes, or of their squares, which is exact in any order."""
        size = self.part.bounded(column)
        if accounting is Accounting.PURE:
            return f"sum(abs({size}))"
        wide = dialect.wide if self.is_sum else "DOUBLE PRECISION"
        return f"sum(CAST({size} AS {wide}) * {size})"


def per_person(  # noqa: PLR0913, PLR0917 - what is counted, of which rows, and for whom
    rows: str,
    parts: Sequence[Part],
    keys: Sequence[str],
    sizes: Sequence[Size | None],
    exempt: int,
    numbers: dict[Number, str],
    conditions: dict[str, str],
) -> str:
    """Write the query of one row per person and group: the person q, keys, v0.. and s0..

    People with so few rows that they are within every limit are missing as q, and counted together.

    Parameters
    ----------
    exempt : how many rows these are
    """
    listed = [f"{part.of_person(numbers, conditions)} AS v{at}" for at, part in enumerate(parts)]
    listed += [f"{size.sql} AS s{at}" for at, size in enumerate(once(sizes))]
    columns = ", ".join([f"CASE WHEN n > {exempt} THEN p END AS q", *keys, *listed])
    group = ", ".join(str(1 + at) for at in range(1 + len(keys)))
    return f"SELECT {columns} FROM ({rows}) AS l GROUP BY {group}"  # noqa: S608 - our own names


def once(sizes: Sequence[Size | None]) -> list[Size]:
    """List the sizes of parts, each once."""
    return list(dict.fromkeys(size for size in sizes if size is not None))


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
    grouped : the query of one row per person and group; see :func:`per_person`
    sizes : of each part; None where nobody is scaled
    """
    found = once(sizes)
    factors = "".join(
        f", {size.factor(f's{at}', accounting, dialect)} AS t{at}" for at, size in enumerate(found)
    )
    exact = f"count(*) <= {MOST_GROUPS}"
    if accounting is not Accounting.PURE:
        exact += "".join(
            f" AND {size.norm(f's{at}', accounting, dialect)} <= {EXACT_SQUARES}"
            for at, size in enumerate(found)
            if not size.is_sum
        )
    together = [f"v{at} * {part.grid} AS v{at}" for at, part in enumerate(parts)]
    alone = [
        f"{units(at, part, None if size is None else found.index(size))} AS v{at}"
        for at, (part, size) in enumerate(zip(parts, sizes, strict=True))
    ]
    sums = [f"coalesce(sum(v{at}), 0) AS v{at}" for at in range(len(parts))]
    by = f" GROUP BY {', '.join(keys)}" if keys else ""
    return (
        # An engine may put its own WITH before a query, so none begins with one.
        f"SELECT * FROM (WITH grouped AS MATERIALIZED ({grouped}), factors AS (SELECT q{factors} "  # noqa: S608
        f"FROM grouped WHERE q IS NOT NULL GROUP BY q HAVING {exact}) "
        f"SELECT {', '.join([*keys, *sums])} FROM ("
        f"SELECT {', '.join([*keys, *together])} FROM grouped WHERE q IS NULL UNION ALL "
        f"SELECT {', '.join([*keys, *alone])} FROM grouped JOIN factors USING (q)) AS u{by}) AS w"
    )


def units(at: int, part: Part, factor: int | None) -> str:
    """Write the numbers of a person in one group, in units."""
    value = part.bounded(f"v{at}")
    if factor is None:
        return f"{value} * {part.grid}"
    # The product is at most 2**53: the size is no larger than its norm, and the reach is checked.
    product = f"CAST({value} AS DOUBLE PRECISION) * t{factor} * {double(Fraction(part.grid))}"
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
    kind = part.kind if part.kind in {"sum", "people"} else "count"
    return Size(part.size(numbers, conditions), Part(kind), most)


def weights(
    rows: str, columns: Sequence[str], part: Part, limits: PersonLimits, dialect: QueryDialect
) -> str:
    """Write the weights of the candidates of a quantile: of a person in a group as much as counts.

    Up to each candidate lie as many units of the weight as the share of the person's rows there,
    rounded down.

    Parameters
    ----------
    rows : the query of p, keys, candidate and the number m of rows
    columns : the keys and the candidate
    """
    group = ", ".join(["p", *columns[:-1]])
    listed = ", ".join(["p", *columns])
    upto = f"sum(m) OVER (PARTITION BY {group} ORDER BY candidate ROWS UNBOUNDED PRECEDING)"
    total = f"sum(m) OVER (PARTITION BY {group})"
    wide = [f"CAST({one} AS {dialect.wide})" for one in (upto, total)]
    weight = f"{part.grid} * least({part.rows_per_group(limits)}, total)"
    ends = [dialect.quotient(f"{weight} * {one}", "total") for one in ("upto", "(upto - m)")]
    return (
        f"SELECT {listed}, {' - '.join(ends)} AS m FROM (SELECT {listed}, m, {wide[0]} AS upto, "  # noqa: S608
        f"{wide[1]} AS total FROM ({rows}) AS w) AS w"
    )

"""Which rows or groups of a person count, where a lot decides: for each person alone."""

from __future__ import annotations

from collections.abc import Sequence

from indistinct.questions.database.relational.dialect import QueryDialect


def numbered(rows: str, columns: Sequence[str], window: str, most: int) -> str:
    """Write the rows whose number within a window is small enough."""
    listed = ", ".join(columns)
    return (
        f"SELECT {listed} FROM (SELECT {listed}, {window} AS place FROM ({rows}) AS w) AS w "  # noqa: S608
        f"WHERE place <= {most}"
    )


def in_few_groups(  # noqa: PLR0913, PLR0917 - what is limited, to what, and by which lots
    rows: str, columns: Sequence[str], n_keys: int, groups: int, dialect: QueryDialect, key: str
) -> str:
    """Write the rows in the groups of each person that count, of which there are so many at most.

    Lots are drawn for the people alone who may be in more groups, by the number n of their rows:
    sorting takes most of the time.

    Parameters
    ----------
    rows : the query of p, h, n and the columns
    columns : the keys first
    key : of the lots
    """
    listed = ", ".join(["p", *columns])
    lots = ", ".join([dialect.group_lot(key, ["h", *columns[:n_keys]]), *columns[:n_keys]])
    window = f"dense_rank() OVER (PARTITION BY p ORDER BY {lots})"
    many = numbered(f"SELECT * FROM given WHERE n > {groups}", ["p", *columns], window, groups)  # noqa: S608
    return (
        f"WITH given AS MATERIALIZED ({rows}) "  # noqa: S608 - our own names
        f"SELECT {listed} FROM given WHERE n <= {groups} UNION ALL {many}"
    )

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
    rows: str,
    columns: Sequence[str],
    n_keys: int,
    groups: int,
    dialect: QueryDialect,
    key: str,
) -> str:
    """Write the rows in the groups of each person that count, of which there are so many at most.

    Lots are drawn for the people alone who are in more groups: sorting takes most of the time.

    Parameters
    ----------
    columns : all but the person, the keys first
    key : of the lots
    """
    listed = ", ".join(["p", *columns])
    group = ["p", *columns[:n_keys]]
    lots = ", ".join([dialect.group_lot(key, group), *columns[:n_keys]])
    window = f"dense_rank() OVER (PARTITION BY p ORDER BY {lots})"
    found = "EXISTS (SELECT 1 FROM crowded WHERE crowded.p = given.p)"
    many = f"SELECT {listed} FROM given WHERE {found}"  # noqa: S608 - our own names
    return (
        f"WITH given AS MATERIALIZED ({rows}), crowded AS MATERIALIZED (SELECT p FROM "  # noqa: S608
        f"(SELECT DISTINCT {', '.join(group)} FROM given) AS g GROUP BY p "
        f"HAVING count(*) > {groups}) SELECT {listed} FROM given WHERE NOT {found} "
        f"UNION ALL {numbered(many, ['p', *columns], window, groups)}"
    )

"""Rules of joins, groups and limits that can be broken one by one, and questions that show it."""

from __future__ import annotations

import dataclasses
import re
from fractions import Fraction

import duckdb

import neighbours
from indistinct.questions.database.engines import tables
from indistinct.questions.database.preparation import double
from indistinct.questions.database.relational import (
    from_,
    functions,
    keys,
    loaded,
    lots,
    norms,
    parts,
    replies,
    statement,
    units,
)
from indistinct.questions.database.relational.dialect import DuckDb
from indistinct.questions.database.relational.functions import Writer
from indistinct.questions.database.relational.typed import Value
from indistinct.questions.mechanisms.accountant import Accounting
from neighbours import QUESTIONS, RARE_ROWS


def asking(*words):
    """Choose the questions that hold all of some words."""
    return [one for one in [*QUESTIONS, *RARE_ROWS] if all(word in one[0] for word in words)]


def without_person(right):
    """Join on what the question says alone."""

    def attached(self, left, source, join, name):
        found = right(self, left, source, join, name)
        of_person = f"{source.name}.p = {left.person}"
        sql = found.sql.replace(f"{of_person} AND ", "").replace(of_person, "TRUE")
        return dataclasses.replace(found, sql=sql)

    return attached


def later_anchor(right):
    """Take the person of the last source, who is missing where it has no match."""

    def attached(self, left, source, join, name):
        found = right(self, left, source, join, name)
        return dataclasses.replace(found, anchor=source.name) if source.owned else found

    return attached


def joined_count(right):
    """Read the rows of a person off the last source, where they may be missing."""

    def of_person(scope, carried):
        (*_, last) = scope.sources.values()
        found = right(scope, carried)
        return [found[0], found[1].replace(f"{scope.anchor}.n", f"{last.name}.n")]

    return of_person


def each_table_once(right):
    """Count the rows of a table once, however often it is named."""

    def attached(self, left, source, join, name):
        found = right(self, left, source, join, name)
        return dataclasses.replace(found, factors=tuple(dict.fromkeys(found.factors)))

    return attached


def one_row_per_person(right):
    """Take a subquery with keys to leave a person one row."""
    return lambda self, *given: dataclasses.replace(right(self, *given), factors=())


def for_rows(right):
    """Let people count together who are within the limits of rows."""
    return lambda self, limits, accounting: right(
        dataclasses.replace(self, kind="count"), limits, accounting
    )


def in_any_rows(right):
    """Look a value up among the rows of everybody."""

    def occurs(self, node, writer):
        found = right(self, node, writer)
        sql = found.sql.replace(f"({writer.person}, ", "(")
        start, _, rest = sql.partition(" IN (SELECT ")
        return dataclasses.replace(found, sql=f"{start} IN (SELECT {rest.partition(', ')[2]}")

    return occurs


def within_limits(right):
    """Take everybody to be within the limits."""
    return lambda *given: dataclasses.replace(right(*given), read=1)


def by_spelling(monkeypatch):
    """Compare two values by whatever the engine makes of their types."""
    monkeypatch.setattr(Writer, "alike", lambda self, node, left, right: (left, right))
    monkeypatch.setattr(Writer, "same", lambda self, node, left, right: (left.sql, right.sql))


def units_by_text(monkeypatch):
    """Look the steps of a number up by its text; keep constants finer than a double."""

    def number_value(number):
        step = Fraction(1) if number.denominator == 1 else None
        return Value(double(number), "number", number, number, step, (number,), nullable=False)

    def by_text(right):
        def coded(self):
            finest = min((units for _, units in self.numbers), key=lambda units: units.step)
            written = [f"{finest.sql(f'r{at}')} AS r{at}" for at in range(len(self.numbers))]
            coding = (*self.coding[: len(self.keys)], *written)
            return right(dataclasses.replace(self, coding=coding))

        return coded

    monkeypatch.setattr(functions, "number_value", number_value)
    monkeypatch.setattr(
        statement.CompiledQuestion, "coded", by_text(statement.CompiledQuestion.coded)
    )


def filled_late(monkeypatch):
    """Fill the gaps of a key after it was made unique, and conclude that a group has one row."""
    right, table, size_of = loaded.read, from_.Compiler.table, statement.size_of

    def read(column, cast):
        return right(dataclasses.replace(column, missing=None), cast)

    def filled(self, declared):
        found = table(self, declared)
        columns = [
            f"c{at}" if one.missing is None else f"coalesce(c{at}, {double(one.missing)}) AS c{at}"
            for at, one in enumerate(declared.columns.values())
        ]
        stored = self.setting.stored[declared.name]
        person = ["p", *self.setting.carried] if declared.person else []
        listed = ", ".join([*person, *columns])
        sql = f"(SELECT {listed} FROM {stored}) AS {found.name}"
        return dataclasses.replace(found, sql=sql)

    def one_row(part, limits, *given):
        found = size_of(part, limits, *given)
        return dataclasses.replace(found, sql="1") if found and limits.rows == 1 else found

    monkeypatch.setattr(loaded, "read", read)
    monkeypatch.setattr(from_.Compiler, "table", filled)
    monkeypatch.setattr(statement, "size_of", one_row)
    monkeypatch.setattr(parts.Part, "exempt", lambda *_: 0)


def duplicates_kept(monkeypatch):
    """Keep several rows of one key, and take them for one."""

    def kept(right):
        return lambda rows, columns, window, most: right(
            rows, columns, window, most if "BY p ORDER" in window else 10**6
        )

    monkeypatch.setattr(loaded, "numbered", kept(loaded.numbered))


def looked_up(right):
    """Look a missing person up as SQL does, among everybody."""
    among_all = in_any_rows(right)

    def occurs(self, node, writer):
        found = among_all(self, node, writer)
        inner = found.sql.partition(" THEN ")[2].removesuffix(" END)")
        return dataclasses.replace(found, sql=f"({inner})")

    return occurs


def by_popularity(right):
    """Keep the groups that most rows of anybody are in."""

    def numbered(rows, columns, window, most):
        if "dense_rank" in window:
            window = (
                "dense_rank() OVER (PARTITION BY p ORDER BY popular DESC, "
                + window.split("ORDER BY ")[1]
            )
            keys = [one for one in columns if one.startswith("k")]
            count = f"count(*) OVER (PARTITION BY {', '.join(keys)}) AS popular"
            rows = f"SELECT *, {count} FROM ({rows}) AS everybody"
        return right(rows, columns, window, most)

    return numbered


def unclipped(self, number):
    return f"CAST({number} AS BIGINT)"


def merged_late(monkeypatch):
    """Scale the groups of every value, and only then call what is undeclared other."""
    monkeypatch.setattr(from_.Compiler, "prepared", lambda *_: None)
    monkeypatch.setattr(keys.GroupKey, "code", lambda _, name: f"CAST({name} AS BIGINT)")
    store = loaded.prepared
    monkeypatch.setattr(
        loaded, "prepared", lambda *given: (one for one in store(*given) if one[0][0] == "w")
    )

    def late(right):
        def scaled_query(*given):
            code = "CASE WHEN k0 BETWEEN 0 AND 100 THEN k0 WHEN k0 IS NOT NULL THEN 101 END"
            return f"SELECT {code}, sum(v0) FROM ({right(*given)}) AS l(k0, v0) GROUP BY 1"

        return scaled_query

    monkeypatch.setattr(statement, "scaled_query", late(statement.scaled_query))


def half_as_much_again(right):
    """Scale people to one and a half times what is charged."""

    def size_of(part, limits, accounting, *given):
        found = right(part, limits, accounting, *given)
        times = 3 if accounting is Accounting.PURE else 5
        return found and dataclasses.replace(found, most=times * found.most // 2)

    return size_of


def away_from_zero(right):
    """Round the numbers of a person up."""
    return lambda *given: right(*given).replace("trunc(", "ceil(")


def in_each_group(right):
    """Scale the groups of a person one by one."""
    return lambda *given: (
        right(*given)
        .replace("factors AS (SELECT q", "factors AS (SELECT q, k0")
        .replace("GROUP BY q HAVING", "GROUP BY q, k0 HAVING")
        .replace("USING (q)", "USING (q, k0)")
    )


def by_rows(right):
    """Take a sum to be as large as the number of its rows."""
    return lambda self, *given: right(dataclasses.replace(self, kind="count"), *given)


def by_everybody(right):
    """Draw lots that depend on who else is there."""
    del right
    return lambda _, key, parts: (
        f"hash('{key}', (SELECT count(DISTINCT p) FROM given), {', '.join(parts)})"
    )


def by_number(right):
    """Draw lots by the number of a person, which depends on who else is there."""
    return lambda self, key, drawn: right(self, key, ["p" if one == "h" else one for one in drawn])


def on_rows(right):
    """Count rows in the first stage, and not people."""
    return lambda self: right(self).replace("SELECT DISTINCT p", "SELECT p")


def ungrouped(right):
    """Group a subquery by its keys alone."""

    def grouped(self, select, scope, *given):
        found = right(self, select, scope, *given)
        sql = found.sql.replace(f"GROUP BY {scope.person}, ", "GROUP BY ").replace(
            f"{scope.person} AS p", f"min({scope.person}) AS p", 1
        )
        return dataclasses.replace(found, sql=sql)

    return grouped


def by_norm(right):
    """Let a person count in all groups of the first stage, with less weight."""

    def people_query(self):
        keys = [f"k{at}" for at in range(len(self.keys))]
        listed = ", ".join(["p", *keys])
        rows = f"SELECT *, count(*) OVER (PARTITION BY p) AS n FROM (SELECT DISTINCT {listed} FROM "
        weight = f"sqrt({self.limits.groups} / greatest(n, {self.limits.groups}))"
        by = ", ".join(keys)
        if not keys:
            return right(self)
        return (
            f"SELECT {by}, CAST(ceil(sum({weight})) AS BIGINT) "
            f"FROM ({rows} ({self.coded()}) AS c)) AS l GROUP BY {by}"
        )

    return people_query


def as_numbers(right):
    """Look a code up by its number, which several codes have."""
    del right

    def lookup(self, node, column, other):
        _, sql = self.same(node, *self.both(node, column, other))
        written = f"(TRY_CAST({column.at} AS DOUBLE) = TRY_CAST({sql} AS DOUBLE))"
        return Value(written, "bool")

    return lookup


def of_one_of_them(right):
    """Give a row that leads to several people to one of them."""
    return lambda *given: (
        right(*given)
        .replace("SELECT DISTINCT p, ", "SELECT min(p) AS p, ")
        .replace(") AS o ON", " GROUP BY 2) AS o ON")
    )


def like_anything(right):
    """Compare what has no text with a pattern."""
    del right
    return lambda text, pattern: re.fullmatch(pattern, text) is not None


def patched(owner, name, make):
    return lambda monkeypatch: monkeypatch.setattr(owner, name, make(getattr(owner, name)))


# Half of the square of the large number is just below the square of a whole one.
LARGE_SUM = [
    (("SELECT dept, SUM(CASE WHEN cost > 0 THEN 1855077841 ELSE 1 END) FROM visits GROUP BY dept"),
     {"groups": 1, "rows": 1}),
]  # fmt: skip
BUGS = {
    "join without the person": (
        patched(from_.Compiler, "attached", without_person),
        asking("JOIN visits", "i.vid = v.vid"),
    ),
    "the person of a source that may be missing": (
        patched(from_.Compiler, "attached", later_anchor),
        asking("LEFT JOIN items i ON v.pid = i.pid AND v.vid"),
    ),
    "the rows of a source that may be missing": (
        patched(statement, "of_person", joined_count),
        asking("visits v LEFT JOIN persons p ON v.pid = p.pid AND v.cost"),
    ),
    "a table that stands twice counted once": (
        patched(from_.Compiler, "attached", each_table_once),
        [("SELECT COUNT(*) FROM items a JOIN items b USING (pid)", {"rows": 4})],
    ),
    "one row of a subquery with keys": (
        patched(from_.Compiler, "grouped", one_row_per_person),
        [(("SELECT cost, COUNT(*), SUM(n) FROM (SELECT pid, cost, CLAMP(COUNT(*), 0, 2) AS n "
          "FROM visits GROUP BY pid, cost) t GROUP BY cost"), {"groups": 1})],
    ),
    "people within the limits of rows": (
        patched(parts.Part, "exempt", for_rows),
        [("SELECT cost, COUNT(DISTINCT pid) FROM visits GROUP BY cost", {"groups": 1, "rows": 3})],
    ),
    "the number of a person compared with a code": (
        patched(Writer, "called", lambda _: lambda self, value: value.sql),
        [("SELECT amount, COUNT(*) FROM items i WHERE i.code = i.pid GROUP BY amount",
          {"groups": 1, "rows": 1})],
    ),
    "a public key equated with its own table": (
        patched(from_, "is_later", lambda _: lambda *given: False),
        [("SELECT COUNT(*) FROM items i LEFT JOIN codes c ON c.code = COALESCE(c.code, i.code)",
          {})],
    ),
    "a value looked up among everybody": (
        patched(from_.Compiler, "occurs", in_any_rows),
        [(("SELECT COUNT(*) FROM visits WHERE cost IN (SELECT cost FROM visits WHERE dept = "
           "'eye')"), {"rows": 1})],
    ),
    "everybody taken to be within the limits": (
        patched(statement, "limits_of", within_limits),
        asking("FROM visits", "GROUP BY dept"),
    ),
    "no lots over the groups of the first stage": (
        patched(statement, "in_few_groups", lambda _: lambda rows, *given: rows),
        asking("FROM visits", "GROUP BY dept"),
    ),
    "lots that depend on others": (
        patched(DuckDb, "group_lot", by_everybody),
        asking("FROM visits", "GROUP BY dept"),
    ),
    "a norm half as large again": (
        patched(statement, "size_of", half_as_much_again),
        asking("FROM visits", "GROUP BY dept"),
    ),
    "numbers cut away from zero": (
        patched(norms, "units", away_from_zero),
        asking("FROM visits GROUP BY dept"),
    ),
    "each group scaled alone": (
        patched(statement, "scaled_query", in_each_group),
        asking("FROM visits", "GROUP BY dept"),
    ),
    "lots by the number of a person": (
        patched(DuckDb, "group_lot", by_number),
        asking("FROM visits", "GROUP BY dept"),
    ),
    "squares of sums as doubles": (patched(DuckDb, "wide", lambda _: "DOUBLE"), LARGE_SUM),
    "no room for rounding": (patched(norms, "SLACK", lambda _: Fraction(1)), LARGE_SUM),
    "groups chosen by popularity": (
        patched(lots, "numbered", by_popularity),
        asking("FROM visits", "GROUP BY dept"),
    ),
    "rows_per_person not enforced": (
        patched(
            loaded,
            "numbered",
            lambda right: (
                lambda rows, columns, window, most: right(
                    rows, columns, window, 10**6 if "BY p ORDER" in window else most
                )
            ),
        ),
        asking("FROM items"),
    ),
    "key duplicates kept": (duplicates_kept, asking("SELECT COUNT(*), SUM(v.cost)")),
    "no clip": (patched(units.Units, "sql", lambda _: unclipped), asking("SUM(cost)")),
    "other merged after limiting": (merged_late, asking("SELECT cost, COUNT(*) FROM visits")),
    "sums taken for their rows": (
        patched(parts.Part, "size", by_rows),
        asking("dept, COUNT(*), SUM(cost), AVG(cost)"),
    ),
    "threshold on rows": (
        patched(statement.CompiledQuestion, "people_query", on_rows),
        asking("FROM visits", "GROUP BY dept"),
    ),
    "values compared in two types": (by_spelling, asking("USING (pid, k)")),
    "whole keys of any size": (
        lambda monkeypatch: monkeypatch.setattr(keys, "LARGEST_WHOLE", 10**40),
        asking("100000000000000 * 100000000000000"),
    ),
    "steps by the text of a number": (units_by_text, asking("1.0000000000000000001")),
    "gaps filled after a key was made unique": (filled_late, asking("FROM stays")),
    "a missing person looked up": (
        patched(from_.Compiler, "occurs", looked_up),
        asking("WHERE sex = 'Z'"),
    ),
    "a plan by values": (
        lambda monkeypatch: monkeypatch.setattr(neighbours, "connect", duckdb.connect),
        asking("THEN 'x' END <> 'y'"),
    ),
    "a first stage by norm": (
        patched(statement.CompiledQuestion, "people_query", by_norm),
        asking("SELECT dept, COUNT(DISTINCT pid)"),
    ),
    "people of values that become one code added": (
        merged_late,
        [("SELECT cost, COUNT(DISTINCT pid) FROM visits GROUP BY cost", {"groups": 2})],
    ),
    "a public key equated after it was written anew": (
        patched(Writer, "lookup", as_numbers),
        [("SELECT COUNT(*) FROM items i LEFT JOIN codes c ON i.code = c.code", {})],
    ),
    "rows that lead to several people given to one": (
        patched(tables, "owned", of_one_of_them),
        [("SELECT COUNT(*) FROM lines", {"rows": 2}),
         (("SELECT v.dept, COUNT(*) FROM lines l JOIN visits v ON l.vid = v.vid GROUP BY v.dept"),
          {"groups": 1, "rows": 1})],
    ),
    "a named select that stands twice counted once": (
        patched(from_.Compiler, "attached", each_table_once),
        [(("WITH w AS (SELECT pid, code FROM items) SELECT COUNT(*) FROM w a JOIN w b "
           "USING (pid)"), {"rows": 4})],
    ),
    "work on the reply that fails": (
        patched(replies, "is_like", like_anything),
        [("SELECT dept, COUNT(*) FROM visits GROUP BY dept HAVING dept LIKE 'e%'",
          {"groups": 3, "rows": 2})],
    ),
    "inner GROUP BY without the person": (
        patched(from_.Compiler, "grouped", ungrouped),
        asking("GROUP BY pid, dept) t GROUP BY dept"),
    ),
}  # fmt: skip

FIRST = (0, 1000, 2000)  # databases from which bugs are looked for

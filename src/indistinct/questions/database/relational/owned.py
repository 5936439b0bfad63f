"""Sources, joins and subqueries as owned relations.

A relation is owned if it has a hidden column p, the person, and every row is a function of p's own
rows and public tables. Each rule here keeps that by the SQL it writes: two owned relations are
joined on their persons whatever else the question says, a public table is joined on its unique key,
and a subquery is grouped by the person. So one person more or less changes the rows of that person
alone, and nothing is multiplied along joins.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import final

from indistinct.questions.database.relational.constants import wrong
from indistinct.questions.database.relational.dialect import QueryDialect
from indistinct.questions.database.relational.expressions import Writer
from indistinct.questions.database.relational.grouped import grouped
from indistinct.questions.database.relational.loaded import prepared
from indistinct.questions.database.relational.scopes import (
    JoinedSources,
    Relation,
    Unique,
    alone,
    called,
    conjuncts,
    equated,
    is_equation,
    is_same_for_all_rows,
    outputs,
    written,
)
from indistinct.questions.database.relational.tree import (
    Join,
    Name,
    NamedSource,
    Occurs,
    Select,
)
from indistinct.questions.database.relational.values import Value, bool_value, column_value
from indistinct.questions.database.relational.words import refusal
from indistinct.questions.database.tables import DeclaredTable

MOST_PAIRS = 100_000
MOST_SELECTS = 24  # after named selects are put in
PERSON_FIRST = "Write a value per person first: FROM (SELECT person, ... GROUP BY person)."


@final
@dataclass(slots=True)
class Compiler:
    """Turns selects into owned relations, by the declared tables.

    Parameters
    ----------
    stored : what each table is called in the engine
    carried : what is stored of the person beside each row
    prepared : per expression of a stored column, the stored column that holds it already
    named : the selects that WITH names
    """

    tables: Mapping[str, DeclaredTable]
    stored: Mapping[str, str]
    dialect: QueryDialect
    named: Mapping[str, Select]
    carried: tuple[str, ...] = ()
    prepared: dict[str, str] = field(default_factory=dict[str, str])
    count: int = 0
    selects: int = 0

    def fresh(self) -> str:
        """Make a name of our own."""
        self.count += 1
        return f"s{self.count}"

    def writer(self, scope: JoinedSources, measured: Mapping[str, Value] | None = None) -> Writer:
        """Make the writer of a scope's expressions."""
        return Writer(
            self.dialect, scope.find, lambda node: self.occurs(node, scope), measured or {}
        )

    def scope(self, select: Select) -> tuple[JoinedSources, str]:
        """Join the sources of a select; give them and the condition of its rows."""
        self.selects += 1
        if self.selects > MOST_SELECTS:
            raise refusal("SELECT", f"is put in more than {MOST_SELECTS} times", "Ask for less.")
        scope = alone(self.relation(select.source), called(select.source))
        for join in select.joins:
            scope = self.joined(scope, join)
        where = ""
        if select.where is not None:
            where = f" WHERE {self.writer(scope).condition(select.where).sql}"
        return scope, where

    def relation(self, source: NamedSource) -> Relation:
        """Make the relation of a table, a named select or a subquery."""
        if source.select is not None:
            return self.subquery(source.select)
        folded = {name.casefold(): select for name, select in self.named.items()}
        if source.table.casefold() in folded:
            return self.subquery(folded[source.table.casefold()])
        tables = {name.casefold(): table for name, table in self.tables.items()}
        name = source.table.casefold()
        if name not in tables and name.partition(".")[0] in {"main", "public"}:
            name = name.partition(".")[2]
        if name not in tables:
            raise refusal(
                source.table, "is no declared table", f"Ask about {', '.join(self.tables)}."
            )
        return self.table(tables[name])

    def table(self, table: DeclaredTable) -> Relation:
        """Make the relation of a declared table."""
        name = self.fresh()
        columns = {
            column.name.casefold(): column_value(f"{name}.c{place}", column, table.name)
            for place, column in enumerate(table.columns.values())
        }
        keys = frozenset(columns[one.casefold()].origin for one in table.key if one != table.person)
        unique = {keys} if table.key else set[frozenset[str]]()
        if table.person:
            if table.rows_per_person == 1:
                unique.add(frozenset())
            columns[table.person.casefold()] = Value(
                f"{name}.p", "person", nullable=False, origin=f"{name}.p",
                declared=(table.name, table.person),
            )  # fmt: skip
        if self.carried:
            self.prepared |= {sql: f"{name}.{one}" for one, sql in prepared(table, name)}
        sql = f"{self.stored[table.name]} AS {name}"
        rows = table.rows_per_person
        if table.person and frozenset() in unique:
            rows = 1
        stored = f"n{list(self.tables).index(table.name)}"
        factors, read = ((stored,), table.rows_per_person) if table.person else ((), 1)
        return Relation(
            sql, name, columns, bool(table.person), rows, frozenset(unique), table.name, factors,
            read,
        )  # fmt: skip

    def joined(self, left: JoinedSources, join: Join) -> JoinedSources:
        """Join one more source; a question that begins with a public table is turned around."""
        right, name = self.relation(join.source), called(join.source)
        if name in left.sources:
            raise refusal(name, "names two sources", "Give one of them an alias.")
        if left.owned:
            return self.attached(left, right, join, name)
        if len(left.sources) != 1 or not right.owned or join.kind != "INNER":
            raise refusal("FROM", "begins with a public table", "Write a table of people first.")
        ((public, relation),) = left.sources.items()
        return self.attached(alone(right, name), relation, join, public)

    def attached(
        self, left: JoinedSources, right: Relation, join: Join, name: str
    ) -> JoinedSources:
        """Join a relation to owned ones, by the rules of ownership."""
        sources = {**left.sources, name: right}
        using = {**left.using, **{one.casefold(): left.find(Name(one)) for one in join.using}}
        both = replace(left, sources=sources, using=using)
        pairs = list(equated(both, left, right, join))
        writer = self.writer(both)
        if join.on is None:
            conditions = [
                writer.equation(Name(one), a, b)
                for one, (a, b) in zip(join.using, pairs, strict=True)
                if not a.kind == b.kind == "person"
            ]
        else:
            conditions = [writer.condition(join.on).sql]
        matched = frozenset(b.origin for _, b in pairs)
        if right.owned:
            self.check_person(pairs, name)
            conditions = [f"{left.person} = {right.name}.p", *conditions]
        elif not any(matched >= key for key in right.unique):
            key = ", ".join(self.tables[right.table].key) if right.table else "its key"
            raise refusal(f"JOIN {name}", "is not on its unique key", f"Join it on {key}.")
        is_left = join.kind == "LEFT"
        if is_left:
            missing = {name: replace(one, nullable=True) for name, one in right.columns.items()}
            sources[name] = replace(right, columns=missing)
        sql = f"{left.sql} {join.kind} JOIN {right.sql} ON {' AND '.join(conditions) or 'TRUE'}"
        read = None if left.read is None or right.read is None else left.read * right.read
        rows, unique = self.multiplied(left, right, pairs, name, is_left=is_left)
        is_plain = not is_left or all(is_equation(one) for one in conjuncts(join))
        steady = is_plain and is_same_for_all_rows(left, right, pairs, is_left=is_left)
        return JoinedSources(
            sql, left.person, sources, owned=True, rows=rows, unique=unique,
            steady=left.steady | frozenset({right.name} if steady else ()),
            factors=left.factors + right.factors, read=read, using=using,
        )  # fmt: skip

    def check_person(self, pairs: Sequence[tuple[Value, Value]], name: str) -> None:
        """Refuse a join that names neither the person nor a declared key."""
        for a, b in pairs:
            if a.kind == b.kind == "person" or self.refers(a, b) or self.refers(b, a):
                return
        raise refusal(
            f"JOIN {name}", "does not join the person",
            "Add USING (person), or join on a declared key that references the other table.",
        )  # fmt: skip

    def refers(self, value: Value, key: Value) -> bool:
        """Return whether a column holds the key that another one is."""
        (table, column), (other, its) = value.declared, key.declared
        if table not in self.tables or other not in self.tables:
            return False
        return self.tables[table].references.get(column) == other and its in self.tables[other].key

    def multiplied(
        self,
        left: JoinedSources,
        right: Relation,
        pairs: Sequence[tuple[Value, Value]],
        name: str,
        *,
        is_left: bool,
    ) -> tuple[int | None, Unique]:
        """Return the rows of one person after a join, and what tells them apart."""
        of_left = frozenset(a.origin for a, _ in pairs)
        of_right = frozenset(b.origin for _, b in pairs)
        both: Unique = frozenset(u | v for u in left.unique for v in right.unique if right.owned)
        if not right.owned or any(one <= of_right for one in right.unique):
            return left.rows, left.unique | both
        if any(one <= of_left for one in left.unique):
            rows = None
            if right.rows is not None and (not is_left or left.rows is not None):
                rows = right.rows + (left.rows or 0) * is_left
            return rows, both if is_left else both | right.unique
        if left.rows is None or right.rows is None:
            raise refusal(
                f"JOIN {name}", "joins several rows of a person with several others",
                "Join on a key, or the owner declares rows_per_person of both tables.",
            )  # fmt: skip
        rows = left.rows * right.rows
        if rows > MOST_PAIRS:
            raise refusal(
                f"JOIN {name}", f"gives a person more than {MOST_PAIRS} rows", "Join on a key."
            )
        return rows, both

    def occurs(self, node: Occurs, scope: JoinedSources) -> Value:
        """Write whether the person of a row occurs in an owned select."""
        value = self.writer(scope).write(node.inner)
        (*_, item) = node.select.items
        if value.kind != "person" or len(node.select.items) != 1:
            raise wrong(
                node.inner, "is not the person, so it cannot be looked up in a select",
                "Write person IN (SELECT person FROM ...), or join on a key.",
            )  # fmt: skip
        found = self.subquery(node.select)
        (column,) = found.columns.values()
        if not found.owned or column.kind != "person":
            raise wrong(item, "is not the person", "Write IN (SELECT person FROM ...).")
        present = "" if not column.nullable else f" WHERE {column.sql} IS NOT NULL"
        # Of a missing value SQL says false, not missing, where nobody at all is in the select: so
        # one person would decide it for everybody.
        within = f"{value.sql} IN (SELECT {found.name}.p FROM {found.sql}{present})"  # noqa: S608
        sql = f"CASE WHEN {value.sql} IS NOT NULL THEN {within} END"
        return bool_value(sql, nullable=value.nullable)

    def subquery(self, select: Select) -> Relation:
        """Make the relation of a subquery: row by row, or one row per person and keys."""
        if select.order or select.limit is not None:
            raise refusal(
                "ORDER BY or LIMIT in a subquery", "is not answered",
                "Write it after the outer SELECT.",
            )  # fmt: skip
        scope, where = self.scope(select)
        if not scope.owned:
            raise refusal("a subquery", "has no people in it", "Join the public table directly.")
        if select.groups:
            return grouped(select, scope, where, self.fresh, self.writer, self.carried)
        if select.having is not None:
            raise refusal("HAVING in a subquery", "needs GROUP BY the person", PERSON_FIRST)
        writer = self.writer(scope)
        values = [writer.write(item.expression) for item in select.items]
        name = self.fresh()
        listed = written(values)
        columns, moved = outputs(name, select.items, values)
        unique = frozenset(
            frozenset(moved[one] for one in found)
            for found in scope.unique
            if found <= moved.keys()
        )
        of_person = ", ".join(f"{scope.anchor}.{one} AS {one}" for one in ("p", *self.carried))
        sql = f"(SELECT {of_person}, {listed} FROM {scope.sql}{where}) AS {name}"  # noqa: S608
        return Relation(
            sql, name, columns, owned=True, rows=scope.rows, unique=unique, factors=scope.factors,
            read=scope.read,
        )  # fmt: skip

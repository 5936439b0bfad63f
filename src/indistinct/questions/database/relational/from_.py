"""Sources, joins and subqueries as owned relations: every row is of one person by the SQL written.

A relation is owned if it has a column p, the person, and every row is a function of p's own rows
and public tables. One writer per construct keeps that, whatever the question says:

- a later source with people is joined on the person of the first one, the anchor, who is never
  missing;
- a public table is joined on every column of its key, each equated with an expression of earlier
  sources alone, so that it adds no row;
- a subquery gives the person of its anchor, and is grouped by that person;
- what is looked up in a select is looked up in the rows of the same person.

So one person more or less changes the rows of that person alone, and nothing is multiplied along
joins.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, final

from indistinct.questions.database.relational import tree
from indistinct.questions.database.relational.aggregated import aggregate
from indistinct.questions.database.relational.dialect import QueryDialect
from indistinct.questions.database.relational.functions import OF_ROWS, Writer
from indistinct.questions.database.relational.loaded import prepared
from indistinct.questions.database.relational.tree import Bound, BoundColumn
from indistinct.questions.database.relational.typed import Value, bool_value, column_value, wrong
from indistinct.questions.database.relational.words import NOT_HERE, PERSON_FIRST, refusal
from indistinct.questions.database.tables import DeclaredTable, TypedColumn

MOST_PAIRS = 100_000
MOST_SELECTS = 24  # after named selects are put in


@final
@dataclass(frozen=True, slots=True)
class QuestionSetting:
    """What a declaration says of all its questions.

    Parameters
    ----------
    stored : what each table is called in the engine
    """

    tables: dict[str, DeclaredTable]
    stored: dict[str, str]
    dialect: QueryDialect
    lot_key: str = ""
    min_people: int = 1

    @property
    def carried(self) -> tuple[str, ...]:
        """List what is stored of the person beside each row."""
        return self.dialect.carried(list(self.tables.values()))


@final
@dataclass(frozen=True, slots=True)
class QuestionSource:
    """A table or subquery under a name of ours.

    Parameters
    ----------
    sql : what stands in FROM, with the name
    columns : by name in small letters
    key : places of columns that no two rows of one person share, or no two rows of a public table;
        None where nothing sees to that
    rows : of one person, at most, as tables are read; None if nothing limits them
    factors : counts of the person's rows whose product bounds these rows
    """

    sql: str
    name: str
    columns: Mapping[str, Value]
    owned: bool
    key: frozenset[str] | None = None
    rows: int | None = 1
    factors: tuple[str, ...] = ()
    table: str = ""


@final
@dataclass(frozen=True, slots=True)
class QuestionScope:
    """The sources of a select, joined.

    Parameters
    ----------
    anchor : the first source with people, whose rows are never missing
    sources : by the name in the question
    rows, key, factors : as of a source
    """

    sql: str
    anchor: str
    sources: Mapping[str, QuestionSource]
    owned: bool
    key: frozenset[str] | None
    rows: int | None
    factors: tuple[str, ...]
    using: Mapping[str, BoundColumn] = field(default_factory=dict[str, BoundColumn])

    @property
    def person(self) -> str:
        """Return where the person stands; nowhere in public tables."""
        return f"{self.anchor}.p" if self.owned else ""

    def bound(
        self, node: tree.Expression, aliases: Mapping[str, tree.Expression] | None = None
    ) -> Bound:
        """Return an expression with columns for names, and for aliases what they stand for."""

        def column(one: tree.Expression) -> tree.Expression:
            if not isinstance(one, tree.Name):
                return one
            if aliases and not one.source and not self.places(one):
                return aliases.get(one.column.casefold()) or self.find(one)
            return self.find(one)

        return tree.mapped(node, column)

    def bound_last(self, node: Any, aliases: Mapping[str, Bound]) -> Any:
        """Bind HAVING or ORDER BY, where an alias comes before a column, but within a measure."""
        if isinstance(node, tree.Name) and not node.source and node.column.casefold() in aliases:
            return aliases[node.column.casefold()]
        if isinstance(node, tree.Name | tree.Constant) or tree.is_measure(node):
            return self.bound(node, aliases)
        if isinstance(node, tree.Select):
            return node
        return tree.with_parts(node, lambda part: self.bound_last(part, aliases))

    def places(self, name: tree.Name) -> list[BoundColumn]:
        """List the columns that a name can mean."""
        column, source = name.column.casefold(), name.source.casefold()
        if source and source not in self.sources:
            raise refusal(str(name), "names no source of the question", "Check the alias.")
        if not source and column in self.using:
            return [self.using[column]]
        among = [self.sources[source]] if source else list(self.sources.values())
        found = [one.columns[column] for one in among if column in one.columns]
        if len(found) > 1 and all(one.kind == "person" for one in found):
            found = found[:1]
        return [BoundColumn(one.sql, name.column, name.source, one) for one in found]

    def find(self, name: tree.Name) -> BoundColumn:
        """Find the column of a name; a person who cannot be missing is that of the anchor."""
        found = self.places(name)
        if not found:
            way = "The owner of the data declares columns: [columns.NAME] with a type."
            if name.column.upper().startswith("CURRENT_"):
                way = NOT_HERE.get(name.column.upper(), way)
            raise refusal(str(name), "is no declared column here", way)
        if len(found) > 1:
            raise refusal(str(name), "stands in several sources", "Write its source before it.")
        value = found[0].value
        if is_person(value) and self.owned:
            return replace(found[0], at=self.person, value=replace(value, sql=self.person))
        return found[0]

    def groups(self, nodes: Sequence[Bound]) -> int | None:
        """Return in how many groups a person is at most, by the tables that the keys name."""
        named = {
            one.of
            for node in nodes
            for one in tree.walked(node)
            if isinstance(one, BoundColumn) and not is_person(one.value)
        }
        by_keys = product([one.rows for one in self.sources.values() if one.name in named])
        return min((n for n in (by_keys, self.rows) if n is not None), default=None)


def product(counts: Sequence[int | None]) -> int | None:
    """Multiply counts, as long as all are known."""
    found = 1
    for one in counts:
        if one is None:
            return None
        found *= one
    return found


def is_person(value: Value) -> bool:
    """Return whether a value is the person, who is one in all rows."""
    return value.kind == "person" and not value.nullable


def alone(source: QuestionSource, name: str) -> QuestionScope:
    """Return the scope of one source."""
    return QuestionScope(
        source.sql, source.name, {name: source}, source.owned, source.key, source.rows,
        source.factors,
    )  # fmt: skip


@final
@dataclass(slots=True)
class Compiler:
    """Turns selects into owned relations, by the declared tables.

    Parameters
    ----------
    named : the selects that WITH names
    stored : columns of the tables in the engine, with their sources and places there
    """

    setting: QuestionSetting
    named: Mapping[str, tree.Select]
    stored: dict[str, tuple[TypedColumn, str, int]] = field(
        default_factory=dict[str, tuple[TypedColumn, str, int]]
    )
    count: int = 0
    selects: int = 0

    def fresh(self) -> str:
        """Make a name of our own."""
        self.count += 1
        return f"s{self.count}"

    def prepared(self, sql: str, written: str) -> str | None:
        """Return the stored column that holds what is written of a column already."""
        if sql not in self.stored or not self.setting.carried:
            return None
        column, source, at = self.stored[sql]
        found = (one for one, form in prepared(column, source, at) if form == written)
        return next((f"{source}.{one}" for one in found), None)

    def writer(self, scope: QuestionScope, known: Mapping[Bound, Value] | None = None) -> Writer:
        """Make the writer of a scope's expressions; of groups alone where some are known."""
        return Writer(
            self.setting.dialect, self.occurs, scope.person, known,
            has_texts=bool(self.setting.carried),
        )  # fmt: skip

    def scope(self, select: tree.Select) -> tuple[QuestionScope, str]:
        """Join the sources of a select; give them and the condition of its rows."""
        self.selects += 1
        if self.selects > MOST_SELECTS:
            raise refusal("SELECT", f"is put in more than {MOST_SELECTS} times", "Ask for less.")
        scope = alone(self.source(select.source), called(select.source))
        for join in select.joins:
            scope = self.joined(scope, join)
        where = ""
        if select.where is not None:
            where = f" WHERE {self.writer(scope).where(scope.bound(select.where))}"
        return scope, where

    def source(self, source: tree.NamedSource) -> QuestionSource:
        """Make the source of a table, a named select or a subquery."""
        if source.select is not None:
            return self.subquery(source.select)
        folded = {name.casefold(): select for name, select in self.named.items()}
        if source.table.casefold() in folded:
            return self.subquery(folded[source.table.casefold()])
        tables = {name.casefold(): table for name, table in self.setting.tables.items()}
        name = source.table.casefold()
        if name not in tables and name.partition(".")[0] in {"main", "public"}:
            name = name.partition(".")[2]
        if name not in tables:
            listed = ", ".join(self.setting.tables)
            raise refusal(source.table, "is no declared table", f"Ask about {listed}.")
        return self.table(tables[name])

    def table(self, table: DeclaredTable) -> QuestionSource:
        """Make the source of a declared table."""
        name, setting = self.fresh(), self.setting
        columns = {
            column.name.casefold(): column_value(f"{name}.c{place}", column, table.name)
            for place, column in enumerate(table.columns.values())
        }
        key = frozenset(columns[one.casefold()].sql for one in table.key if one != table.person)
        for place, column in enumerate(table.columns.values()):
            self.stored[f"{name}.c{place}"] = column, name, place
        sql = f"{setting.stored[table.name]} AS {name}"
        if table.is_public:
            return QuestionSource(sql, name, columns, owned=False, key=key, table=table.name)
        columns[table.person.casefold()] = Value(
            f"{name}.p", "person", nullable=False, declared=(table.name, table.person)
        )
        rows = table.rows_per_person
        found = frozenset[str]() if rows == 1 else key if table.key else None
        factors = (f"n{list(setting.tables).index(table.name)}",)
        return QuestionSource(
            sql, name, columns, owned=True, key=found, rows=rows, factors=factors, table=table.name
        )

    def joined(self, left: QuestionScope, join: tree.Join) -> QuestionScope:
        """Join one more source; a question that begins with a public table is turned around."""
        right, name = self.source(join.source), called(join.source)
        if name in left.sources:
            raise refusal(name, "names two sources", "Give one of them an alias.")
        if left.owned:
            return self.attached(left, right, join, name)
        if len(left.sources) != 1 or not right.owned or join.kind != "INNER":
            raise refusal("FROM", "begins with a public table", "Write a table of people first.")
        ((public, source),) = left.sources.items()
        return self.attached(alone(right, name), source, join, public)

    def attached(
        self, left: QuestionScope, right: QuestionSource, join: tree.Join, name: str
    ) -> QuestionScope:
        """Join a source to owned ones: on the person, and a public table on its key."""
        both, conditions = bound_join(left, right, join, name)
        writer = self.writer(left)
        looked = looked_up(conditions, right)
        matched = {one.at for one, _ in looked.values()}
        is_single = right.key is not None and right.key <= matched
        if right.owned:
            self.check_person(conditions, right, name)
        elif not is_single:
            key = ", ".join(self.setting.tables[right.table].key) if right.table else "its key"
            raise refusal(f"JOIN {name}", "is not on its unique key", f"Join it on {key}.")
        written = [f"{right.name}.p = {left.person}"] if right.owned else []
        for node in conditions:
            if node in looked:
                written.append(writer.lookup(node, *looked[node]).sql)
            elif (person := earlier_person(node, right)) is not None:
                # Where it is not missing, it is the anchor, as the person of the source is.
                written += [f"{person.sql} IS NOT NULL"] if person.nullable else []
            elif isinstance(node, tree.Operation) and node.operator == "=":
                written.append(writer.condition(node).sql)
            else:
                written.append(writer.where(node))
        rows = left.rows if is_single else multiplied(left, right, conditions, join, name)
        keys = left.key
        if right.owned:
            keys = None if left.key is None or right.key is None else left.key | right.key
        else:
            right = replace(right, rows=left.groups([other for _, other in looked.values()]))
            conditions = [one for one in conditions if one not in looked]
        if join.kind == "LEFT":
            right = perhaps_missing(left, right, conditions)
        return replace(
            left,
            sql=f"{left.sql} {join.kind} JOIN {right.sql} ON {' AND '.join(written)}",
            sources={**left.sources, name: right},
            key=keys,
            rows=rows,
            factors=left.factors if is_single else left.factors + right.factors,
            using=both.using,
        )

    def check_person(self, conditions: Sequence[Bound], right: QuestionSource, name: str) -> None:
        """Refuse a join that names neither the person nor a declared key: a reader would miss it.

        The person is joined all the same.
        """
        for node in conditions:
            sides = of_columns(node)
            if sides is not None and sum(one.of == right.name for one in sides) == 1:
                a, b = (one.value for one in sides)
                if a.kind == b.kind == "person" or self.refers(a, b) or self.refers(b, a):
                    return
        raise refusal(
            f"JOIN {name}", "does not join the person",
            "Add USING (person), or join on a declared key that references the other table.",
        )  # fmt: skip

    def refers(self, value: Value, key: Value) -> bool:
        """Return whether a column references the table whose key another one is."""
        (table, column), (other, name) = value.declared, key.declared
        tables = self.setting.tables
        found = tables[table].references.get(column) if table else None
        return found == other and found is not None and name in tables[other].key

    def occurs(self, node: tree.Occurs, writer: Writer) -> Value:
        """Write whether a value occurs in a select, among the rows of the same person.

        A missing value stays missing: SQL says false of it where nobody at all is in the select, so
        that one person would decide it for everybody.
        """
        if writer.in_python:
            raise wrong(node, *OF_ROWS)
        if len(node.select.items) != 1:
            raise wrong(node.inner, "is looked up in several columns", "Select one.")
        found = self.subquery(node.select, is_public_too=True)
        if found.owned and not writer.person:
            raise wrong(
                node, "looks people up in a public table", "Look them up in the outer WHERE."
            )
        (value,) = found.columns.values()
        x, c = writer.same(node, writer.write(node.inner), value)
        rows = f"FROM {found.sql} WHERE {c} IS NOT NULL"
        within = f"({writer.person}, {x}) IN (SELECT {found.name}.p, {c} {rows})"
        if not found.owned:
            within = f"{x} IN (SELECT {c} {rows})"
        return bool_value(f"(CASE WHEN {x} IS NOT NULL THEN {within} END)")

    def subquery(self, select: tree.Select, *, is_public_too: bool = False) -> QuestionSource:
        """Make the source of a subquery: row by row, or one row per person and keys."""
        if select.order or select.limit is not None:
            raise refusal(
                "ORDER BY or LIMIT in a subquery", "is not answered",
                "Write it after the outer SELECT.",
            )  # fmt: skip
        scope, where = self.scope(select)
        if not scope.owned and not (is_public_too and not select.groups):
            raise refusal("a subquery", "has no people in it", "Join the public table directly.")
        items = [scope.bound(item.expression) for item in select.items]
        if select.groups:
            return self.grouped(select, scope, where, items)
        if select.having is not None:
            raise refusal("HAVING in a subquery", "needs GROUP BY the person", PERSON_FIRST)
        writer, name = self.writer(scope), self.fresh()
        values = [writer.whole(node) for node in items]
        columns, moved = outputs(name, select.items, items, values)
        key = None
        if scope.key is not None and scope.key <= moved.keys():
            key = frozenset(moved[one] for one in scope.key)
        carried = ("p", *self.setting.carried) if scope.owned else ()
        listed = [f"{scope.anchor}.{one} AS {one}" for one in carried] + written(values)
        rows = f"SELECT {', '.join(listed)} FROM {scope.sql}{where}"  # noqa: S608
        sql = f"({self.setting.dialect.apart(rows)}) AS {name}"
        return QuestionSource(sql, name, columns, scope.owned, key, scope.rows, scope.factors)

    def grouped(
        self, select: tree.Select, scope: QuestionScope, where: str, items: Sequence[Bound]
    ) -> QuestionSource:
        """Make the source of a subquery that groups by the person, and perhaps by keys."""
        writer, inner, name = self.writer(scope), self.fresh(), self.fresh()
        known: dict[Bound, Value] = {}
        keys: list[str] = []
        is_named = False
        for node in group_nodes(select, scope, items):
            value = writer.whole(node)
            if is_person(value):
                known[node], is_named = replace(value, sql=f"{inner}.p"), True
                continue
            known[node] = replace(value, sql=f"{inner}.k{len(keys)}")
            keys.append(value.sql)
        if not is_named:
            raise refusal(
                "GROUP BY in a subquery", "must name the person",
                "Add the person column to GROUP BY and SELECT.",
            )  # fmt: skip
        aliases = aliases_of(select.items, items)
        having = None if select.having is None else scope.bound_last(select.having, aliases)
        selected = [f"{scope.person} AS p"]
        selected += [f"min({scope.anchor}.{one}) AS {one}" for one in self.setting.carried]
        selected += [f"{sql} AS k{at}" for at, sql in enumerate(keys)]
        for at, call in enumerate(dict.fromkeys(tree.measures_in((tuple(items), having)))):
            value = aggregate(call, writer, scope.rows)
            selected.append(f"{value.sql} AS a{at}")
            known[call] = replace(value, sql=f"{inner}.a{at}")
        by = ", ".join([scope.person, *keys])
        body = f"(SELECT {', '.join(selected)} FROM {scope.sql}{where} GROUP BY {by}) AS {inner}"  # noqa: S608
        outer = replace(self.writer(scope, known), person=f"{inner}.p")
        values = [outer.whole(node) for node in items]
        condition = "" if having is None else f" WHERE {outer.where(having)}"
        columns, moved = outputs(name, select.items, items, values)
        whole = {f"{inner}.k{at}" for at in range(len(keys))}
        listed = [f"{inner}.{one} AS {one}" for one in ("p", *self.setting.carried)]
        rows = f"SELECT {', '.join(listed + written(values))} FROM {body}{condition}"  # noqa: S608
        sql = f"({self.setting.dialect.apart(rows)}) AS {name}"
        return QuestionSource(
            sql, name, columns, owned=True,
            key=frozenset(moved[one] for one in whole) if whole <= moved.keys() else None,
            rows=scope.rows if keys else 1, factors=scope.factors if keys else (),
        )  # fmt: skip


def bound_join(
    left: QuestionScope, right: QuestionSource, join: tree.Join, name: str
) -> tuple[QuestionScope, list[Bound]]:
    """Return the sources that a join's conditions speak of, and these one by one.

    USING equates the columns of its names; afterwards the names mean those of the left.
    """
    both = replace(left, sources={**left.sources, name: right}, owned=False)
    if join.on is not None:
        return both, list(tree.conjuncts(both.bound(join.on)))
    using, equated = dict(left.using), list[Bound]()
    for one in join.using:
        column = one.casefold()
        if column not in right.columns:
            raise refusal(one, "is no column of both sources", "Write ON a.x = b.y.")
        value = right.columns[column]
        using[column] = left.find(tree.Name(one))
        equated.append(tree.Operation("=", using[column], BoundColumn(value.sql, one, name, value)))
    return replace(both, using=using), equated


def perhaps_missing(
    left: QuestionScope, right: QuestionSource, conditions: Sequence[Bound]
) -> QuestionSource:
    """Return a source of a LEFT JOIN, whose columns can be missing.

    Where the conditions are not one for all rows of a person on the left, some of these can have a
    row of the source, and others none: being missing is one more value.

    Parameters
    ----------
    conditions : but for those by which a public row is looked up, or is not, by the same value
    """
    columns = {one: replace(value, nullable=True) for one, value in right.columns.items()}
    rows = right.rows
    if rows is not None and left.groups(conditions) != 1:
        rows += 1
    return replace(right, columns=columns, rows=rows)


def of_columns(node: Bound) -> tuple[BoundColumn, BoundColumn] | None:
    """Return the two columns that a condition equates."""
    match node:
        case tree.Operation("=", BoundColumn() as one, BoundColumn() as other):
            return one, other
        case _:
            return None


def looked_up(
    conditions: Sequence[Bound], right: QuestionSource
) -> dict[Bound, tuple[BoundColumn, Bound]]:
    """Return the conditions that equate a key column with an expression of earlier sources alone.

    Each column once; the expression looks nothing up, so that it is one value for a row of the
    earlier sources.
    """
    found: dict[Bound, tuple[BoundColumn, Bound]] = {}
    keys = set(right.key or ())
    for node in conditions:
        if not isinstance(node, tree.Operation) or node.operator != "=":
            continue
        for one, other in ((node.left, node.right), (node.right, node.left)):
            if not isinstance(one, BoundColumn) or one.at not in keys:
                continue
            if not any(is_later(part, right) for part in tree.walked(other)):
                found[node] = one, other
                keys.remove(one.at)
                break
    return found


def is_later(node: Bound, right: QuestionSource) -> bool:
    """Return whether a node is a column of a source, or looks something up."""
    return isinstance(node, tree.Occurs) or (
        isinstance(node, BoundColumn) and node.of == right.name
    )


def earlier_person(node: Bound, right: QuestionSource) -> Value | None:
    """Return the person whom a condition equates with that of a source."""
    sides = of_columns(node)
    if sides is None or not all(one.value.kind == "person" for one in sides):
        return None
    others = [one.value for one in sides if one.at != f"{right.name}.p"]
    return others[0] if right.owned and len(others) == 1 else None


def multiplied(
    left: QuestionScope,
    right: QuestionSource,
    conditions: Sequence[Bound],
    join: tree.Join,
    name: str,
) -> int | None:
    """Return how many rows of one person a join makes; refuse too many: it would take too long."""
    equated = [pair for pair in map(of_columns, conditions) if pair is not None]
    across = [pair for pair in equated if sum(one.of == right.name for one in pair) == 1]
    of_left = {one.at for pair in across for one in pair if one.of != right.name}
    if left.key is not None and left.key <= of_left:
        # Each row of the source has one row of the left at most.
        if right.rows is None or join.kind != "LEFT":
            return right.rows
        return None if left.rows is None else left.rows + right.rows
    rows = product([left.rows, right.rows])
    if rows is None:
        raise refusal(
            f"JOIN {name}", "joins several rows of a person with several others",
            "Join on a key, or the owner declares rows_per_person of both tables.",
        )  # fmt: skip
    if rows > MOST_PAIRS:
        raise refusal(
            f"JOIN {name}", f"gives a person more than {MOST_PAIRS} rows", "Join on a key."
        )
    return rows


def group_nodes(select: tree.Select, scope: QuestionScope, items: Sequence[Bound]) -> list[Bound]:
    """Return what a select groups by; a number or an alias stands for what is selected."""
    aliases = aliases_of(select.items, items)
    found: list[Bound] = []
    for node in select.groups:
        if isinstance(node, tree.Constant):
            found.append(placed(node, items, "GROUP BY"))
        else:
            found.append(scope.bound(node, aliases))
    return list(dict.fromkeys(found))


def placed(node: tree.Constant, items: Sequence[Bound], clause: str) -> Bound:
    """Return what a number stands for among what is selected."""
    place = node.place
    if not 1 <= place <= len(items):
        raise wrong(node, "is no place of what is selected", f"Write {clause} 1.")
    return items[place - 1]


def aliases_of(items: Sequence[tree.Item], bound: Sequence[Bound]) -> dict[str, Bound]:
    """Return what each alias stands for, by its name in small letters."""
    named = zip(reversed(items), reversed(bound), strict=True)
    return {item.alias.casefold(): node for item, node in named if item.alias}


def outputs(
    name: str, items: Sequence[tree.Item], bound: Sequence[Bound], values: Sequence[Value]
) -> tuple[dict[str, Value], dict[str, str]]:
    """Name the columns of a subquery; give where each written column of its sources went."""
    columns: dict[str, Value] = {}
    moved: dict[str, str] = {}
    for place, (item, node, value) in enumerate(zip(items, bound, values, strict=True)):
        label = item.alias or (node.column if isinstance(node, BoundColumn) else "")
        if not label:
            raise wrong(node, "has no name in a subquery", "Give it one: ... AS n.")
        if label.casefold() in columns:
            raise wrong(node, "has the name of another column", "Give it another alias.")
        at = f"{name}.c{place}"
        if is_person(value):
            at = f"{name}.p"
        kind = "text" if value.kind == "null" else value.kind
        columns[label.casefold()] = replace(value, kind=kind, sql=at)
        moved[value.sql] = at
    return columns, moved


def written(values: Sequence[Value]) -> list[str]:
    """Write the columns of a subquery; one that is always missing is a text, as it is called."""
    listed = ["CAST(NULL AS VARCHAR)" if value.kind == "null" else value.sql for value in values]
    return [f"{sql} AS c{place}" for place, sql in enumerate(listed)]


def called(source: tree.NamedSource) -> str:
    """Return the name of a source in the question."""
    name = source.alias or source.table.rpartition(".")[2]
    if not name:
        raise refusal("a subquery", "has no name", "Give it an alias: (SELECT ...) AS t.")
    return name.casefold()

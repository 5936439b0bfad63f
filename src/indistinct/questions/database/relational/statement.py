"""A whole question: its relation, keys, parts and limits, and the queries that count them."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from fractions import Fraction
from typing import Any, cast, final

from indistinct.questions.database.quantiles import stride
from indistinct.questions.database.relational.constants import wrong
from indistinct.questions.database.relational.dialect import QueryDialect
from indistinct.questions.database.relational.grouped import group_nodes, measures_in
from indistinct.questions.database.relational.keys import MOST_CELLS, GroupKey, key_of
from indistinct.questions.database.relational.limits import (
    PersonLimits,
    WantedLimits,
    cells_of,
    limited,
    limits_of,
)
from indistinct.questions.database.relational.normal import normal
from indistinct.questions.database.relational.owned import Compiler
from indistinct.questions.database.relational.parser import parse
from indistinct.questions.database.relational.parts import Measure, Number, Part, measure_of
from indistinct.questions.database.relational.scopes import JoinedSources
from indistinct.questions.database.relational.tree import Asked, Call, Expression, Name, Select
from indistinct.questions.database.relational.words import refusal
from indistinct.questions.database.tables import DeclaredTable

MOST_PARTS = 32
NO_PEOPLE = "Write a table of people after FROM."
Row = Sequence[Any]


@final
@dataclass(frozen=True, slots=True)
class CompiledQuestion:
    """A question that can be counted.

    Parameters
    ----------
    select : as it was asked, for all that is done with noisy numbers
    base : the query of its rows: person p, keys k0.., numbers r0.., conditions f0..
    relation : what tells these rows, keys and limits from others, whatever is measured
    measures : by their own writing
    parts : all of them, each once
    is_unknown : whether groups are shown only if enough people are in them
    lot_key : of the lots
    min_people : fewer are never shown
    options : of the statement itself
    is_plain : whether every name after FROM is that of a table
    """

    select: Select
    nodes: tuple[Expression, ...]
    base: str
    relation: str
    keys: tuple[GroupKey, ...]
    measures: dict[str, Measure]
    parts: tuple[Part, ...]
    numbers: tuple[Number, ...]
    conditions: tuple[str, ...]
    limits: PersonLimits
    is_unknown: bool
    dialect: QueryDialect
    lot_key: str
    min_people: int
    options: dict[str, Fraction]
    is_plain: bool = True

    @property
    def cells(self) -> list[tuple[Any, ...]]:
        """List the codes of all groups that are known beforehand."""
        found: list[tuple[Any, ...]] = [()]
        for key in self.keys:
            found = [(*cell, code) for cell in found for code in key.labels or ()]
        return found

    @property
    def n_cells(self) -> int:
        """Return how many groups are known beforehand."""
        return math.prod(len(key.labels or ()) for key in self.keys)

    def has_known_codes(self, cell: Sequence[Any]) -> bool:
        """Return whether a group's codes are such as its keys are known to have."""
        return all(
            key.labels is None or code in key.labels
            for key, code in zip(self.keys, cell, strict=True)
        )

    @property
    def counts_people(self) -> Part | None:
        """Return the part whose numbers the first stage gives already."""
        for part in self.parts:
            is_rows = part.kind == "count" and self.limits.rows == 1 and not part.number
            if (part.kind == "people" or is_rows) and not part.condition and self.is_unknown:
                return part
        return None

    @property
    def of_people(self) -> PersonLimits:
        """Return the limits of the first stage: one row of a person in each group."""
        groups = self.limits.groups
        return PersonLimits(groups, 1, groups, frozenset({"groups"} & self.limits.windows))

    def coded(self) -> str:
        """Write the rows with codes of keys and numbers in whole steps."""
        written = ["p", *(f"{key.code(f'k{at}')} AS k{at}" for at, key in enumerate(self.keys))]
        for at, (_, units) in enumerate(self.numbers):
            written.append(f"{f'r{at}' if units is None else units.sql(f'r{at}')} AS r{at}")
        written += [f"f{at}" for at in range(len(self.conditions))]
        return f"SELECT {', '.join(written)} FROM ({self.base}) AS b"  # noqa: S608 - our own names

    def people_query(self) -> str:
        """Write the first stage: people per group that is found."""
        keys = [f"k{at}" for at in range(len(self.keys))]
        is_one = self.limits.rows == 1 and "rows" not in self.limits.windows
        every = "SELECT" if is_one else "SELECT DISTINCT"
        rows = f"{every} {', '.join(['p', *keys])} FROM ({self.coded()}) AS c"
        rows = limited(rows, keys, len(keys), self.of_people, self.dialect, self.lot_key)
        having = f" HAVING count(*) >= {self.min_people}" if self.min_people > 1 else ""
        by = f" GROUP BY {', '.join(keys)}" if keys else ""
        return f"SELECT {', '.join([*keys, 'count(*)'])} FROM ({rows}) AS l{by}{having}"  # noqa: S608

    def query(self, parts: Sequence[Part], shown: Sequence[Row] | None = None) -> str:
        """Write the query of some parts, over all groups or those that are shown."""
        rows = self.coded()
        if shown is not None and self.keys:
            rows = self._among(rows, shown)
        keys = [f"k{at}" for at in range(len(self.keys))]
        numbers = {number: f"r{at}" for at, number in enumerate(self.numbers)}
        conditions = {condition: f"f{at}" for at, condition in enumerate(self.conditions)}
        columns = [*keys, *numbers.values(), *conditions.values()]
        is_drawn = parts[0].kind == "ranks"
        limits = self.limits if is_drawn else self.limits.of_sums
        rows = limited(rows, columns, len(keys), limits, self.dialect, self.lot_key)
        if is_drawn:
            return self._ranks_query(parts[0], rows, numbers, conditions)
        if self.limits.full_groups is not None:
            return self._fitting(parts, rows, numbers, conditions)
        listed = ", ".join([*keys, *(part.aggregate(numbers, conditions) for part in parts)])
        by = f" GROUP BY {', '.join(keys)}" if keys else ""
        return f"SELECT {listed} FROM ({rows}) AS l{by}"  # noqa: S608 - our own names

    def _fitting(
        self,
        parts: Sequence[Part],
        rows: str,
        numbers: dict[Number, str],
        conditions: dict[str, str],
    ) -> str:
        """Write parts over the groups of each person that are not too large together, by lot."""
        keys = [f"k{at}" for at in range(len(self.keys))]
        by, group = ", ".join(keys), ", ".join(["p", *keys])
        order = ", ".join([self.dialect.lot(self.lot_key, ["p", *keys]), by])
        most = [part.largest(self.limits) or 0 for part in parts]
        # Engines add numbers of 64 bits up to longer ones; their squares alone need room.
        wide = ["BIGINT" if one < 2**62 else self.dialect.wide for one in most]
        sized = "".join(
            f", {part.aggregate(numbers, conditions)} AS v{at}, "
            f"CAST({part.size(numbers, conditions)} AS {wide[at]}) AS s{at}"
            for at, part in enumerate(parts)
        )
        large = " OR ".join(f"sum(s{at} * s{at}) > {one}" for at, one in enumerate(most))
        values = "".join(f", v{at}" for at in range(len(parts)))
        so_far = "".join(f", sum(s{at} * s{at}) OVER so_far AS s{at}" for at in range(len(parts)))
        fitting = "".join(
            f", CASE WHEN s{at} <= {one} THEN v{at} END" for at, one in enumerate(most)
        )
        sums = "".join(f", coalesce(sum(v{at}), 0)" for at in range(len(parts)))
        found = "EXISTS (SELECT 1 FROM large WHERE large.p = sized.p)"
        return (
            # An engine may put its own WITH before a query, so none begins with one.
            f"SELECT * FROM (WITH sized AS MATERIALIZED (SELECT {group}{sized} FROM ({rows}) AS l "  # noqa: S608
            f"GROUP BY {group}), large AS MATERIALIZED (SELECT p FROM sized GROUP BY p "
            f"HAVING {large}) SELECT {by}{sums} FROM (SELECT {by}{values} FROM sized "
            f"WHERE NOT {found} UNION ALL SELECT {by}{fitting} FROM (SELECT {by}{values}{so_far} "
            f"FROM sized WHERE {found} WINDOW so_far AS (PARTITION BY p ORDER BY {order} "
            f"ROWS UNBOUNDED PRECEDING)) AS l) AS l GROUP BY {by}) AS fitting"
        )

    def _ranks_query(
        self, part: Part, rows: str, numbers: dict[Number, str], conditions: dict[str, str]
    ) -> str:
        units = part.units
        x = numbers[part.number, part.units]
        low, step = (0, 1) if units is None else (units.low, stride(units))
        candidate = f"(({x} - {low}) - mod({x} - {low}, {step})) / {step}"
        keys = [f"k{at}" for at in range(len(self.keys))]
        where = f"{x} IS NOT NULL" + (
            f" AND {conditions[part.condition]}" if part.condition else ""
        )
        listed = ", ".join([*keys, f"CAST({candidate} AS BIGINT) AS candidate"])
        inner = f"SELECT {listed} FROM ({rows}) AS l WHERE {where}"  # noqa: S608
        by = ", ".join([*keys, "candidate"])
        return f"SELECT {by}, count(*) FROM ({inner}) AS l GROUP BY {by}"  # noqa: S608

    def _among(self, rows: str, shown: Sequence[Row]) -> str:
        """Write the rows of the groups that are shown."""
        listed = ", ".join(
            "("
            + ", ".join(key.constant(code) for key, code in zip(self.keys, row, strict=True))
            + ")"
            for row in shown
        )
        names = ", ".join(f"k{at}" for at in range(len(self.keys)))
        same = " AND ".join(
            f"c.k{at} IS NOT DISTINCT FROM shown.k{at}" for at in range(len(self.keys))
        )
        return f"SELECT c.* FROM ({rows}) AS c JOIN (VALUES {listed}) AS shown({names}) ON {same}"  # noqa: S608


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


def compiled(
    text: str, setting: QuestionSetting, wanted: WantedLimits | None = None
) -> CompiledQuestion:
    """Return what can be counted of the text of a question.

    Raises
    ------
    QuestionError
        For everything outside the grammar; decided by text and declaration alone.
    """
    try:
        return compiled_in_full(text, setting, wanted or WantedLimits())
    except RecursionError:
        raise refusal("the question", "is nested too deep", "Ask for less at once.") from None


def compiled_in_full(text: str, setting: QuestionSetting, wanted: WantedLimits) -> CompiledQuestion:
    """Compile a question, with the options that stand in it."""
    asked = normal(parse(text))
    options = dict(asked.options)
    wanted = WantedLimits(
        wanted.groups or whole(options.get("groups")),
        wanted.rows or whole(options.get("rows")),
        wanted.rows_in_all or whole(options.get("rows_in_all")),
        wanted.full_groups or whole(options.get("full_groups")),
    )
    return statement_of(asked, setting, wanted, options)


def whole(number: Fraction | None) -> int | None:
    """Return an option as a whole number."""
    return None if number is None else max(1, int(number))


def statement_of(
    asked: Asked, setting: QuestionSetting, wanted: WantedLimits, options: dict[str, Fraction]
) -> CompiledQuestion:
    """Compile a parsed question."""
    compiler = Compiler(setting.tables, setting.stored, setting.dialect, dict(asked.named))
    select = asked.select
    scope, where = compiler.scope(select)
    if not scope.owned:
        raise refusal("FROM", "has no people in it", NO_PEOPLE)
    writer = compiler.writer(scope)
    nodes = group_nodes(select, scope)
    keys = tuple(key_of(node, writer.write(node), label_of(node, select)) for node in nodes)
    calls = dict.fromkeys(measures_in((select.items, select.having, select.order)))
    measures = {str(call): measure_of(call, writer) for call in calls}
    check_selected(select, nodes, measures, scope)
    found = {part for one in measures.values() for part in one.parts}
    parts = tuple(sorted(found, key=lambda part: (part.kind, part.number, part.name)))
    if len(parts) > MOST_PARTS:
        raise refusal("SELECT", f"has more than {MOST_PARTS} noisy parts", "Ask two questions.")
    numbers = tuple(dict.fromkeys((part.number, part.units) for part in parts if part.number))
    conditions = tuple(dict.fromkeys(part.condition for part in parts if part.condition))
    cells = cells_of([None if key.labels is None else len(key.labels) for key in keys])
    if counts_people(parts) and scope.rows is wanted.rows is wanted.rows_in_all is None:
        wanted = replace(wanted, rows=1)
    limits = limits_of(scope, nodes, cells, wanted)
    is_unknown = cells is None or cells > MOST_CELLS or setting.min_people > 1
    owned = [f"{scope.person} AS p"]
    owned += [f"{key.value.sql} AS k{at}" for at, key in enumerate(keys)]
    codes = [(key.sql_type, key.labels) for key in keys]
    rows = (owned, scope.sql, where, codes, limits.document(), setting.min_people)
    written = [
        *owned,
        *(f"{number} AS r{at}" for at, (number, _) in enumerate(numbers)),
        *(f"{condition} AS f{at}" for at, condition in enumerate(conditions)),
    ]
    base = f"SELECT {', '.join(written)} FROM {scope.sql}{where}"  # noqa: S608 - our own names
    relation = hashlib.sha256(repr(rows).encode()).hexdigest()
    return CompiledQuestion(
        select, tuple(nodes), base, relation, keys, measures, parts, numbers, conditions, limits,
        is_unknown, setting.dialect, setting.lot_key, setting.min_people, options,
        is_plain=not asked.named,
    )  # fmt: skip


def counts_people(parts: Sequence[Part]) -> bool:
    """Return whether one row of a person in a group tells all that is counted."""
    return all(part.kind == "people" and not part.condition for part in parts)


def label_of(node: Expression, select: Select) -> str:
    """Return what the reply calls a key."""
    for item in select.items:
        if str(item.expression) == str(node) and item.alias:
            return item.alias
        if isinstance(item.expression, Name) and str(item.expression) == str(node):
            return item.expression.column
    return node.column if isinstance(node, Name) else str(node)


def check_selected(
    select: Select, nodes: Sequence[Expression], measures: dict[str, Measure], scope: JoinedSources
) -> None:
    """Refuse what is neither grouped by nor computed from measures."""
    if not measures:
        raise refusal(
            "SELECT", "has no measure: rows are never shown", "Select COUNT(*), or a mean or sum."
        )
    grouped = {str(node) for node in nodes}
    labels = {item.alias.casefold() for item in select.items if item.alias}
    shown = [item.expression for item in select.items]
    later = [] if select.having is None else [select.having]
    later += [node for node, _ in select.order]
    for node in [*shown, *later]:
        for name in outside_measures(node, grouped):
            is_key = str(name) in grouped or any(
                scope.find(name).origin == scope.find(one).origin
                for one in nodes
                if isinstance(one, Name) and has(scope, name)
            )
            if not is_key and not (name.column.casefold() in labels and node in later):
                raise wrong(name, "is neither grouped by nor within a measure", "GROUP BY it.")


def has(scope: JoinedSources, name: Name) -> bool:
    """Return whether a name can be found."""
    return any(name.column.casefold() in one.columns for one in scope.sources.values())


def outside_measures(node: Expression, grouped: set[str]) -> list[Name]:
    """List the names that are in no measure and in nothing that is grouped by."""
    if str(node) in grouped or (isinstance(node, Call) and list(measures_in(node)) == [node]):
        return []
    if isinstance(node, Name):
        return [node]
    found: list[Name] = []
    for part in fields(node):
        for one in flat(getattr(node, part.name)):
            found += outside_measures(one, grouped)
    return found


def flat(value: Any) -> list[Any]:
    """List the nodes in a field."""
    if isinstance(value, tuple):
        return [one for part in cast("tuple[Any, ...]", value) for one in flat(part)]
    return [value] if is_dataclass(value) else []

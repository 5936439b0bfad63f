"""A whole question: its relation, keys, parts and limits, and the queries that count them."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, final

from indistinct.questions.database.relational import tree
from indistinct.questions.database.relational.dialect import QueryDialect
from indistinct.questions.database.relational.from_ import (
    Compiler,
    QuestionScope,
    QuestionSetting,
    aliases_of,
    group_nodes,
    placed,
)
from indistinct.questions.database.relational.keys import MOST_CELLS, GroupKey, key_of
from indistinct.questions.database.relational.limits import (
    LIMITS,
    PersonLimits,
    WantedLimits,
    cells_of,
    has_one_row,
    limits_of,
)
from indistinct.questions.database.relational.lots import in_few_groups
from indistinct.questions.database.relational.norms import (
    per_person,
    scaled_query,
    size_of,
    weights,
)
from indistinct.questions.database.relational.parser import parse
from indistinct.questions.database.relational.parts import Measure, Number, Part, measure_of
from indistinct.questions.database.relational.quantiles import stride
from indistinct.questions.database.relational.tree import Bound
from indistinct.questions.database.relational.typed import Value
from indistinct.questions.database.relational.words import refusal
from indistinct.questions.mechanisms.accountant import Accounting

MOST_PARTS = 32
NO_PEOPLE = "Write a table of people after FROM."
Row = Sequence[Any]


@final
@dataclass(frozen=True, slots=True)
class CompiledQuestion:
    """A question that can be counted.

    Parameters
    ----------
    select : as it was asked
    items, having, order : what is done with noisy numbers: labels and expressions, a condition, and
        what rows are ordered by, with whether down
    base : the query of its rows: person p, hash h, most rows n of that person, keys k0.., numbers
        r0.., conditions f0..
    coding : how keys and numbers of these rows become codes and whole steps
    relation : what tells these rows, keys and limits from others, whatever is measured
    parts : all of them, each once
    is_unknown : whether groups are shown only if enough people are in them
    is_one_row : whether a person has one row in each group, by the SQL that is written
    lot_key : of the lots
    min_people : fewer are never shown
    options : of the statement itself
    is_plain : whether every name after FROM is that of a table
    """

    select: tree.Select
    items: tuple[tuple[str, Bound], ...]
    having: Bound | None
    order: tuple[tuple[Bound, bool], ...]
    nodes: tuple[Bound, ...]
    base: str
    coding: tuple[str, ...]
    relation: str
    keys: tuple[GroupKey, ...]
    measures: dict[Bound, Measure]
    parts: tuple[Part, ...]
    numbers: tuple[Number, ...]
    conditions: tuple[str, ...]
    limits: PersonLimits
    is_unknown: bool
    is_one_row: bool
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
        return first_stage_part(self.parts, self.is_one_row) if self.is_unknown else None

    @property
    def of_people(self) -> PersonLimits:
        """Return the limits of the first stage: one row of a person in each group."""
        return PersonLimits(self.limits.groups, 1, self.limits.groups)

    def coded(self) -> str:
        """Write the rows with codes of keys and numbers in whole steps."""
        written = ["p", "h", "n", *self.coding, *(f"f{at}" for at in range(len(self.conditions)))]
        return f"SELECT {', '.join(written)} FROM ({self.base}) AS b"  # noqa: S608 - our own names

    def people_query(self) -> str:
        """Write the first stage: people per group that is found, each in few groups by lot."""
        keys = [f"k{at}" for at in range(len(self.keys))]
        rows = f"SELECT DISTINCT {', '.join(['p', 'h', 'n', *keys])} FROM ({self.coded()}) AS c"  # noqa: S608
        rows = self._in_few_groups(rows, keys)
        having = f" HAVING count(*) >= {self.min_people}" if self.min_people > 1 else ""
        by = f" GROUP BY {', '.join(keys)}" if keys else ""
        return f"SELECT {', '.join([*keys, 'count(*)'])} FROM ({rows}) AS l{by}{having}"  # noqa: S608

    def query(
        self, parts: Sequence[Part], accounting: Accounting, shown: Sequence[Row] | None = None
    ) -> str:
        """Write the query of some parts, over all groups or those that are shown.

        Parameters
        ----------
        accounting : in which norm people are limited
        """
        keys = [f"k{at}" for at in range(len(self.keys))]
        numbers = {number: f"r{at}" for at, number in enumerate(self.numbers)}
        conditions = {condition: f"f{at}" for at, condition in enumerate(self.conditions)}
        if parts[0].kind == "ranks":
            return self._ranks_query(parts[0], numbers, conditions, shown)
        sizes = [size_of(part, self.limits, accounting, numbers, conditions) for part in parts]
        if not any(sizes):
            sums = [part.aggregate(numbers, conditions) for part in parts]
            by = f" GROUP BY {', '.join(keys)}" if keys else ""
            rows = self._among(self.coded(), shown)
            return f"SELECT {', '.join([*keys, *sums])} FROM ({rows}) AS l{by}"  # noqa: S608
        exempt = min(part.exempt(self.limits, accounting) for part in parts)
        grouped = per_person(self.coded(), parts, keys, sizes, exempt, numbers, conditions)
        grouped = self._among(grouped, shown)
        return scaled_query(parts, grouped, keys, sizes, accounting, self.dialect)

    def _in_few_groups(self, rows: str, columns: Sequence[str]) -> str:
        """Write the rows in the groups of each person that count, unless reading left no more."""
        limits, n_keys = self.limits, len(self.keys)
        if not n_keys or (limits.read is not None and limits.read <= limits.groups):
            return rows
        return in_few_groups(rows, columns, n_keys, limits.groups, self.dialect, self.lot_key)

    def _ranks_query(
        self,
        part: Part,
        numbers: dict[Number, str],
        conditions: dict[str, str],
        shown: Sequence[Row] | None,
    ) -> str:
        """Write the weights of all people per group and candidate."""
        x, low, step = numbers[part.number, part.units], part.units.low, stride(part.units)
        candidate = f"(({x} - {low}) - mod({x} - {low}, {step})) / {step}"
        keys = [f"k{at}" for at in range(len(self.keys))]
        where = f"{x} IS NOT NULL" + (
            f" AND {conditions[part.condition]}" if part.condition else ""
        )
        person = ["p", "h", "n"]
        listed = ", ".join([*person, *keys, f"CAST({candidate} AS BIGINT) AS candidate"])
        inner = f"SELECT {listed} FROM ({self.coded()}) AS l WHERE {where}"  # noqa: S608
        columns = [*keys, "candidate"]
        group = ", ".join([*person, *columns])
        grouped = f"SELECT {group}, count(*) AS m FROM ({inner}) AS l GROUP BY {group}"  # noqa: S608
        rows = self._in_few_groups(self._among(grouped, shown), [*columns, "m"])
        if not part.is_within(self.limits):
            rows = weights(rows, columns, part, self.limits, self.dialect)
        by = ", ".join(columns)
        return f"SELECT {by}, sum(m) FROM ({rows}) AS l GROUP BY {by}"  # noqa: S608

    def _among(self, rows: str, shown: Sequence[Row] | None) -> str:
        """Write the rows of the groups that are shown; all where none are chosen."""
        if shown is None or not self.keys:
            return rows
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
    asked = tree.normal(parse(text))
    options = dict(asked.options)
    limits = {name: max(1, int(options[name])) for name in LIMITS if name in options}
    asked_for = {name: value for name in LIMITS if (value := getattr(wanted, name)) is not None}
    wanted = WantedLimits(**{**limits, **asked_for})
    return statement_of(asked, setting, wanted, options)


def statement_of(
    asked: tree.Asked, setting: QuestionSetting, wanted: WantedLimits, options: dict[str, Fraction]
) -> CompiledQuestion:
    """Compile a parsed question."""
    compiler = Compiler(setting, dict(asked.named))
    select = asked.select
    scope, where = compiler.scope(select)
    if not scope.owned:
        raise refusal("FROM", "has no people in it", NO_PEOPLE)
    writer = compiler.writer(scope)
    shown = [scope.bound(item.expression) for item in select.items]
    nodes = group_nodes(select, scope, shown)
    aliases = aliases_of(select.items, shown)
    having = None if select.having is None else scope.bound_last(select.having, aliases)
    order = tuple((ordered(node, scope, shown, aliases), down) for node, down in select.order)
    spelt = {item.alias: one for item, one in zip(select.items, shown, strict=True) if item.alias}
    keys = tuple(key_of(node, writer.whole(node), label_of(node, spelt)) for node in nodes)
    calls: dict[Bound, tree.Call] = {
        one: one for one in tree.measures_in((tuple(shown), having, order))
    }
    measures = {node: measure_of(call, writer) for node, call in calls.items()}
    if not measures:
        raise refusal(
            "SELECT", "has no measure: rows are never shown", "Select COUNT(*), or a mean or sum."
        )
    known = {node: replace(key.value, sql="NULL") for node, key in zip(nodes, keys, strict=True)}
    of_groups = compiler.writer(scope, known | dict.fromkeys(measures, Value("NULL", "number")))
    of_groups = replace(of_groups, in_python=True)
    for node in (*shown, *(node for node, _ in order)):
        of_groups.write(node)
    if having is not None:
        of_groups.condition(having)
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
    is_one_row = has_one_row(scope, nodes) and all(key.other is None for key in keys)
    free = first_stage_part(parts, is_one_row) if is_unknown else None
    fine = {part: part if part == free else part.on_grid(limits) for part in parts}
    measures = {
        call: replace(one, parts=tuple(fine[part] for part in one.parts))
        for call, one in measures.items()
    }
    base, coding = base_of(compiler, scope, where, keys, numbers, conditions)
    codes = [(key.value.sql, key.sql_type, key.labels) for key in keys]
    rows = (scope.person, scope.sql, where, codes, limits.document(), setting.min_people)
    relation = hashlib.sha256(repr(rows).encode()).hexdigest()
    labels = {node: key.label for node, key in zip(nodes, keys, strict=True)}
    labels |= {node: one.label for node, one in measures.items()}
    items = tuple(zip(labels_of(select.items, shown, labels), shown, strict=True))
    return CompiledQuestion(
        select, items, having, order,
        tuple(nodes), base, coding, relation, keys, measures, tuple(fine.values()), numbers,
        conditions, limits, is_unknown, is_one_row, setting.dialect, setting.lot_key,
        setting.min_people, options, is_plain=not asked.named,
    )  # fmt: skip


def ordered(
    node: tree.Expression,
    scope: QuestionScope,
    shown: Sequence[Bound],
    aliases: Mapping[str, Bound],
) -> Bound:
    """Return what rows are ordered by; a number or an alias stands for what is selected."""
    if isinstance(node, tree.Constant):
        return placed(node, shown, "ORDER BY")
    return scope.bound_last(node, aliases)


def base_of(  # noqa: PLR0913, PLR0917 - where the rows come from, and what is written of them
    compiler: Compiler,
    scope: QuestionScope,
    where: str,
    keys: Sequence[GroupKey],
    numbers: Sequence[Number],
    conditions: Sequence[str],
) -> tuple[str, tuple[str, ...]]:
    """Write the query of the rows, and how its keys and numbers are coded; see the question."""
    forms = [(f"k{at}", key.value.sql, key.code) for at, key in enumerate(keys)]
    forms += [(f"r{at}", sql, units.sql) for at, (sql, units) in enumerate(numbers)]
    written = [f"{scope.person} AS p", *of_person(scope, compiler.setting.carried)]
    coding: list[str] = []
    for name, sql, form in forms:
        ready = compiler.prepared(sql, form(sql))
        written.append(f"{ready or sql} AS {name}")
        coding.append(f"{name if ready else form(name)} AS {name}")
    written += [f"{condition} AS f{at}" for at, condition in enumerate(conditions)]
    return f"SELECT {', '.join(written)} FROM {scope.sql}{where}", tuple(coding)  # noqa: S608


def of_person(scope: QuestionScope, carried: Sequence[str]) -> list[str]:
    """Write what lots are drawn from, and a number that the rows of the person do not exceed.

    It is that of the anchor, which is never missing, so that it is one for all rows of the person.
    """
    if not carried:
        return [f"{scope.person} AS h", "CAST('Infinity' AS DOUBLE PRECISION) AS n"]
    counted = [f"greatest(1, {scope.anchor}.{one})" for one in scope.factors]
    return [f"{scope.anchor}.h AS h", f"{' * '.join(['CAST(1 AS DOUBLE)', *counted])} AS n"]


def first_stage_part(parts: Sequence[Part], is_one_row: bool) -> Part | None:  # noqa: FBT001
    """Return the part that people in each group are counted by, if there is one."""
    for part in parts:
        is_rows = part.kind == "count" and is_one_row and not part.number
        if (part.kind == "people" or is_rows) and not part.condition:
            return part
    return None


def counts_people(parts: Sequence[Part]) -> bool:
    """Return whether one row of a person in a group tells all that is counted."""
    return all(part.kind == "people" and not part.condition for part in parts)


def label_of(node: Bound, aliases: Mapping[str, Bound]) -> str:
    """Return what the reply calls a key: as its first alias does, else as it is written."""
    named = [alias for alias, one in aliases.items() if one == node]
    return named[0] if named else node.column if isinstance(node, tree.BoundColumn) else str(node)


def labels_of(
    items: Sequence[tree.Item], shown: Sequence[Bound], labels: Mapping[Bound, str]
) -> list[str]:
    """Return what the reply calls what is selected; no two have one name.

    Parameters
    ----------
    labels : of keys and measures
    """
    plain = [
        item.alias or labels.get(node, "value") for item, node in zip(items, shown, strict=True)
    ]
    return [
        f"{label}_{place + 1}" if label in plain[:place] else label
        for place, label in enumerate(plain)
    ]

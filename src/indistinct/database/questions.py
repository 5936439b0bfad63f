"""SQL text -> checked question: a small language, read by an allow-list.

The words of the text are checked first (:mod:`indistinct.database.tokens`), so that the parser's
time is bounded. The text is then parsed, and what the parse tree says is rebuilt node by node as a
:class:`Question` of our own. A node, or a part of one, that no rule here names is refused, so what
we do not know cannot pass. Only the question goes on; the text ends here.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeVar, final

from indistinct.database.conditions import (
    Compare,
    Condition,
    InCells,
    KnownValue,
    OneOf,
    atoms,
    joined,
)
from indistinct.database.dataset import MISSING, OTHER, Column, Dataset, Key
from indistinct.database.question import (
    Count,
    CountKnown,
    CountPersons,
    Measure,
    Moments,
    Quantile,
    Question,
)
from indistinct.database.tokens import refuse, screened
from indistinct.mechanisms.accountant import exact_number

MOST_CONDITIONS = 100
MOST_CODES = 20_000  # so that a question over large keys is read in milliseconds
ALIAS = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,62}")


def read(text: str, dataset: Dataset) -> Question:
    """Return the question about a dataset that SQL text asks.

    Parameters
    ----------
    text : at most 4000 characters, parentheses at most 16 deep, no comment

    Raises
    ------
    QuestionError
        For everything outside the grammar; decided by text and declaration alone.
    """
    tree = _parsed(screened(text))
    return _Reader(dataset).question(tree)


def _parsed(text: str) -> Any:
    import sqlglot
    from sqlglot.errors import SqlglotError

    try:
        statements = sqlglot.parse(text, read="duckdb")
    except (SqlglotError, RecursionError):
        raise refuse("the question is not SQL that is read here") from None
    if len(statements) != 1:
        raise refuse("the question is not one statement")
    return statements[0]


def _only(node: Any, *allowed: str) -> Any:
    """Return the node back if it says nothing beyond the parts allowed."""
    if node.comments or any(value for name, value in node.args.items() if name not in allowed):
        raise refuse("the question uses a part of SQL that is not answered here")
    return node


def _kind(node: Any) -> str:
    return type(node).__name__


NEGATED = {"EQ": "<>", "NEQ": "=", "LT": ">=", "LTE": ">", "GT": "<=", "GTE": "<"}
OPERATORS = {"EQ": "=", "NEQ": "<>", "LT": "<", "LTE": "<=", "GT": ">", "GTE": ">="}
MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=", "<>": "<>"}
MOMENTS = {"Sum": "sum", "Avg": "mean", "Variance": "variance", "VariancePop": "variance"}


@final
@dataclass(frozen=True, slots=True)
class _Reader:
    """The rules, one method per place of the grammar; what no rule names is refused."""

    dataset: Dataset
    listed: Counter[str] = field(default_factory=Counter[str])

    def question(self, tree: Any) -> Question:
        if _kind(tree) != "Select":
            raise refuse("the question is not a SELECT")
        _only(tree, "expressions", "from_", "where", "group")
        self.table(tree.args.get("from_"))
        keys = self.group(tree.args.get("group"))
        selected = [self.selected(node) for node in tree.expressions]
        measures = [(measure, label) for measure, label in selected if not isinstance(measure, Key)]
        named = [measure.name for measure, _ in selected if isinstance(measure, Key)]
        if len(measures) != 1:
            raise refuse("the question does not ask for exactly one measure")
        if len(set(named)) != len(named) or not set(named) <= set(keys):
            raise refuse("the question selects a column that it does not group by")
        measure, label = measures[0]
        if label in keys:
            raise refuse("the question gives the measure the name of a key")
        return Question(measure, keys, self.where(tree.args.get("where")), label or measure.name)

    def table(self, node: Any) -> None:
        if node is None or _kind(node) != "From":
            raise refuse("the question names no table")
        table = _only(node, "this").this
        if _kind(table) != "Table" or _kind(_only(table, "this").this) != "Identifier":
            raise refuse("the question names something that is not the table of this dataset")
        if table.name.casefold() != self.dataset.table.casefold():
            raise refuse("the question names a table that is not the one of this dataset")

    def group(self, node: Any) -> tuple[str, ...]:
        if node is None:
            return ()
        keys = tuple(self.key(part).name for part in _only(node, "expressions").expressions)
        if not keys or len(set(keys)) != len(keys):
            raise refuse("the question groups by nothing, or twice by the same key")
        return tuple(sorted(keys))

    def selected(self, node: Any) -> tuple[Measure | Key, str]:
        label = ""
        if _kind(node) == "Alias":
            label = _only(node, "this", "alias").alias
            if not ALIAS.fullmatch(label):
                raise refuse("the question uses an alias that is not a simple name")
            node = node.this
        if _kind(node) == "Column" and not label:
            return self.key(node), label
        return self.measure(node), label

    def measure(self, node: Any) -> Measure:
        kind = _kind(node)
        if kind == "Count":
            return self.count(node)
        if kind in MOMENTS:
            return Moments(MOMENTS[kind], self.bounded(_only(node, "this").this).name)
        if kind == "Median":
            return Quantile(self.bounded(_only(node, "this").this).name, Fraction(1, 2), "median")
        if kind == "Quantile":
            share = self.share(_only(node, "this", "quantile").args["quantile"])
            return Quantile(self.bounded(node.this).name, share)
        if kind == "WithinGroup":
            return self.percentile(node)
        raise refuse("the question uses a measure that is not available")

    def count(self, node: Any) -> Measure:
        what = _only(node, "this", "big_int").this
        if _kind(what) == "Star":
            _only(what)
            return Count()
        if _kind(what) == "Distinct" and len(_only(what, "expressions").expressions) == 1:
            name = self.name(what.expressions[0])
            if name.casefold() == self.dataset.person.casefold():
                return CountPersons()
        if _kind(what) == "Column":
            if self.name(what).casefold() == self.dataset.person.casefold():
                return Count()  # rows without a person are never counted
            return CountKnown(self.column(what).name)
        raise refuse("the question counts neither rows, known values nor distinct persons")

    def percentile(self, node: Any) -> Measure:
        function = _only(node, "this", "expression").this
        order = node.expression
        if _kind(function) not in {"PercentileCont", "PercentileDisc"} or _kind(order) != "Order":
            raise refuse("the question uses a measure that is not available")
        ordered = _only(order, "expressions").expressions
        if len(ordered) != 1 or _kind(ordered[0]) != "Ordered":
            raise refuse("the question orders a quantile by more than one column")
        column = self.bounded(_only(ordered[0], "this").this)
        return Quantile(column.name, self.share(_only(function, "this").this))

    def share(self, node: Any) -> Fraction:
        share = self.number(node)
        if not 0 < share < 1 or share.denominator > 10**4:
            raise refuse("the question uses a quantile that is not between 0 and 1")
        return share

    def name(self, node: Any) -> str:
        if _kind(node) != "Column" or _kind(_only(node, "this").this) != "Identifier":
            raise refuse("the question uses an expression where a column belongs")
        return str(node.name)

    def bounded(self, node: Any) -> Column:
        column = self.column(node)
        if not isinstance(column, Column) or column.bounds is None:
            raise refuse(
                "the question adds up a column that has no declared bounds",
                f"{self.line_of(node)} with bounds = [low, high]",
            )
        return column

    def key(self, node: Any) -> Key:
        found = find(self.dataset.keys, self.name(node))
        if found is None:
            raise refuse(
                "the question groups by a column that is not a declared public key",
                f'{self.line_of(node)} with values = ["...", "..."], or for ranges of a number '
                'another table with type = "bins", of = "..." and edges = [...]',
            )
        return found

    def line_of(self, node: Any) -> str:
        """Name a column's table in the declaration; a name that is not declared is not repeated."""
        declared = find(self.dataset.columns, self.name(node))
        return f"[columns.{'COLUMN' if declared is None else declared.name}]"

    def column(self, node: Any) -> Column | Key:
        name = self.name(node)
        found = find(self.dataset.columns, name) or find(self.dataset.keys, name)
        if found is None:
            raise refuse(
                "the question names a column that is not declared",
                '[columns.COLUMN] with type = "number" or type = "text"',
            )
        return found

    def where(self, node: Any) -> Condition | None:
        if node is None:
            return None
        condition = self.condition(_only(node, "this").this, negated=False)
        if sum(1 for _ in atoms(condition)) > MOST_CONDITIONS:
            raise refuse(f"the question has more than {MOST_CONDITIONS} conditions")
        return condition

    def condition(self, node: Any, *, negated: bool) -> Condition:  # noqa: PLR0911 - a kind each
        kind = _kind(node)
        if kind == "Paren":
            return self.condition(_only(node, "this").this, negated=negated)
        if kind == "Not":
            return self.condition(_only(node, "this").this, negated=not negated)
        if kind in {"And", "Or"}:
            return self.junction(node, negated=negated)
        if kind == "Between":
            return self.between(node, negated=negated)
        if kind == "In":
            values = _only(node, "this", "expressions").expressions
            return self.among(node.this, values, negated=negated)
        if kind == "Is":
            return self.is_known(node, negated=negated)
        if kind in OPERATORS:
            return self.comparison(node, NEGATED[kind] if negated else OPERATORS[kind])
        raise refuse("the question has a condition that is not answered here")

    def is_known(self, node: Any, *, negated: bool) -> Condition:
        """Read IS NULL; the tree has NOT around it for IS NOT NULL."""
        column = self.column(_only(node, "this", "expression").this)
        if _kind(node.expression) != "Null":
            raise refuse("the question has a condition that is not answered here")
        key = column if isinstance(column, Key) else self.dataset.keys.get(column.name)
        if key is None:
            return KnownValue(column.name, not negated)
        return self.in_cells(key, {OTHER, *key.codes} if negated else {MISSING}, negated=False)

    def junction(self, node: Any, *, negated: bool) -> Condition:
        word = "AND" if (_kind(node) == "And") != negated else "OR"
        kind = _kind(node)
        parts: list[Condition] = []
        pending = [node]
        while pending:
            part = pending.pop()
            if _kind(part) == kind:
                _only(part, "this", "expression")
                pending += [part.this, part.expression]
            else:
                parts.append(self.condition(part, negated=negated))
            if len(parts) > MOST_CONDITIONS:
                raise refuse(f"the question has more than {MOST_CONDITIONS} conditions")
        return joined(word, parts)

    def between(self, node: Any, *, negated: bool) -> Condition:
        _only(node, "this", "low", "high")
        low, high = node.args["low"], node.args["high"]
        ends = (
            self.compare(node.this, "<" if negated else ">=", low),
            self.compare(node.this, ">" if negated else "<=", high),
        )
        return joined("OR" if negated else "AND", ends)

    def comparison(self, node: Any, operator: str) -> Condition:
        left, right = _only(node, "this", "expression").this, node.expression
        if _kind(left) == "Column":
            return self.compare(left, operator, right)
        return self.compare(right, MIRRORED[operator], left)

    def compare(self, left: Any, operator: str, right: Any) -> Condition:
        column = self.column(left)
        if operator in {"=", "<>"}:
            return self.among(left, [right], negated=operator == "<>")
        if not isinstance(column, Column) or column.kind != "number":
            raise refuse("the question compares the order of texts")
        return Compare(column.name, operator, self.number(right))

    def among(self, left: Any, values: list[Any], *, negated: bool) -> Condition:
        column = self.column(left)
        if not values or len(values) > MOST_CONDITIONS:
            raise refuse("the question lists no values, or too many")
        if isinstance(column, Column) and column.kind == "number":
            return self.equals(column, [self.number(value) for value in values], negated=negated)
        texts = {self.text(value) for value in values}
        key = column if isinstance(column, Key) else self.dataset.keys.get(column.name)
        if key is not None:
            return self.cells(key, texts, negated=negated)
        return OneOf(column.name, tuple(sorted(texts)), negated)

    def equals(self, column: Column, numbers: list[Fraction], *, negated: bool) -> Condition:
        key = self.dataset.keys.get(column.name)
        if key is not None and all(number in key.code_of for number in numbers):
            codes = {key.code_of[number] for number in numbers}
            return self.in_cells(key, codes, negated=negated)
        operator, word = ("<>", "AND") if negated else ("=", "OR")
        return joined(word, [Compare(column.name, operator, number) for number in numbers])

    def cells(self, key: Key, texts: set[str], *, negated: bool) -> Condition:
        codes = {key.code_of[text] for text in texts if text in key.code_of}
        if len(codes) < len(texts):
            raise refuse(
                "the question compares a key with a value that is not declared for it",
                f'[columns.{key.name}] with the value in values = ["...", "..."]',
            )
        return self.in_cells(key, codes, negated=negated)

    def in_cells(self, key: Key, codes: set[int], *, negated: bool) -> Condition:
        if negated:
            codes = {OTHER, *key.codes} - codes
        self.listed["codes"] += len(codes)
        if self.listed["codes"] > MOST_CODES:
            raise refuse(f"the question names more than {MOST_CODES} values of its keys in all")
        return InCells(key.name, tuple(sorted(codes)))

    def number(self, node: Any) -> Fraction:
        sign = 1
        if _kind(node) == "Neg":
            sign, node = -1, _only(node, "this").this
        if _kind(node) != "Literal" or _only(node, "this", "is_string").is_string:
            raise refuse("the question compares a number with something that is not a number")
        number = exact_number(str(node.this))
        if number is None or abs(number) >= 10**300 or not math.isfinite(float(number)):
            raise refuse("the question holds a number that is not finite")
        return sign * number

    def text(self, node: Any) -> str:
        if _kind(node) == "Boolean":
            return "true" if _only(node, "this").this else "false"
        if _kind(node) != "Literal" or not _only(node, "this", "is_string").is_string:
            raise refuse("the question compares a text with something that is not a text")
        return str(node.this)


Named = TypeVar("Named")


def find(named: Mapping[str, Named], name: str) -> Named | None:
    """Find by name, exactly or but for upper and lower case."""
    if name in named:
        return named[name]
    folded = {known.casefold(): value for known, value in named.items()}
    return folded.get(name.casefold())

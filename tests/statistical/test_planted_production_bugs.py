"""A rule broken for each production of the made-up questions: these questions alone find it."""

from __future__ import annotations

import dataclasses
import itertools
import random
from datetime import timedelta

import pytest

from indistinct.questions.database.relational import (
    from_,
    functions,
    keys,
    parts,
    replies,
    statement,
    units,
)
from indistinct.questions.database.relational.functions import Writer
from made_questions import any_question
from own_answers import check_production
from planted_rules import BUGS, FIRST, patched
from shared import longer

MOST_SEEDS = 20


def one_sided_dropped(right):
    """Leave out an equation of two columns of one side."""

    def bound_join(left, source, join, name):
        both, conditions = right(left, source, join, name)
        kept = [
            one
            for one in conditions
            if (sides := from_.of_columns(one)) is None or sides[0].of != sides[1].of
        ]
        return both, kept

    return bound_join


def by_person_alone(right):
    """Equate the person of USING, and nothing else."""
    return lambda left, source, join, name: right(
        left, source, dataclasses.replace(join, using=join.using[:1]), name
    )


def constant_if_one(right):
    """Take a column of one value for this value, also where it is missing."""

    def whole(self, node):
        value = right(self, node)
        is_one = value.kind == "text" and value.values is not None and len(value.values) == 1
        return dataclasses.replace(value, sql=f"'{value.values[0]}'") if is_one else value

    return whole


def without_having(right):
    """Forget the condition of a subquery's groups."""
    return lambda self, select, *given: right(
        self, dataclasses.replace(select, having=None), *given
    )


def as_rows_lie(monkeypatch):
    """Charge as few rows in all as are asked for, and let each group have its own."""
    right = statement.size_of
    monkeypatch.setattr(
        statement,
        "size_of",
        lambda part, limits, *given: right(
            part,
            dataclasses.replace(limits, rows_in_all=limits.groups * limits.rows, read=None),
            *given,
        ),
    )
    monkeypatch.setattr(parts.Part, "exempt", lambda *_: 0)


def without_full_groups(right):
    """Scale people to the limit of their groups, and charge that of full ones."""
    return lambda part, limits, *given: right(
        part, dataclasses.replace(limits, full_groups=None), *given
    )


def of_kind(kind):
    """Scale parts of one kind to one and a half times what is charged."""

    def plant(right):
        def size_of(part, *given):
            found = right(part, *given)
            is_meant = found is not None and part.kind in kind
            return dataclasses.replace(found, most=found.most * 3) if is_meant else found

        return size_of

    return patched(statement, "size_of", plant)


def a_day_late(right):
    """Begin periods a day late."""
    return lambda day, kind: right(day, kind) + timedelta(days=1)


def from_one_end(right):
    """Measure means from the lower end of the bounds, for the price of the middle."""
    del right
    return property(lambda self: self.low)


def squared_whole(right):
    """Take nothing off the squares, for the price of less."""
    return lambda self, *given: right(self, *given).replace(f" - {self.units.half_square})", ")")


def of_more_rows(right):
    """Let three times as many rows of a person count in a quantile."""
    return lambda rows, columns, part, limits, *given: right(
        rows,
        columns,
        part,
        dataclasses.replace(limits, rows=3 * limits.rows, rows_in_all=3 * limits.rows_in_all),
        *given,
    )


def turned_around(right):
    """Compute of the last number first."""
    return lambda function, numbers: right(function, numbers[::-1])


def rounded_down(right):
    """Round the numbers of a reply down."""

    def numeric_of(call):
        return functions.NUMERIC["FLOOR"] if call.name == "ROUND" else right(call)

    return numeric_of


PLANTS = {
    "missing rows taken for no group": patched(
        from_, "perhaps_missing", lambda right: lambda left, source, conditions: right(
            left, source, [])),
    "an equation of one side left out": patched(from_, "bound_join", one_sided_dropped),
    "USING by the person alone": patched(from_, "bound_join", by_person_alone),
    "one value taken for a constant": patched(Writer, "whole", constant_if_one),
    "HAVING of a subquery forgotten": patched(from_.Compiler, "grouped", without_having),
    "periods that begin a day late": patched(keys, "start_of", a_day_late),
    "rows in all charged alone": as_rows_lie,
    "full groups charged alone": patched(statement, "size_of", without_full_groups),
    "three times as many rows": of_kind({"count"}),
    "three times as large a sum": of_kind({"sum"}),
    "a mean from one end": patched(units.Units, "middle", from_one_end),
    "squares from zero": patched(parts.Part, "aggregate", squared_whole),
    "quantiles of more rows": patched(statement, "weights", of_more_rows),
    "the last number first": patched(replies, "computed", turned_around),
    "replies rounded down": patched(replies, "numeric_of", rounded_down),
    "a person guessed to be in one group": patched(
        from_.QuestionScope, "groups", lambda right: lambda self, nodes: 1),
}  # fmt: skip
OF_PRODUCTIONS = {
    "plain": "a norm half as large again",
    "an equation of one side": "an equation of one side left out",
    "conditions in ON": "missing rows taken for no group",
    "three LEFT JOINs": "the person of a source that may be missing",
    "a self join": "a table that stands twice counted once",
    "USING with more than the person": "USING by the person alone",
    "a constant in a subquery": "one value taken for a constant",
    "HAVING in a subquery": "HAVING of a subquery forgotten",
    "a public table by an expression": "a public key equated after it was written anew",
    "periods": "periods that begin a day late",
    "any value looked up": "a value looked up among everybody",
    "a person and a code": "the number of a person compared with a code",
    "gaps in keys": "gaps filled after a key was made unique",
    "numbers that differ in the 20th digit": "steps by the text of a number",
    "a declared column of one value": "one value taken for a constant",
    "WITH, used twice": "a named select that stands twice counted once",
    "a subquery by person": "inner GROUP BY without the person",
    "work on the reply": "the last number first",
    "a rounded reply": "replies rounded down",
    "HAVING on texts": "work on the reply that fails",
    "COUNT": "three times as many rows",
    "SUM": "three times as large a sum",
    "AVG": "a mean from one end",
    "VARIANCE": "squares from zero",
    "MEDIAN": "quantiles of more rows",
    "--groups": "no lots over the groups of the first stage",
    "--rows": "lots by the number of a person",
    "--rows-in-all": "rows in all charged alone",
    "--full-groups": "full groups charged alone",
    "no limits": "a person guessed to be in one group",
}
# Found by questions of their own, and too seldom by those that are made up.
BY_OWN_QUESTIONS = {
    "large numbers": "squares of sums as doubles",
    "a missing person looked up": "a missing person looked up",
    "rows that lead to people": "rows that lead to several people given to one",
}
FEW = ["HAVING on texts", "WITH, used twice"]


def check_many(production, seeds):
    """Ask many databases."""
    for seed in seeds:
        check_production(production, seed)


@pytest.mark.parametrize(
    ("production", "first"),
    longer(list(itertools.product(OF_PRODUCTIONS, FIRST)), [(one, 0) for one in FEW]),
)
def test_made_up_questions_find_the_bug_of_their_production(monkeypatch, production, first):
    """Within twenty databases, wherever they begin."""
    name = OF_PRODUCTIONS[production]
    plant = PLANTS.get(name) or BUGS[name][0]
    plant(monkeypatch)
    with pytest.raises(AssertionError):
        check_many(production, range(first, first + MOST_SEEDS))


@pytest.mark.parametrize("production", longer(list(OF_PRODUCTIONS), FEW[:1]))
def test_without_a_bug_nothing_is_found(production):
    """A check that always fails would find every bug."""
    assert check_production(production, seed=0) + check_production(production, seed=1)


def test_every_production_has_a_bug():
    """Of those that a thousand questions are made of."""
    chance = random.Random(1)
    made = {one for _ in range(1000) for one in any_question(chance).productions}
    assert made == {*OF_PRODUCTIONS, *BY_OWN_QUESTIONS}
    assert {*BY_OWN_QUESTIONS.values()} <= set(BUGS)
    assert {*PLANTS} <= {*OF_PRODUCTIONS.values()}

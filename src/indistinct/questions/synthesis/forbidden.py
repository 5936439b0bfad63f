"""From forbidden pairs and rules of order, as they are declared, to rules over codes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

import numpy as np

from indistinct.base.arrays import Bools
from indistinct.errors import Fault
from indistinct.questions.database.dataset import Dataset, Forbidden, Scalar, plain
from indistinct.questions.synthesis.domain import CodedColumn
from indistinct.questions.synthesis.model import Rules, is_forest, settled
from indistinct.questions.synthesis.ordered import PLACE as RULES, ordered_mask, rule_faults
from indistinct.questions.synthesis.tree import Link

Mask = Callable[[CodedColumn, CodedColumn], Bools]  # which codes of two columns may occur together

PLACE = "synthesis.forbidden"


def rules_of(dataset: Dataset, measured: Sequence[CodedColumn], focus: CodedColumn | None) -> Rules:
    """Make the rules of what a declaration forbids; it has no faults."""
    places = {column.name: at for at, column in enumerate(measured)}
    n_focus = 1 if focus is None else focus.n_codes
    singles = [np.ones((column.n_codes, n_focus), bool) for column in measured]
    pairs: dict[Link, Bools] = {}
    given: list[tuple[tuple[str, str], Mask]] = [
        (one.columns, partial(_mask, one)) for one in dataset.synthesis.forbidden
    ]
    given += [(rule, partial(ordered_mask, rule)) for rule in dataset.synthesis.rules]
    for names, mask in given:
        if focus is not None and focus.name in names:
            other = names[1] if names[0] == focus.name else names[0]
            singles[places[other]] &= mask(measured[places[other]], focus)
        else:
            a, b = sorted(places[name] for name in names)
            known = pairs.get((a, b), np.ones((measured[a].n_codes, measured[b].n_codes), bool))
            pairs[a, b] = known & mask(measured[a], measured[b])
    return settled(singles, pairs)


def forbidden_faults(
    dataset: Dataset, columns: Sequence[CodedColumn], focus: CodedColumn | None
) -> Iterator[Fault]:
    """Find what is wrong in forbidden pairs and in rules of order."""
    words = dataset.synthesis
    if not words.forbidden and not words.rules:
        return
    place = PLACE if words.forbidden else RULES
    if words.algorithm == "independent":
        problem = "cannot be kept by the algorithm independent, which keeps no pairs"
        yield Fault(place, problem, 'Set algorithm = "mst", or leave the pairs out.')
    named = {column.name: column for column in columns}
    wrong = [
        *_column_faults(dataset, named),
        *_word_faults(dataset, named),
        *rule_faults(dataset, columns),
    ]
    yield from wrong
    if wrong:
        return
    measured = [column for column in columns if column is not focus]
    rules = rules_of(dataset, measured, focus)
    if not is_forest(list(rules.pairs), len(measured)):
        remedy = "Leave one of them out, or make one of the columns the focus."
        yield Fault(place, "connects its columns in a circle", remedy)
        return
    for column, mask in zip(measured, rules.singles, strict=True):
        if not (mask.any(axis=0).all() and mask.any(axis=1).all()):
            problem = f"leaves no pair for a value of {column.name}, or of the focus with it"
            remedy = "Leave the value out of the declaration, or allow a pair."
            if words.rules:
                remedy += " Bounds that reach beyond a rule are too wide where nothing is missing."
            yield Fault(place, problem, remedy)


def _column_faults(dataset: Dataset, named: dict[str, CodedColumn]) -> Iterator[Fault]:
    for at, one in enumerate(dataset.synthesis.forbidden):
        for name in one.columns:
            if name not in named:
                problem = f"names {name}, which is not made up from counts of its own"
                yield Fault(f"{PLACE}.{at}.columns", problem, "Name two columns with codes.")
        if one.columns[0] == one.columns[1]:
            yield Fault(f"{PLACE}.{at}.columns", "names one column twice", "Name two columns.")


def _word_faults(dataset: Dataset, named: dict[str, CodedColumn]) -> Iterator[Fault]:
    for at, one in enumerate(dataset.synthesis.forbidden):
        for number, pair in enumerate(one.pairs):
            for name, word in zip(one.columns, pair, strict=True):
                if name in named and not named[name].covered(word):
                    yield Fault(
                        f"{PLACE}.{at}.pairs.{number}",
                        f"holds {plain(word)!r}, which is not a value of {name}",
                        'Write a declared value, "" for a missing one, or an interval: "[0, 16)".',
                    )


def _mask(one: Forbidden, rows: CodedColumn, columns: CodedColumn) -> Bools:
    """Return what may occur of two columns, shape (codes of the first, codes of the second)."""
    allowed = np.ones((rows.n_codes, columns.n_codes), bool)
    for pair in one.pairs:
        words: dict[str, Scalar] = dict(zip(one.columns, pair, strict=True))
        forbidden = np.ix_(rows.covered(words[rows.name]), columns.covered(words[columns.name]))
        allowed[forbidden] = False
    return allowed

"""What several questions would cost together; nothing is charged."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from typing import Any, final

from indistinct.base.billionths import as_number, billionths, exact_number
from indistinct.errors import Fault, ParameterError, QuestionError
from indistinct.questions.database.dataset import DELTAS, OWNER
from indistinct.questions.database.relational.errors import expected_error
from indistinct.questions.database.relational.plan import RelationalPlan
from indistinct.questions.database.session import Session

SEPARATOR = re.compile(r";\s*(?:\n|$)")


@final
@dataclass(frozen=True, slots=True)
class BatchPrice:
    """What several questions would cost.

    Parameters
    ----------
    questions : of each its epsilon, delta, expected error and what that counts
    all : the epsilon of all together
    fits : whether all can be asked now
    """

    questions: list[dict[str, Any]]
    all: float
    delta: float
    fits: bool

    def document(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


def questions_of(text: str) -> list[str]:
    """Split a file into questions, each of which ends with a semicolon at the end of a line."""
    bare = (one for one in SEPARATOR.split(text) if re.sub(r"--[^\n]*", "", one).strip())
    return [one.strip() for one in bare]


def price(  # noqa: PLR0913 - one keyword per option
    session: Session,
    questions: Sequence[str],
    epsilon_in_all: Any = None,
    weights: Sequence[float] | None = None,
    rows_expected: int | None = None,
    *,
    analyst: str = OWNER,
) -> BatchPrice:
    """Return what questions would cost together; charge nothing.

    Parameters
    ----------
    epsilon_in_all : shared by the questions; if left out, each states its own in its OPTIONS
    weights : of the questions' shares; equal if left out
    analyst : whose budget the questions fit, or not

    Raises
    ------
    QuestionError, ParameterError
        If a question, its epsilon or a weight is not one.
    """
    epsilons: list[Any] = [None] * len(questions)
    meaning = session.ledger.meaning()
    if epsilon_in_all is not None:
        shares = shares_of(weights or [1] * len(questions), len(questions))
        amount = meaning.granted(billionths(epsilon_in_all, "epsilon_in_all"))
        parts = [int(amount * share / sum(shares)) for share in shares]
        epsilons = [Decimal(meaning.affordable(part)).scaleb(-9) for part in parts]
    plans = planned(session, questions, epsilons)
    total, delta = sum(plan.price for plan in plans), sum(plan.delta for plan in plans)
    who = session.dataset.analyst(analyst)
    left = session.ledger.left(who, session.version)
    return BatchPrice(
        [described(plan, rows_expected) for plan in plans],
        as_number(meaning.reported(total)),
        delta / DELTAS,
        total <= left and delta <= session.ledger.delta_left(who),
    )


def shares_of(weights: Sequence[float], n_questions: int) -> list[Fraction]:
    """Return the weights as exact numbers.

    Raises
    ------
    ParameterError
        If they are not one finite number above 0 for each question.
    """
    exact = [exact_number(one) for one in weights]
    shares = [one for one in exact if one is not None and one > 0]
    if len(shares) != len(weights) or len(shares) != n_questions:
        raise ParameterError(
            "weights: must be one number above 0 for each question", "Leave them out."
        )
    return shares


def planned(
    session: Session, questions: Sequence[str], epsilons: Sequence[Any]
) -> list[RelationalPlan]:
    """Return the plan of every question.

    Raises
    ------
    QuestionError
        With the faults of all questions, each with the number of its question.
    """
    plans: list[RelationalPlan] = []
    faults: list[Fault] = []
    for number, (question, epsilon) in enumerate(zip(questions, epsilons, strict=True), start=1):
        try:
            plans.append(session.plan(question, epsilon))
        except QuestionError as error:
            faults += [replace(one, place=f"question {number}") for one in error.faults]
    if faults:
        raise QuestionError(faults)
    return plans


def described(plan: RelationalPlan, rows: int | None) -> dict[str, Any]:
    """Return price, delta and expected errors of a question."""
    error, unit = expected_error(plan, rows)
    return {
        "price": as_number(plan.meaning.reported(plan.price)),
        "delta": plan.delta / DELTAS,
        "expected_error": error,
        "unit": unit,
    }

"""Made-up records of a declared table: charge first, then look, then draw."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, final

from indistinct.base.billionths import as_number
from indistinct.base.files.documents import json_text
from indistinct.base.randomness import RandomSource
from indistinct.errors import ParameterError
from indistinct.questions.database.book import Request, Reserved
from indistinct.questions.database.dataset import OWNER, Dataset
from indistinct.questions.database.session import Session, open_engine, open_session
from indistinct.questions.synthesis import stored
from indistinct.questions.synthesis.domain import DomainCell, EngineCounts, domain_sha256, names_of
from indistinct.questions.synthesis.drawing import draw
from indistinct.questions.synthesis.drowning import drowning, fewest_records, warning_beforehand
from indistinct.questions.synthesis.model import Model
from indistinct.questions.synthesis.mst import learn
from indistinct.questions.synthesis.ordered import in_order
from indistinct.questions.synthesis.plan import SynthesisPlan, make_plan

KIND = "synthetic"
MOST_RECORDS = 10**8


@final
@dataclass(frozen=True, slots=True)
class SynthesisPrice:
    """What a synthesis would cost, known without a look at the data.

    Parameters
    ----------
    price, left : of rho
    scales : of the noise on counts, per step
    membership_bound : the most by which an attacker's true positive rate exceeds the false one
    fewest_records : in a table of fewer, the noise is as large as what is counted
    warning : that it is so, or would be in a small table, and what would be needed
    """

    price: float
    left: float
    scales: Mapping[str, float]
    membership_bound: float
    question: str
    fewest_records: int
    warning: str | None

    def document(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


@final
@dataclass(frozen=True, slots=True)
class SyntheticRecords:
    """Synthetic records, the model from which they were drawn, and the promise.

    Parameters
    ----------
    cells : of every column
    charged, left : billionths of rho
    warning : that the noise is as large as what is counted, and what would be needed
    """

    cells: Mapping[str, Sequence[DomainCell]]
    model: Mapping[str, Any]
    manifest: Mapping[str, Any]
    charged: int
    left: int
    warning: str | None


def drawn(
    declaration: str | Path, epsilon: Any, rows: int | None, *, fresh: bool
) -> SyntheticRecords:
    """Charge, count and add noise, or find the model that was paid for; then draw records."""
    check_rows(rows)
    with open_session(declaration) as session:
        plan = make_plan(session.dataset, epsilon)
        reserved = session.ledger.reserve(_request(plan, session.version, fresh=fresh))
        text = reserved.answer or _learned(plan, session, reserved)
    # A ledger of an older version keeps counts with more digits.
    document = stored.on_grid(json.loads(text))
    model = stored.read(json.dumps(document), plan)
    cells = made_up(plan, model, model.n_records if rows is None else rows)
    n_records = len(next(iter(cells.values())))
    manifest = _manifest(plan, document, reserved, n_records)
    warning = drowning(plan, model.n_records).warning
    return SyntheticRecords(cells, document, manifest, reserved.charged, reserved.left, warning)


def price_of(declaration: str | Path, epsilon: Any, rows: int | None = None) -> SynthesisPrice:
    """Return price, noise and bound of a synthesis; charge nothing.

    Parameters
    ----------
    rows : about how many records the table has, as its owner says; nobody counts them
    """
    check_rows(rows)
    with open_session(declaration) as session:
        plan = make_plan(session.dataset, epsilon)
        left = session.ledger.left(session.dataset.analyst(OWNER), session.version)
    return SynthesisPrice(
        price=as_number(plan.budget),
        left=as_number(left),
        scales={charge.step: charge.scale for charge in plan.spending.charges()},
        membership_bound=plan.membership_bound,
        question=plan.canonical,
        fewest_records=fewest_records(plan),
        warning=warning_beforehand(plan, rows),
    )


def check_rows(rows: int | None) -> None:
    """Refuse a number of records that cannot be drawn."""
    if rows is not None and not 1 <= rows <= MOST_RECORDS:
        raise ParameterError(
            f"rows: must lie between 1 and {MOST_RECORDS}", "Ask for at least one record."
        )


def _request(plan: SynthesisPlan, version: str, *, fresh: bool) -> Request:
    """Ask for a charge that concerns everybody: no box confines it."""
    owner = plan.dataset.analyst(OWNER)
    return Request(owner, version, plan.canonical, plan.budget, {}, fresh)


def _learned(plan: SynthesisPlan, session: Session, reserved: Reserved) -> str:
    """Read the data, add noise and store the model; the charge is on disk already."""
    counts = EngineCounts(session.engine, plan.dataset, plan.measured, plan.focus)
    model = learn(
        plan.attributes,
        counts,
        plan.spending,
        focused=plan.focus is not None,
        pair_scale=plan.pair_scale,
        rules=plan.rules,
    )
    text = json.dumps(stored.on_grid(stored.written(model, plan)))
    session.ledger.commit(reserved.number, text)
    return text


def made_up(plan: SynthesisPlan, model: Model, n_records: int) -> dict[str, list[DomainCell]]:
    """Draw records and write their cells, column by column in the declared order."""
    source = RandomSource()
    codes, focus = draw(model, n_records, source)
    places = {column.name: at for at, column in enumerate(plan.measured)}
    own = {
        column.name: focus if column is plan.focus else codes[:, places[column.name]]
        for column in plan.columns
    }
    numbers = [column for column in plan.columns if column.bounds is not None]
    steps = in_order(
        plan.dataset.synthesis.rules,
        {one.name: one.steps(own[one.name], source) for one in numbers},
        {one.name: one.are_known(own[one.name]) for one in numbers},
    )
    cells = {
        column.name: column.cells(own[column.name], source)
        if column.bounds is None
        else column.numbers(own[column.name], steps[column.name])
        for column in plan.columns
    }
    cells |= {name: one.of(cells[one.parent]) for name, one in plan.derived.items()}
    return {name: cells[name] for name in names_of(plan.dataset)}


def _manifest(
    plan: SynthesisPlan, model: Mapping[str, Any], reserved: Reserved, n_records: int
) -> dict[str, Any]:
    """State what is promised; nothing here comes from a record but through the model."""
    dataset: Dataset = plan.dataset
    return {
        "kind": KIND,
        "algorithm": dataset.synthesis.algorithm,
        "epsilon": plan.epsilon_text,
        "delta": plan.delta,
        "rho": as_number(plan.budget),
        "accountant": f"zCDP, {dataset.budget.conversion.value}",
        "unit": "person",
        "rows_per_person": dataset.rows_per_person,
        "neighbours": "add or remove one person",
        "membership_bound": plan.membership_bound,
        "charges": model["charges"],
        "ledger_entry": reserved.number,
        "domain_sha256": domain_sha256(plan.columns),
        "columns": [
            {
                "name": column["name"],
                "codes": len(column["codes"]),
                "joined": max(column["joined"]) + 1,
            }
            for column in model["columns"]
        ],
        "derived": {name: own.parent for name, own in plan.derived.items()},
        "tree": [edge["columns"] for edge in model["edges"]],
        "focus": None if plan.focus is None else plan.focus.name,
        "rows": n_records,
        "model_sha256": hashlib.sha256(json_text(model).encode()).hexdigest(),
    }


def trial_plan(
    dataset: Dataset, epsilon: Any, algorithm: Literal["mst", "independent"], focus: str | None
) -> SynthesisPlan:
    """Decide what a synthesis by another algorithm or with another focus would cost and count."""
    # Without pairs nothing can be kept apart: the baseline is made without it.
    words = replace(dataset.synthesis, algorithm=algorithm, focus=focus)
    if algorithm == "independent":
        words = replace(words, forbidden=(), rules=())
    return make_plan(replace(dataset, synthesis=words), epsilon)


def trials(
    plan: SynthesisPlan, data: Path, times: int
) -> Sequence[Mapping[str, Sequence[DomainCell]]]:
    """Make up tables of other rows of the declared table; no ledger is asked.

    Parameters
    ----------
    data : a file with the columns of the declaration
    times : how many, each with noise of its own

    Returns
    -------
    the cells of each table, by column
    """
    dataset = replace(plan.dataset, data=str(data))
    engine = open_engine(dataset)
    try:
        counts = EngineCounts(engine, dataset, plan.measured, plan.focus)
        models = [
            learn(
                plan.attributes,
                counts,
                plan.spending,
                focused=plan.focus is not None,
                pair_scale=plan.pair_scale,
                rules=plan.rules,
            )
            for _ in range(times)
        ]
    finally:
        engine.close()
    return [made_up(plan, model, model.n_records) for model in models]

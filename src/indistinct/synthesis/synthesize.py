"""Made-up records of a declared table: charge first, then look, then draw."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

from indistinct.core.brief import briefly
from indistinct.core.documents import json_text
from indistinct.core.randomness import RandomSource
from indistinct.core.writing import atomic
from indistinct.database.dataset import OWNER, Dataset
from indistinct.database.ledger import Request, Reserved
from indistinct.database.session import Session, open_session
from indistinct.engines import files
from indistinct.engines.made_up import table_of_cells
from indistinct.errors import OutputError, ParameterError
from indistinct.mechanisms.accountant import as_number
from indistinct.synthesis import stored
from indistinct.synthesis.domain import Cell, domain_sha256
from indistinct.synthesis.drawing import draw
from indistinct.synthesis.model import Model
from indistinct.synthesis.mst import learn
from indistinct.synthesis.plan import Plan, make_plan
from indistinct.synthesis.reading import EngineCounts

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
    """

    price: float
    left: float
    scales: Mapping[str, float]
    membership_bound: float
    question: str

    def document(self) -> dict[str, Any]:
        """Give it as JSON has it."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


@final
@dataclass(frozen=True, slots=True)
class Synthesis:
    """Made-up records, the model they were drawn from, and what is promised.

    Parameters
    ----------
    data : the records, as a Polars frame
    model : noisy counts and the counts made of them, as JSON has them; it may be published
    manifest : what is promised and what it cost
    charged, left : rho that this call cost, and that the owner can still spend
    """

    data: Any
    model: Mapping[str, Any]
    manifest: Mapping[str, Any]
    charged: float
    left: float

    __repr__ = briefly

    def write(
        self,
        path: str | Path,
        *,
        manifest: str | Path | None = None,
        model: str | Path | None = None,
    ) -> Mapping[str, Any]:
        """Write the records and their manifest, and the model if asked for; all or nothing.

        Parameters
        ----------
        path : the ending chooses the format
        manifest : beside the records when left out
        model : where the model goes

        Returns
        -------
        the manifest, the hashes of the written files included

        Raises
        ------
        OutputError
            when a file cannot be written, or something else stands at ``path``
        """
        places = places_of(path, manifest, model)
        with ExitStack() as together:
            # Names appear in reverse order: the manifest first, and the records last.
            temporary = together.enter_context(atomic(Path(path)))
            files.write(self.data, str(temporary), files.format_of(str(path)))
            noted = {**self.manifest, "output_sha256": files.sha256_of(temporary)}
            for place in places[1:]:
                text = json_text(self.model)
                together.enter_context(atomic(place)).write_text(text, "utf-8")
            together.enter_context(atomic(places[0])).write_text(json_text(noted), "utf-8")
        return noted


def places_of(
    path: str | Path, manifest: str | Path | None, model: str | Path | None
) -> list[Path]:
    """Check where files go before anything is charged; give those of manifest and model.

    Raises
    ------
    OutputError
        when a place cannot be written to, is named twice, or holds what is no made-up table
    """
    beside = Path(f"{path}.manifest.json" if manifest is None else manifest)
    places = [beside, *([] if model is None else [Path(model)])]
    files.check_output(str(path), None)
    for one in places:
        if not one.absolute().parent.is_dir():
            raise OutputError(f"the folder of {one.name} does not exist", "Make it first.")
    everything = [Path(path).resolve(), *(place.resolve() for place in places)]
    if len(set(everything)) < len(everything):
        raise OutputError("two outputs have the same path", "Give each a path of its own.")
    if Path(path).exists() and not _is_ours(beside):
        raise OutputError(
            f"{path} exists and is not a synthetic table that can be replaced",
            "Choose another path, or remove the file.",
        )
    return places


def _is_ours(manifest: Path) -> bool:
    try:
        return bool(json.loads(manifest.read_text("utf-8")).get("kind") == KIND)
    except (OSError, ValueError, AttributeError):
        return False


def synthesize(
    declaration: str | Path,
    epsilon: Any,
    *,
    rows: int | None = None,
    fresh: bool = False,
) -> Synthesis:
    """Make up records from noisy counts of a declared table, and pay for them from its ledger.

    The same request again costs nothing and draws other records from the same model.

    Parameters
    ----------
    declaration : the TOML file that declares the dataset, ``accounting = "zcdp"``
    epsilon : a positive decimal number, of at most nine decimals
    rows : how many records; about as many as there are when left out
    fresh : pay for a new model even if there is one

    Raises
    ------
    ParameterError
        If the declaration or a parameter does not allow it; nothing is charged.
    BudgetExceededError
        If it costs more than is left; nothing is charged.
    EngineError
        If the data cannot be reached; the charge stays.

    Notes
    -----
    Source: mckenna2021.
    """
    check_rows(rows)
    with open_session(declaration) as session:
        plan = make_plan(session.dataset, epsilon)
        request = _request(plan, session.version, fresh=fresh)
        reserved = session.ledger.reserve(request)
        text = reserved.answer or _learned(plan, session, reserved)
    return _drawn(plan, text, reserved, rows)


def price_of(declaration: str | Path, epsilon: Any) -> SynthesisPrice:
    """Give price, noise and bound of a synthesis; charge nothing."""
    with open_session(declaration) as session:
        plan = make_plan(session.dataset, epsilon)
        left = session.ledger.left(session.dataset.analyst(OWNER), session.version)
    return SynthesisPrice(
        price=as_number(plan.budget),
        left=as_number(left),
        scales={charge.step: charge.scale for charge in plan.spending.charges()},
        membership_bound=plan.membership_bound,
        question=plan.canonical,
    )


def check_rows(rows: int | None) -> None:
    """Refuse a number of records that cannot be drawn."""
    if rows is not None and not 1 <= rows <= MOST_RECORDS:
        raise ParameterError(
            f"rows: must lie between 1 and {MOST_RECORDS}", "Ask for at least one record."
        )


def _request(plan: Plan, version: str, *, fresh: bool) -> Request:
    """Ask for a charge that concerns everybody: no box confines it."""
    owner = plan.dataset.analyst(OWNER)
    return Request(owner, version, plan.canonical, plan.budget, {}, fresh)


def _learned(plan: Plan, session: Session, reserved: Reserved) -> str:
    """Read the data, add noise and store the model; the charge is on disk already."""
    counts = EngineCounts(session.engine, plan.dataset, plan.measured, plan.focus)
    model = learn(
        plan.attributes,
        counts,
        plan.spending,
        focused=plan.focus is not None,
        pair_scale=plan.pair_scale,
    )
    text = json.dumps(stored.written(model, plan))
    session.ledger.commit(reserved.number, text)
    return text


def _drawn(plan: Plan, text: str, reserved: Reserved, rows: int | None) -> Synthesis:
    model = stored.read(text, plan)
    cells = made_up(plan, model, model.n_records if rows is None else rows)
    document = json.loads(text)
    return Synthesis(
        data=table_of_cells(cells),
        model=document,
        manifest=_manifest(plan, document, reserved, len(next(iter(cells.values())))),
        charged=as_number(reserved.charged),
        left=as_number(reserved.left),
    )


def made_up(plan: Plan, model: Model, n_records: int) -> dict[str, list[Cell]]:
    """Draw records and write their cells, column by column in the declared order."""
    source = RandomSource()
    codes, focus = draw(model, n_records, source)
    places = {column.name: at for at, column in enumerate(plan.measured)}
    return {
        column.name: column.cells(
            focus if column is plan.focus else codes[:, places[column.name]], source
        )
        for column in plan.columns
    }


def _manifest(
    plan: Plan, model: Mapping[str, Any], reserved: Reserved, n_records: int
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
        "tree": [edge["columns"] for edge in model["edges"]],
        "focus": None if plan.focus is None else plan.focus.name,
        "rows": n_records,
        "model_sha256": hashlib.sha256(json_text(model).encode()).hexdigest(),
    }

"""The model as JSON: what the ledger keeps, and what may be published."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np

from indistinct.base.arrays import Floats, Ints
from indistinct.base.billionths import as_number
from indistinct.base.files.documents import plain
from indistinct.questions.synthesis.compression import Joined
from indistinct.questions.synthesis.domain import domain_sha256
from indistinct.questions.synthesis.model import Model
from indistinct.questions.synthesis.plan import SynthesisPlan

KIND = "synthetic model"
COUNTS = frozenset({"totals", "fine", "counts", "projected"})


def written(model: Model, plan: SynthesisPlan) -> dict[str, Any]:
    """Return a model as a document, with what was paid for it."""
    return {
        "kind": KIND,
        "algorithm": plan.dataset.synthesis.algorithm,
        "epsilon": plan.epsilon_text,
        "delta": plan.delta,
        "rho": as_number(plan.budget),
        "conversion": plan.dataset.budget.conversion.value,
        "rows_per_person": plan.dataset.rows_per_person,
        "domain_sha256": domain_sha256(plan.columns),
        "order": [column.name for column in plan.columns],
        "charges": plain(list(plan.spending.charges())),
        "focus": _focus(model, plan),
        "totals": model.totals.tolist(),
        "columns": [_column(model, plan, at) for at in range(len(plan.measured))],
        "edges": [_edge(model, link) for link in model.links],
    }


def _focus(model: Model, plan: SynthesisPlan) -> dict[str, Any] | None:
    if plan.focus is None or model.focus is None:
        return None
    return {
        "name": plan.focus.name,
        "codes": plan.focus.described(),
        "noisy": model.focus.tolist(),
    }


def _column(model: Model, plan: SynthesisPlan, at: int) -> dict[str, Any]:
    document = {
        "name": plan.measured[at].name,
        "codes": plan.measured[at].described(),
        "noisy": model.singles[at].tolist(),
        "joined": model.joined[at].groups.tolist(),
        "fine": model.fine[at].tolist(),
        "counts": model.nodes[at].tolist(),
    }
    if model.nodes[at] is not model.projected[at]:
        document["projected"] = model.projected[at].tolist()
    return document


def _edge(model: Model, link: tuple[int, int]) -> dict[str, Any]:
    one, other = link
    return {
        "columns": [model.attributes[one].name, model.attributes[other].name],
        "noisy": model.pairs[link].tolist(),
        "counts": model.edges[link].tolist(),
    }


def on_grid(document: Any, *, is_count: bool = False) -> Any:
    """Return a model with projected counts of six decimals, so that none holds more than it says.

    Parameters
    ----------
    document : a model, or a part of it
    is_count : whether the part is one of these counts
    """
    if isinstance(document, dict):
        parts = cast("dict[str, Any]", document).items()
        return {name: on_grid(part, is_count=name in COUNTS) for name, part in parts}
    if isinstance(document, list):
        return [on_grid(part, is_count=is_count) for part in cast("list[Any]", document)]
    return round(document, 6) + 0.0 if is_count else document


def read(text: str, plan: SynthesisPlan) -> Model:
    """Read the model that the ledger keeps for a plan's request."""
    given: Mapping[str, Any] = json.loads(text)
    columns, edges = given["columns"], given["edges"]
    places = {column["name"]: at for at, column in enumerate(columns)}
    links = [(places[edge["columns"][0]], places[edge["columns"][1]]) for edge in edges]
    joined = [Joined(_ints(column["joined"])) for column in columns]
    return Model(
        attributes=plan.attributes,
        singles=[_ints(column["noisy"]) for column in columns],
        focus=None if given["focus"] is None else _ints(given["focus"]["noisy"]),
        totals=_floats(given["totals"]),
        joined=joined,
        fine=[_floats(column["fine"]) for column in columns],
        links=links,
        pairs={link: _ints(edge["noisy"]) for link, edge in zip(links, edges, strict=True)},
        projected=[_floats(column.get("projected", column["counts"])) for column in columns],
        nodes=[_floats(column["counts"]) for column in columns],
        edges={link: _floats(edge["counts"]) for link, edge in zip(links, edges, strict=True)},
        rules=plan.rules.joined(joined),
    )


def _ints(given: Sequence[Any]) -> Ints:
    return np.array(given, np.int64)


def _floats(given: Sequence[Any]) -> Floats:
    return np.array(given, np.float64)

"""What a manifest says must follow from its model and its table, and it may say nothing else."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator, Mapping
from typing import Any

from indistinct.core.documents import json_text
from indistinct.core.shapes import Shape, is_count, is_one_of, shape_faults
from indistinct.reader.synthetic.shape import is_same
from indistinct.reader.synthetic.table import MadeUpTable


def claim_faults(manifest: object, shape: Shape) -> Iterator[str]:
    """Find what a manifest says that is not so."""
    for place, problem in shape_faults(manifest, shape, "manifest"):
        said = "is not what the model and the table say"
        yield f"{place}: {said if problem.endswith('stands here') else problem}"


def claims_of(
    manifest: Mapping[str, Any],
    model: Mapping[str, Any],
    derived: Mapping[str, str],
    table: MadeUpTable,
) -> dict[str, Shape]:
    """Give the words of a manifest in their order, each with the one value that follows.

    Parameters
    ----------
    manifest : a table that has no name yet does not say that it was verified
    derived : columns that are looked up, with the column they are looked up by
    """
    bound = _membership_bound(float(model["epsilon"]), model["rho"], model["delta"])
    columns = [
        {
            "name": column["name"],
            "codes": len(column["codes"]),
            "joined": max(column["joined"]) + 1,
        }
        for column in model["columns"]
    ]
    same = {word: is_same(model[word]) for word in ("algorithm", "epsilon", "delta", "rho")}
    return {
        "kind": is_one_of("synthetic"),
        **same,
        "accountant": is_one_of(f"zCDP, {model['conversion']}"),
        "unit": is_one_of("person"),
        "rows_per_person": is_same(model["rows_per_person"]),
        "neighbours": is_one_of("add or remove one person"),
        "membership_bound": lambda value: (
            isinstance(value, float) and math.isclose(value, bound, rel_tol=1e-12)
        ),
        "charges": is_same(model["charges"]),
        "ledger_entry": is_count,
        "domain_sha256": is_same(model["domain_sha256"]),
        "columns": is_same(columns),
        "derived": is_same(derived),
        "tree": is_same([edge["columns"] for edge in model["edges"]]),
        "focus": is_same(model["focus"]["name"] if model["focus"] else None),
        "rows": is_one_of(len(table.rows)),
        "model_sha256": is_one_of(hashlib.sha256(json_text(model).encode()).hexdigest()),
        "output_sha256": is_one_of(table.sha256),
        **({"verified": lambda value: value is True} if "verified" in manifest else {}),
    }


def _membership_bound(epsilon: float, rho: float, delta: float) -> float:
    """Bound true minus false positive rate by the proof: tsybakov2009, lemma 2.5; or epsilon's own.

    The second is tanh(epsilon / 2), and a little for delta.
    """
    own = math.tanh(epsilon / 2) + 2 * delta / (1 + math.exp(min(epsilon, 700.0)))
    return min(1.0, math.sqrt(rho / 2), own)

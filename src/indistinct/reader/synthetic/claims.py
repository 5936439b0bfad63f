"""What a manifest says must follow from its model and its table, and it may say nothing else."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator, Mapping
from typing import Any

from indistinct.core.documents import json_text
from indistinct.reader.synthetic.table import MadeUpTable

# What a manifest may say: each follows from the declaration, the model or the made-up records.
KNOWN = frozenset(
    {
        "kind", "algorithm", "epsilon", "delta", "rho", "accountant", "unit", "rows_per_person",
        "neighbours", "membership_bound", "charges", "ledger_entry", "domain_sha256", "columns",
        "derived", "tree", "focus", "rows", "model_sha256", "output_sha256", "verified",
    }
)  # fmt: skip
SAME = ("algorithm", "epsilon", "delta", "rho", "rows_per_person", "charges", "domain_sha256")


def claim_faults(
    manifest: Mapping[str, Any],
    model: Mapping[str, Any],
    derived: Mapping[str, str],
    table: MadeUpTable,
) -> Iterator[str]:
    """Find what a manifest says that is not so.

    Parameters
    ----------
    derived : columns that are looked up, with the column they are looked up by
    """
    for word in sorted(set(manifest) - KNOWN):
        yield f"manifest.{word}: nothing that was paid for says this"
    for word, expected in _expected(model, derived, table).items():
        if manifest.get(word) != expected:
            yield f"manifest.{word}: is not what the model and the table say"
    bound = _membership_bound(float(model["epsilon"]), model["rho"], model["delta"])
    if not math.isclose(manifest.get("membership_bound", -1), bound, rel_tol=1e-9):
        yield "manifest.membership_bound: does not follow from epsilon, delta and rho"


def _expected(
    model: Mapping[str, Any], derived: Mapping[str, str], table: MadeUpTable
) -> dict[str, Any]:
    return {
        **{word: model[word] for word in SAME},
        "accountant": f"zCDP, {model['conversion']}",
        "columns": [
            {
                "name": column["name"],
                "codes": len(column["codes"]),
                "joined": max(column["joined"]) + 1,
            }
            for column in model["columns"]
        ],
        "derived": derived,
        "tree": [edge["columns"] for edge in model["edges"]],
        "focus": model["focus"]["name"] if model["focus"] else None,
        "rows": len(table.rows),
        "model_sha256": hashlib.sha256(json_text(model).encode()).hexdigest(),
        "output_sha256": table.sha256,
    }


def _membership_bound(epsilon: float, rho: float, delta: float) -> float:
    """Bound true minus false positive rate by the proof: tsybakov2009, lemma 2.5; or epsilon's own.

    The second is tanh(epsilon / 2), and a little for delta.
    """
    own = math.tanh(epsilon / 2) + 2 * delta / (1 + math.exp(min(epsilon, 700.0)))
    return min(1.0, math.sqrt(rho / 2), own)

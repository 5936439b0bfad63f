"""The words of a model: those that the declaration allows, and arrays of the sizes that follow.

Whatever else stood in a model would be a fact that nobody paid for.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, cast

from indistinct.base.files.documents import json_text
from indistinct.base.shapes import (
    Shape,
    ShapeTest,
    is_count,
    is_one_of,
    is_whole,
    matches,
    shape_faults,
)
from indistinct.questions.checks.declared import Codebook
from indistinct.questions.checks.table import MadeUpTable

MECHANISMS = {"columns": "gaussian", "tree": "selection", "pairs": "gaussian"}


def shape_of(
    model: Mapping[str, Any], declared: Mapping[str, Any], books: Mapping[str, Codebook]
) -> dict[str, Shape]:
    """Return the words of a model in their order, with the kind of each.

    Parameters
    ----------
    model : whose number of pairs, joined codes and moved columns the sizes of arrays follow from
    declared : the declaration
    books : the codes of its columns
    """
    words, budget = declared.get("synthesis", {}), declared["budget"]
    focus = words.get("focus")
    width = 1 if focus is None else books[focus].n_codes
    names = [name for name in books if name != focus]
    columns = dict(zip(names, model["columns"], strict=True))
    joined = {name: max(column["joined"]) + 1 for name, column in columns.items()}
    domain = json.dumps([[name, book.described] for name, book in books.items()])
    return {
        "kind": is_one_of("synthetic model"),
        "algorithm": is_one_of(words.get("algorithm", "mst")),
        "epsilon": matches(r"(0|[1-9][0-9]{0,9})(\.[0-9]{0,8}[1-9])?"),
        "delta": is_one_of(*deltas(budget)),
        "rho": is_billionth,
        "conversion": is_one_of(budget.get("conversion", "bun2016")),
        "rows_per_person": is_one_of(declared["dataset"].get("rows_per_person", 1)),
        "domain_sha256": is_one_of(hashlib.sha256(domain.encode()).hexdigest()),
        "order": is_same(list(books)),
        "charges": list(map(charge_of, [charge["step"] for charge in model["charges"]])),
        "focus": is_one_of(None)
        if focus is None
        else {
            "name": is_one_of(focus),
            "codes": is_same(books[focus].described),
            "noisy": array_of(is_whole, width),
        },
        "totals": array_of(is_figure, width),
        "columns": [
            column_of(column, name, books[name], width) for name, column in columns.items()
        ],
        "edges": is_one_of()
        if len(model["edges"]) != (len(names) - 1) * (words.get("algorithm", "mst") == "mst")
        else [
            {
                "columns": is_same(edge["columns"]),
                "noisy": array_of(is_whole, *(joined[one] for one in edge["columns"]), width),
                "counts": array_of(is_figure, *(joined[one] for one in edge["columns"]), width),
            }
            for edge in model["edges"]
        ],
    }


def column_of(column: Mapping[str, Any], name: str, book: Codebook, width: int) -> Shape:
    """Return the words of a column; where nothing was moved, its counts are the projected ones."""
    counts = array_of(is_figure, max(column["joined"]) + 1, width)
    return {
        "name": is_one_of(name),
        "codes": is_same(book.described),
        "noisy": array_of(is_whole, book.n_codes, width),
        "joined": array_of(is_count, book.n_codes),
        "fine": array_of(is_figure, book.n_codes),
        "counts": counts,
        **({"projected": counts} if "projected" in column else {}),
    }


def charge_of(step: str) -> Shape:
    """Return the words of one charge."""
    return {
        "step": is_one_of(step),
        "mechanism": is_one_of(MECHANISMS[step]),
        "scale": lambda value: isinstance(value, float) and 0 < value < math.inf,
        **dict.fromkeys(("sensitivity_squared", "times", "amount"), is_count),
    }


def is_same(expected: object) -> ShapeTest:
    """Return the check that a value is one document: equal numbers of other kinds differ."""
    text = json.dumps(expected)
    return lambda value: json.dumps(value) == text


def array_of(kind: ShapeTest, *sizes: int) -> ShapeTest:
    """Return the check that a value is an array of some sizes, whose entries are of one kind."""
    if not sizes:
        return kind
    inner = array_of(kind, *sizes[1:])
    return lambda value: (
        isinstance(value, list)
        and len(found := cast("list[object]", value)) == sizes[0]
        and all(map(inner, found))
    )


def is_figure(value: object) -> bool:
    """Return whether a value is a count of records, at least 0, with no more than six decimals."""
    return (
        isinstance(value, float)
        and value < 2**53
        and math.copysign(1, value) > 0
        and value == round(value, 6)
    )


def is_billionth(value: object) -> bool:
    """Return whether a value is a number of billionths."""
    return isinstance(value, float) and 0 < value < 2**53 and value == round(value * 10**9) / 10**9


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
    """Return the words of a manifest in their order, each with the one value that follows.

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


def deltas(budget: Mapping[str, Any]) -> tuple[float, float]:
    """Return the deltas that an epsilon may be meant at: what thresholds leave, or all of it.

    A ledger that was begun before thresholds spent any delta leaves all of it.
    """
    whole = Fraction(repr(float(budget["delta"])))
    part = budget.get("threshold_delta")
    spent = whole / 2 if part is None else Fraction(repr(float(part)))
    return float(whole - spent), float(whole)

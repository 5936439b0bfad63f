"""What of the statements everybody may know: what follows from the release, and nothing else.

A figure is public, and exact, if it follows from the released cells, from which released records
are one person's or household's, from the policy's words, and from the number of records or units
that are left out. Whatever has no line here is absent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from indistinct.base.statements.risk_figures import of_release_alone
from indistinct.base.statements.statements import PUBLIC, Statements, is_known

FOUND_BY = ("algorithm", "objective")


def public_view(
    statements: Statements,
    levels: Mapping[str, Mapping[str, float]] | None,
    warnings: Sequence[Mapping[str, Any]],
    models: Sequence[Mapping[str, Any]],
    method: Mapping[str, Any],
) -> Statements:
    """Return the statements that stand in the public manifest.

    Parameters
    ----------
    levels : per column, share of the released records at each level
    warnings, models, method : as the public manifest has them
    """
    return replace(
        statements,
        view=PUBLIC,
        at_hand=["release", "policy"],
        verdict=_verdict(statements.verdict),
        size=_size(statements.size),
        reached=[
            {**one, "achieved": entry["achieved"] or {}, "holds": entry["holds"]}
            for one, entry in zip(statements.reached, models, strict=False)
        ],
        kept={"levels": {name: dict(own) for name, own in (levels or {}).items()}},
        risk=_known_parts(of_release_alone(statements.risk)),
        findings={"list": list(warnings)},
        search={word: method[word] for word in FOUND_BY if method.get(word) is not None},
    )


def related_public_view(
    statements: Statements,
    warnings: Sequence[Mapping[str, Any]],
    models: Sequence[Mapping[str, Any]],
) -> dict[str, Any]:
    """Return the statements of related tables in their manifest: nothing of rows left out.

    Parameters
    ----------
    warnings, models : as the public manifest has them
    """
    found = public_view(statements, {}, warnings, models, {}).document()
    tables = {
        name: {"released": one["released"]} for name, one in statements.size["tables"].items()
    }
    return {**found, "size": {**found["size"], "tables": tables}}


def _verdict(verdict: Mapping[str, Any]) -> dict[str, Any]:
    """Return the owner's verdict and the state of each check; texts are the owner's alone."""
    words = ("check", "state", "needs")
    checks = [{word: one[word] for word in words} for one in verdict.get("checks", ())]
    return {"verdict": verdict.get("verdict", ""), "checks": checks}


def _size(size: Mapping[str, Any]) -> dict[str, Any]:
    """Return the numbers of records and units."""
    return {unit: one for unit, one in size.items() if is_known(one)}


def _known_parts(risk: Mapping[str, Any]) -> dict[str, Any]:
    """Return the clauses that can be had."""
    return {name: _known_figures(clause) for name, clause in risk.items() if is_known(clause)}


def _known_figures(clause: Mapping[str, Any]) -> dict[str, Any]:
    """Return the figures of a clause that can be had."""
    return {name: figure for name, figure in clause.items() if figure is None or is_known(figure)}

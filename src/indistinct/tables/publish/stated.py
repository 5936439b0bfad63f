"""Put what verification states about a release into its two manifests."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any, Protocol

from indistinct.base.statements.public_view import public_view
from indistinct.base.statements.statements import Statements, not_examined
from indistinct.tables.findings import with_little_kept
from indistinct.tables.release.manifest import Manifest


class StatedVerdict(Protocol):
    """What a verification found, as far as makers of releases ask for it."""

    @property
    def statements(self) -> Statements | None:
        """All that is said about the release."""
        ...


def with_statements(
    published: Manifest, exact: Manifest, stated: Statements | None, important: Collection[str]
) -> tuple[Manifest, Manifest]:
    """Return the public manifest and the owner's with the statements of each view.

    Parameters
    ----------
    important : columns of the policy whose importance is above the usual one
    """
    if stated is None:
        return published, exact
    exact = replace(exact, findings=with_little_kept(exact.findings, stated, important))
    own = replace(stated, findings=exact.findings.document(), search=search_part(exact))
    document = published.document()
    method: Mapping[str, Any] = document["method"]
    public = public_view(
        own,
        method.get("levels"),
        document.get("warnings", ()),
        document["models"],
        method,
    )
    return (
        replace(published, statements=public.document()),
        replace(exact, statements=own.document()),
    )


def search_part(exact: Manifest) -> dict[str, Any]:
    """Return how a release was found, and what that cost.

    Parameters
    ----------
    exact : the owner's manifest
    """
    method, loss = exact.method, exact.loss
    objective = method.objective if method.objective in loss else ("loss" if loss else None)
    bound: Any = loss.get("lower_bound")
    value = method.facts.get("bound") if bound is None else bound["value"]
    alone = method.facts.get("size_alone")
    nothing = not_examined("this algorithm has no such figure")
    return {
        "algorithm": method.algorithm,
        "objective": objective or nothing,
        "value": nothing if objective is None else loss[objective],
        "bound": nothing if value is None else value,
        "seconds": nothing if method.seconds is None else method.seconds,
        "cost_of_promises": {} if alone is None else dict(alone),
    }

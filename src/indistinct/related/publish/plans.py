"""How rows are cut: what is tried in the classes of one size."""

from __future__ import annotations

from dataclasses import dataclass

from indistinct.related.publish.tables import RelatedTables


@dataclass(frozen=True, slots=True)
class CutPlan:
    """How rows are cut.

    Parameters
    ----------
    price : of a row that is left out
    floor : levels by which the rows that others belong to are made coarser at least
    every : whether every path and price of a rare pair is tried
    keeps_shares : whether whole histories are divided only where shares of values hold
    """

    price: float
    floor: int = 0
    every: bool = False
    keeps_shares: bool = False


def cut_plans(tables: RelatedTables, price: float) -> list[CutPlan]:
    """Return the plans for one price of a row that is left out, the finest cells first.

    Rows that others belong to are made coarser step by step; of whole histories, groups are kept
    larger where shares of values ask for it.
    """
    if tables.policy.model.known_rows is None:
        kept = [CutPlan(price, keeps_shares=True)] if tables.policy.largest_shares else []
        return [CutPlan(price), *kept]
    floors = max((len(one.levels) for t in tables.parents for one in t.levels), default=1)
    return [CutPlan(price, floor) for floor in range(floors)]

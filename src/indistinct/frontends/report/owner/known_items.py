"""What somebody finds who knows some items of a person, in the original and in the release."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from indistinct.api import attack
from indistinct.tables.evaluation import Outcome
from indistinct.tables.models import SetModel
from indistinct.tables.policy import Policy

OF_ALL = 2  # items that are known, where the promise is for any number
TARGETS = 500


@dataclass(frozen=True, slots=True)
class KnownItemsFindings:
    """The attack on a column of sets, before and after.

    Parameters
    ----------
    m : items that the attacker knows of a person
    before, after : the outcomes
    """

    m: int
    before: Outcome
    after: Outcome


def known_items_of(
    policy: Policy, released: Any, before: Any, rows: Any
) -> KnownItemsFindings | None:
    """Attack the original and the release by the items by which each person is easiest to find.

    None where the policy has no column of sets, or the release no record.

    Parameters
    ----------
    released, before : the records
    rows : the crosswalk, or None
    """
    model = next((one for one in policy.models if isinstance(one, SetModel)), None)
    if model is None or not len(released):
        return None
    m = model.known_items or OF_ALL

    def attacked(table: Any, crosswalk: Any) -> Outcome:
        return attack(
            table,
            policy,
            attack="known-items",
            original=before,
            crosswalk=crosswalk,
            seed=1,
            m=m,
            item_choice="worst",
            attempts=TARGETS,
        ).answer

    raw = before.drop([name for name in policy.left_out if name in before.columns])
    return KnownItemsFindings(m, attacked(raw, None), attacked(released, rows))

"""The table ``[context]``."""

from __future__ import annotations

import datetime as dt

from indistinct.tables.policy.policy_table import Words


class ContextPolicy(Words):
    """Why a table is released, to whom, and who answers for it: words for people, in reports."""

    purpose: str | None = None
    recipients: str | None = None
    controls: str | None = None
    contact: str | None = None
    approved_by: str | None = None
    approved_on: dt.date | None = None
    # Why the risk that remains is acceptable, and the warnings that were confirmed one by one.
    reason: str | None = None
    accepted: tuple[str, ...] = ()
    review_on: dt.date | None = None

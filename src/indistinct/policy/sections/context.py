"""The table ``[context]``."""

from __future__ import annotations

import datetime as dt

from indistinct.policy.policy_table import Words


class ContextPolicy(Words):
    """Why a table is released, to whom, and who answers for it: words for people, in reports."""

    purpose: str | None = None
    recipients: str | None = None
    controls: str | None = None
    contact: str | None = None
    approved_by: str | None = None
    approved_on: dt.date | None = None
    review_on: dt.date | None = None

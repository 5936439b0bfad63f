"""What somebody has to read before they sign: warnings by rank, and columns without a promise."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from indistinct.frontends.app.coded_texts import coded, columns_of, finding_text
from indistinct.frontends.app.state import AppState, settled
from indistinct.frontends.app.texts import text
from indistinct.frontends.report.promises import without_promise
from indistinct.tables.drafting import Doubt
from indistinct.tables.findings import RANKS, Finding, of_rank
from indistinct.tables.policy import Policy

ROLE = "role"  # a question that the confirmed role answers
NO_PROMISE, READ_BACK_ACCEPTED = "no-promise", "read-back-accepted"


@dataclass(frozen=True, slots=True)
class ConfirmationItem:
    """One thing to read and to confirm.

    Parameters
    ----------
    key : that a signature names it by: its kind, and the columns
    sentence : in words; no value of any record
    column : a sensitive column that no promise is about; empty for anything else
    """

    key: str
    sentence: str
    column: str = ""


@dataclass(frozen=True, slots=True)
class Rank:
    """The warnings of one rank, those that concern the most records first."""

    title: str
    items: Sequence[ConfirmationItem]


def ranks_of(warnings: Sequence[Mapping[str, Any]]) -> list[Rank]:
    """Return the warnings of a release by rank, in the words of the command."""
    entries = list(map(Finding.read, warnings))
    found = [(rank, of_rank(entries, rank)) for rank in RANKS]
    return [Rank(text(f"rank.{rank}"), list(map(_item, of))) for rank, of in found if of]


def unpromised(policy: Policy) -> list[ConfirmationItem]:
    """Return what no promise of a policy is about, and what the policy accepts."""
    found = [
        ConfirmationItem(
            f"{NO_PROMISE}: {name}", text("confirmation.no_promise", column=name), name
        )
        for name in without_promise(policy)
    ]
    if policy.release.read_back == "accepted":
        found.append(ConfirmationItem(READ_BACK_ACCEPTED, text("confirmation.read_back_accepted")))
    return found


def open_doubts(state: AppState) -> list[ConfirmationItem]:
    """Return the questions of the table that nobody answered, with what is done meanwhile."""
    project = state.opened()
    found = settled(state.looks.inspection(project.source, project.reading))
    doubts = () if found is None else found.doubts
    return [_of_doubt(one) for one in doubts if one.kind != ROLE and one.is_open(project.words)]


def _of_doubt(doubt: Doubt) -> ConfirmationItem:
    """Return an open question as the pages show it."""
    sentence = coded(f"doubt.{doubt.kind}", f"{doubt.text} {doubt.answers}")
    key = f"doubt: {doubt.columns}"
    return ConfirmationItem(key, Markup("{}: {}").format(columns_of(doubt), sentence))


def keys_of(open_columns: Sequence[ConfirmationItem], ranks: Sequence[Rank]) -> Iterator[str]:
    """Yield the name of everything that is confirmed before somebody signs."""
    yield from (one.key for one in open_columns)
    yield from (one.key for rank in ranks for one in rank.items)


def _item(finding: Finding) -> ConfirmationItem:
    """Return a finding as the pages show it."""
    key = f"{finding.code}: {', '.join(finding.columns)}"
    return ConfirmationItem(key, finding_text(finding))

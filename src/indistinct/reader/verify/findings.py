"""What a form of a release has to say of itself, beside what is checked in every form."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from indistinct.errors import Fault
from indistinct.policy.policy import Policy
from indistinct.reader.verify.evidence import Evidence, Reading
from indistinct.reader.verify.judging import Judgement


class Findings(NamedTuple):
    """What was found in a release of some form.

    Parameters
    ----------
    evidence : what was looked at
    judged : per model, its measure, and what is wrong or undecided
    faults : those of this form alone
    n_records, n_classes : records of people that are released, and the classes they form
    notes : what could not be decided
    not_checked : what the manifest claims and nothing at hand determines
    """

    evidence: Evidence
    judged: Sequence[Judgement]
    faults: Sequence[Fault]
    n_records: int
    n_classes: int
    notes: Sequence[str] = ()
    not_checked: Sequence[str] = ()


class Form(NamedTuple):
    """How releases of one form are verified.

    Parameters
    ----------
    fits : whether a policy asks for it
    column_faults : finds columns that should not or should be there; nothing else is then looked at
    findings : runs the checks of this form alone
    beside : the tables that are read beside the release: ``sensitive``, ``counterfeits``
    """

    fits: Callable[[Policy], bool]
    column_faults: Callable[[Reading], Iterator[Fault]]
    findings: Callable[[Reading], Findings]
    beside: Sequence[str] = ()

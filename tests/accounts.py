"""The account of a list of charges, one after the other."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce

from indistinct.questions.mechanisms.accountant import Account, Charge


def compose(charges: Iterable[Charge]) -> Account:
    return reduce(Account.plus, charges, Account())

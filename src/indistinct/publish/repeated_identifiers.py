"""Identifiers that repeat: several records may belong to one person, and records are no people."""

from __future__ import annotations

import polars as pl

from indistinct.core.schema import Role
from indistinct.counting.columns import is_missing
from indistinct.drafting.vocabulary import vocabulary
from indistinct.policy.policy import Policy
from indistinct.release.entries import WarningEntry

CODE = "repeated-identifier"
MANY_PEOPLE = 0.1  # different values for each record, below which a column holds categories
SMALL_SHARE = 0.01  # a few repetitions are misprints, or people of one name


def may_be_people(known: pl.Series) -> bool:
    """Tell whether repeated values may be those of people: by the name, or where many differ.

    Parameters
    ----------
    known : the values that are not missing
    """
    if known.dtype.is_float():
        return False
    words = vocabulary()
    is_number = words.numbers_things(known.name) is not None or words.is_of_a_person(known.name)
    return is_number or known.n_unique() >= MANY_PEOPLE * len(known)


def repeated_share(known: pl.Series) -> float:
    """Give the share of records whose value another record has, too.

    Parameters
    ----------
    known : the values that are not missing

    Returns
    -------
    in [0, 1]; 0 where all have one value, which tells nobody from anybody
    """
    if known.n_unique() <= 1:
        return 0.0
    return float(known.is_duplicated().sum()) / len(known)


def repetition(share: float) -> str:
    """Say what a share of repeated values means, and what to do; empty where it is small.

    Parameters
    ----------
    share : of records whose value another record has, too
    """
    if share <= SMALL_SHARE:
        return ""
    return (
        f"{share:.1%} of the records share their value with another record: if one value is one "
        "person, sizes count records and not people; name the column as data.person"
    )


def repeated_identifiers(frame: pl.DataFrame, policy: Policy) -> list[WarningEntry]:
    """Warn of identifiers that repeat, where sizes count records.

    Parameters
    ----------
    frame : the input

    Returns
    -------
    a warning per column, with the share of the records in (0, 1], rounded
    """
    if policy.data.person is not None:
        return []
    found: list[WarningEntry] = []
    for name in policy.named(Role.IDENTIFIER):
        column = frame[name]
        known = column.filter(~is_missing(column, policy))
        share = repeated_share(known) if may_be_people(known) else 0.0
        if said := repetition(share):
            message = f'identifier "{name}": {said}'
            found.append(WarningEntry(CODE, (name,), round(share, 4), message))
    return found

"""What is wrong with a policy by the counts of its table: seen before any search, in a moment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import ceil

from indistinct.base.statements.number_texts import listed
from indistinct.errors import Fault, IndistinctError, Way
from indistinct.tables.core.schema import Role
from indistinct.tables.counting.table_faults import check_columns, check_values
from indistinct.tables.drafting.counted_column import CountedColumn
from indistinct.tables.drafting.joint import RecordsInMemory, follows
from indistinct.tables.models import BoundedModel
from indistinct.tables.policy.policy import Policy
from indistinct.tables.policy.specification import Specification, resolve

Faults = tuple[Fault, ...]
ROUNDING = 1e-9
LEAST = 2  # values or records that a promise about them can ask for


def checks_of(
    policy: Policy, columns: Sequence[CountedColumn], records: RecordsInMemory
) -> tuple[Faults, Faults]:
    """Look at a policy beside the columns of its table as they were counted.

    Parameters
    ----------
    policy : without undecided columns
    columns : of the table
    records : of the table, each with the codes of its values

    Returns
    -------
    what every search refuses; and what a release may give away, or a search may refuse
    """
    counted = {one.name: one for one in columns}
    try:
        spec = resolve(policy)
        check_columns(records.frame, spec)
        check_values(records.frame, spec)
    except IndistinctError as error:
        return error.faults, ()
    asked = tuple(beyond_the_columns(spec, counted))
    return asked, tuple(given_back(spec, counted, records))


def beyond_the_columns(
    spec: Specification, counted: Mapping[str, CountedColumn]
) -> Iterator[Fault]:
    """Find models that ask for more different values than a whole column has.

    Only where more records have a value than may be left out: a class without any holds.
    """
    for model in spec.models:
        least, word = _least_values(model)
        for name in model.columns if least else ():
            column = counted.get(name)
            if column is None or not column.is_whole or name in spec.protections:
                continue
            counts_missing = getattr(model, "missing_counts", False) and column.missing > 0
            found = column.distinct + counts_missing
            share = column.known / max(column.known + column.missing, 1)
            if found < least and (counts_missing or share > spec.method.max_suppression):
                yield _beyond_the_column(model, name, (word, least, found))


def _least_values(model: BoundedModel) -> tuple[int, str]:
    """Return how many different values each class has at least under a model, and its parameter.

    Every diversity with parameter l needs l of them; where no value may have a share of more than
    alpha, there are 1 / alpha.
    """
    least = getattr(model, "l", None)
    share = getattr(model, "alpha", None)
    if least is not None:
        return ceil(least - ROUNDING), "l"
    return (0, "") if share is None else (ceil(1 / share - ROUNDING), "alpha")


def _beyond_the_column(model: BoundedModel, name: str, found: tuple[str, int, int]) -> Fault:
    """Return the fault of a model that no class of a table satisfies."""
    word, least, count = found
    place = ("models", model.name, name)
    less = Way((*place, word), count if word == "l" else ceil(1000 / max(count, 1)) / 1000)
    return Fault(
        f"models.{model.name}",
        f"asks for {least} different values of {name} in each class, and the column has {count}",
        "Ask for no more than that, or give the column another role.",
        code="beyond-the-column",
        columns=(name,),
        parts={"least": least, "count": count},
        ways=(*((less,) if count >= LEAST else ()), Way(place, None)),
    )


def given_back(
    spec: Specification, counted: Mapping[str, CountedColumn], records: RecordsInMemory
) -> Iterator[Fault]:
    """Find columns that are released as they are, and of which quasi-identifiers follow.

    Whoever sees many released records learns which value goes with which, and reads generalized
    cells back.
    """
    shown = [*spec.named(Role.SENSITIVE), *spec.named(Role.INSENSITIVE)]
    known = [counted[name] for name in spec.class_names if name in counted]
    for name in shown:
        if name not in counted or name in spec.protections:
            continue
        back = [one.name for one in known if follows(one, counted[name], records, comes_later=True)]
        if back:
            yield Fault(
                f"columns.{name}",
                f"gives {listed(back)} back: all records with one of its values have one value "
                "there",
                "Leave it out, or make it coarser.",
                code="gives-others-back",
                columns=(name,),
                parts={"cells": back},
                ways=(
                    Way(("columns", name, "role"), "identifier"),
                    *(Way(("columns", one, "role"), "identifier") for one in back[:1]),
                ),
            )

"""The table ``[population]``."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from indistinct.tables.models.bounded import BoundedModel, Population
from indistinct.tables.policy.policy_table import Words


class PopulationPolicy(Words):
    """Who else there is: how many, or a table of their quasi-identifiers."""

    size: Annotated[int, Field(ge=1)] | None = None
    data: str | None = None


def models_among(
    models: tuple[BoundedModel, ...],
    population: PopulationPolicy | None,
    n_records: int,
    n_people: int | None = None,
) -> tuple[BoundedModel, ...]:
    """Return models that are told how many people the records were drawn from.

    Parameters
    ----------
    n_records : records of the table before any is suppressed
    n_people : records of the population's table, where it was counted
    """
    size = None if population is None else population.size or n_people
    if size is None:
        return models
    drawn_from = Population(max(size, n_records), n_records, n_people is not None)
    return tuple(model.among(drawn_from) for model in models)

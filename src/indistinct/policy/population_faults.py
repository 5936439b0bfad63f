"""Models that ask who else there is, in a policy that does not say it."""

from __future__ import annotations

from collections.abc import Iterable

from indistinct.errors import Fault
from indistinct.models.bounded import Needs
from indistinct.policy.tables import PolicyTables
from indistinct.search import ALGORITHMS


def population_faults(policy: PolicyTables) -> Iterable[Fault]:
    """Find models that ask who else there is, and no answer."""
    population = policy.population
    if population is not None and population.size is None and population.data is None:
        yield Fault("population", "says nothing", "Give its size, or a table of it as data.")
    counted = population is not None and population.data is not None
    if counted and policy.release.intervals == "midpoint":
        for model in policy.models:
            if model.counts_people:
                yield Fault(
                    "release.intervals",
                    "midpoints do not show which numbers they represent, so it is "
                    f"impossible to count the people that {model.name} requires",
                    'Set it to "label" or "bounds".',
                )
    for model in policy.models:
        is_share = counted and model.counts_people and model.needs is Needs.POPULATION
        # A share of the people of a class means something only where nobody belongs to two.
        if is_share and not policy.algorithm.divides:
            yield Fault(
                "method.algorithm",
                f'"{policy.algorithm_name}" gives classes whose cells may overlap, so that '
                f"{model.name} cannot say which class a person of the population belongs to",
                f"Choose one of {', '.join(kind.name for kind in ALGORITHMS if kind.divides)}.",
            )
        elif counted and model.counts_people and not policy.algorithm.counts_people:
            yield Fault(
                "method.algorithm",
                f'"{policy.algorithm_name}" does not count the people that {model.name} asks for',
                "Choose another algorithm, such as optimal or local.",
            )
        if model.needs is Needs.SIZE and population is None:
            yield Fault(
                "population",
                f"is missing, and {model.name} asks how many people the records were drawn from",
                "Give its size, or a table of it as data.",
            )
        elif model.needs is Needs.POPULATION and (population is None or population.data is None):
            yield Fault(
                "population.data",
                f"is missing, and {model.name} compares with a table of the population",
                "Name a table with the same quasi-identifiers.",
            )

"""What stands in the way of a search, or of a good release, by the counts that are there."""

from __future__ import annotations

from dataclasses import dataclass

from indistinct.errors import Fault, IndistinctError
from indistinct.frontends.app.confirmations import ConfirmationItem, unpromised
from indistinct.frontends.app.state import AppState, settled


@dataclass(frozen=True, slots=True)
class SearchChecks:
    """What was found.

    Parameters
    ----------
    n_open : columns whose role nobody confirmed
    refused : what every search would refuse
    doubtful : what a release may give away
    unpromised : sensitive columns without a promise, and what the policy accepts
    waits : whether the table is still being counted
    """

    n_open: int
    refused: tuple[Fault, ...]
    doubtful: tuple[Fault, ...]
    unpromised: list[ConfirmationItem]
    waits: bool = False

    @property
    def is_clear(self) -> bool:
        """Whether nothing was found."""
        return not (self.n_open or self.refused or self.doubtful or self.unpromised or self.waits)


def checks_of(state: AppState) -> SearchChecks:
    """Look at the policy as it stands; what is still being counted is left out."""
    project = state.opened()
    n_open = len(project.unconfirmed())
    try:
        policy = project.policy()
    except IndistinctError as error:
        return SearchChecks(n_open, error.faults, (), [])
    looks, place, reading = state.looks, project.source, project.reading
    found = settled(looks.checks(place, reading, policy))
    inspection = settled(looks.inspection(place, reading)) if found is not None else None
    if found is None or inspection is None:
        return SearchChecks(n_open, (), (), unpromised(policy), waits=True)
    refused, doubtful = found
    return SearchChecks(
        n_open, refused, (*doubtful, *inspection.uncounted(policy)), unpromised(policy)
    )

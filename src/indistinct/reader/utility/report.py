"""What an assessment says of utility: of masked numbers, and what it was asked to measure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from indistinct.engines.frames import Frame
from indistinct.errors import Fault, ParameterError
from indistinct.policy.policy import Policy
from indistinct.reader.utility.learning import model_accuracy
from indistinct.reader.utility.masking import masking_entry
from indistinct.reader.utility.queries import query_error
from indistinct.reader.utility.weighted import weighted_entry


def asked_utility(
    released: Frame,
    original: Frame | None,
    policy: Policy,
    *,
    queries: int | None = None,
    learn: str | None = None,
) -> dict[str, Mapping[str, Any]]:
    """Measure what was asked for; protected columns and weighted figures in any case.

    Parameters
    ----------
    released, original : records after and before
    policy : tells the columns and their hierarchies
    queries : number of count queries; none when left out
    learn : column that a model predicts; none when left out

    Raises
    ------
    ParameterError
        when something is asked for and there is no original to compare with
    """
    if original is None and queries is None and learn is None:
        return {}
    if original is None:
        asked = "queries" if learn is None else "learn"
        problem = "compares a release with the table it came from, and that is not given"
        raise ParameterError([Fault(asked, problem, "Name the original, too.")])
    entry: dict[str, Mapping[str, Any]] = {}
    if (masking := masking_entry(released, original, policy)) is not None:
        entry["masking"] = masking
    if (weighted := weighted_entry(released, original, policy)) is not None:
        entry["weighted"] = weighted
    if queries is not None:
        entry["query_error"] = query_error(released, original, policy, queries=queries)
    if learn is not None:
        found = model_accuracy(released, original, policy, learn)
        entry["learning"] = {"target": learn, **found}
    return entry

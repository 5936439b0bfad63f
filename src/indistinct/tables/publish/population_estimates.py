"""What a release says of the crowd, where single cells are protected by chance."""

from __future__ import annotations

from typing import Any

import numpy as np

from indistinct.errors import Fault, SchemaError
from indistinct.tables.frames.frame import Frame, are_starred
from indistinct.tables.masks import EstimableProtection
from indistinct.tables.policy.given import GivenPolicy, policy_of
from indistinct.tables.policy.specification import resolve
from indistinct.tables.release.released_file import read_release


def estimates(data: Any, policy: GivenPolicy) -> dict[str, Frame]:
    """Estimate the counts behind every column whose protection allows it (randomized response).

    Parameters
    ----------
    data : path of a release, or an eager frame
    policy : what the release was made with; a policy, or the path of its TOML file

    Returns
    -------
    per column a frame with ``category``, ``answers``, ``estimate`` and ``standard_error``, in
    records; an estimate is unbiased and may be negative

    Raises
    ------
    DataError
        when the release cannot be read or lacks a column
    """
    policy = policy_of(policy)
    frame = read_release(data, resolve(policy))
    found = {
        name: protection
        for name, protection in policy.protections.items()
        if isinstance(protection, EstimableProtection)
    }
    absent = [name for name in found if name not in frame.columns]
    if absent:
        raise SchemaError(
            [
                Fault(f"columns.{name}", "is not in the table", "Take its release.")
                for name in absent
            ]
        )
    if policy.release.suppressed == "mask":
        frame = frame[np.flatnonzero(~are_starred(frame))]
    return {name: protection.estimate(frame[name]) for name, protection in found.items()}

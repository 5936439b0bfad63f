"""What noise by class costs and leaves open, measured again beside the original."""

from __future__ import annotations

import numpy as np

from indistinct.base.randomness import RandomSource
from indistinct.tables.counting.preparation import Prepared
from indistinct.tables.evaluation.utility.recover import lowest_node
from indistinct.tables.frames.frame import Frame
from indistinct.tables.frames.tuples import classes_of_rows
from indistinct.tables.masks.noise.members import Members
from indistinct.tables.release.entries import ProtectionEntry
from indistinct.tables.release.noise_figures import noise_entries, records_of, visible_classes


def assess_noise(released: Frame, prepared: Prepared) -> dict[str, ProtectionEntry] | None:
    """Return anew what the noise of a release costs and leaves open.

    Parameters
    ----------
    released : the released records
    prepared : the original ones

    Returns
    -------
    per noisy column what the manifest would say of it; None where only the crosswalk could tell the
    class of a record, because the release has no level per column
    """
    if not prepared.spec.noises:
        return None
    recoding = lowest_node(released, prepared.problem) if prepared.spec.class_names else None
    if prepared.spec.class_names and recoding is None:
        return None
    rows, seen = np.arange(prepared.frame.height), np.zeros(prepared.frame.height, np.int32)
    if recoding is not None:
        classes = classes_of_rows(recoding, prepared.tuple_of_row)
        rows = np.flatnonzero(recoding.released[classes])
        seen = visible_classes(recoding)[classes[rows]].astype(np.int32)
    records = records_of(
        prepared.frame[rows], Members.of(seen), prepared.spec.noises, prepared.spec.noise
    )
    return noise_entries(records, prepared.n_input, RandomSource())

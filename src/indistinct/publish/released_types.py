"""The types of released quasi-identifiers where the cells of the input decided its types."""

from __future__ import annotations

from indistinct.core.recoding import Recoding
from indistinct.counting.prepare import Prepared
from indistinct.engines.column_types import narrowed
from indistinct.engines.frames import Frame


def in_narrow_types(shown: Frame, prepared: Prepared, recoding: Recoding) -> Frame:
    """Return released cells in the narrowest types that hold them.

    Parameters
    ----------
    shown : the released cells, in the form of the release
    prepared, recoding : the input, and what was decided
    """
    names = prepared.resolved.class_names
    middles = names if prepared.resolved.release.intervals == "midpoint" else ()
    cells = recoding.cells[recoding.released]
    levels = zip(names, recoding.domains, cells.T, strict=True)
    labelled = {name for name, domain, own in levels if (domain.levels[own] > 0).any()}
    return narrowed(shown, prepared.frame, labelled, middles)

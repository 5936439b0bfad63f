"""Noisy counts must be such as noise of the stated scale makes of counts of one table.

Numbers that are far from that could hold anything in their digits.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from indistinct.core.arrays import Floats
from indistinct.reader.synthetic.arrays import floats, ints, members

# Standard deviations: the noise of one count exceeds them less than once in 10**22.
WIDEST = 10.0


def noise_faults(model: Mapping[str, Any]) -> Iterator[str]:
    """Find counts below 0, and counts of the same records, that differ by more than their noise.

    Notes
    -----
    All counts of single columns, of the focus and of pairs are counts of the same records.
    """
    scales = {charge["step"]: float(charge["scale"]) for charge in model["charges"]}
    scale = scales["columns"]
    columns = {column["name"]: column for column in model["columns"]}
    blocks = {f"columns.{name}": floats(column["noisy"]) for name, column in columns.items()}
    if model["focus"]:
        blocks["focus"] = floats([model["focus"]["noisy"]])
    sums = np.array([block.sum(axis=0) for block in blocks.values()])
    widths = np.sqrt([float(len(block)) for block in blocks.values()])
    steadiest = sums[int(widths.argmin())]
    for (place, block), found, width in zip(blocks.items(), sums, widths, strict=True):
        allowed = WIDEST * scale * (width + widths.min())
        if (block < -WIDEST * scale).any() or (np.abs(found - steadiest) > allowed).any():
            yield f"{place}: its noisy counts are not such as the noise makes"
    for edge in model["edges"]:
        pair = floats(edge["noisy"])
        wrong = bool((pair < -WIDEST * scales["pairs"]).any())
        for axis, name in enumerate(edge["columns"]):
            member = members(ints(columns[name]["joined"]))
            alone: Floats = member @ floats(columns[name]["noisy"])
            variances = member.sum(axis=1) * scale**2
            variances = variances + pair.shape[1 - axis] * scales["pairs"] ** 2
            allowed = WIDEST * np.sqrt(variances)[:, np.newaxis]
            wrong |= bool((np.abs(pair.sum(axis=1 - axis) - alone) > allowed).any())
        if wrong:
            one, other = edge["columns"]
            yield f"the noisy counts of {one} and {other} are not such as the noise makes"

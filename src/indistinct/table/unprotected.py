"""Columns that single records out although no class tells them apart: a sign of a wrong role."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from indistinct.core.arrays import Ints
from indistinct.core.schema import Role
from indistinct.table.policy import Policy

LEAST_SHARE = 0.01  # of records that insensitive columns single out: dates, codes, free text
LEAST_SENSITIVE_SHARE = 0.5  # sensitive values differ inside a class, and should
CLASS, SIZE = "\x00class", "\x00size"


def warnings_of(frame: pl.DataFrame, labels: Ints, policy: Policy) -> list[dict[str, Any]]:
    """Count the released records that unprotected columns single out beside the classes.

    Parameters
    ----------
    frame : the released records, whose unprotected columns are as they were
    labels : (n_rows,), class of each record
    policy : tells the roles, and how small a group of records may be

    Returns
    -------
    per warning: ``code``, ``columns``, ``share`` of the records that stand alone,
    ``share_in_small_groups`` of those in groups smaller than the models' least class, ``message``;
    no value of any record

    Notes
    -----
    One group-by of two columns for each column, and one for all together: about O(n_rows) each.
    """
    insensitive = _unprotected(frame, policy, Role.INSENSITIVE)
    sensitive = _unprotected(frame, policy, Role.SENSITIVE)
    if not insensitive and not sensitive:
        return []
    least = max((model.least_size for model in policy.models), default=2)
    classes = frame.select(*insensitive, *sensitive).with_columns(pl.Series(CLASS, labels))
    found: list[dict[str, Any]] = []
    for code, role, names, threshold in (
        ("insensitive-column-singles-out", "insensitive", insensitive, LEAST_SHARE),
        ("sensitive-column-singles-out", "sensitive", sensitive, LEAST_SENSITIVE_SHARE),
    ):
        for name in names:
            shares = _shares(classes, [name], least)
            if shares["share"] >= threshold:
                message = (
                    f"{_percent(shares['share'])} of the released records stand alone for someone "
                    f"who knows the value of {name} (declared {role}) besides the "
                    "quasi-identifiers"
                )
                found.append({"code": code, "columns": [name], **shares, "message": message})
    together = _together(classes, insensitive, sensitive, least)
    alone = max((warning["share"] for warning in found), default=0.0)
    return [*found, *(warning for warning in together if warning["share"] > alone)]


def _together(
    classes: pl.DataFrame, insensitive: Sequence[str], sensitive: Sequence[str], least: int
) -> list[dict[str, Any]]:
    """Count what all unprotected columns single out together."""
    names = [*insensitive, *sensitive]
    if len(names) < 2:  # noqa: PLR2004 - one column alone was counted already
        return []
    shares = _shares(classes, names, least)
    if shares["share"] < (LEAST_SENSITIVE_SHARE if sensitive else LEAST_SHARE):
        return []
    message = (
        f"{_percent(shares['share'])} of the released records stand alone for someone who knows "
        f"the values of {', '.join(names)} besides the quasi-identifiers"
    )
    return [{"code": "columns-together-single-out", "columns": names, **shares, "message": message}]


def _unprotected(frame: pl.DataFrame, policy: Policy, role: Role) -> list[str]:
    """Name the released columns of a role whose cells are those of the input."""
    return [
        name
        for name in policy.named(role)
        if name in frame.columns and name not in policy.protections
    ]


def _shares(classes: pl.DataFrame, names: Sequence[str], least: int) -> Mapping[str, float]:
    """Give the share of records that stand alone, and of those in groups smaller than the least."""
    sizes = classes.group_by(CLASS, *names).len(SIZE)[SIZE]
    n_records = max(classes.height, 1)
    return {
        "share": round(int((sizes == 1).sum()) / n_records, 6),
        "share_in_small_groups": round(int(sizes.filter(sizes < least).sum()) / n_records, 6),
    }


def _percent(share: float) -> str:
    """Write a share."""
    return f"{share:.1%}"

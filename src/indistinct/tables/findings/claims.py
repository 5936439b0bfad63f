"""What a manifest says that a release gives away: its words follow from its figures.

Whoever reads a manifest makes the words of a finding again from the figures that it claims. A text
of somebody else's is a fault.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from indistinct.base.statements.statements import Statements, is_known
from indistinct.errors import Fault
from indistinct.tables.findings.counted_table import CountedTable
from indistinct.tables.findings.detectors import counted_by_anybody, look_for_all
from indistinct.tables.findings.finding import Finding, ReleaseFindings
from indistinct.tables.findings.kinds import KEEPS_LITTLE, KINDS, RELEASE

LITTLE, HALF = 0.1, 0.5
NOTHING = 1e-9  # of the information: a column that keeps less is hidden
SAME_RUN = "Take the manifest that was written beside the release."


UNITS = frozenset({"records", "people", "households", "values", "cells"})


def findings_beside(
    tables: Sequence[CountedTable], said: Sequence[Finding] | None
) -> tuple[ReleaseFindings, list[Fault]]:
    """Return what is found in released tables, and where their manifest says something else.

    Parameters
    ----------
    said : the findings of the manifest, whose words were checked; None where there are none to
        compare

    Returns
    -------
    what is found, and what the manifest says where nobody looked; a fault for each of its findings
    that is not counted so, and for each that it lacks
    """
    own = look_for_all(tables)
    missed = {one.code for one in own.not_examined}
    if said is None:
        return own, []
    unsure = missed | own.partly
    counted = [one for one in counted_by_anybody(tables, own) if one.code not in unsure]
    faults = [
        Fault(f"manifest.warnings[{number}]", "is not what the released rows show", SAME_RUN)
        for number, one in enumerate(said)
        if one.code not in unsure and one not in counted
    ]
    named = {(one.code, one.table, one.columns) for one in said}
    faults += [
        Fault("manifest.warnings", f"lacks what is found of {one.columns[0]}: {one.code}", SAME_RUN)
        for one in counted
        if (one.code, one.table, one.columns) not in named
    ]
    counted_here = {(one.code, one.table, one.columns) for one in own.found}
    told = tuple(
        one
        for one in said
        if one.code in unsure and (one.code, one.table, one.columns) not in counted_here
    )
    codes = {one.code for one in told}
    left = tuple(one for one in own.not_examined if one.code not in codes)
    return replace(own, found=(*own.found, *told), not_examined=left), faults


def findings_said(manifest: Mapping[str, Any]) -> list[Finding]:
    """Return the findings of a manifest whose words were checked."""
    return [Finding.read(one) for one in manifest.get("warnings", ())]


def word_faults_of_findings(
    place: str, listed: Sequence[Any], names: Iterable[str]
) -> Iterator[Fault]:
    """Find findings of a public manifest that no figures make, or that no reader can count.

    Parameters
    ----------
    place : of the list in the manifest
    listed : whatever stands there; each has the parts of a finding, of their types
    names : of the columns, with the name of their table before them where there are several
    """
    for number, one in enumerate(listed):
        at = f"{place}[{number}]"
        if one["code"] not in KINDS or KINDS[one["code"]].needs != RELEASE:
            yield Fault(f"{at}.code", "is not a finding that readers can count", SAME_RUN)
            continue
        found = Finding.read(one)
        prefix = f"{found.table}." if found.table else ""
        if not {f"{prefix}{name}" for name in found.columns} <= {*names}:
            yield Fault(f"{at}.columns", "are not columns of the policy", SAME_RUN)
        if found.count > found.of or found.unit not in UNITS:
            yield Fault(at, "counts more than there is, or what no finding counts", SAME_RUN)
        plain = replace(found, share=-1.0).document()
        wrong = [name for name in plain if one.get(name) != plain[name]]
        for name in wrong:
            yield Fault(f"{at}.{name}", "is not what the figures of the finding make", SAME_RUN)


def with_little_kept(
    findings: ReleaseFindings, stated: Statements, important: Collection[str]
) -> ReleaseFindings:
    """Return findings with the columns of a table that keep little, where that was counted.

    Parameters
    ----------
    stated : what verification states of the release
    important : columns of which half is little; of several tables with the name of theirs
    """
    columns = {name: one for name, one in stated.kept.get("columns", {}).items() if is_known(one)}
    if not columns or KEEPS_LITTLE not in {one.code for one in findings.not_examined}:
        return findings
    found = tuple(
        _keeping_little(name, share, stated)
        for name, share in columns.items()
        if NOTHING < share < (HALF if name in important else LITTLE)
    )
    return replace(
        findings,
        found=(*findings.found, *found),
        looked_for=findings.looked_for if found else (*findings.looked_for, KEEPS_LITTLE),
        not_examined=tuple(one for one in findings.not_examined if one.code != KEEPS_LITTLE),
    )


def _keeping_little(place: str, share: float, stated: Statements) -> Finding:
    """Return the finding of a column that keeps little.

    Parameters
    ----------
    place : the column; of several tables with the name of its table and a point before it
    """
    if "records" in stated.size:
        table, name, counted = "", place, stated.size["records"]
    else:
        table, _, name = place.partition(".")
        counted = stated.size["tables"].get(table, stated.size["people"])
    n_rows = counted["released"]
    return Finding(KEEPS_LITTLE, (name,), n_rows, n_rows, table=table, share=round(share, 6))

"""Publish a folder of tables about the same people: look at them, then release and attack them."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import tomli_w

from indistinct.base.coded_text import sentences_of
from indistinct.frontends.app.work.compare import drawn
from indistinct.frontends.report.charts.pairs import Pair, pair_chart
from indistinct.related import (
    RelatedPolicy,
    RelatedTarget,
    anonymize_related,
    files_in,
    inspect_related,
    most_events,
    success_by_events,
)
from indistinct.tables.core import Progress

STEM = "policy"


def related_tables(
    tell: Progress, folder: str, name: str, profile: str | None
) -> Mapping[str, Any]:
    """Inspect the tables of a folder, and draft a policy for them.

    Parameters
    ----------
    name : of the folder, as the person chose it
    """
    found = inspect_related(
        folder, profile=profile, progress=lambda share, _: tell(share, "reading")
    )
    tell(0.5, "trying_promise")
    draft = found.drafted(STEM)
    words = tomllib.loads(draft.text)
    tables = {
        table: {
            "rows": one.rows,
            "columns": [column.name for column in one.columns],
            "reasons": {
                column.name: [asdict(said) for said in sentences_of(column.reason)]
                for column in one.columns
            },
        }
        for table, one in found.tables.items()
        if table in words["tables"]
    }
    return {
        "folder": folder,
        "name": name,
        "words": words,
        "hierarchy_files": dict(draft.files),
        "tables": tables,
        "tried": [[one.m, one.deleted] for one in draft.tried if one.n_tried],
        "left_out": list(found.left_out),
        "files": {table: path.name for table, path in files_in(folder).items()},
    }


def related_released(  # noqa: PLR0913, PLR0917 - what the job is told
    tell: Progress,
    folder: str,
    words: dict[str, Any],
    hierarchy_files: dict[str, str],
    title: str,
    heads: list[str],
    out: str,
) -> Mapping[str, Any]:
    """Release the tables of a folder, and let known events look for their people."""
    place = Path(out)
    place.mkdir(parents=True, mode=0o700)
    for name, text in {**hierarchy_files, f"{STEM}.toml": tomli_w.dumps(words)}.items():
        (place / name).write_text(text, encoding="utf-8")
    policy = RelatedPolicy.load(place / f"{STEM}.toml")
    release = anonymize_related(
        folder, policy, progress=lambda share, _: tell(0.6 * share, "searching_tables")
    )
    tell(0.7, "writing")
    crosswalk = place / "crosswalk"
    document = release.write(place / "release", crosswalk=crosswalk)
    tell(0.8, "attacking")
    target = RelatedTarget(str(place / "release"), folder, str(crosswalk))
    curve = success_by_events(target, policy, most_events(policy.model.known_rows))
    before, after = ([one[side] for one in curve] for side in (0, 1))
    labels = [str(size) for size in range(len(curve))]
    pair = Pair(labels, before, after, in_order=True)
    chart = pair_chart("events", title, title, pair, (heads[0], heads[1], heads[2]))
    return {
        "number": int(place.name),
        "document": dict(document),
        "figures": {name: dict(own) for name, own in release.figures.items()},
        "chart": drawn([chart]),
        "curve": curve,
        "warnings": [one.document() for one in release.warnings],
    }

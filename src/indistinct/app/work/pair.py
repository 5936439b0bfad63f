"""Compare two releases with each other, column by column."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from indistinct.app.work.compare import drawn
from indistinct.core.protocols import Progress
from indistinct.policy.policy import Policy
from indistinct.reader.assess.table import read_original, without_masked
from indistinct.reader.utility.distributions import (
    Distribution,
    Precision,
    distributions,
    precisions,
)
from indistinct.release.reading import read_release
from indistinct.release.released import column_line, count_release
from indistinct.report.charts.pairs import Pair, pair_chart
from indistinct.report.components import Charts
from indistinct.report.owner.cost import precision_sentence

Columns = Mapping[str, tuple[Distribution, Precision]]


def paired(  # noqa: PLR0913, PLR0917 - the files of two runs
    tell: Progress,
    folder: str,
    data: str,
    first: tuple[dict[str, Any], str],
    second: tuple[dict[str, Any], str],
    heads: list[str],
) -> Mapping[str, Any]:
    """Measure two releases of one table.

    Parameters
    ----------
    first, second : the words of the policy and the path of the release
    heads : of the charts: the value, the first release and the second
    """
    tell(0.0, "comparing")
    one = _columns(Path(folder), data, *first)
    tell(0.5, "comparing")
    other = _columns(Path(folder), data, *second)
    names = [name for name in one if name in other]
    charts = [
        chart
        for number, name in enumerate(names)
        if (chart := _chart(number, name, one[name][0], other[name][0], heads)) is not None
    ]
    said = {name: _said(one.get(name), other.get(name)) for name in dict.fromkeys([*one, *other])}
    return {"charts": drawn([Charts(charts)]), "said": said}


def _columns(folder: Path, data: str, words: dict[str, Any], release: str) -> Columns:
    """Measure the columns of one release."""
    policy = Policy.from_words(words, folder)
    before = read_original(data, policy)
    shown = dict.fromkeys([*policy.class_names, *policy.counted])
    names = [name for name in shown if name not in policy.protections]
    lines = [column_line(before, policy, name) for name in names]
    first = count_release(before, policy, lines)
    frame = read_release(release, policy, may_be_empty=True)
    after = count_release(without_masked(frame, policy), policy, lines)
    measured = zip(distributions(lines, first, after), precisions(lines, after), strict=True)
    return dict(zip(names, measured, strict=True))


def _chart(
    number: int, name: str, one: Distribution, other: Distribution, heads: list[str]
) -> Any | None:
    """Draw a column of both releases; None where their values cannot stand beside each other."""
    if list(one.labels) != list(other.labels):
        return None
    pair = Pair(one.labels, one.after, other.after, one.in_order)
    return pair_chart(f"pair-{number}", name, name, pair, (heads[0], heads[1], heads[2]))


def _said(
    one: tuple[Distribution, Precision] | None, other: tuple[Distribution, Precision] | None
) -> tuple[str, str]:
    """Say how exactly each release knows a column; nothing where it has none."""
    first = "" if one is None else precision_sentence(one[1])
    return first, "" if other is None else precision_sentence(other[1])

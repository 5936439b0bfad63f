"""Compare a release with its original, and attack it, for the owner's eyes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from indistinct.api import attack
from indistinct.frontends.report.charts.pairs import Pair, pair_chart
from indistinct.frontends.report.components import Block, Charts, Heading
from indistinct.frontends.report.owner import cost, risk
from indistinct.frontends.report.owner.cost import precision_sentence
from indistinct.frontends.report.owner.evidence import ReportRequest, evidence_of_files
from indistinct.frontends.report.pages import templates
from indistinct.tables.core import Progress
from indistinct.tables.evaluation import Distribution, PairedTables, ValuePrecision, read_original
from indistinct.tables.frames import all_cell_texts, drop_masked
from indistinct.tables.policy import Policy, resolve
from indistinct.tables.publish import inspect_table
from indistinct.tables.reading import read_file
from indistinct.tables.release import column_scale, count_release, read_release, with_codebook

ROWS_SHOWN = 20
ComparedColumns = Mapping[str, tuple[Distribution, ValuePrecision]]


def compared(  # noqa: PLR0913, PLR0917 - the files of a run
    tell: Progress, words: dict[str, Any], folder: str, data: str, release: str, crosswalk: str
) -> Mapping[str, Any]:
    """Measure a release beside its original, by the sections of the owner's report."""
    policy = Policy.from_words(words, Path(folder))
    tell(0.1, "comparing")
    evidence = evidence_of_files(release, policy, data, ReportRequest(Path(release).name))
    tell(0.8, "comparing")
    return {
        "cost": drawn(cost.section(evidence).blocks),
        "risk": drawn(_without_attacks(risk.section(evidence).blocks)),
        "rows": _rows(release, policy, data, crosswalk, 0),
    }


def records(  # noqa: PLR0913, PLR0917 - the files of a run, and where to begin
    tell: Progress,
    words: dict[str, Any],
    folder: str,
    data: str,
    release: str,
    crosswalk: str,
    start: int,
) -> Mapping[str, Any]:
    """Return some records of a release beside those that they came from."""
    tell(0.1, "reading")
    return _rows(release, Policy.from_words(words, Path(folder)), data, crosswalk, start)


def attacked(  # noqa: PLR0913, PLR0917 - the files of a run
    tell: Progress,
    words: dict[str, Any],
    folder: str,
    data: str,
    release: str,
    crosswalk: str,
    known: list[str],
) -> Mapping[str, Any]:
    """Look for everybody of the original in the release, knowing some columns of each person."""
    policy = Policy.from_words(words, Path(folder))
    tell(0.05, "reading")
    before = read_original(data, policy.reading, policy.set_forms)
    tell(0.3, "attacking")
    register = before.select(known)
    found = attack(release, policy, register=register, original=before, crosswalk=crosswalk)
    alone = inspect_table(register, _all_known(known)).together
    return {
        **found.answer.document(),
        "known": known,
        "before": None if alone is None else alone.distinction,
        "alone": None if alone is None else alone.unique,
    }


def drawn(blocks: Iterable[Block]) -> str:
    """Draw pieces of a report as HTML."""
    components: Any = templates().get_template("components.html").module
    return "".join(str(components.block(block)) for block in blocks)


def _without_attacks(blocks: Sequence[Block]) -> list[Block]:
    """Leave out what the report says of attacks by a command: the page has attacks of its own."""
    kept: list[Block] = []
    leaves_out = False
    for block in blocks:
        if isinstance(block, Heading):
            leaves_out = block.text == risk.ATTACKS
        if not leaves_out:
            kept.append(block)
    return kept


def _all_known(known: Sequence[str]) -> Policy:
    """Return a policy under which every column may be known."""
    return Policy.from_keywords(quasi_identifiers=known, k=2)


def _rows(release: str, policy: Policy, data: str, crosswalk: str, start: int) -> Mapping[str, Any]:
    """Return some records of the release, each with the record that it came from.

    Parameters
    ----------
    start : number of the first one, from 0 on; beyond the last one it is the last
    """
    forms = policy.set_forms
    after = read_file(release, typed=False, may_be_empty=True, sets=forms).frame
    links = read_file(crosswalk).frame
    rows = dict(zip(links["output_row"].to_list(), links["input_row"].to_list(), strict=True))
    before = all_cell_texts(read_original(data, policy.reading, forms))
    names = [name for name in after.columns if name in before.columns]
    start = min(start, max(after.height - 1, 0))
    pairs = [
        [[_cell(before[name][rows[number]]), _cell(after[name][number])] for name in names]
        for number in range(start, min(start + ROWS_SHOWN, after.height))
        if number in rows
    ]
    return {"names": names, "pairs": pairs, "start": start, "of": after.height}


def _cell(value: Any) -> str:
    """Write a cell; nothing where it is missing."""
    return "" if value is None else str(value)


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


def _columns(folder: Path, data: str, words: dict[str, Any], release: str) -> ComparedColumns:
    """Measure the columns of one release."""
    policy = Policy.from_words(words, folder)
    before = read_original(data, policy.reading, policy.set_forms)
    shown = dict.fromkeys([*policy.class_names, *policy.counted])
    names = [name for name in shown if name not in policy.protections]
    frame = read_release(release, resolve(policy), may_be_empty=True)
    known = with_codebook(resolve(policy), release, frame)
    lines = [column_scale(before, known.columns[name]) for name in names]
    first = count_release(before, lines)
    after = count_release(drop_masked(frame, policy.release.suppressed), lines)
    paired = PairedTables(tuple(lines), first, after)
    measured = zip(paired.distributions(), paired.precisions(), strict=True)
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
    one: tuple[Distribution, ValuePrecision] | None,
    other: tuple[Distribution, ValuePrecision] | None,
) -> tuple[str, str]:
    """Return how exactly each release knows a column; nothing where it has none."""
    first = "" if one is None else precision_sentence(one[1])
    return first, "" if other is None else precision_sentence(other[1])

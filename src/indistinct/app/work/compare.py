"""Compare a release with its original, and attack it, for the owner's eyes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from indistinct.core.protocols import Progress
from indistinct.engines import files
from indistinct.engines.cell_texts import all_cell_texts
from indistinct.policy.policy import Policy
from indistinct.publish.inspect import inspect
from indistinct.reader.assess.table import read_original
from indistinct.reader.attacks.attack import attack
from indistinct.report.components import Block, Heading
from indistinct.report.owner import cost, risk
from indistinct.report.owner.evidence import Asked, evidence_of_files
from indistinct.report.pages import templates

ROWS_SHOWN = 8


def compared(  # noqa: PLR0913, PLR0917 - the files of a run
    tell: Progress, words: dict[str, Any], folder: str, data: str, release: str, crosswalk: str
) -> Mapping[str, Any]:
    """Measure a release beside its original, by the sections of the owner's report."""
    policy = Policy.from_words(words, Path(folder))
    tell(0.1, "comparing")
    evidence = evidence_of_files(release, policy, data, Asked(Path(release).name))
    tell(0.8, "comparing")
    return {
        "cost": drawn(cost.section(evidence).blocks),
        "risk": drawn(_without_attacks(risk.section(evidence).blocks)),
        "rows": _first_rows(release, policy, data, crosswalk),
    }


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
    before = read_original(data, policy)
    tell(0.3, "attacking")
    register = before.select(known)
    found = attack(release, policy, register=register, original=before, crosswalk=crosswalk)
    alone = inspect(register, _all_known(known)).together
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
    """Give a policy under which every column may be known."""
    return Policy.from_keywords(quasi_identifiers=known, k=2)


def _first_rows(release: str, policy: Policy, data: str, crosswalk: str) -> Mapping[str, Any]:
    """Give the first records of the release, each with the record that it came from."""
    forms = policy.set_forms
    after = files.read(release, typed=False, may_be_empty=True, sets=forms).frame.head(ROWS_SHOWN)
    links = files.read(crosswalk).frame
    rows = dict(zip(links["output_row"].to_list(), links["input_row"].to_list(), strict=True))
    before = all_cell_texts(read_original(data, policy))
    names = [name for name in after.columns if name in before.columns]
    pairs = [
        [[str(before[name][rows[number]]), str(after[name][number])] for name in names]
        for number in range(after.height)
        if number in rows
    ]
    return {"names": names, "pairs": pairs}

"""The public page: what was promised, done and lost, how to cite and how to verify it.

It is a function of the release, the manifest and the policy, all of which are public. It shows no
cell of the release and no label of a hierarchy.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from indistinct.api import verify
from indistinct.base.brief import short_repr
from indistinct.base.files.pair import refuse_mixed_pair
from indistinct.base.statements.number_texts import (
    count,
    listed,
    percent,
    some,
)
from indistinct.base.statements.sentences import (
    highest_words,
    readers_sentence,
    risk_note,
    verdict_sentence,
)
from indistinct.base.statements.statements import Statements
from indistinct.frontends.report.bibliography import entries_of, keys_of
from indistinct.frontends.report.components import (
    Block,
    Callout,
    Code,
    Figure,
    Figures,
    Heading,
    Listing,
    Page,
    Paragraph,
    Section,
    Table,
    Tone,
)
from indistinct.frontends.report.levels import level_blocks
from indistinct.frontends.report.promises import (
    ALWAYS_OPEN,
    kinds_used,
    method_in_words,
    model_table,
    open_risks,
    promises,
    unprotected,
)
from indistinct.frontends.report.sets import set_blocks, set_change
from indistinct.frontends.report.warning_paragraphs import warning_paragraphs
from indistinct.tables.core import Role
from indistinct.tables.findings import Finding
from indistinct.tables.policy import Policy
from indistinct.tables.publish import Release
from indistinct.tables.reading import sha256_of

PUBLIC = "This page may be published with the data"
AS_IT_WAS = "released unchanged"


def public_page_of_release(
    release: Release, name: str, manifest: Mapping[str, Any] | None = None
) -> Page:
    """Write the public page of a release that was just made, by its public manifest alone."""
    document = manifest or release.manifest
    return public_page(Known(name, release.policy, bool(document["verified"]), document))


def public_page(known: Known) -> Page:
    """Return the page."""
    return Page(
        title=f"About {known.name}",
        about="What was done to these data before they were published, and what that means.",
        marking=PUBLIC,
        sections=[
            _promise(known),
            _changes(known),
            _limits(known),
            _verify(known),
            _cite(known),
        ],
    )


def _promise(known: Known) -> Section:
    """Return what is promised."""
    blocks: list[Block] = [
        _verdict(known),
        Figures(list(_figures(known))),
        Paragraph("This is what the release promises to everybody whose record is in it."),
        Listing(list(promises(known.policy))),
    ]
    if known.manifest["models"]:
        blocks += [Heading("The formal promise"), model_table(known.manifest["models"])]
    return Section("promise", "What is promised", blocks)


def _verdict(known: Known) -> Callout:
    """Return whether the promise holds."""
    if known.holds is False:
        text = "Do not use these data, and tell those who published them."
        return Callout("The promise does not hold.", text, Tone.BAD)
    stated = known.statements
    tone = Tone.GOOD if known.holds and stated.reached else Tone.PLAIN
    return Callout(verdict_sentence(stated), readers_sentence(stated), tone)


def _figures(known: Known) -> Iterator[Figure]:
    """Yield the figures of the manifest."""
    records, names = known.manifest["records"], ", ".join(known.policy.set_names)
    released, suppressed = records["released"], records["suppressed"] or 0
    note = f"{count(suppressed) if suppressed else 'None'} were left out."
    yield Figure("Records", count(released), note)
    smallest = known.manifest["classes"]["smallest"]
    if smallest is not None:
        unit = known.manifest["classes"].get("counted") or "records"
        note = f"Counted in {unit} with the same values in the columns that others may know."
        if names:
            note = f"{note.removesuffix('.')}, apart from the items in {names}."
        if known.policy.release.form == "anatomy":
            note = "Counted in the entries of the second table, with their counts added up."
        yield Figure("Smallest group", count(smallest), note)
    risk = known.statements.risk
    if "highest" in risk:
        note = risk_note(risk)
        yield Figure("Highest re-identification risk", highest_words(risk), note)


def _changes(known: Known) -> Section:
    """Return what was changed per column, what was lost, and what remains possible."""
    method = known.manifest["method"]
    blocks: list[Block] = []
    if how := method_in_words(method, known.policy.release.form):
        blocks.append(Paragraph(how))
    rows = [
        (name, column.role.value, _change(known, name))
        for name, column in known.policy.columns.items()
    ]
    blocks.append(Table("What was done to each column", ("Column", "Role", "What was done"), rows))
    blocks += level_blocks(method)
    blocks += set_blocks(known.manifest.get("sets", {}), known.policy.columns)
    blocks += [Heading("What remains possible"), Listing(list(_possible(known)))]
    return Section("changes", "What was changed, and what remains possible", blocks)


def _change(known: Known, name: str) -> str:
    """Return what was done to a column."""
    policy = known.policy
    if name in policy.left_out:
        return "left out"
    if name in policy.protections:
        return f"protected by {policy.protections[name].name}"
    if name in known.manifest.get("sets", {}):
        return set_change(known.manifest["sets"][name])
    return _coarser(known.manifest["method"], name) if name in policy.class_names else AS_IT_WAS


def _coarser(method: Mapping[str, Any], name: str) -> str:
    """Return how a column was made coarser."""
    used: Mapping[str, Mapping[str, float]] = method.get("levels") or {}
    level: Mapping[str, int] = method.get("transformation") or {}
    if name in level:
        return f"generalized to level {level[name]} of its hierarchy" if level[name] else AS_IT_WAS
    if name in used:
        kept = float(used[name].get("0", 0.0))
        return (
            AS_IT_WAS
            if kept >= 1
            else f"generalized where needed; {percent(kept)} of the values unchanged"
        )
    return "generalized where the promise needs it"


def _possible(known: Known) -> Iterator[str]:
    """Yield which analyses remain possible."""
    policy = known.policy
    plain = [
        name
        for name, column in policy.columns.items()
        if name not in {*policy.left_out, *policy.protections, *policy.class_names}
        and column.role in {Role.SENSITIVE, Role.INSENSITIVE}
    ]
    if plain:
        names = listed(plain)
        yield f"The values of {names} are those of the original, in every released record."
    levels: Mapping[str, Mapping[str, float]] = known.manifest["method"].get("levels") or {}
    for name, used in levels.items():
        kept = float(used.get("0", 0.0))
        if 0 < kept < 1:
            yield f"The value of {name} is exact in {percent(kept)} of the records."
    suppressed = known.manifest["records"]["suppressed"]
    if suppressed:
        yield (
            f"{some(suppressed, 'record')} were left out because they stood out. Groups of people "
            "with rare values are underrepresented."
        )
    yield (
        "A range or a general label stands for one of its values; treat it as such, for example by "
        "spreading the record over them."
    )


def _limits(known: Known) -> Section:
    """Return what the release does not protect against."""
    warned = map(Finding.read, known.manifest.get("warnings", ()))
    items = list(dict.fromkeys([*open_risks(known.policy), *unprotected(known.policy)]))
    items += ALWAYS_OPEN
    text = "Do not try to find people in these data. The protection has limits:"
    lead = [Paragraph(text), *warning_paragraphs(list(warned))]
    return Section("limits", "What this does not protect against", [*lead, Listing(items)])


def _verify(known: Known) -> Section:
    """Return how everybody can check the promise."""
    manifest, name = known.manifest, shlex.quote(known.name)
    rows = [
        ("SHA-256 of the release", str(manifest["output"]["sha256"] or "not written yet")),
        ("Salted fingerprint of the original", str(manifest["input"]["fingerprint"])),
        ("Version of indistinct", str(manifest["indistinct"])),
        ("Algorithm", str(manifest["method"]["algorithm"])),
    ]
    return Section(
        "verify",
        "How to verify it",
        [
            Paragraph(
                "Everybody who has the data, the manifest beside them and the policy can count the "
                "groups again, with one command."
            ),
            Code("The command", f"indistinct verify {name} --policy policy.toml"),
            Table("What the files must be", ("Fact", "Value"), rows),
        ],
    )


def _cite(known: Known) -> Section:
    """Return how to cite, and whom to ask."""
    manifest, context = known.manifest, known.policy.context
    digest = str(manifest["output"]["sha256"] or "")[:16]
    blocks: list[Block] = [
        Paragraph(
            f"Cite the data with the name {known.name} and the first digits of their hash"
            f"{f' ({digest})' if digest else ''}, so that others find the same release."
        )
    ]
    if context is not None and context.contact:
        blocks.append(Paragraph(f"Whom to ask: {context.contact}."))
    if papers := entries_of(keys_of(*kinds_used(known.policy, manifest["method"]))):
        blocks.append(Code("The publications behind the methods, as BibTeX", papers))
    return Section("cite", "How to cite it, and whom to ask", blocks)


@dataclass(frozen=True, slots=True)
class Known:
    """What everybody knows who has the release, its manifest and its policy.

    Parameters
    ----------
    name : of the release
    holds : the verdict of a verification of the release alone; None where it is undecided
    manifest : the public one, as JSON
    """

    name: str
    policy: Policy
    holds: bool | None
    manifest: Mapping[str, Any]

    __repr__ = short_repr

    @property
    def statements(self) -> Statements:
        """What the manifest states, which a verification of the release has compared with it."""
        return Statements.read(self.manifest["statements"])


def known_of_files(path: str, policy: Policy) -> Known:
    """Read the manifest beside a release, and verify the release by nothing but these.

    Raises
    ------
    DataError
        when there is no manifest, it is of another release, or the release cannot be read
    """
    from indistinct.errors import DataError

    manifest_file = Path(f"{path}.manifest.json")
    if not manifest_file.is_file():
        raise DataError(
            f"{manifest_file.name} is not beside the release", "Take the manifest of the same run."
        )
    refuse_mixed_pair(path, sha256_of(path))
    manifest: Mapping[str, Any] = json.loads(manifest_file.read_text(encoding="utf-8"))
    return Known(Path(path).name, policy, verify(path, policy).holds, manifest)

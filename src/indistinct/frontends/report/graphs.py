"""Reports on a released graph: for its owner, and for its readers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from indistinct.base.statements.number_texts import (
    capitalized,
    chance,
    count,
    figure,
    percent,
    some,
)
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
from indistinct.graph import GRAPH_MODELS_BY_NAME, load_manifest, manifest_of

KNOWLEDGE = {
    "degree": "how many links a person has",
    "h2": "how many links a person and each of the contacts have",
    "h3": "how many links their contacts have, one step further",
    "neighborhood": "how a person's contacts are linked among themselves",
}
OPEN = (
    (
        "Somebody who knows more of the network around a person than the promise covers may find "
        "the person."
    ),
    "Two releases of one network can be compared with each other. Publish it once.",
)
SIMPLE = (
    "A link in the release only says that two members are linked. The directions, weights, dates "
    "and repetitions that links of the original may have are left out."
)
MEASURES = {
    "transitivity": "Transitivity (share of connected triples that are triangles)",
    "clustering": "Clustering (mean over the members)",
    "assortativity": "Assortativity (whether alike degrees link)",
    "path": "Mean length of shortest paths",
    "diameter": "Diameter",
    "modularity": "Modularity of the communities",
    "core": "Largest core",
}


@dataclass(frozen=True, slots=True)
class GraphEvidence:
    """What is known of a released graph.

    Parameters
    ----------
    name : of the released file
    manifest : the public one
    found : the verification as JSON
    measured, before : assessment of the release and inspection of the original, of an owner's
        report
    left_out : what the release leaves out of the original, of an owner's report
    """

    name: str
    manifest: Mapping[str, Any]
    found: Mapping[str, Any]
    measured: Mapping[str, Any] | None = None
    before: Mapping[str, Any] | None = None
    left_out: str | None = None


def graph_evidence(
    release: Path, original: Path | None = None, crosswalk: Path | None = None
) -> GraphEvidence:
    """Verify and measure a written release; without an original, by what is public alone.

    Raises
    ------
    DataError
        when a file cannot be read, or there is no manifest
    """
    from indistinct.graph import verify

    manifest = load_manifest(manifest_of(release, None)) or {}
    if original is None:
        return GraphEvidence(release.name, manifest, verify(release).document())
    from indistinct.graph import assess, inspect, left_out, read, read_crosswalk

    given, released = read(original), read(release)
    dropped = [name for name in given.attributes if name not in released.attributes]
    pairs = None if crosswalk is None else read_crosswalk(crosswalk)
    return GraphEvidence(
        release.name,
        manifest,
        verify(release, original=original, crosswalk=crosswalk).document(),
        assess(release, original=given, crosswalk=pairs),
        inspect(given),
        left_out(given.cleaning, dropped),
    )


def graph_promise(document: Mapping[str, Any]) -> str:
    """Return in words what a released graph promises."""
    return GRAPH_MODELS_BY_NAME[document["model"]].promise.format(**document)


def graph_figures(document: Mapping[str, Any]) -> list[Figure]:
    """Return the figures of a released graph."""
    edges, smallest = document["edges"], document["levels"]["degree"]
    figures = [
        Figure("Members", count(document["vertices"])),
        Figure("Links", count(edges["output"]), f"{count(edges['input'])} in the original."),
        Figure("Smallest group", count(smallest), "Members with equally many links."),
    ]
    if "kept" in edges:
        kept = edges["kept"] / max(edges["input"], 1)
        figures.append(Figure("Links kept", percent(kept), "Of the original."))
    return figures


def graph_page(evidence: GraphEvidence) -> Page:
    """Write the report; the owner's where the evidence has measures of the original."""
    owners = evidence.measured is not None
    sections = [_verdict(evidence), _promise(evidence), _risk(evidence)]
    sections += [_cost(evidence)] if owners else []
    marking = "Confidential: this report holds figures of the original data"
    return Page(
        title=f"{'Report on' if owners else 'About'} {evidence.name}",
        about="A network that was changed, so that its members stay unknown when it is published.",
        marking=marking if owners else "This page may be published with the data",
        sections=[*sections, _limits(evidence), _repeat(evidence)],
    )


def _verdict(evidence: GraphEvidence) -> Section:
    """Return whether the promise holds."""
    found = evidence.found
    holds = found["holds"]
    if holds:
        text = "It was checked by counting in the published files."
        callout = Callout("The promise holds.", text, Tone.GOOD)
    elif holds is None:
        text = "No fault was found, but a part of it could not be checked with these files."
        callout = Callout("It is not decided whether the promise holds.", text, Tone.WARNING)
    else:
        text = "The reasons are listed below."
        callout = Callout("Do not publish this network: the promise does not hold.", text, Tone.BAD)
    blocks: list[Block] = [callout, Figures(graph_figures(evidence.manifest))]
    said = [f"{reason}." for reason in (*found["reasons"], *found["undecided"])]
    return Section("verdict", "Verdict", [*blocks, Listing(said)] if said else blocks)


def _promise(evidence: GraphEvidence) -> Section:
    """Return what is promised."""
    manifest = evidence.manifest
    required, achieved = manifest["required"], manifest["achieved"]
    rows = [(name, figure(value), figure(achieved.get(name))) for name, value in required.items()]
    blocks: list[Block] = [Paragraph(graph_promise(manifest)), Paragraph(SIMPLE)]
    if rows:
        caption = f"The formal model {manifest['model']}"
        blocks.append(Table(caption, ("Parameter", "Required", "Achieved"), rows, numbers=(1, 2)))
    return Section("promise", "The promise", blocks)


def _risk(evidence: GraphEvidence) -> Section:
    """Return how many members look alike to those who know something."""
    heads = ["Somebody who knows", "Release"]
    rows = [[_known(name), _of_one(level)] for name, level in evidence.manifest["levels"].items()]
    if evidence.before is not None:
        heads.insert(1, "Original")
        before: Mapping[str, int] = evidence.before["levels"]
        for row, name in zip(rows, evidence.manifest["levels"], strict=True):
            row.insert(1, _of_one(before.get(name)))
    caption = "Highest re-identification risk of a member"
    text = (
        "Members of a network are found by what others know of their links. The table says how "
        "likely that is for the member who stands out most."
    )
    table = Table(caption, heads, rows, numbers=tuple(range(1, len(heads))))
    return Section("risk", "Risk", [Paragraph(text), table])


def _known(name: str) -> str:
    """Return what somebody knows."""
    words = KNOWLEDGE.get(name, name)
    return capitalized(words)


def _of_one(level: int | None) -> str:
    """Return the chance to find somebody among so many who look alike."""
    return chance(1 / level) if level else "not measured"


def _cost(evidence: GraphEvidence) -> Section:
    """Return what was lost."""
    measured = evidence.measured or {}
    after, before = measured["release"], measured.get("original", {})
    rows = [
        (title, figure(before.get(name)), figure(after.get(name)))
        for name, title in MEASURES.items()
        if name in after
    ]
    heads = ("Measure", "Original", "Release")
    said = [evidence.left_out] if evidence.left_out else []
    blocks: list[Block] = [Listing([*said, *_cost_sentences(measured)])]
    blocks += [Heading("Figures of the network"), Table("Before and after", heads, rows, (1, 2))]
    return Section("cost", "What it cost", blocks)


def _cost_sentences(measured: Mapping[str, Any]) -> Iterator[str]:
    """Yield which links are kept, and which analyses stay valid."""
    if "edges" in measured:
        yield f"{percent(measured['edges']['kept'])} of the links of the original are kept."
    if "degrees" in measured:
        off = figure(measured["degrees"]["emd"])
        yield f"On average, the number of links of a member changed by {off}."
    if "ranks" in measured:
        share = percent(measured["ranks"]["degree"]["top_overlap"])
        yield f"Of the members with the most links, {share} are still among those with the most."
    if "communities" in measured:
        same = figure(measured["communities"]["nmi"])
        yield (
            "Communities that are found in the release agree with those of the original by "
            f"{same}, on a scale from 0 (not at all) to 1 (fully)."
        )
    yield "Measures of the whole network change as the table says."


def _limits(evidence: GraphEvidence) -> Section:
    """Return what the release does not protect against."""
    kind = GRAPH_MODELS_BY_NAME[evidence.manifest["model"]]
    items = [text.format(**evidence.manifest) for text in kind.leaves_open]
    certain = evidence.manifest.get("certain_edges")
    if certain:
        items.append(
            f"{some(certain['count'], 'link')} ({percent(certain['share'])}) can be told with "
            "certainty from the published groups."
        )
    notes = [f"{note}." for note in evidence.found["notes"]]
    return Section(
        "limits", "What this does not protect against", [Listing([*items, *OPEN, *notes])]
    )


def _repeat(evidence: GraphEvidence) -> Section:
    """Return how to verify, and whose method it is."""
    manifest = evidence.manifest
    hashes = [(name, str(one["sha256"])) for name, one in manifest.get("files", {}).items()]
    blocks: list[Block] = [
        Code("The command that verifies it", f"indistinct graph verify {evidence.name}"),
        Table("SHA-256 of the published files", ("File", "SHA-256"), hashes),
    ]
    papers = entries_of(keys_of(GRAPH_MODELS_BY_NAME[manifest["model"]]))
    if papers:
        blocks.append(Code("The publications behind the method, as BibTeX", papers))
    return Section("repeat", "How to verify it", blocks)

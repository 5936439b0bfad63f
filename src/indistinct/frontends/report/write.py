"""Reports as files: one page each, all or nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from indistinct.base.files.documents import json_text
from indistinct.base.files.writing import atomic
from indistinct.base.statements.statements import Statements
from indistinct.errors import Fault, OutputError, ParameterError
from indistinct.frontends.report.components import Page
from indistinct.frontends.report.owner.evidence import (
    ReportRequest,
    evidence_of_files,
    evidence_of_release,
)
from indistinct.frontends.report.owner.page import owners_page
from indistinct.frontends.report.pages import html_of
from indistinct.frontends.report.public.page import (
    known_of_files,
    public_page,
    public_page_of_release,
)
from indistinct.frontends.report.thresholds import threshold_of
from indistinct.tables.policy import Policy
from indistinct.tables.publish import Release
from indistinct.tables.reading import check_output

if TYPE_CHECKING:
    from indistinct.questions.database import Statement

ENDINGS = (".html", ".htm")


class WrittenReport(NamedTuple):
    """What a report says of a release.

    Parameters
    ----------
    holds : whether the promise holds; None where it is undecided
    statements : all that is said; None of a manifest that states nothing
    """

    holds: bool | None
    statements: Statements | None


def check_report(path: str | Path, source: object, *, private: bool) -> None:
    """Refuse a path where no report can be written.

    Raises
    ------
    OutputError
        when it is not an HTML file, or cannot be written
    """
    if Path(path).suffix.lower() not in ENDINGS:
        raise OutputError(f"{Path(path).name} is not an HTML file", "Let its name end with .html.")
    check_output(str(path), source, private=private)


def write_page(page: Page, path: str | Path, *, private: bool) -> None:
    """Write a page.

    Parameters
    ----------
    private : for the owner alone: nobody else may read the file
    """
    with atomic(Path(path), private=private) as temporary:
        temporary.write_text(html_of(page), encoding="utf-8")


def write_report(  # noqa: PLR0913 - the words of the command
    release: str,
    policy: Policy,
    original: Any,
    path: str | Path,
    *,
    crosswalk: Path | None = None,
    registers: Sequence[Any] = (),
    risk_threshold: str | float | None = None,
    learn: str | None = None,
) -> WrittenReport:
    """Write the owner's report on a written release, and return what it says.

    Parameters
    ----------
    release : path of the release; its manifest is looked for beside it
    original : path of the table that it was made from
    registers : what attackers may know of people, each a path or a frame; each is tried
    risk_threshold : a number, or the name of a preset
    learn : column that a model is to predict

    Raises
    ------
    DataError
        when a file cannot be read
    OutputError
        when the report cannot be written
    """
    check_report(path, release, private=True)
    options = [] if risk_threshold is None else ["--risk-threshold", str(risk_threshold)]
    asked = ReportRequest(Path(release).name, threshold_of(risk_threshold), learn, tuple(options))
    evidence = evidence_of_files(
        release, policy, original, asked, crosswalk=crosswalk, registers=registers
    )
    write_page(owners_page(evidence), path, private=True)
    return WrittenReport(evidence.holds, evidence.statements)


def write_public(release: str, policy: Policy, path: str | Path) -> WrittenReport:
    """Write the public page of a release, from its files alone, and return what it says."""
    check_report(path, release, private=False)
    known = known_of_files(release, policy)
    write_page(public_page(known), path, private=False)
    return WrittenReport(known.holds, known.statements)


def write_release_report(  # noqa: PLR0913 - the words of a report
    release: Release,
    path: str | Path,
    *,
    public: bool = False,
    name: str | None = None,
    risk_threshold: str | float | None = None,
    manifest: Mapping[str, Any] | None = None,
    statements: Mapping[str, Any] | None = None,
    seed: int | None = None,
) -> None:
    """Write the report on a release that was just made.

    Parameters
    ----------
    public : the public page in place of the owner's report
    name : what the release is called
    manifest, statements : of the written release, where it was written; these of its owner
    seed : that the release was made with, where it was given one
    """
    check_report(path, None, private=not public)
    called = name or "the release"
    if public:
        write_page(public_page_of_release(release, called, manifest), path, private=False)
        return
    asked = ReportRequest(called, threshold_of(risk_threshold), seed=seed)
    evidence = evidence_of_release(release, asked, manifest, statements)
    write_page(owners_page(evidence), path, private=True)


def write_graph_report(
    release: Path,
    path: Path,
    original: Path | None = None,
    crosswalk: Path | None = None,
    *,
    public: bool = False,
) -> bool | None:
    """Write the report on a released graph.

    Returns
    -------
    whether the promise holds; None where it is undecided

    Raises
    ------
    ParameterError
        when the owner's report lacks the original, or the public page has one
    """
    from indistinct.frontends.report.graphs import graph_evidence, graph_page

    if public == (original is not None):
        remedy = "Give --original for the owner's report, or --public without it."
        problem = "is for the owner's report alone" if public else "is missing"
        raise ParameterError([Fault("--original", problem, remedy)])
    check_report(path, str(release), private=not public)
    evidence = graph_evidence(release, original, crosswalk)
    write_page(graph_page(evidence), path, private=not public)
    holds: bool | None = evidence.found["holds"]
    return holds


def write_ledger_report(declaration: Path, path: Path, registry: Path | None = None) -> Statement:
    """Write the owner's report on a ledger and, if asked for, the entry of a registry."""
    from indistinct.frontends.report.ledgers import ledger_page, registry_entry
    from indistinct.questions.database import ledger, load

    check_report(path, str(declaration), private=True)
    dataset, found = load(declaration), ledger(declaration)
    if registry is not None:
        check_output(str(registry), str(declaration))
        with atomic(registry) as temporary:
            temporary.write_text(json_text(registry_entry(dataset, found)), encoding="utf-8")
    write_page(ledger_page(dataset, found), path, private=True)
    return found

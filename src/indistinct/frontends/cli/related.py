"""The command that publishes a folder of tables about the same people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from indistinct.base.statements.number_texts import percent
from indistinct.base.statements.sentences import (
    kept_words,
    risk_words,
    search_words,
    size_words,
    verdict_words,
)
from indistinct.errors import OutputError, ParameterError
from indistinct.frontends.cli.drawing import FactTable
from indistinct.frontends.cli.finding_options import exit_on_findings, say_findings, with_findings
from indistinct.frontends.cli.outputs import refuse_standing, write_texts
from indistinct.frontends.cli.terminal import print_document, print_text, progress_bar, say

if TYPE_CHECKING:
    from indistinct.related import RelatedAssessment, RelatedPolicy, RelatedRelease

# Options of the command that related tables have; see ``AnonymizeOptions``.
TAKEN = frozenset(
    {
        *("data", "out", "policy", "crosswalk", "seed", "replace_it", "as_json", "verbose"),
        *("warnings", "fail_on"),
    }
)


@dataclass(frozen=True, slots=True)
class FolderOptions:
    """What is asked of a release of a folder.

    Parameters
    ----------
    data, out : the folders
    crosswalk : a folder for the owner alone, if it is asked for
    warnings, fail_on : which are printed, and which end with another exit code
    others : options that were given and that related tables do not have
    """

    data: str
    out: str
    crosswalk: Path | None
    seed: int | None
    replace: bool
    as_json: bool
    warnings: str
    fail_on: str | None
    others: Sequence[str]


def anonymize_folder(asked: FolderOptions, policy: RelatedPolicy) -> None:
    """Release the tables of a folder into a folder, with its manifest, and say what was lost."""
    from indistinct.related import anonymize_related

    if asked.others:
        listed = ", ".join(f"--{name.replace('_', '-')}" for name in asked.others)
        raise ParameterError(f"related tables do not take {listed}", "Leave it out.")
    _check_output(asked)
    with progress_bar(quiet=asked.as_json) as progress:
        release = anonymize_related(asked.data, policy, seed=asked.seed, progress=progress)
        document = release.write(asked.out, crosswalk=asked.crosswalk, replace=asked.replace)
    say_findings(release.findings, asked.warnings, asked.fail_on)
    if asked.as_json:
        print_document(with_findings(document, release.findings, release.statements.document()))
    else:
        print_text(_summary(release, asked.out, asked.crosswalk))
    exit_on_findings(release.findings, asked.fail_on)


def _check_output(asked: FolderOptions) -> None:
    """Refuse an output that is there, or is the input."""
    from indistinct.tables.engines import is_schema

    if asked.out == asked.data or Path(asked.out).absolute() == Path(asked.data).absolute():
        raise OutputError("the output is the input", "Choose another place for the release.")
    if not is_schema(asked.out) and Path(asked.out).exists() and not asked.replace:
        raise OutputError(f"{asked.out} is there already", "Choose another, or use --replace.")


def inspect_folder(
    data: str, draft: Path | None, profile: str | None, *, replace: bool, as_json: bool
) -> None:
    """Describe the tables of a folder, and write the draft of a policy for them."""
    from indistinct.frontends.cli.pictures import inspection_table
    from indistinct.related import inspect_related

    with progress_bar(quiet=as_json) as progress:
        found = inspect_related(data, profile=profile, progress=progress)
    if draft is not None:
        written = found.drafted(draft.stem)
        texts = {draft.parent / name: content for name, content in written.files.items()}
        refuse_standing(texts, replace=replace)
        write_texts({**texts, draft: written.text}, data)
        for sentence in (*found.said, *(one.sentence() for one in written.tried)):
            say(sentence)
        say(f"wrote {draft}: decide on the roles, and check the keys and references")
    if as_json:
        print_document(found.document())
        return
    if draft is None:
        for sentence in found.said:
            say(sentence)
    links = found.links
    for name, one in found.tables.items():
        if name in (*found.public, *found.left_out):
            kind = "public" if name in found.public else "it has no place in a release"
            print_text(f"{name}: {one.rows:,} rows, {kind}")
            continue
        key = f", key {links.keys[name]}" if name in links.keys else ""
        led = links.references.get(name, {})
        above = "".join(f", {column} leads to {table}" for column, table in led.items())
        kind = " (people)" if name == links.people else ""
        print_text(f"{name}{kind}: {one.rows:,} rows{key}{above}")
        print_text(inspection_table(one))


def related_assessment(found: RelatedAssessment) -> str:
    """Return what released tables reach: the answer first."""
    model, *shares = found.models
    said, achieved = model["required"], model["achieved"]
    table = FactTable()
    promise = f"joint-anonymity (k {said['k']}, m {said['m']})"
    table.add_row("promise", f"{promise}: {'holds' if found.holds else 'DOES NOT HOLD'}")
    if achieved is not None:
        table.add_row("reached", f"k {achieved['k']}: the fewest people who have a pattern")
    for one in shares:
        required, reached = one["required"], one["achieved"]["share"]
        holds = "holds" if one["holds"] else "DOES NOT HOLD"
        most = percent(required["share"])
        text = f"{required['column']}, at most {most}: {holds}; reached {percent(reached)}"
        table.add_row("largest share", text)
    table.add_row("people", f"{found.people:,} in {found.classes:,} classes")
    for name, count in found.rows.items():
        table.add_row(name, f"{count:,} rows")
    table.add_row(
        "rows alone", f"{percent(found.rows_alone)} of the people by their numbers of rows"
    )
    for number, share in found.beyond.items():
        below = "not counted" if share is None else f"{percent(share)} of the people below k"
        table.add_row(f"{number} events", below)
    return table.drawn()


def _levels_kept(release: RelatedRelease[Any]) -> Iterator[str]:
    """Yield, per column and level, which rows keep it, and the most that the classes allow."""
    for name, figures in release.figures.items():
        for column, levels in figures["kept"].items():
            said = [
                f"{one['reached']:.0%} at level {level} or finer (at most {one['at_most']:.0%})"
                for level, one in levels.items()
                if 0 < one["at_most"] < 1
            ]
            if said:
                yield f"{name}.{column}: {', '.join(said)} of the rows"


def _summary(release: RelatedRelease[Any], out: str, crosswalk: Path | None) -> str:
    """Return what was promised, what was kept, who is found, and where the files are."""
    table, stated = FactTable(), release.statements
    table.add_row("verdict", verdict_words(stated))
    table.add_row("size", size_words(stated.size))
    table.add_row("kept", kept_words(stated.kept))
    table.add_row("risk", risk_words(stated.risk))
    table.add_row("search", search_words(stated.search))
    for line in _levels_kept(release):
        table.add_row("levels", line)
    table.add_row("release", out)
    if crosswalk is not None:
        table.add_row("crosswalk", f"{crosswalk} (for the owner alone)")
    return table.drawn()

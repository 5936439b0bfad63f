"""The command that publishes a folder of tables about the same people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from indistinct.cli.drawing import FactTable
from indistinct.cli.outputs import refuse_standing, write_texts
from indistinct.cli.release_warnings import say_warnings
from indistinct.cli.terminal import print_document, print_text, progress_bar, say
from indistinct.errors import OutputError, ParameterError

if TYPE_CHECKING:
    from indistinct.policy.related import RelatedPolicy

# Options of the command that related tables have; see ``AnonymizeOptions``.
TAKEN = frozenset(
    {"data", "out", "policy", "crosswalk", "seed", "replace_it", "as_json", "verbose", "warnings"}
)


@dataclass(frozen=True, slots=True)
class FolderOptions:
    """What is asked of a release of a folder.

    Parameters
    ----------
    data, out : the folders
    crosswalk : a folder for the owner alone, if it is asked for
    warnings : which are printed
    others : options that were given and that related tables do not have
    """

    data: str
    out: str
    crosswalk: Path | None
    seed: int | None
    replace: bool
    as_json: bool
    warnings: str
    others: Sequence[str]


def anonymize_folder(asked: FolderOptions, policy: RelatedPolicy) -> None:
    """Release the tables of a folder into a folder, with its manifest, and say what was lost."""
    from indistinct.publish.related.release import anonymize_related

    if asked.others:
        listed = ", ".join(f"--{name.replace('_', '-')}" for name in asked.others)
        raise ParameterError(f"related tables do not take {listed}", "Leave it out.")
    target = Path(asked.out)
    if target.exists() and not asked.replace:
        raise OutputError(f"{asked.out} is there already", "Choose another, or use --replace.")
    if target.absolute() == Path(asked.data).absolute():
        raise OutputError("the output is the input", "Choose another folder for the release.")
    with progress_bar(quiet=asked.as_json) as progress:
        release = anonymize_related(asked.data, policy, seed=asked.seed, progress=progress)
        document = release.write(asked.out, crosswalk=asked.crosswalk, replace=asked.replace)
    say_warnings(release.warnings, asked.warnings)
    if asked.as_json:
        print_document(document)
    else:
        print_text(_summary(document, asked.out, asked.crosswalk))


def inspect_folder(data: str, draft: Path | None, *, replace: bool, as_json: bool) -> None:
    """Describe the tables of a folder, and write the draft of a policy for them."""
    from indistinct.cli.pictures import inspection_table
    from indistinct.publish.related.inspect import inspect_related

    found = inspect_related(data)
    if draft is not None:
        text, beside = found.drafted(draft.stem)
        texts = {draft.parent / name: content for name, content in beside.items()}
        refuse_standing(texts, replace=replace)
        write_texts({**texts, draft: text}, data)
        say(f"wrote {draft}: decide on the roles, and check the keys and references")
    if as_json:
        print_document(found.document())
        return
    links = found.links
    for name, one in found.tables.items():
        key = f", key {links.keys[name]}" if name in links.keys else ""
        led = links.references.get(name, {})
        above = "".join(f", {column} leads to {table}" for column, table in led.items())
        kind = " (people)" if name == links.people else ""
        print_text(f"{name}{kind}: {one.rows:,} rows{key}{above}")
        print_text(inspection_table(one))


def _summary(document: Mapping[str, Any], out: str, crosswalk: Path | None) -> str:
    """Return what was promised, what it cost, and where the files are."""
    table, related = FactTable(), document["related"]
    said = document["models"][0]["required"]
    table.add_row("promise", f"joint-anonymity (k {said['k']}, m {said['m']}); verified")
    people = related["people"]
    table.add_row("people", f"{people['released']:,} released, {people['vanished']:,} left out")
    table.add_row("classes", f"{related['classes']:,}")
    for name, entry in related["tables"].items():
        losses = ", ".join(f"{column} {loss:.2g}" for column, loss in entry["loss"].items())
        lost = f"; loss of {losses}" if losses else ""
        text = f"{entry['rows']:,} rows, {entry['deleted']:.0%} left out{lost}"
        table.add_row(name, text)
    for number, share in related["beyond"].items():
        found = "not counted" if share is None else f"{share:.1%} of the people below k"
        table.add_row(f"{number} events", found)
    table.add_row("release", out)
    if crosswalk is not None:
        table.add_row("crosswalk", f"{crosswalk} (for the owner alone)")
    return table.drawn()

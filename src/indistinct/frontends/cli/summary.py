"""What the command says of a release: five lines first, everything else when asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from indistinct.base.statements.number_texts import percent, some
from indistinct.base.statements.sentences import (
    kept_words,
    risk_words,
    search_words,
    size_words,
    verdict_words,
)
from indistinct.base.statements.statements import Statements
from indistinct.frontends.cli.drawing import FactTable, class_line, figure, words
from indistinct.frontends.cli.finding_options import with_findings
from indistinct.tables.core import PERSON, person_and
from indistinct.tables.release import ModelEntry

if TYPE_CHECKING:
    from indistinct.tables.release import (
        HistoryEntry,
        Manifest,
        MethodEntry,
        ProtectionEntry,
    )

LEAST_GAP = 0.005  # of a loss above its bound: one that is shown as a percent


def manifest_summary(  # noqa: PLR0913 - the files that were written
    manifest: Manifest,
    out: str,
    manifest_path: Path | str | None,
    crosswalk: Path | None,
    owner: Path | None = None,
    *,
    verbose: bool = False,
) -> str:
    """Return what was promised, what it cost, and where the files are: on the owner's terminal.

    Parameters
    ----------
    manifest : the owner's, with exact figures
    verbose : say every figure; else one line for each statement
    """
    table = FactTable()
    for name, text in _details(manifest) if verbose else _first(manifest):
        table.add_row(name, text)
    _add_files(table, manifest, out, manifest_path, crosswalk, owner)
    return table.drawn()


def hidden_summary(hidden: Sequence[Mapping[str, Any]], loss: float) -> str:
    """Return which columns most records hide, and what was tried to keep them.

    Parameters
    ----------
    hidden : as :meth:`indistinct.tables.publish.Release.hidden_columns` has them
    loss : of the release
    """
    lines: list[str] = []
    for one in hidden:
        said = f"{one['column']} in {percent(one['share'])} of the records."
        lines.append(f"{'hidden':<14} {said} Kept at level {one['level']}:")
        lines += [f"{'':<17}{trial['change']}: {_tried(trial, loss)}" for trial in one["trials"]]
    return "\n".join(lines)


def _tried(trial: Mapping[str, Any], loss: float) -> str:
    """Return what a trial found, in words."""
    if trial["possible"] is None:
        return "not tried (time)"
    if not trial["possible"]:
        return "there is no release"
    return f"loss {trial['loss']:.2g} instead of {loss:.2g}, {percent(trial['left_out'])} left out"


def as_owner_sees(made: Any) -> dict[str, Any]:
    """Return the public manifest with what its owner is told, as the command prints it."""
    exact = made.exact
    return with_findings(made.published.document(), exact.findings, exact.statements)


def _first(manifest: Manifest) -> Iterator[tuple[str, str]]:
    """Yield what is said of every release, and what its form says besides."""
    yield from _stated(manifest)
    yield from _read_back(manifest)
    yield from _republished(manifest)
    coded = [name for name, entry in manifest.codebook.items() if "labels" in entry]
    if coded:
        yield "codes", f"the codebook of the manifest says what those of {', '.join(coded)} mean"


def _stated(manifest: Manifest, *, whole: bool = False) -> Iterator[tuple[str, str]]:
    """Yield one line each for the verdict, the size, what is kept, the risk and the search."""
    stated = Statements.read(manifest.statements)
    yield "verdict", verdict_words(stated)
    yield "size", size_words(stated.size)
    yield "kept", kept_words(stated.kept)
    yield "risk", risk_words(stated.risk)
    yield "search", search_words(stated.search, whole=whole)


def _read_back(manifest: Manifest) -> Iterator[tuple[str, str]]:
    """Yield how many cells are read back, and what was done so that these are not more."""
    found, done = manifest.read_back, manifest.repair
    if found is None and done is None:
        return
    said = [some(0 if found is None else found["cells"], "cell")]
    if found is not None and found["cells"]:
        said.append(
            f"then {percent(found['below'])} of the records are in classes that are too small"
        )
    if done is not None:
        said += (f"{some(n, 'value')} of {name} hidden" for name, n in done["hidden"].items())
        if done["swapped"]:
            said.append(f"{some(done['swapped'], 'pair')} of records swapped")
        if done["raised"]:
            said.append(f"{some(done['raised'], 'class')} made coarser")
        if done["left_out"]:
            said.append(f"{some(done['left_out'], 'record')} left out")
        before, after = done["loss_before"], done["loss_after"]
        change = f" instead of {before:.4g}" if f"{before:.4g}" != f"{after:.4g}" else ""
        said.append(f"loss {after:.4g}{change}")
    yield "read-back", ", ".join(said)


def _limit(manifest: Manifest) -> Iterator[tuple[str, str]]:
    """Yield how far the loss is from what no local recoding can fall below, where that is known."""
    found: Any = manifest.loss.get("lower_bound")
    if found is None or found["value"] is None or manifest.method.objective != "loss":
        return
    value, loss = float(found["value"]), manifest.loss["loss"]
    gap = max(0.0, 1 - value / loss) if loss > 0 else 0.0
    said = f", {gap:.0%} less than this" if gap >= LEAST_GAP else ", less than 1% below this"
    yield "limit", f"no local recoding can have a loss below {value:.4g}{said}"


def _promises(manifest: Manifest) -> Iterator[tuple[str, str]]:
    """Yield what part of the loss is due to promises beside the size of classes, where known."""
    alone = manifest.method.facts.get("size_alone")
    objective = manifest.method.objective or ""
    loss = manifest.loss.get(objective)
    if manifest.sets or alone is None or not loss or alone["loss"] >= loss:
        return
    share = 1 - alone["loss"] / loss
    others = [model for model in alone["broken"] if model["column"] != PERSON]
    counted = "the size of classes" if others else "classes of enough records"
    cause = "to the other models" if others else "to counting people"
    said = f"{counted} alone would cost {objective} {alone['loss']:.4g}"
    said += f"; {share:.0%} of the loss is due {cause}"
    worst: Mapping[str, Any] = max(others, key=lambda model: model["share"], default={"share": 0})
    if worst["share"] > 0:
        column = str(worst["column"] or "").removeprefix(person_and(""))
        place = f" (column={column})" if column else ""
        said += f", above all {worst['name']}{place}, which the classes of {worst['share']:.0%} of "
        said += "the records would break"
    yield "due to", said


def _stars(manifest: Manifest) -> Iterator[tuple[str, str]]:
    """Yield how many cells are suppressed, and how many people that leaves with few candidates."""
    facts = manifest.method.facts
    if (cells := facts.get("suppressed_cells")) is None:
        return
    yield "stars", f"{cells['count']:,} cells suppressed ({percent(cells['share'])})"
    if (few := facts.get("few_candidates")) is not None and manifest.records.released:
        share = few / manifest.records.released
        said = f"{few:,} people ({percent(share)}) match fewer rows than the promise says, if "
        said += f"somebody knows their values; the fewest match {facts['fewest_candidates']:,}"
        yield "candidates", said


def _alternative(method: MethodEntry) -> Iterator[tuple[str, str]]:
    """Yield what the algorithm that the policy did not choose would have cost, where known."""
    if (before := method.facts.get("instead_of")) is not None:
        yield "algorithm", f"{method.algorithm}, because {before} found no release"
    other = method.facts.get("alternative")
    if other is None:
        return
    if other["loss"] is None:
        yield "otherwise", f"no release has one level per column (algorithm {other['algorithm']})"
        return
    least = "" if other["optimal"] else "at most "
    yield (
        "otherwise",
        (
            f"{method.objective} {least}{other['loss']:.4g} with one level per column "
            f"(algorithm {other['algorithm']})"
        ),
    )


def _details(manifest: Manifest) -> Iterator[tuple[str, str]]:
    """Yield every figure of a release."""
    yield from _stated(manifest, whole=True)
    if manifest.models:
        yield "reached", "; ".join(map(reached, manifest.models))
    if manifest.models and manifest.promise:
        yield "note", manifest.promise
    for name, entry in manifest.protection.items():
        yield name, _protection(entry)
    if manifest.people is not None:
        per_person = manifest.records.released / max(manifest.people.released, 1)
        yield "records per person", f"{per_person:.2f}"
    yield "classes", class_line(manifest.classes, None if manifest.people is None else "people")
    yield from _read_back(manifest)
    yield from _republished(manifest)
    yield from _sets(manifest)
    yield "levels", _levels(manifest.method)
    yield "nodes", _search(manifest.method)
    if manifest.loss:
        yield from _limit(manifest)
        yield from _promises(manifest)
        yield from _stars(manifest)
        yield from () if manifest.sets else _alternative(manifest.method)


def _add_files(  # noqa: PLR0913, PLR0917 - the files that were written
    table: FactTable,
    manifest: Manifest,
    out: str,
    manifest_path: Path | str | None,
    crosswalk: Path | None,
    owner: Path | None,
) -> None:
    """Add where the files are."""
    table.add_row("release", out)
    if manifest.sensitive is not None:
        table.add_row("sensitive table", f"{manifest.sensitive.file}, beside it")
    table.add_row("manifest", str(manifest_path or f"{out}.manifest.json"))
    if crosswalk is not None:
        table.add_row("crosswalk", f"{crosswalk} (for the owner alone)")
    if owner is not None:
        table.add_row("exact figures", f"{owner} (for the owner alone)")


def _republished(manifest: Manifest) -> Iterator[tuple[str, str]]:
    """Yield what became of people since earlier releases, and how many records have none."""
    if manifest.history is not None:
        yield "people", _people(manifest.history)
    if manifest.counterfeits is not None:
        made = manifest.counterfeits
        share = f"{percent(made.share)} of the number of people, in {made.groups:,} groups"
        yield "counterfeits", f"{made.records:,} ({share})"


def _sets(manifest: Manifest) -> Iterator[tuple[str, str]]:
    """Yield what became of the items of each column of sets."""
    for name, entry in manifest.sets.items():
        deleted, generalized = percent(entry.deleted), percent(entry.generalized)
        said = f"{deleted} of the items deleted, {generalized} generalized"
        how = f" ({entry.algorithm})" if entry.algorithm else ""
        least = "" if entry.lower_bound is None else f", at least {entry.lower_bound:.4g}"
        yield name, f"{said}; loss of the sets {entry.loss:.4g}{least}{how}"


def _people(history: HistoryEntry) -> str:
    """Return what became of the people, by what was released of them before."""
    return (
        f"release {history.release}: {history.kept:,} keep their values, {history.new:,} are new, "
        f"{history.changed:,} changed, {history.left_out:,} left out"
    )


def reached(model: ModelEntry) -> str:
    """Write what the worst class reaches."""
    if model.holds is None:
        return "undecided by this file"
    if model.achieved is None:
        return "nothing is released"
    return f"worst class {words(model.achieved)}"


def _protection(entry: ProtectionEntry) -> str:
    """Write how a column is protected."""
    figures = {
        name: value
        for name, value in entry.facts.items()
        if isinstance(value, int | float) and not isinstance(value, bool)
    }
    said = ", ".join(f"{name} {figure(value)}" for name, value in figures.items())
    return f"{entry.name}: {said}" if said else entry.name


def _levels(method: MethodEntry) -> str:
    """Write the level of each column."""
    if method.transformation is not None:
        return ", ".join(f"{name} {level}" for name, level in method.transformation.items())
    if method.levels is None:
        return "none: nothing is generalized"
    return "differ by class; see the manifest"


def _search(method: MethodEntry) -> str:
    """Write how the release was found."""
    text, said = f"{method.algorithm}, {method.seconds or 0:.2f} s", method.facts
    if "lattice_nodes" in said:
        text += f", {said['checked_nodes']:,} of {said['lattice_nodes']:,} nodes counted"
    if said.get("optimal") is True:
        text += "; no full-domain release is better"
    elif "bound" in said:
        text += f"; stopped early, no release is below {said['bound']:.6g}"
    return text

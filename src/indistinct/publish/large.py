"""Publish a table that is not read whole: an engine counts it, and writes what was decided."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from indistinct.core.brief import short_repr
from indistinct.core.documents import json_text
from indistinct.core.protocols import Progress, Solution, no_progress
from indistinct.counting.prepare import Prepared, prepare_counted
from indistinct.counting.source_faults import check_order, check_profile, check_weights
from indistinct.counting.table_faults import check_columns
from indistinct.engines.choosing import Resources, open_table
from indistinct.engines.folders import check_partition
from indistinct.engines.frames import as_series, empty_like
from indistinct.engines.object_storage import StoredDraft
from indistinct.engines.places import is_object_storage
from indistinct.engines.sinks import check_sink, check_writer
from indistinct.engines.sources import Capacity, Sink, Source, StagedRelease
from indistinct.engines.staged import StagedTable
from indistinct.engines.temporary import temporary_folder
from indistinct.errors import SourceChangedError, VerificationError
from indistinct.policy.policy import Policy
from indistinct.policy.resolved import resolve
from indistinct.publish.coarsening import Counting, count_within, uncounted_losses
from indistinct.publish.decision import ReleasePlan, plan_release
from indistinct.publish.large_crosswalk import (
    check_crosswalk,
    crosswalk_beside,
    needs_staging,
    with_places,
)
from indistinct.publish.large_refusals import check_partition_of, refuse_what_needs_all
from indistinct.publish.masked_parts import (
    open_masked,
    shown_values,
    with_shown_values,
    without_shown_values,
)
from indistinct.publish.owner_manifest import method_entry, reached
from indistinct.publish.public_manifest import RecodingResult, public_manifest, released_cells
from indistinct.publish.record_names import (
    RecordNames,
    check_names,
    names_beside,
    record_names_of,
    with_names,
    with_record_column,
)
from indistinct.publish.release import VERSION
from indistinct.publish.released_loss import public_losses
from indistinct.publish.risk_beside_people import risk_beside_people
from indistinct.publish.search import search
from indistinct.publish.settled_rules import settle
from indistinct.publish.spellings import label_warnings
from indistinct.reader.verify.counted import ExpectedRelease, plan_faults, verdict_on_draft
from indistinct.release.entries import OutputEntry, ProtectionEntry
from indistinct.release.manifest import Manifest, input_entry, promise_of


@dataclass(frozen=True, slots=True)
class Written:
    """The manifests of a release that was written and verified.

    Parameters
    ----------
    exact : with exact figures, for the owner alone
    published : what stands beside or inside the release
    """

    exact: Manifest = field(repr=False)
    published: Manifest


@dataclass(frozen=True, slots=True)
class Decision:
    """What was decided of a table that stays where it is.

    Parameters
    ----------
    source : the table, open
    plan : what becomes of each distinct row
    counting : its distinct rows, and how they were counted
    owner, published : the manifests before anything was written
    folder : for what does not fit into memory
    most_names : names of records that fit into memory
    """

    source: Source
    plan: ReleasePlan
    counting: Counting
    owner: Manifest
    published: Manifest
    policy: Policy
    folder: str | None = None
    most_names: int = 0

    __repr__ = short_repr

    @property
    def foretold(self) -> ExpectedRelease:
        """What verification holds a written release against."""
        # Cells of another type than those that were counted have other hashes.
        is_alike = self.plan.is_whole and not self.plan.decision.types
        return ExpectedRelease(
            self.plan.cells,
            as_series(self.plan.records),
            as_series(self.plan.rows),
            self.counting.tally,
            self.counting.coarse,
            self.counting.marked if is_alike else (),
        )


def anonymize_large(  # noqa: PLR0913 - each is a word of the command
    data: Any,
    policy: Policy,
    sink: Sink,
    *,
    resources: Resources | None = None,
    manifest: str | None = None,
    owner: str | None = None,
    crosswalk: str | None = None,
    crosswalk_key: str | None = None,
    record_column: str | None = None,
    progress: Progress = no_progress,
) -> Written:
    """Publish a table of any size, and verify what was written by reading it again.

    Parameters
    ----------
    data : a path, a folder or a pattern of files; the address of a table; or lazy data
    policy : what is promised
    sink : where the release goes
    resources : which engine works, and with how much memory
    manifest, owner : where the manifests go; the public one beside or inside the release
    crosswalk : where the owner's list goes of which released record came from which one
    crosswalk_key, record_column : with the crosswalk of a table whose records have no place that
        lasts: the column that tells them apart, and that of the release for their random names

    Returns
    -------
    the manifests

    Raises
    ------
    UsageError
        when the policy, the input or the destination is wrong
    NoSolutionError
        when no release satisfies the policy, or the distinct rows do not fit
    VerificationError
        when what was written does not hold the promise; nothing is then published
    """
    resources = resources or Resources()
    refuse_what_needs_all(policy)
    check_sink(sink, data)
    check_partition_of(policy, sink)
    names = record_names_of(crosswalk_key, record_column, crosswalk)
    if crosswalk is not None:
        check_crosswalk(crosswalk, data, sink, (manifest, owner), has_names=names is not None)
    has_places = crosswalk is not None and names is None
    with open_source(data, policy, resources, progress, has_places=has_places) as source:
        if names is not None:
            check_names(names, source, policy)
        decided = decide(source, policy, resources, progress, hashes=sink.hashes)
        progress(1.0, "writing")
        return write_decided(
            decided, sink, manifest=manifest, owner=owner, crosswalk=crosswalk, names=names
        )


def write_decided(  # noqa: PLR0913 - what appears together
    decided: Decision,
    sink: Sink,
    *,
    manifest: str | None = None,
    owner: str | None = None,
    crosswalk: str | None = None,
    names: RecordNames | None = None,
) -> Written:
    """Write what was decided, verify it by reading it again, and let it appear."""
    check_partition(sink, decided.plan.decision.columns)
    check_writer(sink, decided.source.engine)
    if names is not None:
        check_names(names, decided.source, decided.policy)
        decided = _named(decided, names)
    with with_places(sink, decided.source, None if names else crosswalk) as placed:
        draft = _written(decided, placed)
        try:
            return _published(decided, draft, placed, manifest, owner, crosswalk)
        except BaseException:
            draft.discard()
            raise


def _named(decided: Decision, names: RecordNames) -> Decision:
    """Give the records names, and say so."""
    decision = with_names(decided.plan.decision, names, decided.source, decided.most_names)
    return replace(
        decided,
        plan=replace(decided.plan, decision=decision),
        owner=with_record_column(decided.owner, decision),
        published=with_record_column(decided.published, decision),
    )


def _written(decided: Decision, sink: Sink) -> StagedRelease:
    """Write what was decided; what goes to object storage is written on this machine first."""
    if not is_object_storage(sink.address):
        return decided.source.write(decided.plan.decision, sink)
    folder = temporary_folder(decided.folder)
    local = Path(folder.name) / "release"
    try:
        draft = decided.source.write(decided.plan.decision, replace(sink, address=str(local)))
    except BaseException:
        folder.cleanup()
        raise
    return StoredDraft(draft, folder, local, sink)


def open_source(
    data: Any,
    policy: Policy,
    resources: Resources,
    progress: Progress = no_progress,
    *,
    has_places: bool = False,
) -> Source:
    """Open the input of a policy; what the policy protects is masked first.

    Parameters
    ----------
    has_places : whether the place of each record in the input is asked for
    """
    if policy.protections or (has_places and needs_staging(data, resources)):
        return open_masked(data, policy, resources, progress)
    opening = resources.opening(policy.data.missing, policy.data.separator, progress)
    return open_table(data, opening, resources.engine)


def decide(
    source: Source,
    policy: Policy,
    resources: Resources,
    progress: Progress = no_progress,
    *,
    hashes: bool = True,
) -> Decision:
    """Count a table, search, and say what becomes of each distinct row."""
    progress(0.0, "counting")
    check_columns(empty_like(source.schema), resolve(policy))
    profile = source.profile()
    check_profile(profile, resolve(policy))
    check_order(source, resolve(policy))
    marked = tuple(
        name
        for name in source.kinds
        if name not in policy.left_out and name not in policy.class_names
    )
    capacity = Capacity(resources.bytes, resources.most_rows)
    check_weights(source, policy.data.weight, capacity)
    counting = count_within(source, resolve(policy), capacity, profile, marked)
    settled = settle(
        counting.table.frame,
        policy,
        partial(prepare_counted, counting.table),
        lambda prepared: search(prepared, progress),
        counting.table.records,
    )
    policy, prepared, solution = settled.policy, settled.prepared, settled.solution
    plan = plan_release(
        prepared,
        solution.recoding,
        counting.table,
        list(source.kinds),
        counting.coarse,
        has_types=source.has_types,
    )
    if not source.has_types and plan.decision.passed:
        decision = replace(plan.decision, types=source.narrow_types(plan.decision))
        plan = replace(plan, decision=decision)
    solution = _told_how_it_was_counted(solution, counting, source)
    owner = _manifest(source, prepared, solution, policy, settled.seconds, hashes=hashes)
    decided = RecodingResult(prepared, solution.recoding)
    of_labels = label_warnings(
        policy.class_rules, released_cells(policy, empty_like(source.schema), decided)
    )
    owner = replace(owner, warnings=(*settled.warnings, *of_labels), policy=policy.words())
    if counting.levels:
        unknown = uncounted_losses(policy.data.missing_as)
        losses = {name: loss for name, loss in owner.loss.items() if name not in unknown}
        owner = replace(owner, loss=losses)
    if (risk := risk_beside_people(plan.cells, resolve(policy), weights=plan.records)) is not None:
        owner = replace(owner, risk=risk)
    published = public_manifest(owner, policy, empty_like(source.schema), decided)
    facts = dict(published.method.facts)
    facts["engine"] = source.engine
    if counting.levels:
        facts["counted"] = {"levels": counting.levels}
        # Other figures ask how many released records have each value, which nobody counted.
        losses = public_losses(prepared, solution.recoding, owner.loss, are_counted=False)
        published = replace(published, loss=losses)
    published = replace(published, method=replace(published.method, facts=facts))
    published = without_shown_values(published, policy)
    fitting = capacity.rows(1)
    return Decision(source, plan, counting, owner, published, policy, resources.folder, fitting)


def verified_plan(decided: Decision) -> Manifest:
    """Check what was decided on the distinct rows, and give the public manifest that says so."""
    faults = list(plan_faults(decided.foretold, resolve(decided.policy)))
    if faults:
        raise VerificationError(faults)
    return decided.published.as_verified()


def _published(  # noqa: PLR0913, PLR0917 - what appears together
    decided: Decision,
    draft: StagedRelease,
    sink: Sink,
    manifest: str | None,
    owner: str | None,
    crosswalk: str | None,
) -> Written:
    """Verify what was written, and let it appear with its manifests."""
    if not decided.source.unchanged():
        raise SourceChangedError(
            "the input changed while it was read", "Run it again on a table that stays as it is."
        )
    entry = draft.entry()
    shown = shown_values(draft, decided.policy)
    published = with_shown_values(with_output(decided.published, entry), shown).as_verified()
    found = verdict_on_draft(draft, decided.foretold, resolve(decided.policy), published.document())
    if found.holds is not True:
        raise VerificationError(found.faults)
    exact = with_shown_values(with_output(decided.owner, entry), shown).as_verified()
    text = json_text(published.document())
    beside = f"{sink.address}.manifest.json"
    documents = {"": text}
    if manifest is not None or not (sink.is_folder or "://" in sink.address):
        documents[manifest or beside] = text
    private = {} if owner is None else {owner: json_text(exact.document())}
    with (
        crosswalk_beside(draft, decided.source, sink, crosswalk),
        names_beside(draft, decided.plan.decision, crosswalk),
    ):
        draft.publish(documents, private)
    return Written(exact, published)


def with_output(manifest: Manifest, entry: Mapping[str, Any]) -> Manifest:
    """Return a manifest that says what was written."""
    return replace(manifest, output=replace(manifest.output, **entry))


def _told_how_it_was_counted(solution: Solution, counting: Counting, source: Source) -> Solution:
    """Add to the facts of a search what its input was; an optimum among some levels is none."""
    counted: dict[str, Any] = {"tuples": len(counting.tally.records)}
    facts = {**solution.facts, "engine": source.engine}
    if counting.levels:
        counted["levels"] = counting.levels
        facts |= {word: False for word in ("optimal",) if facts.get(word)}
    return replace(solution, facts={**facts, "counted": counted})


def _manifest(  # noqa: PLR0913 - all that a manifest speaks of
    source: Source,
    prepared: Prepared,
    solution: Solution,
    policy: Policy,
    seconds: float,
    *,
    hashes: bool,
) -> Manifest:
    """Return what was promised and what was reached."""
    found = reached(prepared, solution, policy)
    protection: Mapping[str, ProtectionEntry] = {}
    if isinstance(source, StagedTable):
        protection = source.changes
    bound = (
        {"lower_bound": solution.facts["lower_bound"]} if "lower_bound" in solution.facts else {}
    )
    return Manifest(
        indistinct=VERSION,
        input=input_entry(prepared.n_input, source.fingerprint(hashes=hashes)),
        output=OutputEntry(found.records.released),
        method=method_entry(prepared, solution, policy, seconds),
        models=found.models,
        records=found.records,
        classes=found.classes,
        loss={**found.loss, **bound},
        risk=found.risk,
        protection=protection,
        promise=promise_of(prepared.problem.models, protection, policy.release.suppressed_cell),
    )

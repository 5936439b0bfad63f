"""What a table shows before it is published, as a value, as JSON and as the draft of a policy."""

from __future__ import annotations

import time
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from indistinct.base.brief import Confidential, in_notebook
from indistinct.base.coded_text import joined, sentence
from indistinct.base.randomness import RandomSource
from indistinct.errors import DataError, Fault, IndistinctError, Way
from indistinct.tables.core.protocols import Deadline
from indistinct.tables.core.schema import Role
from indistinct.tables.counting.preparation import Prepared, asked_anew, prepare
from indistinct.tables.drafting.draft import (
    UNCHANGED,
    UNTRIED,
    CountingColumns,
    DraftChanges,
    PolicyDraft,
    drafted,
)
from indistinct.tables.drafting.judged_table import DecidedOtherwise
from indistinct.tables.drafting.models import (
    MOST,
    DraftedModel,
    TriedModels,
    model_of,
    sensitive_names,
    usual_models,
)
from indistinct.tables.drafting.questions import PERSON_KIND, Doubt
from indistinct.tables.drafting.together import JudgedColumn
from indistinct.tables.frames.frame import Frame
from indistinct.tables.policy.policy import Policy
from indistinct.tables.policy.specification import resolve
from indistinct.tables.publish.searching import search
from indistinct.tables.reading.declared_formats import NOTHING_READ
from indistinct.tables.search.adaptive.vulnerability import Vulnerability

RECORDS = 1_000  # that are tried, at equal distances
SECONDS = 3.0  # for all trials; reading and counting them takes less than one more
LEAST_SECONDS = 0.15  # below which a search finds little
SEED = 1  # figures of a trial are no release, and should be the same each time
ALIKE = 0.005  # of losses, below which the usual order of the promises decides
Measure = Callable[[Sequence[Mapping[str, Any]]], float | None]

NEEDED = sentence(
    "needed",
    "It is taken for a quasi-identifier, since a release needs one and no other column looks like "
    "it.",
)


@dataclass(frozen=True, slots=True)
class ColumnReport:
    """What one column shows.

    Parameters
    ----------
    name, type : the column; ``integer``, ``number``, ``date``, ``text`` or ``boolean``
    distinct : different values, a missing one not counted
    missing : records without a value
    distinction : different values / records, in [0, 1]
    separation : share of pairs of records that the column tells apart, in [0, 1]
    role : the policy's role, or the suggested one; ``undecided`` where the evidence is weak
    reason : why, in a sentence; no value of any record
    confidence : of the role: ``high``, ``medium`` or ``low``
    candidates : of an undecided column the two roles to choose from, the better founded first
    agreement : how the facts agree that decided, by which the confidence is measured; else empty
    cost : of an undecided column as a quasi-identifier: share of the records that would be in
        groups smaller than 5, all columns coarsely grouped; None for other columns
    """

    POLICY_SAYS_SO: ClassVar[str] = "the policy says so"

    name: str
    type: str
    distinct: int
    missing: int
    distinction: float
    separation: float
    role: str
    reason: str
    confidence: str = "high"
    candidates: tuple[str, ...] = ()
    agreement: str = ""
    cost: float | None = None


@dataclass(frozen=True, slots=True)
class SeparatingSet:
    """A set of columns on which almost every record stands alone.

    Parameters
    ----------
    columns : their names
    distinction, separation, unique : classes / records, pairs told apart / pairs, records that
        stand alone / records; each in [0, 1]
    """

    columns: tuple[str, ...]
    distinction: float
    separation: float
    unique: float


@dataclass(frozen=True, slots=True)
class JointRisk:
    """What the quasi-identifiers show when someone knows them all.

    Parameters
    ----------
    columns : the quasi-identifiers, by the policy or as suggested
    distinction, separation, unique : as in :class:`SeparatingSet`
    at_least : share of the records that must stand alone in each of the sets
    sets : the smallest sets of the columns on which they do; none when not even all suffice
    """

    columns: tuple[str, ...]
    distinction: float
    separation: float
    unique: float
    at_least: float
    sets: tuple[SeparatingSet, ...]


@dataclass(frozen=True, slots=True)
class Inspection:
    """What a table shows before it is published.

    Parameters
    ----------
    rows : records
    columns : what each column shows
    together : what the quasi-identifiers show; None where there is none
    vulnerability : how much each of them gives away, where it was asked for
    reading : how the file is read, in sentences, where that is not what every reader takes for
        granted
    missing : how missing values are written
    doubts : what is asked, the question first whose wrong answer does most harm
    otherwise : the columns of which the policy says something else than what is suggested
    person : the column that says whose record each is; None where no value repeats
    weight : the column that says how many people each record stands for; None where none does
    records : the records by which promises can be tried; None of a table that is not in memory
    owners : the counted columns, which only the owner of the data may have
    """

    rows: int
    columns: tuple[ColumnReport, ...]
    together: JointRisk | None
    missing: tuple[str, ...]
    doubts: tuple[Doubt, ...]
    person: str | None
    owners: Confidential
    vulnerability: Vulnerability | None = None
    weight: str | None = None
    otherwise: tuple[DecidedOtherwise, ...] = ()
    records: Confidential = field(default_factory=lambda: Confidential(None))
    reading: tuple[str, ...] = ()

    def __repr__(self) -> str:
        """Return how large the table is, and which columns may be known to others."""
        known = [one.name for one in self.columns if one.role == Role.QUASI_IDENTIFIER.value]
        size = f"{self.rows:,} records, {len(self.columns)} columns"
        return f"<Inspection of {size}; quasi-identifiers: {', '.join(known) or 'none'}>"

    _repr_html_ = in_notebook

    def document(self) -> dict[str, Any]:
        """Return the result as one JSON document."""
        document: dict[str, Any] = {
            "rows": self.rows,
            "person": self.person,
            "weight": self.weight,
            "reading": list(self.reading),
            "columns": [asdict(column) for column in self.columns],
            "doubts": [one.document() for one in self.doubts],
            "quasi_identifiers": None if self.together is None else asdict(self.together),
        }
        if self.otherwise:
            document["otherwise"] = [asdict(one) for one in self.otherwise]
        if self.vulnerability is not None:
            document["vulnerability"] = self.vulnerability.document()
        return document

    def draft(self, *, yes_to_suggestions: bool = False) -> str:
        """Write a policy into one text: roles, reasons, hierarchies and models.

        Parameters
        ----------
        yes_to_suggestions : leave the undecided columns out of the release, so that it runs

        Raises
        ------
        DataError
            when it should run, and two encodings of the file are possible
        """
        return self.drafted(None, yes_to_suggestions=yes_to_suggestions).text

    def drafted(
        self, stem: str | None, *, yes_to_suggestions: bool = False, tries: bool = False
    ) -> PolicyDraft:
        """Write a policy, long hierarchies into files beside it.

        Parameters
        ----------
        stem : begins the names of the files; None keeps all in the policy
        yes_to_suggestions : leave the undecided columns out of the release, so that it runs
        tries : measure on some records what the promises cost, for at most five seconds, and take
            the cheapest ones

        Raises
        ------
        DataError
            when it should run, and two encodings of the file are possible
        """
        if yes_to_suggestions:
            self._check_is_read()
        tried, changes = TriedModels(), UNCHANGED
        if tries and self.records.held is not None:
            changes = self._changes()
            tried = self._tried(changes)
        return self._drafted(stem, yes=yes_to_suggestions, tried=tried, changes=changes)

    def hidden(self) -> Mapping[str, int]:
        """Return the columns that a draft hides from the start, after a trial on some records.

        It takes five seconds at most, and none where no quasi-identifier comes after the eighth.

        Returns
        -------
        per column, the level that hides it
        """
        if not any(one.suggestion.is_minor for one in self._judged(yes=True)):
            return {}
        words = tomllib.loads(self._without_undecided(self._changes()))["columns"]
        return {name: one["min_level"] for name, one in words.items() if "min_level" in one}

    def _changes(self) -> DraftChanges:
        """Return what a trial on some records changes in the draft; nothing where none are held."""
        from indistinct.tables.publish.draft_trial import tried_draft

        if (frame := self.records.held) is None:
            return UNCHANGED
        minor = [one.evidence.name for one in self._judged(yes=True) if one.suggestion.is_minor]
        return tried_draft(frame, self._without_undecided, minor)

    def _check_is_read(self) -> None:
        """Refuse to write a policy that runs while it is open how the file is read."""
        asked = [one for one in self.doubts if one.order == NOTHING_READ and one.chosen is None]
        if asked:
            raise DataError(
                [Fault("data.encoding", one.text, f"Answer with {one.how}.") for one in asked]
            )

    def _without_undecided(self, changes: DraftChanges) -> str:
        """Write the draft that leaves undecided columns out, in one text."""
        return self._drafted(None, yes=True, changes=changes).text

    def _drafted(
        self,
        stem: str | None,
        *,
        yes: bool,
        tried: TriedModels = UNTRIED,
        changes: DraftChanges = UNCHANGED,
    ) -> PolicyDraft:
        """Write a policy, with what trials found."""
        _, words, cost, found = self.owners.held
        return drafted(
            self._judged(yes=yes),
            words,
            CountingColumns(self.person, self.weight),
            stem,
            found,
            yes=yes,
            cost=cost,
            tried=tried,
            doubts=self.doubts,
            changes=changes,
        )

    def _judged(self, *, yes: bool) -> Sequence[JudgedColumn]:
        """Return the columns; without a quasi-identifier, the first that may be one is taken."""
        judged: Sequence[JudgedColumn] = self.owners.held[0]
        if not yes or any(one.suggestion.role is Role.QUASI_IDENTIFIER for one in judged):
            return judged
        able = [one for one in judged if Role.QUASI_IDENTIFIER in one.suggestion.answers]
        return [with_role(one) if one is able[0] else one for one in judged] if able else judged

    def _tried(self, changes: DraftChanges) -> TriedModels:
        """Try the usual promises on some records; nothing for a table that is not in memory."""
        judged, frame = self.owners.held[0], self.records.held
        if frame is None:
            return TriedModels()
        words = tomllib.loads(self._without_undecided(changes))
        names = [name for name in sensitive_names(judged) if name not in changes.left_out]
        return tried_models(frame, words, judged, names[:MOST])

    def uncounted(self, policy: Policy) -> Iterator[Fault]:
        """Yield the columns by which one person may have several rows, while rows are counted."""
        if policy.data.person is not None or policy.data.household is not None:
            return
        asked = [one for one in self.doubts if one.kind == PERSON_KIND and one.chosen is None]
        names = [name for one in asked for name in one.about]
        for name in names or ([] if self.person is None else [self.person]):
            yield Fault(
                "data.person",
                f"is missing, and values of {name} repeat as the numbers of people do",
                "If one person can have several rows, count people; else leave it as it is.",
                code="rows-may-be-of-one-person",
                columns=(name,),
                ways=(Way(("data", "person"), name),),
            )

    def model_for(self, column: str) -> dict[str, Any]:
        """Return the words of the model that a draft has for a sensitive column."""
        judged, *_ = self.owners.held
        return next(dict(model_of(one).words) for one in judged if one.evidence.name == column)


def with_role(one: JudgedColumn) -> JudgedColumn:
    """Return an undecided column as a quasi-identifier, since the table has no other."""
    said = joined(one.suggestion.reason, NEEDED)
    suggestion = replace(
        one.suggestion, role=Role.QUASI_IDENTIFIER, confidence="medium", reason=said, candidates=()
    )
    return replace(one, suggestion=suggestion, cost=None)


def tried_models(
    frame: Frame, words: Mapping[str, Any], judged: Sequence[JudgedColumn], names: Sequence[str]
) -> TriedModels:
    """Choose the cheapest of the usual promises for each sensitive column.

    Parameters
    ----------
    frame : the records
    words : of the drafted policy, without files beside it
    judged : the columns
    names : the sensitive columns, the most harmful first

    Returns
    -------
    per column that was tried in time, the cheapest promise, with what each costs in a sentence; and
    what they cost together
    """
    columns = {one.evidence.name: one for one in judged}
    measure = _measure(frame, words, names)
    if measure is None:
        return TriedModels()
    started = time.monotonic()
    plain = [model for model in words["models"] if model["name"] == "k-anonymity"]
    before = measure(plain)
    if before is None:
        return TriedModels()
    found: dict[str, DraftedModel] = {}
    for name in names:
        held: list[tuple[float, DraftedModel]] = []
        for model in usual_models(columns[name]):
            loss = measure([*plain, model.words])
            if loss is not None:
                held.append((loss, model))
                if loss <= before + ALIKE:
                    break
        if not held or time.monotonic() - started > SECONDS:
            break
        least = min(loss for loss, _ in held)
        chosen = next(model for loss, model in held if loss <= least + ALIKE)
        found[name] = DraftedModel(chosen.words, f"{chosen.said} {_figures(before, held)}")
    together = measure([*plain, *(model.words for model in found.values())]) if found else None
    if together is None:
        return TriedModels(found)
    said = f"Tried on up to {RECORDS:,} records, the loss is {before:.3f} with k-anonymity alone"
    return TriedModels(found, f"{said}, and {together:.3f} with all promises that were tried.")


def _figures(before: float, held: Sequence[tuple[float, DraftedModel]]) -> str:
    """Return what the promises cost."""
    costs = " or ".join(f"{loss:.3f} with {model.words['name']}" for loss, model in held)
    return f"Tried on up to {RECORDS:,} records, the loss is {before:.3f} without it, {costs}."


def _measure(frame: Frame, words: Mapping[str, Any], names: Sequence[str]) -> Measure | None:
    """Count some records, and return what measures the loss of a policy's models on them."""
    rows = np.unique(np.linspace(0, frame.height - 1, min(RECORDS, frame.height)).astype(np.int64))
    some, ends = frame[rows.tolist()], time.monotonic() + SECONDS
    has_role = {name for name, one in words["columns"].items() if one["role"] != Role.IDENTIFIER}
    if not has_role or not names:
        return None
    counted: list[Prepared] = []

    def measure(models: Sequence[Mapping[str, Any]]) -> float | None:
        """Search for a release under some models, and return its loss; None where there is none."""
        left = ends - time.monotonic()
        if left < LEAST_SECONDS:
            return None
        try:
            asked = resolve(Policy.from_words({**words, "models": list(models)}))
            counted.append(asked_anew(counted[0], asked) if counted else prepare(some, asked))
            limit = Deadline.after(min(left, max(SECONDS / (2 * len(names) + 1), LEAST_SECONDS)))
            solution, _ = search(counted[-1], deadline=limit, chance=RandomSource(SEED))
            return float(counted[-1].problem.objective.evaluate(solution.recoding))
        except IndistinctError:
            return None

    # All sensitive columns are counted once, so that each model can be asked for.
    all_of_them = [{"name": "distinct-l-diversity", "column": name, "l": 1} for name in names]
    try:
        counted.append(prepare(some, resolve(Policy.from_words({**words, "models": all_of_them}))))
    except IndistinctError:
        return None
    return measure

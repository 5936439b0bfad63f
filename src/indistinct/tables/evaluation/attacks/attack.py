"""Use case: attack a release as others would, and count what they would find."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from indistinct.base.arrays import Bools, Ints, RowsOfInput
from indistinct.base.brief import in_notebook
from indistinct.base.randomness import RandomSource
from indistinct.base.requirements import meets
from indistinct.errors import DataError, Fault, ParameterError
from indistinct.tables.core.schema import Role
from indistinct.tables.evaluation.assessments.table import read_original
from indistinct.tables.evaluation.attacks import (
    Attack,
    AttackContext,
    AttackScenario,
    Outcome,
)
from indistinct.tables.evaluation.attacks.attack_parameters import (
    AttackParameters,
    check_people,
    checked,
    chosen,
    made,
)
from indistinct.tables.evaluation.attacks.earlier import (
    earlier_table,
    groups_in,
    linked_table,
    owns_in,
    read_present,
)
from indistinct.tables.evaluation.attacks.scenario import (
    CONTROL,
    ORIGINAL,
    REFERENCE,
    REGISTER,
    AttackTarget,
    Search,
    absent,
)
from indistinct.tables.frames.cell_numbers import whole_numbers_of
from indistinct.tables.frames.frame import Frame, are_starred
from indistinct.tables.frames.set_forms import SetForms
from indistinct.tables.policy.given import GivenPolicy, policy_of
from indistinct.tables.policy.specification import Specification, resolve
from indistinct.tables.reading import files
from indistinct.tables.reading.column_types import with_days
from indistinct.tables.reading.declared_formats import Reading
from indistinct.tables.release.released import with_codebook
from indistinct.tables.release.released_file import read_release
from indistinct.tables.verification.texts import texts_as_read
from indistinct.tables.verification.verify_release import as_labels

CROSSWALK = ("output_row", "input_row")


@dataclass(frozen=True, slots=True)
class AttackReport:
    """The results of an attacker's attacks.

    Parameters
    ----------
    attacker : who attacked, or None for a single attack
    outcomes : what came of each, at least one
    answer : the one whose rate answers for the attacker
    """

    attacker: str | None
    outcomes: tuple[Outcome, ...]
    answer: Outcome = field(repr=False)

    def __repr__(self) -> str:
        """Return how often the attack was tried, and how often it was right."""
        found, name = self.answer.found, self.attacker or self.answer.attack
        times = f"{found.successes:g} of {found.attempts:,} found ({found.rate:.1%})"
        return f"<Attack by {name}: {times}>"

    _repr_html_ = in_notebook

    def document(self) -> dict[str, Any]:
        """Return the result as one JSON document; the answer first, then every attack."""
        return {
            "attacker": self.attacker,
            **self.answer.document(),
            "attacks": [outcome.document() for outcome in self.outcomes],
        }

    def figures(self) -> dict[str, float]:
        """Return every figure that a requirement may name."""
        found, gained, added = self.answer.found, self.answer.gained, self.answer.added
        low, high = found.interval
        figures = {"rate": found.rate, "upper": high, "lower": low}
        if gained is not None:
            figures["risk"] = gained.risk
        if added is not None:
            figures["added"] = added.difference
            figures["added_lower"], figures["added_upper"] = added.interval
        return figures

    def meets(self, requirement: str) -> bool:
        """Return whether a requirement such as ``rate<=0.2`` holds.

        Raises
        ------
        ParameterError
            when the requirement cannot be read, or names what was not measured
        """
        return meets(requirement, self.figures(), "rate<=0.2", ("<=", "<"))


def attack(  # noqa: PLR0913 - each is a word of the command
    release: Any,
    policy: GivenPolicy,
    *,
    search: Search,
    attacker: str | None = None,
    attack: str | None = None,
    register: Any = None,
    original: Any = None,
    control: Any = None,
    crosswalk: str | Path | RowsOfInput | Mapping[str, RowsOfInput] | None = None,
    releases: Sequence[Any] = (),
    originals: Sequence[Any] = (),
    crosswalks: Sequence[Any] = (),
    present: Any = None,
    history: str | Path | None = None,
    reference: Any = None,
    sensitive: Any = None,
    seed: int | None = None,
    **plan: Unpack[AttackParameters],
) -> AttackReport:
    """Attack a release of one table, and count the successes; see :func:`indistinct.attack`.

    Parameters
    ----------
    search : what repeats the search that made the release, for the attacks that do
    """
    spec = resolve(policy_of(policy))
    attacker = attacker or ("collector" if releases else "prosecutor")
    kinds, words = chosen(attacker, attack), checked(plan)
    check_people(kinds, spec.data.person)
    attacks = [made(kind, words) for kind in kinds]
    tables = {REGISTER: register, ORIGINAL: original, CONTROL: control, REFERENCE: reference}
    if register is None and spec.people_file is not None:
        tables[REGISTER] = spec.people_file
    people = {
        name: read_people(data, spec.reading, spec.set_forms)
        for name, data in tables.items()
        if data is not None
    }
    released, is_kept = released_texts(
        release, spec, midpoints=all(kind.reads_midpoints for kind in kinds)
    )
    rows = None if crosswalk is None else _crosswalk(crosswalk, len(is_kept))[is_kept]
    if rows is not None and ORIGINAL not in people:
        raise ParameterError(
            [Fault("--original", "is missing", "The crosswalk refers to rows of the original.")]
        )
    chance = np.random.default_rng(RandomSource(seed).words(4))
    files_of_owner = _of_each(originals, crosswalks, len(releases))
    scenario = AttackScenario(
        with_codebook(spec, release, released),
        released,
        people,
        made(AttackContext, words),
        chance,
        search,
        rows,
        earlier=tuple(
            _shown(one, spec, *owners) for one, owners in zip(releases, files_of_owner, strict=True)
        ),
        present=None
        if present is None
        else read_present(present, people.get(REGISTER), spec.history, len(releases) + 1),
        groups=None if history is None else groups_in(history),
        owns={}
        if history is None or ORIGINAL not in people
        else owns_in(history, people[ORIGINAL], spec.history),
        linked=linked_table(release, sensitive, spec.release.form),
    )
    outcomes = tuple(_run(attacks, scenario))
    return AttackReport(None if attack else attacker, outcomes, _answer(attacks, outcomes))


def _of_each(
    originals: Sequence[Any], crosswalks: Sequence[Any], n_releases: int
) -> Sequence[tuple[Any, Any]]:
    """Return the original and the crosswalk of each earlier release, None where there are none."""
    if not originals and not crosswalks:
        return [(None, None)] * n_releases
    wrong = [
        Fault(
            f"--{name}",
            f"names {len(given)} files for {n_releases} earlier releases",
            "Name one for each of --releases; originals and crosswalks go together.",
        )
        for name, given in (("originals", originals), ("crosswalks", crosswalks))
        if len(given) != n_releases
    ]
    if wrong:
        raise ParameterError(wrong)
    return list(zip(originals, crosswalks, strict=True))


def _shown(release: Any, spec: Specification, original: Any, crosswalk: Any) -> AttackTarget:
    """Read an earlier release, with the files of its owner where they are given."""
    released, is_kept = released_texts(release, spec)
    linked = earlier_table(release, released.columns, spec.named(Role.SENSITIVE))
    known = with_codebook(spec, release, released)
    if crosswalk is None:
        return AttackTarget(released, known, linked=linked)
    rows = _crosswalk(crosswalk, len(is_kept))[is_kept]
    before = read_people(original, spec.reading, spec.set_forms)
    return AttackTarget(released, known, before, rows, linked)


def _check_tables(attacks: Sequence[Attack], scenario: AttackScenario) -> None:
    """Refuse attacks whose tables are not at hand, all of them named."""
    needed = {
        REGISTER: any(one.needs_register for one in attacks),
        ORIGINAL: any(one.needs_original for one in attacks),
    }
    faults = [
        absent(name) for name, is_needed in needed.items() if is_needed and not scenario.has(name)
    ]
    if faults:
        raise ParameterError(faults)


def _run(attacks: Sequence[Attack], scenario: AttackScenario) -> list[Outcome]:
    """Run the attacks one after the other; on a release without records none is attempted."""
    if scenario.released.height == 0:
        why = "the release has no record" if scenario.has(CONTROL) else None
        return [Outcome(one.name, scenario.rate(0, 0), uncontrolled=why) for one in attacks]
    _check_tables(attacks, scenario)
    found = [outcome for one in attacks for outcome in one.run(scenario)]
    if not found:
        raise ParameterError(
            [Fault("--attack", "has nothing to attack", "It takes a sensitive column with groups.")]
        )
    return [_with_word_on_control(outcome, scenario) for outcome in found]


def _with_word_on_control(outcome: Outcome, scenario: AttackScenario) -> Outcome:
    """Return the outcome, with the reason where a control group that was given was not attacked."""
    is_silent = outcome.control is None and outcome.added is None and outcome.unmeasured is None
    if not scenario.has(CONTROL) or not is_silent:
        return outcome
    return replace(outcome, uncontrolled="this attack does not use a control group")


def _answer(attacks: Sequence[Attack], outcomes: Sequence[Outcome]) -> Outcome:
    """Choose the outcome that answers: of the attacker's first attack, the most successful."""
    leading = next((one for one in attacks if one.leads), attacks[0])
    return max(
        (outcome for outcome in outcomes if outcome.attack == leading.name),
        key=lambda outcome: outcome.found.rate,
    )


def read_people(data: Any, reading: Reading, sets: SetForms) -> Frame:
    """Read a table of people as the policy says."""
    return with_days(read_original(data, reading, sets))


def released_texts(
    data: Any, spec: Specification, *, midpoints: bool = False
) -> tuple[Frame, Bools]:
    """Read a release as texts; the records that are masked whole are none.

    Parameters
    ----------
    midpoints : whether midpoints may stand for ranges, and are taken for numbers

    Returns
    -------
    the records, and which rows of the file are records
    """
    frame = read_release(data, spec, typed=False, may_be_empty=True)
    texts = as_labels(texts_as_read(with_days(frame)), spec.class_rules)
    if not midpoints:
        _check_midpoints(texts, spec.release.intervals, spec.named(Role.QUASI_IDENTIFIER))
    kept = ~are_starred(texts)
    return texts[np.flatnonzero(kept)], kept


def _check_midpoints(texts: Frame, intervals: str, names: Sequence[str]) -> None:
    """Refuse cells that do not say which values they cover."""
    if intervals != "midpoint":
        return
    named = [n for n in names if n in texts.columns]
    raise DataError(
        Fault(
            f"columns.{name}",
            "may be released as midpoints, which do not say what they cover",
            'Attack the release in the form intervals = "label", which reveals as much.',
        )
        for name in named
    )


def _crosswalk(given: str | Path | RowsOfInput | Mapping[str, RowsOfInput], n_rows: int) -> Ints:
    """Return the row of the original behind each row of the release; -1 for none.

    Raises
    ------
    DataError
        when the crosswalk is of another release
    """
    if isinstance(given, Mapping):
        raise _wrong_crosswalk()
    if not isinstance(given, str | Path):
        rows = np.asarray(given, np.int64)
        if len(rows) != n_rows:
            raise _wrong_crosswalk()
        return rows
    frame = files.read_file(given).frame
    if not set(CROSSWALK) <= set(frame.columns):
        raise _wrong_crosswalk()
    pairs: Mapping[str, Ints] = {name: whole_numbers_of(frame[name]) for name in CROSSWALK}
    released = pairs["output_row"] >= 0
    if released.any() and int(pairs["output_row"].max()) >= n_rows:
        raise _wrong_crosswalk()
    rows = np.full(n_rows, -1, np.int64)
    rows[pairs["output_row"][released]] = pairs["input_row"][released]
    return rows


def _wrong_crosswalk() -> DataError:
    """Return the error that a crosswalk does not fit."""
    return DataError(
        [Fault("--crosswalk", "does not fit the release", "Take the files of one run.")]
    )

"""Use case: attack a release as others would, and count what they would find."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import time
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from indistinct.core.arrays import Bools, Ints
from indistinct.core.hierarchy import ROOT
from indistinct.core.randomness import RandomSource
from indistinct.core.requirements import meets
from indistinct.core.schema import Role
from indistinct.counting.population import lists_people
from indistinct.engines import files
from indistinct.errors import DataError, Fault, ParameterError
from indistinct.metrics.success import success_rate
from indistinct.policy.policy import Policy
from indistinct.reader.attacks import ATTACKERS, ATTACKS, Outcome, Plan, Scene
from indistinct.reader.attacks.scene import CONTROL, ORIGINAL, REGISTER
from indistinct.reader.verify.texts_as_read import texts_as_read
from indistinct.reader.verify.verify import as_labels
from indistinct.release.reading import read_release

LISTS = ("known", "elsewhere")
CROSSWALK = ("output_row", "input_row")


@dataclass(frozen=True, slots=True)
class AttackReport:
    """What came of an attacker's attacks.

    Parameters
    ----------
    attacker : who attacked, or None for a single attack
    outcomes : what came of each, at least one
    answer : the one whose rate answers for the attacker
    """

    attacker: str | None
    outcomes: tuple[Outcome, ...]
    answer: Outcome = field(repr=False)

    def document(self) -> dict[str, Any]:
        """Give the result as one JSON document; the answer first, then every attack."""
        return {
            "attacker": self.attacker,
            **self.answer.document(),
            "attacks": [outcome.document() for outcome in self.outcomes],
        }

    def figures(self) -> dict[str, float]:
        """Give every figure that a requirement may name."""
        said = self.answer.document()
        figures = {"rate": said["rate"], "upper": said["interval"][1], "lower": said["interval"][0]}
        if said["risk"] is not None:
            figures["risk"] = said["risk"]["risk"]
        return figures

    def meets(self, requirement: str) -> bool:
        """Tell whether a requirement such as ``rate<=0.2`` holds.

        Raises
        ------
        ParameterError
            when the requirement cannot be read, or names what was not measured
        """
        return meets(requirement, self.figures(), "rate<=0.2", ("<=", "<"))


def attack(  # noqa: PLR0913 - each is a word of the command
    release: Any,
    policy: Policy,
    *,
    attacker: str = "prosecutor",
    attack: str | None = None,
    register: Any = None,
    original: Any = None,
    control: Any = None,
    crosswalk: str | Path | Sequence[int] | Ints | None = None,
    seed: int | None = None,
    **plan: Any,
) -> AttackReport:
    """Attack a release, and count what is found.

    Parameters
    ----------
    release : path of a table, published or not, or an eager frame
    policy : tells the roles of its columns and their hierarchies
    attacker : prosecutor, journalist, marketer, neighbor (or neighbour) or insider
    attack : name of a single attack, in place of an attacker's; see ``docs/attacks.md``
    register : path or frame with what the attacker knows of people: names and quasi-identifiers
    original : path or frame that the release was made from: the targets of some attacks, and with
        the identifiers the truth of others
    control : path or frame of people who are not in the release, of the same population
    crosswalk : path of the crosswalk, or the row of the original behind each row of the release
    seed : makes the attacker's guesses repeatable
    plan : further words of :class:`indistinct.reader.attacks.Plan`, such as ``attempts``

    Raises
    ------
    ParameterError
        when a word is unknown or out of range, or the attack lacks a table
    DataError
        when a table cannot be read or lacks the columns

    Examples
    --------
    >>> import indistinct as ind
    >>> patients = ind.sample("patients", rows=300)
    >>> register = ind.sample("register", rows=300)
    >>> policy = ind.Policy.from_keywords(
    ...     identifiers=["name"], quasi_identifiers=["birth_date", "sex", "postcode"], k=2
    ... )
    >>> ind.attack(patients, policy, register=register, seed=1).answer.found.rate
    1.0
    """
    names = _names(attacker, attack)
    chosen = _plan(plan)
    tables = {REGISTER: register, ORIGINAL: original, CONTROL: control}
    if register is None and lists_people(policy):
        tables[REGISTER] = policy.path((policy.population and policy.population.data) or "")
    people = {name: _read(data, policy) for name, data in tables.items() if data is not None}
    released, is_kept = _released(release, policy)
    rows = None if crosswalk is None else _crosswalk(crosswalk, len(is_kept))[is_kept]
    if rows is not None and ORIGINAL not in people:
        raise ParameterError(
            [Fault("--original", "is missing", "The crosswalk tells rows of the original.")]
        )
    chance = np.random.default_rng(RandomSource(seed).words(4))
    scene = Scene(policy, released, people, chosen, chance, rows)
    outcomes = tuple(_run(names, scene))
    return AttackReport(None if attack else attacker, outcomes, _answer(names, outcomes, chosen))


def _plan(words: dict[str, Any]) -> Plan:
    """Check the words of a plan."""
    known = [word.name for word in fields(Plan)]
    remedy = f"Choose among {', '.join(known)}."
    unknown = [
        Fault(word, "is not a word of an attack", remedy) for word in words if word not in known
    ]
    if unknown:
        raise ParameterError(unknown)
    given: dict[str, Any] = dict(words)
    for word in LISTS:
        given[word] = tuple(words.get(word, ()))
    plan = Plan(**given)
    plan.check()
    return plan


def _names(attacker: str, attack: str | None) -> Sequence[str]:
    """Give the attacks that were asked for."""
    if attack is not None:
        word = attack.replace("neighbour", "neighbor")
        known, chosen = list(ATTACKS), [word]
    else:
        word = attacker.replace("neighbour", "neighbor")
        known, chosen = list(ATTACKERS), list(ATTACKERS.get(word, ()))
    if word not in known:
        place = "--attacker" if attack is None else "--attack"
        raise ParameterError([Fault(place, "is not known", f"Choose one of {', '.join(known)}.")])
    return chosen


def _run(names: Sequence[str], scene: Scene) -> list[Outcome]:
    """Run the attacks one after the other; on a release without records none is attempted."""
    if scene.released.height == 0:
        return [Outcome(name, success_rate(0, 0, scene.plan.confidence)) for name in names]
    found: list[Outcome] = []
    for name in names:
        outcome = ATTACKS[name](scene)
        found += outcome if isinstance(outcome, list) else [outcome]
    if not found:
        raise ParameterError(
            [Fault("--attack", "has nothing to attack", "It takes a sensitive column with groups.")]
        )
    return found


def _answer(names: Sequence[str], outcomes: Sequence[Outcome], plan: Plan) -> Outcome:
    """Choose the outcome that answers: of the attacker's first attack, the most successful."""
    leading = "background" if plan.excluded and "background" in names else names[0]
    return max(
        (outcome for outcome in outcomes if outcome.attack == leading),
        key=lambda outcome: outcome.found.rate,
    )


def _read(data: Any, policy: Policy) -> pl.DataFrame:
    """Read a table of people as the policy says."""
    source = files.read(
        data,
        missing=policy.data.missing,
        separator=policy.data.separator,
        encoding=policy.data.encoding,
    )
    return _with_days(source.frame)


def _with_days(frame: pl.DataFrame) -> pl.DataFrame:
    """Give moments that are all midnights as days: pandas has no other days."""
    moments = [
        name
        for name, kind in frame.schema.items()
        if kind == pl.Datetime and bool((frame[name].dt.time() == time()).all())
    ]
    return frame.with_columns(pl.col(moments).cast(pl.Date)) if moments else frame


def _released(data: Any, policy: Policy) -> tuple[pl.DataFrame, Bools]:
    """Read a release as texts; the records that are masked whole are none.

    Returns
    -------
    the records, and which rows of the file are records
    """
    frame = read_release(data, policy, typed=False, may_be_empty=True)
    texts = as_labels(texts_as_read(_with_days(frame)), policy)
    _check_midpoints(texts, policy)
    kept = ~texts.select(pl.all_horizontal(pl.all() == ROOT)).to_series()
    return texts.filter(kept), kept.to_numpy()


def _check_midpoints(texts: pl.DataFrame, policy: Policy) -> None:
    """Refuse cells that do not say which values they cover."""
    if policy.release.intervals != "midpoint":
        return
    named = [n for n in policy.named(Role.QUASI_IDENTIFIER) if n in texts.columns]
    raise DataError(
        Fault(
            f"columns.{name}",
            "may be released as midpoints, which do not say what they cover",
            'Attack the release in the form intervals = "label"; it tells no less.',
        )
        for name in named
    )


def _crosswalk(given: str | Path | Sequence[int] | Ints, n_rows: int) -> Ints:
    """Give the row of the original behind each row of the release; -1 for none.

    Raises
    ------
    DataError
        when the crosswalk is of another release
    """
    if not isinstance(given, str | Path):
        rows = np.asarray(given, np.int64)
        if len(rows) != n_rows:
            raise _wrong_crosswalk()
        return rows
    frame = files.read(given).frame
    if not set(CROSSWALK) <= set(frame.columns):
        raise _wrong_crosswalk()
    pairs: Mapping[str, Ints] = {name: frame[name].cast(pl.Int64).to_numpy() for name in CROSSWALK}
    released = pairs["output_row"] >= 0
    if released.any() and int(pairs["output_row"].max()) >= n_rows:
        raise _wrong_crosswalk()
    rows = np.full(n_rows, -1, np.int64)
    rows[pairs["output_row"][released]] = pairs["input_row"][released]
    return rows


def _wrong_crosswalk() -> DataError:
    """Say that a crosswalk does not fit."""
    return DataError(
        [Fault("--crosswalk", "does not fit the release", "Take the files of one run.")]
    )

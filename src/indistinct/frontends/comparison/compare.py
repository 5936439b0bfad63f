"""Use case: put ways to publish a table on one plane, by what they lose and what they risk."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

from indistinct.api import anonymize
from indistinct.base import extras
from indistinct.base.billionths import as_number
from indistinct.base.former_names import former_names
from indistinct.errors import Fault, NoSolutionError, ParameterError, PolicyError
from indistinct.frontends.comparison.contestants import (
    FRESH,
    POLICY,
    RAW,
    Contestant,
    ContestantType,
    contestants_of,
)
from indistinct.frontends.comparison.result import (
    COSTS,
    Comparison,
    ContestantResult,
)
from indistinct.questions.database import Dataset, load
from indistinct.questions.synthesis import SynthesisPlan as Synthesis, trial_plan, trials
from indistinct.tables.core import Progress, Role, no_progress
from indistinct.tables.evaluation import ComparisonSetup, ContestantRun, DividedPeople
from indistinct.tables.frames import Frame, table_of_cells
from indistinct.tables.policy import GivenPolicy, Policy, policy_of
from indistinct.tables.publish import searched

RUNS = 5
FEWEST_COLUMNS = 2
NOTES = """\
The measured risk is what these attackers found on these people. Attacks that find nothing prove \
nothing.
The proven risk holds for every attacker. A k-anonymous release promises nothing about who is in \
it, so it stands at 100 % whatever was measured.
No contestant is recommended: the kinds promise different things.
The comparison read the data without noise and charged nothing. It is for the owner, and choosing \
by it is not covered by epsilon.
A made-up record may equal a real one by chance, and real people outside of the data just as well.
"""


@final
@dataclass(frozen=True, slots=True)
class ComparisonTrial:
    """What is needed to try contestants.

    Parameters
    ----------
    inside : a file of those inside, for contestants that draw noise
    runs : of these
    """

    inside: Path
    runs: int


@former_names(positional=("target",), dataset="declaration")
def compare(  # noqa: PLR0913 - each is a word of the command
    data: Any,
    policy: GivenPolicy,
    *,
    target: str,
    declaration: str | Path | None = None,
    contestants: Sequence[str] = (),
    cost: str = "ranges",
    runs: int = RUNS,
    seed: int = 1,
    progress: Progress = no_progress,
) -> Comparison:
    """Compare ways to publish a table with the same people, questions and attackers.

    The result comes from the data without noise. It is for the owner, and nothing is charged.

    Parameters
    ----------
    data : a path, or an eager frame
    policy : roles and hierarchies of the columns, and the release that takes part as ``policy``; a
        policy, or the path of its TOML file
    target : the column that models predict and attackers guess
    declaration : the TOML file that declares the columns for noise; without it, nothing noisy takes
        part
    contestants : such as ``policy``, ``local:5``, ``mst:1``, ``focus:1``, ``independent:1`` and
        ``answers:1``; when left out the policy's release and, with a declaration, ``mst``,
        ``independent`` and ``answers`` at epsilon 0.5, 1, 3 and 10
    cost : the loss that the plane shows: a word of ``COSTS``
    runs : of contestants that draw noise, at least 1
    seed : of the split, the questions and the attackers' targets; noise has none

    Raises
    ------
    ParameterError
        when a word is unknown or out of range, or a contestant lacks its declaration
    DataError
        when the data cannot be read, or lack columns or people

    Examples
    --------
    >>> import indistinct as ind
    >>> policy = ind.Policy.from_keywords(quasi_identifiers=["sex", "insurance"], k=5)
    >>> table = ind.sample("patients", rows=500)["sex", "insurance"]
    >>> found = ind.compare(table, policy, target="insurance", contestants=["policy"])
    >>> [str(entry.contestant) for entry in found.entries]
    ['policy', 'raw', 'fresh']
    """
    policy = policy_of(policy)
    extras.load("sklearn")  # so that a missing one is told before anything is read
    declared = None if declaration is None else load(declaration)
    listed = contestants_of(contestants, declared=declared is not None)
    plans = _plans(listed, declared, target)
    _check(policy, cost, runs)
    people = DividedPeople.of(
        data,
        policy.reading,
        policy.set_forms,
        policy.data.person if declared is None else declared.person,
        seed,
    )
    names = _compared(policy, people, plans, target)
    setup = ComparisonSetup.of(policy, people, target, names, seed, searched)
    framed = [*listed, Contestant(RAW), Contestant(FRESH)]
    entries: list[ContestantResult] = []
    progress(0.0, "splitting")
    with tempfile.TemporaryDirectory() as folder:
        trial = ComparisonTrial(Path(folder) / "inside.csv", runs)
        if plans:
            people.write_inside(data, policy.reading, policy.set_forms, str(trial.inside))
        for number, one in enumerate(framed):
            progress(number / len(framed), str(one))
            entries.append(_entry(setup, one, plans.get(one), trial))
    progress(1.0, "comparing")
    return Comparison(
        entries,
        cost=cost,
        target=target,
        columns=names,
        n_inside=people.inside.height,
        n_outside=people.outside.height,
        n_reference=people.reference.height,
        n_queries=setup.n_questions,
        seed=seed,
        delta=None if declared is None else declared.budget.delta,
        notes=tuple(NOTES.splitlines()),
    )


def _plans(
    listed: Sequence[Contestant], declared: Dataset | None, target: str
) -> dict[Contestant, Synthesis]:
    """Decide what the noisy contestants cost, all of their faults at once."""
    plans: dict[Contestant, Synthesis] = {}
    faults: dict[Fault, None] = {}
    for one in listed:
        if declared is None or not one.is_noisy:
            continue
        focus = target if one.name == "focus" else declared.synthesis.focus
        algorithm = "independent" if one.name == "independent" else "mst"
        try:
            plans[one] = trial_plan(declared, one.parameter, algorithm, focus)
        except ParameterError as error:
            faults |= dict.fromkeys(error.faults)
    if faults:
        raise ParameterError(list(faults))
    return plans


def _check(policy: Policy, cost: str, runs: int) -> None:
    faults: list[Fault] = []
    if cost not in COSTS:
        faults.append(Fault("--cost", "is not known", f"Choose one of {', '.join(COSTS)}."))
    if runs < 1:
        faults.append(Fault("--runs", "is less than 1", "Ask for at least one run."))
    if policy.release.form == "anatomy" or policy.set_names:
        problem = "releases two linked tables, or sets, which this comparison does not read"
        faults.append(
            Fault("--policy", problem, "Compare a policy for one table of single values.")
        )
    if faults:
        raise ParameterError(faults)


def _compared(
    policy: Policy, people: DividedPeople, plans: Mapping[Contestant, Synthesis], target: str
) -> list[str]:
    """Return the columns that every contestant has."""
    roles = (Role.QUASI_IDENTIFIER, Role.SENSITIVE, Role.INSENSITIVE)
    named = {name for role in roles for name in policy.named(role)} - {policy.data.person}
    for plan in plans.values():
        named &= {column.name for column in plan.columns}
    names = [name for name in people.inside.columns if name in named]
    if target not in names:
        problem = "is not a column that every contestant has"
        listed = ", ".join(names) or "none is there"
        raise ParameterError([Fault("--target", problem, f"Choose one of these: {listed}.")])
    if len(names) < FEWEST_COLUMNS:
        problem = "and the dataset have fewer than two columns in common"
        raise ParameterError([Fault("--policy", problem, "Declare the same columns in both.")])
    return names


def _entry(
    setup: ComparisonSetup, one: Contestant, plan: Synthesis | None, trial: ComparisonTrial
) -> ContestantResult:
    """Let one contestant publish, and measure what came of it."""
    proven = 1.0 if plan is None else plan.membership_bound
    rho = None if plan is None else as_number(plan.budget)
    if one.kind is ContestantType.ANSWERS and plan is not None:
        return ContestantResult(one, list(_answered(setup, plan, trial.runs)), proven, rho)
    try:
        tables = _tables(setup, one, plan, trial)
    except (NoSolutionError, PolicyError) as error:
        why = " ".join(f"{fault.problem}. {fault.remedy}" for fault in error.faults)
        return ContestantResult(one, [], proven, rho, why)
    n_published = setup.people.inside.height if one.kind is ContestantType.GENERALIZED else None
    found = [setup.measure(table, n_published) for table in tables]
    return ContestantResult(one, found, 0.0 if one.name == FRESH else proven, rho)


def _tables(
    setup: ComparisonSetup, one: Contestant, plan: Synthesis | None, trial: ComparisonTrial
) -> Iterator[Any]:
    """Return what a contestant publishes, run after run."""
    if plan is not None:
        return map(table_of_cells, trials(plan, trial.inside, trial.runs))
    published: dict[str, Callable[[], Any]] = {
        RAW: lambda: setup.people.inside,
        FRESH: lambda: setup.people.reference,
    }
    make = published.get(one.name, lambda: _generalized(setup, one))
    return iter([make()])


def _generalized(setup: ComparisonSetup, one: Contestant) -> Any:
    """Publish those inside by the policy, or by another algorithm and k alone.

    No limit of time is kept: under load it would change the release.
    """
    words = setup.policy.words()
    method: dict[str, Any] = words.get("method", {})
    if one.name == POLICY:
        words["method"] = {name: word for name, word in method.items() if name != "time_limit"}
    else:
        words["models"] = [{"name": "k-anonymity", "k": int(one.parameter)}]
        words["method"] = {
            "algorithm": one.name,
            "max_suppression": setup.policy.method.max_suppression,
        }
    policy = Policy.from_words(words, setup.policy.path(""))
    inside: Frame = setup.people.inside
    return anonymize(inside, policy).data


def _answered(setup: ComparisonSetup, plan: Synthesis, runs: int) -> Iterator[ContestantRun]:
    """Answer all questions with Gaussian noise of the plan's budget."""
    sigma = plan.dataset.rows_per_person * (setup.n_questions / (2 * as_number(plan.budget))) ** 0.5
    return setup.answered(sigma, runs)

"""Use case: put ways to publish a table on one plane, by what they lose and what they risk."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

import numpy as np

from indistinct.api import anonymize
from indistinct.base import extras
from indistinct.base.arrays import Floats
from indistinct.base.billionths import as_number
from indistinct.base.brief import short_repr
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
from indistinct.frontends.comparison.people import DividedPeople, split, write_inside
from indistinct.frontends.comparison.result import (
    COSTS,
    Comparison,
    ContestantResult,
    ContestantRun,
)
from indistinct.frontends.comparison.risk import RiskFindings, attacked, measured
from indistinct.frontends.comparison.usefulness import (
    ComparisonWorkload,
    InterpretedTable,
    answers_to,
    area_of_learning,
    draw_workload,
    query_errors,
    read_scenario,
    variation,
)
from indistinct.questions.database import Dataset, load
from indistinct.questions.synthesis import SynthesisPlan as Synthesis, trial_plan, trials
from indistinct.tables.core import Progress, Role, no_progress
from indistinct.tables.evaluation import (
    CONTROL,
    ORIGINAL,
    REFERENCE,
    AttackContext,
    AttackScenario,
    released_texts,
)
from indistinct.tables.frames import Frame, table_of_cells
from indistinct.tables.policy import GivenPolicy, Policy, Resolved, policy_of, resolve
from indistinct.tables.publish import searched
from indistinct.tables.release import CategoryAxis

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
class ComparisonSetup:
    """What all contestants share.

    Parameters
    ----------
    policy : tells roles and hierarchies
    target : the column that models predict and attackers guess
    names : the compared columns
    truth : those inside, as a reader of the raw table understands them
    counts : the true answers to the range and to the point queries
    seed : of the attackers' targets
    """

    policy: Policy
    people: DividedPeople
    target: str
    names: Sequence[str]
    truth: InterpretedTable
    workload: ComparisonWorkload
    counts: tuple[Floats, Floats]
    seed: int

    __repr__ = short_repr


@final
@dataclass(frozen=True, slots=True)
class ComparisonTrial:
    """What is needed to try contestants.

    Parameters
    ----------
    inside : a file of those inside, for contestants that draw noise
    runs : of these
    control : what attackers find in a table of people who are no targets
    """

    inside: Path
    runs: int
    control: RiskFindings


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
    people = split(
        data,
        policy.reading,
        policy.set_forms,
        policy.data.person if declared is None else declared.person,
        seed,
    )
    names = _compared(policy, people, plans, target)
    setup = _setup(policy, people, target, names, seed)
    framed = [*listed, Contestant(RAW), Contestant(FRESH)]
    control = _findings(setup, people.reference)
    entries: list[ContestantResult] = []
    progress(0.0, "splitting")
    with tempfile.TemporaryDirectory() as folder:
        trial = ComparisonTrial(Path(folder) / "inside.csv", runs, control)
        if plans:
            write_inside(
                data, policy.reading, policy.set_forms, people.inside_rows, str(trial.inside)
            )
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
        n_queries=len(setup.workload.ranges) + len(setup.workload.points),
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


def _setup(
    policy: Policy, people: DividedPeople, target: str, names: Sequence[str], seed: int
) -> ComparisonSetup:
    """Read the raw table, and draw what everybody is asked."""
    scenario = _scenario(resolve(policy), people, people.inside)
    truth = read_scenario(scenario, names, None)
    in_order = [
        not isinstance(column.line, CategoryAxis) or column.line.numbers is not None
        for column in scenario.columns(names)
    ]
    workload = draw_workload(truth, in_order, seed)
    counts = answers_to(truth, workload.ranges), answers_to(truth, workload.points)
    return ComparisonSetup(policy, people, target, names, truth, workload, counts, seed)


def _scenario(promised: Resolved, people: DividedPeople, table: Any) -> AttackScenario:
    """Return the scenario in which attackers have a table."""
    tables = {ORIGINAL: people.inside, CONTROL: people.outside, REFERENCE: people.reference}
    texts, _ = released_texts(table, promised, midpoints=True)
    return AttackScenario(
        promised, texts, tables, AttackContext(), np.random.default_rng(0), searched
    )


def _findings(setup: ComparisonSetup, table: Any) -> RiskFindings:
    return attacked(_scenario(resolve(setup.policy), setup.people, table), setup.target, setup.seed)


def _entry(
    setup: ComparisonSetup, one: Contestant, plan: Synthesis | None, trial: ComparisonTrial
) -> ContestantResult:
    """Let one contestant publish, and measure what came of it."""
    proven = 1.0 if plan is None else plan.membership_bound
    rho = None if plan is None else as_number(plan.budget)
    if one.kind is ContestantType.ANSWERS and plan is not None:
        return ContestantResult(one, list(_asked(setup, plan, trial.runs)), proven, rho)
    try:
        tables = _tables(setup, one, plan, trial)
    except (NoSolutionError, PolicyError) as error:
        why = " ".join(f"{fault.problem}. {fault.remedy}" for fault in error.faults)
        return ContestantResult(one, [], proven, rho, why)
    n_published = setup.people.inside.height if one.kind is ContestantType.GENERALIZED else None
    found = [_run(setup, table, n_published, trial.control) for table in tables]
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


def _run(
    setup: ComparisonSetup, table: Any, n_published: int | None, control: RiskFindings
) -> ContestantRun:
    """Measure one table."""
    scenario = _scenario(resolve(setup.policy), setup.people, table)
    reading = read_scenario(scenario, setup.names, n_published)
    load = setup.workload
    # A table of another size is read as shares of those inside.
    scale = setup.truth.n_records / max(reading.n_records, 1.0)
    ranges, points = (
        query_errors(truth, answers_to(reading, asked) * scale, setup.truth.n_records)
        for truth, asked in zip(setup.counts, (load.ranges, load.points), strict=True)
    )
    losses = {
        f"marginals-{ways}": variation(setup.truth, reading, sets)
        for ways, sets in load.sets.items()
    }
    losses |= {"ranges": ranges["relative"], "points": points["relative"]}
    known = [name for name in setup.names if name != setup.target]
    area = area_of_learning(scenario, known, setup.target, CONTROL)
    if area is not None:
        losses["learning"] = 1.0 - area
    found = attacked(scenario, setup.target, setup.seed)
    return ContestantRun(losses, ranges["absolute"], found, *measured(found, control))


def _asked(setup: ComparisonSetup, plan: Synthesis, runs: int) -> Iterator[ContestantRun]:
    """Answer all questions with Gaussian noise of the plan's budget."""
    truth = np.concatenate(setup.counts)
    limit = plan.dataset.rows_per_person
    sigma = limit * (len(truth) / (2 * as_number(plan.budget))) ** 0.5
    n_ranges, n_records = len(setup.workload.ranges), setup.truth.n_records
    for run in range(runs):
        chance = np.random.default_rng([setup.seed, run])
        answers = truth + np.rint(chance.normal(0.0, sigma, len(truth)))
        ranges = query_errors(truth[:n_ranges], answers[:n_ranges], n_records)
        points = query_errors(truth[n_ranges:], answers[n_ranges:], n_records)
        losses = {"ranges": ranges["relative"], "points": points["relative"]}
        yield ContestantRun(losses, ranges["absolute"], None, None, None)

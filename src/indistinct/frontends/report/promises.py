"""What a release promises and leaves open, in the words that stand beside each definition."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from indistinct.base.statements.number_texts import figure, listed, parameters
from indistinct.frontends.report.components import Table
from indistinct.tables.core import Role
from indistinct.tables.masks import MASKS
from indistinct.tables.models import MODELS_BY_NAME, ColumnModel, SetModel
from indistinct.tables.policy import Policy
from indistinct.tables.search import ALGORITHMS_BY_NAME

ALWAYS_OPEN = (
    (
        "Somebody who knows that a person is in the data, and which group of records the person "
        "belongs to, learns what all records of the group have in common."
    ),
    (
        "The promise is about this release alone. A second release of some of the same people, or "
        "another source about them, may undo it."
    ),
)
MISSING = "A record without a value of {column} counts as none: who has no value is not hidden."
MISSING_COUNTS = (
    "A missing value of {column} counts as a value of its own. Somebody who is known to have a "
    "value may stand in a group in which nobody else has one, and then it is disclosed."
)
HOLDS = {True: "holds", False: "does not hold", None: "is not decided"}
HOUSEHOLDS = (
    "Every released household is like at least {k} households, itself included: in what others may "
    "know of the household, in the number of its members, and in what others may know of all its "
    "members together. Somebody who knows a whole household can only guess among at least {k}."
)
PEOPLE = (
    "Wherever records are counted here, people are counted: several records of one person count "
    "once."
)
ANATOMY = (
    "The records were put into groups with enough different sensitive values, and published as two "
    "tables: one with the records, one with how often each sensitive value occurs in each group."
)
LINKED = (
    "The groups are published as two tables: one with the records of the people and the number of "
    "their group, and one that lists the sensitive values of each group, counterfeits among them."
)


def promises(policy: Policy) -> Iterator[str]:
    """Yield in sentences what the models and protections of a policy promise."""
    names = ", ".join(policy.set_names)
    for model in policy.models:
        said = HOUSEHOLDS if policy.data.household is not None else model.promise
        said = said.format(**model.required())
        if names and not isinstance(model, SetModel):
            said += f" The items in {names} are left aside here; another promise is about them."
        yield said
    if policy.data.person is not None:
        yield PEOPLE
    for name, protection in policy.protections.items():
        yield protection.promise.format(**{**protection.required(), "column": name})


def open_risks(policy: Policy) -> Iterator[str]:
    """Yield in sentences what models and protections do not protect against."""
    for model in policy.models:
        for text in model.leaves_open:
            yield f"{model.name}: {text.format(**model.required())}"
        if isinstance(model, ColumnModel):
            text = MISSING_COUNTS if model.missing_counts else MISSING
            yield f"{model.name}: {text.format(column=model.column)}"
    for name, protection in policy.protections.items():
        for text in protection.leaves_open:
            yield f"{protection.name}: {text.format(**{**protection.required(), 'column': name})}"


def unprotected(policy: Policy) -> Iterator[str]:
    """Name the sensitive columns that no model looks at, and say what the policy accepts."""
    if policy.release.read_back == "accepted":
        yield (
            "The policy accepts that columns which are not generalized give hidden cells of others "
            "back, so that groups may be smaller than the promise says."
        )
    if unread := without_promise(policy):
        yield (
            f"No model of the policy protects the values of {listed(unread)}, which the policy "
            "calls sensitive. If all records of a group have the same value, everybody who finds "
            "the group of a person learns it."
        )


def without_promise(policy: Policy) -> list[str]:
    """Name the sensitive columns that no model looks at and nothing else protects."""
    read = {name for model in policy.models for name in model.columns} | set(policy.protections)
    return [name for name in policy.named(Role.SENSITIVE) if name not in read]


def method_in_words(method: Mapping[str, Any], form: str) -> str:
    """Return in words what was done to the table."""
    name = str(method.get("algorithm", ""))
    if name == "anatomy":
        return ANATOMY
    if name not in ALGORITHMS_BY_NAME:
        return ""
    said = ALGORITHMS_BY_NAME[name].in_words
    return f"{said} {LINKED}" if form == "anatomy" else said


def model_table(models: Iterable[Mapping[str, Any]]) -> Table:
    """List the formal models, what they require and what the worst group achieves."""
    return Table(
        "The formal models, what each requires, and what the worst group of the release achieves",
        ("Model", "Required", "Achieved", "Verdict"),
        [_model_row(model) for model in models],
    )


def _model_row(model: Mapping[str, Any]) -> tuple[str, ...]:
    """Write one model."""
    achieved = model.get("achieved")
    reached = "nothing is released" if achieved is None else parameters(achieved.items())
    return str(model["name"]), parameters(model["required"].items()), reached, HOLDS[model["holds"]]


def kinds_used(policy: Policy, method: Mapping[str, Any]) -> list[type]:
    """Return the definitions that a release used, whose docstrings name their papers."""
    algorithm = ALGORITHMS_BY_NAME.get(str(method.get("algorithm", policy.algorithm_name)))
    models = [MODELS_BY_NAME[model.name] for model in policy.models]
    masks = [MASKS[one.name] for one in policy.protections.values()]
    return [*models, *masks, *([] if algorithm is None else [algorithm])]


def size_bars(sizes: Sequence[int]) -> list[tuple[str, int, int]]:
    """Return class sizes in ranges that double: label, classes, records."""
    classes_of = sorted(Counter(sizes).items())
    if not classes_of:
        return []
    (smallest, _), (largest, _) = classes_of[0], classes_of[-1]
    rows: list[tuple[str, int, int]] = []
    for bits in range(max(smallest, 1).bit_length(), max(largest, 1).bit_length() + 1):
        low, high = max(2 ** (bits - 1), smallest), min(2**bits - 1, largest)
        inside = [(size, n) for size, n in classes_of if max(size, 1).bit_length() == bits]
        label = figure(low) if low == high else f"{figure(low)} to {figure(high)}"
        rows.append((label, sum(n for _, n in inside), sum(size * n for size, n in inside)))
    return rows

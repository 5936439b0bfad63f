"""What a setting of a policy asks of the rest of it, and the policy does not say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from indistinct.errors import Fault
from indistinct.tables import masks as kinds
from indistinct.tables.core.distances import Distance
from indistinct.tables.core.schema import COUNT, FEWEST_VALUES, GROUP, NOT_RELEASED, Role
from indistinct.tables.masks import SET_ALGORITHMS, ClassProtection, Protection
from indistinct.tables.models import BoundedModel, ConfidentKAnonymity, KAnonymity, SetModel
from indistinct.tables.models.bounded import Needs
from indistinct.tables.policy.protections import shifts_apart
from indistinct.tables.policy.sections.column import (
    ColumnPolicy,
    as_column,
    number_of_question,
)
from indistinct.tables.policy.sections.data import LongForm
from indistinct.tables.policy.sections.population import PopulationPolicy
from indistinct.tables.policy.settings import OF_LINKED_TABLES, invariant_model
from indistinct.tables.policy.tables import PolicyTables
from indistinct.tables.reading.declared_formats import SET

Columns: TypeAlias = Mapping[str, ColumnPolicy]
Models: TypeAlias = Sequence[BoundedModel]

WORDS_OF_SETS = frozenset({"separator", "suppression"})
OF_WEIGHTS = (Role.INSENSITIVE, *NOT_RELEASED)


def unmet(policy: PolicyTables) -> Iterator[Fault]:
    """Find what is missing or unfit before any data are seen, in the order in which it is told."""
    columns, models, data = policy.columns, policy.models, policy.data
    yield from _roles(columns)
    yield from _models(models, columns, has_noise=bool(policy.noises))
    yield from _population(policy.population, models)
    if policy.release.form == "anatomy":
        yield from _linked_tables(columns, models)
    if policy.class_names and not models:
        yield from _noise(policy.noises)
    yield from _history(policy)
    yield from _persons(data.person, columns)
    yield from _households(data.household, columns, models)
    yield from _weights(data.weight, columns)
    yield from _sets(policy.set_names, columns, models)
    if policy.set_names:
        yield from _long_form(data.long, policy.set_names, columns)
    else:
        yield from _without_sets(data.long, policy.method.algorithm)
    yield from _date_shifts(policy.protections, data.person)
    yield from _parents(columns)


def _roles(columns: Columns) -> Iterator[Fault]:
    """Find undecided columns, and masks that do not fit the role of their column."""
    yield from _undecided(columns)
    for name, column in columns.items():
        if column.protect is not None and column.role not in column.protect.roles:
            fitting = ", ".join(sorted(role.value for role in column.protect.roles))
            yield Fault(
                f"columns.{name}.protect",
                f'"{column.protect.name}" does not fit the role "{column.role.value}"',
                f"Choose another protection, or one of the roles {fitting}.",
            )


def _undecided(columns: Columns) -> Iterator[Fault]:
    """Find undecided columns; a question of a draft is told once for all of its columns."""
    undecided = {name: one for name, one in columns.items() if one.role is Role.UNDECIDED}
    names = sorted(undecided, key=lambda name: number_of_question(undecided[name].reason))
    open_ones = {name: undecided[name] for name in names}
    by_reason = Counter(one.reason for one in open_ones.values())
    references = {as_column(name) for name in open_ones}
    # Columns that refer to one another in a circle are told one by one.
    told = {as_column(name) for name, one in open_ones.items() if one.reason not in references}
    for name, column in open_ones.items():
        if column.reason in told:
            continue
        said = f": {column.reason}" if column.reason else ""
        yield Fault(
            f"columns.{name}.role",
            f"is undecided{_and_more(by_reason[as_column(name)])}{said}",
            "Choose identifier (left out), quasi-identifier, sensitive or insensitive here, or "
            "draft again with --settle or with --yes-to-suggestions.",
        )


def _and_more(n_columns: int) -> str:
    """Return how many columns a question is about beside the first."""
    if not n_columns:
        return ""
    return ", and so is 1 more column" if n_columns == 1 else f", and so are {n_columns:,} more"


def _models(models: Models, columns: Columns, *, has_noise: bool) -> Iterator[Fault]:
    """Find models without the sensitive column, hierarchy or population that they read."""
    for index, model in enumerate(models):
        for name in model.columns:
            column = columns.get(name)
            if column is None or column.role is not Role.SENSITIVE:
                yield Fault(
                    f"models.{index}.{model.name}.column",
                    f'"{name}" is not a sensitive column of this policy',
                    f'Give columns.{name} the role "sensitive".',
                )
            elif column.hierarchy is None and _reads_tree(model):
                yield Fault(
                    f"columns.{name}.hierarchy",
                    f"is missing, and {model.name} measures along it",
                    "Add a hierarchy, or choose another distance.",
                )
        if isinstance(model, ConfidentKAnonymity) and not has_noise:
            yield Fault(
                f"models.{model.name}",
                "speaks of columns with noise, and there is none",
                'Give a column protect = "noise", or name k-anonymity.',
            )


def _reads_tree(model: BoundedModel) -> bool:
    """Return whether a model measures along the hierarchy of its column."""
    distance: Distance | None = getattr(model, "measured_by", None)
    return distance is not None and distance.reads_tree


def _population(population: PopulationPolicy | None, models: Models) -> Iterator[Fault]:
    """Find models that ask who else there is, and no answer."""
    if population is not None and population.size is None and population.data is None:
        yield Fault("population", "says nothing", "Give its size, or a table of it as data.")
    for model in models:
        if model.needs is Needs.SIZE and population is None:
            yield Fault(
                "population",
                f"is missing, and {model.name} asks how many people the records were drawn from",
                "Give its size, or a table of it as data.",
            )
        elif model.needs is Needs.POPULATION and (population is None or population.data is None):
            yield Fault(
                "population.data",
                f"is missing, and {model.name} compares with a table of the population",
                "Name a table with the same quasi-identifiers.",
            )


def _linked_tables(columns: Columns, models: Models) -> Iterator[Fault]:
    """Find what two linked tables need: one sensitive column, a model, and names of their own."""
    for index, model in enumerate(models):
        if isinstance(model, OF_LINKED_TABLES) and model.l < FEWEST_VALUES:
            yield Fault(
                f"models.{index}.{model.name}.l", "is below 2, which hides nothing", "Raise it."
            )
    if not models:
        names = " and ".join(kind.name for kind in OF_LINKED_TABLES)
        yield Fault("models", "no model is named", f"Add one of {names}.")
    sensitive = [name for name, column in columns.items() if column.role is Role.SENSITIVE]
    if len(sensitive) != 1:
        yield Fault(
            "columns",
            f"have {len(sensitive)} sensitive columns; the sensitive table takes one",
            'Give the others another role, or set release.form to "table".',
        )
    for name in sorted(columns.keys() & {GROUP, *({COUNT} & set(sensitive))}):
        yield Fault(
            f"columns.{name}", "has the name of a column of the linked tables", "Rename it."
        )


def _noise(noises: Mapping[str, ClassProtection]) -> Iterator[Fault]:
    """Find noise that hides nothing in a class of one record."""
    for name, noise in noises.items():
        if noise.width is None:
            yield Fault(
                "models",
                f"no model is named, so that a class may be one record, and the noise of {name} 0",
                "Name k-anonymity, or give the noise public bounds: lower and upper.",
            )


def _history(policy: PolicyTables) -> Iterator[Fault]:
    """Find a column of persons that would be published, or m-invariance without a history."""
    if policy.history is not None:
        name = policy.history.person
        column = policy.columns.get(name)
        if column is None or column.role is not Role.IDENTIFIER:
            yield Fault(
                "history.person",
                f'"{name}" is not an identifier of this policy',
                f'Give columns.{name} the role "identifier", so that it is left out.',
            )
    model = invariant_model(policy.models)
    if (model is None) == policy.algorithm.republishes:
        named = "m-invariance" if model is None else 'algorithm = "invariant"'
        other = 'algorithm = "invariant"' if model is None else "m-invariance"
        yield Fault(
            "method.algorithm",
            f"{other} goes with {named} alone",
            f"Add {named}, or choose another {'algorithm' if model is None else 'model'}.",
        )
    if model is None:
        return
    if policy.history is None:
        yield Fault(
            "history.person",
            "is missing, and m-invariance must know who is who in all releases",
            'Add the table [history] with person = "COLUMN".',
        )
    column = policy.columns.get(GROUP)
    is_shown = column is not None and column.role not in NOT_RELEASED
    if is_shown and policy.release.form == "table":
        yield Fault(f"columns.{GROUP}", "has the name of a column of the release", "Rename it.")


def _persons(name: str | None, columns: Columns) -> Iterator[Fault]:
    """Find a column of persons that is not left out."""
    column = None if name is None else columns.get(name)
    if column is not None and column.role not in NOT_RELEASED:
        yield Fault(
            f"columns.{name}.role",
            f"is {column.role.value}, but data.person names this column, which is left out",
            'Set it to "identifier", or leave the column out of [columns].',
        )


def _households(name: str | None, columns: Columns, models: Models) -> Iterator[Fault]:
    """Find a column of households that is not left out, and words that speak of none."""
    if name is None:
        for other, column in columns.items():
            if column.level == "household":
                yield Fault(
                    f"columns.{other}.level",
                    "is household, and data.household does not name the column of households",
                    "Name it, or leave the level out.",
                )
        return
    column = columns.get(name)
    if column is not None and column.role is not Role.IDENTIFIER:
        yield Fault(
            f"columns.{name}.role",
            f"is {column.role.value}, but data.household names this column, which new numbers "
            "replace",
            'Set it to "identifier", or leave the column out of [columns].',
        )
    if not any(column.in_classes for column in columns.values()):
        yield Fault(
            "data.household",
            "asks for households that look alike, and no quasi-identifier is generalized",
            "Give what others may know of a household the role quasi-identifier.",
        )
    if not any(isinstance(model, KAnonymity) for model in models):
        yield Fault(
            "data.household",
            "counts the households that look alike, and no model asks how many there must be",
            'Add an entry of models with name = "k-anonymity".',
        )


def _weights(name: str | None, columns: Columns) -> Iterator[Fault]:
    """Find a column of weights that is not there, or whose role would change its numbers."""
    if name is None:
        return
    column = columns.get(name)
    if column is None:
        yield Fault(
            "data.weight",
            f'names "{name}", which is not a column of this policy',
            f'Add [columns.{name}] with role = "insensitive", or check the spelling.',
        )
    elif column.role not in OF_WEIGHTS:
        yield Fault(
            f"columns.{name}.role",
            f"is {column.role.value}, but data.weight names this column as the survey weight",
            'Set it to "insensitive" to release the weight, or to "identifier" to leave it out.',
        )


def _sets(set_names: Sequence[str], columns: Columns, models: Models) -> Iterator[Fault]:
    """Find columns of sets that no model protects, and words that speak of sets without any."""
    for name, column in columns.items():
        yield from _set_column(name, column)
    for index, model in enumerate(models):
        if isinstance(model, SetModel) and model.column not in set_names:
            yield Fault(
                f"models.{index}.{model.name}.column",
                f'"{model.column}" is not a column of sets in this policy',
                f'Give columns.{model.column} type = "set".',
            )
    for name in set_names:
        n_models = sum(isinstance(one, SetModel) and one.column == name for one in models)
        if n_models != 1:
            yield Fault(
                f"columns.{name}.type",
                "sets are protected by one model km-anonymity or set-k-anonymity, and there are "
                f"{n_models}",
                f'Have one entry of models with name = "km-anonymity" and column = "{name}".',
            )
    if len(set_names) > 1:
        yield Fault(
            "columns",
            f"{', '.join(set_names)} are columns of sets, and one is possible",
            "Protect the others in a release of their own, or leave them out as identifiers.",
        )


def _without_sets(long: LongForm | None, algorithm: str | None) -> Iterator[Fault]:
    """Find words that are for sets, where there are none."""
    if long is not None:
        yield Fault(
            "data.long",
            "is for columns of sets, and there is none",
            'Give the column of items type = "set", or leave this out.',
        )
    if algorithm in SET_ALGORITHMS:
        yield Fault(
            "method.algorithm",
            f'"{algorithm}" is for columns of sets, and there is none',
            'Give a column type = "set", or choose another algorithm.',
        )


def _set_column(name: str, column: ColumnPolicy) -> Iterator[Fault]:
    """Find words that ask for a column of sets, or that one of sets asks for."""
    place = f"columns.{name}"
    if column.type != SET:
        for word in sorted(WORDS_OF_SETS & column.model_fields_set):
            yield Fault(
                f"{place}.{word}",
                "is a setting of columns of sets",
                'Add type = "set", or leave it out.',
            )
        return
    if column.role is not Role.QUASI_IDENTIFIER:
        yield Fault(
            f"{place}.type",
            f'"set" is for quasi-identifiers, and the role is "{column.role.value}"',
            "Leave the type out: a column of another role is released as it is, or left out.",
        )
    rule = column.hierarchy
    if rule is not None and not rule.lists_values and rule.labels is None:
        yield Fault(f"{place}.hierarchy", "must list the items", "Give it as csv or as tree.")


def _long_form(
    long: LongForm | None, set_names: Sequence[str], columns: Columns
) -> Iterator[Fault]:
    """Find a file with a row per item whose two columns are not what they must be."""
    if long is None:
        return
    if long.item not in set_names:
        yield Fault(
            "data.long.item",
            f'"{long.item}" is not a column of sets in this policy',
            f'Give columns.{long.item} type = "set".',
        )
    if long.person in columns:
        yield Fault(
            f"columns.{long.person}",
            "says who the person of each row is, whom random numbers stand for in the release",
            "Leave this table out of the policy.",
        )


def _parents(columns: Columns) -> Iterator[Fault]:
    """Find columns that are hidden with others or counted from them: only in related tables."""
    for name, column in columns.items():
        if column.days_since is not None:
            yield Fault(
                f"columns.{name}.days_since",
                "is for the columns of related tables",
                "Leave it out, and give the column the days themselves.",
            )
        if column.parent is not None:
            yield Fault(
                f"columns.{name}.parent",
                "is for the columns of related tables",
                "Leave it out, or give both columns one hierarchy.",
            )


def _date_shifts(masks: Mapping[str, Protection], person: str | None) -> Iterator[Fault]:
    """Find shifts of dates without people, and those that would move a person's dates apart."""
    shifts = {
        name: mask for name, mask in masks.items() if isinstance(mask, kinds.DateShiftProtection)
    }
    if shifts and person is None:
        yield Fault(
            "data.person",
            "is missing, and date-shift moves all dates of a person alike",
            "Name the column of persons.",
        )
    yield from shifts_apart(shifts)

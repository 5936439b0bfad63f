"""What a policy may ask for that something else excludes: where, in what words."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from indistinct.tables.core.protocols import Scope
from indistinct.tables.core.schema import Role
from indistinct.tables.masks import PARTITION, SET_ALGORITHMS, MaskStage
from indistinct.tables.models import (
    BoundedModel,
    DistinctLDiversity,
    KAnonymity,
    MInvariance,
    ProbabilisticLDiversity,
    SetKAnonymity,
    SetModel,
)
from indistinct.tables.models.bounded import Needs
from indistinct.tables.policy.sections.column import ColumnPolicy
from indistinct.tables.policy.sections.population import PopulationPolicy
from indistinct.tables.policy.tables import PolicyTables
from indistinct.tables.search import DEFAULT_ALGORITHM

Places = Iterable[tuple[str, str]]
OF_LINKED_TABLES = (DistinctLDiversity, ProbabilisticLDiversity)


@dataclass(frozen=True, slots=True)
class Setting:
    """Something that a policy may ask for.

    Parameters
    ----------
    name : as the documentation writes it
    places : gives where a policy asks for it, and what stands there
    """

    name: str
    places: Callable[[PolicyTables], Places]


def _word(place: str, name: str, said: Callable[[PolicyTables], str | None]) -> Setting:
    """Return a setting that stands in one place."""

    def places(policy: PolicyTables) -> Places:
        found = said(policy)
        return [] if found is None else [(place, found)]

    return Setting(name, places)


def _is(place: str, word: str) -> Setting:
    """Return the setting of one word of a table."""
    table, _, name = place.partition(".")

    def said(policy: PolicyTables) -> str | None:
        return word if getattr(getattr(policy, table), name) == word else None

    return _word(place, f'`{place} = "{word}"`', said)


def _is_not(place: str, word: str) -> Setting:
    """Return the setting of all other words of a table."""
    table, _, name = place.partition(".")

    def said(policy: PolicyTables) -> str | None:
        found = getattr(getattr(policy, table), name)
        return None if found == word else str(found)

    return _word(place, f'`{place}` other than `"{word}"`', said)


def _models(
    name: str, fits: Callable[[PolicyTables, BoundedModel], bool], last: str = ""
) -> Setting:
    """Return the setting of some models.

    Parameters
    ----------
    last : the word of the model that the place ends with
    """

    def places(policy: PolicyTables) -> Places:
        for index, model in enumerate(policy.models):
            if fits(policy, model):
                yield f"models.{index}.{model.name}{last}", model.name

    return Setting(name, places)


def _columns(
    name: str, word: str, fits: Callable[[PolicyTables, str, ColumnPolicy], bool]
) -> Setting:
    """Return the setting of a word in some columns.

    Parameters
    ----------
    word : at which the fault is reported; the empty text for the column itself
    """

    def places(policy: PolicyTables) -> Places:
        for column, said in policy.columns.items():
            if fits(policy, column, said):
                yield f"columns.{column}{word and f'.{word}'}", column

    return Setting(name, places)


def invariant_model(models: Iterable[BoundedModel]) -> MInvariance | None:
    """Return the model of all releases together, if a policy names it."""
    return next((model for model in models if isinstance(model, MInvariance)), None)


def _is_second_sensitive(policy: PolicyTables, name: str, column: ColumnPolicy) -> bool:
    """Return whether a column is sensitive, and m-invariance speaks of another one."""
    model = invariant_model(policy.models)
    return column.role is Role.SENSITIVE and model is not None and name != model.column


def _release_words(policy: PolicyTables) -> Places:
    """Yield what a policy says of the release besides its form."""
    for word in policy.release.model_dump(exclude_defaults=True, exclude={"form"}):
        yield f"release.{word}", word


def _counts_table(population: PopulationPolicy | None, model: BoundedModel) -> bool:
    """Return whether a model counts the people of a table of the population."""
    listed = population is not None and population.data is not None
    return listed and model.counts_people


def _is_share(population: PopulationPolicy | None, model: BoundedModel) -> bool:
    """Return whether a model asks for the share of a class in the population."""
    return _counts_table(population, model) and model.needs is Needs.POPULATION


def _set_levels(policy: PolicyTables) -> Places:
    """Yield the levels that are named for columns of sets."""
    for name in policy.set_names:
        for word in ("min_level", "max_level"):
            if word in policy.columns[name].model_fields_set:
                yield f"columns.{name}.{word}", name


ANATOMY = _is("release.form", "anatomy")
LINKED = _is_not("release.form", "table")
MIDPOINTS = _is("release.intervals", "midpoint")
NO_LABELS = _is_not("release.intervals", "label")
STARS = _is("release.suppressed_cell", "any")
RELEASE_WORDS = Setting("other words in `[release]`", _release_words)
WORDS_OF_TABLES = Setting(
    "other words in `[release]`",
    lambda policy: _release_words(policy) if policy.release.form == "table" else [],
)
PERSON = _word("data.person", "`data.person`", lambda policy: policy.data.person)
HOUSEHOLD = _word("data.household", "`data.household`", lambda policy: policy.data.household)
MASKED_HOUSEHOLDS = _columns(
    "a mask for the column of households",
    "protect",
    lambda policy, name, column: name == policy.data.household and column.protect is not None,
)
NOT_K_ANONYMITY = _models(
    "models other than k-anonymity", lambda _, model: not isinstance(model, KAnonymity)
)
NOT_LOCAL = _word(
    "method.algorithm",
    "an algorithm other than `local`",
    lambda policy: (
        None if policy.algorithm_name == DEFAULT_ALGORITHM.name else policy.algorithm_name
    ),
)
MASKED_ROWS = _is("release.suppressed", "mask")
WEIGHT = _word("data.weight", "`data.weight`", lambda policy: policy.data.weight)
MISSING_AS = _is_not("data.missing_as", "value")
POPULATION = _word(
    "population", "`[population]`", lambda policy: None if policy.population is None else ""
)
HISTORY = _word("history", "`[history]`", lambda policy: None if policy.history is None else "")
PLAIN_HISTORY = _word(
    "history",
    "`[history]` without m-invariance",
    lambda policy: (
        None if policy.history is None or invariant_model(policy.models) is not None else ""
    ),
)
RESISTANT = _is("method.replay", "resistant")
WEIGHTS = _is_not("method.weights", "policy")
READING = _word(
    "method.algorithm",
    "an algorithm that looks at sensitive values or earlier releases",
    lambda policy: (
        policy.algorithm_name
        if policy.algorithm.reads_sensitive or policy.algorithm.republishes
        else None
    ),
)
OVERLAPPING = _word(
    "method.algorithm",
    "an algorithm whose classes may overlap",
    lambda policy: None if policy.algorithm.divides else policy.algorithm_name,
)
NOT_COUNTING = _word(
    "method.algorithm",
    "an algorithm that does not count people",
    lambda policy: None if policy.algorithm.counts_people else policy.algorithm_name,
)
NOT_OF_WHOLE_SETS = _word(
    "method.algorithm",
    "another algorithm of sets than `partition`",
    lambda policy: (
        policy.method.algorithm
        if policy.method.algorithm in set(SET_ALGORITHMS) - {PARTITION}
        else None
    ),
)
OF_WHOLE_SETS = _is("method.algorithm", PARTITION)

K_ANONYMITY_NOT = _models(
    "a model other than k-anonymity", lambda _, model: model.name != KAnonymity.name
)
REGIONS = _models(
    "a model that compares larger sets around a class (nt-closeness)",
    lambda _, model: model.scope is Scope.REGION,
)
DIVIDING = _models(
    'a model with `others = "quasi-identifiers"`', lambda _, model: model.divides, last=".others"
)
COUNTING_TABLES = _models(
    "a model that counts people in `population.data`",
    lambda policy, model: _counts_table(policy.population, model),
)
SHARES = _models(
    "a model of shares of `population.data` (delta-presence)",
    lambda policy, model: _is_share(policy.population, model),
)
COUNTING_CLASSES = _models(
    "a model that counts people in `population.data`",
    lambda policy, model: (
        _counts_table(policy.population, model)
        and (policy.algorithm.divides or not _is_share(policy.population, model))
    ),
)
NOT_OF_LINKED_TABLES = _models(
    "a model other than distinct or probabilistic l-diversity",
    lambda _, model: not isinstance(model, (MInvariance, *OF_LINKED_TABLES)),
)
INVARIANT = _models("m-invariance", lambda _, model: isinstance(model, MInvariance))
BESIDE_INVARIANT = _models("another model", lambda _, model: not isinstance(model, MInvariance))
WHOLE_SETS = _models("set-k-anonymity", lambda _, model: isinstance(model, SetKAnonymity))
SOME_ITEMS = _models(
    "a model of sets with a number `m`",
    lambda _, model: isinstance(model, SetModel) and model.known_items is not None,
)

SETS = _columns("a column of sets", "type", lambda policy, name, _: name in policy.set_names)
SET_LEVELS = Setting("levels of a column of sets", _set_levels)
SET_PROTECTED = _columns(
    "a mask of a column of sets",
    "protect",
    lambda policy, name, column: name in policy.set_names and column.protect is not None,
)
NOISE = _columns("noise by class", "protect", lambda policy, name, _: name in policy.noises)
HIERARCHY_OF_NOISE = _columns(
    "a hierarchy of a column with noise by class",
    "hierarchy",
    lambda policy, name, column: name in policy.noises and column.hierarchy is not None,
)
LOWEST_LEVELS = _columns("`min_level`", "min_level", lambda _, __, column: column.min_level > 0)
MASKED_SENSITIVE = _columns(
    "a mask of a sensitive column",
    "protect",
    lambda _, __, column: column.role is Role.SENSITIVE and column.protect is not None,
)
DATE_SHIFT = _columns(
    "`date-shift`",
    "protect",
    lambda _, __, column: column.protect is not None and column.protect.name == "date-shift",
)
MASKED_CLASSES = _columns(
    "a mask that acts on classes",
    "protect",
    lambda _, __, column: (
        column.role is not Role.SENSITIVE
        and column.protect is not None
        and column.protect.stage is MaskStage.CLASSES
    ),
)
SECOND_SENSITIVE = _columns("a second sensitive column", "", _is_second_sensitive)
MASKED_BESIDE_INVARIANT = _columns(
    "a mask",
    "protect",
    lambda policy, name, column: (
        column.protect is not None and not _is_second_sensitive(policy, name, column)
    ),
)
MASKED_PERSONS = _columns(
    "a mask of the column of persons",
    "protect",
    lambda policy, name, column: name == policy.data.person and column.protect is not None,
)
MASKED_HISTORY = _columns(
    "a mask of the column `history.person`",
    "protect",
    lambda policy, name, column: (
        policy.history is not None
        and name == policy.history.person
        and column.role is Role.IDENTIFIER
        and column.protect is not None
    ),
)
MASKED_WEIGHT = _columns(
    "a mask of the weights",
    "protect",
    lambda policy, name, column: (
        name == policy.data.weight
        and column.role in {Role.INSENSITIVE, Role.IDENTIFIER}
        and column.protect is not None
    ),
)

"""What is promised: the one place where the words of a user become values.

A policy comes from a TOML file, from keywords, or is built in Python with the same words.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, Self, cast

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PrivateAttr,
    SerializeAsAny,
    ValidationError,
    ValidationInfo,
    field_serializer,
    field_validator,
    model_validator,
)
from pydantic_core import ErrorDetails, PydanticCustomError

from indistinct.core.distances import Distance
from indistinct.core.parameters import build
from indistinct.core.schema import Role
from indistinct.errors import Fault, ParameterError, PolicyError
from indistinct.masks import MASKS_BY_NAME, ClassProtection, Context, Protection
from indistinct.metrics import AGGREGATES, METRICS
from indistinct.models import MODELS_BY_NAME, BoundedModel, ConfidentKAnonymity, KAnonymity
from indistinct.models.bounded import Needs, Population
from indistinct.policy.algorithm_words import algorithm_words
from indistinct.policy.linked_form import form_faults
from indistinct.policy.person_faults import person_faults
from indistinct.policy.republication_faults import republication_faults
from indistinct.search import ALGORITHMS, ALGORITHMS_BY_NAME, Algorithm

HIERARCHY_KINDS = ("intervals", "mask", "dates", "csv", "tree")


class Words(BaseModel):
    """A table of a policy: closed, and never changed after it was checked."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, arbitrary_types_allowed=True, allow_inf_nan=False
    )


def _one_of(known: Iterable[str]) -> Callable[[str], str]:
    """Make a check that a word is one of those known."""

    def check(word: str) -> str:
        if word not in known:
            listed = ", ".join(known)
            raise PydanticCustomError(
                "word", "is not known", {"remedy": f"Choose one of {listed}."}
            )
        return word

    return check


class HierarchyRule(Words):
    """How a column is generalized: exactly one of five kinds."""

    intervals: tuple[Annotated[float, Field(gt=0)], ...] | None = None
    mask: Annotated[int, Field(ge=1)] | None = None
    dates: tuple[Literal["month", "quarter", "year", "decade"], ...] | None = None
    csv: str | None = None
    separator: Annotated[str, Field(min_length=1, max_length=1)] | None = None
    tree: Mapping[str, Any] | None = None

    @model_validator(mode="after")
    def _is_one_kind(self) -> Self:
        """Refuse a rule that says nothing, or two things."""
        if sum(getattr(self, kind) is not None for kind in HIERARCHY_KINDS) != 1:
            listed = ", ".join(HIERARCHY_KINDS)
            raise PydanticCustomError(
                "kind", "must be exactly one of {listed}", {"listed": listed, "remedy": "Keep one."}
            )
        return self


def _protection(given: object) -> object:
    """Read the word ``protect``: a name, or a table of a name and parameters."""
    if given is None or isinstance(given, Protection):
        return given
    words: dict[str, object] = (
        dict(cast("Mapping[str, object]", given)) if isinstance(given, Mapping) else {"name": given}
    )
    kind = MASKS_BY_NAME.get(str(words.pop("name", None)))
    if kind is None:
        known = ", ".join(MASKS_BY_NAME)
        raise PydanticCustomError(
            "protect", "is no protection; known are {known}", {"known": known}
        )
    try:
        return build(kind, words, kind.name)
    except ParameterError as error:
        said = "; ".join(f"{fault.place} {fault.problem}" for fault in error.faults)
        raise PydanticCustomError("protect", "{said}", {"said": said}) from None


class ColumnPolicy(Words):
    """What a column is, and how it may be generalized or protected otherwise."""

    role: Role
    protect: Annotated[Protection | None, BeforeValidator(_protection)] = None
    hierarchy: HierarchyRule | None = None
    weight: Annotated[float, Field(gt=0)] = 1.0
    min_level: Annotated[int, Field(ge=0)] = 0
    max_level: Annotated[int, Field(ge=0)] | None = None

    @field_serializer("protect")
    def _protect_words(self, protection: Protection | None) -> object:
        """Write the protection as a policy does."""
        if protection is None:
            return None
        parameters = protection.required()
        return {"name": protection.name, **parameters} if parameters else protection.name

    @field_validator("max_level")
    @classmethod
    def _is_not_below_min_level(cls, level: int | None, others: ValidationInfo) -> int | None:
        """Refuse levels of which none is allowed."""
        if level is not None and level < others.data.get("min_level", 0):
            raise PydanticCustomError("levels", "is below min_level", {"remedy": "Swap them."})
        return level


class DataPolicy(Words):
    """How the input is read."""

    missing: tuple[str, ...] = ("",)
    missing_as: Literal["value", "suppress", "refuse"] = "value"
    separator: Annotated[str, Field(min_length=1, max_length=1)] | None = None
    encoding: str | None = None
    person: str | None = None


AlgorithmWords = algorithm_words(Words, ALGORITHMS)


class MethodPolicy(AlgorithmWords):
    """How the release is searched for; the parameters of the algorithms are among its words."""

    algorithm: Annotated[str, AfterValidator(_one_of(ALGORITHMS_BY_NAME))] = "optimal"
    objective: Annotated[str, AfterValidator(_one_of(METRICS))] = "loss"
    aggregate: Annotated[str, AfterValidator(_one_of(AGGREGATES))] | None = None
    max_suppression: Annotated[float, Field(ge=0, le=1)] = 0.0
    time_limit: Annotated[float, Field(gt=0)] | None = None
    weights: Literal["policy", "vulnerability"] = "policy"
    # These two weigh columns, too, whatever the algorithm.
    target: Literal["sensitive", "identity"] = "sensitive"
    trees: Annotated[int, Field(ge=1)] = 500


class ReleasePolicy(Words):
    """How the release is written."""

    suppressed: Literal["drop", "mask"] = "drop"
    intervals: Literal["label", "bounds", "midpoint"] = "label"
    range_ends: Literal["exact", "rounded"] = "exact"
    suppressed_cell: Literal["value", "any"] = "value"
    form: Literal["table", "anatomy"] = "table"


class NoisePolicy(Words):
    """How much noise protects a column that does not say it itself."""

    epsilon: Annotated[float, Field(gt=0)] = 1.0
    confidence: Annotated[float, Field(ge=0, lt=1)] = 0.99
    budget: Literal["vector", "split", "per_attribute"] = "vector"
    zero: Literal["floor", "skip", "raise"] = "floor"


class PopulationPolicy(Words):
    """Who else there is: how many, or a table of their quasi-identifiers."""

    size: Annotated[int, Field(ge=1)] | None = None
    data: str | None = None


class HistoryPolicy(Words):
    """Who is who in all releases of a table, and what these may tell together."""

    person: str
    companions: Literal["fixed", "mixed"] = "fixed"
    signatures: Literal["few", "free"] = "few"
    max_counterfeits: Annotated[float, Field(ge=0)] = 0.3
    composition: Literal["warn", "refuse"] = "warn"


def _model(given: object) -> object:
    """Read one entry of ``models``."""
    if isinstance(given, BoundedModel) or not isinstance(given, Mapping):
        return given
    words = dict(cast("Mapping[str, object]", given))
    name = words.pop("name", None)
    kind = MODELS_BY_NAME.get(str(name))
    if kind is None:
        known = ", ".join(MODELS_BY_NAME)
        raise PydanticCustomError(
            "model", "no model has this name; known are {known}", {"known": known}
        )
    try:
        return build(kind, words, str(name))
    except ParameterError as error:
        said = "; ".join(f"{fault.place} {fault.problem}" for fault in error.faults)
        raise PydanticCustomError("model", "{said}", {"said": said}) from None


class Policy(Words):
    """Roles of the columns, models, method and form of a release.

    Raises
    ------
    PolicyError
        when a word is unknown, a value out of range or parts contradict each other; all faults at
        once, each with its place
    """

    columns: Mapping[str, ColumnPolicy]
    models: tuple[SerializeAsAny[Annotated[BoundedModel, BeforeValidator(_model)]], ...] = ()
    data: DataPolicy = DataPolicy()
    method: MethodPolicy = MethodPolicy()
    release: ReleasePolicy = ReleasePolicy()
    noise: NoisePolicy = NoisePolicy()
    population: PopulationPolicy | None = None
    history: HistoryPolicy | None = None

    _folder: Path = PrivateAttr(default_factory=Path)

    def __init__(self, **words: Any) -> None:
        """Check all words; see the class."""
        try:
            super().__init__(**words)
        except ValidationError as error:
            faults = [_fault(detail) for detail in error.errors()]
            raise PolicyError([*faults, *_absences(words)]) from None
        faults = [*_absences(words), *_contradictions(self)]
        if faults:
            raise PolicyError(faults)

    @classmethod
    def load(cls, path: str | Path) -> Policy:
        """Read a policy from a TOML file; paths in it are relative to the file.

        Raises
        ------
        PolicyError
            when the file cannot be read, is not TOML, or is no policy
        """
        file = Path(path)
        try:
            words = tomllib.loads(file.read_text(encoding="utf-8"))
        except OSError as error:
            raise PolicyError(
                [Fault(str(path), f"cannot be read: {error.strerror}", "Check the path.")]
            ) from None
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise PolicyError(
                [Fault(str(path), f"is not TOML: {error}", "Mend the file there.")]
            ) from None
        return cls.from_words(words, file.parent)

    @classmethod
    def from_words(cls, words: Mapping[str, Any], folder: Path | None = None) -> Policy:
        """Build a policy from nested words, as a TOML file has them."""
        policy = cls(**words)
        policy._folder = folder or Path()
        return policy

    @classmethod
    def from_keywords(  # noqa: PLR0913 - the words of the short form
        cls,
        *,
        quasi_identifiers: Sequence[str],
        identifiers: Sequence[str] = (),
        sensitive: Sequence[str] = (),
        insensitive: Sequence[str] = (),
        k: int | None = None,
        models: Iterable[BoundedModel | Mapping[str, object]] = (),
        **method: Any,
    ) -> Policy:
        """Build a policy from the short form; hierarchies are then made from the data.

        Parameters
        ----------
        quasi_identifiers, identifiers, sensitive, insensitive : column names per role
        k : least records per class, for k-anonymity
        models : further models
        method : words of the table ``[method]``: ``algorithm``, ``max_suppression`` ...
        """
        roles = {
            Role.IDENTIFIER: identifiers,
            Role.QUASI_IDENTIFIER: quasi_identifiers,
            Role.SENSITIVE: sensitive,
            Role.INSENSITIVE: insensitive,
        }
        named = [name for names in roles.values() for name in names]
        twice = sorted({name for name in named if named.count(name) > 1})
        if twice:
            raise PolicyError(
                [Fault(f"columns.{name}", "is named twice", "Give it one role.") for name in twice]
            )
        least = [] if k is None else [{"name": "k-anonymity", "k": k}]
        return cls(
            columns={name: {"role": role} for role, names in roles.items() for name in names},
            models=[*least, *models],
            method=method,
        )

    def with_words(self, tables: Mapping[str, Mapping[str, Any]]) -> Policy:
        """Give the same policy with other words in some of its tables, checked anew."""
        words = self.words()
        for table, given in tables.items():
            words[table] = {**words.get(table, {}), **given}
        return Policy.from_words(words, self._folder)

    def named(self, role: Role) -> tuple[str, ...]:
        """Give the columns of a role, in the policy's order."""
        return tuple(name for name, column in self.columns.items() if column.role is role)

    @property
    def algorithm(self) -> type[Algorithm]:
        """The algorithm that searches for the release."""
        return ALGORITHMS_BY_NAME[self.method.algorithm]

    @property
    def protections(self) -> dict[str, Protection]:
        """The protected columns, each with what the whole policy says of its protection."""
        context = Context(
            epsilon=self.noise.epsilon,
            missing=self.data.missing,
            folder=self._folder,
        )
        return {
            name: column.protect.within(context)
            for name, column in self.columns.items()
            if column.protect is not None
        }

    @property
    def class_names(self) -> tuple[str, ...]:
        """The quasi-identifiers that form the classes; the others are protected otherwise."""
        return tuple(
            name
            for name in self.named(Role.QUASI_IDENTIFIER)
            if (protection := self.columns[name].protect) is None or protection.in_classes
        )

    @property
    def noisy_names(self) -> tuple[str, ...]:
        """The columns that get noise by their class."""
        return tuple(
            name
            for name, column in self.columns.items()
            if isinstance(column.protect, ClassProtection)
        )

    def noise_of(self, name: str) -> ClassProtection:
        """Give the noise of one of these columns."""
        protection = self.protections[name]
        if not isinstance(protection, ClassProtection):
            raise PolicyError(f"{name} gets no noise", 'Give it protect = "noise".')
        return protection

    @property
    def left_out(self) -> tuple[str, ...]:
        """The identifiers that no protection keeps in the release, and the column of persons."""
        unprotected = (
            name for name in self.named(Role.IDENTIFIER) if self.columns[name].protect is None
        )
        person = () if self.data.person is None else (self.data.person,)
        tracked = () if self.history is None else (self.history.person,)
        return tuple(dict.fromkeys([*unprotected, *person, *tracked]))

    @property
    def counted(self) -> tuple[str, ...]:
        """The sensitive columns whose values some model counts."""
        read = tuple(dict.fromkeys(name for model in self.models for name in model.columns))
        return self.named(Role.SENSITIVE) if self.divides else read

    @property
    def divides(self) -> bool:
        """Whether some model counts other sensitive columns among the quasi-identifiers."""
        return any(model.divides for model in self.models)

    def models_among(self, n_records: int, n_people: int | None = None) -> tuple[BoundedModel, ...]:
        """Give the models, told how many people the records were drawn from.

        Parameters
        ----------
        n_records : records of the table before any is suppressed
        n_people : records of the population's table, where it was counted
        """
        if self.population is None:
            return self.models
        size = self.population.size or n_people
        if size is None:
            return self.models
        population = Population(max(size, n_records), n_records, n_people is not None)
        return tuple(model.among(population) for model in self.models)

    def path(self, relative: str) -> Path:
        """Give a path that the policy names."""
        return self._folder / relative

    def words(self) -> dict[str, Any]:
        """Give the policy as nested words, defaults left out."""
        words = self.model_dump(mode="json", exclude_defaults=True, exclude={"models"})
        words["models"] = [{"name": model.name, **model.required()} for model in self.models]
        return words

    @property
    def sha256(self) -> str:
        """Hash of what is promised and how it is written, whatever the order in the file.

        The table ``[method]`` has no part in it: how a release was searched for does not change
        what it promises.
        """
        words = {table: said for table, said in self.words().items() if table != "method"}
        text = json.dumps(words, sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()


def intervals(*widths: float) -> HierarchyRule:
    """Generalize numbers to intervals, one width per level, each a multiple of the one before."""
    return HierarchyRule(intervals=widths)


def mask(characters: int) -> HierarchyRule:
    """Hide 1 to ``characters`` characters from the right."""
    return HierarchyRule(mask=characters)


def dates(*steps: str) -> HierarchyRule:
    """Generalize dates to ``month``, ``quarter``, ``year`` or ``decade``, from fine to coarse."""
    return HierarchyRule.model_validate({"dates": steps})


def tree(groups: Mapping[str, Any]) -> HierarchyRule:
    """Generalize values along nested groups of them."""
    return HierarchyRule(tree=groups)


def from_csv(path: str | Path, separator: str | None = None) -> HierarchyRule:
    """Generalize along a file with a row per value, level 0 first, without a header.

    Parameters
    ----------
    path : relative to the policy's file, or to the working folder where there is none
    separator : found when not given
    """
    return HierarchyRule(csv=str(path), separator=separator)


def _fault(detail: ErrorDetails) -> Fault:
    """Say in our words what pydantic found."""
    place = ".".join(str(part) for part in detail["loc"])
    kind = detail["type"]
    if kind == "extra_forbidden":
        return Fault(place, "is not a word of a policy", "Check the spelling, or leave it out.")
    if kind == "missing":
        return Fault(place, "is missing", "Add it.")
    remedy = detail.get("ctx", {}).get("remedy", "Change it in the policy.")
    return Fault(place, detail["msg"], str(remedy))


def _absences(words: Mapping[str, Any]) -> Iterable[Fault]:
    """Find what every policy needs and this one lacks."""
    columns: Mapping[str, Any] = words.get("columns") or {}
    if any(map(_is_protected, columns.values())):
        return
    if Role.QUASI_IDENTIFIER not in map(_role_of, columns.values()):
        yield Fault(
            "columns",
            "no column is a quasi-identifier",
            'Give role = "quasi-identifier" to the columns that help to find a person.',
        )
    if not words.get("models"):
        yield Fault("models", "no model is named", 'Add one, e.g. name = "k-anonymity", k = 5.')


def _role_of(column: object) -> object:
    """Give the role of a column, checked or not."""
    if isinstance(column, Mapping):
        return cast("Mapping[str, object]", column).get("role")
    return getattr(column, "role", None)


def _is_protected(column: object) -> bool:
    """Tell whether a column, checked or not, names a protection."""
    if isinstance(column, Mapping):
        return "protect" in cast("Mapping[str, object]", column)
    return getattr(column, "protect", None) is not None


def _protection_faults(policy: Policy) -> Iterable[Fault]:
    """Find protections of columns whose role they do not fit."""
    for name, column in policy.columns.items():
        if column.protect is not None and column.role not in column.protect.roles:
            fitting = ", ".join(sorted(role.value for role in column.protect.roles))
            yield Fault(
                f"columns.{name}.protect",
                f'"{column.protect.name}" does not fit the role "{column.role.value}"',
                f"Choose another protection, or one of the roles {fitting}.",
            )


def _noise_faults(policy: Policy) -> Iterable[Fault]:
    """Find noise that hides nothing, and promises about noise where there is none."""
    for name in policy.noisy_names:
        column, noise = policy.columns[name], policy.noise_of(name)
        if column.hierarchy is not None:
            yield Fault(
                f"columns.{name}.hierarchy",
                "is not used: noise stands in place of generalization",
                "Leave out one of hierarchy and protect.",
            )
        if policy.class_names and not policy.models and noise.width is None:
            yield Fault(
                "models",
                f"no model is named, so that a class may be one record, and the noise of {name} 0",
                "Name k-anonymity, or give the noise public bounds: lower and upper.",
            )
    if policy.noisy_names and policy.release.form == "anatomy":
        yield Fault(
            "release.form",
            "anatomy forms no classes of equal cells, whose width the noise would have",
            'Leave out protect = "noise", or choose another form.',
        )
    if policy.noisy_names and policy.release.suppressed_cell == "any":
        yield Fault(
            "release.suppressed_cell",
            "lets a class of equal cells be one record, whose noise would be 0",
            'Set it to "value", or leave out protect = "noise".',
        )
    confident = next((m for m in policy.models if isinstance(m, ConfidentKAnonymity)), None)
    if confident is not None and not policy.noisy_names:
        yield Fault(
            f"models.{confident.name}",
            "speaks of columns with noise, and there is none",
            'Give a column protect = "noise", or name k-anonymity.',
        )


def _contradictions(policy: Policy) -> Iterable[Fault]:
    """Find what is wrong between the parts of a policy, before any data are seen."""
    for index, model in enumerate(policy.models):
        yield from _model_faults(policy, index, model)
    yield from _population_faults(policy)
    yield from _wildcard_faults(policy)
    if policy.release.form == "anatomy":
        said = policy.release.model_dump(exclude_defaults=True, exclude={"form"})
        yield from form_faults(policy.columns, policy.models, said)
    yield from _protection_faults(policy)
    yield from _noise_faults(policy)
    release = policy.release.model_dump()
    yield from republication_faults(policy)
    yield from person_faults(policy.data.person, policy.columns, policy.models, release)


def _wildcard_faults(policy: Policy) -> Iterable[Fault]:
    """Find what cannot be told where a star in a cell stands for any value."""
    if policy.release.suppressed_cell == "value":
        return
    for index, model in enumerate(policy.models):
        if model.name != KAnonymity.name:
            yield Fault(
                f"models.{index}.{model.name}",
                "is not defined for groups of compatible records, which overlap",
                f'Keep {KAnonymity.name}, or set release.suppressed_cell to "value".',
            )
    if policy.release.intervals != "label":
        yield Fault(
            "release.intervals",
            "leaves suppressed cells empty, like missing values, which do not stand for any value",
            'Set it to "label", or release.suppressed_cell to "value".',
        )


def _population_faults(policy: Policy) -> Iterable[Fault]:
    """Find models that ask who else there is, and no answer."""
    population = policy.population
    if population is not None and population.size is None and population.data is None:
        yield Fault("population", "says nothing", "Give its size, or a table of it as data.")
    counted = population is not None and population.data is not None
    if counted and policy.release.intervals == "midpoint":
        for model in policy.models:
            if model.counts_people:
                yield Fault(
                    "release.intervals",
                    "midpoints do not say which numbers they stand for, so that nobody can count "
                    f"the people that {model.name} asks for",
                    'Set it to "label" or "bounds".',
                )
    for model in policy.models:
        is_share = counted and model.counts_people and model.needs is Needs.POPULATION
        # A share of the people of a class means something only where nobody belongs to two.
        if is_share and not policy.algorithm.divides:
            yield Fault(
                "method.algorithm",
                f'"{policy.method.algorithm}" gives classes whose cells may overlap, so that '
                f"{model.name} cannot say which class a person of the population belongs to",
                f"Choose one of {', '.join(kind.name for kind in ALGORITHMS if kind.divides)}.",
            )
        elif counted and model.counts_people and not policy.algorithm.counts_people:
            yield Fault(
                "method.algorithm",
                f'"{policy.method.algorithm}" does not count the people that {model.name} asks for',
                "Choose another algorithm, such as optimal or local.",
            )
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


def _model_faults(policy: Policy, index: int, model: BoundedModel) -> Iterable[Fault]:
    """Find what is wrong between a model and the columns it reads."""
    place = f"models.{index}.{model.name}"
    for name in model.columns:
        column = policy.columns.get(name)
        if column is None or column.role is not Role.SENSITIVE:
            yield Fault(
                f"{place}.column",
                f'"{name}" is not a sensitive column of this policy',
                f'Give columns.{name} the role "sensitive".',
            )
        elif column.hierarchy is None and _reads_tree(model):
            yield Fault(
                f"columns.{name}.hierarchy",
                f"is missing, and {model.name} measures along it",
                "Add a hierarchy, or choose another distance.",
            )


def _reads_tree(model: BoundedModel) -> bool:
    """Tell whether a model measures along the hierarchy of its column."""
    distance: Distance | None = getattr(model, "measured_by", None)
    return distance is not None and distance.reads_tree

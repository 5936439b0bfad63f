"""Measure a table as it is: what each model reaches, what it cost, what an attacker may do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from indistinct.core.arrays import Codes, Ints
from indistinct.core.brief import briefly
from indistinct.core.classes import EquivalenceClasses
from indistinct.core.documents import plain
from indistinct.core.frequencies import PERSON, TOGETHER, SensitiveColumn
from indistinct.core.hierarchy import GeneralizationHierarchy
from indistinct.core.requirements import meets
from indistinct.core.schema import Role
from indistinct.counting.columns import is_missing
from indistinct.counting.persons import class_sizes, columns_of_people, persons_of
from indistinct.counting.population import n_people
from indistinct.counting.prepare import Prepared, prepare
from indistinct.counting.table_faults import number_faults
from indistinct.engines import files
from indistinct.engines.missing_values import with_one_missing
from indistinct.engines.polars import encode
from indistinct.engines.protocol import EncodedColumn
from indistinct.engines.tallies import columns_of, tally
from indistinct.engines.tuples import together
from indistinct.errors import DataError, Fault, HierarchyError, PolicyError
from indistinct.models import BoundedModel
from indistinct.models.in_people import in_people
from indistinct.policy.hierarchies import hierarchy_of, missing_text
from indistinct.policy.policy import Policy
from indistinct.reader.assess.anonymity import (
    CountedClasses,
    anonymity_of,
    count_classes,
    per_class,
    separation_of,
    smallest_classes,
)
from indistinct.reader.assess.findings import Findings
from indistinct.reader.assess.further_risk import assessed_risk
from indistinct.reader.assess.noise import assess_noise
from indistinct.reader.utility.recover import full_domain, read_cells, recoding_of
from indistinct.reader.utility.report import asked_utility
from indistinct.reader.utility.usefulness import Compared, Utility, utility_entry
from indistinct.reader.verify.texts_as_read import texts_as_read
from indistinct.reader.verify.verify import Reading, judge_plainly, looks_beyond, people_of
from indistinct.reader.verify.wildcards import group_sizes
from indistinct.release.entries import CountEntry, ModelEntry
from indistinct.release.manifest import class_entry, loss_entry, model_entry, risk_entry
from indistinct.release.reading import read_release
from indistinct.release.released import labels_of


@dataclass(frozen=True, slots=True)
class Assessment:
    """What a table reaches.

    Parameters
    ----------
    findings : what was measured; the properties give its parts as JSON has them
    counted : the classes themselves, and how they read
    """

    findings: Findings
    counted: CountedClasses

    __repr__ = briefly

    @property
    def models(self) -> tuple[Mapping[str, Any], ...]:
        """Per model of the policy: name, required, achieved, holds."""
        return tuple(plain(self.findings.models))

    @property
    def records(self) -> Mapping[str, Any]:
        """Records that are released and suppressed."""
        return plain(self.findings.records)

    @property
    def classes(self) -> Mapping[str, Any]:
        """How many classes there are, and how large they are."""
        return plain(self.findings.classes)

    @property
    def risk(self) -> Mapping[str, Any]:
        """What an attacker may hope for."""
        return plain(self.findings.risk)

    @property
    def anonymity(self) -> Mapping[str, Any]:
        """What every model reaches, promised or not, per sensitive column."""
        return plain(self.findings.anonymity)

    @property
    def separation(self) -> Mapping[str, Any]:
        """How well the quasi-identifiers together tell records apart."""
        return plain(self.findings.separation)

    @property
    def loss(self) -> Mapping[str, Any] | None:
        """What was lost, by the name of the metric, when the original was given."""
        return plain(self.findings.loss)

    @property
    def utility(self) -> Mapping[str, Any] | None:
        """What the release is still good for, when the original was given."""
        return plain(self.findings.utility)

    @property
    def protection(self) -> Mapping[str, Mapping[str, Any]] | None:
        """What noise per class costs and leaves open, when the original was given."""
        return plain(self.findings.protection)

    @property
    def per_class(self) -> pl.DataFrame:
        """The classes, the smallest first: cells, records, and every model's measure."""
        return per_class(self.counted)

    def document(self, *, show_values: bool = False) -> dict[str, Any]:
        """Give the result as one JSON document.

        Parameters
        ----------
        show_values : for the owner of the data alone: the cells of the smallest classes, too
        """
        document = self.findings.document()
        if not show_values:
            return document
        beyond = {
            name: document.pop(name)
            for name in ("loss", "utility", "protection")
            if name in document
        }
        return {**document, "smallest_classes": self.smallest_classes(), **beyond}

    def smallest_classes(self) -> list[dict[str, Any]]:
        """List the smallest classes, with their cells: for the owner of the data alone."""
        return smallest_classes(self.counted)

    def meets(self, requirement: str) -> bool:
        """Tell whether a requirement such as ``k>=5`` holds.

        Raises
        ------
        ParameterError
            when the requirement cannot be read, or names what was not measured
        """
        return meets(requirement, self.figures(), "k>=5")

    def figures(self) -> dict[str, float]:
        """Give every figure that a requirement may name.

        Where two models of the policy reach the same letter, the worse one counts; a letter that no
        model of the policy has stands for the worst sensitive column.
        """
        return self.findings.figures()


def assess(  # noqa: PLR0913 - each is a keyword of one measurement
    data: Any,
    policy: Policy,
    *,
    original: Any = None,
    population: str | Path | None = None,
    queries: int | None = None,
    learn: str | None = None,
    weights: str | None = None,
) -> Assessment:
    """Measure a table, published or not, by a policy.

    Parameters
    ----------
    data : path of the table, or an eager frame
    policy : tells the quasi-identifiers, the sensitive columns and the models
    original : the input that the table was made from: gives the distribution that closeness is
        measured to, the suppressed records, the loss and the utility
    population : path of a table with the same quasi-identifiers: gives the journalist's risk, and
        takes the place of the policy's
    queries : number of random count queries whose error is measured; none when left out
    learn : column that a model, trained on the table, is to predict; none when left out
    weights : column that says how many people each record stands for: gives individual risks

    Raises
    ------
    EmptyDataError
        when the table has no records, and there is no original that they could be suppressed from
    DataError
        when a table cannot be read, lacks a column, or is no generalization of the original
    PolicyError
        when the policy asks for two linked tables
    """
    if population is not None:
        place = str(Path(population).absolute())
        policy = policy.with_words({"population": {"size": None, "data": place}})
    if policy.release.form == "anatomy":
        raise PolicyError("an assessment measures one table", "Verify the two linked tables.")
    before = None if original is None else _read(original, policy)
    table = read_release(data, policy, may_be_empty=before is not None)
    released = _typed_again(_without_masked(table, policy), before, policy)
    _check(released, policy)
    secrets = {
        name: _sensitive(released[name], _reference(before, policy, name), policy)
        for name in _secret(released, policy)
    }
    counted = _counted(released, policy, secrets)
    classes = counted.classes
    groups = _groups(released, policy, classes)
    n_suppressed = None if before is None else before.height - released.height
    counts_people = PERSON in classes.value_counts
    n_units = released.height + (n_suppressed or 0)
    if counts_people:
        n_units = classes.sensitive[PERSON].n_values
    models = policy.models_among(n_units, n_people(policy))
    reading = Reading(released, policy, before)
    prepared = None if before is None or _masks_classes(policy) else prepare(before, policy)
    plain = {name: own for name, own in secrets.items() if name not in policy.protections}
    loss, utility = (
        (None, None) if prepared is None else _compare(released, prepared, plain, classes, policy)
    )
    asked = asked_utility(released, before, policy, queries=queries, learn=learn)
    risk = risk_entry(*(people_of(reading) or (class_sizes(classes),)))
    findings = Findings(
        _model_entries(models, groups, reading),
        CountEntry(released.height, n_suppressed),
        replace(
            class_entry(class_sizes(groups)), counted=_unit(policy, counts_people=counts_people)
        ),
        assessed_risk(reading, risk, weights=weights),
        anonymity_of(classes),
        separation_of(counted),
        loss,
        replace(utility or Utility(), asked=asked) if utility or asked else None,
        None if prepared is None else assess_noise(released, prepared, policy),
    )
    return Assessment(findings, counted)


def _unit(policy: Policy, *, counts_people: bool) -> str | None:
    """Say whether sizes count people, where the policy wants them counted."""
    if policy.data.person is None:
        return None
    return "people" if counts_people else "records"


def _counted(
    released: pl.DataFrame, policy: Policy, secrets: Mapping[str, Secret]
) -> CountedClasses:
    """Count the classes, with the combinations of sensitive values where some model asks.

    People are counted where the table has their column, which a release has not.
    """
    sensitive = {name: (secret.column, secret.after) for name, secret in secrets.items()}
    if policy.divides:
        sensitive[TOGETHER] = together({name: secret.after for name, secret in secrets.items()})
    if (persons := persons_of(released, policy)) is not None:
        columns, codes = columns_of_people(
            persons, {name: secret.after for name, secret in secrets.items()}
        )
        sensitive |= {name: (columns[name], codes[name]) for name in columns}
    return count_classes(_quasi_identifiers(released, policy), sensitive)


def _groups(
    released: pl.DataFrame, policy: Policy, classes: EquivalenceClasses
) -> EquivalenceClasses:
    """Give what the policy's models are measured in: where a star is any value, what fits."""
    if not policy.class_names or policy.release.suppressed_cell != "any":
        return classes
    return EquivalenceClasses(_group_sizes(released, policy))


def _group_sizes(released: pl.DataFrame, policy: Policy) -> Ints:
    """Count the records that are compatible with each kind of record: (n_kinds,)."""
    texts = texts_as_read(pl.DataFrame([released[name] for name in policy.class_names]))
    kinds = dict(tally(texts.get_columns()))
    rows = pl.DataFrame(list(kinds), schema=texts.schema, orient="row")
    return np.array(group_sizes(rows, list(kinds.values())), np.int64)


def _masks_classes(policy: Policy) -> bool:
    """Tell whether there is nothing to compare: cells generalize masked values, or none do."""
    masked = any(name in policy.protections for name in policy.class_names)
    return masked or not policy.class_names


@dataclass(frozen=True, slots=True)
class Secret:
    """A sensitive column of a table and of its original, in one code.

    Parameters
    ----------
    column : its values in the whole table
    before : (n_original,), codes of the original; those of the table where there is none
    after : (n_rows,), codes of the table
    """

    column: SensitiveColumn
    before: Codes
    after: Codes

    __repr__ = briefly


def _model_entries(
    models: Sequence[BoundedModel], classes: EquivalenceClasses, reading: Reading
) -> tuple[ModelEntry, ...]:
    """Measure every model; those that look beyond a class from their definition."""
    beyond = [model for model in models if looks_beyond(model, reading.policy)]
    plainly = iter(judge_plainly(reading, beyond) if beyond else ())
    told = in_people(models) if PERSON in classes.value_counts else models
    return tuple(
        ModelEntry(**next(plainly))
        if looks_beyond(model, reading.policy)
        else model_entry(asked, classes)
        for model, asked in zip(models, told, strict=True)
    )


def _read(data: Any, policy: Policy) -> pl.DataFrame:
    """Read the original as the policy says."""
    return files.read(
        data,
        missing=policy.data.missing,
        separator=policy.data.separator,
        encoding=policy.data.encoding,
    ).frame


def _without_masked(frame: pl.DataFrame, policy: Policy) -> pl.DataFrame:
    """Leave out records that are masked whole, where the policy has them masked."""
    if policy.release.suppressed != "mask":
        return frame
    stars = pl.all_horizontal(pl.all().cast(pl.String).fill_null("") == "*")
    return frame.filter(~stars)


def _typed_again(frame: pl.DataFrame, before: pl.DataFrame | None, policy: Policy) -> pl.DataFrame:
    """Give back their numbers to columns that are text for the sake of masked records."""
    if policy.release.suppressed != "mask":
        return frame
    labels = policy.class_names
    kinds = {} if before is None else dict(before.schema)
    return frame.with_columns(
        _numbers_if_all(frame[name], kinds.get(name))
        for name in frame.columns
        if name not in labels and frame[name].dtype == pl.String
    )


def _numbers_if_all(column: pl.Series, kind: pl.DataType | None) -> pl.Series:
    """Give a column of texts as the type it had, or as numbers, if every text is one."""
    for wanted in (pl.Int64(), pl.Float64()) if kind is None else (kind,):
        if wanted.is_numeric():
            numbers = column.cast(wanted, strict=False)
            if numbers.null_count() == column.null_count():
                return numbers
    return column


def _released_as(name: str, frame: pl.DataFrame) -> list[str]:
    """Give the columns that a quasi-identifier stands in: itself, or its two bounds."""
    bounds = [f"{name}_min", f"{name}_max"]
    return [name] if name in frame.columns else [b for b in bounds if b in frame.columns]


def _check(released: pl.DataFrame, policy: Policy) -> None:
    """Refuse tables that lack columns, or numbers that a model measures by; all at once."""
    wanted = dict.fromkeys(name for model in policy.models for name in model.columns)
    gone = [
        *(n for n in policy.class_names if not _released_as(n, released)),
        *(name for name in wanted if name not in released.columns),
    ]
    if gone:
        raise DataError(
            Fault(f"columns.{name}", "is not in the table", "Assess the table of this policy.")
            for name in gone
        )
    faults = list(number_faults(released, policy))
    if faults:
        raise PolicyError(faults)


def _quasi_identifiers(released: pl.DataFrame, policy: Policy) -> pl.DataFrame:
    """Give the cells that form the classes; every way of writing a missing value is one."""
    names = [found for name in policy.class_names for found in _released_as(name, released)]
    tokens = list(policy.data.missing)
    return with_one_missing(columns_of(released, names), tokens)


def _secret(released: pl.DataFrame, policy: Policy) -> list[str]:
    """Name the sensitive columns that the table has."""
    return [name for name in policy.named(Role.SENSITIVE) if name in released.columns]


def _reference(before: pl.DataFrame | None, policy: Policy, name: str) -> pl.DataFrame | None:
    """Give the table that a sensitive column is compared with; of a masked one there is none."""
    return None if name in policy.protections else before


def _sensitive(released: pl.Series, before: pl.DataFrame | None, policy: Policy) -> Secret:
    """Encode a sensitive column over the values of the whole table."""
    name = released.name
    whole = released if before is None else before[name].cast(released.dtype).append(released)
    gone = is_missing(whole, policy)
    encoded = encode(whole.set(gone, None) if gone.any() else whole, missing_text(policy, name))
    n_before = len(whole) - len(released)
    reference = encoded.codes[:n_before] if before is not None else encoded.codes
    column = SensitiveColumn(
        name,
        encoded.texts,
        encoded.numbers,
        np.bincount(reference, minlength=len(encoded.texts)),
        _hierarchy(policy, name, encoded),
    )
    return Secret(column, reference, encoded.codes[n_before:])


def _hierarchy(policy: Policy, name: str, encoded: EncodedColumn) -> GeneralizationHierarchy | None:
    """Build the hierarchy of a sensitive column; one that no model reads may lack values."""
    if policy.columns[name].hierarchy is None:
        return None
    try:
        return hierarchy_of(policy, name, encoded)
    except HierarchyError:
        if any(name in model.columns for model in policy.models):
            raise
        return None


def _compare(
    released: pl.DataFrame,
    prepared: Prepared,
    secrets: Mapping[str, Secret],
    classes: EquivalenceClasses,
    policy: Policy,
) -> tuple[dict[str, float], Utility]:
    """Give the loss and the utility of a release, from its cells and the original.

    Raises
    ------
    DataError
        when cells are no generalization of the original's values
    """
    problem = prepared.problem
    read = read_cells(labels_of(released, policy, problem.table.columns), problem)
    recoding = full_domain(released, problem) or recoding_of(read, problem)
    codes = {name: (secret.before[prepared.rows], secret.after) for name, secret in secrets.items()}
    utility = utility_entry(Compared(prepared, released, read, classes, codes))
    return loss_entry(problem, recoding), utility

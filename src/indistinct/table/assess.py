"""Measure a table as it is: what each model reaches, what it cost, what an attacker may do."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from indistinct.core.arrays import Codes, Ints
from indistinct.core.classes import EquivalenceClasses, classes_of
from indistinct.core.frequencies import TOGETHER, SensitiveColumn
from indistinct.core.kernels import group_rows
from indistinct.errors import DataError, Fault, ParameterError, PolicyError
from indistinct.models import BoundedModel
from indistinct.table import files
from indistinct.table.engines.polars import Counted, count, encode, together
from indistinct.table.further_risk import further_risk, risk_figures
from indistinct.table.hierarchies import hierarchy_of, missing_text
from indistinct.table.manifest import class_entry, loss_entry, model_entry, risk_entry
from indistinct.table.policy import Policy
from indistinct.table.population import n_people
from indistinct.table.prepare import is_missing, number_faults, prepare
from indistinct.table.recover import by_cells, full_domain
from indistinct.table.utility.report import utility_entry
from indistinct.table.verify import Reading, judge_plainly, looks_beyond, people_of
from indistinct.table.wildcards import group_sizes

REQUIREMENT = re.compile(
    r"^\s*([a-z_]+)\s*(>=|<=|>|<|==|=)\s*([+-]?[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?)\s*$"
)


@dataclass(frozen=True, slots=True)
class Assessment:
    """What a table reaches.

    Parameters
    ----------
    models, records, classes, risk : as in the manifest of a release
    loss : the same, when the original was given; else None
    utility : the error of queries and the accuracy of a model, as far as they were asked for; how
        protected columns of numbers changed
    """

    models: tuple[Mapping[str, Any], ...]
    records: Mapping[str, Any]
    classes: Mapping[str, Any]
    risk: Mapping[str, Any]
    loss: Mapping[str, Any] | None = None
    utility: Mapping[str, Mapping[str, Any]] = field(default_factory=dict[str, Mapping[str, Any]])

    def document(self) -> dict[str, Any]:
        """Give the result as one JSON document."""
        document: dict[str, Any] = {
            "models": list(self.models),
            "records": self.records,
            "classes": self.classes,
            "risk": self.risk,
        }
        if self.utility:
            document["utility"] = dict(self.utility)
        return document if self.loss is None else {**document, "loss": self.loss}

    def meets(self, requirement: str) -> bool:
        """Tell whether a requirement such as ``k>=5`` holds.

        Raises
        ------
        ParameterError
            when the requirement cannot be read, or names what was not measured
        """
        found = REQUIREMENT.match(requirement)
        known = self.figures()
        if found is None or found[1] not in known:
            raise ParameterError(
                [
                    Fault(
                        "--require",
                        f'"{requirement}" cannot be read or was not measured',
                        f"Compare one of {', '.join(known)} with a number, as in k>=5.",
                    )
                ]
            )
        name, sign, bound = found[1], found[2], float(found[3])
        figure = known[name]
        return {
            ">=": figure >= bound,
            "<=": figure <= bound,
            ">": figure > bound,
            "<": figure < bound,
            "=": figure == bound,
            "==": figure == bound,
        }[sign]

    def figures(self) -> dict[str, float]:
        """Give every figure that a requirement may name; k is the size of the smallest class."""
        figures: dict[str, float] = {}
        if self.classes["smallest"] is not None:
            figures["k"] = float(self.classes["smallest"])
        for model in self.models:
            achieved: Mapping[str, float | None] = model["achieved"] or {}
            figures |= {
                name: math.inf if value is None else float(value)
                for name, value in achieved.items()
            }
        figures |= risk_figures(self.risk)
        figures["suppressed"] = float(self.records["suppressed"] or 0)
        return figures | dict(self.loss or {})


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
        measured to, the suppressed records and the loss
    population : path of a table with the same quasi-identifiers: gives the journalist's risk, and
        takes the place of the policy's
    queries : number of random count queries whose error is measured; none when left out
    learn : column that a model, trained on the table, is to predict; none when left out
    weights : column that says how many people each record stands for: gives individual risks

    Raises
    ------
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
    released = _without_masked(_read(data, policy), policy)
    before = None if original is None else _read(original, policy)
    counted = _count(released, before, policy)
    labels, representatives, _ = group_rows(counted.table.codes)
    classes = classes_of(counted.table, labels, len(representatives))
    groups = classes
    if policy.class_names and policy.release.suppressed_cell == "any":
        groups = EquivalenceClasses(_group_sizes(released, policy))
    n_suppressed = None if before is None else before.height - released.height
    models = policy.models_among(released.height + (n_suppressed or 0), n_people(policy))
    return Assessment(
        _model_entries(models, groups, Reading(released, policy, before)),
        {"released": released.height, "suppressed": n_suppressed},
        class_entry(groups.sizes),
        {
            **risk_entry(*(people_of(Reading(released, policy, before)) or (classes.sizes,))),
            **further_risk(Reading(released, policy, before), weights=weights),
        },
        None if before is None or _masks_classes(policy) else _loss(released, before, policy),
        utility_entry(released, before, policy, queries=queries, learn=learn),
    )


def _group_sizes(released: pl.DataFrame, policy: Policy) -> Ints:
    """Count the records that are compatible with each kind of record: (n_kinds,)."""
    texts = released.select(pl.col(policy.class_names).cast(pl.String).fill_null(""))
    kinds = texts.group_by(texts.columns, maintain_order=True).len("records")
    sizes = group_sizes(kinds.select(texts.columns), kinds["records"].to_list())
    return np.array(sizes, np.int64)


def _model_entries(
    models: Sequence[BoundedModel], classes: EquivalenceClasses, reading: Reading
) -> tuple[dict[str, Any], ...]:
    """Measure every model; those that look beyond a class from their definition."""
    beyond = [model for model in models if looks_beyond(model, reading.policy)]
    plainly = iter(judge_plainly(reading, beyond) if beyond else ())
    return tuple(
        next(plainly) if looks_beyond(model, reading.policy) else model_entry(model, classes)
        for model in models
    )


def _read(data: Any, policy: Policy) -> pl.DataFrame:
    """Read a table as the policy says."""
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


def _released_as(name: str, frame: pl.DataFrame) -> list[str]:
    """Give the columns that a quasi-identifier stands in: itself, or its two bounds."""
    bounds = [f"{name}_min", f"{name}_max"]
    found = [name] if name in frame.columns else [b for b in bounds if b in frame.columns]
    if not found:
        raise DataError(
            [Fault(f"columns.{name}", "is not in the table", "Assess the table of this policy.")]
        )
    return found


def _count(released: pl.DataFrame, before: pl.DataFrame | None, policy: Policy) -> Counted:
    """Count the tuples of a table as they are written."""
    faults = list(number_faults(released, policy))
    if faults:
        raise PolicyError(faults)
    names = [found for name in policy.class_names for found in _released_as(name, released)]
    quasi_identifiers = {name: encode(released[name].cast(pl.String), "").codes for name in names}
    sensitive: dict[str, SensitiveColumn] = {}
    codes: dict[str, Codes] = {}
    for name in policy.counted:
        if name not in released.columns:
            raise DataError(
                [Fault(f"columns.{name}", "is not in the table", "Assess another table.")]
            )
        is_masked = name in policy.protections
        reference = None if is_masked else before
        sensitive[name], codes[name] = _sensitive(released[name], reference, policy)
    if policy.divides:
        sensitive[TOGETHER], codes[TOGETHER] = together(codes)
    return count(quasi_identifiers, sensitive, codes, released.height)


def _sensitive(
    released: pl.Series, before: pl.DataFrame | None, policy: Policy
) -> tuple[SensitiveColumn, Codes]:
    """Encode a sensitive column over the values of the whole table."""
    name = released.name
    whole = released if before is None else before[name].cast(released.dtype).append(released)
    gone = is_missing(whole, policy)
    encoded = encode(whole.set(gone, None) if gone.any() else whole, missing_text(policy, name))
    n_before = len(whole) - len(released)
    reference = encoded.codes[:n_before] if n_before else encoded.codes
    has_hierarchy = policy.columns[name].hierarchy is not None
    column = SensitiveColumn(
        name,
        encoded.texts,
        encoded.numbers,
        np.bincount(reference, minlength=len(encoded.texts)),
        hierarchy_of(policy, name, encoded) if has_hierarchy else None,
    )
    return column, encoded.codes[n_before:]


def _masks_classes(policy: Policy) -> bool:
    """Tell whether there is nothing to compare: no classes, or only those of masked values."""
    return not policy.class_names or any(name in policy.protections for name in policy.class_names)


def _loss(released: pl.DataFrame, before: pl.DataFrame, policy: Policy) -> dict[str, float]:
    """Give the metrics of a release, from its cells and the original.

    Raises
    ------
    DataError
        when cells are no generalization of the original's values
    """
    problem = prepare(before, policy).problem
    recoding = full_domain(released, problem) or by_cells(released, problem)
    return loss_entry(problem, recoding)

"""Who is found in a release by somebody who knows the columns that others may know."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from indistinct.base.statements.statements import not_examined
from indistinct.tables.core.protocols import PlainClass
from indistinct.tables.core.schema import Role
from indistinct.tables.models import SetModel
from indistinct.tables.policy.specification import Specification
from indistinct.tables.verification.evidence import CheckedRelease
from indistinct.tables.verification.sets import set_risks
from indistinct.tables.verification.texts import HIDDEN, text_as_read

NO_COLUMN = "no column is one that others may know"


def known_in(
    evidence: CheckedRelease,
    classes: Sequence[PlainClass] | None,
    unit: str,
    judged: Sequence[Mapping[str, Any]],
) -> dict[str, Any]:
    """Return the smallest class in its unit, and the chance to find one of its units.

    Parameters
    ----------
    classes : with their sizes in this unit; None where they cannot be counted so
    judged : per model, what it reaches
    """
    spec = evidence.spec
    names = [*spec.class_names]
    if not names and not spec.set_names:
        return not_examined(NO_COLUMN)
    if classes is None:
        return not_examined(f"to count {unit} takes the input and the crosswalk", "crosswalk")
    if not classes:
        return not_examined("nothing is released")
    found: dict[str, Any] = {"columns": names, "unit": unit}
    sizes = [one.size for one in classes]
    if spec.release.form == "anatomy":
        return found | _by_values(spec, classes)
    if spec.release.suppressed_cell == "any":
        candidates = None if evidence.rows is None else candidates_in(evidence)
        sizes, found["by_original"] = candidates or sizes, candidates is not None
    smallest = min(sizes)
    found |= {"smallest": smallest, "chance": 1 / smallest, "of": sum(sizes)}
    found["units"] = sum(size for size in sizes if size == smallest)
    if spec.release.suppressed_cell == "any":
        found["of"] = evidence.n_released
        found["units"] = min(found["units"], evidence.n_released)
    found |= _by_items(evidence, found)
    return found | _by_population(spec, classes, judged)


def _by_values(spec: Specification, classes: Sequence[PlainClass]) -> dict[str, Any]:
    """Return the chance to tell the sensitive value of who is in a group, as others find it."""
    (name,) = spec.named(Role.SENSITIVE)
    chances = [max(one.counts[name].values(), default=0) / max(one.size, 1) for one in classes]
    chance, of = max(chances), sum(one.size for one in classes)
    pairs = zip(classes, chances, strict=True)
    units = sum(one.size for one, own in pairs if own >= chance)
    return {"value": name, "smallest": min(one.size for one in classes), "chance": chance} | {
        "of": of,
        "units": units,
    }


def _by_items(evidence: CheckedRelease, found: Mapping[str, Any]) -> dict[str, Any]:
    """Return who is found by known items, where there is a column of sets."""
    models = [model for model in evidence.spec.models if isinstance(model, SetModel)]
    risks = set_risks(evidence) if models else None
    if risks is None:
        return {}
    chance = float(risks["prosecutor"] or 0.0)
    items = {"column": models[0].column, "chance": chance}
    if not models[0].is_whole and models[0].known_items is not None:
        items["m"] = models[0].known_items
    smallest = round(1 / chance) if chance else found["smallest"]
    return {"items": items, "chance": max(chance, 0.0) or found["chance"], "smallest": smallest}


def _by_population(
    spec: Specification, classes: Sequence[PlainClass], judged: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """Return how many people of the population look like a class, where it has a table of them."""
    found: dict[str, Any] = {}
    if spec.people_file is not None:
        people = min(one.population or 0 for one in classes)
        found["population"] = {"smallest": people, "chance": 1 / max(people, 1)}
    elif spec.population is not None:
        why = "nobody lists who else could look like a class"
        found["population"] = not_examined(why, "population")
    for entry in judged:
        if entry["name"] == "delta-presence" and entry["achieved"]:
            found["presence"] = {"chance": entry["achieved"].get("delta_max") or 1.0}
    return found


def candidates_in(evidence: CheckedRelease) -> list[int] | None:
    """Count, per released record, the rows that fit its own values, a star fitting any value.

    None where some cell is neither a star nor its record's own value.
    """
    names = [name for name in evidence.spec.class_names if evidence.before(name) is not None]
    if len(names) < len(evidence.spec.class_names) or evidence.rows is None:
        return None
    tokens = dict.fromkeys(evidence.spec.data.missing, "")
    rows = np.asarray(evidence.rows, np.int64)
    before = [text_as_read(evidence.before(name)).replace(tokens) for name in names]  # pyright: ignore[reportArgumentType] - looked at above
    own = list(zip(*(column.gather(rows).to_list() for column in before), strict=True))
    cells = list(zip(*(evidence.release[name].to_list() for name in names), strict=True))
    weights = [1] * len(own) if evidence.weights is None else evidence.weights.to_list()
    by_pattern: dict[tuple[int, ...], Counter[tuple[str, ...]]] = {}
    for shown, values, n_records in zip(cells, own, weights, strict=True):
        pattern = tuple(place for place, cell in enumerate(shown) if cell != HIDDEN)
        known = tuple(shown[place] for place in pattern)
        if known != tuple(values[place] for place in pattern):
            return None
        by_pattern.setdefault(pattern, Counter())[known] += n_records
    fitting = {
        values: sum(
            counts[tuple(values[place] for place in pattern)]
            for pattern, counts in by_pattern.items()
        )
        for values in {*own}
    }
    return [fitting[values] for values in own]

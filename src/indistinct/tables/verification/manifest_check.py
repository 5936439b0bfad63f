"""Check what a manifest claims: everything that can be recounted from the release is recounted.

The definitions here are plain ones, written a second time: nothing that wrote the manifest takes
part. A manifest that lacks a part, or whose part has a wrong type, is a fault like any other.

Of the losses, a label of a file or a tree loses the listed values under it, and a number or a range
its length in the range of all that is released. What else a column loses, its records say alone.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, cast

from indistinct.base.files.documents import fingerprint
from indistinct.errors import Fault
from indistinct.tables.core.protocols import PlainClass, Scope
from indistinct.tables.models import BoundedModel
from indistinct.tables.policy.column_rule import ColumnRule
from indistinct.tables.verification.evidence import CheckedRelease
from indistinct.tables.verification.listed import Listed, list_of, listed_paths
from indistinct.tables.verification.manifest_shape import (
    WHOLE_MANIFEST,
    is_finite_number,
    mapping_in,
    part_of,
)
from indistinct.tables.verification.sets import set_risks
from indistinct.tables.verification.texts import CLOSED, HALF_OPEN, HIDDEN, is_finite

CLOSE = 1e-9
SAME_RUN = "Take the file and the manifest of one run."
CUT_OFF = (
    f"{SAME_RUN} A run that was cut off leaves an older release beside a newer manifest: "
    "run it again."
)
NARROWEST = 1e-12  # range of numbers below which they count as one


class Recounted(NamedTuple):
    """What was counted in a release, from its file alone.

    Parameters
    ----------
    evidence : the released records that are not masked whole
    n_rows : rows of the file
    classes : the classes, or the groups of two linked tables; None where sizes count people, who
        cannot be counted in the file
    models : per model of the policy: name, required and achieved, measured without the input
    """

    evidence: CheckedRelease
    n_rows: int
    classes: Sequence[PlainClass] | None
    models: Sequence[Mapping[str, Any]]


def hash_faults(sha256: str, manifest: Mapping[str, Any]) -> Iterator[Fault]:
    """Compare the hash of the file with the manifest's."""
    if manifest["output"]["sha256"] != sha256:
        yield Fault("manifest.output.sha256", "is not the hash of this file", CUT_OFF)


def unverified_faults(manifest: Mapping[str, Any]) -> Iterator[Fault]:
    """Refuse a manifest that was published although nobody had verified its release."""
    if manifest["verified"] is not True:
        yield Fault("manifest.verified", "says that this release was not verified", SAME_RUN)
    elif "statements" not in manifest:
        yield Fault("manifest.statements", "is missing", WHOLE_MANIFEST)


def fingerprint_faults(
    sha256: str, owner: Mapping[str, Any], manifest: Mapping[str, Any] | None
) -> Iterator[Fault]:
    """Compare the fingerprint of an input with that in the owner's file, and that with the public.

    Parameters
    ----------
    sha256 : hash of the input that was given
    owner : the owner's file, which has the salt
    manifest : the public manifest, if it is at hand
    """
    entry = mapping_in(owner, "input")
    salt, print_ = entry.get("salt"), entry.get("fingerprint")
    if not (_is_hexadecimal(salt) and isinstance(print_, str)):
        problem = "has no salt and fingerprint of the input"
        yield Fault("owner.input", problem, "Name the file that --owner wrote.")
        return
    if fingerprint(sha256, str(salt)) != print_:
        yield Fault(
            "owner.input.fingerprint",
            "is not that of this input",
            "Take the input that the release was made from.",
        )
    if manifest is not None and manifest["input"]["fingerprint"] != print_:
        yield Fault("manifest.input.fingerprint", "is not that of the owner's file", SAME_RUN)


def claim_faults(
    manifest: Mapping[str, Any],
    counted: Recounted,
    losses: Mapping[str, float | None],
) -> Iterator[Fault]:
    """Compare every claim of a well-formed manifest with what the release has.

    Parameters
    ----------
    manifest : without faults of its shape
    counted : what the release has
    losses : those of :func:`determined_losses`
    """
    spec = counted.evidence.spec
    yield from _count_faults(manifest, counted)
    yield from _model_faults(manifest["models"], counted, spec.models)
    if spec.release.form == "anatomy" or spec.release.suppressed_cell == "value":
        risks = set_risks(counted.evidence) or _risks(counted)
        yield from _figure_faults("risk", manifest["risk"], risks)
    yield from _figure_faults("loss", manifest["loss"], losses)


def _count_faults(manifest: Mapping[str, Any], counted: Recounted) -> Iterator[Fault]:
    """Compare the numbers of records, rows and classes."""
    records = manifest["records"]
    found: dict[str, float | None] = {
        "output.rows": counted.n_rows,
        "records.released": counted.evidence.n_released,
    }
    if counted.classes is not None:
        sizes = [one.size for one in counted.classes]
        found |= {
            "classes.count": len(sizes),
            "classes.smallest": min(sizes, default=None),
            "classes.mean": sum(sizes) / len(sizes) if sizes else None,
            "classes.largest": max(sizes, default=None),
        }
    for place, number in found.items():
        said, _ = part_of(manifest, place)
        if not is_same(said, number):
            yield Fault(f"manifest.{place}", f"says {said}, but the file has {number}", SAME_RUN)
    total = records["released"] + records["suppressed"]
    if manifest["input"]["rows"] != total:
        problem = f"says {manifest['input']['rows']}, but released and suppressed are {total}"
        yield Fault("manifest.input.rows", problem, SAME_RUN)
    for name in counted.evidence.spec.protections:
        said = manifest.get("protection", {}).get(name, {}).get("records", 0)
        if not is_finite_number(said) or said > manifest["input"]["rows"]:
            place = f"manifest.protection.{name}.records"
            yield Fault(place, "is more than the records of the input", SAME_RUN)
    if counted.evidence.spec.release.suppressed == "mask" and counted.n_rows != total:
        problem = f"says {records['suppressed']}, but {counted.n_rows - records['released']} are"
        yield Fault("manifest.records.suppressed", f"{problem} masked in the file", SAME_RUN)


def _model_faults(
    said: Sequence[Mapping[str, Any]], counted: Recounted, models: Sequence[BoundedModel]
) -> Iterator[Fault]:
    """Compare what each model asks and reaches; report those that are missing or too many."""
    wanted = Counter(entry["name"] for entry in counted.models)
    listed = Counter(entry["name"] for entry in said)
    for name in sorted((wanted - listed).keys()):
        problem = "is missing, though the policy promises it"
        yield Fault(f"manifest.models.{name}", problem, SAME_RUN)
    for name in sorted((listed - wanted).keys()):
        problem = "is claimed, though the policy does not promise it"
        yield Fault(f"manifest.models.{name}", problem, SAME_RUN)
    if wanted != listed:
        return
    of_name: dict[str, list[Mapping[str, Any]]] = {}
    for entry in said:
        of_name.setdefault(entry["name"], []).append(entry)
    for model, found in zip(models, counted.models, strict=True):
        yield from _entry_faults(of_name[found["name"]].pop(0), found, model)


def _entry_faults(
    claimed: Mapping[str, Any], found: Mapping[str, Any], model: BoundedModel
) -> Iterator[Fault]:
    """Compare what a manifest says of one model with what was measured."""
    place = f"manifest.models.{found['name']}"
    if not is_same(claimed["required"], found["required"]):
        yield Fault(f"{place}.required", "is not what the policy asks", SAME_RUN)
    if claimed["holds"] is not True:
        yield Fault(f"{place}.holds", "says that the model does not hold", SAME_RUN)
    if found["holds"] is None and found["achieved"] is None:
        return  # what counts people cannot be measured in the file
    # A distance to records that are not shown as such is claimed as its bound.
    reached = found["achieved"]
    if model.scope is Scope.REGION and reached is not None:
        reached = {name: claimed["required"].get(name) for name in claimed["achieved"] or ()}
    if not is_same(claimed["achieved"], reached):
        problem = "is not what the classes of the file reach"
        yield Fault(f"{place}.achieved", problem, SAME_RUN)


def _figure_faults(
    part: str, said: Mapping[str, Any], found: Mapping[str, float | None]
) -> Iterator[Fault]:
    """Compare figures that the file determines; no other stands there."""
    for name in said.keys() - found.keys() if part == "loss" else ():
        yield Fault(f"manifest.{part}.{name}", "is not determined by this release", SAME_RUN)
    for name, figure in found.items():
        if name not in said:
            yield Fault(f"manifest.{part}.{name}", "is missing", WHOLE_MANIFEST)
        elif not is_same(said[name], figure):
            problem = f"says {said[name]}, but the file has {figure}"
            yield Fault(f"manifest.{part}.{name}", problem, SAME_RUN)


def _risks(counted: Recounted) -> dict[str, float | None]:
    """Measure the re-identification risk, from the records that look alike."""
    if counted.classes is None:
        return {}
    if counted.evidence.spec.release.form == "anatomy":
        pairs = [(size, size) for size in counted.evidence.kinds().sizes]
    else:
        pairs = [(one.size, max(one.size, one.population or 0)) for one in counted.classes]
    n_records = sum(size for size, _ in pairs)
    has_people = counted.evidence.spec.people_file is not None
    prosecutor: float | None = max((1 / size for size, _ in pairs), default=0.0)
    is_unknown = "population.data" in counted.evidence.spec.withheld
    if is_unknown or (has_people and counted.evidence.spec.release.intervals == "midpoint"):
        # Nobody knows who looks like a midpoint, or how many they are without their table.
        return {"prosecutor": prosecutor}
    return {
        "prosecutor": prosecutor,
        "journalist": max((1 / people for _, people in pairs), default=0.0) if has_people else None,
        "marketer": sum(size / people for size, people in pairs) / n_records if pairs else 0.0,
    }


def determined_losses(manifest: Mapping[str, Any], counted: Recounted) -> dict[str, float | None]:
    """Measure the losses that the file, the policy and the suppressed records determine."""
    spec = counted.evidence.spec
    # One midpoint may stand for several cells, and items of sets are in no other column.
    if (
        spec.release.form == "anatomy"
        or spec.release.intervals == "midpoint"
        or spec.withholds
        or spec.set_names
    ):
        return {}
    names = list(spec.class_names)
    units = spec.data.person, spec.data.household
    in_records = units == (None, None) and spec.release.suppressed_cell != "any"
    if in_records and names and counted.classes is not None:
        sizes = [one.size for one in counted.classes]
    else:
        sizes = counted.evidence.kinds().sizes
    n_suppressed = int(manifest["records"]["suppressed"])
    n_records = counted.evidence.n_released + n_suppressed
    losses: dict[str, float | None] = {
        "discernibility": sum(float(size) ** 2 for size in sizes) + float(n_suppressed * n_records),
        "average-class-size": n_records / max(len(sizes) + (n_suppressed > 0), 1),
    }
    if spec.method.weights == "vulnerability" or not names:
        return losses
    shown = [counted.evidence.counts(name) for name in names]
    if any(map(_may_be_missing, spec.class_rules, shown)):
        return losses
    if any(map(_is_unsaid, spec.class_rules, shown)):
        return losses
    importance = [rule.words.importance_number for rule in spec.class_rules]
    for metric in ("loss", "ncp"):
        totals = [
            total_loss(rule, cells, metric)
            for rule, cells in zip(spec.class_rules, shown, strict=True)
        ]
        means = [
            (total + n_suppressed) / max(n_records, 1) * own / max(importance)
            for total, own in zip(totals, importance, strict=True)
            if total is not None
        ]
        if len(means) < len(names):
            return losses
        aggregate = spec.method.aggregate if metric == spec.method.objective else None
        losses[metric] = AGGREGATED[aggregate or "arithmetic-mean"](means)
    return losses


def _may_be_missing(rule: ColumnRule, shown: Sequence[tuple[str, int]]) -> bool:
    """Return whether cells may be hidden or missing, which no bounds tell apart: both are empty."""
    missing, written = rule.texts_of_missing, rule.hierarchy
    is_empty = any(cell == HIDDEN or cell in missing for cell, _ in shown)
    has_numbers = written is not None and (
        written.intervals is not None or written.ranges is not None
    )
    may_lack = has_numbers or not missing.isdisjoint(listed_paths(rule))
    return rule.shown_as == "bounds" and is_empty and may_lack


def _is_unsaid(rule: ColumnRule, shown: Sequence[tuple[str, int]]) -> bool:
    """Return whether no released cell shows which of the suggested hierarchies was taken."""
    return rule.is_suggested and {cell for cell, _ in shown} <= {HIDDEN, *rule.texts_of_missing}


AGGREGATED: Mapping[str, Callable[[Sequence[float]], float]] = {
    "arithmetic-mean": lambda losses: sum(losses) / len(losses),
    "geometric-mean": lambda losses: (
        math.prod(1 + loss for loss in losses) ** (1 / len(losses)) - 1
    ),
    "sum": sum,
    "maximum": max,
}


def is_same(said: object, found: object) -> bool:
    """Compare numbers up to the digits that are written, or tables of them; others exactly."""
    if is_finite_number(said) and is_finite_number(found):
        return math.isclose(said, found, rel_tol=CLOSE, abs_tol=CLOSE)
    if isinstance(said, Mapping) and isinstance(found, Mapping):
        one, other = cast("Mapping[str, object]", said), cast("Mapping[str, object]", found)
        return one.keys() == other.keys() and all(is_same(one[key], other[key]) for key in one)
    return said == found


def _is_hexadecimal(value: object) -> bool:
    """Return whether a value is a text of bytes."""
    try:
        return isinstance(value, str) and bool(bytes.fromhex(value))
    except ValueError:
        return False


def total_loss(rule: ColumnRule, shown: Sequence[tuple[str, int]], metric: str) -> float | None:
    """Add up the loss of a column's released cells; None where the file does not determine it.

    Parameters
    ----------
    shown : cells, and the records of each
    metric : ``loss`` or ``ncp``
    """
    written = rule.hierarchy
    listed = list_of(rule)
    if listed is not None:
        return _listed_total(shown, listed, metric)
    if written is None or (written.intervals is None and written.ranges is None):
        return None
    ends = [found for cell, _ in shown if (found := _ends(cell)) is not None]
    low = min((first for first, _ in ends), default=0.0)
    high = max((last for _, last in ends), default=0.0)
    return sum(_cost_of_length(cell, low, high, metric) * count for cell, count in shown)


def _listed_total(shown: Sequence[tuple[str, int]], listed: Listed, metric: str) -> float:
    """Add up the loss of labels; of a cell that nothing lists, nothing."""
    total, of_all = 0.0, len(listed.paths)
    for cell, count in shown:
        under = listed.sizes.get(cell, 1)
        if metric == "ncp":
            total += count * (0.0 if under <= 1 else under / of_all)
        else:
            total += count * (under - 1) / max(of_all - 1, 1)
    return total


def _ends(cell: str) -> tuple[float, float] | None:
    """Read the ends of a number or a range; None for any other cell."""
    ends = HALF_OPEN.match(cell) or CLOSED.match(cell)
    if ends is not None:
        return float(ends[1]), float(ends[2])
    return (float(cell), float(cell)) if is_finite(cell) else None


def _cost_of_length(cell: str, low: float, high: float, metric: str) -> float:
    """Return the share of the range of the released numbers that a cell covers."""
    if cell == HIDDEN:
        return 1.0
    whole, ends = high - low, _ends(cell)
    length = 0.0 if ends is None else ends[1] - ends[0]
    if metric == "ncp" and CLOSED.match(cell) is None:
        return 0.0 if length <= 0 else min((1 + length) / (1 + whole), 1.0)
    return min(length / max(whole, NARROWEST), 1.0)

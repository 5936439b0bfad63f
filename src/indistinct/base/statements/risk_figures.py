"""The two clauses of the highest risk, and which of them is the worse."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from indistinct.base.statements.statements import NeededEvidence, is_known, not_examined

KNOWN, FURTHER, READ_BACK = "known", "further", "read-back"
RELEASE, ENGINE = "release", "engine"


def further_of(
    columns: Mapping[str, Mapping[str, Any]],
    together: Mapping[str, Any] | None,
    of: int,
    unit: str,
) -> dict[str, Any]:
    """Return who is found by one further column: the worst of some, and all of them together.

    Parameters
    ----------
    columns : of each ``alone``, ``below_k`` and ``needs``, or why it cannot be had
    together : some columns at once; left out where no more units are alone than by one column that
        readers of the release can count, so that they leave it out in the same releases
    of, unit : the units that are released
    """
    known = {name: one for name, one in columns.items() if is_known(one)}
    worst = max(known, key=lambda name: (known[name]["alone"], known[name]["below_k"]), default="")
    has_some = bool(worst) and known[worst]["alone"] > 0
    alone = known[worst]["alone"] if has_some else 0
    found: dict[str, Any] = {
        "column": worst if has_some else None,
        "alone": alone,
        "below_k": known[worst]["below_k"] if worst else 0,
        "of": of,
        "unit": unit,
        "columns": dict(columns),
    }
    counted = (one["alone"] for one in known.values() if one["needs"] == [RELEASE])
    if together is not None and together["alone"] > max(counted, default=0):
        found["together"] = dict(together)
    return found


def highest_of(known: Mapping[str, Any], further: Mapping[str, Any]) -> dict[str, Any]:
    """Return the larger of the two chances, and whom it is about."""
    clauses = [*_further_clauses(further), *_read_back_clauses(known), *_known_clauses(known)]
    unknown = [_missing(known)] if not is_known(known) else []
    unknown += [_missing(further)] if not is_known(further) else []
    if is_known(further):
        unknown += [_missing(one) for one in further["columns"].values() if not is_known(one)]
    certain = [one for one in clauses if one["chance"] >= 1.0]
    if certain:
        return certain[0]
    if unknown:
        return unknown[0]
    return max(clauses, key=lambda one: one["chance"], default=not_examined("nothing is released"))


def _missing(clause: Mapping[str, Any]) -> NeededEvidence:
    """Return why a clause cannot be had."""
    return {**clause}


def _further_clauses(further: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the clause of the further columns, where they find somebody for certain."""
    if not is_known(further):
        return []
    alone = max(further["alone"], further.get("together", {}).get("alone", 0))
    said = {"of": further["of"], "unit": further["unit"], "scope": FURTHER}
    return [{"chance": 1.0, "units": alone, **said}] if alone else []


def _read_back_clauses(known: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the clause of cells that are read back, where classes are smaller then."""
    found = known.get("after_read_back") if is_known(known) else None
    if found is None or found["smallest"] >= known.get("smallest", 0):
        return []
    said = {"of": known["of"], "unit": known["unit"], "scope": READ_BACK}
    return [{"chance": 1 / max(found["smallest"], 1), "units": found["units"], **said}]


def _known_clauses(known: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the clause of who knows what others may know."""
    if not is_known(known):
        return []
    said = {"of": known["of"], "unit": known["unit"], "scope": KNOWN}
    return [{"chance": known["chance"], "units": known["units"], **said}]


def of_release_alone(risk: Mapping[str, Any]) -> dict[str, Any]:
    """Return what of the risk follows from the released cells and from whose records they are."""
    known, further = dict(risk["known"]), risk["further"]
    for name in ("population", "presence"):
        known.pop(name, None)  # they take a table of people that readers do not have
    if known.pop("by_original", None) is not None:
        known = not_examined("it follows from values behind the cells", "crosswalk")
    if is_known(further):
        elsewhere = [one for one in further["columns"].values() if ENGINE in one["needs"]]
        if elsewhere:
            return {
                "known": known,
                "further": elsewhere[0],
                "highest": highest_of(known, elsewhere[0]),
            }
        columns = {
            name: one for name, one in further["columns"].items() if one.get("needs") == [RELEASE]
        }
        together, beyond = further.get("together"), further.get("beyond")
        further = further_of(columns, together, further["of"], further["unit"])
        further |= {} if beyond is None else {"beyond": beyond}
    return {"known": known, "further": further, "highest": highest_of(known, further)}

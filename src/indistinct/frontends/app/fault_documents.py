"""Faults as one process tells them to another: everything but the values of records."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, replace
from typing import Any

from indistinct.errors import Fault, Way


def fault_documents(faults: Iterable[Fault]) -> list[dict[str, Any]]:
    """Return faults as JSON has them, without the values of records."""
    return [asdict(replace(fault, values=())) for fault in faults]


def faults_of(documents: Iterable[Mapping[str, Any]]) -> list[Fault]:
    """Read faults from JSON."""
    return [_fault(one) for one in documents]


def _fault(document: Mapping[str, Any]) -> Fault:
    ways = (Way(**{**way, "place": tuple(way["place"])}) for way in document["ways"])
    columns = tuple(document["columns"])
    return Fault(**{**document, "values": (), "columns": columns, "ways": tuple(ways)})

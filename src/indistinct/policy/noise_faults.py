"""Noise by class that hides nothing, and promises about noise where there is none."""

from __future__ import annotations

from collections.abc import Iterable

from indistinct.errors import Fault
from indistinct.models import ConfidentKAnonymity
from indistinct.policy.tables import PolicyTables


def noise_faults(policy: PolicyTables) -> Iterable[Fault]:
    """Find noise that hides nothing, and promises about noise where there is none."""
    for name in policy.noisy_names:
        column, noise = policy.columns[name], policy.noise_of(name)
        if column.hierarchy is not None:
            yield Fault(
                f"columns.{name}.hierarchy",
                "is not used, because noise replaces generalization",
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

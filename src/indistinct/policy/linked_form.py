"""What a policy that asks for two linked tables may say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Protocol

from indistinct.core.schema import Role
from indistinct.errors import Fault
from indistinct.masks import Protection, Stage
from indistinct.models import (
    BoundedModel,
    DistinctLDiversity,
    MInvariance,
    ProbabilisticLDiversity,
)

GROUP, COUNT = "group", "count"
FEWEST_VALUES = 2


class AskedColumn(Protocol):
    """What a policy says of a column, as far as it matters here."""

    @property
    def role(self) -> Role:
        """What the column is."""
        ...

    @property
    def protect(self) -> Protection | None:
        """What protects it otherwise."""
        ...

    @property
    def min_level(self) -> int:
        """The lowest level at which it may be released."""
        ...


def sensitive_path(path: str | Path) -> Path:
    """Give the path of the sensitive table beside a release: ``x.csv``, ``x.sensitive.csv``."""
    file = Path(path)
    return file.with_name(f"{file.stem}.sensitive{file.suffix}")


def counterfeits_path(path: str | Path) -> Path:
    """Give the path of the list of counterfeits beside a release."""
    return Path(f"{path}.counterfeits.csv")


def form_faults(
    columns: Mapping[str, AskedColumn], models: Sequence[BoundedModel], words: Iterable[str]
) -> Iterator[Fault]:
    """Find what a policy asks for that two linked tables do not have.

    Parameters
    ----------
    columns, models : of the policy
    words : what it says in ``[release]`` besides ``form``
    """
    yield from _model_faults(models)
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
    yield from _column_faults(columns)
    for word in words:
        yield Fault(f"release.{word}", "says nothing of linked tables", "Leave it out.")


def _model_faults(models: Sequence[BoundedModel]) -> Iterator[Fault]:
    """Find models that linked tables cannot promise."""
    fitting = (DistinctLDiversity, ProbabilisticLDiversity)
    names = " and ".join(kind.name for kind in fitting)
    for index, model in enumerate(models):
        if isinstance(model, MInvariance):
            continue
        if not isinstance(model, fitting):
            yield Fault(
                f"models.{index}.{model.name}",
                "cannot be promised by linked tables, whose quasi-identifiers are as they were",
                f'Keep {names}, or set release.form to "table".',
            )
        elif model.l < FEWEST_VALUES:
            yield Fault(
                f"models.{index}.{model.name}.l", "is below 2, which hides nothing", "Raise it."
            )
    if not models:
        yield Fault("models", "no model is named", f"Add one of {names}.")


def _column_faults(columns: Mapping[str, AskedColumn]) -> Iterator[Fault]:
    """Find columns that are protected or generalized as linked tables are not."""
    for name, column in columns.items():
        if column.protect is not None and column.role is Role.SENSITIVE:
            yield Fault(
                f"columns.{name}.protect", "is not needed beside linked tables", "Leave it out."
            )
        elif column.protect is not None and column.protect.stage is Stage.CLASSES:
            yield Fault(
                f"columns.{name}.protect",
                "acts on equivalence classes, which linked tables do not have",
                "Choose another protection.",
            )
        if column.min_level > 0:
            yield Fault(
                f"columns.{name}.min_level",
                "is above 0, but linked tables are not generalized",
                "Leave it out.",
            )

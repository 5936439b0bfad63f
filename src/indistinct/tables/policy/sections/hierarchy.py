"""The word ``hierarchy`` of a column: how its values are generalized."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import Field, ValidationError, model_validator
from pydantic_core import PydanticCustomError

from indistinct.base.former_names import former_names
from indistinct.errors import PolicyError
from indistinct.tables.core.date_hierarchies import PeriodStep
from indistinct.tables.policy.policy_table import Word, Words, word_fault

MOST_LEVELS = 1000  # far more than a search can try
MOST_STEPS = 10
Widths = tuple[Annotated[float, Field(gt=0)], ...]
PeriodSteps = tuple[PeriodStep, ...]
LabelEntry = tuple[str, Annotated[int, Field(ge=0, le=MOST_LEVELS)], str]
HIERARCHY_KINDS = ("intervals", "mask", "dates", "csv", "tree", "rows", "labels", "ranges")


class HierarchyRule(Words):
    """How a column is generalized: exactly one kind.

    Notes
    -----
    ``rows`` lists each value with its labels, as the rows of a file do.
    ``labels`` lists labels without the values below them, each as text, level and the label above
    it: what a public policy says of a file or a tree. An empty list keeps or hides each value.
    ``ranges`` are those that an algorithm makes of numbers, with exact or rounded ends.
    """

    intervals: Annotated[Widths, Field(max_length=MOST_LEVELS)] | None = None
    mask: Annotated[int, Field(ge=1, le=MOST_LEVELS)] | None = None
    dates: Annotated[PeriodSteps, Field(max_length=MOST_STEPS)] | None = None
    csv: str | None = None
    separator: Annotated[str, Field(min_length=1, max_length=1)] | None = None
    tree: Mapping[str, Any] | None = None
    rows: Annotated[tuple[tuple[Word, ...], ...], Field(min_length=1)] | None = None
    labels: tuple[LabelEntry, ...] | None = None
    ranges: Literal["exact", "rounded"] | None = None
    # Whether a file or a tree is known independently of the data, so that all of it may be public.
    public: bool = False

    @property
    def lists_values(self) -> bool:
        """Whether the rule lists every value: a file, a tree or rows."""
        return any(kind is not None for kind in (self.csv, self.tree, self.rows))

    @model_validator(mode="after")
    def _is_one_kind(self) -> Self:
        """Refuse a rule that says nothing, or two things."""
        if sum(getattr(self, kind) is not None for kind in HIERARCHY_KINDS) != 1:
            listed = ", ".join(HIERARCHY_KINDS)
            raise PydanticCustomError(
                "kind", "must be exactly one of {listed}", {"listed": listed, "remedy": "Keep one."}
            )
        return self


def intervals(*widths: float) -> HierarchyRule:
    """Generalize numbers to intervals: one width per level, each a multiple of the previous one."""
    return _rule(intervals=widths)


def mask(characters: int) -> HierarchyRule:
    """Hide characters from the right: one more at each level, up to ``characters``."""
    return _rule(mask=characters)


def dates(*steps: str) -> HierarchyRule:
    """Generalize dates to hours, days, weeks or to months and longer periods.

    Parameters
    ----------
    steps : some of ``hour``, ``day``, ``week``, ``month``, ``quarter``, ``half-year``, ``year``,
        ``five-years``, ``decade`` and ``twenty-years``, from fine to coarse; a week lies in no
        month or year, so that nothing stands above it
    """
    return _rule(dates=steps)


def tree(groups: Mapping[str, Any]) -> HierarchyRule:
    """Generalize values by nested groups."""
    return _rule(tree=groups)


@former_names(positional=("separator",))
def from_csv(path: str | Path, *, separator: str | None = None) -> HierarchyRule:
    """Generalize by a file without a header: one row per value, with level 0 first.

    Parameters
    ----------
    path : relative to the policy's file, or to the working folder where there is none
    separator : found when not given
    """
    return _rule(csv=str(path) if isinstance(path, Path) else path, separator=separator)


def _rule(**words: Any) -> HierarchyRule:
    """Make a rule of what somebody gave in Python.

    Raises
    ------
    PolicyError
        when it is not one
    """
    try:
        return HierarchyRule(**words)
    except ValidationError as error:
        faults = [word_fault(detail, HierarchyRule) for detail in error.errors()]
        raise PolicyError(faults) from None

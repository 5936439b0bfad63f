"""The parameters of adaptive generalization."""

from __future__ import annotations

from dataclasses import dataclass

from indistinct.base.parameters import parameter

TARGETS = ("sensitive", "identity")
GROUPINGS = ("similar", "local", "informative")
MEASURES = ("hierarchy", "cosine")
STEPS = ("needed", "fixed")
EVENNESS = 0.5


@dataclass(frozen=True, slots=True)
class Settings:
    """What adaptive generalization measures by, and how far it goes."""

    target: str = parameter(
        str, choices=TARGETS, default="sensitive", help="what vulnerability is measured by"
    )
    trees: int = parameter(int, at_least=1, default=500, help="trees of the random forest")
    diversity: float | None = parameter(
        float, at_least=1, default=None, help="least Simpson diversity of a diverse class"
    )
    evenness: float = parameter(
        float, at_least=0, at_most=1, default=EVENNESS, help="least evenness of a diverse class"
    )
    grouping: str = parameter(
        str,
        choices=GROUPINGS,
        default="similar",
        help="first classes: similar records, or those of local recoding or information gain",
    )
    similarity: str = parameter(
        str, choices=MEASURES, default="hierarchy", help="how records are compared"
    )
    step: str = parameter(
        str,
        choices=STEPS,
        default="needed",
        help="how far classes of little diversity rise: until they are diverse, or 1 and 2 levels",
    )

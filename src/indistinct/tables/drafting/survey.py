"""The weight of a survey: which column says how many people each record stands for."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from indistinct.base.coded_text import sentence
from indistinct.tables.core.schema import Role
from indistinct.tables.drafting.counted_column import CountedColumn
from indistinct.tables.drafting.evidence.calculus import Candidate
from indistinct.tables.drafting.roles import Suggestion
from indistinct.tables.drafting.vocabulary import readings_of

# Names that nothing else has: of household surveys, EU-SILC, DHS, IPUMS, NHANES and others.
OF_WEIGHTS = (
    ("pweight",), ("pwgt",), ("pwt",), ("hhweight",), ("hhwt",), ("hh", "weight"), ("hh", "wt"),
    ("hh", "wgt"), ("perwt",), ("wtper",), ("asecwt",), ("fnlwgt",), ("finalwt",),
    ("final", "weight"), ("final", "wt"), ("weights",), ("sample", "weight"),
    ("sampling", "weight"), ("survey", "weight"), ("design", "weight"), ("analysis", "weight"),
    ("person", "weight"), ("household", "weight"), ("ind", "weight"), ("weight", "final"),
    ("weight", "var"), ("hv005",), ("v005",), ("rb050",), ("db090",), ("pb040",), ("rb060",),
    ("rb062",), ("pspwght",), ("dweight",), ("anweight",), ("gewichtung",),
    ("gewichtungsfaktor",), ("hochrechnungsfaktor",), ("hrf",), ("personengewicht",),
    ("haushaltsgewicht",), ("ponderation",), ("ponderacion",), ("facteur", "expansion"),
    ("factor", "expansion"), ("factor", "ponderacion"), ("fexp",), ("peso", "muestral"),
    ("waga", "analityczna"), ("waga", "proby"), ("coefponder",), ("extri",), ("pondera",),
)  # fmt: skip
# Names that may also be that of a body's weight.
MAY_BE = frozenset({"weight", "wt", "wgt", "w", "gewicht", "poids", "peso", "waga", "weighting"})
DESIGN = frozenset(
    {
        "psu", "strata", "stratum", "estrato", "strate", "cluster", "household", "hh", "hhid",
        "haushalt", "hogar", "menage", "gospodarstwo", "upm", "conglomerado", "wave", "respondent",
    }
)  # fmt: skip
WEIGHT = Suggestion(
    Role.UNDECIDED,
    "low",
    sentence(
        "weight",
        "It is the survey weight, and is drafted as data.weight. Leave it out of the release (role "
        "identifier), or release it (role insensitive): exact weights can single records out.",
    ),
    candidates=(Candidate(Role.IDENTIFIER), Candidate(Role.INSENSITIVE)),
    is_apart=True,
)
HEAVIEST, LIGHTEST = 250.0, 1.5  # a body's middle weight in kilograms lies between


def weight_of(columns: Sequence[CountedColumn]) -> str | None:
    """Return the column of survey weights; None where there is none, or more than one."""
    sure = [column.name for column in columns if _is_weight(column) and _names_a_weight(column)]
    if sure:
        return sure[0] if len(sure) == 1 else None
    has_design = any(
        part in DESIGN for column in columns for parts in readings_of(column.name) for part in parts
    )
    maybe = [
        column.name
        for column in columns
        if _is_weight(column) and _may_be_weight(column, has_design=has_design)
    ]
    return maybe[0] if len(maybe) == 1 else None


def _is_weight(column: CountedColumn) -> bool:
    """Return whether the numbers of a column can be weights."""
    numbers = column.numbers
    return numbers is not None and len(numbers) > 1 and bool(numbers[0] >= 0)


def _names_a_weight(column: CountedColumn) -> bool:
    """Return whether a name is that of a survey weight and of nothing else."""
    return any(
        parts[start : start + len(word)] == word
        for parts in readings_of(column.name)
        for word in OF_WEIGHTS
        for start in range(len(parts) - len(word) + 1)
    )


def _may_be_weight(column: CountedColumn, *, has_design: bool) -> bool:
    """Return whether a column named weight holds those of a survey.

    Their numbers are no weights of bodies, or the table has further variables of a survey's design
    and many decimals.
    """
    names = {parts for parts in readings_of(column.name) if len(parts) == 1}
    if not any(parts[0] in MAY_BE for parts in names) or column.numbers is None:
        return False
    middle = float(np.average(column.numbers, weights=column.counts))
    is_no_body = not LIGHTEST < middle < HEAVIEST
    has_decimals = column.type == "number" and bool((column.numbers * 10 % 1 > 1e-6).any())  # noqa: PLR2004 - a rest
    return is_no_body or (has_design and has_decimals)

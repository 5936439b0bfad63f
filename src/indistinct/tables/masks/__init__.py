"""Protections of single columns: each one a definition, and how to check it in a release."""

from typing import TYPE_CHECKING

from indistinct.base.face import Registry, face
from indistinct.tables.masks.protection import (
    ClassProtection,
    Context,
    EstimableProtection,
    Fit,
    Masked,
    MaskStage,
    Protection,
)
from indistinct.tables.masks.sets import PARTITION, SET_ALGORITHMS

MASKS: Registry[type[Protection]] = Registry(
    __name__,
    {
        "randomized-response": "randomized_response:RandomizedResponseProtection",
        "microaggregation": "microaggregation.microaggregation:MicroaggregationProtection",
        "noise-additive": "additive_noise:AdditiveNoiseProtection",
        "swap": "rank_swapping:RankSwappingProtection",
        "pram": "post_randomization:PostRandomizationProtection",
        "round": "rounding:RoundingProtection",
        "top-bottom": "top_bottom_coding:TopBottomCodingProtection",
        "pseudonym": "pseudonym:PseudonymProtection",
        "date-shift": "date_shift:DateShiftProtection",
        "noise": "noise.noise:NoiseProtection",
    },
)

__all__ = [
    "MASKS",
    "PARTITION",
    "SET_ALGORITHMS",
    "ClassProtection",
    "Context",
    "EstimableProtection",
    "Fit",
    "MaskStage",
    "Masked",
    "Protection",
]

FACE = {
    "CellLevels": "sets.cell_levels",
    "ClassRows": "sets.generalization_paths",
    "DateShiftProtection": "date_shift",
    "HistoryRecords": "sets.alike_records",
    "Instances": "sets.patterns",
    "MOST_INSTANCES": "sets.listed_patterns",
    "PatternCounts": "sets.patterns",
    "PseudonymProtection": "pseudonym",
    "Rows": "sets.patterns",
    "SharedPatterns": "sets.large_shares",
    "Shares": "sets.cell_levels",
    "StarRows": "sets.suppressed_records",
    "ValueRows": "sets.large_shares",
    "alike_groups": "sets.alike_records",
    "cut_labels": "sets.generalization_paths",
    "grouped_rows": "sets.listed_patterns",
    "key_faults": "key_file",
    "key_of": "key_file",
    "listed_patterns": "sets.listed_patterns",
    "rows_beyond": "sets.large_shares",
    "units_with": "sets.large_shares",
    "without_rare_labels": "sets.suppressed_records",
    "without_rare_patterns": "sets.patterns",
}

if TYPE_CHECKING:
    from indistinct.tables.masks.date_shift import DateShiftProtection as DateShiftProtection
    from indistinct.tables.masks.key_file import key_faults as key_faults, key_of as key_of
    from indistinct.tables.masks.pseudonym import PseudonymProtection as PseudonymProtection
    from indistinct.tables.masks.sets.alike_records import (
        HistoryRecords as HistoryRecords,
        alike_groups as alike_groups,
    )
    from indistinct.tables.masks.sets.cell_levels import CellLevels as CellLevels, Shares as Shares
    from indistinct.tables.masks.sets.generalization_paths import (
        ClassRows as ClassRows,
        cut_labels as cut_labels,
    )
    from indistinct.tables.masks.sets.large_shares import (
        SharedPatterns as SharedPatterns,
        ValueRows as ValueRows,
        rows_beyond as rows_beyond,
        units_with as units_with,
    )
    from indistinct.tables.masks.sets.listed_patterns import (
        MOST_INSTANCES as MOST_INSTANCES,
        grouped_rows as grouped_rows,
        listed_patterns as listed_patterns,
    )
    from indistinct.tables.masks.sets.patterns import (
        Instances as Instances,
        PatternCounts as PatternCounts,
        Rows as Rows,
        without_rare_patterns as without_rare_patterns,
    )
    from indistinct.tables.masks.sets.suppressed_records import (
        StarRows as StarRows,
        without_rare_labels as without_rare_labels,
    )
else:
    __getattr__ = face(__name__, FACE)

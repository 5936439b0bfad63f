"""Protections of single columns: each one a definition, and how to check it in a release."""

from typing import TYPE_CHECKING

from indistinct.base.face import face
from indistinct.tables.masks.additive_noise import AdditiveNoiseProtection
from indistinct.tables.masks.date_shift import DateShiftProtection
from indistinct.tables.masks.microaggregation.microaggregation import MicroaggregationProtection
from indistinct.tables.masks.noise.noise import NoiseProtection
from indistinct.tables.masks.post_randomization import PostRandomizationProtection
from indistinct.tables.masks.protection import (
    ClassProtection,
    Context,
    EstimableProtection,
    Fit,
    Masked,
    MaskStage,
    Protection,
)
from indistinct.tables.masks.pseudonym import PseudonymProtection
from indistinct.tables.masks.randomized_response import RandomizedResponseProtection
from indistinct.tables.masks.rank_swapping import RankSwappingProtection
from indistinct.tables.masks.rounding import RoundingProtection
from indistinct.tables.masks.sets import PARTITION, SET_ALGORITHMS
from indistinct.tables.masks.top_bottom_coding import TopBottomCodingProtection

MASKS: tuple[type[Protection], ...] = (
    RandomizedResponseProtection,
    MicroaggregationProtection,
    AdditiveNoiseProtection,
    RankSwappingProtection,
    PostRandomizationProtection,
    RoundingProtection,
    TopBottomCodingProtection,
    PseudonymProtection,
    DateShiftProtection,
    NoiseProtection,
)

MASKS_BY_NAME = {mask.name: mask for mask in MASKS}

__all__ = [
    "MASKS",
    "MASKS_BY_NAME",
    "PARTITION",
    "SET_ALGORITHMS",
    "ClassProtection",
    "Context",
    "DateShiftProtection",
    "EstimableProtection",
    "Fit",
    "MaskStage",
    "Masked",
    "Protection",
]

FACE = {
    "CellLevels": "sets.cell_levels",
    "ClassRows": "sets.generalization_paths",
    "HistoryRecords": "sets.alike_records",
    "Instances": "sets.patterns",
    "MOST_INSTANCES": "sets.listed_patterns",
    "PatternCounts": "sets.patterns",
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
    from indistinct.tables.masks.key_file import key_faults as key_faults, key_of as key_of
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

"""Door 1: publish a table."""

from typing import TYPE_CHECKING

from indistinct.base.face import face

FACE = {
    "ColumnReport": "inspection",
    "CountedColumns": "table_inspection",
    "GivenReading": "given_reading",
    "Inspection": "inspection",
    "JointRisk": "inspection",
    "LargeRelease": "release",
    "Point": "sweep_result",
    "Preview": "preview_of_data",
    "Release": "release",
    "Sweep": "sweep_result",
    "anonymize": "anonymization",
    "anonymize_in_parts": "parts",
    "draft_release": "anonymization",
    "estimates": "population_estimates",
    "inspect_table": "table_inspection",
    "preview": "preview_of_data",
    "protect_input": "protect",
    "records_of_classes": "records_of_release",
    "renamed_columns": "release_findings",
    "sample": "fictitious_patients",
    "searched": "searching",
    "searched_and_reached": "owner_manifest",
    "sweep": "sweep_of_values",
    "told_of": "release_findings",
    "write_hospital": "sample_hospital",
}

if TYPE_CHECKING:
    from indistinct.tables.publish.anonymization import (
        anonymize as anonymize,
        draft_release as draft_release,
    )
    from indistinct.tables.publish.fictitious_patients import sample as sample
    from indistinct.tables.publish.given_reading import GivenReading as GivenReading
    from indistinct.tables.publish.inspection import (
        ColumnReport as ColumnReport,
        Inspection as Inspection,
        JointRisk as JointRisk,
    )
    from indistinct.tables.publish.owner_manifest import (
        searched_and_reached as searched_and_reached,
    )
    from indistinct.tables.publish.parts import anonymize_in_parts as anonymize_in_parts
    from indistinct.tables.publish.population_estimates import estimates as estimates
    from indistinct.tables.publish.preview_of_data import Preview as Preview, preview as preview
    from indistinct.tables.publish.protect import protect_input as protect_input
    from indistinct.tables.publish.records_of_release import (
        records_of_classes as records_of_classes,
    )
    from indistinct.tables.publish.release import LargeRelease as LargeRelease, Release as Release
    from indistinct.tables.publish.release_findings import (
        renamed_columns as renamed_columns,
        told_of as told_of,
    )
    from indistinct.tables.publish.sample_hospital import write_hospital as write_hospital
    from indistinct.tables.publish.searching import searched as searched
    from indistinct.tables.publish.sweep_of_values import sweep as sweep
    from indistinct.tables.publish.sweep_result import Point as Point, Sweep as Sweep
    from indistinct.tables.publish.table_inspection import (
        CountedColumns as CountedColumns,
        inspect_table as inspect_table,
    )
else:
    __getattr__ = face(__name__, FACE)

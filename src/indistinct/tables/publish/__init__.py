"""Door 1: publish a table."""

from typing import TYPE_CHECKING

from indistinct.base.face import face

FACE = {
    "CODE": "repeated_identifiers",
    "ColumnReport": "inspection",
    "CountedColumns": "table_inspection",
    "FoundByValues": "unprotected",
    "GivenReading": "given_reading",
    "Inspection": "inspection",
    "JointRisk": "inspection",
    "LargeRelease": "release",
    "MANY_PEOPLE": "repeated_identifiers",
    "NoisyRecoding": "class_noise",
    "PLAN": "release",
    "POLICY_SAYS_SO": "table_inspection",
    "Point": "sweep_result",
    "Preview": "preview_of_data",
    "ReadingKeywords": "given_reading",
    "Release": "release",
    "Sweep": "sweep_result",
    "VERSION": "release",
    "WORDS": "given_reading",
    "anonymize": "anonymization",
    "anonymize_in_parts": "parts",
    "classes_of_records": "row_order",
    "count_columns": "table_inspection",
    "doubtful_roles": "repeated_identifiers",
    "draft_release": "anonymization",
    "estimates": "population_estimates",
    "first_rows": "preview_of_data",
    "inspect_table": "table_inspection",
    "inspected": "table_inspection",
    "owner_warnings": "release_warnings",
    "preview": "preview_of_data",
    "protect_input": "protect",
    "reached": "owner_manifest",
    "read_as": "given_reading",
    "read_back_warnings": "release_warnings",
    "refuse_read_back": "release_warnings",
    "released_records": "records_of_release",
    "sample": "fictitious_patients",
    "search": "searching",
    "searched": "searching",
    "secret_order": "row_order",
    "sweep": "sweep_of_values",
    "together_of": "table_inspection",
    "write_hospital": "sample_hospital",
}

if TYPE_CHECKING:
    from indistinct.tables.publish.anonymization import (
        anonymize as anonymize,
        draft_release as draft_release,
    )
    from indistinct.tables.publish.class_noise import NoisyRecoding as NoisyRecoding
    from indistinct.tables.publish.fictitious_patients import sample as sample
    from indistinct.tables.publish.given_reading import (
        WORDS as WORDS,
        GivenReading as GivenReading,
        ReadingKeywords as ReadingKeywords,
        read_as as read_as,
    )
    from indistinct.tables.publish.inspection import (
        ColumnReport as ColumnReport,
        Inspection as Inspection,
        JointRisk as JointRisk,
    )
    from indistinct.tables.publish.owner_manifest import reached as reached
    from indistinct.tables.publish.parts import anonymize_in_parts as anonymize_in_parts
    from indistinct.tables.publish.population_estimates import estimates as estimates
    from indistinct.tables.publish.preview_of_data import (
        Preview as Preview,
        first_rows as first_rows,
        preview as preview,
    )
    from indistinct.tables.publish.protect import protect_input as protect_input
    from indistinct.tables.publish.records_of_release import released_records as released_records
    from indistinct.tables.publish.release import (
        PLAN as PLAN,
        VERSION as VERSION,
        LargeRelease as LargeRelease,
        Release as Release,
    )
    from indistinct.tables.publish.release_warnings import (
        owner_warnings as owner_warnings,
        read_back_warnings as read_back_warnings,
        refuse_read_back as refuse_read_back,
    )
    from indistinct.tables.publish.repeated_identifiers import (
        CODE as CODE,
        MANY_PEOPLE as MANY_PEOPLE,
        doubtful_roles as doubtful_roles,
    )
    from indistinct.tables.publish.row_order import (
        classes_of_records as classes_of_records,
        secret_order as secret_order,
    )
    from indistinct.tables.publish.sample_hospital import write_hospital as write_hospital
    from indistinct.tables.publish.searching import search as search, searched as searched
    from indistinct.tables.publish.sweep_of_values import sweep as sweep
    from indistinct.tables.publish.sweep_result import Point as Point, Sweep as Sweep
    from indistinct.tables.publish.table_inspection import (
        POLICY_SAYS_SO as POLICY_SAYS_SO,
        CountedColumns as CountedColumns,
        count_columns as count_columns,
        inspect_table as inspect_table,
        inspected as inspected,
        together_of as together_of,
    )
    from indistinct.tables.publish.unprotected import FoundByValues as FoundByValues
else:
    __getattr__ = face(__name__, FACE)

"""What a release gives away: one registry of findings, and detectors that look at counted rows."""

from typing import TYPE_CHECKING

from indistinct.base.face import face

FACE = {
    "CloserLook": "counted_table",
    "CountedCells": "counted_table",
    "CountedTable": "counted_table",
    "Finding": "finding",
    "KEEPS_LITTLE": "kinds",
    "KINDS": "kinds",
    "KnownFacts": "counted_table",
    "RANKS": "kinds",
    "REPEATED": "kinds",
    "ReleaseFindings": "finding",
    "TITLES": "kinds",
    "WHOLLY_HIDDEN": "kinds",
    "all_ranked": "finding",
    "beside_input": "counted_rows",
    "both": "counted_table",
    "findings_said": "claims",
    "findings_beside": "claims",
    "first_of_each_rank": "finding",
    "look_for_all": "detectors",
    "of_rank": "finding",
    "rows_in_memory": "counted_rows",
    "table_in_memory": "counted_rows",
    "with_little_kept": "claims",
    "word_faults_of_findings": "claims",
}

if TYPE_CHECKING:
    from indistinct.tables.findings.claims import (
        findings_beside as findings_beside,
        findings_said as findings_said,
        with_little_kept as with_little_kept,
        word_faults_of_findings as word_faults_of_findings,
    )
    from indistinct.tables.findings.counted_rows import (
        beside_input as beside_input,
        rows_in_memory as rows_in_memory,
        table_in_memory as table_in_memory,
    )
    from indistinct.tables.findings.counted_table import (
        CloserLook as CloserLook,
        CountedCells as CountedCells,
        CountedTable as CountedTable,
        KnownFacts as KnownFacts,
        both as both,
    )
    from indistinct.tables.findings.detectors import look_for_all as look_for_all
    from indistinct.tables.findings.finding import (
        Finding as Finding,
        ReleaseFindings as ReleaseFindings,
        all_ranked as all_ranked,
        first_of_each_rank as first_of_each_rank,
        of_rank as of_rank,
    )
    from indistinct.tables.findings.kinds import (
        KEEPS_LITTLE as KEEPS_LITTLE,
        KINDS as KINDS,
        RANKS as RANKS,
        REPEATED as REPEATED,
        TITLES as TITLES,
        WHOLLY_HIDDEN as WHOLLY_HIDDEN,
    )
else:
    __getattr__ = face(__name__, FACE)

"""Related tables: several tables of the same people."""

from typing import TYPE_CHECKING

from indistinct.base.face import face

FACE = {
    "RelatedAssessment": "assess",
    "RelatedInspection": "publish.inspect",
    "RelatedPolicy": "policy",
    "RelatedRelease": "publish.release",
    "RelatedTarget": "attack",
    "anonymize_related": "publish.release",
    "are_related": "verify.release",
    "as_read": "read_tables",
    "assess_related": "assess",
    "attack_related": "attack",
    "files_in": "read_tables",
    "has_related_tables": "publish.inspect",
    "inspect_related": "publish.inspect",
    "manifest_of_folder": "verify.release",
    "measured_shares": "verify.shares",
    "most_events": "attack",
    "related_policy": "given_policy",
    "rows_of_input": "read_tables",
    "success_by_events": "attack",
    "verify_related": "verify.release",
}

if TYPE_CHECKING:
    from indistinct.related.assess import (
        RelatedAssessment as RelatedAssessment,
        assess_related as assess_related,
    )
    from indistinct.related.attack import (
        RelatedTarget as RelatedTarget,
        attack_related as attack_related,
        most_events as most_events,
        success_by_events as success_by_events,
    )
    from indistinct.related.given_policy import related_policy as related_policy
    from indistinct.related.policy import RelatedPolicy as RelatedPolicy
    from indistinct.related.publish.inspect import (
        RelatedInspection as RelatedInspection,
        has_related_tables as has_related_tables,
        inspect_related as inspect_related,
    )
    from indistinct.related.publish.release import (
        RelatedRelease as RelatedRelease,
        anonymize_related as anonymize_related,
    )
    from indistinct.related.read_tables import (
        as_read as as_read,
        files_in as files_in,
        rows_of_input as rows_of_input,
    )
    from indistinct.related.verify.release import (
        are_related as are_related,
        manifest_of_folder as manifest_of_folder,
        verify_related as verify_related,
    )
    from indistinct.related.verify.shares import measured_shares as measured_shares
else:
    __getattr__ = face(__name__, FACE)

"""What a data owner promises, as checked values."""

from typing import TYPE_CHECKING

from indistinct.base.face import face

FACE = {
    "ColumnPolicy": "sections.column",
    "ColumnRule": "column_rule",
    "ContextPolicy": "sections.context",
    "DataPolicy": "sections.data",
    "GivenPolicy": "given",
    "HierarchyRule": "sections.hierarchy",
    "Policy": "policy",
    "PolicyKeywords": "short_form",
    "PolicyWords": "policy_table",
    "Specification": "specification",
    "TYPES": "sections.column",
    "Words": "policy_table",
    "dates": "sections.hierarchy",
    "from_csv": "sections.hierarchy",
    "hierarchy_of": "hierarchies",
    "intervals": "sections.hierarchy",
    "listed_texts": "hierarchies",
    "mask": "sections.hierarchy",
    "policy_of": "given",
    "public_policy": "public",
    "resolve": "specification",
    "shifts_apart": "protections",
    "tree": "sections.hierarchy",
    "word_fault": "policy_table",
    "words_of": "policy_table",
}

if TYPE_CHECKING:
    from indistinct.tables.policy.column_rule import ColumnRule as ColumnRule
    from indistinct.tables.policy.given import GivenPolicy as GivenPolicy, policy_of as policy_of
    from indistinct.tables.policy.hierarchies import (
        hierarchy_of as hierarchy_of,
        listed_texts as listed_texts,
    )
    from indistinct.tables.policy.policy import Policy as Policy
    from indistinct.tables.policy.policy_table import (
        PolicyWords as PolicyWords,
        Words as Words,
        word_fault as word_fault,
        words_of as words_of,
    )
    from indistinct.tables.policy.protections import shifts_apart as shifts_apart
    from indistinct.tables.policy.public import public_policy as public_policy
    from indistinct.tables.policy.sections.column import (
        TYPES as TYPES,
        ColumnPolicy as ColumnPolicy,
    )
    from indistinct.tables.policy.sections.context import ContextPolicy as ContextPolicy
    from indistinct.tables.policy.sections.data import DataPolicy as DataPolicy
    from indistinct.tables.policy.sections.hierarchy import (
        HierarchyRule as HierarchyRule,
        dates as dates,
        from_csv as from_csv,
        intervals as intervals,
        mask as mask,
        tree as tree,
    )
    from indistinct.tables.policy.short_form import PolicyKeywords as PolicyKeywords
    from indistinct.tables.policy.specification import (
        Specification as Specification,
        resolve as resolve,
    )
else:
    __getattr__ = face(__name__, FACE)

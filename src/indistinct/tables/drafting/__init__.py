"""Drafts: what the columns of a table probably are, and a policy that says so with its reasons."""

from typing import TYPE_CHECKING

from indistinct.base.face import face

FACE = {
    "ColumnElsewhere": "other_tables",
    "CountedColumn": "counted_column",
    "Doubt": "questions",
    "FLAT": "drawn",
    "KeyColumn": "key_columns",
    "LinkCandidate": "key_columns",
    "MANY_PEOPLE": "identifier_columns",
    "PolicyDraft": "draft",
    "ProfileTable": "profiles",
    "RecordsInMemory": "joint",
    "RoleElsewhere": "other_tables",
    "SchemaProfile": "profiles",
    "SuggestedLinks": "links",
    "Surroundings": "profile_hierarchies",
    "UNIMPORTANT": "draft",
    "hierarchy_file": "draft",
    "pairs_to_try": "links",
    "profile_hierarchy": "profile_hierarchies",
    "profile_named": "profiles",
    "profile_names": "profiles",
    "repeating_person": "identifier_columns",
    "roles_elsewhere": "other_tables",
    "suggested_links": "links",
    "with_missing": "hierarchies",
}

if TYPE_CHECKING:
    from indistinct.tables.drafting.counted_column import CountedColumn as CountedColumn
    from indistinct.tables.drafting.draft import (
        UNIMPORTANT as UNIMPORTANT,
        PolicyDraft as PolicyDraft,
        hierarchy_file as hierarchy_file,
    )
    from indistinct.tables.drafting.drawn import FLAT as FLAT
    from indistinct.tables.drafting.hierarchies import with_missing as with_missing
    from indistinct.tables.drafting.identifier_columns import (
        MANY_PEOPLE as MANY_PEOPLE,
        repeating_person as repeating_person,
    )
    from indistinct.tables.drafting.joint import RecordsInMemory as RecordsInMemory
    from indistinct.tables.drafting.key_columns import (
        KeyColumn as KeyColumn,
        LinkCandidate as LinkCandidate,
    )
    from indistinct.tables.drafting.links import (
        SuggestedLinks as SuggestedLinks,
        pairs_to_try as pairs_to_try,
        suggested_links as suggested_links,
    )
    from indistinct.tables.drafting.other_tables import (
        ColumnElsewhere as ColumnElsewhere,
        RoleElsewhere as RoleElsewhere,
        roles_elsewhere as roles_elsewhere,
    )
    from indistinct.tables.drafting.profile_hierarchies import (
        Surroundings as Surroundings,
        profile_hierarchy as profile_hierarchy,
    )
    from indistinct.tables.drafting.profiles import (
        ProfileTable as ProfileTable,
        SchemaProfile as SchemaProfile,
        profile_named as profile_named,
        profile_names as profile_names,
    )
    from indistinct.tables.drafting.questions import Doubt as Doubt
else:
    __getattr__ = face(__name__, FACE)

"""What the owner of related tables, and everybody, is told of a release."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from indistinct.base.arrays import Ints
from indistinct.related.counted import counted_tables
from indistinct.related.publish.tables import RelatedTables
from indistinct.tables.findings import CountedTable, KnownFacts, ReleaseFindings, beside_input
from indistinct.tables.frames import Frame
from indistinct.tables.publish import renamed_columns, told_of
from indistinct.tables.release import ReleaseJudge


def related_findings(
    tables: RelatedTables,
    frames: Mapping[str, Frame],
    rows: Mapping[str, Ints],
    *,
    was_there: bool,
    left_out: Mapping[str, int],
) -> tuple[ReleaseFindings, ReleaseFindings]:
    """Return what the owner is told, and what everybody is.

    Parameters
    ----------
    frames : the released tables
    rows : per table with people, the row in the secret order behind each released row
    was_there : whether the key of pseudonyms was made before
    left_out : per table of rows, those that are left out or show nothing

    Raises
    ------
    NoSolutionError
        when columns of the table of people give so many cells back that classes of people are
        smaller than the policy promises
    """
    judge, policy = ReleaseJudge(), tables.policy
    limit = policy.method.max_deleted

    def with_owners(table: CountedTable) -> CountedTable:
        name = table.table
        key = policy.tables[name].new_key
        is_shared = was_there and name == policy.people and key is not None
        facts = KnownFacts(
            given_up=(),
            renamed=tuple(renamed_columns(table.spec.class_rules)),
            shared_keys=(key or "",) if is_shared else (),
            left_out=(left_out.get(name, 0), tables.before[name].height, limit),
        )
        before, behind = tables.before[name], rows[name]
        keys = tuple(one for one in policy.tables[name].key_columns if one in before.columns)
        table = replace(table, facts=facts, closer=judge, identifiers=keys)
        return beside_input(table, before, behind)

    counted = list(map(with_owners, counted_tables(policy, frames)))
    return told_of(counted)

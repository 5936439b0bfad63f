"""Published tables: counts of records, protected, with complete tables that prove it."""

from typing import TYPE_CHECKING

from indistinct.base.face import face

FACE = {
    "PublishedTable": "read_back",
    "PublishedTables": "publication",
    "TableKeywords": "short_call",
    "TablesPolicy": "policy",
    "TablesVerification": "verification",
    "are_published_tables": "verification",
    "bounds": "read_back",
    "published": "short_call",
    "read_table": "read_back",
    "verify_tables": "verification",
}

if TYPE_CHECKING:
    from indistinct.aggregates.policy import TablesPolicy as TablesPolicy
    from indistinct.aggregates.publication import PublishedTables as PublishedTables
    from indistinct.aggregates.read_back import (
        PublishedTable as PublishedTable,
        bounds as bounds,
        read_table as read_table,
    )
    from indistinct.aggregates.short_call import (
        TableKeywords as TableKeywords,
        published as published,
    )
    from indistinct.aggregates.verification import (
        TablesVerification as TablesVerification,
        are_published_tables as are_published_tables,
        verify_tables as verify_tables,
    )
else:
    __getattr__ = face(__name__, FACE)

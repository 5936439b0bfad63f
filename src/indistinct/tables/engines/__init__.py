"""Where the records live: an engine counts them and rewrites them, nothing else."""

from typing import TYPE_CHECKING

from indistinct.base.face import face

FACE = {
    "DeclaredKeys": "schemas",
    "MEMORY": "choosing",
    "Resources": "choosing",
    "declared_keys": "schemas",
    "hidden_folder": "parts",
    "holds_more": "schemas",
    "is_large": "choosing",
    "is_lazy": "choosing",
    "is_schema": "schemas",
    "manifest_of_schema": "schemas",
    "read_schema": "schemas",
    "refuse_for_records": "choosing",
    "resources_of": "choosing",
    "sink_for": "sinks",
    "staged_folder": "folder_output",
    "staged_schema": "schemas",
    "without": "tallies",
}

if TYPE_CHECKING:
    from indistinct.tables.engines.choosing import (
        MEMORY as MEMORY,
        Resources as Resources,
        is_large as is_large,
        is_lazy as is_lazy,
        refuse_for_records as refuse_for_records,
        resources_of as resources_of,
    )
    from indistinct.tables.engines.folder_output import staged_folder as staged_folder
    from indistinct.tables.engines.parts import hidden_folder as hidden_folder
    from indistinct.tables.engines.schemas import (
        DeclaredKeys as DeclaredKeys,
        declared_keys as declared_keys,
        holds_more as holds_more,
        is_schema as is_schema,
        manifest_of_schema as manifest_of_schema,
        read_schema as read_schema,
        staged_schema as staged_schema,
    )
    from indistinct.tables.engines.sinks import sink_for as sink_for
    from indistinct.tables.engines.tallies import without as without
else:
    __getattr__ = face(__name__, FACE)

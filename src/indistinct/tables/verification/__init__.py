"""What verification does, one job a file: evidence, columns, classes, models, original."""

from typing import TYPE_CHECKING

from indistinct.base.face import face

FACE = {
    "FIELDS": "manifest_shape",
    "HIDDEN": "texts",
    "Renderer": "rendering",
    "Verification": "verification",
    "WrittenTable": "bytes",
    "all_as_read": "texts",
    "bit_problems": "pseudonym_tests",
    "byte_faults": "bytes",
    "column_word_faults": "public_policy",
    "format_fault": "manifest_shape",
    "is_rewritten_alike": "bytes",
    "kept_between": "stating.kept",
    "keys_as_read": "texts",
    "listed_paths": "listed",
    "lost_differences": "texts",
    "mapping_in": "manifest_shape",
    "missing_label": "listed",
    "part_faults": "manifest_shape",
    "pseudonym_problems": "pseudonym_tests",
    "table_order_faults": "order",
    "text_as_read": "texts",
    "texts_as_read": "texts",
    "verify": "verify_release",
    "withheld_of": "public_policy",
    "word_faults": "public_policy",
}

if TYPE_CHECKING:
    from indistinct.tables.verification.bytes import (
        WrittenTable as WrittenTable,
        byte_faults as byte_faults,
        is_rewritten_alike as is_rewritten_alike,
    )
    from indistinct.tables.verification.listed import (
        listed_paths as listed_paths,
        missing_label as missing_label,
    )
    from indistinct.tables.verification.manifest_shape import (
        FIELDS as FIELDS,
        format_fault as format_fault,
        mapping_in as mapping_in,
        part_faults as part_faults,
    )
    from indistinct.tables.verification.order import table_order_faults as table_order_faults
    from indistinct.tables.verification.pseudonym_tests import (
        bit_problems as bit_problems,
        pseudonym_problems as pseudonym_problems,
    )
    from indistinct.tables.verification.public_policy import (
        column_word_faults as column_word_faults,
        withheld_of as withheld_of,
        word_faults as word_faults,
    )
    from indistinct.tables.verification.rendering import Renderer as Renderer
    from indistinct.tables.verification.stating.kept import kept_between as kept_between
    from indistinct.tables.verification.texts import (
        HIDDEN as HIDDEN,
        all_as_read as all_as_read,
        keys_as_read as keys_as_read,
        lost_differences as lost_differences,
        text_as_read as text_as_read,
        texts_as_read as texts_as_read,
    )
    from indistinct.tables.verification.verification import Verification as Verification
    from indistinct.tables.verification.verify_release import verify as verify
else:
    __getattr__ = face(__name__, FACE)

"""Values, protocols and compiled kernels: NumPy and numba only."""

from typing import TYPE_CHECKING

from indistinct.base.face import face

FACE = {
    "DATE_LEVELS": "date_hierarchies",
    "Deadline": "protocols",
    "NOT_RELEASED": "schema",
    "NO_ROW": "key_columns",
    "PERSON": "frequencies",
    "Progress": "protocols",
    "Recoding": "recoding",
    "Role": "schema",
    "ShiftedDate": "date_shifts",
    "Solution": "protocols",
    "cell_numbers": "recoding",
    "counted_text": "keys",
    "counted_texts": "keys",
    "days_within": "date_shifts",
    "inverse": "recoding",
    "key_parts": "key_columns",
    "n_outside": "date_shifts",
    "no_progress": "protocols",
    "number_key": "keys",
    "numbered_rows": "grouping",
    "person_and": "frequencies",
    "released_name": "key_columns",
    "shift_problems": "date_shifts",
}

if TYPE_CHECKING:
    from indistinct.tables.core.date_hierarchies import DATE_LEVELS as DATE_LEVELS
    from indistinct.tables.core.date_shifts import (
        ShiftedDate as ShiftedDate,
        days_within as days_within,
        n_outside as n_outside,
        shift_problems as shift_problems,
    )
    from indistinct.tables.core.frequencies import PERSON as PERSON, person_and as person_and
    from indistinct.tables.core.grouping import numbered_rows as numbered_rows
    from indistinct.tables.core.key_columns import (
        NO_ROW as NO_ROW,
        key_parts as key_parts,
        released_name as released_name,
    )
    from indistinct.tables.core.keys import (
        counted_text as counted_text,
        counted_texts as counted_texts,
        number_key as number_key,
    )
    from indistinct.tables.core.protocols import (
        Deadline as Deadline,
        Progress as Progress,
        Solution as Solution,
        no_progress as no_progress,
    )
    from indistinct.tables.core.recoding import (
        Recoding as Recoding,
        cell_numbers as cell_numbers,
        inverse as inverse,
    )
    from indistinct.tables.core.schema import NOT_RELEASED as NOT_RELEASED, Role as Role
else:
    __getattr__ = face(__name__, FACE)

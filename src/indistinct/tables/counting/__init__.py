"""A table and a policy become a counted problem."""

from typing import TYPE_CHECKING

from indistinct.base.face import face

FACE = {
    "DistinctRows": "distinct_rows",
    "LabelledColumn": "distinct_rows",
    "Prepared": "preparation",
    "asked_anew": "preparation",
    "check_columns": "table_faults",
    "check_values": "table_faults",
    "classes_of_records": "orders_of_records",
    "count_rows": "distinct_rows",
    "encode_column": "columns",
    "hierarchies_for": "preparation",
    "list_notes": "table_faults",
    "listed_labels": "distinct_rows",
    "person_codes": "persons",
    "prepare": "preparation",
    "read_population": "population",
    "secret_order": "orders_of_records",
}

if TYPE_CHECKING:
    from indistinct.tables.counting.columns import encode_column as encode_column
    from indistinct.tables.counting.distinct_rows import (
        DistinctRows as DistinctRows,
        LabelledColumn as LabelledColumn,
        count_rows as count_rows,
        listed_labels as listed_labels,
    )
    from indistinct.tables.counting.orders_of_records import (
        classes_of_records as classes_of_records,
        secret_order as secret_order,
    )
    from indistinct.tables.counting.persons import person_codes as person_codes
    from indistinct.tables.counting.population import read_population as read_population
    from indistinct.tables.counting.preparation import (
        Prepared as Prepared,
        asked_anew as asked_anew,
        hierarchies_for as hierarchies_for,
        prepare as prepare,
    )
    from indistinct.tables.counting.table_faults import (
        check_columns as check_columns,
        check_values as check_values,
        list_notes as list_notes,
    )
else:
    __getattr__ = face(__name__, FACE)

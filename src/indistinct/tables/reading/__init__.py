"""From a file to columns with types, and from columns to a file."""

from typing import TYPE_CHECKING

from indistinct.base.face import face

FACE = {
    "AS_TEXT": "declared_formats",
    "ColumnFormat": "declared_formats",
    "FORMATS_BY_ENDING": "formats",
    "FORMATS_BY_NAME": "formats",
    "MANIFEST": "places",
    "NUMBER": "declared_formats",
    "Reading": "declared_formats",
    "ReadingKeywords": "declared_formats",
    "SET": "declared_formats",
    "TableFile": "table_file",
    "check_output": "files",
    "check_table_output": "files",
    "database_table": "places",
    "date_format_of": "date_formats",
    "file_of": "addresses",
    "format_of_file": "formats",
    "is_address": "addresses",
    "is_database": "places",
    "names_of_sheets": "archives",
    "read_file": "files",
    "rebuilt": "rebuild",
    "sha256_of": "places",
    "sheet_of": "workbooks",
    "to_native": "native_frames",
    "write_file": "formats",
}

if TYPE_CHECKING:
    from indistinct.tables.reading.addresses import file_of as file_of, is_address as is_address
    from indistinct.tables.reading.archives import names_of_sheets as names_of_sheets
    from indistinct.tables.reading.date_formats import date_format_of as date_format_of
    from indistinct.tables.reading.declared_formats import (
        AS_TEXT as AS_TEXT,
        NUMBER as NUMBER,
        SET as SET,
        ColumnFormat as ColumnFormat,
        Reading as Reading,
        ReadingKeywords as ReadingKeywords,
    )
    from indistinct.tables.reading.files import (
        check_output as check_output,
        check_table_output as check_table_output,
        read_file as read_file,
    )
    from indistinct.tables.reading.formats import (
        FORMATS_BY_ENDING as FORMATS_BY_ENDING,
        FORMATS_BY_NAME as FORMATS_BY_NAME,
        format_of_file as format_of_file,
        write_file as write_file,
    )
    from indistinct.tables.reading.native_frames import to_native as to_native
    from indistinct.tables.reading.places import (
        MANIFEST as MANIFEST,
        database_table as database_table,
        is_database as is_database,
        sha256_of as sha256_of,
    )
    from indistinct.tables.reading.rebuild import rebuilt as rebuilt
    from indistinct.tables.reading.table_file import TableFile as TableFile
    from indistinct.tables.reading.workbooks import sheet_of as sheet_of
else:
    __getattr__ = face(__name__, FACE)

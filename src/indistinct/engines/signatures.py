"""The first bytes of a file, which say what it is, whatever its ending says."""

from __future__ import annotations

from indistinct.errors import DataError, Fault

SAS = bytes(12) + bytes.fromhex("c2ea8160b31411cfbd92080009c7318c181f1011")
# What a message calls the kind, the formats that read it, and its first bytes.
SIGNATURES: tuple[tuple[str, tuple[str, ...], bytes], ...] = (
    ("a Parquet file", ("parquet",), b"PAR1"),
    ("an Arrow file", ("arrow",), b"ARROW1"),
    ("an SPSS file", ("sav",), b"$FL2@(#)"),
    ("a compressed SPSS file", ("sav",), b"$FL3@(#)"),
    ("a Stata file", ("dta",), b"<stata_dta>"),
    ("a SAS file", ("sas7bdat",), SAS),
    ("a SAS transport file", ("xpt",), b"HEADER RECORD*******LIB"),
    ("an Excel workbook, or a ZIP archive", ("xlsx",), b"PK\x03\x04"),
    (
        "an Excel workbook of the old form (.xls), or one with a password",
        (),
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
    ),
    ("compressed with gzip", (), b"\x1f\x8b\x08"),
    ("compressed with Zstandard", (), b"\x28\xb5\x2f\xfd"),
    ("a PDF document", (), b"%PDF-"),
    ("an SQLite database", (), b"SQLite format 3\0"),
)
OLD_STATA = range(0x66, 0x76)  # first byte of Stata's forms 102 to 117, before they had names


def check_signature(called: str, content: bytes, name: str, *, is_text: bool) -> None:
    """Refuse a file whose content is not what its ending says.

    Parameters
    ----------
    called : what a message names the file
    content : its bytes
    name : of the format that its ending names
    is_text : whether that is a format of text

    Raises
    ------
    DataError
        when it is a file of another kind
    """
    found = kind_of(content)
    if found is None:
        if is_text or _is_old_stata(content, name):
            return
        problem = f"is not what its ending says: its first bytes are not those of .{name}"
    elif name in found[1]:
        return
    else:
        problem = f"is not what its ending says: it is {found[0]}"
    raise DataError([Fault(called, problem, _remedy(found))])


def kind_of(content: bytes) -> tuple[str, tuple[str, ...]] | None:
    """Say what the first bytes are a file of, and which formats read it; None where nothing."""
    for kind, formats, beginning in SIGNATURES:
        if content.startswith(beginning):
            return kind, formats
    return None


def _is_old_stata(content: bytes, name: str) -> bool:
    """Tell whether bytes begin as a file of Stata before form 117, whose mark is two numbers."""
    return name == "dta" and content[:1] != b"" and content[0] in OLD_STATA and content[1] in {1, 2}


def _remedy(found: tuple[str, tuple[str, ...]] | None) -> str:
    """Say what to do."""
    if found is not None and found[1]:
        return f"Rename it so that it ends in .{found[1][0]}."
    if found is None:
        return "Check that this is the right file, and give it the ending of its format."
    return "Save it as CSV, Parquet or .xlsx, or unpack it first."

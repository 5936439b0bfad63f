"""A copy of a release for the program that the input came from; the release itself is UTF-8."""

from __future__ import annotations

from pathlib import Path

from indistinct.base.files.copies import UTF_8, UTF_8_WITH_MARK, encoded, separated
from indistinct.tables.policy import Policy
from indistinct.tables.reading import format_of_file, read_file, write_file

AS_INPUT, WORKBOOK = "input", "xlsx"
FORMS = (AS_INPUT, WORKBOOK)
SEPARATORS = {"csv": ",", "tsv": "\t"}


def write_copy(release: Path, data: str, policy: Policy, form: str) -> None:
    """Write a copy beside a release, in the form of the input or as a workbook, where they differ.

    Parameters
    ----------
    release : of text, or of another format, which then is that of the input
    data : the input
    policy : says how the input is read
    form : one of ``FORMS``
    """
    written = format_of_file(str(release))
    if form == WORKBOOK:
        if written != WORKBOOK:
            frame = read_file(str(release)).frame
            write_file(frame, str(release.with_suffix(".copy.xlsx")), WORKBOOK)
        return
    if written not in SEPARATORS:
        return
    usual, of_input = SEPARATORS[written], format_of_file(data)
    separator = policy.reading.separator or usual
    encoding = policy.reading.encoding or UTF_8
    if of_input == WORKBOOK:
        encoding = UTF_8_WITH_MARK
    if (separator, encoding.lower()) not in {(usual, UTF_8), (usual, "utf8")}:
        text = separated(release.read_text(encoding=UTF_8), usual, separator)
        release.with_suffix(f".copy{release.suffix}").write_bytes(encoded(text, encoding))

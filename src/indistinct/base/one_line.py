"""Texts of others, written so that they stay within their line and their place in it."""

from __future__ import annotations

import re

# A blank after a blank could be taken for the gap between two columns of a list.
SUSPECT = re.compile(r"(?<= ) |[^ !-\[\]-~]")


def one_line(text: str) -> str:
    r"""Return a text with escapes for line breaks, marks that are not printed and repeated blanks.

    Examples
    --------
    >>> one_line("x\n2026  bob")
    'x\\n2026 \\x20bob'
    """
    return SUSPECT.sub(_escaped, text)


def _escaped(found: re.Match[str]) -> str:
    mark = found.group()
    if mark == " ":
        return r"\x20"
    is_plain = mark.isprintable() and not mark.isspace() and mark != "\\"
    return mark if is_plain else mark.encode("unicode_escape").decode("ascii")

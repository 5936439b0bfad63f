"""Files and documents that anybody may have written: what is checked before they are parsed.

What is wrong is raised as the error that the parser itself would raise, so that every caller says
it in the words that it has for a file that cannot be read.
"""

from __future__ import annotations

import errno
import json
import os
import re
import stat
import tomllib
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from pathlib import Path
from typing import IO, Any, NoReturn, cast

LARGEST_DOCUMENT = 32 << 20  # bytes of a policy, a declaration or a manifest
MOST_NESTED = 64
LARGEST_INTEGER = 2**63  # of TOML, whose numbers have 64 bits
MOST_DIGITS = 300  # of JSON; more do not fit into a floating-point number
_NAME = r"""(?:[\w-]+|"[^"\n]*"|'[^'\n]*')"""
LONG_NAME = re.compile(
    rf"(?:^|[\[{{,])[ \t]*{_NAME}(?:[ \t]*\.[ \t]*{_NAME}){{{MOST_NESTED}}}", re.MULTILINE
)
KINDS = (
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISSOCK, "a socket"),
)


def check_regular(path: str | Path) -> None:
    """Refuse a path at which something else than a regular file stands; nothing is opened.

    Raises
    ------
    OSError
        when a pipe, a device, a socket or a folder stands there, or nothing; ``strerror`` says so
    """
    try:
        mode = Path(path).stat().st_mode
    except ValueError:  # a byte of zero in the path
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT)) from None
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(mode):
        kind = next((name for is_kind, name in KINDS if is_kind(mode)), "not a file")
        raise OSError(errno.EINVAL, f"it is {kind}, not a regular file")


def open_regular(path: str | Path) -> IO[bytes]:
    """Open a regular file for reading, without waiting for somebody to write to it.

    Raises
    ------
    OSError
        as :func:`check_regular`
    """
    check_regular(path)
    return Path(path).open("rb")


def read_bytes(path: str | Path, most: int | None = None) -> bytes:
    """Read a regular file.

    Parameters
    ----------
    most : bytes that it may have; any number when None

    Raises
    ------
    OSError
        as :func:`check_regular`, and when the file is larger
    """
    with open_regular(path) as file:
        content = file.read() if most is None else file.read(most + 1)
    if most is not None and len(content) > most:
        raise OSError(errno.EFBIG, f"it is larger than {most >> 20} MiB")
    return content


def read_document(path: str | Path) -> str:
    """Read a policy, a declaration or a manifest: UTF-8 of at most 32 MiB.

    Raises
    ------
    OSError
        as :func:`read_bytes`
    UnicodeDecodeError
        when it is not UTF-8
    """
    return read_bytes(path, LARGEST_DOCUMENT).decode("utf-8").replace("\r\n", "\n")


def toml_words(text: str, parse_float: Callable[[str], Any] = float) -> dict[str, Any]:
    """Parse TOML whose tables and numbers are of a size that a program can work with.

    Raises
    ------
    TOMLDecodeError
        when it is not TOML, is nested too deep, or has an integer of more than 64 bits
    """
    # Python takes the square of their length for names joined by dots.
    if LONG_NAME.search(text) is not None:
        raise tomllib.TOMLDecodeError(_TOO_DEEP)
    try:
        words = tomllib.loads(text, parse_float=parse_float)
    except RecursionError:
        words = None
    except tomllib.TOMLDecodeError:
        raise
    except ValueError:  # Python converts no integer of thousands of digits
        raise tomllib.TOMLDecodeError(_TOO_LARGE) from None
    if words is None or _is_nested(words):
        raise tomllib.TOMLDecodeError(_TOO_DEEP)
    if any(abs(number) >= LARGEST_INTEGER for number in _integers(words)):
        raise tomllib.TOMLDecodeError(_TOO_LARGE)
    return words


def bounded_decimal(text: str) -> Decimal:
    """Convert a number of TOML, for :func:`toml_words`, to the number that is written.

    Raises
    ------
    TOMLDecodeError
        when it has hundreds of digits, however it is written
    """
    number = Decimal(text)
    if not number.is_finite() or abs(number.adjusted()) > MOST_DIGITS or len(text) > MOST_DIGITS:
        raise tomllib.TOMLDecodeError(f"it has a number of more than {MOST_DIGITS} digits")
    return number


def json_document(text: str | bytes) -> Any:
    """Parse JSON whose lists and numbers are of a size that a program can work with.

    Raises
    ------
    JSONDecodeError
        when it is not JSON, is nested too deep, or has an integer of hundreds of digits
    """
    try:
        found = json.loads(text, parse_int=_integer, parse_constant=_no_number)
    except RecursionError:
        raise json.JSONDecodeError(_TOO_DEEP, "", 0) from None
    if _is_nested(found):
        raise json.JSONDecodeError(_TOO_DEEP, "", 0)
    return found


_TOO_DEEP = f"it has tables or lists that are nested more than {MOST_NESTED} deep"
_TOO_LARGE = "it has an integer that does not fit into 64 bits"


def _integer(digits: str) -> int:
    """Convert the digits of an integer."""
    if len(digits) > MOST_DIGITS:
        raise json.JSONDecodeError(f"it has an integer of more than {MOST_DIGITS} digits", "", 0)
    return int(digits)


def _no_number(word: str) -> NoReturn:
    """Refuse the words for infinity and for no number, which are not JSON."""
    raise json.JSONDecodeError(f"{word} is not JSON", "", 0)


def _parts(found: object) -> Iterable[object]:
    """Return the members of a table or a list; none of anything else."""
    if isinstance(found, Mapping):
        return cast("Mapping[str, object]", found).values()
    return cast("list[object]", found) if isinstance(found, list) else ()


def _is_nested(found: object) -> bool:
    """Return whether tables and lists are nested too deep."""
    level = [found]
    for _ in range(MOST_NESTED):
        level = [part for one in level for part in _parts(one) if isinstance(part, Mapping | list)]
    return bool(level)


def _integers(found: object) -> Iterable[int]:
    """Yield every integer in tables and lists that are not nested too deep."""
    for part in _parts(found):
        if isinstance(part, int):
            yield part
        else:
            yield from _integers(part)

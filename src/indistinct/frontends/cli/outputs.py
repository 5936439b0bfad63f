"""Where a command writes: no file is replaced that the user did not ask to replace."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from indistinct.errors import Fault, OutputError

ReplaceOption = Annotated[
    bool, typer.Option("--replace", help="replace what stands at the places that are written to")
]


def refuse_standing(
    outputs: Iterable[str | Path | None], *, replace: bool, source: str | None = None
) -> None:
    """Refuse to write over files, unless the user asked for it.

    Parameters
    ----------
    outputs : the files that the command writes; None for one that is not asked for
    source : the input, which is refused as an output in words of its own

    Raises
    ------
    OutputError
        when files stand there, every one of them
    """
    if replace:
        return
    faults = [
        Fault(str(path), "exists", "Add --replace to replace it, or choose another path.")
        for path in dict.fromkeys(outputs)
        if path is not None and "://" not in str(path) and Path(path).is_file()
        if source is None or not _is_one_file(Path(path), Path(source))
    ]
    if faults:
        raise OutputError(faults)


def _is_one_file(path: Path, other: Path) -> bool:
    """Return whether two paths lead to one file."""
    return other.is_file() and path.samefile(other)


def write_texts(texts: Mapping[Path, str], data: str) -> None:
    """Write text files that only their owner may read, all or nothing."""
    from indistinct.base.files.writing import atomic
    from indistinct.tables.reading import check_output

    with ExitStack() as together:
        for path, text in texts.items():
            check_output(str(path), data, private=True)
            place = together.enter_context(atomic(path, private=True))
            place.write_text(text, encoding="utf-8")

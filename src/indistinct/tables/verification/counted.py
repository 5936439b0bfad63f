"""A release that nobody holds whole, read by counting: where it is, or as an engine just wrote it.

Classes are counted by one group-by of the engine, and judged as those of any other release. What
the distinct rows do not show is read run after run: the order of the rows, and the columns that
are not counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from indistinct.base.brief import short_repr
from indistinct.base.files.literal_paths import scan_parquet
from indistinct.base.files.text import separator_of_file
from indistinct.errors import Fault
from indistinct.tables.engines.sources import Tally
from indistinct.tables.engines.streamed_files import polars_in_words, scan_texts
from indistinct.tables.frames.frame import Frame
from indistinct.tables.policy.column_rule import ColumnRule
from indistinct.tables.policy.specification import Specification
from indistinct.tables.reading.places import TABS, Files
from indistinct.tables.verification.columns import column_faults
from indistinct.tables.verification.evidence import VerificationInput, released_names
from indistinct.tables.verification.order import FrameParts, order_faults
from indistinct.tables.verification.record_names import name_faults
from indistinct.tables.verification.texts import texts_as_read
from indistinct.tables.verification.verdict import missing_word_faults, words_of_no_value

AT_ONCE = 250_000  # rows that are held


@dataclass(frozen=True, slots=True)
class OpenedRelease:
    """A release that is read where it is.

    Parameters
    ----------
    columns : names of all its columns
    count : counts the distinct rows of some columns, and sums the hashes of others
    files : its files, whose rows stand in canonical order; None for a table
    """

    columns: Sequence[str]
    count: Callable[[Sequence[str], Sequence[str]], Tally]
    files: Files | None

    __repr__ = short_repr


def read_counted(
    release: OpenedRelease,
    known: VerificationInput,
    named: str | None,
    read: Sequence[str] | None = None,
    marked: Sequence[str] = (),
) -> tuple[VerificationInput, list[Fault], Tally | None]:
    """Count the rows of a release that its columns, its policy and whoever made it ask for.

    Parameters
    ----------
    known : what is known beside its rows
    named : the column with random names of the records, if there is one
    read : columns that are counted beside the quasi-identifiers; those of the models when left out
    marked : columns whose hashes are summed

    Returns
    -------
    what was read; the faults of the order, of words for no value and of random names; and the
    counted rows, None of a release that has other columns than it should
    """
    spec, names = known.spec, [name for name in release.columns if name != named]
    if list(column_faults(names, spec)):
        return replace(known, columns=names), [], None
    counted = counted_columns(names, spec.class_rules, spec.counted if read is None else read)
    found = release.count(counted, marked)
    protected = {
        name: texts_as_read(release.count([name], ()).frame)[name] for name in spec.protections
    }
    faults: list[Fault] = []
    if release.files is not None:
        faults += _row_faults(rows_of_parts(release.files, spec.data.separator), spec)
    if named is not None:
        faults += name_faults(named, release.count([named], ()), spec.columns)
    reading = replace(
        known, frame=found.frame, weights=found.records, columns=names, protected=protected
    )
    return reading, faults, found


def _row_faults(rows: FrameParts, spec: Specification) -> Iterator[Fault]:
    """Find what the distinct rows do not show: another order, and words for no value."""
    yield from order_faults(rows, spec.class_names)
    found: dict[str, Fault] = {}
    for _, part in rows() if words_of_no_value(spec) else ():
        others = part.drop(spec.class_names, strict=False)
        found |= {fault.place: fault for fault in missing_word_faults(others, spec)}
    yield from found.values()


def counted_columns(
    names: Sequence[str], rules: Iterable[ColumnRule], read: Iterable[str]
) -> list[str]:
    """Name the columns of a release by whose rows its classes are counted.

    Parameters
    ----------
    names : of all columns
    read : those that are counted besides
    """
    counted = dict.fromkeys([*released_columns(names, rules), *read])
    return [name for name in counted if name in names]


def released_columns(names: Sequence[str], rules: Iterable[ColumnRule]) -> list[str]:
    """Name the columns that the quasi-identifiers are released as."""
    return [one for rule in rules for one in released_names(rule, names)]


def rows_of_parts(files: Files, separator: str | None) -> FrameParts:
    """Return the rows of a release, folder after folder and part after part, not held at once.

    Parameters
    ----------
    separator : of text files, where it is known
    """

    def rows() -> Iterator[tuple[bool, Frame]]:
        folder: Path | None = None
        for path in map(Path, files.paths):
            mark = part_separator(path, files, separator)
            is_text = bool(files.separators)
            lazy = scan_texts([str(path)], mark) if is_text else scan_parquet(path)
            with polars_in_words(str(path)):
                for batch in lazy.collect_batches(chunk_size=AT_ONCE, maintain_order=True):
                    yield path.parent != folder, batch
                    folder = path.parent

    return rows


def part_separator(path: Path, files: Files, separator: str | None) -> str:
    """Return the separator of a part: that of the input, unless the ending names another one."""
    known = None if files.file_format == TABS else separator
    return known or separator_of_file(path, files.separators)

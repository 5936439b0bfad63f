"""What misses the keys and references of several tables, in sentences with the lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from indistinct.base.brief import short_repr
from indistinct.related.read_tables import key_texts
from indistinct.tables.drafting import SuggestedLinks
from indistinct.tables.frames import Frame
from indistinct.tables.reading import FORMATS_BY_ENDING

NAMED = 3  # rows that a sentence names


@dataclass(frozen=True, slots=True)
class InspectedTable:
    """A table whose rows a sentence may name.

    Parameters
    ----------
    frame : its records
    path : of the file that it is from; None for a frame and for a table of a database
    line : says in which line or row of the file a record stands; None where nobody reads lines
    """

    frame: Frame
    path: Path | None = None
    line: Callable[[int], int] | None = None

    __repr__ = short_repr

    def places(self, rows: Sequence[int]) -> str:
        """Return where the first of some records stand: the lines of a text, rows of a workbook."""
        kind, numbers = self._numbers(rows[:NAMED])
        listed = ", ".join(map(str, numbers))
        more = ", ..." if len(rows) > NAMED else ""
        return f"{kind}{'s' if len(rows) > 1 else ''} {listed}{more}"

    def _numbers(self, rows: Sequence[int]) -> tuple[str, list[int]]:
        """Return what the place of a record is called, and its number from 1."""
        if self.path is None or self.line is None:
            return "row", [row + 1 for row in rows]
        is_text = bool(FORMATS_BY_ENDING[self.path.suffix.lower()].separators)
        return "line" if is_text else "row", [self.line(row) for row in rows]


def link_sentences(tables: Mapping[str, InspectedTable], links: SuggestedLinks) -> Iterator[str]:
    """Yield what misses the keys and references, and what has to be decided."""
    if links.question:
        yield links.question
    yield from _of_others(tables, links)
    for name, key in links.keys.items():
        yield from _of_key(name, key, tables[name])
    for name, own in links.references.items():
        yield from _of_references(name, own, tables, links.keys)
    for one in links.near:
        yield (
            f"{one.column} of {one.name} is named as a reference to {one.table}, but only "
            f"{one.share:.0%} of its rows have a value of {one.key}."
        )
    for name, own in links.further.items():
        for column, table in own.items():
            yield (
                f"{column} of {name} holds keys of {table}, too. It is an identifier in the draft, "
                "and no reference."
            )


def orphans_of(
    name: str,
    references: Mapping[str, str],
    tables: Mapping[str, InspectedTable],
    keys: Mapping[str, str],
) -> list[int]:
    """Return the rows of a table that lead to no row above it, in their order."""
    frame = tables[name].frame
    lost = [False] * frame.height
    leads = [False] * frame.height
    for column, table in references.items():
        known = {*key_texts(tables[table].frame, keys[table])} - {""}
        for row, text in enumerate(key_texts(frame, column)):
            lost[row] |= bool(text) and text not in known
            leads[row] |= text in known
    return [row for row in range(frame.height) if lost[row] or not leads[row]]


def _of_others(tables: Mapping[str, InspectedTable], links: SuggestedLinks) -> Iterator[str]:
    """Yield which tables lead to no row of the people."""
    if links.people is None:
        return
    above = {table for own in links.further.values() for table in own.values()}
    for name in tables:
        if name == links.people or links.references.get(name):
            continue
        shared = above & {*links.further.get(name, {}).values()} - {*links.references}
        if name in above:
            said = f"is above {links.people}, so that a row of it can belong to several people"
        elif shared - {links.people}:
            listed = " and ".join(sorted(shared - {links.people}))
            said = f"leads to {listed}, so that a row of it can belong to several people"
        else:
            said = f"leads to no row of {links.people}"
        yield (
            f"{name} {said}. Leave it out of the data, or name the column in it that holds the key "
            "of a table with people."
        )


def _of_key(name: str, key: str, table: InspectedTable) -> Iterator[str]:
    """Yield which values of a key stand twice, and which are missing."""
    texts = key_texts(table.frame, key)
    counts = Counter(texts)
    n_missing = counts.pop("", 0)
    twice = [row for row, text in enumerate(texts) if counts[text] > 1]
    n_twice = sum(count > 1 for count in counts.values())
    if twice:
        times = "twice" if max(counts.values()) == 2 else "several times"  # noqa: PLR2004 - twice
        yield (
            f"{n_twice:,} of {len(counts):,} values of {name}.{key} "
            f"{'stands' if n_twice == 1 else 'stand'} {times} ({table.places(twice)}). Give each "
            "row a key of its own before you release the tables."
        )
    if n_missing:
        gone = [row for row, text in enumerate(texts) if not text]
        yield (
            f"{name}.{key} is missing in {n_missing:,} of {len(texts):,} rows "
            f"({table.places(gone)}). Complete it before you release the tables."
        )


def _of_references(
    name: str,
    references: Mapping[str, str],
    tables: Mapping[str, InspectedTable],
    keys: Mapping[str, str],
) -> Iterator[str]:
    """Yield how many rows of a table lead nowhere."""
    lost = orphans_of(name, references, tables, keys)
    if lost:
        lead = "leads" if len(lost) == 1 else "lead"
        above = " or ".join(dict.fromkeys(references.values()))
        yield (
            f"{len(lost):,} of {tables[name].frame.height:,} rows of {name} {lead} to no row of "
            f"{above} ({tables[name].places(lost)}). The draft leaves "
            f'{"it" if len(lost) == 1 else "them"} out: orphans = "drop".'
        )

"""Keys of released tables: unique, in no order of the input, and each reference has its row.

Verification uses this and nothing of what made the release.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import polars as pl

from indistinct.base.files.confidential import read_owners_file
from indistinct.errors import Fault
from indistinct.related.policy import RelatedPolicy
from indistinct.tables.core import key_parts
from indistinct.tables.verification import bit_problems, keys_as_read, pseudonym_problems

DISMISS = "Do not publish these files."
FEWEST_ORDERED = 12  # rows, of which a shuffle keeps an order once in 479,001,600 runs
DIGITS = re.compile(r"[0-9a-f]{32}")  # of a pseudonym
KEY_DIGITS = re.compile(r"\s*([0-9A-Fa-f]{64})\s*")
BETWEEN = "\x1f"  # the parts of a key of several columns


def key_faults(spec: RelatedPolicy, tables: Mapping[str, pl.DataFrame]) -> Iterator[Fault]:
    """Find keys that do not tell rows apart as they should, and references that lead nowhere."""
    for name in (spec.people, *spec.row_tables):
        table, frame = spec.tables[name], tables[name]
        if table.new_key is not None and table.new_key in frame.columns:
            for problem in _problems(spec, frame[table.new_key]):
                yield Fault(f"tables.{name}.columns.{table.new_key}", problem, DISMISS)
        if name == spec.people:
            continue
        pointers = spec.pointers(name)
        for above, column in pointers.items():
            known = {*tables[above][spec.tables[above].new_key or ""]}
            if above != [*pointers][-1]:  # an empty key is no row, and the last table has one
                known.add("")
            lost = sum(key not in known for key in frame[column])
            if lost:
                problem = f"{lost} rows lead to no row of {above}"
                yield Fault(f"tables.{name}.columns.{column}", problem, DISMISS)


def _problems(spec: RelatedPolicy, keys: pl.Series) -> Iterator[str]:
    """Find what is wrong with the keys of a table by themselves."""
    if spec.related.keys == "random":
        if {*keys} != {str(number) for number in range(len(keys))}:
            yield "does not number the rows 0, 1, 2 and so on"
        return
    if keys.n_unique() < len(keys):
        yield "gives several rows one pseudonym"
    strange = sum(DIGITS.fullmatch(key) is None for key in keys)
    if strange:
        yield f"has {strange} keys that are not pseudonyms"
    yield from bit_problems(keys.unique())


class KeysOfRows(NamedTuple):
    """The released keys of a table beside those that their rows had.

    Parameters
    ----------
    table, column : the table, and the column of its new key
    shown, own : the released keys, and the texts of those of their rows in the input
    rows : the row of the input behind each
    """

    table: str
    column: str
    shown: Sequence[str]
    own: Sequence[str]
    rows: Sequence[int]

    @classmethod
    def of(
        cls,
        spec: RelatedPolicy,
        name: str,
        table: pl.DataFrame,
        before: pl.DataFrame,
        rows: Sequence[int],
    ) -> KeysOfRows | None:
        """Return the keys of a released table; None where it has none."""
        said = spec.tables[name]
        if said.key is None or said.new_key not in table.columns:
            return None
        parts = [keys_as_read(before[part]) for part in key_parts(said.key)]
        own = [BETWEEN.join(part[row] for part in parts) for row in rows]
        return cls(name, said.new_key, table[said.new_key].to_list(), own, rows)

    def faults(self, *, are_pseudonyms: bool, secret: bytes | None) -> Iterator[Fault]:
        """Find keys of the input or in its order, and pseudonyms that are not those of their rows.

        Parameters
        ----------
        secret : the key of pseudonyms, if it is at hand
        """
        problems = [self._kept(are_pseudonyms=are_pseudonyms)]
        if are_pseudonyms:
            problems += pseudonym_problems(self.own, self.shown, self.column)
        if secret is not None:
            problems.append(self._others(secret))
        for problem in filter(None, problems):
            yield Fault(f"tables.{self.table}.columns.{self.column}", problem, DISMISS)

    def _kept(self, *, are_pseudonyms: bool) -> str:
        """Return that keys, or their order, are those of the input; nothing where few might be."""
        if len(self.rows) < FEWEST_ORDERED:
            return ""
        keys = self.shown if are_pseudonyms else [int(one) for one in self.shown]
        in_order = [row for _, row in sorted(zip(keys, self.rows, strict=True))]
        rows = sorted(self.rows)
        is_kept = self.shown == self.own or in_order in (rows, rows[::-1])
        return "keeps the keys or the order of the input" if is_kept else ""

    def _others(self, secret: bytes) -> str:
        """Return how many pseudonyms are not made of the table and the own key of their row."""
        wrong = sum(
            hmac.new(secret, f"{self.table}\0{own}".encode(), "sha256").hexdigest()[:32] != shown
            for own, shown in zip(self.own, self.shown, strict=True)
        )
        return f"{wrong} pseudonyms are not those of their rows" if wrong else ""


def secret_of(spec: RelatedPolicy) -> bytes | None:
    """Return the key of pseudonyms beside a policy; None where there is none that can be read."""
    made = spec.pseudonym(spec.people)
    if made is None or not made.file.exists():
        return None
    try:
        found = KEY_DIGITS.fullmatch((read_owners_file(made.file) or b"").decode("ascii"))
    except (OSError, UnicodeDecodeError):
        return None
    return None if found is None else bytes.fromhex(found[1])

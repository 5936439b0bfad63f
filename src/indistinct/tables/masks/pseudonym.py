"""Pseudonyms: an identifier that stays linkable, and can be undone by nobody without the key."""

from __future__ import annotations

import hmac
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Self, final

from indistinct.base.parameters import parameter
from indistinct.base.randomness import RandomSource
from indistinct.errors import Fault
from indistinct.tables.core.schema import Role
from indistinct.tables.frames.frame import Frame
from indistinct.tables.frames.texts import cell_texts
from indistinct.tables.masks.key_file import key_faults, key_of
from indistinct.tables.masks.protection import Context, Masked, Protection

PSEUDONYM_BYTES = 16
KEY_WAS_THERE = "key_was_there"  # a fact for the owner: other releases may have this key
FORM = re.compile(rf"^[0-9a-f]{{{2 * PSEUDONYM_BYTES}}}$")


@final
@dataclass(frozen=True, slots=True)
class PseudonymProtection(Protection):
    """Each value gives way to a keyed hash of it: equal values to equal pseudonyms, with one key.

    The pseudonym is the first half of HMAC-SHA-256 of the value's text, 32 hexadecimal digits.
    The key is made at the first run, by the operating system's secure generator whatever the seed,
    in a file that its owner alone can read. A missing value stays missing.

    Source: krawczyk1997, section 2.
    """

    key: str = parameter(
        str, help="file of the key, relative to the policy", default="pseudonyms.key"
    )
    domain: str | None = parameter(
        str, help="a text that separates the pseudonyms of columns with the same key", default=None
    )
    missing: tuple[str, ...] = ("",)
    folder: Path = Path()

    name: ClassVar[str] = "pseudonym"
    files: ClassVar[tuple[str, ...]] = ("key",)
    promise: ClassVar[str] = (
        "Each value of {column} was replaced by a keyed code that nobody can compute without "
        "the key."
    )
    leaves_open: ClassVar[tuple[str, ...]] = (
        (
            "Records under one pseudonym are known to be one person's. Whoever recognizes one of "
            "them knows them all."
        ),
        "Whoever holds the key can undo the pseudonyms.",
    )
    roles: ClassVar[frozenset[Role]] = frozenset({Role.IDENTIFIER})
    in_classes: ClassVar[bool] = False
    checked_facts: ClassVar[tuple[str, ...]] = ("values",)
    public_facts: ClassVar[frozenset[str]] = frozenset({"values"})

    def within(self, context: Context) -> Self:
        """Return the same with the policy's folder, and how it writes a missing value."""
        return replace(self, missing=("", *context.missing), folder=context.folder)

    @property
    def file(self) -> Path:
        """The path of the key."""
        return self.folder / self.key

    @property
    def is_by_record(self) -> bool:
        """A pseudonym depends on the value and the key alone."""
        return True

    def facts_of_parts(self, parts: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
        """Leave out the number of values, some of which are shared; the first part has the key."""
        return {KEY_WAS_THERE: parts[0][KEY_WAS_THERE]}

    def faults(self, columns: Frame) -> Iterator[Fault]:
        """Find what keeps the key from being read, or others from not reading it."""
        for column in columns.columns:
            for problem, remedy in key_faults(self.file):
                yield Fault(f"columns.{column}.protect.key", problem, remedy)

    def among_released(self, n_values: Callable[[], int]) -> Mapping[str, Any]:
        """Count the pseudonyms that are shown: those of suppressed records are not."""
        return {"values": n_values()}

    def mask(self, columns: Frame, source: RandomSource) -> Masked:
        """Replace each value of one column; the key is made when there is none."""
        del source  # the key is secret even where a run is to be repeated
        was_there, key = self.file.exists(), key_of(self.file)
        column = columns.to_series()
        texts = cell_texts(column)
        texts = texts.set(texts.is_in(list(self.missing)).fill_null(value=False), None)
        known = texts.drop_nulls().unique().sort()
        pseudonyms = {value: self.pseudonym(key, value) for value in known}
        facts = {"values": len(pseudonyms), KEY_WAS_THERE: was_there}
        masked = texts.replace_strict(pseudonyms, default=None, return_dtype=texts.dtype)
        return Masked(masked.alias(column.name).to_frame(), facts)

    def pseudonym(self, key: bytes, value: str) -> str:
        """Return the pseudonym of one value."""
        message = f"{self.domain or ''}\0{value}".encode()
        return hmac.digest(key, message, "sha256")[:PSEUDONYM_BYTES].hex()

    def check_release(self, released: Frame, facts: Mapping[str, Any] | None) -> Iterator[Fault]:
        """Find cells that are no pseudonyms, and more of them than the input had values."""
        column = released.to_series()
        known = column.filter(column != "").unique()
        strange = sum(FORM.match(cell) is None for cell in known)
        if strange:
            yield Fault(
                f"columns.{column.name}",
                f"has {strange} values that are not pseudonyms",
                "Do not publish this file.",
            )
        if facts is not None and len(known) > int(facts["values"]):
            yield Fault(
                f"manifest.protection.{column.name}",
                f"speaks of {facts['values']} values, but the file has {len(known)}",
                "Take the file, the manifest and the policy of one run.",
            )

"""How a table is read, as far as somebody said it: before there is a policy, and with one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import ValidationError

from indistinct.errors import Fault, ParameterError
from indistinct.tables.policy import DataPolicy, word_fault
from indistinct.tables.publish import GivenReading
from indistinct.tables.reading import Reading, date_format_of

# What is said of a file, and no word of how its records are counted.
OF_FILES = (*GivenReading.WORDS, "missing")


@dataclass(frozen=True, slots=True)
class SaidReading:
    """The words that somebody said of a table.

    Parameters
    ----------
    data : words of ``[data]``
    formats, types : per column, how its dates are written and what its cells are
    suggests : whether the table is looked at for the first time, so that titles, totals and words
        for missing values are looked for
    """

    data: Mapping[str, Any] = field(default_factory=dict[str, Any])
    formats: Mapping[str, str] = field(default_factory=dict[str, str])
    types: Mapping[str, str] = field(default_factory=dict[str, str])
    suggests: bool = True

    @classmethod
    def of_policy(cls, words: Mapping[str, Any]) -> SaidReading:
        """Return what a policy says; nothing else is then looked for."""
        columns: Mapping[str, Mapping[str, Any]] = words["columns"]
        data: Mapping[str, Any] = words.get("data", {})
        return cls(
            {word: data[word] for word in OF_FILES if data.get(word) is not None},
            {name: one["format"] for name, one in columns.items() if "format" in one},
            {name: one["type"] for name, one in columns.items() if "type" in one},
            suggests=False,
        )

    @property
    def missing(self) -> tuple[str, ...] | None:
        """The words for missing values; None where they are to be looked for."""
        if "missing" in self.data:
            return tuple(self.data["missing"])
        return None if self.suggests else ("",)

    def given(self) -> GivenReading:
        """Return the same as a reader takes it.

        Raises
        ------
        ParameterError
            when a word is out of range; all faults at once
        DataError
            when a format of dates is none
        """
        for name, word in self.formats.items():
            date_format_of(name, word)
        return GivenReading(None, self._reading())

    def _reading(self) -> Reading:
        """Return the words, checked."""
        try:
            said = DataPolicy(**self.data).reading(suggests=self.suggests)
        except ValidationError as error:
            faults: list[Fault] = [word_fault(detail, DataPolicy) for detail in error.errors()]
            raise ParameterError(faults) from None
        return replace(said, formats=dict(self.formats), types=dict(self.types))

    def key(self) -> list[Any]:
        """Return what tells it from another, for JSON."""
        return [dict(self.data), dict(self.formats), dict(self.types), self.suggests]

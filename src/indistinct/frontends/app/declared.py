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

# What is said of a file, and no word of how its records are counted; and of one of its columns.
OF_FILES = (*GivenReading.WORDS, "missing")
OF_COLUMNS = ("type", "format", "missing", "last_year", "unreadable")
SaidColumns = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class SaidReading:
    """The words that somebody said of a table.

    Parameters
    ----------
    data : words of ``[data]``
    columns : per column, words of its table, those of ``OF_COLUMNS``
    suggests : whether the table is looked at for the first time, so that titles, totals and words
        for missing values are looked for
    """

    data: Mapping[str, Any] = field(default_factory=dict[str, Any])
    columns: SaidColumns = field(default_factory=dict[str, Mapping[str, Any]])
    suggests: bool = True

    @classmethod
    def of_policy(cls, words: Mapping[str, Any]) -> SaidReading:
        """Return what a policy says; nothing else is then looked for."""
        data: Mapping[str, Any] = words.get("data", {})
        return cls(
            {word: data[word] for word in OF_FILES if data.get(word) is not None},
            {
                name: of_reading
                for name, one in words["columns"].items()
                if (of_reading := words_of_reading(one))
            },
            suggests=False,
        )

    def with_words(self, settle: Mapping[str, Any]) -> SaidReading:
        """Return the same with an answer to a question.

        Parameters
        ----------
        settle : words of a policy by their places, as in ``columns.X.format``; words of ``[data]``
            stand alone
        """
        data, columns = dict(self.data), {name: dict(one) for name, one in self.columns.items()}
        for place, said in settle.items():
            if place.startswith("columns."):
                name, word = place.removeprefix("columns.").rsplit(".", 1)
                columns.setdefault(name, {})[word] = said
            else:
                data[place] = said
        return replace(self, data=data, columns=columns)

    def of(self, word: str) -> dict[str, Any]:
        """Return what is said of columns by one word: per column that has it."""
        return {name: one[word] for name, one in self.columns.items() if word in one}

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
        for name, word in self.of("format").items():
            date_format_of(name, word)
        return GivenReading(None, self._reading())

    def _reading(self) -> Reading:
        """Return the words, checked."""
        try:
            said = DataPolicy(**self.data).reading(suggests=self.suggests)
        except ValidationError as error:
            faults: list[Fault] = [word_fault(detail, DataPolicy) for detail in error.errors()]
            raise ParameterError(faults) from None
        return replace(
            said,
            formats=self.of("format"),
            types=self.of("type"),
            unreadable=self.of("unreadable"),
            last_years=self.of("last_year"),
            own_missing={name: tuple(words) for name, words in self.of("missing").items()},
        )

    def key(self) -> list[Any]:
        """Return what tells it from another, for JSON."""
        columns = {name: dict(one) for name, one in self.columns.items()}
        return [dict(self.data), columns, self.suggests]


def words_of_reading(column: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the table of a column in a policy says of its reading."""
    return {word: column[word] for word in OF_COLUMNS if column.get(word) is not None}

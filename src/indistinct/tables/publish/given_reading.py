"""What a caller says of the reading of a table, before there is a policy or with one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from pydantic import ValidationError

from indistinct.base.coded_text import sentence
from indistinct.errors import Fault, ParameterError
from indistinct.tables.frames.set_forms import ANY_LISTS
from indistinct.tables.policy.given import GivenPolicy, data_alone, policy_of
from indistinct.tables.policy.policy import Policy
from indistinct.tables.policy.policy_table import word_fault
from indistinct.tables.policy.sections.column import TYPES
from indistinct.tables.policy.sections.data import DataPolicy
from indistinct.tables.reading import files
from indistinct.tables.reading.date_formats import date_format_of
from indistinct.tables.reading.declared_formats import (
    DATE,
    ColumnFormat,
    FoundReading,
    Reading,
    ReadingKeywords,
)
from indistinct.tables.reading.table_file import TableFile

FORMAT_GIVEN = sentence("format-given", "Its format was given.")
TYPE_GIVEN = sentence("type-given", "Its type was given.")


@dataclass(frozen=True, slots=True)
class GivenReading:
    """A policy, if there is one, and what is said of the reading.

    Parameters
    ----------
    policy : with roles; None where there is none yet
    reading : what the policy and the caller say of the reading
    """

    policy: Policy | None
    reading: Reading

    # What a caller may say of a file beside the formats and types of its columns.
    WORDS: ClassVar[tuple[str, ...]] = (
        "encoding",
        "separator",
        "quote",
        "escape",
        "decimal",
        "header",
        "skip_rows",
        "skip_last",
    )

    def with_found(self, found: FoundReading) -> FoundReading:
        """Return how a table was read: what was said, and what was found."""
        said = {word: getattr(self.reading, word) for word in self.WORDS}
        words = {word: value for word, value in said.items() if value is not None}
        columns = {
            name: ColumnFormat(FORMAT_GIVEN, format=word, kind=DATE)
            for name, word in self.reading.formats.items()
        } | dict(found.columns)
        for name, kind in self.reading.types.items():
            known = columns.get(name, ColumnFormat(TYPE_GIVEN))
            columns[name] = replace(known, type=kind)
        return replace(found, words={**found.words, **words}, columns=columns)

    def read(self, data: Any) -> files.TableFile:
        """Read a table whole, unless somebody has read it."""
        if isinstance(data, TableFile):
            return data
        policy = self.policy
        sets = ANY_LISTS if policy is None else policy.set_forms
        return files.read_file(data, reading=self.reading, sets=sets)


def given_reading(policy: GivenPolicy | None, keywords: ReadingKeywords) -> GivenReading:
    """Return what is said of the reading; keywords come before the words of the policy.

    Raises
    ------
    PolicyError
        when the policy cannot be read
    ParameterError
        when a keyword is unknown, or its value is out of range
    """
    alone = None if policy is None else data_alone(policy)
    known = None if policy is None or alone is not None else policy_of(policy)
    reading = (alone or DataPolicy()).reading() if known is None else known.reading
    said: dict[str, Any] = {word: one for word, one in keywords.items() if one is not None}
    unknown = [word for word in said if word not in {*GivenReading.WORDS, "formats", "types"}]
    if unknown:
        raise ParameterError([Fault(w, "is not a keyword", "Check the spelling.") for w in unknown])
    _check_data({word: one for word, one in said.items() if word in GivenReading.WORDS})
    for name, kind in dict(said.get("types", {})).items():
        if kind not in TYPES:
            problem, remedy = "is not a type", f"Choose one of {', '.join(TYPES)}."
            raise ParameterError([Fault(f"types.{name}", problem, remedy)])
    for name, word in dict(said.get("formats", {})).items():
        date_format_of(name, word)
    given = {word: dict(one) if word in {"formats", "types"} else one for word, one in said.items()}
    return GivenReading(known, replace(reading, **given, suggests=known is None))


def _check_data(words: Mapping[str, Any]) -> None:
    """Refuse values that no policy may have."""
    try:
        DataPolicy(**words)
    except ValidationError as error:
        faults = [word_fault(detail, DataPolicy) for detail in error.errors()]
        raise ParameterError(faults) from None


def check_in_parts(reading: Reading) -> None:
    """Refuse what is said of a file that is read in parts, and that no engine reads so.

    Raises
    ------
    ParameterError
        naming all of it
    """
    words = [word for word in GivenReading.WORDS if word not in {"separator", "decimal"}]
    said = [word for word in words if getattr(reading, word) is not None]
    faults = [
        Fault(word, "is for files that are read whole", "Take the engine memory, or convert them.")
        for word in said
        if not (word == "encoding" and str(reading.encoding).lower() in {"utf-8", "utf8"})
    ]
    if faults:
        raise ParameterError(faults)

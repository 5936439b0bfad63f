"""A table of a policy: a closed set of words, how it is read, and what is said of a wrong one."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Self, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, PrivateAttr
from pydantic_core import ErrorDetails, PydanticCustomError

from indistinct.base.inputs import read_document, toml_words
from indistinct.base.nearest_words import did_you_mean
from indistinct.errors import Fault, PolicyError
from indistinct.tables.core.keys import text_of_word

# A word that names a value: it may be a number, a date or a truth of TOML or Python.
Word = Annotated[str, BeforeValidator(text_of_word)]
QUOTED = re.compile(r"'([^']+)'")


class Words(BaseModel):
    """A table of a policy: closed, and never changed after it was checked."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, arbitrary_types_allowed=True, allow_inf_nan=False
    )


def one_of(known: Iterable[str]) -> Callable[[str], str]:
    """Make a check that a word is one of those known."""

    def check(word: str) -> str:
        if word not in known:
            remedy = did_you_mean(word, known, f"Choose one of {', '.join(known)}.")
            raise PydanticCustomError("word", "is not known", {"remedy": remedy})
        return word

    return check


def word_fault(detail: ErrorDetails, tables: type[Words]) -> Fault:
    """Return in our words the fault that pydantic found.

    Parameters
    ----------
    tables : the kind that was checked: tells the words that are known at each place
    """
    place = ".".join(str(part) for part in detail["loc"])
    kind, context = detail["type"], detail.get("ctx", {})
    if kind == "extra_forbidden":
        known = words_at(tables, detail["loc"][:-1])
        remedy = did_you_mean(str(detail["loc"][-1]), known, "Check the spelling, or leave it out.")
        return Fault(place, "is not a recognized setting", remedy)
    if kind == "missing":
        return Fault(place, "is missing", "Add it.")
    if kind in {"tuple_type", "list_type"}:
        return Fault(place, "must be a list", 'Write it in brackets, such as ["a", "b"].')
    remedy = str(context.get("remedy", "Change it in the policy."))
    if kind in {"literal_error", "enum"} and isinstance(detail["input"], str):
        known = QUOTED.findall(str(context.get("expected", "")))
        remedy = did_you_mean(detail["input"], known, remedy)
        return Fault(place, f"is none of {', '.join(known)}", remedy)
    return Fault(place, re.sub(r"^Input should ", "must ", detail["msg"]), remedy)


def words_at(tables: type[Words], place: Sequence[int | str]) -> tuple[str, ...]:
    """Return the words known at a place; names of columns lead to the words of a column."""
    kind: type[Words] | None = tables
    for part in place:
        if kind is not None and part in kind.model_fields:
            kind = _table_in(kind.model_fields[str(part)].annotation)
    return () if kind is None else tuple(kind.model_fields)


def _table_in(annotation: object) -> type[Words] | None:
    """Find the kind of table in the type of a field, such as a mapping of names to tables."""
    if isinstance(annotation, type) and issubclass(annotation, Words):
        return annotation
    found = (_table_in(part) for part in get_args(annotation))
    return next((kind for kind in found if kind is not None), None)


class PolicyWords(Words):
    """The tables of a policy, which are read from words; it knows the folder of its file."""

    _folder: Path = PrivateAttr(default_factory=Path)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a policy from a TOML file; paths in it are relative to the file.

        Raises
        ------
        PolicyError
            when the file cannot be read, is not TOML, or is no such policy
        """
        return cls.from_words(words_of(path), Path(path).parent)

    @classmethod
    def from_words(cls, words: Mapping[str, Any], folder: Path | None = None) -> Self:
        """Build a policy from nested words, as a TOML file has them."""
        policy = cls(**words)
        policy._folder = folder or Path()
        return policy


def words_of(path: str | Path) -> Mapping[str, Any]:
    """Return the words of a TOML file.

    Raises
    ------
    PolicyError
        when the file cannot be read, or is not TOML
    """
    try:
        return toml_words(read_document(Path(path)))
    except OSError as error:
        raise PolicyError(
            [Fault(str(path), f"cannot be read: {error.strerror}", "Check the path.")]
        ) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise PolicyError(
            [Fault(str(path), f"is not TOML: {error}", "Correct the file there.")]
        ) from None

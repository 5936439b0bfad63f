"""What is promised: the one place where the words of a user become values.

A policy comes from a TOML file, from keywords, or is built in Python with the same words. Its
tables are listed in ``tables.py``, each with a file of its own in ``sections/``; what is checked
between them is listed in ``requirements.py`` and ``exclusions.py``.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Unpack, cast

import tomli_w
from pydantic import ValidationError

from indistinct.base.brief import in_notebook, models_in_words
from indistinct.base.files.writing import atomic
from indistinct.errors import Fault, PolicyError
from indistinct.tables.core.schema import Role
from indistinct.tables.policy.exclusions import excluded
from indistinct.tables.policy.policy_table import word_fault
from indistinct.tables.policy.requirements import unmet
from indistinct.tables.policy.short_form import PolicyKeywords, words_of_keywords
from indistinct.tables.policy.tables import PolicyTables


class Policy(PolicyTables):
    """Roles of the columns, models, method and form of a release.

    Raises
    ------
    PolicyError
        when a word is unknown, a value out of range or parts contradict each other; all faults at
        once, each with its place
    """

    def __init__(self, **words: Any) -> None:
        """Check all words; see the class."""
        try:
            super().__init__(**words)
        except ValidationError as error:
            faults = [word_fault(detail, PolicyTables) for detail in error.errors()]
            raise PolicyError([*faults, *absences(words)]) from None
        faults = [*absences(words), *unmet(self), *excluded(self)]
        if faults:
            raise PolicyError(faults)

    def __repr__(self) -> str:
        """Return what is promised, and of which columns."""
        models = models_in_words((model.name, model.required()) for model in self.models)
        return f"<Policy of {len(self.columns)} columns: {models}; by {self.algorithm_name}>"

    __str__ = __repr__
    _repr_html_ = in_notebook

    @classmethod
    def of_public_words(cls, words: Mapping[str, Any], folder: Path | None = None) -> Policy:
        """Build the policy that stands in a manifest: it lacks the files that others keep.

        Parameters
        ----------
        folder : that paths of files start from, where there are some

        Raises
        ------
        ValueError
            when a table is no table of a policy
        """
        tables = PolicyTables(**words)
        policy = cls.model_construct(**{name: getattr(tables, name) for name in cls.model_fields})
        policy._folder = folder or Path()  # noqa: SLF001 - made here
        return policy

    @classmethod
    def from_keywords(cls, **keywords: Unpack[PolicyKeywords]) -> Policy:
        """Build a policy from the short form; hierarchies are made from the data where not given.

        Parameters
        ----------
        keywords : ``quasi_identifiers``, ``identifiers``, ``sensitive``, ``insensitive``: column
            names per role. ``k``: least records per class, for k-anonymity. ``l``: least different
            values of each sensitive column per class, for distinct l-diversity. ``models``: further
            models. ``hierarchies``: per column, such as ``{"age": ind.intervals(5, 10)}``; a
            mapping from values to a label, or to their labels from fine to coarse; or a frame whose
            first column has the values; in ``anonymize`` a function of a value, too. All others
            are words of the table ``[method]``: ``algorithm``, ``max_suppression`` ...

        Raises
        ------
        PolicyError
            when a keyword is unknown, a list is no list, or a column is named twice
        """
        return cls(**words_of_keywords(keywords))

    def with_words(self, tables: Mapping[str, Mapping[str, Any]]) -> Policy:
        """Return the same policy with other words in some of its tables, checked anew."""
        words = self.words()
        for table, given in tables.items():
            words[table] = {**words.get(table, {}), **given}
        return Policy.from_words(words, self._folder)

    def with_all_words(self, words: Mapping[str, Any]) -> Policy:
        """Return another policy whose files stand where those of this one do, checked anew."""
        return Policy.from_words(words, self._folder)

    def words(self) -> dict[str, Any]:
        """Return the policy as nested words, defaults left out."""
        words = self.model_dump(mode="json", exclude_defaults=True, exclude={"models"})
        words["models"] = [{"name": model.name, **model.required()} for model in self.models]
        return words

    def save(self, path: str | Path) -> None:
        """Write the policy as a TOML file, defaults left out; see :meth:`load`.

        Raises
        ------
        OutputError
            when the file cannot be written
        """
        text = tomli_w.dumps(_without_unset(self.words()))
        with atomic(Path(path)) as temporary:
            temporary.write_text(text, encoding="utf-8")

    @property
    def sha256(self) -> str:
        """Hash of what is promised and how it is written; see :func:`sha256_of`."""
        return sha256_of(self.words())


def sha256_of(words: Mapping[str, Any]) -> str:
    """Return a hash of what the words of a policy promise, whatever their order.

    The tables ``[method]`` and ``[context]`` have no part in it: how a release was searched for,
    and who answers for it, does not change what it promises. Nor have the reasons of the roles.
    """
    aside = {"method", "context"}
    tables = {table: said for table, said in words.items() if table not in aside}
    tables["columns"] = {
        # The old word, so that releases from before it had a new one still verify.
        name: {
            ("weight" if word == "importance" else word): said
            for word, said in own.items()
            if word != "reason"
        }
        for name, own in tables["columns"].items()
    }
    text = json.dumps(tables, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def _without_unset(words: dict[str, Any]) -> dict[str, Any]:
    """Leave out the words that are not set, which TOML cannot write."""
    return {
        word: _without_unset(cast("dict[str, Any]", said)) if isinstance(said, dict) else said
        for word, said in words.items()
        if said is not None
    }


def absences(words: Mapping[str, Any]) -> Iterable[Fault]:
    """Find what every policy needs and this one lacks."""
    given: object = words.get("columns") or {}
    if not isinstance(given, Mapping):
        return
    columns = cast("Mapping[str, object]", given)
    if any(map(_is_protected, columns.values())):
        return
    if Role.QUASI_IDENTIFIER not in map(_role_of, columns.values()):
        yield Fault(
            "columns",
            "no column is a quasi-identifier",
            'Give role = "quasi-identifier" to the columns that help to find a person.',
            code="no-quasi-identifier",
        )
    if not words.get("models"):
        yield Fault(
            "models",
            "no model is named",
            'Add one, e.g. name = "k-anonymity", k = 5.',
            code="no-model",
        )


def _role_of(column: object) -> object:
    """Return the role of a column, checked or not."""
    if isinstance(column, Mapping):
        return cast("Mapping[str, object]", column).get("role")
    return getattr(column, "role", None)


def _is_protected(column: object) -> bool:
    """Return whether a column, checked or not, names a protection."""
    if isinstance(column, Mapping):
        return "protect" in cast("Mapping[str, object]", column)
    return getattr(column, "protect", None) is not None

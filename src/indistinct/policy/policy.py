"""What is promised: the one place where the words of a user become values.

A policy comes from a TOML file, from keywords, or is built in Python with the same words. Its
tables are listed in ``tables.py``, each with a file of its own in ``sections/``; what is checked
between them is listed in ``contradictions.py``.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from indistinct.core.schema import Role
from indistinct.errors import Fault, PolicyError
from indistinct.models import BoundedModel
from indistinct.policy.absences import absences
from indistinct.policy.contradictions import contradictions
from indistinct.policy.tables import PolicyTables
from indistinct.policy.words import word_fault


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
            faults = [word_fault(detail) for detail in error.errors()]
            raise PolicyError([*faults, *absences(words)]) from None
        faults = [*absences(words), *contradictions(self)]
        if faults:
            raise PolicyError(faults)

    @classmethod
    def load(cls, path: str | Path) -> Policy:
        """Read a policy from a TOML file; paths in it are relative to the file.

        Raises
        ------
        PolicyError
            when the file cannot be read, is not TOML, or is no policy
        """
        file = Path(path)
        try:
            words = tomllib.loads(file.read_text(encoding="utf-8"))
        except OSError as error:
            raise PolicyError(
                [Fault(str(path), f"cannot be read: {error.strerror}", "Check the path.")]
            ) from None
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise PolicyError(
                [Fault(str(path), f"is not TOML: {error}", "Mend the file there.")]
            ) from None
        return cls.from_words(words, file.parent)

    @classmethod
    def from_words(cls, words: Mapping[str, Any], folder: Path | None = None) -> Policy:
        """Build a policy from nested words, as a TOML file has them."""
        policy = cls(**words)
        policy._folder = folder or Path()
        return policy

    @classmethod
    def from_keywords(  # noqa: PLR0913 - the words of the short form
        cls,
        *,
        quasi_identifiers: Sequence[str],
        identifiers: Sequence[str] = (),
        sensitive: Sequence[str] = (),
        insensitive: Sequence[str] = (),
        k: int | None = None,
        models: Iterable[BoundedModel | Mapping[str, object]] = (),
        **method: Any,
    ) -> Policy:
        """Build a policy from the short form; hierarchies are then made from the data.

        Parameters
        ----------
        quasi_identifiers, identifiers, sensitive, insensitive : column names per role
        k : least records per class, for k-anonymity
        models : further models
        method : words of the table ``[method]``: ``algorithm``, ``max_suppression`` ...
        """
        roles = {
            Role.IDENTIFIER: identifiers,
            Role.QUASI_IDENTIFIER: quasi_identifiers,
            Role.SENSITIVE: sensitive,
            Role.INSENSITIVE: insensitive,
        }
        named = [name for names in roles.values() for name in names]
        twice = sorted({name for name in named if named.count(name) > 1})
        if twice:
            raise PolicyError(
                [Fault(f"columns.{name}", "is named twice", "Give it one role.") for name in twice]
            )
        least = [] if k is None else [{"name": "k-anonymity", "k": k}]
        return cls(
            columns={name: {"role": role} for role, names in roles.items() for name in names},
            models=[*least, *models],
            method=method,
        )

    def with_words(self, tables: Mapping[str, Mapping[str, Any]]) -> Policy:
        """Give the same policy with other words in some of its tables, checked anew."""
        words = self.words()
        for table, given in tables.items():
            words[table] = {**words.get(table, {}), **given}
        return Policy.from_words(words, self._folder)

    def words(self) -> dict[str, Any]:
        """Give the policy as nested words, defaults left out."""
        words = self.model_dump(mode="json", exclude_defaults=True, exclude={"models"})
        words["models"] = [{"name": model.name, **model.required()} for model in self.models]
        return words

    @property
    def sha256(self) -> str:
        """Hash of what is promised and how it is written, whatever the order in the file.

        The table ``[method]`` has no part in it: how a release was searched for does not change
        what it promises.
        """
        words = {table: said for table, said in self.words().items() if table != "method"}
        words["columns"] = {
            # The old word, so that releases from before it had a new one still verify.
            name: {("weight" if word == "importance" else word): said for word, said in own.items()}
            for name, own in words["columns"].items()
        }
        text = json.dumps(words, sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()

"""How a policy comes from nested words or from a TOML file, whatever its tables are."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

from pydantic import PrivateAttr

from indistinct.core.inputs import read_document, toml_words
from indistinct.errors import Fault, PolicyError
from indistinct.policy.policy_table import Words


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

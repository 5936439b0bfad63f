"""The policy of several tables about the same people, and what follows from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from indistinct.errors import PolicyError
from indistinct.related.policy_faults import related_faults
from indistinct.related.policy_refusals import refused_settings
from indistinct.related.policy_words import RelatedWords
from indistinct.tables.core import Role
from indistinct.tables.models import JointAnonymity
from indistinct.tables.policy import Policy, Specification, resolve, word_fault

KEPT_OR_HIDDEN: Mapping[str, Any] = {"labels": []}


class RelatedPolicy(RelatedWords):
    """What is promised of several tables about the same people.

    Raises
    ------
    PolicyError
        when a word is unknown, a value out of range or parts contradict each other; all faults at
        once, each with its place
    """

    def __init__(self, **words: Any) -> None:
        """Check all words; see the class."""
        refused = list(refused_settings(words))
        if refused:
            raise PolicyError(refused)
        try:
            super().__init__(**words)
        except ValidationError as error:
            raise PolicyError(
                [word_fault(detail, RelatedWords) for detail in error.errors()]
            ) from None
        faults = related_faults(self)
        if faults:
            raise PolicyError(faults)

    def __repr__(self) -> str:
        """Return what is promised, and of which tables."""
        said = self.model.required()
        listed = ", ".join(self.tables)
        return f"<RelatedPolicy of {listed}: {JointAnonymity.name}(k={said['k']}, m={said['m']})>"

    __str__ = __repr__

    def flat(self, name: str, models: Sequence[Mapping[str, Any]] = ()) -> Policy:
        """Return the policy of one table by itself: what its columns are and how they generalize.

        Key columns are identifiers in it, which no release has. A quasi-identifier without a
        hierarchy is kept or hidden.
        """
        table = self.tables[name]
        own_words: Mapping[str, Any] = self.words()["tables"][name]
        words: Mapping[str, Mapping[str, Any]] = own_words.get("columns", {})
        columns: dict[str, Any] = {column: {"role": "identifier"} for column in table.key_columns}
        for column, said in words.items():
            own = dict(said)
            if own["role"] == Role.QUASI_IDENTIFIER and "hierarchy" not in own:
                own["hierarchy"] = KEPT_OR_HIDDEN
            columns[column] = own
        return Policy.of_public_words(
            {
                "columns": columns,
                "models": list(models),
                "data": {"missing": self.data.missing, **own_words.get("data", {})},
                "method": {"max_suppression": self.method.max_suppression},
            },
            self._folder,
        )

    def flat_tables(self) -> dict[str, Specification]:
        """Return the policy of each table by itself, as :meth:`flat` says it, resolved."""
        return {name: resolve(self.flat(name)) for name in self.tables}

    def words(self) -> dict[str, Any]:
        """Return the policy as nested words, defaults left out."""
        words = self.model_dump(mode="json", exclude_defaults=True, exclude={"models"})
        words["models"] = [{"name": one.name, **one.required()} for one in self.models]
        return words

"""The words of a policy of related tables, and how the tables hang together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, cast

from pydantic import BeforeValidator, Field
from pydantic_core import PydanticCustomError

from indistinct.base.parameters import build
from indistinct.errors import ParameterError
from indistinct.related.policy_section import (
    RelatedData,
    RelatedMethod,
    RelatedSection,
    TableSection,
)
from indistinct.tables.core import Role, released_name
from indistinct.tables.masks import PseudonymProtection
from indistinct.tables.models import JointAnonymity, LargestShare
from indistinct.tables.policy import PolicyWords

MODELS = {kind.name: kind for kind in (JointAnonymity, LargestShare)}


def _model(given: object) -> object:
    """Read one entry of ``models``."""
    if isinstance(given, JointAnonymity | LargestShare) or not isinstance(given, Mapping):
        return given
    words = dict(cast("Mapping[str, object]", given))
    kind = MODELS.get(cast("str", words.pop("name", None)))
    if kind is None:
        raise PydanticCustomError(
            "model",
            "is not a model of related tables; there are {named}",
            {
                "named": " and ".join(MODELS),
                "remedy": 'Set name = "joint-anonymity", with k and m.',
            },
        )
    try:
        return build(kind, words, kind.name)
    except ParameterError as error:
        said = "; ".join(f"{fault.place} {fault.problem}" for fault in error.faults)
        raise PydanticCustomError("model", "{said}", {"said": said}) from None


class RelatedWords(PolicyWords):
    """The tables of such a policy, each checked by itself."""

    related: RelatedSection
    tables: Mapping[str, TableSection]
    models: Annotated[
        tuple[Annotated[JointAnonymity | LargestShare, BeforeValidator(_model)], ...],
        Field(min_length=1),
    ]
    data: RelatedData = RelatedData()
    method: RelatedMethod = RelatedMethod()
    withheld: tuple[str, ...] = ()  # of a public policy: what it leaves out

    @property
    def model(self) -> JointAnonymity:
        """What is promised of people."""
        return next(one for one in self.models if isinstance(one, JointAnonymity))

    @property
    def largest_shares(self) -> tuple[LargestShare, ...]:
        """What is promised of values."""
        return tuple(one for one in self.models if isinstance(one, LargestShare))

    @property
    def people(self) -> str:
        """The table of the units."""
        return self.related.people

    @property
    def row_tables(self) -> tuple[str, ...]:
        """The tables whose rows belong to units, those above others first."""
        found: list[str] = []
        waiting = [n for n, t in self.tables.items() if not t.public and n != self.people]
        while waiting:
            ready = [
                name
                for name in waiting
                if all(above not in waiting for above in self.tables_above(name))
            ]
            found += ready
            waiting = [name for name in waiting if name not in ready]
        return tuple(found)

    @property
    def public_tables(self) -> tuple[str, ...]:
        """The tables without people, which are released as they are."""
        return tuple(name for name, table in self.tables.items() if table.public)

    def tables_above(self, name: str) -> tuple[str, ...]:
        """Return the tables with people that a table references."""
        said = self.tables[name].references.values()
        return tuple(one for one in said if one in self.tables and not self.tables[one].public)

    def shown_above(self, name: str) -> tuple[str, ...]:
        """Return the tables whose rows a released row shows above itself, the nearest first.

        The last one is the nearest whose key is released and to which every reference leads.
        """
        found: list[str] = []
        waiting = {*self.tables_above(name)}
        while waiting:
            found.append(max(waiting, key=[self.people, *self.row_tables].index))
            waiting.remove(found[-1])
            if waiting or not self.shows_key(found[-1]):
                waiting |= {*self.tables_above(found[-1])}
        return tuple(found)

    def shows_key(self, name: str) -> bool:
        """Return whether the key of a table is released."""
        return name == self.people or self.tables[name].release_key

    def hidden_above(self, name: str) -> tuple[str, ...]:
        """Return the tables with hidden keys of which a released row shows cells."""
        return tuple(one for one in self.shown_above(name) if not self.shows_key(one))

    def pointers(self, name: str) -> dict[str, str]:
        """Return per table that a released row points at the column with its keys."""
        own = {above: column for column, above in self.tables[name].references.items()}
        return {
            above: released_name(own[above]) if above in own else self.tables[above].new_key or ""
            for above in self.shown_above(name)
            if self.shows_key(above)
        }

    def quasi_identifiers(self, name: str) -> tuple[str, ...]:
        """Return the columns of a table that others may know."""
        columns = self.tables[name].columns.items()
        return tuple(one for one, said in columns if said.role is Role.QUASI_IDENTIFIER)

    @property
    def important(self) -> frozenset[str]:
        """The columns of all tables, ``table.column``, whose importance is above the usual one."""
        return frozenset(
            f"{name}.{column}"
            for name, table in self.tables.items()
            for column, said in table.columns.items()
            if said.importance_number * table.importance > 1
        )

    def pseudonym(self, name: str) -> PseudonymProtection | None:
        """Return what makes the new keys of a table; None where they are drawn for each release."""
        if self.related.keys == "random":
            return None
        file = PseudonymProtection().key if self.related.key is None else self.related.key
        return PseudonymProtection(file, name, folder=self._folder)

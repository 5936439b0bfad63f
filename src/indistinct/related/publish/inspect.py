"""Describe several tables about the same people, and draft a policy for them."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, final

import tomli_w

from indistinct.base.brief import Confidential, short_repr
from indistinct.base.coded_text import sentence
from indistinct.related.policy_section import FileWords
from indistinct.related.publish.by_profile import ProfileWords
from indistinct.related.publish.draft_trial import TriedPromise, tried_promises
from indistinct.related.publish.link_sentences import (
    InspectedTable,
    link_sentences,
    orphans_of,
)
from indistinct.related.read_tables import headers_differ, key_texts, named_tables
from indistinct.tables.core import Progress, Role, key_parts, no_progress
from indistinct.tables.drafting import (
    ColumnElsewhere,
    KeyColumn,
    LinkCandidate,
    ProfileTable,
    RoleElsewhere,
    SchemaProfile,
    SuggestedLinks,
    pairs_to_try,
    profile_named,
    roles_elsewhere,
    suggested_links,
)
from indistinct.tables.engines import DeclaredKeys, declared_keys, is_schema
from indistinct.tables.frames import Frame, distinct_texts
from indistinct.tables.publish import ColumnReport, GivenReading, Inspection, inspect_table
from indistinct.tables.reading import Reading, TableFile

OF_FILE = frozenset(FileWords.model_fields)
OF_READING = frozenset({"format", "type", "last_year", "missing", "unreadable"})
OF_EACH_ROLE = OF_READING | {"role", "reason", "protect"}
READING = GivenReading(None, Reading(suggests=True))
K, M, MAX_DELETED = 5, 2, 0.1
HEAD = (
    "# A draft for tables about the same people: read every role and its reason, and decide.",
    "# Key columns have no role. A table that leads to no person needs its reference, or",
    "# public = true if no row of it is about a person: it is then released as it is. What others",
    "# may know of an event is a quasi-identifier.",
)
OF_EVENTS = "In a table of events, others may know it: then it is a quasi-identifier."


@final
@dataclass(frozen=True, slots=True)
class RelatedInspection:
    """What several tables show before they are published, each by itself and together.

    Parameters
    ----------
    tables : per table, what its columns show
    links : the keys and references that their values suggest, or that a profile names
    frames : the tables, which only the owner of the data may have
    said : what misses the keys and references, and what has to be decided, in sentences
    orphans : the tables with rows that lead nowhere
    profile : the known model of data that they follow, if one was named
    """

    tables: Mapping[str, Inspection]
    links: SuggestedLinks
    frames: Confidential
    profile: SchemaProfile | None = None
    said: tuple[str, ...] = ()
    orphans: tuple[str, ...] = ()

    __repr__ = short_repr

    @property
    def public(self) -> tuple[str, ...]:
        """The tables that a profile says have no people in them."""
        profile = self.profile
        return () if profile is None else tuple(n for n in self.tables if profile.table(n).public)

    @property
    def left_out(self) -> tuple[str, ...]:
        """The tables that a profile says have no place in a release."""
        profile = self.profile
        if profile is None:
            return ()
        return tuple(name for name in self.tables if profile.table(name).leave_out)

    def document(self) -> dict[str, Any]:
        """Return the result as one JSON document."""
        return {
            "people": self.links.people,
            "keys": dict(self.links.keys),
            "references": {name: dict(own) for name, own in self.links.references.items()},
            "said": list(self.said),
            "tables": {name: one.document() for name, one in self.tables.items()},
        }

    def draft(self) -> str:
        """Write the draft of a policy into one text, hierarchies aside; see :meth:`drafted`."""
        return self.drafted("policy", tries=False).text

    def drafted(self, stem: str, *, tries: bool = True) -> RelatedDraft:
        """Write the draft of a policy, with the largest m that holds on some of the people.

        Parameters
        ----------
        stem : begins the names of the files of hierarchies
        tries : whether m = 2 and m = 1 are tried; it takes a search on 1,000 people at most
        """
        hierarchy_files: dict[str, str] = {}
        tables = {name: self._table(name, stem, hierarchy_files) for name in self._order()}
        missing = self._missing()
        if self.profile is not None:
            known = ProfileWords.of(self.profile, self.tables, self.frames.held)
            known.add_to(tables, stem, hierarchy_files)
        words: dict[str, Any] = {
            "related": {"people": self.links.people or ""},
            **({"data": {"missing": missing}} if len(missing) > 1 else {}),
            "tables": tables,
            "models": [{"name": "joint-anonymity", "k": K, "m": M}],
            "method": {"max_deleted": MAX_DELETED},
        }
        frames = self.frames.held
        tried = (
            tried_promises(frames, words, hierarchy_files) if tries and frames is not None else []
        )
        if tried:
            words["models"][0]["m"] = tried[-1].m
        said = [f"# {one}" for one in self.said]
        said += [f"# {one.sentence()}" for one in tried]
        said += [
            f"# Move {name} elsewhere: it has no place in a release." for name in self.left_out
        ]
        if tried and not tried[-1].holds:
            said.append("# Raise method.max_deleted, give coarser levels, or lower k.")
        text = "\n".join([*HEAD, *said, "", tomli_w.dumps(words)])
        return RelatedDraft(text, hierarchy_files, tuple(tried))

    def _missing(self) -> list[str]:
        """Return the words for missing values of all tables that are a value of none."""
        words = dict.fromkeys(word for one in self.tables.values() for word in one.missing)
        frames: Mapping[str, Frame] = self.frames.held or {}
        return [
            word
            for word in words
            if not any(
                word in distinct_texts(frame[column])
                for name, frame in frames.items()
                if word not in self.tables[name].missing
                for column in frame.columns
            )
        ]

    def _order(self) -> Iterator[str]:
        """Yield the tables, that of people first."""
        if self.links.people is not None:
            yield self.links.people
        yield from (
            name for name in self.tables if name != self.links.people and name not in self.left_out
        )

    def _table(self, name: str, stem: str, hierarchy_files: dict[str, str]) -> dict[str, Any]:
        """Return the words of one table."""
        known = ProfileTable() if self.profile is None else self.profile.table(name)
        if known.public:
            return {"public": True}
        links = self.links
        drafted = self.tables[name].drafted(f"{stem}-{name}")
        words = tomllib.loads(drafted.text)
        own: dict[str, Any] = {}
        of_file = {word: one for word, one in words.get("data", {}).items() if word in OF_FILE}
        if of_file:
            own["data"] = of_file
        if name in links.keys:
            own["key"] = links.keys[name]
        if links.references.get(name):
            own["references"] = dict(links.references[name])
        if name in self.orphans:
            own["orphans"] = "drop"
        if known.release_key:
            own["release_key"] = True
        key_columns = {
            part
            for said in (*([own["key"]] if "key" in own else []), *own.get("references", {}))
            for part in key_parts(said)
        }
        roles = {one.name: one for one in self.tables[name].columns}
        own["columns"] = {
            column: self._column(name, said, roles[column])
            for column, said in words.get("columns", {}).items()
            if column not in key_columns
        }
        named = {said.get("hierarchy", {}).get("csv") for said in own["columns"].values()}
        hierarchy_files |= {file: text for file, text in drafted.files.items() if file in named}
        return own

    def _column(self, table: str, said: Mapping[str, Any], known: ColumnReport) -> dict[str, Any]:
        """Return the words of one column; of an event, nobody but the owner knows who knows it."""
        own = dict(said)
        if known.role != own["role"]:
            own |= {"role": known.role, "reason": known.reason}
        of_profile = {} if self.profile is None else self.profile.words_of(table, known.name)
        own |= of_profile
        if not of_profile and table in self.links.references and own["role"] == Role.SENSITIVE:
            own["role"] = Role.UNDECIDED.value
            own["reason"] = f"{own.get('reason', '')} {OF_EVENTS}".strip()
        return {word: own[word] for word in own if _is_word(word, own["role"])}


@dataclass(frozen=True, slots=True)
class RelatedDraft:
    """The draft of a policy of related tables.

    Parameters
    ----------
    text : of the policy
    files : the hierarchies beside it, by their names
    tried : the promises that were tried, the strictest first
    """

    text: str
    files: Mapping[str, str]
    tried: tuple[TriedPromise, ...]

    __repr__ = short_repr


def _is_word(word: str, role: str) -> bool:
    """Return whether a role has a word: others than quasi-identifiers are not generalized."""
    return role in {Role.QUASI_IDENTIFIER, Role.UNDECIDED} or word in OF_EACH_ROLE


def has_related_tables(data: str | Path) -> bool:
    """Return whether a folder holds several tables whose columns differ; a schema may."""
    if is_schema(data):
        return True
    return Path(data).is_dir() and headers_differ(data)


def inspect_related(
    data: Any, *, profile: str | None = None, progress: Progress = no_progress
) -> RelatedInspection:
    """Describe several tables, and suggest how they hang together.

    Parameters
    ----------
    data : a folder, the address of a schema, or a frame for each name
    profile : the known model of data that they follow, such as ``omop-5.4``
    progress : called with the share done and a message

    Raises
    ------
    DataError
        when a table cannot be read
    ParameterError
        when there is no such profile
    """
    known = None if profile is None else profile_named(profile)
    sources = named_tables(data)
    tables: dict[str, Inspection] = {}
    read: dict[str, InspectedTable] = {}
    for number, (name, source) in enumerate(sources.items()):
        progress(number / len(sources), name)
        table = _read(source)
        tables[name] = inspect_table(table)
        # Words for missing values are none of the keys.
        frame = tables[name].records.held
        read[name] = _inspected(table.frame if frame is None else frame, source, table)
    frames = {name: one.frame for name, one in read.items()}
    columns = {
        name: {column: _key_column(frame, column) for column in frame.columns}
        for name, frame in frames.items()
    }
    declared = declared_keys(data) if is_schema(data) else DeclaredKeys()
    links = _links(frames, columns, declared) if known is None else known.links(columns)
    tables = _agreed(tables, columns, links)
    if known is not None:
        tables = {
            name: _with_roles(one, _of_profile(known, name, one)) for name, one in tables.items()
        }
    said = (*reading_sentences(tables), *(link_sentences(read, links) if known is None else ()))
    orphans = tuple(
        name
        for name, own in links.references.items()
        if known is None and orphans_of(name, own, read, links.keys)
    )
    return RelatedInspection(tables, links, Confidential(frames), known, said, orphans)


def _of_profile(profile: SchemaProfile, table: str, found: Inspection) -> dict[str, RoleElsewhere]:
    """Return the roles that a profile gives the columns of a table."""
    names = {one.name.lower() for one in found.columns}
    said = {
        name: profile.role_of_end(table, name, names) or profile.words_of(table, name)
        for name in (one.name for one in found.columns)
    }
    return {
        column: RoleElsewhere(Role(words["role"]), words["reason"])
        for column, words in said.items()
        if "role" in words
    }


def _links(
    frames: Mapping[str, Frame],
    columns: Mapping[str, Mapping[str, KeyColumn]],
    declared: DeclaredKeys,
) -> SuggestedLinks:
    """Suggest keys and references: single columns first, then pairs of columns beside them."""
    said = [
        LinkCandidate.declared(name, column, table, key)
        for (name, column), (table, key) in declared.references.items()
        if name in frames and table in frames
    ]
    for one in said:
        for name, column in ((one.name, one.column), (one.table, one.key)):
            if column not in columns[name]:  # several columns together
                together = {column: _key_column(frames[name], column)}
                columns = {**columns, name: {**columns[name], **together}}
    alone = suggested_links(columns, said)
    pairs = pairs_to_try(columns, set(alone.keys.values()))
    together = {
        name: {**own, **{pair: _key_column(frames[name], pair) for pair in pairs[name]}}
        for name, own in columns.items()
    }
    return suggested_links(together, said) if any(pairs.values()) else alone


def _agreed(
    tables: Mapping[str, Inspection],
    columns: Mapping[str, Mapping[str, KeyColumn]],
    links: SuggestedLinks,
) -> dict[str, Inspection]:
    """Return what the tables show, with the roles that other tables give their columns."""
    judged = {
        name: {
            one.name: ColumnElsewhere(
                Role(one.role), columns[name][one.name].values, columns[name][one.name].is_unique
            )
            for one in found.columns
        }
        for name, found in tables.items()
    }
    elsewhere = roles_elsewhere(judged)
    keys = {key: name for name, key in links.keys.items()}
    agreed: dict[str, Inspection] = {}
    for name, found in tables.items():
        said = (links.keys.get(name, ""), *links.references.get(name, {}))
        own_keys = {part for one in said for part in key_parts(one)}
        roles = {**elsewhere[name], **_named_as_keys(found, keys), **_of_keys(name, links)}
        roles = {column: role for column, role in roles.items() if column not in own_keys}
        agreed[name] = _with_roles(found, roles)
    return agreed


def _of_keys(name: str, links: SuggestedLinks) -> dict[str, RoleElsewhere]:
    """Return the role of columns that hold keys, and are no references: they are identifiers."""
    return {
        column: RoleElsewhere(
            Role.IDENTIFIER, sentence("keys-of", "Its values are keys of {column}.", column=table)
        )
        for column, table in links.further.get(name, {}).items()
    }


def _named_as_keys(found: Inspection, keys: Mapping[str, str]) -> dict[str, RoleElsewhere]:
    """Return the role of columns with the name of a key: they are identifiers."""
    return {
        one.name: RoleElsewhere(
            Role.IDENTIFIER,
            sentence(
                "named-as-key", "It has the name of the key of {column}.", column=keys[one.name]
            ),
        )
        for one in found.columns
        if one.name in keys
    }


def _with_roles(found: Inspection, roles: Mapping[str, RoleElsewhere]) -> Inspection:
    """Return what a table shows, with the roles that other tables give its columns."""
    columns = [
        one
        if (known := roles.get(one.name)) is None
        else replace(
            one,
            role=known.role.value,
            reason=known.reason,
            confidence="medium",
            cost=None,
            candidates=(),
        )
        for one in found.columns
    ]
    return replace(found, columns=tuple(columns))


def _read(source: Any) -> TableFile:
    """Read a table as it is read where it stands alone."""
    return READING.read(str(source) if isinstance(source, Path) else source)


def _inspected(frame: Frame, source: Any, table: TableFile) -> InspectedTable:
    """Return a table whose rows a sentence may name."""
    line = None if table.plain is None else table.plain.line
    return InspectedTable(frame, source if isinstance(source, Path) else None, line)


def reading_sentences(tables: Mapping[str, Inspection]) -> Iterator[str]:
    """Yield how the files of tables are read, and what is open about it."""
    for name, one in tables.items():
        yield from (f"{name}: {said}" for said in one.reading)
        for doubt in one.doubts:
            if doubt.kind not in {"role", "person", "said"}:
                answers = " | ".join(_words_of(name, one.settle) for one in doubt.candidates)
                yield f"{name}: {doubt.text} Say which: {answers}"


def _words_of(table: str, settle: Mapping[str, object]) -> str:
    """Return the words of a policy that answer a question about a table."""
    return ", ".join(
        f"tables.{table}.{'' if word.startswith('columns.') else 'data.'}{word} = "
        f"{json.dumps(said, ensure_ascii=False)}"
        for word, said in settle.items()
    )


def _key_column(frame: Frame, name: str) -> KeyColumn:
    """Return the values of a column, and whether each row has its own."""
    texts = key_texts(frame, name)
    return KeyColumn(texts)

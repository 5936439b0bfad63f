"""Every policy that the registries allow: one for each model, mask, algorithm and form."""

from __future__ import annotations

import copy
import dataclasses
import functools
import itertools
import typing
from contextlib import suppress

import polars as pl

from indistinct.base.parameters import declared
from indistinct.errors import IndistinctError
from indistinct.tables.masks import MASKS, SET_ALGORITHMS
from indistinct.tables.models import MODELS
from indistinct.tables.policy.policy import Policy
from indistinct.tables.policy.sections.data import DataPolicy
from indistinct.tables.policy.sections.hierarchy import HIERARCHY_KINDS
from indistinct.tables.policy.sections.method import MethodPolicy
from indistinct.tables.policy.sections.noise import NoisePolicy
from indistinct.tables.policy.sections.release import ReleasePolicy
from indistinct.tables.search import ALGORITHMS
from masks import people

CODES, ILL = "codes", "illness"
NUMBERS = ("income", "n1", "n2", "n3", "n4", "n5", "n6", "n7")
COLUMNS = (*NUMBERS, "person", "age", "seen", "city", ILL, CODES)
SECTIONS = {
    "release": ReleasePolicy, "noise": NoisePolicy, "method": MethodPolicy, "data": DataPolicy,
}  # fmt: skip
DATES_OF = {"date-shift": ("seen",)}  # which asks for a column of dates
ROLES = ("insensitive", "quasi-identifier", "identifier", "sensitive")
SETS = {"role": "quasi-identifier", "type": "set"}
TWO = {"name": "k-anonymity", "k": 2}
DIVERSE = {"name": "distinct-l-diversity", "column": ILL, "l": 2}
HIERARCHIES = {
    "intervals": {"age": {"intervals": [10, 40]}},
    "mask": {"city": {"mask": 1}},
    "dates": {"seen": {"dates": ["month", "year"]}},
    "tree": {"city": {"tree": {"ab": ["a", "b"], "other": ["c"]}}},
    "csv": {"city": {"csv": "../cities.csv"}},
    "rows": {"city": {"rows": [["a", "ab"], ["b", "ab"], ["c", "other"]]}},
    "labels": {"city": {"labels": []}},
    "ranges": {"age": {"ranges": "exact"}},
}
# What some members need beside themselves. A new member that none of these lets into a policy
# fails the test that every member has one.
COMPANIONS = (
    {"models": [TWO]},
    {},
    {"models": [TWO], "method": {"algorithm": "optimal"}},
    {"models": [TWO, DIVERSE]},
    {"models": [DIVERSE]},
    {
        "models": [{"name": "m-invariance", "column": ILL, "m": 3}],
        "history": {"person": "person"},
        "method": {"algorithm": "invariant"},
    },
    {"columns": {"age": {"protect": {"name": "noise", "lower": 0, "upper": 120}}}},
    {"models": [TWO], "data": {"person": "person"}},
    {"models": [TWO], "population": {"size": 5000}},
    {"models": [TWO], "population": {"data": "../people.csv"}},
    {"models": [TWO], "columns": {CODES: SETS}},
    {
        "models": [TWO, {"name": "km-anonymity", "column": CODES, "k": 2, "m": "all"}],
        "columns": {CODES: SETS},
    },
)


def write_files(folder):
    """Write a table, one of its population, the file of a hierarchy and a key; give the table."""
    (folder / "key").write_text(bytes(range(32)).hex(), encoding="utf-8")
    (folder / "key").chmod(0o600)
    (folder / "cities.csv").write_text("a;ab\nb;ab\nc;other\n", encoding="utf-8")
    frame = people(60).with_row_index("person")
    frame.select("age", "city", "seen").write_csv(folder / "people.csv")
    codes = [";".join(sorted({"x", "yz"[n % 2], "uvw"[n % 3]})) for n in range(60)]
    more = {name: people(60, seed=place)["income"] for place, name in enumerate(NUMBERS[1:])}
    path = folder / "table.csv"
    frame.with_columns(pl.Series(CODES, codes), **more).write_csv(path)
    return path


def _words(given):
    """Return the words of several parts of a policy together; None where two of them differ."""
    roles = {"person": "identifier", "age": "quasi-identifier", "city": "quasi-identifier"}
    columns = {name: {"role": roles.get(name, "insensitive")} for name in COLUMNS}
    columns[ILL] = {"role": "sensitive"}
    said, models = {"method": {"max_suppression": 1.0}}, {}
    for one in given:
        for model in one.get("models", []):
            if models.setdefault(model["name"], model) != model:
                return None
        parts = [
            (said.setdefault(table, {}), words)
            for table, words in one.items()
            if table not in {"models", "columns"}
        ]
        parts += [(columns[name], words) for name, words in one.get("columns", {}).items()]
        for known, words in parts:
            known.update({"role": words["role"]} if "role" in words else {})
            if any(known.setdefault(word, value) != value for word, value in words.items()):
                return None
    return {"models": list(models.values()), **said, "columns": columns}


def _parameters(kind):
    """Return a value of every parameter that a policy may set, in the middle of its range."""
    words = {}
    for name, bounds in declared(kind).items():
        if not bounds.in_policy:
            continue
        if bounds.choices:
            words[name] = str(bounds.choices[0])
        elif bounds.kind is str:
            words[name] = {"column": ILL, "key": "../key"}.get(name, "all")
        elif bounds.kind is bool:
            words[name] = True
        elif bounds.kind is tuple:
            words[name] = ["a", "b", "c"]
        else:
            least = max(x for x in (bounds.at_least, bounds.above, 0) if x is not None)
            most = min(x for x in (bounds.at_most, bounds.below, least + 2) if x is not None)
            words[name] = bounds.kind((least + most) / 2)
    words |= {"percent": 30.0} if "percent" in words else {}
    return words


def _ways(kind):
    """Give the parameters of a member: all, those without a default, and each one of the others."""
    every = _parameters(kind)
    needed = {f.name for f in dataclasses.fields(kind) if f.default is dataclasses.MISSING}
    least = {name: value for name, value in every.items() if name in needed}
    yield every
    yield least
    for name in sorted(set(every) - needed):
        yield {**least, name: every[name]}


def _members():
    """Return every member of every registry with the words that name it, in several ways."""
    for kind in MODELS:
        yield (
            kind.name,
            [
                {"models": [{"name": kind.name, **words, **named}]}
                for words in _ways(kind)
                for named in ([{"column": ILL}, {"column": CODES}] if "column" in words else [{}])
            ],
        )
    for kind in MASKS.values():
        yield (
            kind.name,
            [
                {"columns": {column: {"role": role, "protect": {"name": kind.name, **words}}}}
                for words in _ways(kind)
                for column, role in itertools.product(DATES_OF.get(kind.name, COLUMNS), ROLES)
            ],
        )
    for kind in ALGORITHMS:
        yield kind.name, [{"method": {"algorithm": kind.name, **words}} for words in _ways(kind)]
    for name in SET_ALGORITHMS:
        yield name, [{"method": {"algorithm": name}}]
    for section, kind in SECTIONS.items():
        for word, field in kind.model_fields.items():
            for choice in typing.get_args(field.annotation):
                if isinstance(choice, str):
                    yield f"{section}.{word} = {choice}", [{section: {word: choice}}]
    for kind in HIERARCHY_KINDS:
        ((name, rule),) = HIERARCHIES[kind].items()
        yield (
            f"hierarchy.{kind}",
            [{"columns": {name: {"role": "quasi-identifier", "hierarchy": rule}}}],
        )


@functools.cache
def every_policy():
    """Return policies, few but such that every member of every registry is in one of them.

    Returns
    -------
    the policies, each as the names of members and its words; and the names of the members that no
    policy of this file may have
    """
    packs, left = [], []
    for name, ways in _members():
        for pack in packs:
            way = next((way for way in ways if _holds([*pack[1], way])), None)
            if way is not None:
                pack[0].append(name)
                pack[1].append(way)
                break
        else:
            pairs = itertools.product(COMPANIONS, ways)
            found = next((pair for pair in pairs if _holds(pair)), None)
            packs += [] if found is None else [([name], list(found))]
            left += [name] if found is None else []
    return [("; ".join(names), _words(given)) for names, given in packs], left


def _holds(given):
    """Return whether parts are a policy together."""
    words = _words(given)
    if words is None:
        return False
    with suppress(IndistinctError):
        Policy.from_words(copy.deepcopy(words))
        return True
    return False

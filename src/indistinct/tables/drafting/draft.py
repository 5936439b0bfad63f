"""Write the draft of a policy: roles with their reasons, hierarchies, models and the algorithm."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

import tomli_w

from indistinct.tables.core.schema import Role
from indistinct.tables.drafting.checked import checked
from indistinct.tables.drafting.coarser import drawn_by
from indistinct.tables.drafting.counted_column import CountedColumn
from indistinct.tables.drafting.drawn import FLAT, LONG, DraftedHierarchy, Rows
from indistinct.tables.drafting.hierarchies import drawn, with_missing
from indistinct.tables.drafting.missing import MissingValues
from indistinct.tables.drafting.models import TriedModels, models_of
from indistinct.tables.drafting.questions import ROLE, Doubt
from indistinct.tables.drafting.roles import SET_KIND
from indistinct.tables.drafting.together import JudgedColumn
from indistinct.tables.drafting.vocabulary import vocabulary
from indistinct.tables.policy.sections.column import UNDECIDED, as_column, question
from indistinct.tables.reading.declared_formats import (
    FILE,
    NOTHING_FOUND,
    SET,
    ColumnFormat,
    FoundReading,
)

SEPARATOR = ";"
UNTRIED = TriedModels()
NOMINAL, HOUSEHOLDS = "nominal", "households"
MOST_DRAWN = 40  # hidden columns that have a hierarchy for the case that they are shown
UNIMPORTANT = 0.2  # of a column beyond the eighth, beside 1 of the others
HEAD = (
    "# A draft: read every role and its reason, and decide. No program can know what others know.",
    "#   identifier        leads to one person; it is left out of the release",
    "#   quasi-identifier  others may know it of a person; it is generalized",
    "#   sensitive         nobody may learn it of a person; it is released, and models protect it",
    "#   insensitive       neither of the two; it is released unchanged",
)


@dataclass(frozen=True, slots=True)
class DraftChanges:
    """What a trial changes in a draft.

    Parameters
    ----------
    hidden : quasi-identifiers that are hidden from the start, since the trial took too long with
        them, each with what it kept there
    flat : columns whose hierarchy or format failed, with what failed; they are kept or hidden
    left_out : columns that give back what the release generalizes, with how much
    said : what the trial found, in a sentence; empty where it found nothing to say
    """

    hidden: Mapping[str, str] = field(default_factory=dict[str, str])
    flat: Mapping[str, str] = field(default_factory=dict[str, str])
    left_out: Mapping[str, str] = field(default_factory=dict[str, str])
    said: str = ""


UNCHANGED = DraftChanges()


@dataclass(frozen=True, slots=True)
class CountingColumns:
    """What sizes count.

    Parameters
    ----------
    person : the column that says whose record each is
    weight : the column that says how many people each record stands for
    """

    person: str | None = None
    weight: str | None = None

    @property
    def whom(self) -> str:
        """What the sizes of classes count."""
        if self.person is None:
            return "records"
        return HOUSEHOLDS if vocabulary().is_of_a_household(self.person) else "people"


@dataclass(frozen=True, slots=True)
class PolicyDraft:
    """A drafted policy.

    Parameters
    ----------
    text : TOML
    files : content of the hierarchies beside it, by file name
    undecided : columns that somebody has to decide before it runs
    unprotected : sensitive columns that no model protects
    doubts : the questions about the file
    lacks_known : whether it has no quasi-identifier, of which it needs one
    left_out : columns that a trial found to give back what the release generalizes
    hidden : columns that are hidden from the start, and that may be shown
    trial : what a trial on some records found that the owner should know; else empty
    """

    text: str
    files: Mapping[str, str]
    undecided: tuple[str, ...]
    unprotected: tuple[str, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    lacks_known: bool = False
    left_out: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    trial: str = ""


def drafted(  # noqa: PLR0913 - what a policy is drafted from
    judged: Sequence[JudgedColumn],
    missing: MissingValues,
    counted: CountingColumns,
    stem: str | None,
    found: FoundReading = NOTHING_FOUND,
    *,
    yes: bool = False,
    cost: float = 0.0,
    tried: TriedModels = UNTRIED,
    doubts: Sequence[Doubt] = (),
    changes: DraftChanges = UNCHANGED,
) -> PolicyDraft:
    """Write a policy.

    Parameters
    ----------
    judged : the columns
    missing : how missing values are written
    counted : whose record each is, and how many people it stands for
    stem : begins the names of files beside the policy; None keeps all in the policy itself
    found : how the file is read
    yes : leave undecided columns out of the release, so that the policy runs
    cost : share of the records in groups smaller than 5 by the drafted quasi-identifiers
    tried : the models that a trial found to be the cheapest
    doubts : the questions about the file
    changes : what a trial changes
    """
    judged = [_left_out(one, changes.left_out.get(one.evidence.name)) for one in judged]
    writer = _Writer(judged, missing, counted, stem, found, yes=yes, cost=cost, tried=tried)
    writer.changes = changes
    writer.asked = {name: one for one in doubts if one.kind == ROLE for name in one.about}
    writer.numbers = {one.about: number for number, one in enumerate(doubts, 1)}
    text = "\n".join(writer.lines())
    undecided = (
        ()
        if yes
        else tuple(one.evidence.name for one in judged if one.suggestion.role is Role.UNDECIDED)
    )
    return PolicyDraft(
        text,
        writer.files,
        undecided,
        tuple(models_of(judged)[1]),
        tuple(doubts),
        lacks_known=not any(one.suggestion.role is Role.QUASI_IDENTIFIER for one in judged),
        left_out=tuple(changes.left_out),
        hidden=tuple(changes.hidden),
        trial=changes.said,
    )


def _left_out(one: JudgedColumn, why: str | None) -> JudgedColumn:
    """Return a column that is left out where the trial found that it gives others back."""
    if why is None:
        return one
    role = one.suggestion.role
    said = (
        f"{one.suggestion.reason} It would be {role.value}, but it is left out: in a trial on some "
        f"records, it {why}. To release it, leave out what it gives back instead."
    )
    suggestion = replace(one.suggestion, role=Role.IDENTIFIER, reason=said, candidates=())
    return replace(one, suggestion=suggestion)


class _Writer:
    """Writes the lines of a policy and collects the files beside it."""

    def __init__(  # noqa: PLR0913 - as above
        self,
        judged: Sequence[JudgedColumn],
        missing: MissingValues,
        counted: CountingColumns,
        stem: str | None,
        found: FoundReading,
        *,
        yes: bool,
        cost: float,
        tried: TriedModels,
    ) -> None:
        self.found = found
        self.judged, self.missing, self.counted, self.stem = judged, missing, counted, stem
        self.yes, self.cost = yes, cost
        self.files: dict[str, str] = {}
        self.n_hidden = 0
        self.tried = tried
        self.asked: Mapping[str, Doubt] = {}
        self.numbers: Mapping[tuple[str, ...], int] = {}
        self.changes = UNCHANGED

    def lines(self) -> Iterator[str]:
        """Write the policy."""
        yield from HEAD
        yield from self._data()
        for one in self.judged:
            yield ""
            yield from self._column(one)
        if not any(one.suggestion.role is Role.QUASI_IDENTIFIER for one in self.judged):
            yield "# No column looks like a quasi-identifier: name at least one."
        yield from self._models()
        yield from (
            "",
            "[method]",
            "# local recodes each class by itself and loses least; optimal gives every column one",
            "# level for all records, and proves that no other choice of levels loses less.",
            'algorithm = "local"',
            "max_suppression = 0.05",
            "",
        )

    def _data(self) -> Iterator[str]:
        """Yield how the file is read, how missing values are written, and whose record each is."""
        yield from (f"# {doubt.said}" for doubt in self.missing.doubts)
        words = self.missing.words
        counted = self.counted
        has_columns = counted.person is not None or counted.weight is not None
        asked = [one for one in self.found.doubts if one.about == (FILE,)]
        if len(words) > 1 or has_columns or self.found.words or asked:
            yield from ("", "[data]")
        for one in asked:
            yield f"# {one.text}"
            for _, settle in one.answers:
                yield from (f"# {word} = {inline(value)}" for word, value in settle.items())
        for word, value in self.found.words.items():
            if word in self.found.reasons:
                yield f"# {self.found.reasons[word]}"
            yield f"{word} = {inline(value)}"
        if len(words) > 1:
            yield f"missing = {inline(list(words))}"
        if counted.person is not None:
            yield f"# Its values repeat: sizes count {counted.whom}, not records."
            yield f"person = {inline(counted.person)}"
            if counted.whom == HOUSEHOLDS:
                yield "# household = (the same column) protects families of whom all are known;"
                yield "# it takes k-anonymity alone."
        if counted.weight is not None:
            yield "# It says how many people a record stands for: risks are estimated for them all."
            yield f"weight = {inline(counted.weight)}"

    def _column(self, one: JudgedColumn) -> Iterator[str]:
        """Write the role of a column, the reason, and its hierarchy."""
        column, found = one.evidence, one.suggestion
        left_out = self.yes and found.role is Role.UNDECIDED
        reason = f"{self._said(one)} {UNDECIDED}" if left_out else self._said(one)
        role = Role.IDENTIFIER if left_out else found.role
        yield heading("columns", column.name)
        yield f"role = {inline(role.value)}"
        yield f"reason = {inline(reason)}"
        form = self.found.columns.get(column.name, column.form)
        given_type = None if form is None else form.type
        if self.found.errors.get(column.name):
            yield f"# {self.found.said_errors(column.name)}"
        if (fault := self.changes.flat.get(column.name)) is not None:
            yield f"# A trial on some records failed ({fault}): it is kept or hidden."
        else:
            yield from _format(form)
        if column.name in self.missing.own:
            yield f"missing = {inline(list(self.missing.own[column.name]))}"
        if column.measure and given_type is None:
            yield "# The file labels its values, so that they are codes and no quantities."
            yield f"type = {inline(column.measure)}"
        if 0 < len(column.value_labels) <= LONG:
            listed = (f"{value}: {label}" for value, label in column.value_labels.items())
            yield f"# {'; '.join(one.replace(chr(10), ' ') for one in listed)}"
        yield from self._asks(one, role)
        is_set = found.kind == SET_KIND and given_type in {None, SET}
        if role is Role.QUASI_IDENTIFIER and is_set:
            yield from self._sets(column, has_type=given_type == SET)
        elif role is Role.QUASI_IDENTIFIER:
            shape = self._shape(one)
            yield f"# {shape.said}"
            yield from self._hierarchy(one, shape)
            if found.is_minor:
                yield f"importance = {UNIMPORTANT}"
            if (kept := self.changes.hidden.get(column.name)) is not None:
                yield "# It is hidden from the start: a trial on some records took too long."
                yield f"# When it was shown there, it kept {kept}."
                yield "# Delete the next line to let the search show it."
                yield f"min_level = {shape.height}"

    def _said(self, one: JudgedColumn) -> str:
        """Return why a column has its role, or what its question says."""
        asked = self.asked.get(one.evidence.name)
        if asked is None:
            return one.suggestion.reason
        first = asked.about[0]
        if first != one.evidence.name:
            return as_column(first)
        return question(self.numbers[asked.about], asked.text)

    def _asks(self, one: JudgedColumn, role: Role) -> Iterator[str]:
        """Write the question about a column, how to answer it, and what it would cost."""
        asked = self.asked.get(one.evidence.name)
        if asked is not None and asked.about[0] == one.evidence.name:
            yield f"# ask: {asked.columns}: {asked.answers} {asked.how}"
        if role is Role.UNDECIDED:
            yield f"# {self._cost(one)}"

    def _shape(self, one: JudgedColumn) -> DraftedHierarchy:
        """Draw the hierarchy of a column: by coarser columns where it has some."""
        column = one.evidence
        if column.name in self.changes.flat:
            return FLAT
        self.n_hidden += one.suggestion.is_minor
        if one.suggestion.is_minor and self.n_hidden > MOST_DRAWN:
            return FLAT  # of a column that nobody will look at
        if one.levels:
            by_columns = checked(column, drawn_by(column, one.levels))
            if by_columns.rows is not None:
                return by_columns
        return drawn(column, NOMINAL if column.measure == NOMINAL else one.suggestion.kind)

    def _sets(self, column: CountedColumn, *, has_type: bool) -> Iterator[str]:
        """Yield how lists are written, and draw the hierarchy of their items."""
        found = column.sets
        if found is None:
            return
        if not has_type:
            yield 'type = "set"'
        yield f"separator = {inline(found.separator)}"
        yield "# Labels may be deleted from single records, up to method.max_suppression."
        yield 'suppression = "occurrences"'
        yield "# An importance above 1 keeps more of them, at the cost of the other columns."
        rows, said = found.hierarchy()
        yield f"# {said}"
        if rows is not None:
            yield from self._listed(
                column.name, rows, is_long=DraftedHierarchy("", rows=rows).is_long
            )

    def _cost(self, one: JudgedColumn) -> str:
        """Return what an undecided column would cost as a quasi-identifier."""
        if one.cost is None:
            return "It has too many values to measure what it would cost as a quasi-identifier."
        return (
            f"As a quasi-identifier, coarsely grouped, it would put {one.cost:.0%} of the records "
            f"in groups smaller than 5; without it, {self.cost:.0%} are."
        )

    def _hierarchy(self, one: JudgedColumn, shape: DraftedHierarchy) -> Iterator[str]:
        """Write a hierarchy: a rule, a short tree, or a file beside the policy."""
        if shape.rule is not None:
            yield f"hierarchy = {inline(shape.rule)}"
        if shape.rows is None:
            return
        column = one.evidence
        word = next((word for word in self.missing.words if word), "")
        rows = with_missing(shape.rows, word) if column.missing else shape.rows
        yield from self._listed(column.name, rows, is_long=shape.is_long)

    def _listed(self, column: str, rows: Rows, *, is_long: bool) -> Iterator[str]:
        """Write the rows of a hierarchy as a tree, or as a file beside the policy."""
        if is_long and self.stem is not None:
            yield f"hierarchy = {inline(hierarchy_file(self.stem, column, rows, self.files))}"
        else:
            yield f"hierarchy = {inline({'tree': tree_of(rows)})}"

    def _set_model(self, name: str) -> Iterator[str]:
        """Write the model of a column of lists."""
        yield from ("", "[[models]]")
        yield "# Whoever knows two items of a person still finds at least 5 records with both."
        yield from ('name = "km-anonymity"', f"column = {inline(name)}", "k = 5", "m = 2")

    def _models(self) -> Iterator[str]:
        """Write k-anonymity and the models of the sensitive columns."""
        whom = self.counted.whom
        yield from ("", "[[models]]", f"# Each release row is shared by at least 5 {whom}.")
        if self.tried.said:
            yield f"# {self.tried.said}"
        if self.changes.said:
            yield f"# {self.changes.said}"
        yield from ('name = "k-anonymity"', "k = 5")
        for one in self.judged:
            if one.suggestion.kind == SET_KIND and one.suggestion.role is Role.QUASI_IDENTIFIER:
                yield from self._set_model(one.evidence.name)
        models, left = models_of(self.judged)
        for model in {**models, **self.tried.by_column}.values():
            yield from ("", "[[models]]", f"# {model.said}")
            yield from (f"{word} = {inline(value)}" for word, value in model.words.items())
        if left:
            yield ""
            yield "# No model is drafted for these sensitive columns, released as they are:"
            yield f"# {', '.join(left)}."
            yield "# The summary says where a class has one value of them only."


def hierarchy_file(stem: str, column: str, rows: Rows, files: dict[str, str]) -> dict[str, str]:
    """Add the rows of a hierarchy to the files beside a policy; return the words that name it.

    Parameters
    ----------
    stem : begins the name of the file
    files : the content of each by its name, to which it is added
    """
    name = f"{stem}.{_file_name(column)}.csv"
    while name in files:
        name = name.replace(".csv", "_.csv")
    files[name] = _csv(rows)
    return {"csv": name, "separator": SEPARATOR}


def _format(form: ColumnFormat | None) -> Iterator[str]:
    """Write how the cells of a column are written, with the evidence."""
    if form is None:
        return
    yield f"# {form.said}"
    if form.format is not None:
        yield f"format = {inline(form.format)}"
    if form.last_year is not None:
        yield f"last_year = {form.last_year}"
    if form.type is not None:
        yield f"type = {inline(form.type)}"


def tree_of(rows: Rows) -> dict[str, Any]:
    """Nest the rows of a hierarchy, without the root; the values are the innermost lists."""
    tree: dict[str, Any] = {}
    for row in rows:
        *above, group = row[-2:0:-1]
        node = tree
        for label in above:
            node = node.setdefault(label, {})
        node.setdefault(group, []).append(row[0])
    return tree


def inline(value: object) -> str:
    """Write a value of TOML on one line.

    Examples
    --------
    >>> inline({"tree": {"a b": ["1"]}})
    '{ tree = { "a b" = ["1"] } }'
    """
    if isinstance(value, Mapping):
        table = cast("Mapping[str, object]", value)
        cells = (f"{_key(word)} = {inline(one)}" for word, one in table.items())
        return "{ " + ", ".join(cells) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(inline, cast("list[object]", value))) + "]"
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, str) and '"' in value and "'" not in value and value.isprintable():
        return f"'{value}'"  # as it is written, without escapes
    return tomli_w.dumps({"x": value}).removeprefix("x = ").rstrip("\n")


def heading(*names: str) -> str:
    """Write the heading of a table."""
    return "[" + ".".join(_key(name) for name in names) + "]"


def _key(name: str) -> str:
    """Write a key, quoted where it must be."""
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else inline(name)


def _file_name(name: str) -> str:
    """Write a column's name so that every file system takes it."""
    return re.sub(r"[^A-Za-z0-9_-]+", "_", name) or "column"


def _csv(rows: Rows) -> str:
    """Write the rows of a hierarchy as a file has them."""
    text = io.StringIO()
    csv.writer(text, delimiter=SEPARATOR, lineterminator="\n").writerows(rows)
    return text.getvalue()

"""Step 3: how each column that others may know becomes coarser."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, cast

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response

from indistinct.base.files.writing import atomic
from indistinct.errors import Fault, HierarchyError, IndistinctError, ParameterError, UsageError
from indistinct.frontends.app.edits import mattering, pinned, with_hierarchy
from indistinct.frontends.app.hidden_columns import hidden_in
from indistinct.frontends.app.number_words import count, figure
from indistinct.frontends.app.pages.answers import column_of, said, several, then, upload, whole
from indistinct.frontends.app.pictures import hierarchy_chart, level_rows
from indistinct.frontends.app.project import Project
from indistinct.frontends.app.screen import shown
from indistinct.frontends.app.state import AppState, settled, wait_a_moment
from indistinct.frontends.app.table_profiles import ColumnLevels
from indistinct.frontends.app.texts import text
from indistinct.tables.core import DATE_LEVELS
from indistinct.tables.policy import ColumnPolicy, Policy

MOST_VALUES = 80
MOST_LABELS = 40
IMPORTANCES = {"little": "0.5", "usual": "1", "more": "2", "most": "4"}
USUAL_STEPS = ("month", "quarter", "year", "decade")


@dataclass(frozen=True, slots=True)
class Card:
    """A column, as the list shows it."""

    number: int
    name: str
    rule: str
    steps: str
    pinned: int | None
    faults: tuple[Fault, ...]


@dataclass(frozen=True, slots=True)
class LevelTable:
    """The labels of one level."""

    title: str
    rows: list[tuple[str, str]]


def show(state: AppState) -> Response:
    """List the columns that others may know."""
    project = state.opened()
    policy = project.policy()
    names = list(project.words["columns"])
    measured = [
        state.looks.levels(project.source, project.reading, policy, name)
        for name in policy.class_names
    ]
    wait_a_moment(measured)
    cards = [
        _card(state, names.index(name), name, levels)
        for name, levels in zip(policy.class_names, measured, strict=True)
    ]
    sets = [(name, _of_items(policy.columns[name])) for name in policy.set_names]
    waits = not all(levels.done() for levels in measured)
    return shown(state, "hierarchies", cards=cards, sets=sets, waits=waits)


def show_column(state: AppState, request: Request) -> Response:
    """Show one column at each of its levels."""
    return page(state, whole(request.path_params["number"]))


def page(
    state: AppState, number: int, wrong: tuple[Fault, ...] = (), typed: FormData | None = None
) -> Response:
    """Show a column, with what its form was refused for.

    Parameters
    ----------
    typed : the form that was refused, so that nothing of it is lost
    """
    project = state.opened()
    name = column_of(state, number)
    levels, found = _levels(state, project.policy(), name)
    rule: Mapping[str, Any] = project.words["columns"][name].get("hierarchy", {})
    groups = _groups(levels, rule) if levels is not None else []
    fields = _fields(rule)
    if typed is not None:
        fields = _typed(typed)
        groups = [(v, n, said(typed, f"group-{i}")) for i, (v, n, _) in enumerate(groups)]
    column = project.words["columns"][name]
    return shown(
        state,
        "hierarchies-column",
        status=422 if wrong else 200,
        name=name,
        number=number,
        following=_following(project, name),
        rule=_in_words(rule),
        wrong=(*wrong, *found),
        chart=None if levels is None else hierarchy_chart(name, levels),
        levels=[] if levels is None else _tables(levels),
        fields=fields,
        date_steps=DATE_LEVELS,
        csv=rule.get("csv", ""),
        groups=groups,
        group_names=sorted({group for _, _, group in groups if group}),
        pinned=column.get("min_level") if _is_pinned(column) else None,
        hidden=name in hidden_in(project.words),
        least_level=None if _is_pinned(column) else column.get("min_level"),
        importance=f"{ColumnPolicy.number_of(_importance_of(column)):g}",
        importances=[(value, text(f"importance.{word}")) for word, value in IMPORTANCES.items()],
        least=None if _is_pinned(column) else column.get("max_level"),
    )


def _importance_of(column: Mapping[str, Any]) -> float | str:
    """Return how important a column is, a number or a word, as its policy says."""
    return cast("float | str", column.get("importance", column.get("weight", 1)))


def _is_pinned(column: Mapping[str, Any]) -> bool:
    """Return whether a column has one level alone."""
    return "max_level" in column and column.get("min_level", 0) == column["max_level"]


def _fields(rule: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what the form says of a rule."""
    kinds = ("intervals", "mask", "dates", "csv", "tree")
    return {
        "kind": next((word for word in kinds if word in rule), "none"),
        "intervals": ", ".join(f"{width:g}" for width in rule.get("intervals", ())),
        "mask": str(rule.get("mask", "")),
        "dates": rule.get("dates", USUAL_STEPS),
    }


def _typed(form: FormData) -> Mapping[str, Any]:
    """Return what somebody typed into the form."""
    fields = {name: said(form, name) for name in ("kind", "intervals", "mask")}
    return {**fields, "dates": several(form, "dates")}


def _check_chosen(before: Mapping[str, Any], form: FormData) -> None:
    """Refuse values that were typed beside another choice, which would be lost.

    Raises
    ------
    ParameterError
        asking which of the two is meant
    """
    chosen = said(form, "kind")
    typed = [
        kind
        for kind in ("intervals", "mask")
        if kind != chosen and said(form, kind).strip() not in {"", before[kind]}
    ]
    groups = [name for name in form if name.startswith("group-") and said(form, name).strip()]
    if groups and chosen != "tree" and before["kind"] != "tree":
        typed.append("tree")
    if typed:
        other = text(f"column.kind_{typed[0]}").rstrip(":")
        problem = text("column.not_chosen", typed=other, chosen=text(f"column.kind_{chosen}"))
        raise ParameterError([Fault("", problem, text("column.not_chosen_remedy"))])


def _following(project: Project, name: str) -> tuple[int, str] | None:
    """Return the next column of the list: its number and name; None after the last one."""
    columns, known = list(project.words["columns"]), project.policy().class_names
    later = known[known.index(name) + 1 :] if name in known else ()
    return (columns.index(later[0]), later[0]) if later else None


def save(state: AppState, request: Request, form: FormData) -> Response:
    """Set another hierarchy of a column; one that does not cover its values is refused at once."""
    project = state.opened()
    number = whole(request.path_params["number"])
    name = column_of(state, number)
    try:
        _check_chosen(_fields(project.words["columns"][name].get("hierarchy", {})), form)
        words = with_hierarchy(project.words, name, _rule(state, name, form))
        policy = Policy.from_words(words, project.folder)
        state.looks.levels(project.source, project.reading, policy, name).result()
        state.change(words, text("did.hierarchy", column=name), project.confirmed)
    except IndistinctError as error:
        return page(state, number, error.faults, form)
    return then(f"/hierarchies/{number}")


def matter(state: AppState, request: Request, form: FormData) -> Response:
    """Set how much a column matters, and how detailed it stays at least."""
    project = state.opened()
    number = whole(request.path_params["number"])
    name = column_of(state, number)
    try:
        importance = float(said(form, "importance") or 1)
        least = whole(said(form, "least")) if said(form, "least") else None
        words = mattering(project.words, name, importance, least)
        state.change(words, text("did.matters", column=name), project.confirmed)
    except ValueError:
        raise UsageError(text("problem.number"), text("problem.number_remedy")) from None
    except IndistinctError as error:
        return page(state, number, error.faults)
    return then(f"/hierarchies/{number}")


def pin(state: AppState, request: Request, form: FormData) -> Response:
    """Fix the level of a column, or let it free."""
    project = state.opened()
    number = whole(request.path_params["number"])
    name = column_of(state, number)
    given = said(form, "level")
    level = whole(given) if given else None
    what = text("did.pin", column=name, level=level) if given else text("did.unpin", column=name)
    state.change(pinned(project.words, {name: level}), what, project.confirmed)
    return then(f"/hierarchies/{number}")


def _card(state: AppState, number: int, name: str, measured: Future[ColumnLevels]) -> Card:
    """Describe a column in the list, as far as it was counted."""
    column = state.opened().words["columns"][name]
    steps, faults = "", tuple[Fault, ...]()
    try:
        if measured.done():
            steps = " → ".join(count(len(one)) for one in measured.result().counts)
    except IndistinctError as error:
        faults = error.faults
    rule = _in_words(column.get("hierarchy", {}))
    return Card(number, name, rule, steps, column.get("min_level"), faults)


def _of_items(column: ColumnPolicy) -> str:
    """Return how the items of a column of sets become coarser, and whether they may be left out."""
    rule = column.hierarchy
    if rule is None:
        groups = text("items.flat")
    elif rule.csv is None:
        groups = text("items.tree")
    else:
        groups = text("items.csv", file=rule.csv)
    return f"{groups} {text(f'left_out.{column.suppression}')}"


def _levels(
    state: AppState, policy: Policy, name: str
) -> tuple[ColumnLevels | None, tuple[Fault, ...]]:
    """Count a column at each level; or say what is wrong with its hierarchy."""
    if name not in policy.class_names:
        return None, (Fault(name, text("column.no_hierarchy"), text("column.no_hierarchy_remedy")),)
    try:
        project = state.opened()
        return settled(state.looks.levels(project.source, project.reading, policy, name)), ()
    except IndistinctError as error:
        return None, error.faults


def _tables(levels: ColumnLevels) -> list[LevelTable]:
    """List the labels of each level."""
    return [
        LevelTable(
            text(
                "column.level_of",
                level=level,
                labels=count(len(levels.counts[level])),
            ),
            level_rows(levels, level, MOST_LABELS),
        )
        for level in range(levels.hierarchy.n_levels)
    ]


def _groups(levels: ColumnLevels, rule: Mapping[str, Any]) -> list[tuple[str, int, str]]:
    """List the values with their groups, where there are few enough to group by hand."""
    values = levels.hierarchy.values
    if len(values) > MOST_VALUES:
        return []
    tree: Mapping[str, Any] = rule.get("tree", {})
    group_of = {
        str(value): group
        for group, inner in tree.items()
        if isinstance(inner, list)
        for value in cast("list[Any]", inner)
    }
    sizes: list[int] = levels.counts[0].tolist()
    return [(v, size, group_of.get(v, "")) for v, size in zip(values, sizes, strict=True)]


def _rule(state: AppState, name: str, form: FormData) -> dict[str, Any] | None:
    """Read the rule of a form; None takes what the data suggest."""
    kind = said(form, "kind")
    if kind == "intervals":
        return {"intervals": _widths(said(form, "intervals"))}
    if kind == "mask":
        return {"mask": whole(said(form, "mask"))}
    if kind == "dates":
        chosen = set(several(form, "dates"))
        return {"dates": [step for step in DATE_LEVELS if step in chosen]}
    if kind == "tree":
        return {"tree": _tree(state, name, form)}
    if kind == "csv":
        return {"csv": _imported(state, name, form)}
    return None


def _widths(given: str) -> list[float]:
    """Read the widths of intervals."""
    try:
        return [float(width) for width in given.replace(";", ",").split(",")]
    except ValueError:
        raise ParameterError(
            [Fault("intervals", text("column.bad_widths"), text("column.bad_widths_remedy"))]
        ) from None


def _tree(state: AppState, name: str, form: FormData) -> dict[str, list[str]]:
    """Return the values by their groups; one without a group is left alone in its own."""
    project = state.opened()
    levels = state.looks.levels(project.source, project.reading, project.policy(), name).result()
    tree: dict[str, list[str]] = {}
    for number, value in enumerate(levels.hierarchy.values):
        group = said(form, f"group-{number}").strip() or value
        tree.setdefault(group, []).append(value)
    return tree


def _imported(state: AppState, name: str, form: FormData) -> str:
    """Write an imported file into the project; without a new one the old one stays."""
    project = state.opened()
    content = upload(form, "file")
    if content is None:
        known: str = project.words["columns"][name].get("hierarchy", {}).get("csv", "")
        if not known:
            raise HierarchyError(
                [Fault(name, text("column.no_file"), text("column.no_file_remedy"))]
            )
        return known
    number = list(project.words["columns"]).index(name)
    folder = project.folder / "hierarchies"
    folder.mkdir(mode=0o700, exist_ok=True)
    # A new name each time: earlier policies of the history keep their files.
    version = len(list(folder.glob(f"column-{number}-*.csv"))) + 1
    relative = f"hierarchies/column-{number}-{version}.csv"
    with atomic(project.folder / relative, private=True) as temporary:
        temporary.write_bytes(content)
    return relative


def _in_words(rule: Mapping[str, Any]) -> str:
    """Return a sentence that says how a column becomes coarser."""
    if "intervals" in rule:
        widths = ", ".join(map(figure, rule["intervals"]))
        return text("rule.intervals", widths=widths)
    if "mask" in rule:
        return text("rule.mask", number=rule["mask"])
    if "dates" in rule:
        return text("rule.dates", steps=", ".join(text(f"date.{step}") for step in rule["dates"]))
    if "csv" in rule:
        return text("rule.csv", file=rule["csv"])
    return text(next((f"rule.{word}" for word in ("tree", "labels") if word in rule), "rule.none"))

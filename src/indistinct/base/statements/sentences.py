"""The words for what is said about a release: every voice takes them from here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from indistinct.base.statements.checks import PROMISES, promised, readers_verdict, unexamined
from indistinct.base.statements.number_texts import (
    capitalized,
    chance,
    count,
    figure,
    listed,
    parameters,
    percent,
    some,
)
from indistinct.base.statements.statements import NOT_EXAMINED, Statements, is_known
from indistinct.base.verdicts import Verdict

NO_MODEL = "No model is promised"
UNITS = {"records": "record", "people": "person", "households": "household"}
SOURCES = {
    "original": "the original",
    "crosswalk": "the crosswalk",
    "history": "the history",
    "population": "the table of the population",
    "policy": "the owner's policy",
    "owner": "the owner's file",
    "counterfeits": "the list of counterfeits",
    "engine": "the engine memory",
    "work": "more --work",
    "key": "the key",
    "release": "the release",
}


def why_unknown(part: Mapping[str, Any]) -> str:
    """Return why a figure cannot be had."""
    return f"not examined: {part[NOT_EXAMINED]}"


def sources(needs: Sequence[str]) -> str:
    """Name what it takes to decide something."""
    return listed([SOURCES.get(one, one) for one in needs])


def promises_in(statements: Statements) -> str:
    """Name what is promised, with its parameters; the masks where no model is."""
    if statements.reached:
        return "; ".join(map(_promise, statements.reached))
    masks = statements.kept.get("masked", ())
    return f"{NO_MODEL}; masked: {listed(masks)}" if masks else NO_MODEL


def _promise(entry: Mapping[str, Any]) -> str:
    """Name one promise."""
    column = f" of {entry['column']}" if entry["column"] else ""
    return f"{entry['name']}{column} ({parameters(entry['required'].items())})"


def verdict_words(statements: Statements) -> str:
    """Return the verdict, and which checks were not examined."""
    verdict = statements.verdict["verdict"]
    if not statements.reached and verdict == Verdict.HOLDS:
        said = promises_in(statements)
    else:
        said = f"{verdict}: {promises_in(statements)}"
    aside = unexamined(statements.verdict["checks"])
    return f"{said}; not examined: {listed(aside)}" if aside else said


def verdict_sentence(statements: Statements) -> str:
    """Return the verdict as the title of a page has it."""
    verdict = statements.verdict["verdict"]
    if verdict == Verdict.FAILS:
        return "The promise does not hold."
    if not statements.reached:
        return f"{NO_MODEL}."
    if verdict == Verdict.UNDECIDED:
        return "It is not decided whether the promise holds."
    return "The promise holds."


def readers_sentence(statements: Statements) -> str:
    """Return who decided the promise, and what readers of the published files can decide."""
    checks = promised(statements.verdict["checks"])
    if not checks:
        return "Columns are masked one by one. Readers can check the form of the released cells."
    beyond = list(dict.fromkeys(n for one in checks for n in one["needs"] if n != "release"))
    if readers_verdict(checks) is not Verdict.UNDECIDED:
        return "Everybody can check it by counting the published records."
    unit = next((one["counts"] for one in statements.reached if one["counts"] != "records"), "")
    how = f"counted {unit} with" if unit else "checked it with"
    return f"Its owner {how} {sources(beyond)}. From the published files alone it is undecided."


def undecided_reasons(statements: Statements) -> Iterator[str]:
    """Yield why promises are undecided, and what would decide each."""
    for one in statements.verdict["checks"]:
        if one["state"] == Verdict.UNDECIDED:
            name = one["check"].removeprefix(PROMISES)
            yield f"{name} is undecided: {one.get('why', '')}; it takes {sources(one['needs'])}"


def size_words(size: Mapping[str, Any]) -> str:
    """Return how many records, people or households are released."""
    units = [name for name in UNITS if name in size]
    said = [_counted(unit, size[unit]) for unit in units]
    tables = size.get("tables", {})
    said += [_counted(f"rows of {name}", {"left_out": None, **one}) for name, one in tables.items()]
    return "; ".join(said)


def _counted(unit: str, one: Mapping[str, Any]) -> str:
    """Return how many of a unit are released, and how many are not."""
    if not is_known(one):
        return f"{unit} {why_unknown(one)}"
    if not is_known(one["left_out"]):
        return f"{count(one['released'])} {unit} released"
    gone = one["left_out"]
    share = f" ({percent(gone / one['input'])})" if gone else ""
    return f"{count(one['released'])} of {count(one['input'])} {unit} released" + (
        f", {count(gone)} left out{share}" if gone else ""
    )


def kept_words(kept: Mapping[str, Any]) -> str:
    """Return what is kept, the column that keeps least, and what is not counted."""
    if "levels" in kept:
        return "; ".join(f"{name}: {levels_words(own)}" for name, own in kept["levels"].items())
    share, columns = kept["share"], kept.get("columns", {})
    beside = list(_beside(kept))
    if not is_known(share):
        return "; ".join([why_unknown(share), *beside])
    if (tables := kept.get("tables", {})) and len(tables) > 1:
        worst = min(tables, key=lambda name: tables[name])
        beside.insert(0, f"the table {worst} keeps least, {percent(tables[worst])}")
    said = f"{percent(share)} in {some(len(columns), 'column')}"
    least = min(columns, key=lambda name: columns[name])
    if len(columns) > 1 or least in kept["hidden"]:
        said += f", least {least} {percent(columns[least])}"
        said += " (hidden in every record)" if least in kept["hidden"] else ""
    return "; ".join([said, *beside])


def _beside(kept: Mapping[str, Any]) -> Iterator[str]:
    """Yield what stands beside the headline."""
    same, masked, gone = (kept.get(word, ()) for word in ("same", "masked", "left_out"))
    if same:
        yield f"{listed(same)} {_be(same)} the same in every record"
    if masked:
        yield f"{listed(masked)} {_be(masked)} masked"
    if gone:
        yield f"{some(len(gone), 'column')} {_be(gone)} left out"
    if kept.get("cut"):
        yield f"the link to {listed(kept['cut'])} is cut"


def _be(names: Sequence[str]) -> str:
    """Return the verb for so many names."""
    return "is" if len(names) == 1 else "are"


KEPT_NOTE = (
    "This is the share of the differences between records that these columns showed and that can "
    "still be seen. A record loses the share of the others for whom its released cell stands as "
    "well, and everything where it is left out."
)


def levels_words(levels: Mapping[str, float]) -> str:
    """Return the share of the released records at each level of a column."""
    if set(levels) == {"0"}:
        return "exact in every record"
    parts = [
        f"{percent(share)} {'exact' if level == '0' else f'at level {level}'}"
        for level, share in sorted(levels.items(), key=lambda one: int(one[0]))
    ]
    return ", ".join(parts)


def known_clause(known: Mapping[str, Any]) -> str:
    """Return what somebody finds who knows the columns that others may know."""
    if not is_known(known):
        return f"who is found by what others may know is {why_unknown(known)}"
    if "value" in known:
        who = f"to tell the value of {known['value']} for somebody who finds a group"
        return f"{chance(known['chance'])} {who}"
    if "items" in known and known["items"]["chance"] >= known["chance"]:
        items = known["items"]
        number = some(items["m"], "item") if "m" in items else "the items"
        who = f"for somebody who knows {number} in {items['column']}"
        who += " and the columns that others may know" if known["columns"] else ""
        return f"{chance(items['chance'])} {who}"
    said = f"{chance(known['chance'])} for somebody who knows the columns that others may know"
    if "events" in known:
        events = known["events"]
        rows = f"at most {some(events['m'], 'event')}" if "m" in events else "all events"
        said = f"{chance(known['chance'])} for somebody who knows {rows} of a person"
    if is_known(known.get("population")):
        said += " and that the person is in the table, else "
        said += chance(known["population"]["chance"])
    if "presence" in known:
        said += f"; with {percent(known['presence']['chance'])} it shows that somebody is in it"
    if "after_read_back" in known:
        after = known["after_read_back"]
        said += f"; {chance(1 / max(after['smallest'], 1))} once cells are read back"
    return said


def further_clause(further: Mapping[str, Any]) -> str:
    """Return what somebody finds who also knows one more released column."""
    if not is_known(further):
        return f"who is found by a further column is {why_unknown(further)}"
    unit, of = further["unit"], further["of"]
    open_ones = [name for name, one in further["columns"].items() if not is_known(one)]
    aside = f" ({listed(open_ones)} not examined)" if open_ones else ""
    together = further.get("together")
    said = f"no further column finds anybody{aside}"
    if unit == "records" and further["column"] is None:
        said = f"no further column finds a record{aside}"
    if further["column"] is not None:
        alone = further["alone"]
        share = percent(alone / max(of, 1))
        said = f"{count(alone)} of {count(of)} {unit} ({share}) are found by somebody who also "
        said = said.replace(" are ", " is ", 1) if alone == 1 else said
        said += f"knows {further['column']}{aside}"
    for number, share in further.get("beyond", {}).items():
        if not share:
            continue
        said += f"; with {number} events known, {percent(share)} are below k"
    if together is not None:
        said += f"; {count(together['alone'])} by {listed(together['columns'])} together"
    return said


def risk_clauses(risk: Mapping[str, Any]) -> list[str]:
    """Return both clauses of the highest risk, the worse first."""
    clauses = [known_clause(risk["known"])] if "known" in risk else []
    clauses += [further_clause(risk["further"])] if "further" in risk else []
    highest = risk.get("highest")
    is_further = highest is not None and is_known(highest) and highest["scope"] == "further"
    return clauses[::-1] if is_further else clauses


def risk_words(risk: Mapping[str, Any]) -> str:
    """Return both clauses of the highest risk in one line."""
    return "; ".join(risk_clauses(risk))


def highest_words(risk: Mapping[str, Any]) -> str:
    """Return the highest risk as a figure."""
    highest = risk["highest"]
    return chance(highest["chance"]) if is_known(highest) else "not examined"


def risk_note(risk: Mapping[str, Any]) -> str:
    """Return both clauses as sentences."""
    return " ".join(f"{capitalized(one)}." for one in risk_clauses(risk))


def search_words(search: Mapping[str, Any], *, whole: bool = False) -> str:
    """Return how a release was found.

    Parameters
    ----------
    whole : with its objective, and what that reached
    """
    if not is_known(search):
        return why_unknown(search)
    said = str(search["algorithm"])
    if is_known(search.get("seconds")):
        said += f", {search['seconds']:.2f} s"
    if not whole or not is_known(search.get("value")):
        return said
    said += f"; {search['objective']} {figure(search['value'])}"
    if is_known(search.get("bound")):
        said += f", no release of its kind below {figure(search['bound'])}"
    return said

"""Random cases: a table of every type, and a policy over every algorithm, model, form and mask.

A case is plain data, so that one that fails can be kept as JSON and tried again by later versions:

- ``columns``: per column its Polars type and its cells (dates and times as whole numbers)
- ``policy``: the words of a policy file
- ``files``: hierarchy files that the policy names, by their names
- ``population``: columns of the population's table, where the policy asks for one
- ``source``: how the table is handed in: a file format, or the library of a frame
"""

import csv
import io
import math
import random
from decimal import Decimal

import polars as pl

from fuzz.collisions import add_collisions
from fuzz.listed import add_listed_numbers
from fuzz.rarities import add_rarities
from indistinct.tables.core.date_hierarchies import DATE_LEVELS
from indistinct.tables.masks import MASKS
from indistinct.tables.metrics import AGGREGATES, METRICS
from indistinct.tables.search import ALGORITHMS_BY_NAME

MARKER = (
    "mk"  # every made-up text begins like this, so that it is found again in bytes and messages
)
TEXT_TYPES = ("String", "Categorical", "Enum")
INTEGERS = {
    "Int8": 7,
    "Int16": 15,
    "Int32": 31,
    "Int64": 63,
    "Int128": 126,
    "UInt8": 8,
    "UInt16": 16,
    "UInt32": 32,
    "UInt64": 64,
}
DATETIMES = (
    "Datetime[ms]",
    "Datetime[us]",
    "Datetime[ns]",
    "Datetime[us, UTC]",
    "Datetime[ms, Europe/Berlin]",
    "Datetime[ns, America/New_York]",
)
DURATIONS = ("Duration[ms]", "Duration[us]", "Duration[ns]")
TYPES = (
    *("String",) * 8,
    *("Int64",) * 4,
    *("Float64",) * 6,
    *INTEGERS,
    "Float32",
    "Decimal[20, 3]",
    "Decimal[38, 10]",
    "Boolean",
    "Categorical",
    "Enum",
    "Date",
    "Date",
    *DATETIMES,
    "Time",
    *DURATIONS,
    "Null",
)
ODD_NAMES = (
    'say "so"',
    "two\nlines",
    "carriage\rreturn",
    "records",
    "value",
    "len",
    "*",
    "count",
    " ",
    "",
    "index",
    "literal",
    "a,b",
    "^x.*$",
    "größe",
    "group",
    "__index__",
    "a_min",
    "level_0",
    "class",
    "x;y",
    "tab\tname",
    "'",
    "row_nr",
    "size",
)
SOURCES = ("polars", "polars", "polars", "pandas", "pyarrow", "csv", "parquet", "arrow")
UNITS = {"ms": 10**3, "us": 10**6, "ns": 10**9}
SECONDS_OF_A_DAY = 86_400
QUASI, SENSITIVE, INSENSITIVE, IDENTIFIER = (
    "quasi-identifier",
    "sensitive",
    "insensitive",
    "identifier",
)


def random_case(seed: int) -> dict:
    """Make up the case of a seed."""
    chance = random.Random(seed)
    n_rows = chance.choice([1, 2, 3, 5, 8, 12, 20, 20, 30, 30, 40, 60])
    names = _names(chance, chance.choice([1, 2, 3, 4, 4, 5, 5, 6]))
    columns = {name: _column(chance, n_rows) for name in names}
    roles = _roles(chance, names)
    files: dict[str, str] = {}
    words = {
        name: _column_words(chance, columns[name], roles[name], files, f"h{number}.csv")
        for number, name in enumerate(names)
    }
    policy = {"columns": words, "data": _data_words(chance), "method": _method_words(chance)}
    if any(set(name) & set(";\t|,") for name in names):
        policy["data"]["separator"] = ","  # names like these mislead the guess
    policy["release"] = _release_words(chance, policy["method"])
    policy["models"] = _models(chance, roles, words, policy, n_rows)
    if chance.random() < 0.95:
        _fit(chance, policy, n_rows)
    if chance.random() < 0.1:
        policy["noise"] = {"epsilon": chance.choice([0.1, 1.0, 5.0])}
    population = _population(chance, columns, roles, policy, n_rows)
    source = chance.choice(SOURCES)
    if chance.random() < 0.12:
        _tell_people(chance, columns, policy, n_rows)
    add_rarities(seed, columns, policy, files)
    case = {
        "columns": columns,
        "policy": policy,
        "files": files,
        "population": population,
        "source": source,
        "seed": seed,
    }
    add_listed_numbers(seed, case, frame_of(columns))
    add_collisions(seed, case)
    return case


def _tell_people(chance: random.Random, columns: dict, policy: dict, n_rows: int) -> None:
    """Add a column of persons, some with several records, and count them instead of records."""
    if policy["release"].get("form") == "anatomy" or "suppressed_cell" in policy["release"]:
        return
    n_people = max(1, n_rows * chance.choice([1, 2, 3]) // 3)
    cells = [f"{MARKER}person{chance.randrange(n_people):04d}" for _ in range(n_rows)]
    columns["person"] = {"type": "String", "cells": cells}
    policy["columns"]["person"] = {"role": IDENTIFIER}
    policy["data"]["person"] = "person"
    for model in policy["models"]:
        model.pop("others", None)


def frame_of(columns: dict) -> pl.DataFrame:
    """Build the frame that a case describes."""
    return pl.DataFrame([_series(name, **column) for name, column in columns.items()])


def texts_of(columns: dict) -> set[str]:
    """Return the made-up texts of a table that are long enough to be told from chance."""
    return {
        cell
        for column in columns.values()
        if column["type"] in TEXT_TYPES
        for cell in column["cells"]
        if isinstance(cell, str) and cell.startswith(MARKER)
    }


def _series(name: str, type: str, cells: list) -> pl.Series:  # noqa: A002, PLR0911 - one case per type
    """Build one column."""
    kind, _, rest = type.partition("[")
    parameters = rest.rstrip("]").split(", ") if rest else []
    if kind == "Enum":
        known = list(dict.fromkeys(cell for cell in cells if cell is not None))
        return pl.Series(name, cells, pl.Enum(known))
    if kind == "Decimal":
        dtype = pl.Decimal(int(parameters[0]), int(parameters[1]))
        values = [None if cell is None else Decimal(cell) for cell in cells]
        return pl.Series(name, values, dtype)
    if kind == "Date":
        return pl.Series(name, cells, pl.Int32).cast(pl.Date)
    if kind == "Time":
        return pl.Series(name, cells, pl.Int64).cast(pl.Time)
    if kind == "Datetime":
        zone = parameters[1] if len(parameters) > 1 else None
        return pl.Series(name, cells, pl.Int64).cast(pl.Datetime(parameters[0], zone))
    if kind == "Duration":
        return pl.Series(name, cells, pl.Int64).cast(pl.Duration(parameters[0]))
    return pl.Series(name, cells, getattr(pl, kind))


def _fit(chance: random.Random, policy: dict, n_rows: int) -> None:
    """Take back what contradicts itself: it is refused before anything interesting happens."""
    columns, method = policy["columns"], policy["method"]
    models = [model for model in policy["models"] if model.get("k", 0) <= n_rows]
    is_noisy = any(_is_noise(words.get("protect")) for words in columns.values())
    if not is_noisy:
        models = [model for model in models if model["name"] != "confident-k-anonymity"]
    if "data" not in policy.get("population", {}):
        models = [model for model in models if model["name"] != "delta-presence"]
    elif any(model["name"] == "delta-presence" for model in models):
        method["algorithm"] = chance.choice(["optimal", "ola"])
    policy["models"] = models or [{"name": "k-anonymity", "k": 2}]
    _fit_intervals(policy)
    if all(words["role"] != SENSITIVE for words in columns.values()):
        method["target"] = "identity"
        if ALGORITHMS_BY_NAME[method["algorithm"]].reads_sensitive:
            method["algorithm"] = chance.choice(["mondrian", "local", "optimal", "k-member"])
    if policy["release"].get("form") == "anatomy":
        for words in columns.values():
            for word in ("min_level", "protect"):
                words.pop(word, None)


def _fit_intervals(policy: dict) -> None:
    """Show ranges where a model looks for the larger sets around them."""
    release, models = policy["release"], {model["name"] for model in policy["models"]}
    if "nt-closeness" in models and release.get("intervals") == "midpoint":
        release["intervals"] = "label"


def _names(chance: random.Random, count: int) -> list[str]:
    """Choose names, some of them odd."""
    plain = [f"c{number}" for number in range(count)]
    odd = chance.sample(ODD_NAMES, count)
    rate = chance.choice([0, 0, 0.2, 0.6])
    return [o if chance.random() < rate else p for o, p in zip(odd, plain, strict=True)]


def _column(chance: random.Random, n_rows: int) -> dict:
    """Make up a column: few distinct values or many, evenly or unevenly spread, some missing."""
    kind = chance.choice(TYPES)
    n_values = chance.choice([1, 2, 2, 3, 4, 6, 10, n_rows])
    values = [_value(chance, kind) for _ in range(n_values)]
    if kind in TEXT_TYPES:
        values = list(dict.fromkeys(values))
    power = chance.choice([0, 0, 1, 2])
    weights = [1 / (rank + 1) ** power for rank in range(len(values))]
    missing = chance.choice([0, 0, 0, 0.1, 0.5])
    cells = [
        None if chance.random() < missing else chance.choices(values, weights)[0]
        for _ in range(n_rows)
    ]
    return {"type": kind, "cells": cells}


def _value(chance: random.Random, kind: str) -> object:  # noqa: PLR0911 - one case per type
    """Make up a value of a type."""
    family, _, rest = kind.partition("[")
    if family in TEXT_TYPES:
        return _text(chance)
    if family in INTEGERS:
        bits = INTEGERS[family] if chance.random() < 0.15 else min(INTEGERS[family], 7)
        least = 0 if family.startswith("U") or chance.random() < 0.7 else -(2**bits)
        return chance.randint(least, 2**bits - 1)
    if family in {"Float64", "Float32"}:
        return _float(chance)
    if family == "Decimal":
        return str(Decimal(chance.randint(-(10**6), 10**6)).scaleb(-chance.randint(0, 3)))
    if family == "Boolean":
        return chance.random() < 0.5
    if family == "Date":
        return chance.randint(-3000, 25_000)
    if family == "Time":
        second = chance.randint(0, SECONDS_OF_A_DAY - 1) * 10**9
        return second + chance.choice([0, 0, 500_000_000, chance.randint(0, 10**9 - 1)])
    if family in {"Datetime", "Duration"}:
        unit = UNITS[rest.rstrip("]").split(", ")[0]]
        low = -(10**6) if family == "Duration" else -(10**8)
        high = 10**6 if family == "Duration" else 2 * 10**9
        return chance.randint(low, high) * unit + chance.choice([0, 0, chance.randint(0, unit - 1)])
    return None


def _float(chance: random.Random) -> float:
    """Make up a number: with 15 decimals, round, of either sign, not a number, or a zero."""
    return chance.choice(
        [
            chance.random,
            lambda: chance.uniform(-100, 100),
            lambda: round(chance.uniform(0, 100), 2),
            lambda: float(chance.randint(0, 9)),
            lambda: chance.choice([0.0, -0.0, math.nan]),
            lambda: chance.random() * 10.0 ** chance.randint(-12, 12),
        ]
    )()


def _text(chance: random.Random) -> str:
    """Make up a text: a code, an odd one, a long one, or a missing value's word."""
    letters = "".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=8))
    return chance.choice(
        [
            lambda: f"{MARKER}{letters}",
            lambda: f"{MARKER}{letters}",
            lambda: f"{MARKER}{letters * 4}",
            lambda: f'{MARKER}{letters} "q", {letters}',
            lambda: f"{MARKER}{letters}\nline",
            lambda: f"{MARKER}{letters}\r\nänd ß 漢字 \U0001f600",
            lambda: f"{chance.randint(0, 99999):05d}",
            lambda: str(chance.randint(0, 50)),
            lambda: f"19{chance.randint(10, 99)}-0{chance.randint(1, 9)}-1{chance.randint(0, 9)}",
            lambda: chance.choice(["", " ", "?", "NA", "*", "**", "[1, 2)", "nan", "null", "-"]),
            lambda: chance.choice(["a", "b", "A", " a", "a "]),
        ]
    )()


def _roles(chance: random.Random, names: list[str]) -> dict[str, str]:
    """Give each column a role; the first is a quasi-identifier."""
    further = [QUASI, QUASI, SENSITIVE, SENSITIVE, INSENSITIVE, IDENTIFIER]
    return {name: chance.choice(further) if index else QUASI for index, name in enumerate(names)}


def _column_words(
    chance: random.Random, column: dict, role: str, files: dict[str, str], file: str
) -> dict:
    """Say of a column what a policy may say."""
    words: dict = {"role": role}
    if chance.random() < 0.12:
        protect = _protection(chance)
        name = protect if isinstance(protect, str) else protect["name"]
        if role in MASKS[name].roles or chance.random() < 0.05:
            words["protect"] = protect
    is_noisy = _is_noise(words.get("protect"))
    if role in {QUASI, SENSITIVE} and not is_noisy and chance.random() < 0.6:
        hierarchy = _hierarchy(chance, column, files, file)
        if hierarchy is not None:
            words["hierarchy"] = hierarchy
    if role == QUASI and chance.random() < 0.15:
        words["min_level"] = chance.choice([1, 1, 2])
    if role == QUASI and chance.random() < 0.15:
        words["max_level"] = max(words.get("min_level", 0), chance.choice([0, 1, 2]))
    if role == QUASI and chance.random() < 0.1:
        words["weight"] = chance.choice([0.5, 3.0])
    return words


def _hierarchy(
    chance: random.Random, column: dict, files: dict[str, str], file: str
) -> dict | None:
    """Choose a hierarchy that fits the type, now and then one that does not."""
    kind = column["type"]
    if chance.random() < 0.05:
        kind = chance.choice(["Int64", "Date", "String"])
    if kind in INTEGERS or kind.startswith(("Float", "Decimal")):
        first = chance.choice([0.1, 0.25, 1, 5, 10, 1000])
        widths = [first, first * 2, first * 10][: chance.choice([1, 2, 3])]
        return chance.choice([{"intervals": widths}, {"intervals": widths}, {"mask": 2}])
    if kind.startswith(("Date", "Datetime")):
        steps = sorted(chance.sample(range(7), chance.choice([1, 2, 4])))
        return {"dates": [DATE_LEVELS[3:][step] for step in steps]}
    if kind not in TEXT_TYPES:
        return {"mask": chance.choice([1, 3])}
    if chance.random() < 0.3:
        return {"mask": chance.choice([1, 5, 12])}
    texts = list(dict.fromkeys("" if cell is None else str(cell) for cell in column["cells"]))
    if len(texts) > 1 and "" in texts and chance.random() < 0.5:
        texts.remove("")  # a list need not have the missing value
    groups = [f"g{chance.randint(0, 2)}" for _ in texts]
    if chance.random() < 0.5:
        tree: dict[str, list[str]] = {}
        for text, group in zip(texts, groups, strict=True):
            tree.setdefault(group, []).append(text)
        return {"tree": tree}
    written = io.StringIO()
    rows = [[text, group, "*"] for text, group in zip(texts, groups, strict=True)]
    csv.writer(written, delimiter=";").writerows(rows)
    files[file] = written.getvalue()
    return {"csv": file, "separator": ";"}


def _protection(chance: random.Random) -> object:
    """Choose a protection besides generalization."""
    return chance.choice(
        [
            {"name": "randomized-response", "truth": 0.7},
            {"name": "randomized-response", "epsilon": 1.0},
            {"name": "microaggregation", "k": 2},
            {"name": "microaggregation", "k": 3},
            {"name": "noise-additive", "share": 0.2},
            {"name": "noise-additive", "share": 0.2, "correlated": True},
            {"name": "swap", "percent": 20},
            {"name": "pram", "truth": 0.8},
            {"name": "round", "base": chance.choice([5, 0.5, 100])},
            {"name": "top-bottom", "low": 1, "high": 50},
            {"name": "pseudonym", "key": "fuzz.key"},
            "noise",
            {"name": "noise", "lower": -100, "upper": 100},
        ]
    )


def _is_noise(protect: object) -> bool:
    """Return whether a protection is noise by class."""
    return protect == "noise" or (isinstance(protect, dict) and protect["name"] == "noise")


def _data_words(chance: random.Random) -> dict:
    """Return how missing values are written and taken."""
    missing = chance.choice([[""], [""], ["", "?"], ["?", "NA", ""], ["NA"]])
    return {
        "missing": missing,
        "missing_as": chance.choice(["value"] * 9 + ["suppress"] * 3 + ["refuse"]),
    }


def _method_words(chance: random.Random) -> dict:
    """Choose an algorithm and its words."""
    words = {
        "algorithm": chance.choice(
            tuple(name for name, kind in ALGORITHMS_BY_NAME.items() if not kind.republishes)
        ),
        "max_suppression": chance.choice([0, 0, 0.1, 0.3, 0.6, 1.0]),
        "effort": "fast",
        "trees": 2,
        "target": chance.choice(["sensitive", "identity"]),
    }
    if chance.random() < 0.5:
        words["objective"] = chance.choice(tuple(METRICS))
    if chance.random() < 0.3:
        words["aggregate"] = chance.choice(tuple(AGGREGATES))
    if chance.random() < 0.2:
        words["relaxed"] = True
    if chance.random() < 0.05:
        words["weights"] = "vulnerability"
    if words["algorithm"] == "adaptive":
        words["grouping"] = chance.choice(["similar", "local", "informative"])
        words["similarity"] = chance.choice(["hierarchy", "cosine"])
        words["step"] = chance.choice(["needed", "fixed"])
    return words


def _release_words(chance: random.Random, method: dict) -> dict:
    """Choose how the release is written."""
    if chance.random() < 0.07:
        return {"form": "anatomy"}
    words = {
        "suppressed": chance.choice(["drop", "mask"]),
        "intervals": chance.choice(["label", "label", "bounds", "midpoint"]),
    }
    if method["algorithm"] == "cell-suppression" and chance.random() < 0.5:
        words |= {"suppressed_cell": "any", "intervals": "label"}
    return words


def _models(
    chance: random.Random, roles: dict, words: dict, policy: dict, n_rows: int
) -> list[dict]:
    """Choose models that the columns allow."""
    sensitive = [name for name, role in roles.items() if role == SENSITIVE]
    anonymity = {"name": "k-anonymity", "k": chance.choice([2, 2, 3, 5])}
    if policy["release"].get("form") == "anatomy":
        column = sensitive[0] if sensitive else "c0"
        kind = chance.choice(["distinct-l-diversity", "probabilistic-l-diversity"])
        return [{"name": kind, "column": column, "l": 2}]
    if policy["release"].get("suppressed_cell") == "any":
        return [anonymity]
    models = [anonymity] if chance.random() < 0.75 else []
    for _ in range(chance.choice([0, 1, 1, 2])):
        if sensitive and chance.random() < 0.75:
            models.append(_diversity(chance, chance.choice(sensitive), words, n_rows))
        elif chance.random() < 0.5:
            models.append(_size_model(chance, policy))
    named = {model["name"]: model for model in models}
    return list(named.values()) or [anonymity]


def _diversity(chance: random.Random, column: str, words: dict, n_rows: int) -> dict:
    """Choose a model of a sensitive column."""
    has_tree = "hierarchy" in words[column]
    distances = ["equal", "ordered", "kernel", *(["hierarchical"] if has_tree else [])]
    ground = chance.choice(["rank", "rank", "value"])
    kernel = {"distance": chance.choice(distances), "ground": ground}
    chosen = chance.choice(
        [
            {"name": "distinct-l-diversity", "l": 2},
            {"name": "distinct-l-diversity", "l": 2},
            {"name": "probabilistic-l-diversity", "l": chance.choice([1.2, 1.5, 2])},
            {"name": "entropy-l-diversity", "l": chance.choice([1.1, 1.5, 2])},
            {"name": "recursive-cl-diversity", "c": chance.choice([1.5, 4]), "l": 2},
            {"name": "simpson-diversity", "d": 1.2, "evenness": chance.choice([0, 0.5])},
            {"name": "alpha-k-anonymity", "alpha": chance.choice([0.5, 0.9]), "k": 2},
            {"name": "t-closeness", "t": chance.choice([0.2, 0.4, 0.6]), **kernel},
            {"name": "t-closeness", "t": chance.choice([0.2, 0.4]), "distance": "equal"},
            {"name": "nt-closeness", "n": max(1, n_rows // 2), "t": 0.4, **kernel},
            {"name": "beta-likeness", "beta": 2, "variant": chance.choice(["basic", "enhanced"])},
            {
                "name": "delta-disclosure",
                "delta": chance.choice([1, 3]),
                "absent": chance.choice(["violates", "ignore"]),
            },
        ]
    )
    if chance.random() < 0.1:
        chosen["others"] = "quasi-identifiers"
    return chosen | {"column": column}


def _size_model(chance: random.Random, policy: dict) -> dict:
    """Choose a model of class sizes or of the population."""
    population = ["k-map", "delta-presence", "population-uniqueness"]
    kind = chance.choice(
        ["average-risk", "sample-uniqueness", "confident-k-anonymity", *population]
    )
    if kind in population:
        policy["population"] = {}
    return {
        "average-risk": {"name": kind, "threshold": 0.4},
        "sample-uniqueness": {"name": kind, "threshold": 0.1},
        "confident-k-anonymity": {"name": kind, "k": 2},
        "k-map": {"name": kind, "k": 3},
        "delta-presence": {"name": kind, "delta_min": 0.0, "delta_max": 0.7},
        "population-uniqueness": {"name": kind, "threshold": 0.2},
    }[kind]


def _population(
    chance: random.Random, columns: dict, roles: dict, policy: dict, n_rows: int
) -> dict | None:
    """Make up the population where the policy asks for one: some others besides the records."""
    if "population" not in policy:
        if chance.random() < 0.05:
            policy["population"] = {"size": 10 * n_rows}
        return None
    if chance.random() < 0.3:
        policy["population"] = {"size": 10 * n_rows}
        return None
    policy["population"] = {"data": "population.parquet"}
    rows = [*range(n_rows), *(chance.randrange(n_rows) for _ in range(2 * n_rows))]
    chance.shuffle(rows)
    return {
        name: {"type": column["type"], "cells": [column["cells"][row] for row in rows]}
        for name, column in columns.items()
        if roles[name] == QUASI
    }

"""Numbers whose groups a file or a tree lists, as ranges, by names or by numbers.

They are drawn apart from the rest of a case, so that they do not change what else a seed draws.
"""

import csv
import io
import random

import polars as pl

QUASI, SENSITIVE = "quasi-identifier", "sensitive"
NUMBERS = ("Int", "UInt", "Float", "Decimal")
FAR = 10**12
KINDS = ("closed", "half-open", "name", "number", "beside")


def add_listed_numbers(seed: int, case: dict, frame: pl.DataFrame) -> None:
    """List the groups of the numbers of some cases, in place.

    Parameters
    ----------
    frame : the table of the case
    """
    chance = random.Random(f"listed {seed}")
    if chance.random() > 0.06 or case["population"]:
        return
    for number, name in enumerate(case["columns"]):
        words = case["policy"]["columns"].get(name, {})
        is_free = words.get("role") in {QUASI, SENSITIVE} and "protect" not in words
        is_number = case["columns"][name]["type"].startswith(NUMBERS)
        if is_free and is_number and name in frame.columns and chance.random() < 0.8:
            texts = _texts(frame[name].alias("x"))
            if texts:
                _list_groups(chance, case, words, texts, f"listed{number}.csv")


def _texts(column: pl.Series) -> list[str]:
    """Return the numbers of a column, ascending, as a file or a tree has to list them."""
    known = column.drop_nulls()
    known = known.drop_nans() if known.dtype.is_float() else known
    return known.unique().sort().cast(pl.String).to_list()


def _list_groups(
    chance: random.Random, case: dict, words: dict, texts: list[str], file: str
) -> None:
    """Write one or two levels of groups of neighbours, and mostly one of the missing value."""
    kind, size = chance.choice(KINDS), chance.choice([1, 2, 3])
    n_levels = chance.choice([1, 1, 2])
    rows = [[text] for text in texts]
    for level in range(n_levels):
        width = size * 2**level
        for start in range(0, len(texts), width):
            label = _label(chance, kind, texts[start : start + width], f"g{level}{start}")
            for row in rows[start : start + width]:
                row.append(label)
    if chance.random() < 0.8:
        missing = (case["policy"]["data"].get("missing") or [""])[0]
        rows.append([missing, *[chance.choice([missing, "none"])] * n_levels])
    if n_levels == 1 and chance.random() < 0.5:
        tree: dict[str, list[str]] = {}
        for value, label in rows:
            tree.setdefault(label, []).append(value)
        words["hierarchy"] = {"tree": tree}
        return
    written = io.StringIO()
    csv.writer(written, delimiter=";").writerows([*row, "*"] for row in rows)
    case["files"][file] = written.getvalue()
    words["hierarchy"] = {"csv": file, "separator": ";"}


def _label(chance: random.Random, kind: str, texts: list[str], name: str) -> str:
    """Name a group of neighbours: by a range around them, or by what may mislead a reader."""
    first, last = texts[0], texts[-1]
    return {
        "closed": f"[{first}, {last}]",
        "half-open": f"[{first}, {FAR})",
        "name": name,
        "number": first,
        "beside": chance.choice([f"[{last}, {first}]", "[0, 1)", last]),
    }[kind]

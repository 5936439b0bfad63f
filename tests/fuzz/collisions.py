"""Texts and labels that read alike: values that look like labels, groups that look like values.

They are drawn apart from the rest of a case, so that they do not change what else a seed draws.
"""

import csv
import io
import random

QUASI, SENSITIVE = "quasi-identifier", "sensitive"
ALPHABETS = (
    ("1", "2", "11", "12", "1*", "*", "01"),
    ("4", "4.0", "4.5", "-4", "0", "-0", "1e1", "10"),
    ("[0, 5)", "[0, 10)", "3", "7", "[3, 7]", "0"),
    ("2020", "2020-01", "2020-01-15", "2020-Q1", "2020s", "2019-12-31"),
    ("a", "a*", "a**", "ab", "aB", "abc", "*bc"),
    ("", " ", "-", "?", "NA", "nan", "null", "None"),
    ("true", "false", "True", "0", "1", "yes"),
    ("{a, b}", "{a}", "a|b", "a;b", 'a"b', "a\nb"),
    ("é", "e\u0301", "ß", "ss", "\u00a0", "\u0130", "\u0131"),
)
COMMON = ("a", "b", "1", "2", "é", "*")
ENCODINGS = ("utf-8", "utf-16", "latin-1", "cp1252", "utf-8-sig")


def add_collisions(seed: int, case: dict) -> None:
    """Let the texts of some cases read alike, in place; write some files in other encodings."""
    chance = random.Random(f"collisions {seed}")
    policy = case["policy"]
    if chance.random() < (0.5 if case["population"] else 0.2):
        for number, name in enumerate(case["columns"]):
            if name in policy["columns"] and chance.random() < 0.7:
                _collide(chance, case, name, f"collisions{number}.csv")
        if case["population"]:
            _add_people(chance, case)
    if case["source"] == "csv" and chance.random() < 0.4:
        policy["data"]["encoding"] = chance.choice(ENCODINGS)


def _collide(chance: random.Random, case: dict, name: str, file: str) -> None:
    """Replace the texts of one column, and the hierarchy above them."""
    column, words = case["columns"][name], case["policy"]["columns"][name]
    if column["type"] != "String" or words["role"] not in {QUASI, SENSITIVE}:
        return
    alphabet = chance.choice([*ALPHABETS, COMMON])
    short = {cell: chance.choice(alphabet) for cell in dict.fromkeys(column["cells"])}
    column["cells"] = [None if cell is None else short[cell] for cell in column["cells"]]
    people = (case["population"] or {}).get(name, {"cells": []})
    people["cells"] = [None if cell is None else short[cell] for cell in people["cells"]]
    protect = words.get("protect")
    if protect == "noise" or (isinstance(protect, dict) and protect["name"] == "noise"):
        return
    words.pop("hierarchy", None)
    texts = list(dict.fromkeys("" if cell is None else cell for cell in column["cells"]))
    kind = chance.choice(["mask", "tree", "nested tree", "csv", "csv", "none"])
    if kind == "mask":
        words["hierarchy"] = {"mask": chance.choice([1, 2, 4])}
    elif kind == "tree":
        words["hierarchy"] = {"tree": _grouped(chance, texts, alphabet)}
    elif kind == "nested tree":
        groups = _grouped(chance, texts, alphabet)
        tree: dict[str, dict] = {}
        for group, members in groups.items():
            tree.setdefault(_label(chance, alphabet), {})[group] = members
        words["hierarchy"] = {"tree": tree}
    elif kind == "csv":
        case["files"][file] = _file(chance, texts, alphabet)
        words["hierarchy"] = {"csv": file, "separator": ";"}


def _add_people(chance: random.Random, case: dict) -> None:
    """Add people to the population whose texts no record has."""
    if case["source"] == "csv":
        case["source"] = "polars"  # whose texts stay texts, as those of the population are
    for column in case["population"].values():
        own = [cell for cell in column["cells"] if cell is not None] or [None]
        others = chance.choice([*ALPHABETS, COMMON]) if column["type"] == "String" else own
        column["cells"] += [chance.choice(others) for _ in range(3)]


def _label(chance: random.Random, alphabet: tuple[str, ...]) -> str:
    """Choose a label: one that no value has, or one that may be a value."""
    return chance.choice([f"g{chance.randint(0, 2)}", *chance.choices(alphabet, k=1)])


def _grouped(
    chance: random.Random, texts: list[str], alphabet: tuple[str, ...]
) -> dict[str, list[str]]:
    """Divide texts into groups."""
    groups: dict[str, list[str]] = {}
    for text in texts:
        groups.setdefault(_label(chance, alphabet), []).append(text)
    return groups


def _file(chance: random.Random, texts: list[str], alphabet: tuple[str, ...]) -> str:
    """Write a hierarchy of one or two levels between the values and the root."""
    above: dict[str, str] = {}
    rows = []
    for text in texts:
        group = chance.choice([text, _label(chance, alphabet)])
        parent = above.setdefault(group, chance.choice([group, _label(chance, alphabet)]))
        rows.append([text, group, parent, "*"])
    depth = chance.choice([2, 3, 4, 4])
    has_root = chance.random() < 0.8
    kept = [[*row[: depth - 1], "*"] if has_root else row[:depth] for row in rows]
    written = io.StringIO()
    csv.writer(written, delimiter=";").writerows(kept)
    return written.getvalue()

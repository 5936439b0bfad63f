"""Options that few policies have, and tables with short texts or weights.

They are drawn apart from the rest of a case, so that they do not change what else a seed draws.
"""

import random


def add_rarities(seed: int, columns: dict, policy: dict, files: dict[str, str]) -> None:
    """Add some of them to every second case, in place."""
    chance = random.Random(f"rarities {seed}")
    if chance.random() < 0.5:
        return
    for add in (_to_method, _to_release, _to_models, _to_masks, _to_noise):
        add(chance, policy)
    if chance.random() < 0.1:
        _deepen(chance, files)
    if chance.random() < 0.2 and "data" not in policy.get("population", {}):
        _shorten(chance, columns, policy)
    if chance.random() < 0.06:
        _weigh(chance, columns, policy)


def _to_method(chance: random.Random, policy: dict) -> None:
    """Search longer, by replay-resistant choices, or until a time is over."""
    method = policy["method"]
    if chance.random() < 0.3:
        method["effort"] = chance.choice(["default", "thorough"])
    if method["algorithm"] == "local" and chance.random() < 0.3:
        method["bound"] = "certified"
    if chance.random() < 0.2:
        method["replay"] = "resistant"
    if chance.random() < 0.05:
        method["time_limit"] = chance.choice([0.001, 0.05])
    if method["algorithm"] == "adaptive" and chance.random() < 0.5:
        method["evenness"] = chance.choice([0.0, 0.2, 1.0])
        method["diversity"] = chance.choice([1.0, 1.3, 2.0])
    if method["algorithm"] in {"local", "mondrian", "k-member"} and chance.random() < 0.05:
        method.update(effort="best", time_limit=0.2)


def _to_release(chance: random.Random, policy: dict) -> None:
    """Round the ends of ranges."""
    if policy["release"].get("form") != "anatomy" and chance.random() < 0.3:
        policy["release"]["range_ends"] = "rounded"


def _to_models(chance: random.Random, policy: dict) -> None:
    """Change parameters that have defaults."""
    for model in policy["models"]:
        if model["name"] == "k-map":
            model.update(chance.choice([{}, {"sigma": 0.1}, {"estimate": "truncated"}]))
        elif model["name"] == "delta-presence":
            model["delta_min"] = chance.choice([0.0, 0.05, 0.3])
        elif model["name"] == "population-uniqueness":
            model["estimator"] = chance.choice(["dankar", "pitman", "zayatz", "snb"])
        elif model["name"] == "simpson-diversity" and chance.random() < 0.5:
            model.update(form="gini", d=chance.choice([0.1, 0.4]))
        elif model["name"] in {"t-closeness", "nt-closeness"} and model["distance"] == "kernel":
            model["bandwidth"] = chance.choice([0.02, 0.5, 3.0])
            model["smoothing"] = chance.choice(["nw", "mass"])
            model["ground"] = chance.choice(["rank", "value", "tree"])


def _to_masks(chance: random.Random, policy: dict) -> None:
    """Change parameters of masks that have defaults, and let columns go together."""
    for words in policy["columns"].values():
        mask = words.get("protect")
        if not isinstance(mask, dict) or chance.random() < 0.3:
            continue
        group = {"group": "g"} if chance.random() < 0.5 else {}
        if mask["name"] == "microaggregation":
            mask |= {"method": chance.choice(["mdav", "refined"]), **group}
        elif mask["name"] == "noise-additive":
            mask |= {"keep_variance": chance.random() < 0.5, **group}
            if chance.random() < 0.5:
                mask |= {"low": -1000.0, "high": 1000.0}
        elif mask["name"] == "pram":
            mask["invariant"] = chance.random() < 0.5
        elif mask["name"] == "pseudonym":
            mask["domain"] = "fuzz"
        elif mask["name"] == "noise":
            mask["resolution"] = chance.choice([0.5, 1.0, 10.0])


def _to_noise(chance: random.Random, policy: dict) -> None:
    """Divide the budget of noise by class otherwise."""
    if "noise" in policy and chance.random() < 0.7:
        policy["noise"] |= {
            "budget": chance.choice(["vector", "split", "per_attribute"]),
            "zero": chance.choice(["floor", "skip", "raise"]),
            "confidence": chance.choice([0.0, 0.5, 0.99]),
        }


def _deepen(chance: random.Random, files: dict[str, str]) -> None:
    """Put a level between the groups and the root of one hierarchy file of a line per value."""
    for name, text in files.items():
        lines = text.splitlines()
        if all(line.count(";") == 2 and '"' not in line for line in lines):
            above = {f"g{number}": f"h{chance.randint(0, 1)}" for number in range(3)}
            rows = [line.split(";") for line in lines]
            deeper = [";".join([value, group, above[group], root]) for value, group, root in rows]
            files[name] = "\r\n".join(deeper) + "\r\n"
            return


def _shorten(chance: random.Random, columns: dict, policy: dict) -> None:
    """Let the values of masked texts be so short that many masks read alike."""
    for name, column in columns.items():
        rule = policy["columns"].get(name, {}).get("hierarchy", {"mask": 1})
        if column["type"] != "String" or "mask" not in rule or name == "person":
            continue
        short = {
            cell: "".join(chance.choices("AB1*", [9, 9, 5, 1], k=chance.randint(1, 3)))
            for cell in dict.fromkeys(column["cells"])
            if cell is not None
        }
        column["cells"] = [short.get(cell) for cell in column["cells"]]


def _weigh(chance: random.Random, columns: dict, policy: dict) -> None:
    """Add a survey weight to every record."""
    n_rows = len(next(iter(columns.values()))["cells"])
    cells = [chance.choice([0.0, 1.0, 2.5, 40.0]) for _ in range(n_rows)]
    columns["weight"] = {"type": "Float64", "cells": cells}
    policy["columns"]["weight"] = {"role": "insensitive"}
    policy["data"]["weight"] = "weight"

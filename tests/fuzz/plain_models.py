"""Privacy models by the papers' definitions, in plain Python over plain dictionaries.

Nothing here is shared with what makes or verifies a release. A class is a list of sensitive values;
the table is the list of all of them, suppressed records included. Each function tells whether the
model holds; models that are not here are left to verification.
"""

import math
import re
from collections import Counter

SLACK = 1e-9
NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?\Z")


def k_anonymity(groups, words, **_):
    """sweeney2002: every class has at least k records."""
    return all(len(group) >= words["k"] for group in groups)


def distinct(groups, words, **_):
    """machanavajjhala2007: at least l different values."""
    return all(len(set(group)) >= words["l"] for group in groups)


def probabilistic(groups, words, **_):
    """li2010: no value takes more than 1/l of the class."""
    return all(
        max(Counter(group).values()) * words["l"] <= len(group) * (1 + SLACK) for group in groups
    )


def entropy(groups, words, **_):
    """machanavajjhala2007, definition 4.1."""
    for group in groups:
        shares = [count / len(group) for count in Counter(group).values()]
        if -sum(share * math.log(share) for share in shares) < math.log(words["l"]) - SLACK:
            return False
    return True


def recursive(groups, words, **_):
    """machanavajjhala2007, definition 4.2: r_1 < c (r_l + ... + r_s)."""
    for group in groups:
        counts = sorted(Counter(group).values(), reverse=True)
        tail = counts[words["l"] - 1 :]
        if not tail or counts[0] >= words["c"] * sum(tail):
            return False
    return True


def simpson(groups, words, **_):
    """simpson1949: 1 / sum of squared shares, or 1 less this sum."""
    for group in groups:
        counts = Counter(group).values()
        effective = len(group) ** 2 / sum(count**2 for count in counts)
        diversity = 1 - 1 / effective if words.get("form") == "gini" else effective
        if diversity < words["d"] - SLACK:
            return False
        if effective / len(counts) < words.get("evenness", 0) - SLACK:
            return False
    return True


def alpha_k(groups, words, **_):
    """wong2006, definition 3."""
    return all(
        len(group) >= words["k"]
        and max(Counter(group).values()) <= words["alpha"] * len(group) + SLACK
        for group in groups
    )


def t_closeness(groups, words, table, tree=None, is_ordered=False):
    """li2010, definition 2: the earth mover's distance to the whole table."""
    whole = shares_of(table)
    distance = words.get("distance", "equal")
    for group in groups:
        own = shares_of(group)
        if distance == "equal":
            moved = sum(abs(own.get(v, 0) - share) for v, share in whole.items()) / 2
        elif distance == "ordered" and words.get("ground", "rank") == "rank" and is_ordered:
            moved = in_order(own, whole)
        elif distance == "hierarchical" and tree is not None:
            moved = along_tree(own, whole, tree)
        else:
            return True
        if moved > words["t"] + SLACK:
            return False
    return True


def shares_of(values):
    """Return the share of each value."""
    return {value: count / len(values) for value, count in Counter(values).items()}


def in_order(own, whole):
    """Move mass along the ranks of the values; a missing one stands last.

    Texts that are all numbers stand in the order of these.
    """
    known = [value for value in whole if value != ""]
    if all(isinstance(value, str) and NUMBER.match(value) for value in known):
        place = {value: (float(value), value) for value in known}
    else:
        place = {value: value for value in known}
    ranked = [*sorted(known, key=place.__getitem__), *([""] if "" in whole else [])]
    if len(ranked) == 1:
        return 0.0
    carried = work = 0.0
    for value in ranked[:-1]:
        carried += own.get(value, 0) - whole[value]
        work += abs(carried)
    return work / (len(ranked) - 1)


def along_tree(own, whole, tree):
    """Move mass below the same group at half the cost, above it at the whole cost.

    ``tree`` gives the group of each value: two levels above the values, the root the second.
    """
    within = across = 0.0
    for group in set(tree.values()):
        extra = [own.get(v, 0) - whole.get(v, 0) for v, parent in tree.items() if parent == group]
        gain = sum(x for x in extra if x > 0)
        need = -sum(x for x in extra if x < 0)
        within += min(gain, need)
        across += max(0.0, gain - need)
    return within * 0.5 + across


def beta(groups, words, table, **_):
    """cao2012, definitions 2 and 3."""
    whole = shares_of(table)
    for group in groups:
        for value, share in shares_of(group).items():
            limit = words["beta"]
            if value not in whole:
                return False
            if words.get("variant", "enhanced") == "enhanced":
                limit = min(limit, -math.log(whole[value]))
            if (share - whole[value]) / whole[value] > limit + SLACK:
                return False
    return True


def delta_disclosure(groups, words, table, **_):
    """brickell2008, definition 6."""
    whole = shares_of(table)
    for group in groups:
        own = shares_of(group)
        for value, share in whole.items():
            if value not in own:
                if words.get("absent", "violates") == "violates":
                    return False
            elif abs(math.log(own[value] / share)) >= words["delta"] + SLACK:
                return False
    return True


def average_risk(groups, words, **_):
    """dankar2010: classes per record."""
    n_records = sum(map(len, groups))
    return n_records == 0 or len(groups) / n_records <= words["threshold"] + SLACK


def sample_uniqueness(groups, words, **_):
    """dankar2012: the share of records alone in their class."""
    n_records = sum(map(len, groups))
    alone = sum(len(group) == 1 for group in groups)
    return n_records == 0 or alone / n_records <= words["threshold"] + SLACK


SIZE_MODELS = {
    "k-anonymity": k_anonymity,
    "confident-k-anonymity": k_anonymity,
    "average-risk": average_risk,
    "sample-uniqueness": sample_uniqueness,
}
VALUE_MODELS = {
    "distinct-l-diversity": distinct,
    "probabilistic-l-diversity": probabilistic,
    "entropy-l-diversity": entropy,
    "recursive-cl-diversity": recursive,
    "simpson-diversity": simpson,
    "alpha-k-anonymity": alpha_k,
    "t-closeness": t_closeness,
    "beta-likeness": beta,
    "delta-disclosure": delta_disclosure,
}

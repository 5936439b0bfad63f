"""Whether random masks changed what they promise: released cells beside their records' own values.

Verification uses this and nothing of what made the release; of a mask it reads the declared
parameters. What each test may refuse of honest releases is at most 1e-6 of them for a mask, as
:mod:`~indistinct.tables.verification.chance` proves; so few records decide nothing, and are not
refused.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from indistinct.base.arrays import Bools, Floats, Ints
from indistinct.base.brief import short_repr
from indistinct.errors import Fault
from indistinct.tables.frames.cell_numbers import released_numbers, to_numbers
from indistinct.tables.policy.protections import groups_of
from indistinct.tables.policy.specification import Specification
from indistinct.tables.verification.chance import (
    FALSE_ALARM,
    are_too_few,
    are_too_many,
    are_too_many_rare,
    normal_fault,
)
from indistinct.tables.verification.evidence import CheckedRelease
from indistinct.tables.verification.group_tests import class_noise_fault, group_problems, spans
from indistinct.tables.verification.mask_checks import is_tested
from indistinct.tables.verification.pseudonym_tests import one_to_one_problems, pseudonym_problems
from indistinct.tables.verification.texts import text_as_read

OWN, FOUND, COUNT = "\0own", "\0found", "\0count"
CLOSEST = (16, 8, 4)  # parts of a window of ranks within which few values may have moved
DISMISS = "Do not publish this file."
SAID = {
    "less": "has values that differ from their records' own by less than the policy declares",
    "more": "has values that differ from their records' own by more than the policy declares",
    "shift": "has values whose differences from their records' own are not the declared noise",
}


@dataclass(frozen=True, slots=True)
class MaskTestData:
    """What a test looks at: the values and cells of one column, counted.

    Parameters
    ----------
    name, words : of the column, and what its mask declares
    pairs : ``OWN``, ``FOUND`` and ``COUNT``: the value and the cell of each released record
    every : ``OWN`` and ``COUNT``: the values of all records of the input
    drawn : the values of the records that were masked before anybody chose some of them
    n_unknown : records that were not released, perhaps because of their masked cell
    """

    name: str
    words: Mapping[str, Any]
    pairs: pl.DataFrame
    every: pl.DataFrame
    drawn: pl.DataFrame
    n_unknown: int

    __repr__ = short_repr


class MaskTests:
    """Masked cells beside their records' own values, counted over all parts of a table.

    Parameters
    ----------
    spec : what was promised
    """

    def __init__(self, spec: Specification) -> None:
        self._promised = spec
        self._every: dict[str, pl.DataFrame] = {}
        self._pairs: dict[str, pl.DataFrame] = {}
        self._names = [name for name, mask in spec.protections.items() if mask.name in TESTS]

    def see(self, part: pl.DataFrame) -> None:
        """Count the values of some records of the input."""
        for name in self._names:
            if name in part.columns:
                own = part[name].alias(OWN).to_frame()
                self._every[name] = _counted(own, self._every.get(name))

    def add(self, released: pl.DataFrame, part: pl.DataFrame, rows: Sequence[int] | Ints) -> None:
        """Count released cells beside their records' own.

        Parameters
        ----------
        released : all cells as text
        part : of the input
        rows : row of the part behind each released record
        """
        for name in self._names:
            if name in released.columns and name in part.columns:
                own = part[name].gather(pl.Series(rows, dtype=pl.Int64))
                pairs = pl.DataFrame([own.alias(OWN), released[name].alias(FOUND)])
                self._pairs[name] = _counted(pairs, self._pairs.get(name))

    def faults(self) -> Iterator[Fault]:
        """Find masks that did not change the values as declared."""
        for name, pairs in self._pairs.items():
            protection, every = self._promised.protections[name], self._every[name]
            is_chosen = name in self._promised.counted or self._promised.withholds
            n_unknown = int(every[COUNT].sum()) - int(pairs[COUNT].sum()) if is_chosen else 0
            drawn = every if is_chosen else pairs.select(OWN, COUNT)
            seen = MaskTestData(name, protection.required(), pairs, every, drawn, n_unknown)
            for problem in TESTS[protection.name](seen):
                yield Fault(f"columns.{name}", problem, DISMISS)


def _counted(rows: pl.DataFrame, known: pl.DataFrame | None) -> pl.DataFrame:
    """Count equal rows, and add them to what was counted before."""
    counted = rows.group_by(rows.columns).len(COUNT).cast({COUNT: pl.Int64})
    if known is None:
        return counted
    return pl.concat([known, counted]).group_by(rows.columns).agg(pl.col(COUNT).sum())


def random_mask_faults(
    evidence: CheckedRelease, original: pl.DataFrame, manifest: Mapping[str, Any] | None
) -> Iterator[Fault]:
    """Find masks of a table in memory that did not change the values as declared.

    Parameters
    ----------
    evidence : with the crosswalk
    original : the input, before anything was masked
    """
    spec, rows = evidence.spec, np.asarray(evidence.rows, np.int64)
    released = evidence.release
    if (rows < 0).any():  # a counterfeit has no record
        return
    tests = MaskTests(spec)
    tests.see(original)
    tests.add(released, original, rows)
    yield from tests.faults()
    for protection, names in groups_of(spec.protections):
        is_there = set(names) <= {*original.columns} & {*released.columns}
        if not is_there or not is_tested(spec, names[0], in_parts=False):
            continue
        found, own, words = released[names], original[names], protection.required()
        if protection.name == "microaggregation":
            for problem in group_problems(words, found, own, rows):
                yield Fault(f"columns.{', '.join(names)}", problem, DISMISS)
        elif protection.name == "noise":
            said = (manifest or {}).get("protection", {}).get(names[0], words)
            kind = _class_noise_fault(evidence, own[rows], said)
            if kind is not None:
                yield Fault(f"columns.{names[0]}", SAID[kind], DISMISS)


def _class_noise_fault(
    evidence: CheckedRelease, own: pl.DataFrame, said: Mapping[str, Any]
) -> str | None:
    """Return how the only column with noise of its class differs from what is declared."""
    name, values = own.columns[0], own.to_series()
    noise = evidence.spec.noises[name]
    step = said.get("resolution", 1.0 if values.dtype.is_integer() else None)
    if step is None or not own.height:
        return None
    _, classes = np.unique(evidence.kinds().of_row.to_numpy(), return_inverse=True)
    widths = spans(to_numbers(values), classes)
    if noise.width is not None:
        widths[:] = noise.width
    scale = widths / evidence.spec.noise.epsilon
    return class_noise_fault(scale, values, evidence.release[name], float(step), classes)


def _keys(column: pl.Series, own: pl.Series) -> pl.Series:
    """Return cells as texts that can be compared, numbers in one writing."""
    texts = text_as_read(column)
    if not own.dtype.is_numeric():
        return texts
    numbers = texts.cast(pl.Float64, strict=False).cast(pl.String)
    return numbers.fill_null("").zip_with(numbers.is_not_null(), texts)


def _transition_problems(seen: MaskTestData) -> Iterator[str]:
    """Test the share of values that are kept, and those that others became.

    Each record draws by itself. Three families of counts share the false alarms: all kept ones,
    the kept ones of each value, and the records that each value reached.
    """
    words, pairs, every, drawn = seen.words, seen.pairs, seen.every, seen.drawn
    own, found = _keys(pairs[OWN], pairs[OWN]), _keys(pairs[FOUND], pairs[OWN])
    said = pl.Series([*(words.get("categories") or ())], dtype=pl.String)
    declared = _keys(said, every[OWN]).unique(maintain_order=True)
    listed = dict.fromkeys([*declared, *_keys(every[OWN], every[OWN])])
    code, k = {text: number for number, text in enumerate(listed)}, len(listed)
    if not found.is_in([*listed]).any():  # written in another way: what there is, others compare
        return
    codes, cells = (np.array([code.get(text, k) for text in one], np.int64) for one in (own, found))
    totals = _by_code(drawn, code)
    if "invariant" in words:
        matrix = _pram_matrix(words, _by_code(every, code))
        stays: Floats = np.asarray(np.diag(matrix), dtype=np.float64)
        means: Floats = np.asarray(totals @ matrix - totals * stays, dtype=np.float64)
    else:
        n_categories = len(declared) or k
        truth = _truth(words, n_categories)
        lie = (1 - truth) / n_categories
        stays, means = np.full(k, truth + lie), (totals.sum() - totals).astype(np.float64) * lie
    weights, is_kept = pairs[COUNT].to_numpy(), codes == cells
    kept = np.bincount(codes[is_kept], weights[is_kept], k).astype(np.int64)
    came = np.bincount(cells[~is_kept], weights[~is_kept], k + 1)[:k].astype(np.int64)
    gone = totals - np.bincount(codes, weights, k).astype(np.int64)  # records not released
    # Each family of counts: what is said of it, the counts, all, the mean, and what may lack.
    of_values = (kept, totals, totals * stays, gone)
    families = (
        ("values that are kept", *of_values),
        ("values that are kept", *(one.sum(keepdims=True) for one in of_values)),
        ("other values", came, totals.sum() - totals, means, gone.sum() - gone),
    )
    for what, counts, all_, mean, lacking in families:
        if are_too_many(counts, all_, mean, FALSE_ALARM / 6):
            yield f"has more {what} than the policy declares"
        if are_too_few(np.minimum(counts + lacking, all_), all_, mean, FALSE_ALARM / 6):
            yield f"has fewer {what} than the policy declares"


def _by_code(values: pl.DataFrame, code: Mapping[str, int]) -> Ints:
    """Count the records of each category: (k,)."""
    codes = [code[text] for text in _keys(values[OWN], values[OWN])]
    return np.bincount(codes, values[COUNT].to_numpy(), len(code)).astype(np.int64)


def _truth(words: Mapping[str, Any], k: int) -> float:
    """Return the probability that a randomized response is the truth (kairouz2016)."""
    if "truth" in words:
        return float(words["truth"])
    epsilon = float(words["epsilon"])
    return math.expm1(epsilon) / (math.exp(epsilon) + k - 1)


def _pram_matrix(words: Mapping[str, Any], counts: Ints) -> Floats:
    """Return the probability of each released category (columns) per own one (gouweleeuw1998)."""
    k, truth = len(counts), float(words["truth"])
    first = np.full((k, k), (1 - truth) / k) + truth * np.eye(k)
    if not words["invariant"]:
        return first
    joint = (first * counts[:, None]).T  # of each category that the first step gives
    sums = joint.sum(axis=1, keepdims=True)
    return first @ np.divide(joint, sums, out=np.eye(k), where=sums > 0)


def _noise_problems(seen: MaskTestData) -> Iterator[str]:
    """Test the differences of one column against normal noise of the declared share."""
    pairs = seen.pairs
    values = np.repeat(to_numbers(seen.every[OWN]), seen.every[COUNT].to_numpy())
    values = values[~np.isnan(values)]
    if _are_lost(pairs):
        yield "has cells without a number whose records have one, or the reverse"
        return
    low, high, is_known = _normal_ends(seen.words, pairs[OWN], pairs[FOUND], values)
    times = pairs[COUNT].to_numpy()
    unread = int(times[~is_known & pairs[OWN].is_not_null().to_numpy()].sum())
    low, high = (np.repeat(ends[is_known], times[is_known]) for ends in (low, high))
    kind = normal_fault(low, high, seen.n_unknown + unread, FALSE_ALARM / 2)
    if kind is not None:
        yield SAID[kind]


def _are_lost(pairs: pl.DataFrame) -> bool:
    """Return whether cells are missing where their records have a value, or the reverse."""
    return bool((pairs[OWN].is_null() != (pairs[FOUND] == "")).any())


def _normal_ends(
    words: Mapping[str, Any], own: pl.Series, found: pl.Series, values: Floats
) -> tuple[Floats, Floats, Bools]:
    """Return between which ends each cell's noise lies, as a standard normal number.

    What is rounded, or cut off at a bound, is known by its ends alone.

    Parameters
    ----------
    own, found : (n,), the values and the cells as text
    values : of all records of the input

    Returns
    -------
    the least and the greatest noise of each, and which are known
    """
    before, after = to_numbers(own), released_numbers(found, own)
    is_known = np.isfinite(before) & np.isfinite(after)
    spread = float(words["share"]) * float(values.std()) if len(values) else 0.0
    if spread <= 0 or not math.isfinite(spread):
        return before, after, np.zeros(len(before), np.bool_)
    centre = float(values.mean())
    shrunk = math.sqrt(1 + float(words["share"]) ** 2) if words["keep_variance"] else 1.0
    cells = after[is_known]
    room = 0.5 if (cells == np.rint(cells)).all() else 0.0
    if isinstance(own.dtype, pl.Decimal):
        room = 10.0**-own.dtype.scale
    largest = float(np.abs(np.concatenate([before[is_known], cells, [0.0]])).max())
    room += 8 * float(np.spacing(np.float32(largest) if own.dtype == pl.Float32 else largest))
    noise = (after - centre) * shrunk - (before - centre)
    low, high = (noise - room * shrunk) / spread, (noise + room * shrunk) / spread
    least, most = words.get("low", -math.inf), words.get("high", math.inf)
    if own.dtype.is_integer():
        dtype: Any = own.dtype
        least = max(least, pl.select(dtype.min()).item())
        most = min(most, pl.select(dtype.max()).item())
    low[after <= least + room] = -math.inf
    high[after >= most - room] = math.inf
    return low, high, is_known


def _swap_problems(seen: MaskTestData) -> Iterator[str]:
    """Test that values moved, and by no more ranks than declared.

    From the least rank on, each value takes a partner among the free ones up to w ranks above it.
    The rank w above is always free, so that at most one value of all finds no partner. A partner
    within d ranks is drawn with probability d / (free ranks), at most; the sum of 1 / (free ranks)
    over all draws was below n/w + ln(w)/2 + 2 in each of 300,000 simulated releases (its standard
    deviation is 0.04 n/w at most), which depends on nothing but n and w.
    """
    pairs = seen.pairs
    if _are_lost(pairs):
        yield "has cells without a value whose records have one, or the reverse"
        return
    known = seen.every.filter(pl.col(OWN).is_not_null())
    ordered = np.sort(np.repeat(to_numbers(known[OWN]), known[COUNT].to_numpy()))
    n, window = len(ordered), int(float(seen.words["percent"]) * len(ordered) // 100)
    present = pairs.filter(pl.col(OWN).is_not_null())
    own, cells = to_numbers(present[OWN]), released_numbers(present[FOUND], present[OWN])
    if window < 1 or np.isnan(cells).any():
        return
    first, last = (np.searchsorted(ordered, own, side) for side in ("left", "right"))
    start, end = (np.searchsorted(ordered, cells, side) for side in ("left", "right"))
    farthest = np.maximum(end - 1 - first, last - 1 - start)
    nearest = np.maximum(np.maximum(start - last + 1, first - end + 1), 0)
    if (nearest > window).any():
        yield "has values of partners beyond the declared window of ranks"
    times = present[COUNT].to_numpy()
    draws = n / window + math.log(window) / 2 + 2
    for distance in (0, *(window // part for part in CLOSEST)):
        n_near = int(times[farthest <= distance].sum())
        # Of two records that swapped, both are near; one record may have found no partner.
        if are_too_many_rare(n_near // 2, distance * draws, FALSE_ALARM / (len(CLOSEST) + 1)):
            yield SAID["less"]
            return


def _pseudonym_problems(seen: MaskTestData) -> Iterator[str]:
    """Test that pseudonyms stand for values one to one, and that nobody can compute them."""
    pairs = seen.pairs
    if _are_lost(pairs):
        yield "has cells without a pseudonym whose records have a value, or the reverse"
    known = pairs.filter(pl.col(OWN).is_not_null())
    yield from one_to_one_problems(known, OWN, FOUND)
    values = text_as_read(known[OWN])
    cells = pl.DataFrame([values, known[FOUND]]).unique().sort(FOUND)
    yield from pseudonym_problems(cells[OWN].to_list(), cells[FOUND].to_list(), seen.name)


TESTS = {
    "randomized-response": _transition_problems,
    "pram": _transition_problems,
    "noise-additive": _noise_problems,
    "swap": _swap_problems,
    "pseudonym": _pseudonym_problems,
}

"""Releases whose random masks changed nothing, too little or the wrong thing, and honest ones."""

import base64
import codecs
import hashlib
import json

import numpy as np
import polars as pl
import pytest

import indistinct as ind
from indistinct.tables.engines.choosing import Resources
from indistinct.tables.policy.specification import resolve
from indistinct.tables.verification import chance, compared_parts
from indistinct.tables.verification.crosswalk_of_places import placed_crosswalk_faults
from masks import problems
from ordered import ordered

N = 300


@pytest.fixture(autouse=True)
def key_of_its_own(tmp_path, monkeypatch):
    """Keys are made in the folder of the test."""
    monkeypatch.chdir(tmp_path)


def table(n=N, seed=1):
    """Make up guests of a hotel."""
    draw = np.random.default_rng(seed)
    bill = np.round(draw.lognormal(6, 0.6, n), 2)
    return pl.DataFrame(
        {
            "guest": [f"guest {number:04d}" for number in draw.permutation(n)],
            "floor": draw.integers(1, 4, n),
            "bill": bill,
            "tip": np.round(bill * 0.1 + draw.normal(0, 8, n), 2),
            "meal": draw.choice(["none", "half", "full"], n),
            "nights": draw.integers(1, 200, n),
        }
    )


def few(n):
    """Make up few guests of one floor."""
    return table(n).with_columns(floor=pl.lit(1))


def policy_of(column, protect, **words):
    """Promise one mask; the other columns stay as they are."""
    roles = {name: {"role": "insensitive"} for name in table(1).columns}
    roles["guest"] = {"role": "identifier"}
    roles["floor"] = {"role": "quasi-identifier", "max_level": 0}
    columns = [column] if isinstance(column, str) else column
    for name in columns:
        role = "quasi-identifier" if protect == "noise" else roles[name]["role"]
        roles[name] = {"role": role, "protect": protect}
    return ind.Policy(columns=roles, models=[{"name": "k-anonymity", "k": 5}], **words)


def verdict(policy, changed, frame=None, **words):
    """Verify a release whose masked columns were changed by somebody, in the canonical order."""
    frame = table() if frame is None else frame
    release = ind.anonymize(frame, policy, seed=7)
    rows = release.crosswalk
    shown = release.frame.with_columns(**changed(frame[rows], release.frame))
    shown = ordered(shown.with_columns(row=pl.Series(rows)), "floor")
    return ind.verify(
        shown.drop("row"),
        policy,
        original=frame,
        crosswalk=shown["row"].to_list(),
        manifest=json.loads(json.dumps(release.manifest)),
        **words,
    )


def as_it_was(name):
    return lambda own, _: {name: own[name]}


def hashed(function):
    return lambda own, _: {"guest": pl.Series([function(cell) for cell in own["guest"]])}


def digits(text):
    """Return the first 32 hexadecimal digits of a text, filled up."""
    return text.encode().hex()[:32].ljust(32, "0")


PUBLIC = {
    "hexadecimal": digits,
    "base64": lambda cell: digits(base64.b64encode(cell.encode()).decode()),
    "reversed": lambda cell: digits(cell[::-1]),
    "rot13": lambda cell: digits(codecs.encode(cell, "rot13")),
    "MD5": lambda cell: hashlib.md5(cell.encode(), usedforsecurity=False).hexdigest(),
    "SHA-1, the end": lambda cell: hashlib.sha1(cell.encode(), usedforsecurity=False).hexdigest()[
        -32:
    ],
    "SHA-256, in upper case": lambda cell: hashlib.sha256(cell.upper().encode()).hexdigest()[:32],
    "BLAKE2 of 16 bytes": lambda cell: hashlib.blake2b(cell.encode(), digest_size=16).hexdigest(),
    "SHA-256, with a line end": lambda cell: hashlib.sha256(f"{cell}\n".encode()).hexdigest()[:32],
    "numbers in their order": lambda cell: f"{int(cell[-4:]):032x}",
}


@pytest.mark.parametrize("name", PUBLIC)
def test_a_pseudonym_that_anybody_can_compute_is_refused(name):
    found = verdict(policy_of("guest", "pseudonym"), hashed(PUBLIC[name]))
    assert any("pseudonyms" in problem for problem in problems(found))


@pytest.mark.parametrize("name", ["hexadecimal", "MD5", "SHA-256, with a line end"])
def test_a_few_pseudonyms_are_enough_to_see_it(name):
    found = verdict(policy_of("guest", "pseudonym"), hashed(PUBLIC[name]), few(20))
    assert any("anybody can compute" in problem for problem in problems(found))


def test_pseudonyms_stand_for_values_one_to_one():
    policy = policy_of("guest", "pseudonym")
    frame = table().with_columns(guest=pl.Series([f"guest {n // 2}" for n in range(N)]))

    def apart(own, shown):
        keys = [f"{row}{cell}".encode() for row, cell in enumerate(own["guest"])]
        return {
            "guest": pl.Series([hashlib.sha3_256(b"secret" + key).hexdigest()[:32] for key in keys])
        }

    said = problems(verdict(policy, apart, frame))
    assert "columns.guest: gives several pseudonyms to one value" in said
    one = verdict(policy, lambda _, shown: {"guest": pl.lit(shown["guest"][0])}, frame)
    assert "columns.guest: gives one pseudonym to several values" in problems(one)


def coin(own, share, other):
    """Change a share of the cells."""
    return pl.Series(np.where(np.random.default_rng(3).random(len(own)) < share, other, own))


HALF = {"name": "noise-additive", "share": 0.5}
CHANGED = {
    "noise of nothing": ("bill", HALF, as_it_was("bill")),
    "noise of one unit": (
        "bill",
        HALF,
        lambda own, _: {
            "bill": (own["bill"] + np.random.default_rng(1).uniform(-1, 1, N)).round(2)
        },
    ),
    "noise of half the share": (
        "bill",
        HALF,
        lambda own, shown: {"bill": (own["bill"] + shown["bill"]) / 2},
    ),
    "noise ten times as wide": (
        "bill",
        HALF,
        lambda own, shown: {"bill": own["bill"] + 10 * (shown["bill"] - own["bill"])},
    ),
    "noise with a shift": ("bill", HALF, lambda _, shown: {"bill": shown["bill"] + 300}),
    "noise of whole numbers": ("nights", HALF, as_it_was("nights")),
    "answers that are the truth": (
        "meal",
        {"name": "randomized-response", "truth": 0.5},
        as_it_was("meal"),
    ),
    "answers that are rarely drawn": (
        "meal",
        {"name": "randomized-response", "epsilon": 0.5},
        lambda own, _: {"meal": coin(own["meal"], 0.2, "none")},
    ),
    "answers that are never the truth": (
        "meal",
        {"name": "randomized-response", "truth": 0.5},
        lambda own, _: {
            "meal": own["meal"].replace_strict({"none": "half", "half": "full", "full": "none"})
        },
    ),
    "answers that are all one value": (
        "meal",
        {"name": "randomized-response", "truth": 0.5},
        lambda own, _: {"meal": coin(own["meal"], 0.5, "none")},
    ),
    "categories that never change": ("meal", {"name": "pram", "truth": 0.4}, as_it_was("meal")),
    "categories that rarely change": (
        "meal",
        {"name": "pram", "truth": 0.4, "invariant": False},
        lambda own, _: {"meal": coin(own["meal"], 0.1, "full")},
    ),
    "nothing swapped": ("bill", {"name": "swap", "percent": 20}, as_it_was("bill")),
    "ties and nothing swapped": ("nights", {"name": "swap", "percent": 20}, as_it_was("nights")),
    "neighbors swapped": (
        "bill",
        {"name": "swap", "percent": 30},
        lambda own, _: {"bill": neighbors(own["bill"])},
    ),
    "some swapped": (
        "bill",
        {"name": "swap", "percent": 20},
        lambda own, shown: {"bill": half_swapped(own["bill"], shown["bill"])},
    ),
    "noise of the class left out": ("nights", "noise", as_it_was("nights")),
    "noise of the class halved": (
        "nights",
        "noise",
        lambda own, shown: {"nights": own["nights"] + (shown["nights"] - own["nights"]) // 3},
    ),
    "raw values for centers": ("bill", {"name": "microaggregation", "k": 4}, as_it_was("bill")),
    "centers of pairs": (
        "bill",
        {"name": "microaggregation", "k": 4},
        lambda own, _: {"bill": centers(own["bill"], 2)},
    ),
    "centers of all": (
        "bill",
        {"name": "microaggregation", "k": 4},
        lambda own, _: {"bill": pl.lit(own["bill"].mean())},
    ),
    "centers that are none": (
        "bill",
        {"name": "microaggregation", "k": 4},
        lambda _, shown: {"bill": (shown["bill"] / 10).round() * 10},
    ),
}


def neighbors(own):
    """Let every two values of neighboring rank change places."""
    order = own.arg_sort().to_numpy()
    places = np.arange(len(own)) ^ 1
    swapped = np.empty(len(own))
    swapped[order] = own.to_numpy()[order[np.minimum(places, len(own) - 1)]]
    return pl.Series(swapped)


def half_swapped(own, shown):
    """Take back the swaps of every second pair."""
    place = {value: row for row, value in enumerate(own)}
    back = [row for row, value in enumerate(shown) if min(row, place[value]) % 2]
    return pl.Series([own[row] if row in set(back) else shown[row] for row in range(len(own))])


def centers(own, k):
    """Return groups of k values of neighboring rank their mean."""
    groups = own.rank("ordinal") // k
    return pl.DataFrame({"own": own, "group": groups}).select(pl.col("own").mean().over("group"))[
        "own"
    ]


@pytest.mark.parametrize("name", CHANGED)
def test_a_mask_that_did_not_change_the_values_as_declared_is_refused(name):
    column, protect, changed = CHANGED[name]
    policy = policy_of(column, protect)
    honest = verdict(policy, lambda *_: {})
    assert honest.holds, problems(honest)
    assert not honest.not_checked or "masks" not in honest.not_checked
    assert not verdict(policy, changed).holds


@pytest.mark.parametrize(
    ("column", "protect", "changed"),
    [
        ("bill", HALF, lambda own, shown: {"bill": (own["bill"] + shown["bill"]) / 2}),
        ("meal", {"name": "randomized-response", "truth": 0.5}, as_it_was("meal")),
        ("meal", {"name": "pram", "truth": 0.5}, as_it_was("meal")),
    ],
)
def test_so_few_records_decide_nothing(column, protect, changed):
    """Five of five values are kept by chance once in a hundred times, and not in a million."""
    assert verdict(policy_of(column, protect), changed, few(5)).holds


def test_without_the_crosswalk_the_verdict_says_what_was_not_tested():
    policy, frame = policy_of("bill", HALF), table()
    release = ind.anonymize(frame, policy, seed=1)
    for words in ({}, {"original": frame}):
        found = ind.verify(release.data, policy, manifest=release.manifest, **words)
        assert found.holds
        assert "masks" in found.not_checked
        assert any("noise-additive" in note or "bill" in note for note in found.notes)
    rounded = policy_of("bill", {"name": "round", "base": 10})
    release = ind.anonymize(frame, rounded)
    found = ind.verify(release.data, rounded, manifest=release.manifest)
    assert "masks" not in found.not_checked


def test_suppressed_records_may_have_been_chosen_by_their_answers():
    """A model that reads the answers leaves records out, and the others still hold."""
    policy = ind.Policy(
        columns={
            "floor": {"role": "quasi-identifier", "max_level": 0},
            "meal": {"role": "sensitive", "protect": {"name": "randomized-response", "truth": 0.2}},
        },
        models=[{"name": "entropy-l-diversity", "column": "meal", "l": 2.8}],
        method={"algorithm": "optimal", "max_suppression": 0.8},
    )
    frame = (
        table(2000)
        .select("floor", "meal")
        .with_columns(pl.col("floor") + pl.Series(range(2000)) % 90)
    )
    for seed in range(5):
        release = ind.anonymize(frame, policy, seed=seed)
        found = ind.verify(release.data, policy, original=frame, crosswalk=release.crosswalk)
        assert found.holds, problems(found)


@pytest.mark.parametrize("records", [N + 1, 1_000_000])
def test_a_manifest_that_claims_more_records_than_the_input_has_is_refused(records):
    """Groups of single records were excused by a million suppressed ones."""
    policy, frame = policy_of("bill", {"name": "microaggregation", "k": 4}), table()
    release = ind.anonymize(frame, policy)
    said = json.loads(json.dumps(release.manifest))
    said["protection"]["bill"]["records"] = records
    raw = ordered(release.frame.with_columns(bill=frame["bill"][release.crosswalk]), "floor")
    for original in (None, frame):
        assert not ind.verify(raw, policy, manifest=said, original=original).holds
    assert not ind.verify(release.data, policy, manifest=said).holds


def test_parts_are_tested_together(monkeypatch, tmp_path):
    """What is fine in all parts together is not refused for one, and nothing changed is found."""
    monkeypatch.setattr(compared_parts, "FEWEST_ROWS", 100)
    monkeypatch.setattr(compared_parts, "SHARE", 10**9)
    frame = table(600).drop("guest")
    policy = ind.Policy(
        columns={
            **{name: {"role": "insensitive"} for name in frame.columns},
            "floor": {"role": "quasi-identifier", "max_level": 0},
            "bill": {"role": "insensitive", "protect": HALF},
            "meal": {"role": "insensitive", "protect": {"name": "pram", "truth": 0.4}},
        },
        models=[{"name": "k-anonymity", "k": 5}],
    )
    frame.write_csv(tmp_path / "in.csv")
    release = ind.anonymize(tmp_path / "in.csv", policy, seed=1)
    rows = release.crosswalk
    own = frame[rows]
    for changed in ({}, {"bill": own["bill"]}, {"meal": own["meal"]}):
        shown = release.frame.with_columns(**changed).with_columns(row=pl.Series(rows))
        shown = ordered(shown, "floor")
        shown.drop("row").write_csv(tmp_path / "out.csv")
        pl.DataFrame({"output_row": range(600), "input_row": shown["row"]}).write_csv(
            tmp_path / "rows.csv"
        )
        found = placed_crosswalk_faults(
            str(tmp_path / "out.csv"),
            str(tmp_path / "in.csv"),
            str(tmp_path / "rows.csv"),
            resolve(policy),
            Resources("polars"),
        )
        assert {fault.place for fault in found} == {f"columns.{name}" for name in changed}


def test_the_bounds_of_chance_are_exact_or_on_the_safe_side():
    """Beside figures that were computed by hand."""
    ten = np.array([10])
    assert chance.are_too_many(ten, ten, np.array([5.0]), 2**-10)
    assert not chance.are_too_many(ten, ten, np.array([5.0]), 2**-11)
    assert chance.are_too_few(ten - 10, ten, np.array([5.0]), 2**-10)
    assert not chance.are_too_many_rare(3, 1.0, 1e-6)
    assert chance.are_too_many_rare(15, 1.0, 1e-6)
    draws = np.random.default_rng(5).normal(size=(200, 50))
    alarms = sum(chance.normal_fault(one, one, 0, 0.2) is not None for one in draws)
    assert alarms < 60
    assert chance.normal_fault(draws[0] / 4, draws[0] / 4, 0, 1e-6) == "less"
    assert chance.normal_fault(draws[0] * 4, draws[0] * 4, 0, 1e-6) == "more"
    assert chance.normal_fault(draws[0] + 2, draws[0] + 2, 0, 1e-6) is not None

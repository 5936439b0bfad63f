"""Made-up tables to try things on: nobody in them exists.

The shares of the codes have the shape of a hospital's: a quarter of the patients, or somewhat more,
can be told from all but four others by two codes. The codes mean nothing.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np
import polars as pl

from indistinct.base.arrays import Floats, Ints
from indistinct.base.former_names import former_names
from indistinct.errors import ParameterError

SYLLABLES = ("ba", "del", "fin", "gor", "hal", "ima", "jor", "kel", "lin", "mar", "nor", "osa",
             "pel", "rin", "sol", "tam", "ur", "ven", "wil", "yel", "zan")  # fmt: skip
OCCUPATIONS: Mapping[str, float] = {
    "nurse": 6, "teacher": 8, "engineer": 7, "shop assistant": 10, "driver": 6, "cook": 4,
    "clerk": 11, "electrician": 4, "farmer": 2, "physician": 2, "lawyer": 1.5, "carpenter": 3,
    "cleaner": 6, "student": 9, "retired": 17, "unemployed": 4, "programmer": 5, "accountant": 4,
}  # fmt: skip
INSURANCES: Mapping[str, float] = {"public": 80, "private": 15, "none": 5}
DIAGNOSES: Mapping[str, float] = {
    "hypertension": 16, "diabetes": 9, "asthma": 6, "depression": 8, "back pain": 14,
    "influenza": 9, "gastritis": 6, "migraine": 6, "fracture": 7, "pneumonia": 4, "bronchitis": 7,
    "ulcer": 2, "hepatitis": 1, "epilepsy": 1.2, "breast cancer": 1.5, "lung cancer": 1.2,
    "HIV": 0.6,
}  # fmt: skip
PATIENTS, CODE_SEPARATOR = "patients", ";"
FIRST_ADMISSION = dt.date(2024, 1, 1)
ADMISSION_DAYS = 730
REFERENCE_DAY = dt.date(2026, 1, 1)
BOYS = 0.49
MISSING_WEIGHTS = 0.01
STAYED = 0.9
FEWEST_FRIENDS = 3
EARLIEST_PENSION, PENSION_AGE, OLDEST_STUDENT = 55, 67, 35

# Mean and standard deviation of height in cm, mean and deviation of ln(weight / kg), per decade of
# age from 20 on.
# Source: fryar2012, tables 3 to 12; published figures of adults' bodies in the USA, 2007 to 2010.
BODIES: Mapping[str, Sequence[tuple[float, float, float, float]]] = {
    "male": (
        (176.2, 7.4, 4.400, 0.216), (176.6, 7.7, 4.495, 0.227), (176.9, 7.4, 4.496, 0.203),
        (176.8, 7.1, 4.497, 0.207), (174.7, 7.9, 4.475, 0.220), (173.2, 7.2, 4.429, 0.185),
        (170.5, 7.1, 4.369, 0.175),
    ),
    "female": (
        (162.8, 6.8, 4.238, 0.264), (163.5, 7.2, 4.314, 0.255), (162.6, 6.7, 4.288, 0.260),
        (162.3, 7.0, 4.311, 0.239), (161.5, 6.7, 4.343, 0.236), (158.9, 6.8, 4.311, 0.241),
        (156.0, 6.6, 4.156, 0.207),
    ),
}  # fmt: skip
NEW_FRIENDS = 3
SHARE_OF_STRANGERS = 0.2
CHAPTERS = "ABCDEFGHIJKLMNOPQRS"
TENS = 4  # groups of ten per chapter
FIRSTS = 6  # three-character codes per group
LASTS = 2  # codes per three-character code
FLATNESS = 2.0  # how many of the commonest codes are about equally common
STEEPNESS = 1.35  # how fast codes become rare
OWN_CHAPTER = 0.25  # of further codes
MEAN_CODES = {1: 0.02, 2: 0.04, 3: 0.94}  # share of patients by their number of codes


@former_names(positional=("rows", "seed"))
def sample(
    name: str = "patients", *, rows: int = 20_000, seed: int = 1, with_codes: bool = False
) -> pl.DataFrame:
    """Make a fictitious table.

    Parameters
    ----------
    name : ``patients``; or ``register``, the people of their towns: nine of ten of the patients of
        the same ``rows`` and ``seed``, and as many others as make twice their number; or ``codes``,
        the hierarchy of diagnosis codes, a row per code and a column per level; or ``friends``, the
        edges of a graph
    rows : number of patients or of people in the graph, at least 1; a graph has at least 3 people
    seed : the same seed gives the same table
    with_codes : give each patient a further column ``codes``, a set of one to three diagnosis codes

    Raises
    ------
    ParameterError
        when there is no sample of this name, rows is below 1, or a table without patients is to
        have codes

    Examples
    --------
    >>> sample("patients", rows=3).columns[:4]
    ['name', 'birth_date', 'sex', 'postcode']
    """
    if name not in SAMPLES:
        raise ParameterError(f"there is no sample {name}", f"Choose {', '.join(SAMPLES)}.")
    if rows < 1:
        raise ParameterError("rows must be at least 1", "Ask for more.")
    if with_codes and name != PATIENTS:
        raise ParameterError(f"{name} have no codes", f"Ask for {PATIENTS}.")
    frame = SAMPLES[name](rows, np.random.default_rng(seed))
    if not with_codes:
        return frame
    # A stream of their own: the other columns are those of the sample without codes.
    drawn = diagnosis_codes(rows, np.random.default_rng([seed, 1]))
    return frame.with_columns(pl.Series("codes", [CODE_SEPARATOR.join(one) for one in drawn]))


def code_hierarchy(rows: int, chance: np.random.Generator) -> pl.DataFrame:
    """Return the hierarchy of the codes, which is always the same."""
    del rows, chance
    names = ["code", "three characters", "ten", "chapter"]
    return pl.DataFrame(hierarchy_of_codes(), schema=names, orient="row")


def patients(rows: int, chance: np.random.Generator) -> pl.DataFrame:
    """Make up the patients of a hospital: names, bodies, homes, jobs and diagnoses."""
    is_male = chance.random(rows) < BOYS
    ages = _ages(rows, chance)
    heights, weights = _bodies(is_male, ages, chance)
    days = (ages * 365.25 + chance.integers(0, 365, rows)).astype(np.int64)
    admissions = chance.integers(0, ADMISSION_DAYS, rows)
    return pl.DataFrame(
        {
            "name": _names(rows, chance),
            "birth_date": [REFERENCE_DAY - dt.timedelta(days=int(day)) for day in days],
            "sex": np.where(is_male, "male", "female"),
            "postcode": _postcodes(rows, chance),
            "occupation": _occupations(ages, chance),
            "insurance": _drawn(INSURANCES, rows, chance),
            "height_cm": heights,
            "weight_kg": weights,
            "admission_date": [FIRST_ADMISSION + dt.timedelta(days=int(day)) for day in admissions],
            "diagnosis": _diagnoses(ages, chance),
        }
    ).with_columns(
        pl.when(pl.Series(chance.random(rows) >= MISSING_WEIGHTS)).then(pl.col("weight_kg"))
    )


def register(rows: int, chance: np.random.Generator) -> pl.DataFrame:
    """Make up the register of the towns where patients live: names and what others may know."""
    ill = patients(rows, chance)
    stayed = ill.filter(pl.Series(chance.random(rows) < STAYED))
    others = patients(2 * rows - stayed.height, chance)
    known = pl.concat([stayed, others]).select("name", "birth_date", "sex", "postcode")
    return known[chance.permutation(known.height)]


def friends(rows: int, chance: np.random.Generator) -> pl.DataFrame:
    """Make up the edges of a graph of friends."""
    edges = friendships(max(rows, FEWEST_FRIENDS), chance)
    return pl.DataFrame(edges, schema=["source", "target"], orient="row")


SAMPLES: Mapping[str, Callable[[int, np.random.Generator], pl.DataFrame]] = {
    PATIENTS: patients,
    "register": register,
    "codes": code_hierarchy,  # written without a header, as hierarchies are
    "friends": friends,
}


def _ages(rows: int, chance: np.random.Generator) -> Ints:
    """Draw adult ages, the old more often than in a population."""
    return (18 + 78 * chance.beta(1.6, 1.5, rows)).astype(np.int64)


def _bodies(
    is_male: np.ndarray[tuple[int], np.dtype[np.bool_]], ages: Ints, chance: np.random.Generator
) -> tuple[Ints, Floats]:
    """Draw heights and weights by sex and decade of age."""
    decade = np.clip(ages // 10 - 2, 0, 6)
    table = np.array([BODIES["female"], BODIES["male"]])
    figures = table[is_male.astype(np.int64), decade]
    height = chance.normal(figures[:, 0], figures[:, 1])
    weight = np.exp(chance.normal(figures[:, 2], figures[:, 3]))
    return np.round(height).astype(np.int64), np.round(weight, 1).astype(np.float64)


def _names(rows: int, chance: np.random.Generator) -> list[str]:
    """Draw names from syllables."""
    drawn = chance.integers(0, len(SYLLABLES), (rows, 5))
    return [
        f"{SYLLABLES[a]}{SYLLABLES[b]}".capitalize()
        + f" {SYLLABLES[c]}{SYLLABLES[d]}{SYLLABLES[e]}".title()
        for a, b, c, d, e in drawn.tolist()
    ]


def _postcodes(rows: int, chance: np.random.Generator) -> list[str]:
    """Draw five-digit postcodes, some regions and districts fuller than others."""
    region = chance.choice([1, 2, 3, 4], rows, p=[0.45, 0.3, 0.15, 0.1])
    district = np.minimum(chance.geometric(0.12, rows), 40)
    street = np.minimum(chance.geometric(0.35, rows), 9)
    return [f"{r:01d}{d:02d}{s:02d}" for r, d, s in zip(region, district, street, strict=True)]


def _drawn(weights: Mapping[str, float], rows: int, chance: np.random.Generator) -> list[str]:
    """Draw words by weight."""
    shares = np.array(list(weights.values()))
    return chance.choice(list(weights), rows, p=shares / shares.sum()).tolist()


def _occupations(ages: Ints, chance: np.random.Generator) -> list[str]:
    """Draw occupations; the old are retired, and few others are."""
    drawn = np.array(_drawn(OCCUPATIONS, len(ages), chance), dtype=object)
    drawn[ages >= PENSION_AGE] = "retired"
    too_young = (ages < EARLIEST_PENSION) & (drawn == "retired")
    drawn[too_young] = "clerk"
    drawn[(ages > OLDEST_STUDENT) & (drawn == "student")] = "teacher"
    return drawn.tolist()


def _diagnoses(ages: Ints, chance: np.random.Generator) -> list[str]:
    """Draw diagnoses; some come with age."""
    names = list(DIAGNOSES)
    weights = np.tile(list(DIAGNOSES.values()), (len(ages), 1))
    for name in ("hypertension", "diabetes", "lung cancer", "pneumonia"):
        weights[:, names.index(name)] *= 0.2 + (ages / 60.0) ** 2
    bounds = np.cumsum(weights, axis=1)
    points = chance.random(len(ages)) * bounds[:, -1]
    chosen = (bounds < points[:, None]).sum(axis=1)
    return [names[index] for index in chosen.tolist()]


def friendships(people: int, chance: np.random.Generator) -> list[tuple[str, str]]:
    """Draw the edges of a graph of friends; the first three people always know each other.

    Parameters
    ----------
    people : number of people, at least 3; each has a friend
    """
    edges = {(0, 1), (1, 2), (0, 2)}
    ends = [0, 1, 1, 2, 0, 2]
    for person in range(3, people):
        for _ in range(int(chance.integers(1, NEW_FRIENDS + 1))):
            # A person with many friends is drawn more often.
            is_stranger = chance.random() < SHARE_OF_STRANGERS
            drawn = int(chance.integers(person if is_stranger else len(ends)))
            friend = drawn if is_stranger else ends[drawn]
            if friend != person:
                edges.add((min(friend, person), max(friend, person)))
                ends += [friend, person]
    return [(f"person {one}", f"person {other}") for one, other in sorted(edges)]


def hierarchy_of_codes() -> list[tuple[str, str, str, str]]:
    """List every code with the groups above it: three characters, ten, chapter."""
    return [
        (f"{three}.{last}", f"{three}.*", f"{chapter}{ten}0-{chapter}{ten}9", f"chapter {chapter}")
        for chapter in CHAPTERS
        for ten in range(TENS)
        for first in range(FIRSTS)
        for three in [f"{chapter}{ten}{first}"]
        for last in range(LASTS)
    ]


def diagnosis_codes(rows: int, chance: np.random.Generator) -> Iterator[tuple[str, ...]]:
    """Draw the codes of each patient: some are common, most are rare, some go together.

    Parameters
    ----------
    rows : number of patients
    """
    codes = [row[0] for row in hierarchy_of_codes()]
    per_chapter = len(codes) // len(CHAPTERS)
    ranked: Floats = (np.arange(len(codes), dtype=np.float64) + FLATNESS) ** -STEEPNESS
    shares: Floats = ranked[np.random.default_rng(1).permutation(len(codes))]
    sizes = chance.choice(list(MEAN_CODES), rows, p=list(MEAN_CODES.values()))
    first = _drawn_at(shares, chance.random(rows))
    columns = [first]
    for _ in range(max(MEAN_CODES) - 1):
        further = _drawn_at(shares, chance.random(rows))
        near = _in_chapter(shares, first // per_chapter, per_chapter, chance.random(rows))
        columns.append(np.where(chance.random(rows) < OWN_CHAPTER, near, further))
    drawn_codes: list[list[int]] = np.stack(columns, 1).tolist()
    for size, drawn in zip(sizes.tolist(), drawn_codes, strict=True):
        yield tuple(codes[code] for code in dict.fromkeys(drawn[:size]))


def _drawn_at(shares: Floats, points: Floats) -> Ints:
    """Draw by weight."""
    bounds: Floats = np.cumsum(shares)
    return np.searchsorted(bounds, points * float(bounds[-1]), side="right").astype(np.int64)


def _in_chapter(shares: Floats, chapters: Ints, per_chapter: int, points: Floats) -> Ints:
    """Draw by weight among the codes of a chapter."""
    bounds = np.concatenate([[0.0], np.cumsum(shares)])
    low, high = bounds[chapters * per_chapter], bounds[(chapters + 1) * per_chapter]
    found = np.searchsorted(bounds, low + points * (high - low), side="right") - 1
    last: Ints = (chapters + 1) * per_chapter - 1
    return np.minimum(np.maximum(found, chapters * per_chapter), last)

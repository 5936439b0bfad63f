"""A made-up hospital: people, their visits, and what was measured, done and given in them.

The tables have the form of a hospital's research database: one person in many rows of many tables,
codes that a public table of concepts names, few very frequent codes and many rare ones, and cells
that are missing as often as they are where such tables are kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, final

import numpy as np
import polars as pl

from indistinct.base.arrays import Floats, Ints
from indistinct.base.files.writing import atomic
from indistinct.errors import OutputError

FIRST_DAY = np.datetime64("2018-01-01T00:00")
DAYS = 6 * 365
MICROSECONDS = "datetime64[us]"
LOST = 0.06, 0.2  # of measured values, and of quantities
# Per table of rows of visits: rows of a visit on average, number of codes, and the exponent of
# their frequencies: the code of rank n is drawn in proportion to 1 / n ** exponent.
EVENTS: Mapping[str, tuple[float, int, float]] = {
    "measurement": (24.0, 60, 0.7),
    "device": (1.6, 25, 1.2),
    "observation": (6.0, 60, 1.1),
    "procedure": (3.0, 120, 1.3),
    "specimen": (1.8, 20, 1.1),
    "condition": (5.0, 300, 1.2),
    "drug": (9.0, 200, 1.2),
}
KINDS = {"outpatient": 0.48, "emergency": 0.27, "inpatient": 0.2, "intensive": 0.05}
SOURCES = {"home": 0.6, "referral": 0.2, "transfer": 0.08, "walk-in": 0.12}
DISCHARGES = {"home": 0.72, "care": 0.12, "transfer": 0.08, "against advice": 0.01, "died": 0.02}
HOURS = {"outpatient": 3.0, "emergency": 8.0, "inpatient": 110.0, "intensive": 160.0}


@final
@dataclass(frozen=True, slots=True)
class Hospital:
    """Draws the tables of a hospital, all from one generator."""

    rng: np.random.Generator
    rows: int

    def tables(self) -> Iterator[tuple[str, pl.DataFrame]]:
        """List the tables by name."""
        person = self.person()
        yield "person", person
        visit = self.visit(person)
        yield "death", self.death(person, visit)
        yield "period", self.period(visit)
        yield "visit", visit
        for name in EVENTS:
            yield name, self.events(name, visit)
        yield "concept", concepts()

    def chosen(self, words: Mapping[str, float], n: int, missing: float = 0.0) -> pl.Series:
        """Draw words by their weights; a share of them is missing."""
        weights = np.array(list(words.values()))
        drawn = self.rng.choice(np.array(list(words), dtype=object), n, p=weights / weights.sum())
        drawn[self.rng.random(n) < missing] = None
        return pl.Series(drawn.tolist(), dtype=pl.String)

    def person(self) -> pl.DataFrame:
        """Draw people: born from 1920 on, most of them old."""
        n = self.rows
        years = 2020 - np.minimum(98, np.abs(self.rng.normal(56, 22, n))).astype(int)
        born = np.array([f"{year}-01-01" for year in years], dtype="datetime64[D]")
        born = born + self.rng.integers(0, 365, n)
        race = {"white": 0.66, "black": 0.11, "asian": 0.04, "other": 0.05, "native": 0.004}
        origin = {"not hispanic": 0.9, "hispanic": 0.1}
        return pl.DataFrame({
            "person_id": np.arange(1, n + 1),
            "birth": born,
            "birth_year": years,
            "sex": self.chosen({"F": 0.51, "M": 0.488, "U": 0.002}, n),
            "race": self.chosen(race, n, 0.12),
            "ethnicity": self.chosen(origin, n, 0.2),
        })  # fmt: skip

    def visit(self, person: pl.DataFrame) -> pl.DataFrame:
        """Draw visits: one or two for most people, dozens for some."""
        n_visits = 1 + np.minimum(39, self.rng.negative_binomial(0.7, 0.28, self.rows))
        owner = np.repeat(np.arange(self.rows), n_visits)
        n = len(owner)
        kind = self.chosen(KINDS, n)
        hours = np.array([HOURS[one] for one in kind])
        length = np.round(self.rng.lognormal(np.log(hours), 0.7) * 60).astype("timedelta64[m]")
        start = FIRST_DAY + self.rng.integers(0, DAYS * 24 * 60, n).astype("timedelta64[m]")
        frame = pl.DataFrame({
            "visit_id": self.rng.permutation(n) + 1,
            "person_id": person["person_id"].to_numpy()[owner],
            "begins": start.astype(MICROSECONDS),
            "ends": (start + length).astype(MICROSECONDS),
            "kind": kind,
            "source": self.chosen(SOURCES, n, 0.1),
            "discharge": self.chosen(DISCHARGES, n, 0.25),
        })  # fmt: skip
        is_open = self.rng.random(n) < 0.01  # noqa: PLR2004 - nobody noted their end
        return frame.with_columns(
            pl.when(pl.Series(is_open)).then(None).otherwise(pl.col("ends")).alias("ends")
        )

    def death(self, person: pl.DataFrame, visit: pl.DataFrame) -> pl.DataFrame:
        """Draw deaths: of the old more often, after the last visit."""
        age = 2024 - person["birth_year"].to_numpy()
        dies = self.rng.random(self.rows) < 0.35 / (1 + np.exp((78 - age) / 6))
        last = visit.group_by("person_id").agg(pl.col("begins").max()).sort("person_id")
        after = self.rng.integers(1, 700, self.rows).astype("timedelta64[D]")
        day = (last["begins"].to_numpy().astype("datetime64[D]") + after)[dies]
        return pl.DataFrame({"person_id": person["person_id"].to_numpy()[dies], "died": day})

    def period(self, visit: pl.DataFrame) -> pl.DataFrame:
        """Draw one or two periods of observation, around the visits."""
        spans = visit.group_by("person_id").agg(
            pl.col("begins").min().dt.date().alias("begins"),
            pl.col("begins").max().dt.date().alias("ends"),
        )
        frame = spans.sort("person_id").with_columns(
            pl.Series("kind", self.chosen({"records": 0.83, "claims": 0.17}, len(spans)))
        )
        more = frame.filter(pl.Series(self.rng.random(len(frame)) < 0.15))  # noqa: PLR2004
        more = more.with_columns(pl.lit("claims").alias("kind"))
        return pl.concat([frame, more]).sort("person_id", "kind")

    def events(self, name: str, visit: pl.DataFrame) -> pl.DataFrame:
        """Draw the rows of visits of one table: longer visits have more."""
        mean, n_codes, exponent = EVENTS[name]
        start = visit["begins"].to_numpy()
        hours = (visit["ends"].to_numpy() - start) / np.timedelta64(1, "h")
        hours = np.nan_to_num(hours, nan=5.0)
        weight: Floats = np.sqrt(np.maximum(hours, 0.5))
        scales: Floats = mean / 1.2 * weight / float(weight.mean())
        rates: Floats = self.rng.gamma(np.full(len(scales), 1.2), scales)
        counts = np.minimum(self.rng.poisson(rates).astype(np.int64), int(25 * mean))
        at = np.repeat(np.arange(len(visit)), counts)
        n = len(at)
        weights = 1.0 / np.arange(1, n_codes + 1) ** exponent
        code = self.rng.choice(n_codes, n, p=weights / weights.sum())
        time = start[at] + (self.rng.random(n) * hours[at] * 60).astype("timedelta64[m]")
        person = visit["person_id"].to_numpy()[at]
        frame = pl.DataFrame({
            "person_id": person,
            "concept": np.array([f"{name[:2].upper()}{c:04d}" for c in range(n_codes)])[code],
            "time": time.astype(MICROSECONDS),
        })  # fmt: skip
        if name != "specimen":  # which is found by its time
            frame = frame.with_columns(pl.Series("visit_id", visit["visit_id"].to_numpy()[at]))
        return frame.with_columns(**self.details(name, code, n, time))

    def details(self, name: str, code: Ints, n: int, time: Any) -> dict[str, pl.Series]:
        """Draw the columns that only one table has."""
        match name:
            case "measurement":
                value = self.around(code, n, 100)
                return {
                    "value": missing(value, self.rng.random(n) < LOST[0]),
                    "unit": self.chosen({"mg": 0.5, "mmol": 0.3, "%": 0.2}, n, 0.15),
                    "sign": self.chosen({"=": 0.97, "<": 0.02, ">": 0.01}, n, 0.3),
                    "abnormal": self.chosen({"normal": 0.7, "high": 0.2, "low": 0.1}, n, 0.35),
                }  # fmt: skip
            case "observation":
                return {
                    "number": missing(self.around(code, n, 20), code % 2 == 1),
                    "text": self.chosen({"yes": 0.5, "no": 0.4, "unknown": 0.1}, n, 0.5),
                }
            case "condition":
                length = self.rng.geometric(1 / 40, n).astype("timedelta64[D]")
                end = pl.Series(time.astype("datetime64[D]") + length)
                lost = pl.Series(self.rng.random(n) < 0.3)  # noqa: PLR2004
                return {
                    "ends": pl.DataFrame({"e": end, "l": lost}).select(
                        pl.when("l").then(None).otherwise("e")
                    ).to_series(),
                    "status": self.chosen({"final": 0.8, "working": 0.2}, n, 0.05),
                }  # fmt: skip
            case "drug":
                length = self.rng.geometric(1 / 6, n).astype("timedelta64[D]")
                return {
                    "ends": pl.Series(time.astype("datetime64[D]") + length),
                    "route": self.chosen({"oral": 0.6, "vein": 0.35, "skin": 0.05}, n, 0.08),
"quantity": missing(
                        self.rng.gamma(2, 10, n).round(1), self.rng.random(n) < LOST[1]
                    ),
                }  # fmt: skip
            case _:
                kinds = {"ordered": 0.7, "planned": 0.2, "urgent": 0.1}
                return {"status": self.chosen(kinds, n, 0.1)}

    def around(self, code: Ints, n: int, most: float) -> Floats:
        """Draw numbers around a mean of each code."""
        centre = most * (0.2 + 0.7 * ((code * 37) % 61) / 61)
        return np.clip(centre + self.rng.normal(0, most / 12, n), 0, most).round(1)


def missing(numbers: Floats, gone: Any) -> pl.Series:
    """Return numbers of which some are missing."""
    return pl.Series(numbers).to_frame("x").select(
        pl.when(pl.Series(gone)).then(None).otherwise("x")
    ).to_series()  # fmt: skip


def concepts() -> pl.DataFrame:
    """Name every code; the table has no people in it."""
    rows = [
        (f"{name[:2].upper()}{code:04d}", f"{name} {code + 1}", name)
        for name, (_, n_codes, _) in EVENTS.items()
        for code in range(n_codes)
    ]
    return pl.DataFrame(rows, schema=["concept", "name", "domain"], orient="row")


def hospital(rows: int = 20_000, seed: int = 1) -> dict[str, pl.DataFrame]:
    """Make the tables of a hospital; the same seed makes the same."""
    return dict(Hospital(np.random.default_rng(seed), rows).tables())


def write_hospital(folder: Path, rows: int = 20_000, seed: int = 1) -> dict[str, int]:
    """Write the tables of a hospital into a new folder, with a declaration; give their rows.

    Raises
    ------
    OutputError
        If the folder exists, or cannot be made.
    """
    try:
        folder.mkdir()
    except FileExistsError:
        raise OutputError(f"{folder.name}: exists already", "Choose another name.") from None
    except OSError:
        raise OutputError(
            f"{folder.name}: cannot be made", "Make the folder that it is to be in, or choose one."
        ) from None
    tables = hospital(rows, seed)
    for name, frame in tables.items():
        with atomic(folder / f"{name}.parquet") as temporary:
            frame.write_parquet(temporary)
    declaration = files("indistinct.tables.publish").joinpath("hospital.toml").read_text("utf-8")
    with atomic(folder / "hospital.toml") as temporary:
        temporary.write_text(declaration, encoding="utf-8")
    return {name: frame.height for name, frame in tables.items()}

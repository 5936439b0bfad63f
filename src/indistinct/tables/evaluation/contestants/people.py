"""Who is published, who is not, and whom attackers know: one split for all contestants."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self, final

import numpy as np

from indistinct.base.arrays import Ints
from indistinct.base.brief import short_repr
from indistinct.errors import DataError, Fault
from indistinct.tables.counting.persons import person_codes
from indistinct.tables.evaluation.attacks.attack import read_people
from indistinct.tables.frames.set_forms import SetForms, given_back
from indistinct.tables.reading.declared_formats import Reading
from indistinct.tables.reading.files import read_file, write_file

INSIDE, OUTSIDE = 0.6, 0.2
FEWEST_PEOPLE = 50


@final
@dataclass(frozen=True, slots=True)
class DividedPeople:
    """A table in three parts that share no person.

    Parameters
    ----------
    inside : frame of those who are published
    outside : frame of those who are not: models are tested on them
    reference : frame of others, whom attackers know
    inside_rows : rows of the file of those inside
    """

    inside: Any
    outside: Any
    reference: Any
    inside_rows: Ints

    __repr__ = short_repr

    @classmethod
    def of(cls, data: Any, reading: Reading, sets: SetForms, person: str | None, seed: int) -> Self:
        """Divide people at random: six of ten inside, two outside, two for reference.

        Parameters
        ----------
        data : a path or a frame
        person : the column that tells people apart; None where every record is a person
        seed : of the split

        Raises
        ------
        DataError
            when there are too few people, or the column of persons is missing
        """
        frame = read_people(data, reading, sets)
        if person is not None and person not in frame.columns:
            problem = f'has no column "{person}", which tells persons apart'
            raise DataError([Fault("DATA", problem, "Give the table that the dataset declares.")])
        owners = np.arange(frame.height) if person is None else person_codes(frame[person])
        n_people = int(owners.max()) + 1 if len(owners) else 0
        if n_people < FEWEST_PEOPLE:
            problem = f"has fewer than {FEWEST_PEOPLE} people"
            raise DataError([Fault("DATA", problem, "Compare on a table with more people.")])
        order = np.random.default_rng(seed).permutation(n_people)
        ends = round(INSIDE * n_people), round((INSIDE + OUTSIDE) * n_people)
        part_of = np.empty(n_people, np.int64)
        for part, people in enumerate(np.split(order, ends)):
            part_of[people] = part
        parts = part_of[owners]
        rows = [np.flatnonzero(parts == part) for part in range(3)]
        inside, outside, reference = (frame[chosen] for chosen in rows)
        return cls(inside, outside, reference, rows[0])

    def write_inside(self, data: Any, reading: Reading, sets: SetForms, path: str) -> None:
        """Write the rows of those inside as they stand in the file: no cell is read as a number."""
        source = read_file(
            data,
            reading=reading,
            sets=sets,
            typed=False,
        )
        inside = given_back(source.frame[self.inside_rows], sets, source.lists, as_text=True)
        write_file(inside, path, "csv")

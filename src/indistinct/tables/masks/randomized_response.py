"""Randomized response for a column: each cell is deniable, the shares of the whole are not lost."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self, final

import numpy as np
import polars as pl

from indistinct.base.parameters import parameter
from indistinct.base.randomness import RandomSource
from indistinct.errors import Fault, ParameterError, PolicyError
from indistinct.tables.core.keys import number_key
from indistinct.tables.core.schema import NOT_RELEASED, Role
from indistinct.tables.frames.cell_numbers import is_numeric
from indistinct.tables.frames.column_facts import codes_of, counted_values
from indistinct.tables.frames.texts import filled_texts, texts_by_key
from indistinct.tables.masks.mechanisms.randomized_response import RandomizedResponse, calibrate
from indistinct.tables.masks.protection import Context, EstimableProtection, Fit, Masked

FEWEST_CATEGORIES = 2
MOST_VALUES = 1_000_000  # of a column whose categories come from a table that is not read whole


@final
@dataclass(frozen=True, slots=True)
class RandomizedResponseProtection(EstimableProtection):
    """Each cell keeps its value with some probability, and else is drawn among all categories.

    Whatever is known of everyone else, a released cell multiplies the odds between two values of a
    record by at most e to the power ``epsilon``: local differential privacy of that cell.

    Source: warner1965, section 2; kairouz2016, section 2.2.
    """

    epsilon: float | None = parameter(
        float, above=0, at_most=40, help="greatest log-ratio of odds", default=None
    )
    truth: float | None = parameter(
        float, at_least=0, help="probability that a value is kept, below 1", default=None
    )
    categories: tuple[str, ...] | None = parameter(
        tuple, help="all values that there may be, known before the data", default=None
    )

    name: ClassVar[str] = "randomized-response"
    promise: ClassVar[str] = (
        "Each value of {column} was kept or replaced by one drawn at random. Whatever "
        "somebody knows of all others, the released value changes the odds between any two "
        "true values by a bounded factor only (local differential privacy)."
    )
    leaves_open: ClassVar[tuple[str, ...]] = (
        (
            "The protection of one person becomes weaker with each further column that is "
            "protected in this way, and with each further release."
        ),
        "Columns that depend on {column} may undo the protection.",
    )
    roles: ClassVar[frozenset[Role]] = frozenset(Role) - NOT_RELEASED
    in_classes: ClassVar[bool] = False
    draws_for_each_record: ClassVar[bool] = True
    checked_facts: ClassVar[tuple[str, ...]] = ("categories", "epsilon")
    public_facts: ClassVar[frozenset[str]] = frozenset({"categories", "epsilon"})

    def __post_init__(self) -> None:
        EstimableProtection.__post_init__(self)
        if self.epsilon is not None and self.truth is not None:
            raise ParameterError("epsilon and truth: say the same", "Give one of them.")
        if self.truth is not None and self.truth >= 1:
            raise ParameterError("truth: must be below 1", "At 1 nothing is hidden.")
        if self.categories is not None and len(set(self.categories)) < FEWEST_CATEGORIES:
            raise ParameterError(
                "categories: are fewer than two", "List every value that there may be."
            )

    def within(self, context: Context) -> Self:
        """Return the same with the epsilon of ``[noise]`` where the column does not say it."""
        if self.epsilon is not None or self.truth is not None:
            return self
        return replace(self, epsilon=context.epsilon)

    @property
    def is_by_record(self) -> bool:
        """An answer is drawn by itself where the categories do not come from the data."""
        return self.categories is not None

    @property
    def is_fitted(self) -> bool:
        """An answer is drawn by itself when all values are known."""
        return self.categories is None

    def fitted(self, parts: Iterable[pl.DataFrame]) -> Fit:
        """Find the values of the column, and keep the mechanism for all parts."""
        values, _ = counted_values(parts, MOST_VALUES)
        known = values.to_frame()
        faults = list(self.faults(known))
        if len(values) > MOST_VALUES:
            place = f"columns.{values.name}.protect"
            problem = f"has more than {MOST_VALUES:,} values"
            faults.append(Fault(place, problem, "Generalize the column instead."))
        if faults:
            raise PolicyError(faults)
        rows = _first_rows(values)
        categories = sorted(rows)
        response = self.response(len(categories))
        own = values.gather([rows[text] for text in categories])

        def mask(columns: pl.DataFrame, source: RandomSource) -> Masked:
            codes = codes_of(filled_texts(columns.to_series()), pl.Series(categories))
            answers = own.gather(response.randomize(codes, source))
            return Masked(answers.to_frame(), self._facts(categories, response))

        return Fit(mask, known)

    def response(self, n_categories: int) -> RandomizedResponse:
        """Return the mechanism for so many categories."""
        if self.truth is not None:
            return RandomizedResponse(n_categories, self.truth)
        return calibrate(n_categories, self.epsilon or Context().epsilon)

    def faults(self, columns: pl.DataFrame) -> Iterator[Fault]:
        """Find values that are not among the categories, and columns of one value."""
        for column in columns:
            place = f"columns.{column.name}.protect"
            found = set(texts_by_key(column).unique().to_list())
            known = set(_keys(self.categories or (), column))
            if self.categories is None and len(found) < FEWEST_CATEGORIES:
                yield Fault(place, "has one value in the data", "List all categories.")
            elif self.categories is not None and len(known) < FEWEST_CATEGORIES:
                yield Fault(f"{place}.categories", "are one number", "List different values.")
            elif self.categories is not None and (n_other := len(found - known)):
                yield Fault(
                    f"{place}.categories",
                    f"lack {n_other} of the column's values",
                    "List every value that there may be; the empty text is a missing one.",
                    tuple(sorted(found - known)[:5]),
                )

    def mask(self, columns: pl.DataFrame, source: RandomSource) -> Masked:
        """Answer anew for each record of one column."""
        column = columns.to_series()
        texts = texts_by_key(column)
        categories = self._categories(column)
        response = self.response(len(categories))
        codes = texts.cast(pl.Enum(categories)).to_physical().to_numpy().astype(np.int64)
        answers = pl.Series(column.name, categories).gather(response.randomize(codes, source))
        released = _as_before(answers, column, categories).to_frame()
        return Masked(released, self._facts(categories, response))

    def _facts(self, categories: Sequence[str], response: RandomizedResponse) -> Mapping[str, Any]:
        """Return what the manifest says."""
        return {
            "categories": len(categories),
            "categories_from": "policy" if self.categories is not None else "data",
            "truth": float(response.kept),
            "epsilon": response.epsilon,
        }

    def check_release(
        self, released: pl.DataFrame, facts: Mapping[str, Any] | None
    ) -> Iterator[Fault]:
        """Compare the values with the categories, and the promised epsilon with the drawn one."""
        column = released.to_series()
        place = f"columns.{column.name}"
        listed = self.categories
        found = [text for text in column.unique().to_list() if text not in (listed or ())]
        # Whoever reads the file takes 1 for the number 1.0.
        if listed is not None and {_number(text) for text in found} - {*map(_number, listed)}:
            yield Fault(place, "has values that are not categories", "Do not publish this file.")
        if facts is None:
            return
        n_categories = int(facts["categories"])
        # Categories that nobody answered leave no trace in the file: only too many of them show.
        too_many = listed is None and column.n_unique() > n_categories
        too_loose = float(facts["epsilon"]) > self.response(n_categories).epsilon + 1e-12
        if too_many or too_loose:
            yield Fault(
                f"manifest.protection.{column.name}",
                "does not say what the policy asks",
                "Take the file, the manifest and the policy of one run.",
            )

    def estimate(self, released: pl.Series) -> pl.DataFrame:
        """Estimate how often each category stood in the input."""
        texts, categories = texts_by_key(released), self._categories(released)
        counted = dict(texts.value_counts(name="answers").iter_rows())
        answers = [counted.get(category, 0) for category in categories]
        response = self.response(len(categories))
        return pl.DataFrame(
            {
                "category": categories,
                "answers": answers,
                "estimate": response.estimate(answers),
                "standard_error": response.standard_errors(answers),
            }
        )

    def _categories(self, column: pl.Series) -> Sequence[str]:
        """Return the categories: the policy's, or else those that occur."""
        if self.categories is not None:
            return list(dict.fromkeys(_keys(self.categories, column)))
        return texts_by_key(column).unique().sort().to_list()


def _number(text: str) -> str:
    """Return a number in one writing; any other text is itself."""
    return number_key(text) or text


def _keys(categories: Sequence[str], column: pl.Series) -> Sequence[str]:
    """Return categories as the cells of a column are compared: those of numbers by their value."""
    return [_number(text) for text in categories] if is_numeric(column) else categories


def _first_rows(column: pl.Series) -> dict[str, int]:
    """Return, per text of a value, a row that has the value."""
    texts = filled_texts(column)
    rows = texts.arg_unique()
    return dict(zip(texts.gather(rows).to_list(), rows.to_list(), strict=True))


def _as_before(answers: pl.Series, column: pl.Series, categories: Sequence[str]) -> pl.Series:
    """Return the answers in the type of the column; as texts where a category has another one."""
    rows = _first_rows(column)
    if not is_numeric(column) and rows.keys() >= {*categories}:
        return column.gather(answers.replace_strict(rows, return_dtype=pl.Int64))
    if column.dtype == pl.String:
        return answers.set(answers == "", None) if column.null_count() else answers
    answers = answers.set(answers == "", None)
    if column.dtype == pl.Boolean:
        return answers == "true"
    known = pl.Series([text for text in categories if text])
    kinds = [column.dtype, pl.Float64()] if is_numeric(column) else [column.dtype]
    fitting = [kind for kind in kinds if known.cast(kind, strict=False).null_count() == 0]
    return answers.cast(fitting[0]) if fitting else answers

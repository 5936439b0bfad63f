"""The tables of a dataset's declaration, as they stand in one TOML file."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from typing import Annotated, Any, Literal, cast

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationInfo,
    field_validator,
    model_validator,
)

from indistinct.base.inputs import MOST_DIGITS
from indistinct.questions.database.periods import PeriodName
from indistinct.questions.mechanisms.accountant import Accounting, Conversion


def _written_out(number: Decimal) -> Decimal:
    """Refuse numbers that are too long to be calculated with exactly."""
    if abs(number.adjusted()) > MOST_DIGITS:
        raise ValueError(f"a number has at most {MOST_DIGITS} digits")
    return number


WrittenDecimal = Annotated[Decimal, AfterValidator(_written_out)]

# The words that are true or false.
TRUTHS = frozenset({"complete", "frozen", "public"})


# Types of columns that only questions know; the rest of the program sees numbers and texts.
OTHER_TYPES = ("bool", "date", "timestamp", "code", "id")


def _moment(text: object) -> date:
    """Read a date, in quotes or not."""
    if isinstance(text, datetime):
        text = text.date()
    found = text if isinstance(text, date) else date.fromisoformat(str(text))
    if not EARLIEST <= found.year <= LATEST:
        raise ValueError(f"a date lies between the years {EARLIEST} and {LATEST}")
    return found


EARLIEST, LATEST = 1000, 9999
Moment = Annotated[date, BeforeValidator(_moment)]


class _Declared(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    @field_validator("*", mode="before")
    @classmethod
    def _is_no_truth(cls, value: Any, about: ValidationInfo) -> Any:
        """Refuse true and false, which would else be read as 1 and 0."""
        if about.field_name in TRUTHS:
            return value
        if _holds_truth(value):
            raise ValueError("true and false mean nothing here; write a number or a text in quotes")
        return value


def _holds_truth(value: Any) -> bool:
    if isinstance(value, list):
        return any(_holds_truth(part) for part in cast("list[Any]", value))
    return isinstance(value, bool)


class DatasetDeclared(_Declared):
    """The table ``[dataset]``."""

    name: str = Field(min_length=1, max_length=200)
    data: str = Field(min_length=1)
    table: str = Field(default="", max_length=200)
    person: str = ""
    min_people: int = Field(default=1, ge=1, le=10**6)
    rows_per_person: int = Field(default=1, ge=1, le=10**6)
    lot_key: str = Field(default="", max_length=64)
    version: str = "1"
    frozen: bool = Field(default=False, strict=True)
    reply_seconds: float = Field(default=1.0, gt=0, le=60)
    misfits: Literal["refuse", "leave-out"] = "refuse"
    missing_words: tuple[str, ...] = ()
    ledger: str = Field(min_length=1)


class BudgetDeclared(_Declared):
    """The table ``[budget]``."""

    accounting: Accounting = Accounting.PURE
    epsilon: WrittenDecimal
    per_analyst: WrittenDecimal | None = None
    per_version: WrittenDecimal | None = None
    delta: float | None = Field(default=None, gt=0, lt=0.1)
    threshold_delta: float | None = Field(default=None, ge=0, lt=0.1)
    conversion: Conversion = Conversion.BUN2016


class LookupDeclared(_Declared):
    """The words ``from`` of a column that made-up records look up from another one."""

    column: str = Field(min_length=1)
    csv: str = Field(min_length=1)


class ColumnDeclared(_Declared):
    """The table of one column, or of the bins of a number; only what is looked up has no type."""

    type: Literal["number", "text", "bins", "bool", "date", "timestamp", "code", "id"] | None = None
    bounds: tuple[WrittenDecimal, WrittenDecimal] | None = None
    dates: tuple[Moment, Moment] | None = Field(default=None, exclude=True)
    step: WrittenDecimal = Field(default=Decimal(1), gt=0)
    missing: WrittenDecimal | None = None
    missing_words: tuple[str, ...] | None = None
    format: str | None = None
    last_year: int | None = Field(default=None, ge=1000, le=9999)
    decimal: Literal[".", ","] | None = None
    values: tuple[str | WrittenDecimal, ...] = ()
    of: str | None = None
    edges: tuple[WrittenDecimal, ...] = ()
    points: tuple[WrittenDecimal, ...] = ()
    complete: bool = Field(default=False, strict=True)
    looked_up: LookupDeclared | None = Field(default=None, alias="from")

    @model_validator(mode="before")
    @classmethod
    def _bounds_of_dates(cls, value: Any) -> Any:
        """Return the words with the bounds of a date among the dates."""
        if not isinstance(value, dict):
            return value
        given = cast("dict[str, Any]", value)
        if given.get("type") in {"date", "timestamp"} and "bounds" in given:
            return {**{k: v for k, v in given.items() if k != "bounds"}, "dates": given["bounds"]}
        return given


class TableDeclared(_Declared):
    """The table of one of several tables of a dataset."""

    person: str = ""
    owner: str = ""
    rows_per_person: int | None = Field(default=None, ge=1, le=10**6)
    key: str | tuple[str, ...] = ()
    references: dict[str, str] = Field(default_factory=dict[str, str])
    public: bool = Field(default=False, strict=True)
    columns: dict[str, ColumnDeclared] = Field(default_factory=dict[str, ColumnDeclared])

    @field_validator("columns", mode="before")
    @classmethod
    def _are_types(cls, value: Any) -> Any:
        """Return the columns with a type alone as a column of that type."""
        if not isinstance(value, dict):
            return value
        given = cast("dict[str, Any]", value)
        return {name: {"type": one} if isinstance(one, str) else one for name, one in given.items()}

    @property
    def keys(self) -> tuple[str, ...]:
        """Return the columns of the key."""
        return (self.key,) if isinstance(self.key, str) else self.key


class ForbiddenDeclared(_Declared):
    """The table ``[[synthesis.forbidden]]``: pairs of values that no made-up record has."""

    columns: tuple[str, str]
    pairs: tuple[tuple[str | WrittenDecimal, str | WrittenDecimal], ...] = Field(min_length=1)


class SynthesisDeclared(_Declared):
    """The table ``[synthesis]``: how made-up records are to be drawn."""

    columns: tuple[str, ...] | None = None
    focus: str | None = None
    bins: int = Field(default=32, ge=1, le=4096)
    algorithm: Literal["mst", "independent"] = "mst"
    other: str = Field(default="other", min_length=1, max_length=200)
    forbidden: tuple[ForbiddenDeclared, ...] = ()
    rules: tuple[str, ...] = ()


class AnalystDeclared(_Declared):
    """The table of one analyst."""

    role: Literal["analyst", "owner"] = "analyst"
    epsilon: WrittenDecimal | None = None
    per: PeriodName | None = None
    token_sha256: str = Field(default="", pattern=r"^([0-9a-f]{64})?$")


class Declaration(_Declared):
    """The whole file."""

    dataset: DatasetDeclared
    budget: BudgetDeclared
    columns: dict[str, ColumnDeclared] = Field(default_factory=dict[str, ColumnDeclared])
    tables: dict[str, TableDeclared] = Field(default_factory=dict[str, TableDeclared])
    analysts: dict[str, AnalystDeclared] = Field(default_factory=dict[str, AnalystDeclared])
    synthesis: SynthesisDeclared = Field(default_factory=SynthesisDeclared)

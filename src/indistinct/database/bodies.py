"""The bodies of requests and replies, as the service's OpenAPI document shows them."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictFloat, StrictStr

from indistinct.database.tokens import GRAMMAR, LONGEST


class AskBody(BaseModel):
    """A question."""

    model_config = ConfigDict(extra="forbid")

    question: str = Field(max_length=LONGEST, description=GRAMMAR)
    epsilon: StrictFloat | StrictStr = Field(
        description="what the answer may cost, at most nine decimals"
    )
    dry_run: StrictBool = Field(default=False, description="give price and expected error only")
    fresh: StrictBool = Field(
        default=False, description="pay for a new draw of an answered question"
    )


class ReplyBody(BaseModel):
    """An answer with noise, and what it cost. Missing numbers count as the schema says."""

    answer: float | list[dict[str, Any]] | None
    scale: float | list[float]
    interval: list[float] | list[list[float]] | None
    charged: float
    left: float
    price: float
    expected_error: float
    unit: str
    dry_run: bool


class ErrorBody(BaseModel):
    """Why there is no answer; depends on no row."""

    error: str
    problem: str
    remedy: str
    asked: int | None = None
    left: int | None = None
    unit: str | None = None


ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"model": ErrorBody} for status in (400, 401, 403, 404, 405, 408, 413, 429, 500, 503)
}

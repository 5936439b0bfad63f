"""One entry of ``models``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from pydantic_core import PydanticCustomError

from indistinct.base.nearest_words import did_you_mean
from indistinct.base.parameters import build
from indistinct.errors import ParameterError
from indistinct.tables.models import MODELS_BY_NAME, BoundedModel


def model_of(given: object) -> object:
    """Read one entry of ``models``."""
    if isinstance(given, BoundedModel) or not isinstance(given, Mapping):
        return given
    words = dict(cast("Mapping[str, object]", given))
    name = words.pop("name", None)
    kind = MODELS_BY_NAME.get(str(name))
    if kind is None:
        listed = ", ".join(MODELS_BY_NAME)
        remedy = did_you_mean(str(name), MODELS_BY_NAME, "Choose one of them.")
        raise PydanticCustomError(
            "model",
            "no model has this name; known are {known}",
            {"known": listed, "remedy": remedy},
        )
    try:
        return build(kind, words, str(name))
    except ParameterError as error:
        said = "; ".join(f"{fault.place} {fault.problem}" for fault in error.faults)
        raise PydanticCustomError("model", "{said}", {"said": said}) from None

"""What long work is doing: a short text, and the code and the figures that it was made of."""

from __future__ import annotations

from typing import Any, Self


class Stage(str):
    """A text that tells what is being done; other voices word it by its code and its parts.

    Parameters
    ----------
    code : its kind
    parts : figures and names that the text is made with, by their names
    """

    __slots__ = ("code", "parts")

    code: str
    parts: dict[str, Any]

    def __new__(cls, said: str, code: str = "", **parts: Any) -> Self:
        """Return the text with its code."""
        made = super().__new__(cls, said)
        made.code, made.parts = code, parts
        return made


def code_of(message: str) -> str:
    """Return the code of what is told; a text without one is its own, in one word."""
    return message.code if isinstance(message, Stage) else message.replace(" ", "_")


def parts_of(message: str) -> dict[str, Any]:
    """Return the figures and names of what is told."""
    return message.parts if isinstance(message, Stage) else {}

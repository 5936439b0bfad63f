"""Where the public data and reference figures lie, and how to skip without them."""

import os
from collections.abc import Container, Iterable
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import settings

FAST = 30  # examples of the profile that the fast run takes
ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared"


def needs(path: str) -> pytest.MarkDecorator:
    """Skip a test, with a reason, where a shared file is absent."""
    return pytest.mark.skipif(not (SHARED / path).exists(), reason=f"../shared/{path} is not there")


def examples(fast: int) -> settings:
    """Try so many examples in the fast run, and at least as many as the other profiles say."""
    told = settings.default.max_examples
    return settings(deadline=None, max_examples=fast if told <= FAST else max(fast, told))


def longer(values: Iterable, fast: Container) -> list:
    """Give the parameters of a test; those that are not ``fast`` run in ``make test-all`` alone."""
    return [
        one
        if one in fast
        else pytest.param(*(one if isinstance(one, tuple) else [one]), marks=pytest.mark.slow)
        for one in values
    ]


def environment() -> dict[str, str]:
    """Return the environment in which a new process runs this source, wherever it works."""
    return {**os.environ, "PYTHONPATH": str(ROOT / "src")}


def warmed_environment() -> dict[str, str]:
    """Return the environment of a process that loads ``warmed`` and then forks."""
    return {**os.environ, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT / 'tests'}"}


def shared(path: str) -> Path:
    """Return a shared file, or skip the test."""
    file = SHARED / path
    if not file.exists():
        pytest.skip(f"{path} is not beside the repository")
    return file


def plain_number(number):
    """Write a number in plain digits, with an exponent beyond 40 zeros; a second definition."""
    sign, digits, exponent = Decimal(repr(number)).normalize().as_tuple()
    written = "".join(map(str, digits))
    if written == "0":
        return "0"
    if exponent > 40 or exponent < -40 - len(written):
        return f"{'-' * sign}{written}e{exponent}"
    return f"{Decimal((sign, digits, exponent)):f}"

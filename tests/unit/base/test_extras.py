"""Parts that are installed on request."""

import tomllib
from pathlib import Path

import pytest

import indistinct as ind
from indistinct.base.extras import EXTRA_OF, load, missing

ROOT = Path(__file__).resolve().parents[3]


def test_a_module_that_is_there_is_loaded():
    assert load("json").loads("1") == 1


def test_a_missing_module_names_its_extra(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "sklearn", None)
    with pytest.raises(ind.MissingExtraError, match=r'extra "learn"'):
        load("sklearn")


def test_a_module_of_no_extra_is_an_error_of_the_program():
    with pytest.raises(ModuleNotFoundError):
        missing(ModuleNotFoundError(name="no_such_module"))


def test_every_extra_exists():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert set(EXTRA_OF.values()) <= set(project["optional-dependencies"])

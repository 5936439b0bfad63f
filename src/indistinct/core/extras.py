"""Parts that are installed on request, and what to say where one is missing."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from indistinct.errors import MissingExtraError

EXTRA_OF = {
    "duckdb": "database",  # which brings it; the extra "duckdb" brings it alone
    "fastapi": "database",
    "fastexcel": "files",
    "networkx": "graph",
    "opendp": "database",
    "pandas": "frames",
    "pg8000": "postgres",
    "pyspark": "spark",
    "pyarrow": "frames",
    "pyreadstat": "files",
    "python_multipart": "app",
    "sklearn": "learn",
    "sqlglot": "database",
    "starlette": "app",
    "uvicorn": "database",
    "xlsxwriter": "files",
}


def load(module: str) -> ModuleType:
    """Import a module of an extra.

    Raises
    ------
    MissingExtraError
        when it is not installed
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        raise missing(error) from None


def missing(error: ModuleNotFoundError) -> MissingExtraError:
    """Say which extra brings a module; give back what is no part of one."""
    package = (error.name or "").partition(".")[0]
    extra = EXTRA_OF.get(package)
    if extra is None:
        raise error
    return MissingExtraError(
        f"this needs {package}, which is not installed",
        f'Install it with the extra "{extra}": pip install "indistinct[{extra}]".',
    )

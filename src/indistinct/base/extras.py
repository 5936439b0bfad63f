"""Parts that are installed on request, and what to say where one is missing."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from indistinct.errors import MissingExtraError

EXTRA_OF = {
    "duckdb": "database",  # for questions; tables of DuckDB name the smaller extra "duckdb"
    "fastapi": "database",
    "fastexcel": "files",
    "networkx": "graph",
    "obstore": "storage",
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


def load(module: str, extra: str | None = None) -> ModuleType:
    """Import a module of an extra.

    Parameters
    ----------
    module : its name
    extra : the one to name where several bring it; that of ``EXTRA_OF`` when left out

    Raises
    ------
    MissingExtraError
        when it is not installed
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        raise missing(error, extra) from None


def missing(error: ModuleNotFoundError, extra: str | None = None) -> MissingExtraError:
    """Return which extra brings a module; raise the error again where none does."""
    package = (error.name or "").partition(".")[0]
    extra = extra or EXTRA_OF.get(package)
    if extra is None:
        raise error
    return MissingExtraError(
        f"the package {package} is needed, but is not installed",
        f'Install it with the extra "{extra}": pip install "indistinct[{extra}]".',
    )

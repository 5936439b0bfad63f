"""Where the machine code of loops is kept between two runs.

Imported with the first compiled loop, since it imports numba.
"""

# numba ships no types.
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false
# pyright: reportIncompatibleMethodOverride=false, reportPrivateUsage=false
# pyright: reportAttributeAccessIssue=false

from __future__ import annotations

import hashlib
import linecache
import re
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from pickle import UnpicklingError
from typing import Any

from numba.core import config, environment
from numba.core.caching import (
    CompileResultCacheImpl,
    FunctionCache,
    IndexDataCacheFile,
    _CacheLocator,
    _SourceFileBackedLocatorMixin,
)
from numba.core.registry import cpu_target
from numba.core.runtime.nrt import rtsys

IMPORTED = re.compile(r"^from (indistinct\.[\w.]+) import", re.MULTILINE)
STEPS = "indistinct.base.compiled.machine_parts"  # imported by name, since it imports numba


class BesideSource(_SourceFileBackedLocatorMixin, _CacheLocator):
    """The folder beside the source, also where nobody may write: a wheel may have filled it."""

    def __init__(self, function: Any, file: str) -> None:
        self._py_file = file
        self._lineno = function.__code__.co_firstlineno
        self._folder = Path(file).parent / "__pycache__"

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> BesideSource | None:
        """Return the source of any function that stands in a file."""
        return cls(py_func, py_file) if Path(py_file).exists() else None

    def get_cache_path(self) -> str:
        """Return the folder."""
        return str(self._folder)


class CachePlaces(CompileResultCacheImpl):
    """The folders that numba tries, and then the one beside the source."""

    _locator_classes = (*CompileResultCacheImpl._locator_classes, BesideSource)  # noqa: SLF001 - no public door


class KeptFiles(IndexDataCacheFile):
    """The files of one loop: those of this user, and those that came with the package."""

    def __init__(self, cache_path: str, filename_base: str, source_stamp: str) -> None:
        super().__init__(cache_path, filename_base, source_stamp)
        self.shipped: KeptFiles | None = None

    def load(self, key: Any) -> Any:
        """Return what is kept for the types and the processor of a key; None where nothing is."""
        found = super().load(key)
        return self.shipped.load(key) if found is None and self.shipped is not None else found

    def files(self) -> dict[Any, Path]:
        """Return the file of each key."""
        shipped = {} if self.shipped is None else self.shipped.files()
        found = {key: Path(self._data_path(name)) for key, name in self._load_index().items()}
        return shipped | {key: place for key, place in found.items() if place.exists()}

    def _load_index(self) -> dict[Any, str]:
        """Forget what another version kept, where a name in it is gone.

        Numba reads the types of the arguments before it compares the source's hash, and would
        raise an error for a type that has another name now, or for a folder that nobody may read.
        """
        try:
            return super()._load_index()
        except (OSError, AttributeError, ImportError, EOFError, UnpicklingError):
            return {}


class LoopCache(FunctionCache):
    """Keeps the machine code of a loop until the loop, or a part that it calls, changes."""

    _impl_class = CachePlaces

    def __init__(self, function: Callable[..., object]) -> None:
        super().__init__(function)
        stamp = source_hash(function)
        name = self._impl.filename_base
        self._cache_file = KeptFiles(self._cache_path, name, stamp)
        source_folder = str(Path(function.__code__.co_filename).parent / "__pycache__")
        if not config.CACHE_DIR and source_folder != self._cache_path:
            self._cache_file.shipped = KeptFiles(source_folder, name, stamp)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Load what is kept of a function without all that numba needs to compile.

        Numba fills its tables of types and functions before it looks for kept code, for a tenth of
        a second, and once more before it compiles. Machine code needs the runtime library alone.
        """
        rtsys.initialize(target_context)
        with self._guard_against_spurious_io_errors(), _without_modules():
            return self._load_overload(sig, target_context)

    def kept(self) -> dict[Any, Path]:
        """Return the types for which there is machine code for this processor, with its file."""
        codegen: Any = cpu_target.target_context.codegen()
        found = self._cache_file.files()
        return {key[0]: found[key] for key in found if key == self._index_key(key[0], codegen)}

    @property
    def index(self) -> Path:
        """The file that says which types there is machine code for."""
        return Path(self._cache_file._index_path)  # noqa: SLF001 - numba has no public door

    def _save_overload(self, sig: Any, data: Any) -> None:
        """Save the code where that is possible; else it serves this process alone."""
        with suppress(OSError):
            super()._save_overload(sig, data)


@cache
def source_hash(function: Callable[..., object]) -> str:
    """Return a hash of the source of a loop and of all that it may call.

    That is the source of its module and of the modules of this package that are imported there,
    and so on, with the steps of compilation.
    """
    known = {"": _source(function.__code__.co_filename, function.__globals__)}
    waiting = [STEPS, *IMPORTED.findall(known[""])]
    while waiting:
        name = waiting.pop()
        if name not in known:
            module = sys.modules[name]
            known[name] = _source(module.__file__ or "", vars(module))
            waiting += IMPORTED.findall(known[name])
    return hashlib.sha256("\0".join(known[name] for name in sorted(known)).encode()).hexdigest()


def _source(file: str, names: dict[str, Any]) -> str:
    """Return the text of a file, or nothing where there is none."""
    return "".join(linecache.getlines(file, names))


@contextmanager
def _without_modules() -> Generator[None]:
    """Load kept code without the modules of numba that its functions were written in.

    Only code that calls Python looks up names in them, which no loop here does.
    """
    rebuild = environment._rebuild_env  # noqa: SLF001 - numba has no public door

    def rebuilt(module: str, constants: Any, name: str) -> Any:
        known = environment.lookup_environment(name)
        if known is not None or not module.startswith("numba."):
            return rebuild(module, constants, name)
        made = environment.Environment({"__name__": module})
        made.consts[:] = constants
        made.env_name = name
        environment.Environment._memo[name] = made  # noqa: SLF001 - the same
        return made

    environment._rebuild_env = rebuilt  # noqa: SLF001 - the same
    try:
        yield
    finally:
        environment._rebuild_env = rebuild  # noqa: SLF001 - the same

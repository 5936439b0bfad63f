"""Put a mutant in the place of the program that is loaded."""

from __future__ import annotations

import ast
import gc
import importlib.machinery
import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FunctionType, ModuleType

from mutants.operators import Mutant
from mutants.places import module_of


def put_in_place(file: Path, mutant: Mutant) -> None:
    """Change the loaded program: a function, a default or a constant; else import it anew."""
    if mutant.is_in_a_body:
        changed = _codes(compile(mutant.tree, str(file), "exec", dont_inherit=True))
        if _changed_functions(str(file), changed):
            return
    elif _changed_constant(sys.modules[module_of(file)], mutant):
        return
    for name in [name for name in sys.modules if name.partition(".")[0] == "indistinct"]:
        del sys.modules[name]
    sys.meta_path.insert(0, Finder(file, mutant.tree))


def _changed_constant(module: ModuleType, mutant: Mutant) -> bool:
    """Return a constant of a module its changed value, wherever it was imported by its name."""
    statement = mutant.tree.body[mutant.path[0][1]]
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            old = vars(module)[name]
            exec(ast.unparse(statement), scope := dict(vars(module)))
            for other in list(sys.modules.values()):
                is_ours = getattr(other, "__name__", "").startswith("indistinct.")
                if is_ours and vars(other).get(name) is old:
                    setattr(other, name, scope[name])
            return True
        case _:
            return False


def _changed_functions(file: str, changed: dict[tuple[str, int], CodeType]) -> int:
    """Return every function of a file that lives the changed code; count those that changed."""
    count = 0
    gc.unfreeze()  # frozen objects are not listed
    for function in gc.get_objects():
        # Not isinstance, which asks proxies of objects that are gone what they are.
        if type(function) is FunctionType and function.__code__.co_filename == file:
            code = changed.get((function.__code__.co_qualname, function.__code__.co_firstlineno))
            is_other = code is not None and code != function.__code__
            if is_other and code.co_freevars == function.__code__.co_freevars:
                function.__code__ = code
                count += 1
    return count


def _codes(code: CodeType) -> dict[tuple[str, int], CodeType]:
    """List all code within a program by name and line."""
    return {(one.co_qualname, one.co_firstlineno): one for one in _within(code)}


def _within(code: CodeType) -> Iterator[CodeType]:
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield one
            yield from _within(one)


class Changed(importlib.machinery.SourceFileLoader):
    """Loads a mutant in place of what stands in the file."""

    def __init__(self, name: str, path: str, tree: ast.Module) -> None:
        super().__init__(name, path)
        self.tree = tree

    def get_code(self, fullname: str) -> object:
        del fullname
        return compile(self.tree, self.path, "exec", dont_inherit=True)


class Finder:
    """Finds one module changed, and leaves all others to the usual ways."""

    def __init__(self, file: Path, tree: ast.Module) -> None:
        self.name, self.file, self.tree = module_of(file), str(file), tree

    def find_spec(self, name: str, *_: object) -> object:
        if name != self.name:
            return None
        loader = Changed(name, self.file, self.tree)
        return importlib.util.spec_from_file_location(name, self.file, loader=loader)

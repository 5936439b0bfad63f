"""The small changes to a program that a good test notices."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass

COMPARISONS = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
ARITHMETIC = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult, ast.Mod: ast.Mult, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
}  # fmt: skip


@dataclass(frozen=True)
class Mutant:
    """One change: where, what, and the program with it."""

    line: int
    what: str
    original: ast.Module
    path: tuple
    changed: ast.AST

    @property
    def last_line(self) -> int:
        """The last line of what is changed."""
        return getattr(self.changed, "end_lineno", None) or self.line

    @property
    def nodes(self) -> list[tuple[ast.AST, str, int | None]]:
        """What the change is within, outermost first, each with the way to the next."""
        node, found = self.original, []
        for name, place in self.path:
            found.append((node, name, place))
            node = getattr(node, name) if place is None else getattr(node, name)[place]
        return found

    @property
    def is_in_a_body(self) -> bool:
        """True where the change is in what a function does, and not in its defaults."""
        return any(
            isinstance(node, ast.FunctionDef | ast.Lambda) and name == "body"
            for node, name, _ in self.nodes
        )

    @property
    def tree(self) -> ast.Module:
        """The whole program, changed."""
        return ast.fix_missing_locations(_with(self.original, self.path, self.changed))


def mutants(source: str) -> list[Mutant]:
    """List every change of a program."""
    tree = ast.parse(source)
    return [
        Mutant(getattr(node, "lineno", 0), what, tree, path, changed)
        for path, node in _walk(tree, ())
        for what, changed in _changes(node)
    ]


def _walk(node: ast.AST, path: tuple) -> Iterator[tuple[tuple, ast.AST]]:
    """Walk over what runs and decides: no annotations, docstrings, decorators or declarations."""
    yield path, node
    for name, value in ast.iter_fields(node):
        if name in {"annotation", "returns", "decorator_list", "keywords", "bases"} and not (
            name == "keywords" and isinstance(node, ast.Call) and not _declares(node)
        ):
            continue
        for place, child in enumerate(value if isinstance(value, list) else [value]):
            if isinstance(child, ast.AST) and not _is_declaration(child):
                yield from _walk(child, (*path, (name, place if isinstance(value, list) else None)))


def _declares(call: ast.Call) -> bool:
    """Tell whether a call declares a parameter of a model, whose bounds have tests of their own."""
    return isinstance(call.func, ast.Name) and call.func.id in {"parameter", "dataclass", "field"}


def _is_declaration(node: ast.AST) -> bool:
    """Return whether a node is an import, an assertion, a protocol's, compiled, or for types."""
    is_typing = isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
    is_promise = isinstance(node, ast.FunctionDef) and ast.unparse(node.body[-1]) == "..."
    # Its machine code does not change with the text.
    is_compiled = isinstance(node, ast.FunctionDef) and any(
        isinstance(one, ast.Name) and one.id in {"compiled", "compiled_copy", "compiled_part"}
        for one in node.decorator_list
    )
    # Of zip: lengths differ only where a line before is wrong.
    is_strict = isinstance(node, ast.keyword) and node.arg == "strict"
    return (
        is_typing
        or is_promise
        or is_compiled
        or is_strict
        or isinstance(node, ast.Import | ast.ImportFrom | ast.Assert)
    )


def _changes(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """Return the changes of one node."""
    match node:
        case ast.Compare(ops=[only]) if type(only) in COMPARISONS:
            other = copy.deepcopy(node)
            other.ops = [COMPARISONS[type(only)]()]
            yield "comparison", other
        case ast.BinOp(op=op) if type(op) in ARITHMETIC:
            other = copy.deepcopy(node)
            other.op = ARITHMETIC[type(op)]()
            yield "arithmetic", other
        case ast.BoolOp(op=op):
            other = copy.deepcopy(node)
            other.op = ast.Or() if isinstance(op, ast.And) else ast.And()
            yield "and/or", other
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield "not", operand
        case ast.Constant(value=bool() as value):
            yield "truth", ast.Constant(value=not value)
        case ast.Constant(value=int() | float() as value):
            yield "number", ast.Constant(value=value + 1)
        # A truth or a number that is returned is changed as such; None instead says little else.
        case ast.Return(value=ast.Constant(value=None | bool() | int() | float())):
            return
        case ast.Return(value=ast.expr()):
            yield "return", ast.Return(value=ast.Constant(value=None))
        case _:
            return


def _with(tree: ast.Module, path: tuple, changed: ast.AST) -> ast.Module:
    """Return the program with one node replaced; all others are shared."""
    if not path:
        return changed
    (name, place), *rest = path
    parent = copy.copy(tree)
    if place is None:
        setattr(parent, name, _with(getattr(tree, name), tuple(rest), changed))
    else:
        children = list(getattr(tree, name))
        children[place] = _with(children[place], tuple(rest), changed)
        setattr(parent, name, children)
    return parent

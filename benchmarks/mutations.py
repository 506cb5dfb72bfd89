"""Small changes to a module's source, each of which some test should notice."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

RULE_NUMBER = re.compile(r"[RDO]-\d+")

_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
_OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}


@dataclass(frozen=True)
class Mutant:
    path: str
    line: int
    function: str  # `path:first line` of the enclosing function; empty at module level
    name: str  # the function's name
    change: str  # "before -> after"
    place_number: int  # index of the changed place in the module
    change_number: int  # index of the change at that place
    again: int  # number of earlier mutants with the same function and change

    @property
    def place(self) -> str:
        return f"{self.path}:{self.line} {self.name}"

    @property
    def key(self) -> str:
        """Return a name that stays valid when the function moves within the file."""
        number = f" ({self.again + 1})" if self.again else ""
        return f"{self.path} {self.name}: {self.change}{number}"

    def applied_to(self, source: str) -> str:
        """Return the changed module."""
        tree = ast.parse(source)
        node = list(_places(tree))[self.place_number][0]
        _put(tree, node, list(_changed(node))[self.change_number])
        return ast.unparse(ast.fix_missing_locations(tree))


def mutants_of(path: str, source: str) -> Iterator[Mutant]:
    met: Counter[tuple[str, str]] = Counter()
    for place, (node, function, name) in enumerate(_places(ast.parse(source))):
        for number, changed in enumerate(_changed(node)):
            change = f"{_text(node)} -> {_text(changed)}"
            yield Mutant(
                path,
                getattr(node, "lineno", 0),
                f"{path}:{function}" if function else "",
                name,
                change,
                place,
                number,
                met[name, change],
            )
            met[name, change] += 1


def _places(tree: ast.Module) -> Iterator[tuple[ast.AST, int, str]]:
    """Yield every node that may be changed, with its enclosing function; types are skipped."""

    def walk(node: ast.AST, function: int, name: str) -> Iterator[tuple[ast.AST, int, str]]:
        if isinstance(node, ast.FunctionDef):
            decorated = [decorator.lineno for decorator in node.decorator_list]
            function, name = min([node.lineno, *decorated]), node.name
        yield node, function, name
        for field, value in ast.iter_fields(node):
            if field in ("annotation", "returns", "decorator_list"):
                continue
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST) and not _is_docstring(child):
                    yield from walk(child, function, name)

    for statement in tree.body:
        skipped = isinstance(statement, ast.Import | ast.ImportFrom | ast.If)
        if not skipped and not _is_docstring(statement):
            yield from walk(statement, 0, "module")


def _is_docstring(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _text(node: ast.AST) -> str:
    text = ast.unparse(node).splitlines()[0]
    return text if len(text) <= 90 else text[:87] + "..."


def _changed(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.Compare():
            yield from _changed_comparison(node)
        case ast.BoolOp():
            other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
            yield ast.BoolOp(other, node.values)
        case ast.UnaryOp(op=ast.Not()):
            yield node.operand
        case ast.BinOp() if type(node.op) in _OPERATORS:
            yield ast.BinOp(node.left, _OPERATORS[type(node.op)](), node.right)
        case ast.Constant():
            yield from _changed_constant(node)
        case ast.IfExp():
            yield ast.IfExp(node.test, node.orelse, node.body)
        case ast.Expr() | ast.AugAssign() | ast.Raise() | ast.Delete():
            yield ast.Pass()
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            yield ast.Pass()
        case ast.If() if not isinstance(node.test, ast.Compare | ast.UnaryOp):
            yield ast.If(ast.UnaryOp(ast.Not(), node.test), node.body, node.orelse)
        case _:
            return


def _changed_comparison(node: ast.Compare) -> Iterator[ast.AST]:
    for index, operator in enumerate(node.ops):
        operators = list(node.ops)
        operators[index] = _COMPARISONS[type(operator)]()
        yield ast.Compare(node.left, operators, node.comparators)


def _changed_constant(node: ast.Constant) -> Iterator[ast.AST]:
    value = node.value
    if isinstance(value, bool):
        yield ast.Constant(not value)
    elif isinstance(value, int):
        yield ast.Constant(value + 1)
    elif isinstance(value, str) and RULE_NUMBER.fullmatch(value):
        yield ast.Constant("R-000")


def _put(tree: ast.AST, old: ast.AST, new: ast.AST) -> None:
    """Replace a node of the tree."""
    for node in ast.walk(tree):
        for field, value in ast.iter_fields(node):
            if value is old:
                setattr(node, field, new)
                return
            if isinstance(value, list):
                for index, child in enumerate(value):
                    if child is old:
                        value[index] = new
                        return

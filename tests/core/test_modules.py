"""Every module of `core` is compiled or listed as an exception."""

import inspect
import pkgutil

from ventiuna import core
from ventiuna.core import refusals, rule_table
from ventiuna.kernels.jit import core_functions

NOTHING_TO_COMPILE = {"refusals", "rule_table"}  # only refusal texts and a plain record


def test_every_module_of_core_is_compiled() -> None:
    modules = {module.name for module in pkgutil.iter_modules(core.__path__)}
    handed_over = {function.__module__.rpartition(".")[2] for function in core_functions()}
    assert modules - handed_over == NOTHING_TO_COMPILE
    assert handed_over <= modules


def test_an_uncompiled_module_has_no_functions() -> None:
    for module in (refusals, rule_table):
        functions = [function for _, function in inspect.getmembers(module, inspect.isfunction)]
        assert not [own for own in functions if own.__module__ == module.__name__]

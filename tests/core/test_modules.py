"""Every module of `core` goes to the compiler, or says why not."""

import inspect
import pkgutil

from ventiuna import core
from ventiuna.core import refusal_codes, refusals
from ventiuna.kernels.jit import CORE_MODULES

WORDS_ONLY = {"refusal_codes", "refusals"}  # codes and sentences: no function to compile


def test_every_module_of_core_is_handed_to_the_compiler() -> None:
    modules = {module.name for module in pkgutil.iter_modules(core.__path__)}
    handed_over = {module.__name__.rpartition(".")[2] for module in CORE_MODULES}
    assert modules - handed_over == WORDS_ONLY
    assert handed_over <= modules


def test_a_module_that_is_not_handed_over_has_no_function() -> None:
    for module in (refusal_codes, refusals):
        assert not inspect.getmembers(module, inspect.isfunction)

"""Compile `core` and `kernels` with Numba and link them into shared libraries.

    python -m tools.build_kernels             the best level that this machine can run
    python -m tools.build_kernels --release   every level of this kind of processor

Levels whose library already matches the sources are skipped. The linker is the system's `cc`, or
the one in the PyPI package `ziglang`.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import importlib.util
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parent.parent
SOURCES = ROOT / "src"
sys.path.insert(0, str(SOURCES))

from ventiuna.kernels.library import (  # noqa: E402  (found in this checkout, installed or not)
    BUILT,
    LEVELS,
    KernelsUnavailable,
    Kind,
    checked_kernels,
    file_hash,
    kind_of,
    kinds_text,
    machine_levels,
    source_hash,
    words_of,
)

# The only functions that a library may import from the process that loads it.
SYSTEM_FUNCTIONS = {"malloc", "free", "memset", "memcpy", "memmove"}
_CPU = {"aarch64": "generic"}  # LLVM's name, if different from the level's
_WORD_NAMES = {
    ctypes.c_void_p: "ptr",
    ctypes.c_int64: "i64",
    ctypes.c_double: "double",
    ctypes.c_uint8: "i8",
}


Signature = tuple[Callable[..., object], tuple[object, ...]]


class BuildError(Exception):
    """The kernels can't be built; the message says why."""


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.build_kernels", description=__doc__)
    parser.add_argument("--release", action="store_true", help="build for every CPU level")
    options = parser.parse_args(words)
    try:
        build(all_levels() if options.release else machine_levels()[:1])
    except BuildError as error:
        print(f"The kernels can't be built: {error}", file=sys.stderr)
        return 1
    return 0


def all_levels() -> tuple[str, ...]:
    """Return every level of this machine's architecture."""
    return LEVELS.get(platform.machine().lower(), ()) if machine_levels() else ()


def build(levels: Sequence[str]) -> None:
    """Build the levels that are missing or outdated."""
    levels = [level for level in levels if not is_current(level)]
    if not levels:
        return
    started = time.perf_counter()
    print(f"» Compiling the kernels for {' and '.join(levels)}", flush=True)
    sources = source_hash()
    with tempfile.TemporaryDirectory() as folder:
        _compile_groups(Path(folder), levels, sources)
        tables = [json.loads(path.read_text()) for path in sorted(Path(folder).glob("*.json"))]
        BUILT.mkdir(exist_ok=True)
        for level in levels:
            linked = Path(folder) / f"{level}.so"
            _link(sorted(Path(folder).glob(f"*.{level}.o")), linked)
            code = linked.read_bytes()
            _replace(BUILT / f"{level}.so", code)
            _replace(BUILT / f"{level}.json", _table(sources, code, tables))
    print(f"» Compiled in {time.perf_counter() - started:.0f} seconds", flush=True)


def is_current(level: str) -> bool:
    """Return whether this level's library is intact and built from the current sources."""
    try:
        checked_kernels(BUILT, level, source_hash())
    except KernelsUnavailable:
        return False
    return True


def _table(sources: str, code: bytes, groups: Sequence[dict[str, dict[str, Any]]]) -> bytes:
    kernels = {name: forms for group in groups for name, forms in group.items()}
    table = {"sources": sources, "library": file_hash(code), "kernels": kernels}
    return (json.dumps(table, indent=1) + "\n").encode()


def _replace(path: Path, content: bytes) -> None:
    """Replace a file atomically; a process that has the old library open keeps it."""
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    part.write_bytes(content)
    part.replace(path)


# --- Compiling ---


def _compile_groups(folder: Path, levels: Sequence[str], sources: str) -> None:
    """Compile all groups at the same time, each in a separate process."""
    # Numba doesn't optimize here; `_optimize` later optimizes each kernel as a whole, for its
    # level.
    os.environ |= {"VENTIUNA_KERNELS": "build", "NUMBA_OPT": "0"}
    with ProcessPoolExecutor(len(GROUPS), get_context("spawn")) as pool:
        jobs = [pool.submit(compile_group, group, folder, sources, levels) for group in GROUPS]
        for job in jobs:
            job.result()


def compile_group(group: str, folder: Path, sources: str, levels: Sequence[str]) -> None:
    """Write an object file per kernel and level, and the group's part of the table."""
    gc.disable()  # there is little garbage, and collecting it would take a sixth of the time
    kernels: dict[str, dict[str, dict[str, str]]] = {}
    for number, (kernel, arguments) in enumerate(GROUPS[group]()):
        symbol = f"ventiuna_{sources}_{group}_{number}"
        kinds = [kind_of(argument) for argument in arguments]
        compiled = _compile(kernel, arguments)
        for level in levels:
            code = _object_code(compiled, kinds, symbol, level)
            (folder / f"{symbol}.{level}.o").write_bytes(code)
        entry = {"symbol": symbol, "result": compiled.result}
        kernels.setdefault(_name(kernel), {})[kinds_text(kinds)] = entry
    (folder / f"{group}.json").write_text(json.dumps(kernels))


def _exact() -> list[Signature]:
    from ventiuna.analysis.base_game.solver import exact_signatures

    return exact_signatures()


def _simulation() -> list[Signature]:
    from ventiuna.kernels.luck import luck_signature
    from ventiuna.proof.lockstep import traced_signature
    from ventiuna.simulation.blocks import simulation_signatures
    from ventiuna.simulation.seats import seat_signatures

    return [*simulation_signatures(), traced_signature(), *seat_signatures(), luck_signature()]


# The groups take about equally long to compile and share few functions.
GROUPS = {"exact": _exact, "simulation": _simulation}


def _name(kernel: Any) -> str:
    from ventiuna.kernels.jit import kernel_name

    return kernel_name(kernel.py_func)


class _Compiled(NamedTuple):
    """Numba's output for a kernel."""

    name: str
    code: str  # LLVM code
    result: str  # type


def _compile(kernel: Any, arguments: Sequence[object]) -> _Compiled:
    signature = tuple(_type_of(argument) for argument in arguments)
    kernel.compile(signature)
    compiled = kernel.overloads[signature]
    result = str(compiled.signature.return_type)
    return _Compiled(compiled.fndesc.llvm_func_name, kernel.inspect_llvm(signature), result)


def _object_code(compiled: _Compiled, kinds: Sequence[Kind], symbol: str, level: str) -> bytes:
    """Return an object file with one public function."""
    import llvmlite.binding as llvm

    module = llvm.parse_assembly(compiled.code)
    module.link_in(llvm.parse_assembly(str(_memory_module())))
    function = module.get_function(compiled.name)
    _check_arguments(function, kinds)
    function.name = symbol
    for value in [*module.functions, *module.global_variables]:
        if not value.is_declaration and value.name != symbol:
            value.linkage = "internal"
    machine = _target_machine(level)
    _optimize(module, machine)
    _check_calls(module)
    return bytes(machine.emit_object(module))


def _optimize(module: Any, machine: Any) -> None:
    """Optimize like Numba, but once for the whole module: inline, prune refcounts, optimize."""
    import llvmlite.binding as llvm

    for slp_vectorize in (False, True):
        tuning = llvm.create_pipeline_tuning_options(speed_level=3)
        tuning.loop_vectorization = True
        tuning.slp_vectorization = slp_vectorize
        builder = llvm.create_pass_builder(machine, tuning)
        passes = builder.getModulePassManager()
        passes.add_refprune_pass()
        passes.run(module, builder)


def _target_machine(level: str) -> Any:
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    target = llvm.Target.from_triple(llvm.get_process_triple())
    return target.create_target_machine(cpu=_CPU.get(level, level), opt=3, reloc="pic")


def _type_of(argument: Any) -> Any:
    """Return Numba's type; a read-only array uses the same code as a writable one."""
    numba: Any = import_module("numba")
    found = numba.typeof(argument)
    if isinstance(found, numba.types.Array):
        return found.copy(readonly=False)
    if isinstance(found, numba.types.NamedTuple):
        return numba.types.NamedTuple([_type_of(part) for part in argument], type(argument))
    return found


def _check_arguments(function: Any, kinds: Sequence[Kind]) -> None:
    """Check that the function accepts the arguments that `library` will pass."""
    ours = ["ptr", "ptr"]  # pointers for the result and the error
    ours += [_WORD_NAMES[word] for kind in kinds for word in words_of(kind)]
    theirs = [str(argument.type) for argument in function.arguments]
    theirs = ["ptr" if name.endswith("*") else name for name in theirs]
    if ours != theirs:
        raise BuildError(f"this version of Numba passes different arguments to {function.name}.")


def _check_calls(module: Any) -> None:
    for function in module.functions:
        name = function.name
        is_ours = not function.is_declaration or name.startswith("llvm.")
        if not is_ours and name not in SYSTEM_FUNCTIONS:
            raise BuildError(f"{module.name} calls {name}, which isn't in every process.")


def _memory_module() -> Any:
    """Return a module that allocates arrays inside kernels with the C library.

    Numba's own functions of these names are in its extension modules. An array's block begins with
    Numba's header, followed by the items.
    """
    from llvmlite import ir

    word, pointer = ir.IntType(64), ir.IntType(8).as_pointer()
    header = ir.LiteralStructType([word, pointer, pointer, pointer, word])
    header_bytes = word(64)
    module = ir.Module("memory")
    malloc = ir.Function(module, ir.FunctionType(pointer, [word]), "malloc")
    free = ir.Function(module, ir.FunctionType(ir.VoidType(), [pointer]), "free")
    for name in ("NRT_MemInfo_alloc_aligned", "NRT_MemInfo_alloc_safe_aligned"):
        allocate = ir.Function(module, ir.FunctionType(pointer, [word, ir.IntType(32)]), name)
        allocate.linkage = "linkonce_odr"
        size, step = allocate.args
        code = ir.IRBuilder(allocate.append_basic_block())
        step = code.zext(step, word)
        block = code.call(malloc, [code.add(code.add(size, step), header_bytes)])
        with code.if_then(code.icmp_unsigned("!=", block, pointer(None)), likely=True):
            after = code.add(code.ptrtoint(block, word), header_bytes)
            items = code.inttoptr(code.sub(code.add(after, step), code.urem(after, step)), pointer)
            fields = (word(1), pointer(None), pointer(None), items, size)
            start = code.bitcast(block, header.as_pointer())
            for number, value in enumerate(fields):
                place = [ir.IntType(32)(0), ir.IntType(32)(number)]
                code.store(value, code.gep(start, place, inbounds=True))
        code.ret(block)
    release = ir.Function(
        module, ir.FunctionType(ir.VoidType(), [pointer]), "NRT_MemInfo_call_dtor"
    )
    release.linkage = "linkonce_odr"
    code = ir.IRBuilder(release.append_basic_block())
    code.call(free, release.args)
    code.ret_void()
    return module


# --- Linking ---


def linker() -> list[str] | None:
    """Return the command for the system's linker or `ziglang`'s, or None if there is neither."""
    compiler = os.environ.get("CC") or shutil.which("cc")
    if compiler:
        return [compiler, "-shared", "-nostdlib", "-Wl,-z,noexecstack", "-Wl,--strip-all"]
    if importlib.util.find_spec("ziglang"):
        return [sys.executable, "-m", "ziglang", "ld.lld", "-shared", "-z", "noexecstack", "-s"]
    return None


def _link(objects: Sequence[Path], library: Path) -> None:
    command = linker()
    if command is None:
        raise BuildError("no linker found. Install a C compiler, or `pip install ziglang`.")
    done = subprocess.run(
        [*command, "-o", str(library), *map(str, objects)],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise BuildError(f"the linker failed: {done.stderr.strip()}")


if __name__ == "__main__":
    sys.exit(main())

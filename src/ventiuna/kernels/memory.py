"""Arrays made inside compiled code: taken from the C library, so that Numba need not be there.

Numba's own functions of these names live in Numba's extension modules. An array's block begins
with Numba's header, then come its items.
"""

from __future__ import annotations

from llvmlite import ir

_BYTE = ir.IntType(8)
_WORD = ir.IntType(64)
_POINTER = _BYTE.as_pointer()
_HEADER = ir.LiteralStructType([_WORD, _POINTER, _POINTER, _POINTER, _WORD])
_HEADER_BYTES = 64

ALLOCATORS = ("NRT_MemInfo_alloc_aligned", "NRT_MemInfo_alloc_safe_aligned")
DESTRUCTOR = "NRT_MemInfo_call_dtor"


def memory_module() -> ir.Module:
    module = ir.Module("ventiuna_memory")
    malloc = ir.Function(module, ir.FunctionType(_POINTER, [_WORD]), "malloc")
    free = ir.Function(module, ir.FunctionType(ir.VoidType(), [_POINTER]), "free")
    for name in ALLOCATORS:
        _define_allocator(module, name, malloc)
    destructor = ir.Function(module, ir.FunctionType(ir.VoidType(), [_POINTER]), DESTRUCTOR)
    destructor.linkage = "linkonce_odr"
    builder = ir.IRBuilder(destructor.append_basic_block())
    builder.call(free, destructor.args)
    builder.ret_void()
    return module


def _define_allocator(module: ir.Module, name: str, malloc: ir.Function) -> None:
    """Items begin at a multiple of the second argument; null where there is no memory."""
    function = ir.Function(module, ir.FunctionType(_POINTER, [_WORD, ir.IntType(32)]), name)
    function.linkage = "linkonce_odr"
    size, step = function.args
    builder = ir.IRBuilder(function.append_basic_block())
    step = builder.zext(step, _WORD)
    room = builder.add(builder.add(size, step), _WORD(_HEADER_BYTES))
    block = builder.call(malloc, [room])
    with builder.if_then(builder.icmp_unsigned("!=", block, _POINTER(None)), likely=True):
        header = builder.bitcast(block, _HEADER.as_pointer())
        after = builder.add(builder.ptrtoint(block, _WORD), _WORD(_HEADER_BYTES))
        after = builder.sub(builder.add(after, step), builder.urem(after, step))
        values = (_WORD(1), _POINTER(None), _POINTER(None), builder.inttoptr(after, _POINTER), size)
        for field, value in enumerate(values):
            builder.store(value, _field(builder, header, field))
    builder.ret(block)


def _field(builder: ir.IRBuilder, header: ir.Value, number: int) -> ir.Value:
    index = ir.IntType(32)
    return builder.gep(header, [index(0), index(number)], inbounds=True)

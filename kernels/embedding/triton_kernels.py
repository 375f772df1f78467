"""Embeddings in Triton, with a broken twin, compiled without a GPU.

    TRITON_DISABLE_LINE_INFO=1 python3 triton_kernels.py

in this folder writes every triton_*.ptx here and in broken/ again. Triton 3.9 made what is checked in. A Triton kernel takes
two more pointers than its source shows; it does not use them.
"""
import pathlib

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def triton_row_f32(table, ids, y, T, H, BLOCK: tl.constexpr):
    token = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    v = tl.load(table + tl.load(ids + token) * H + at, mask=at < H)
    tl.store(y + token * H + at, v, mask=at < H)


@triton.jit
def triton_row_f32__columns_reversed(table, ids, y, T, H, BLOCK: tl.constexpr):
    token = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    v = tl.load(table + tl.load(ids + token) * H + H - 1 - at, mask=at < H)
    tl.store(y + token * H + at, v, mask=at < H)


for fn in (triton_row_f32, triton_row_f32__columns_reversed):
    name = fn.fn.__name__
    signature = {"table": "*fp32", "ids": "*i32", "y": "*fp32", "T": "i32", "H": "i32", "BLOCK": "constexpr"}
    aligned = {(i,): [["tt.divisibility", 16]] for i, type in enumerate(signature.values()) if type.startswith("*")}
    source = ASTSource(fn=fn, signature=signature, constexprs={"BLOCK": 64}, attrs=aligned)
    compiled = triton.compile(source, target=GPUTarget("cuda", 90, 32), options={"num_warps": 1})
    pathlib.Path("broken" if "__" in name else ".", name + ".ptx").write_text(compiled.asm["ptx"])
    print(name, "shared memory", compiled.metadata.shared)

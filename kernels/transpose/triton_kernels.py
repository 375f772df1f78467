"""Transposes in Triton, with a broken twin, compiled without a GPU.

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
def triton_f32(x, y, M, N, BLOCK: tl.constexpr):
    rows = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    columns = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + rows[:, None] * N + columns[None, :], mask=(rows[:, None] < M) & (columns[None, :] < N))
    tl.store(y + columns[:, None] * M + rows[None, :], tl.trans(v), mask=(columns[:, None] < N) & (rows[None, :] < M))


@triton.jit
def triton_f32__blocks_not_swapped(x, y, M, N, BLOCK: tl.constexpr):
    rows = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    columns = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + rows[:, None] * N + columns[None, :], mask=(rows[:, None] < M) & (columns[None, :] < N))
    tl.store(y + rows[:, None] * M + columns[None, :], tl.trans(v), mask=(rows[:, None] < N) & (columns[None, :] < M))


for fn in (triton_f32, triton_f32__blocks_not_swapped):
    name = fn.fn.__name__
    signature = {"x": "*fp32", "y": "*fp32", "M": "i32", "N": "i32", "BLOCK": "constexpr"}
    aligned = {(i,): [["tt.divisibility", 16]] for i, type in enumerate(signature.values()) if type.startswith("*")}
    source = ASTSource(fn=fn, signature=signature, constexprs={"BLOCK": 16}, attrs=aligned)
    compiled = triton.compile(source, target=GPUTarget("cuda", 90, 32), options={"num_warps": 1})
    pathlib.Path("broken" if "__" in name else ".", name + ".ptx").write_text(compiled.asm["ptx"])
    print(name, "shared memory", compiled.metadata.shared)

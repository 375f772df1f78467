"""Reductions in Triton, with broken twins, compiled without a GPU.

    TRITON_DISABLE_LINE_INFO=1 python3 triton_kernels.py

in this folder writes every triton_*.ptx here and in broken/ again. Triton 3.9 made what is checked in. A Triton kernel takes two more
pointers than its source shows; it does not use them. The first line of each file says how much dynamic shared memory a launch needs.
"""
import pathlib

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def triton_sum_f32(x, y, H, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    tl.store(y + row, tl.sum(tl.load(x + row * H + at, mask=at < H, other=0.0), axis=0))


@triton.jit
def triton_sum_f32__masked_as_one(x, y, H, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    tl.store(y + row, tl.sum(tl.load(x + row * H + at, mask=at < H, other=1.0), axis=0))


@triton.jit
def triton_max_f32(x, y, H, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    tl.store(y + row, tl.max(tl.load(x + row * H + at, mask=at < H, other=-float("inf")), axis=0))


@triton.jit
def triton_max_f32__masked_as_zero(x, y, H, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    tl.store(y + row, tl.max(tl.load(x + row * H + at, mask=at < H, other=0.0), axis=0))


for name, kernel in [(name, value) for name, value in globals().items() if name.startswith("triton_")]:
    compiled = triton.compile(ASTSource(fn=kernel, signature={"x": "*fp32", "y": "*fp32", "H": "i32", "BLOCK": "constexpr"}, constexprs={"BLOCK": 128}),
                              target=GPUTarget("cuda", 90, 32), options={"num_warps": 4, "ptx_version": 83})
    text = f"// dynamic shared memory: {compiled.metadata.shared}\n{compiled.asm['ptx']}"
    pathlib.Path(("broken/" if "__" in name else "") + name + ".ptx").write_text(text)

"""Softmax in Triton, with broken twins, compiled without a GPU.

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
def triton_row_f32(x, y, H, BLOCK: tl.constexpr):
    """One program a row, which fits into the block."""
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    v = tl.load(x + row * H + at, mask=at < H, other=-float("inf"))
    e = tl.exp(v - tl.max(v, axis=0))
    tl.store(y + row * H + at, e / tl.sum(e, axis=0), mask=at < H)


@triton.jit
def triton_row_f32__masked_as_zero(x, y, H, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    v = tl.load(x + row * H + at, mask=at < H, other=0.0)
    e = tl.exp(v - tl.max(v, axis=0))
    tl.store(y + row * H + at, e / tl.sum(e, axis=0), mask=at < H)


@triton.jit
def triton_online_f32(x, y, H, BLOCK: tl.constexpr):
    """One program a row, in tiles, with a running maximum of the row and a running sum of each column of the tile."""
    row = tl.program_id(0)
    top = -float("inf")
    total = tl.zeros([BLOCK], dtype=tl.float32)
    for start in range(0, H, BLOCK):
        at = start + tl.arange(0, BLOCK)
        v = tl.load(x + row * H + at, mask=at < H, other=-float("inf"))
        after = tl.maximum(top, tl.max(v, axis=0))
        total = total * tl.exp(top - after) + tl.exp(v - after)
        top = after
    scale = 1.0 / tl.sum(total, axis=0)
    for start in range(0, H, BLOCK):
        at = start + tl.arange(0, BLOCK)
        v = tl.load(x + row * H + at, mask=at < H, other=0.0)
        tl.store(y + row * H + at, tl.exp(v - top) * scale, mask=at < H)


@triton.jit
def triton_online_f32__output_of_last_tile_only(x, y, H, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    top = -float("inf")
    total = tl.zeros([BLOCK], dtype=tl.float32)
    for start in range(0, H, BLOCK):
        at = start + tl.arange(0, BLOCK)
        v = tl.load(x + row * H + at, mask=at < H, other=-float("inf"))
        after = tl.maximum(top, tl.max(v, axis=0))
        total = tl.exp(v - after)
        top = after
    scale = 1.0 / tl.sum(total, axis=0)
    for start in range(0, H, BLOCK):
        at = start + tl.arange(0, BLOCK)
        v = tl.load(x + row * H + at, mask=at < H, other=0.0)
        tl.store(y + row * H + at, tl.exp(v - top) * scale, mask=at < H)


CONSTANTS = {"triton_row_f32": {"BLOCK": 64}, "triton_online_f32": {"BLOCK": 16}}

for name, kernel in [(name, value) for name, value in globals().items() if name.startswith("triton_")]:
    constants = CONSTANTS[name.partition("__")[0]]
    signature = {"x": "*fp32", "y": "*fp32", "H": "i32"} | {c: "constexpr" for c in constants}
    compiled = triton.compile(ASTSource(fn=kernel, signature=signature, constexprs=constants), target=GPUTarget("cuda", 90, 32),
                              options={"num_warps": 1, "ptx_version": 83})
    text = f"// dynamic shared memory: {compiled.metadata.shared}\n{compiled.asm['ptx']}"
    pathlib.Path(("broken/" if "__" in name else "") + name + ".ptx").write_text(text)

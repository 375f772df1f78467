"""LayerNorm in Triton, with broken twins, compiled without a GPU.

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
def triton_row_f32(x, w, b, y, H, eps, BLOCK: tl.constexpr):
    """One program a row, which fits into the block; two passes over registers."""
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    mask = at < H
    v = tl.load(x + row * H + at, mask=mask, other=0.0)
    mean = tl.sum(v, axis=0) / H
    d = tl.where(mask, v - mean, 0.0)
    rstd = tl.rsqrt(tl.sum(d * d, axis=0) / H + eps)
    tl.store(y + row * H + at, d * rstd * tl.load(w + at, mask=mask) + tl.load(b + at, mask=mask), mask=mask)


@triton.jit
def triton_row_f32__padding_in_variance(x, w, b, y, H, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    mask = at < H
    v = tl.load(x + row * H + at, mask=mask, other=0.0)
    mean = tl.sum(v, axis=0) / H
    d = v - mean
    rstd = tl.rsqrt(tl.sum(d * d, axis=0) / H + eps)
    tl.store(y + row * H + at, d * rstd * tl.load(w + at, mask=mask) + tl.load(b + at, mask=mask), mask=mask)


@triton.jit
def triton_loop_f32(x, w, b, y, H, eps, BLOCK: tl.constexpr):
    """One program a row, in blocks, as in Triton's tutorial: three loops."""
    row = tl.program_id(0)
    total = tl.zeros([BLOCK], dtype=tl.float32)
    for start in range(0, H, BLOCK):
        at = start + tl.arange(0, BLOCK)
        total += tl.load(x + row * H + at, mask=at < H, other=0.0)
    mean = tl.sum(total, axis=0) / H
    squares = tl.zeros([BLOCK], dtype=tl.float32)
    for start in range(0, H, BLOCK):
        at = start + tl.arange(0, BLOCK)
        d = tl.where(at < H, tl.load(x + row * H + at, mask=at < H, other=0.0) - mean, 0.0)
        squares += d * d
    rstd = 1 / tl.sqrt(tl.sum(squares, axis=0) / H + eps)
    for start in range(0, H, BLOCK):
        at = start + tl.arange(0, BLOCK)
        mask = at < H
        v = tl.load(x + row * H + at, mask=mask, other=0.0)
        tl.store(y + row * H + at, (v - mean) * rstd * tl.load(w + at, mask=mask) + tl.load(b + at, mask=mask), mask=mask)


@triton.jit
def triton_loop_f32__unbiased(x, w, b, y, H, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    total = tl.zeros([BLOCK], dtype=tl.float32)
    for start in range(0, H, BLOCK):
        at = start + tl.arange(0, BLOCK)
        total += tl.load(x + row * H + at, mask=at < H, other=0.0)
    mean = tl.sum(total, axis=0) / H
    squares = tl.zeros([BLOCK], dtype=tl.float32)
    for start in range(0, H, BLOCK):
        at = start + tl.arange(0, BLOCK)
        d = tl.where(at < H, tl.load(x + row * H + at, mask=at < H, other=0.0) - mean, 0.0)
        squares += d * d
    rstd = 1 / tl.sqrt(tl.sum(squares, axis=0) / (H - 1) + eps)
    for start in range(0, H, BLOCK):
        at = start + tl.arange(0, BLOCK)
        mask = at < H
        v = tl.load(x + row * H + at, mask=mask, other=0.0)
        tl.store(y + row * H + at, (v - mean) * rstd * tl.load(w + at, mask=mask) + tl.load(b + at, mask=mask), mask=mask)


CONSTANTS = {"triton_row_f32": {"BLOCK": 64}, "triton_loop_f32": {"BLOCK": 32}}

for name, kernel in [(name, value) for name, value in globals().items() if name.startswith("triton_")]:
    constants = CONSTANTS[name.partition("__")[0]]
    signature = {"x": "*fp32", "w": "*fp32", "b": "*fp32", "y": "*fp32", "H": "i32", "eps": "fp32"} | {c: "constexpr" for c in constants}
    compiled = triton.compile(ASTSource(fn=kernel, signature=signature, constexprs=constants), target=GPUTarget("cuda", 90, 32),
                              options={"num_warps": 1, "ptx_version": 83})
    text = f"// dynamic shared memory: {compiled.metadata.shared}\n{compiled.asm['ptx']}"
    pathlib.Path(("broken/" if "__" in name else "") + name + ".ptx").write_text(text)

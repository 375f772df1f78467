"""Weighted RMSNorm in Triton, with broken twins, compiled without a GPU.

    TRITON_DEFAULT_FP_FUSION=1 python3 -c "exec(compile(open('triton_kernels.py').read(), 'triton_kernels.py', 'exec'))"

in this folder writes every triton_*.ptx here and in broken/ again (run like this so that the line information holds no
path). Triton 3.9 made what is checked in. A Triton kernel takes two more pointers than its source shows; it does not use them.
"""
import pathlib
import re

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def triton_row_f16(x, w, y, N, H, eps, BLOCK: tl.constexpr):
    """One program a row, which fits into the block."""
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    v = tl.load(x + row * H + at, mask=at < H, other=0.0).to(tl.float32)
    g = tl.load(w + at, mask=at < H, other=0.0).to(tl.float32)
    r = tl.rsqrt(tl.sum(v * v, axis=0) / H + eps)
    tl.store(y + row * H + at, (v * r * g).to(tl.float16), mask=at < H)


@triton.jit
def triton_row_f16__mean_over_padded_width(x, w, y, N, H, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    v = tl.load(x + row * H + at, mask=at < H, other=0.0).to(tl.float32)
    g = tl.load(w + at, mask=at < H, other=0.0).to(tl.float32)
    r = tl.rsqrt(tl.sum(v * v, axis=0) / BLOCK + eps)
    tl.store(y + row * H + at, (v * r * g).to(tl.float16), mask=at < H)


@triton.jit
def triton_row_f16__padding_is_one(x, w, y, N, H, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    v = tl.load(x + row * H + at, mask=at < H, other=1.0).to(tl.float32)
    g = tl.load(w + at, mask=at < H, other=0.0).to(tl.float32)
    r = tl.rsqrt(tl.sum(v * v, axis=0) / H + eps)
    tl.store(y + row * H + at, (v * r * g).to(tl.float16), mask=at < H)


@triton.jit
def triton_loop_bf16(x, w, y, N, H, eps, BLOCK: tl.constexpr):
    """One program a row, in blocks of columns with a masked tail; division and square root as written."""
    row = tl.program_id(0)
    acc = tl.zeros([BLOCK], dtype=tl.float32)
    for o in range(0, H, BLOCK):
        at = o + tl.arange(0, BLOCK)
        v = tl.load(x + row * H + at, mask=at < H, other=0.0).to(tl.float32)
        acc += v * v
    r = 1 / tl.sqrt(tl.sum(acc, axis=0) / H + eps)
    for o in range(0, H, BLOCK):
        at = o + tl.arange(0, BLOCK)
        v = tl.load(x + row * H + at, mask=at < H, other=0.0).to(tl.float32)
        g = tl.load(w + at, mask=at < H, other=0.0).to(tl.float32)
        tl.store(y + row * H + at, (v * r * g).to(tl.bfloat16), mask=at < H)


@triton.jit
def triton_loop_bf16__weight_of_first_block(x, w, y, N, H, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    acc = tl.zeros([BLOCK], dtype=tl.float32)
    for o in range(0, H, BLOCK):
        at = o + tl.arange(0, BLOCK)
        v = tl.load(x + row * H + at, mask=at < H, other=0.0).to(tl.float32)
        acc += v * v
    r = 1 / tl.sqrt(tl.sum(acc, axis=0) / H + eps)
    for o in range(0, H, BLOCK):
        at = o + tl.arange(0, BLOCK)
        v = tl.load(x + row * H + at, mask=at < H, other=0.0).to(tl.float32)
        g = tl.load(w + tl.arange(0, BLOCK), mask=at < H, other=0.0).to(tl.float32)
        tl.store(y + row * H + at, (v * r * g).to(tl.bfloat16), mask=at < H)


@triton.jit
def triton_loop_bf16__store_without_mask(x, w, y, N, H, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    acc = tl.zeros([BLOCK], dtype=tl.float32)
    for o in range(0, H, BLOCK):
        at = o + tl.arange(0, BLOCK)
        v = tl.load(x + row * H + at, mask=at < H, other=0.0).to(tl.float32)
        acc += v * v
    r = 1 / tl.sqrt(tl.sum(acc, axis=0) / H + eps)
    for o in range(0, H, BLOCK):
        at = o + tl.arange(0, BLOCK)
        v = tl.load(x + row * H + at, mask=at < H, other=0.0).to(tl.float32)
        g = tl.load(w + at, mask=at < H, other=0.0).to(tl.float32)
        tl.store(y + row * H + at, (v * r * g).to(tl.bfloat16))


@triton.jit
def triton_rows_2d_f32(x, w, y, N, H, eps, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    """Several rows a program: a two-dimensional block, reduced along its columns; the last rows are masked."""
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    at = tl.arange(0, BLOCK)
    mask = (row[:, None] < N) & (at[None, :] < H)
    v = tl.load(x + row[:, None] * H + at[None, :], mask=mask, other=0.0)
    g = tl.load(w + at, mask=at < H, other=0.0)
    r = tl.rsqrt(tl.sum(v * v, axis=1) / H + eps)
    tl.store(y + row[:, None] * H + at[None, :], v * r[:, None] * g[None, :], mask=mask)


@triton.jit
def triton_rows_2d_f32__last_row_skipped(x, w, y, N, H, eps, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    at = tl.arange(0, BLOCK)
    mask = (row[:, None] < N - 1) & (at[None, :] < H)
    v = tl.load(x + row[:, None] * H + at[None, :], mask=mask, other=0.0)
    g = tl.load(w + at, mask=at < H, other=0.0)
    r = tl.rsqrt(tl.sum(v * v, axis=1) / H + eps)
    tl.store(y + row[:, None] * H + at[None, :], v * r[:, None] * g[None, :], mask=mask)


CONSTANTS = {"triton_row_f16": {"BLOCK": 1024}, "triton_loop_bf16": {"BLOCK": 256}, "triton_rows_2d_f32": {"ROWS": 4, "BLOCK": 1024}}
TYPES = {"f16": "*fp16", "bf16": "*bf16", "f32": "*fp32"}

for name, kernel in [(name, value) for name, value in globals().items() if name.startswith("triton_")]:
    stem = name.partition("__")[0]
    pointer = TYPES[stem.rpartition("_")[2]]
    constants = CONSTANTS[stem]
    signature = {"x": pointer, "w": pointer, "y": pointer, "N": "i32", "H": "i32", "eps": "fp32"} | {c: "constexpr" for c in constants}
    compiled = triton.compile(ASTSource(fn=kernel, signature=signature, constexprs=constants), target=GPUTarget("cuda", 90, 32),
                              options={"num_warps": 4, "ptx_version": 83})
    ptx = re.sub(r'(\.file\s+\d+ ")[^"]*/(triton/)', r"\1\2", compiled.asm["ptx"])
    pathlib.Path(("broken/" if "__" in name else "") + name + ".ptx").write_text(ptx)
    print(name, "shared memory", compiled.metadata.shared)

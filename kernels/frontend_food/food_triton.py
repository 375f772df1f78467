"""Triton kernels that are not RMSNorm, compiled without a GPU: food for the parser.

`sh ../weighted_rmsnorm/regenerate.sh` with TRITON_PYTHON set runs this; it writes food_triton.NAME.sm_CC.ptx into the current
folder. Triton 3.9 made what is checked in.
"""
import pathlib
import re

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def softmax(x, y, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    v = tl.load(x + row * cols + at, mask=at < cols, other=float("-inf"))
    e = tl.exp(v - tl.max(v, axis=0))
    tl.store(y + row * cols + at, e / tl.sum(e, axis=0), mask=at < cols)


@triton.jit
def matmul(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    k = tl.arange(0, BK)
    acc = tl.zeros([BM, BN], dtype=tl.float32)
    for o in range(0, K, BK):
        u = tl.load(a + m[:, None] * K + (o + k)[None, :], mask=(o + k)[None, :] < K, other=0.0)
        v = tl.load(b + (o + k)[:, None] * N + n[None, :], mask=(o + k)[:, None] < K, other=0.0)
        acc = tl.dot(u, v, acc)
    tl.store(c + m[:, None] * N + n[None, :], acc.to(tl.float16), mask=(m[:, None] < M) & (n[None, :] < N))


@triton.jit
def histogram(x, counts, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + at, mask=at < n, other=0)
    tl.atomic_add(counts + v, 1, mask=at < n)


@triton.jit
def scan_sort(x, y, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    v = tl.sort(tl.load(x + at))
    tl.store(y + at, tl.cumsum(v, axis=0))


@triton.jit
def gelu_dropout(x, y, seed, n, p, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + at, mask=at < n).to(tl.float32)
    g = 0.5 * v * (1 + tl.erf(v * 0.7071067811865476))
    keep = tl.rand(seed, at) > p
    tl.store(y + at, tl.where(keep, g / (1 - p), 0.0).to(tl.bfloat16), mask=at < n)


@triton.jit
def quantize(x, y, scale, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + at, mask=at < n, other=0.0).to(tl.float32)
    tl.store(y + at, (v / tl.load(scale)).to(tl.float8e5), mask=at < n)


@triton.jit
def argmax(x, y, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    tl.store(y + row, tl.argmax(tl.load(x + row * cols + at, mask=at < cols, other=float("-inf")), axis=0))


KERNELS = {
    softmax: ({"x": "*fp32", "y": "*fp32", "cols": "i32"}, {"BLOCK": 1024}),
    matmul: ({"a": "*fp16", "b": "*fp16", "c": "*fp16", "M": "i32", "N": "i32", "K": "i32"}, {"BM": 64, "BN": 64, "BK": 32}),
    histogram: ({"x": "*i32", "counts": "*i32", "n": "i32"}, {"BLOCK": 256}),
    scan_sort: ({"x": "*i32", "y": "*i32"}, {"BLOCK": 256}),
    gelu_dropout: ({"x": "*bf16", "y": "*bf16", "seed": "i32", "n": "i32", "p": "fp32"}, {"BLOCK": 256}),
    quantize: ({"x": "*fp16", "y": "*fp8e5", "scale": "*fp32", "n": "i32"}, {"BLOCK": 512}),
    argmax: ({"x": "*fp32", "y": "*i32", "cols": "i32"}, {"BLOCK": 512}),
}
# The tensor cores of each generation, and conversions that are native only on some.
ARCHITECTURES = {matmul: (80, 90, 100), quantize: (80, 90, 100)}
for kernel, (signature, constants) in KERNELS.items():
    source = ASTSource(fn=kernel, signature=signature | {name: "constexpr" for name in constants}, constexprs=constants)
    for cc in ARCHITECTURES.get(kernel, (90,)):
        ptx = triton.compile(source, target=GPUTarget("cuda", cc, 32)).asm["ptx"]
        # The library's own files, wherever they are installed.
        ptx = re.sub(r'(\.file\s+\d+ ")[^"]*/(triton/)', r"\1\2", ptx)
        pathlib.Path(f"food_triton.{kernel.fn.__name__}.sm_{cc}.ptx").write_text(ptx)

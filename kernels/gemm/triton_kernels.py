"""Matrix products in Triton, with broken twins, compiled without a GPU.

    TRITON_DISABLE_LINE_INFO=1 TRITON_DEFAULT_FP_FUSION=1 python3 triton_kernels.py

in this folder writes every triton_*.ptx here and in broken/ again. Triton 3.9 made what is checked in; its first line says how much
dynamic shared memory a launch needs. Programs of one or two warps, for which Triton takes mma.sync on sm_90.
"""
import pathlib

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def triton_dot_f32(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """Masked tiles of 16 x 16, tl.dot in binary32 (no tensor cores)."""
    m = tl.program_id(1) * BM + tl.arange(0, BM)
    n = tl.program_id(0) * BN + tl.arange(0, BN)
    acc = tl.zeros([BM, BN], dtype=tl.float32)
    for o in range(0, K, BK):
        k = o + tl.arange(0, BK)
        u = tl.load(a + m[:, None] * K + k[None, :], mask=(m[:, None] < M) & (k[None, :] < K), other=0.0)
        v = tl.load(b + k[:, None] * N + n[None, :], mask=(k[:, None] < K) & (n[None, :] < N), other=0.0)
        acc = tl.dot(u, v, acc, input_precision="ieee")
    tl.store(c + m[:, None] * N + n[None, :], acc, mask=(m[:, None] < M) & (n[None, :] < N))


@triton.jit
def triton_dot_f32__other_is_one(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """FAULT: what lies past the end of K is one, not zero, in both tiles."""
    m = tl.program_id(1) * BM + tl.arange(0, BM)
    n = tl.program_id(0) * BN + tl.arange(0, BN)
    acc = tl.zeros([BM, BN], dtype=tl.float32)
    for o in range(0, K, BK):
        k = o + tl.arange(0, BK)
        u = tl.load(a + m[:, None] * K + k[None, :], mask=(m[:, None] < M) & (k[None, :] < K), other=1.0)
        v = tl.load(b + k[:, None] * N + n[None, :], mask=(k[:, None] < K) & (n[None, :] < N), other=1.0)
        acc = tl.dot(u, v, acc, input_precision="ieee")
    tl.store(c + m[:, None] * N + n[None, :], acc, mask=(m[:, None] < M) & (n[None, :] < N))


@triton.jit
def triton_dot_f16(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """Masked tiles on tensor cores, software-pipelined."""
    m = tl.program_id(1) * BM + tl.arange(0, BM)
    n = tl.program_id(0) * BN + tl.arange(0, BN)
    acc = tl.zeros([BM, BN], dtype=tl.float32)
    for o in range(0, K, BK):
        k = o + tl.arange(0, BK)
        u = tl.load(a + m[:, None] * K + k[None, :], mask=(m[:, None] < M) & (k[None, :] < K), other=0.0)
        v = tl.load(b + k[:, None] * N + n[None, :], mask=(k[:, None] < K) & (n[None, :] < N), other=0.0)
        acc = tl.dot(u, v, acc)
    tl.store(c + m[:, None] * N + n[None, :], acc, mask=(m[:, None] < M) & (n[None, :] < N))


@triton.jit
def triton_dot_f16__last_tile_dropped(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """FAULT: only whole tiles of K are summed."""
    m = tl.program_id(1) * BM + tl.arange(0, BM)
    n = tl.program_id(0) * BN + tl.arange(0, BN)
    acc = tl.zeros([BM, BN], dtype=tl.float32)
    for o in range(0, K // BK * BK, BK):
        k = o + tl.arange(0, BK)
        u = tl.load(a + m[:, None] * K + k[None, :], mask=(m[:, None] < M) & (k[None, :] < K), other=0.0)
        v = tl.load(b + k[:, None] * N + n[None, :], mask=(k[:, None] < K) & (n[None, :] < N), other=0.0)
        acc = tl.dot(u, v, acc)
    tl.store(c + m[:, None] * N + n[None, :], acc, mask=(m[:, None] < M) & (n[None, :] < N))


if __name__ == "__main__":
    for name, kernel in [(name, value) for name, value in globals().items() if name.startswith("triton_")]:
        pointer = "*fp16" if "_f16" in name else "*fp32"
        constants = {"BM": 16, "BN": 16, "BK": 16}
        signature = {"a": pointer, "b": pointer, "c": "*fp32", "M": "i32", "N": "i32", "K": "i32"} | {c: "constexpr" for c in constants}
        compiled = triton.compile(ASTSource(fn=kernel, signature=signature, constexprs=constants), target=GPUTarget("cuda", 90, 32),
                                  options={"num_warps": 1, "num_stages": 2, "ptx_version": 83})
        text = "// dynamic shared memory: %d bytes\n" % compiled.metadata.shared + compiled.asm["ptx"]
        pathlib.Path(("broken/" if "__" in name else "") + name + ".ptx").write_text(text)

"""Triton kernels of many sorts, compiled without a GPU for three generations of tensor cores.

    TRITON_DISABLE_LINE_INFO=1 python3 triton_corpus.py [NAME...]

in this folder writes NAME.sm_80.ptx, NAME.sm_90.ptx and NAME.sm_100.ptx for all kernels, or for those named. Triton 3.9 made what is
checked in. The first line of each file says how much dynamic shared memory a launch needs. The host computations are in
tests/bits_corpus/host_triton_*.cc. Kernels with tl.dot are kept to shapes and numbers of warps for which Triton chooses mma.sync on
all three; wgmma and tcgen05 are no part of this corpus.
"""
import pathlib
import sys

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource
from triton.language.extra import libdevice

KERNELS = {}


def kernel(signature, constants=None, warps=4, stages=3, fusion=True):
    """Registers a kernel: "name: type" pairs of its run-time parameters, values of the others.

    Without `fusion` no product is fused into a sum. Where a product is reduced, fusing gives the two lanes of the last shuffle sums that
    differ in the last bit, and both store theirs to one place: a race, which racer reports.
    """
    def register(fn):
        types = dict(pair.split(":") for pair in signature.replace(" ", "").split(","))
        KERNELS[fn.__name__] = (triton.jit(fn), types, constants or {}, warps, stages, fusion)
        return fn
    return register


# Elementwise.
@kernel("x:*fp32, y:*fp32, z:*fp32, n:i32", {"BLOCK": 512})
def tr_add(x, y, z, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(z + at, tl.load(x + at, mask=at < n) + tl.load(y + at, mask=at < n), mask=at < n)


@kernel("x:*bf16, y:*bf16, n:i32", {"BLOCK": 512})
def tr_silu(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + at, mask=at < n).to(tl.float32)
    tl.store(y + at, (v * tl.sigmoid(v)).to(tl.bfloat16), mask=at < n)


@kernel("x:*fp16, y:*fp16, n:i32", {"BLOCK": 512})
def tr_gelu_tanh(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + at, mask=at < n).to(tl.float32)
    t = 0.7978845608028654 * (v + 0.044715 * v * v * v)
    tl.store(y + at, (0.5 * v * (1 + libdevice.tanh(t))).to(tl.float16), mask=at < n)


@kernel("x:*fp32, y:*fp32, n:i32", {"BLOCK": 256})
def tr_gelu_erf(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + at, mask=at < n)
    tl.store(y + at, 0.5 * v * (1 + tl.erf(v * 0.7071067811865476)), mask=at < n)


@kernel("x:*fp16, a:*fp16, b:*fp16, c:*fp16", {"BLOCK": 256})
def tr_rectifiers(x, a, b, c, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    v = tl.load(x + at)
    tl.store(a + at, tl.maximum(v, 0.0))
    tl.store(b + at, tl.where(v > 0, v, v * 0.125))
    tl.store(c + at, tl.clamp(v, -1.0, 2.0))


@kernel("x:*fp32, a:*fp32, b:*fp32", {"BLOCK": 256})
def tr_softplus(x, a, b, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    v = tl.load(x + at)
    tl.store(a + at, tl.where(v > 20, v, tl.log(1 + tl.exp(v))))
    tl.store(b + at, tl.fdiv(v, 1 + tl.abs(v)))


@kernel("x:*fp32, y:*fp32", {"BLOCK": 128})
def tr_functions(x, y, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    v = tl.load(x + at)
    tl.store(y + at, tl.sin(v))
    tl.store(y + BLOCK + at, tl.cos(v))
    tl.store(y + 2 * BLOCK + at, tl.exp2(v))
    tl.store(y + 3 * BLOCK + at, tl.log2(tl.abs(v) + 1))
    tl.store(y + 4 * BLOCK + at, tl.sqrt(tl.abs(v)))
    tl.store(y + 5 * BLOCK + at, tl.rsqrt(tl.abs(v) + 0.5))
    tl.store(y + 6 * BLOCK + at, tl.floor(v) + 0.5 * tl.ceil(v))
    tl.store(y + 7 * BLOCK + at, tl.sqrt_rn(tl.abs(v)) + tl.div_rn(v, 3.0))
    tl.store(y + 8 * BLOCK + at, tl.fma(v, v, 1.0))
    tl.store(y + 9 * BLOCK + at, libdevice.atan(v))
    tl.store(y + 10 * BLOCK + at, libdevice.pow(tl.abs(v) + 0.1, 1.5))
    tl.store(y + 11 * BLOCK + at, libdevice.rint(v))


@kernel("x:*fp64, y:*fp64, z:*fp64, s:*fp64", {"BLOCK": 128}, fusion=False)
def tr_doubles(x, y, z, s, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    v = tl.load(x + at)
    w = tl.load(y + at)
    tl.store(z + at, tl.sqrt(v * v + w * w) / (1.0 + tl.abs(w)))
    tl.store(z + BLOCK + at, tl.exp(v))
    tl.store(s, tl.sum(v * w, axis=0))


@kernel("x:*i64, y:*i64, z:*i64", {"BLOCK": 128})
def tr_long_integers(x, y, z, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    v = tl.load(x + at)
    w = tl.load(y + at)
    tl.store(z + at, v * w + (v >> 3))
    tl.store(z + BLOCK + at, v // w)
    tl.store(z + 2 * BLOCK + at, v % w)
    tl.store(z + 3 * BLOCK + at, tl.where(v < w, v ^ w, v & ~w))


@kernel("x:*i32, y:*i32, z:*i32", {"BLOCK": 128})
def tr_bit_tricks(x, y, z, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    v = tl.load(x + at)
    w = tl.load(y + at)
    u = v.to(tl.uint32, bitcast=True)
    tl.store(z + at, libdevice.popc(v) + 100 * libdevice.clz(v) + 10000 * libdevice.ffs(v))
    tl.store(z + BLOCK + at, tl.umulhi(v, w))
    tl.store(z + 2 * BLOCK + at, libdevice.brev(v) ^ (v << (w & 31)))
    tl.store(z + 3 * BLOCK + at, ((u >> 5) | (u << 27)).to(tl.int32, bitcast=True))
    tl.store(z + 4 * BLOCK + at, (u // 7 + u % 7).to(tl.int32, bitcast=True))
    tl.store(z + 5 * BLOCK + at, v.to(tl.float32, bitcast=True).to(tl.int32, bitcast=True) + 1)


@kernel("a:*i8, b:*u8, c:*i16, d:*u16, f:*fp32, y:*i32, z:*i8", {"BLOCK": 128})
def tr_small_integers(a, b, c, d, f, y, z, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    p = tl.load(a + at)
    q = tl.load(b + at)
    r = tl.load(c + at)
    s = tl.load(d + at)
    tl.store(y + at, p.to(tl.int32) * q.to(tl.int32) + r.to(tl.int32) - s.to(tl.int32))
    tl.store(f + at, p.to(tl.float32) * 0.5 + q.to(tl.float32) + r.to(tl.float32) / 4 + s.to(tl.float32))
    tl.store(z + at, (p + q.to(tl.int8)) // 2)


@kernel("x:*fp32, m:*i1, y:*fp32", {"N": 32})
def tr_masks(x, m, y, N: tl.constexpr):
    i = tl.arange(0, N)[:, None]
    j = tl.arange(0, N)[None, :]
    keep = (j <= i) & (tl.load(m + j) != 0) | (i == j)
    v = tl.load(x + i * N + j, mask=keep, other=-1.0)
    tl.store(y + i * N + j, tl.where(keep, v, 0.0) + tl.where(i > j, 1.0, 0.0))


# Rows.
@kernel("x:*fp32, y:*fp32, cols:i32", {"BLOCK": 256})
def tr_softmax(x, y, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    v = tl.load(x + row * cols + at, mask=at < cols, other=float("-inf"))
    e = tl.exp(v - tl.max(v, axis=0))
    tl.store(y + row * cols + at, e / tl.sum(e, axis=0), mask=at < cols)


@kernel("x:*fp16, y:*fp16, cols:i32", {"BLOCK": 128}, warps=2)
def tr_log_softmax(x, y, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    v = tl.load(x + row * cols + at, mask=at < cols, other=float("-inf")).to(tl.float32)
    v = v - tl.max(v, axis=0)
    tl.store(y + row * cols + at, (v - tl.log(tl.sum(tl.exp(v), axis=0))).to(tl.float16), mask=at < cols)


@kernel("x:*fp32, y:*fp32, cols:i32", {"BLOCK": 64}, warps=1)
def tr_logsumexp_online(x, y, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    largest = -1.0e30
    total = 0.0
    for o in range(0, cols, BLOCK):
        at = o + tl.arange(0, BLOCK)
        v = tl.load(x + row * cols + at, mask=at < cols, other=float("-inf"))
        new = tl.maximum(largest, tl.max(v, axis=0))
        total = total * tl.exp(largest - new) + tl.sum(tl.exp(v - new), axis=0)
        largest = new
    tl.store(y + row, largest + tl.log(total))


@kernel("x:*fp32, w:*fp32, b:*fp32, y:*fp32, mean_out:*fp32, rstd_out:*fp32, cols:i32, eps:fp32", {"BLOCK": 256})
def tr_layernorm(x, w, b, y, mean_out, rstd_out, cols, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    v = tl.load(x + row * cols + at, mask=at < cols, other=0.0)
    mean = tl.sum(v, axis=0) / cols
    d = tl.where(at < cols, v - mean, 0.0)
    rstd = 1 / tl.sqrt(tl.sum(d * d, axis=0) / cols + eps)
    out = d * rstd * tl.load(w + at, mask=at < cols) + tl.load(b + at, mask=at < cols)
    tl.store(y + row * cols + at, out, mask=at < cols)
    tl.store(mean_out + row, mean)
    tl.store(rstd_out + row, rstd)


@kernel("dy:*fp32, x:*fp32, w:*fp32, mean:*fp32, rstd:*fp32, dx:*fp32, cols:i32", {"BLOCK": 128}, fusion=False)
def tr_layernorm_backward(dy, x, w, mean, rstd, dx, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    mask = at < cols
    r = tl.load(rstd + row)
    h = tl.where(mask, (tl.load(x + row * cols + at, mask=mask, other=0.0) - tl.load(mean + row)) * r, 0.0)
    g = tl.where(mask, tl.load(dy + row * cols + at, mask=mask, other=0.0) * tl.load(w + at, mask=mask, other=0.0), 0.0)
    c1 = tl.sum(h * g, axis=0) / cols
    c2 = tl.sum(g, axis=0) / cols
    tl.store(dx + row * cols + at, (g - h * c1 - c2) * r, mask=mask)


@kernel("dy:*bf16, x:*bf16, w:*bf16, dx:*bf16, dw:*fp32, rows:i32, cols:i32, eps:fp32", {"BLOCK": 128})
def tr_rmsnorm_backward(dy, x, w, dx, dw, rows, cols, eps, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    mask = at < cols
    g = tl.load(w + at, mask=mask, other=0.0).to(tl.float32)
    acc = tl.zeros([BLOCK], dtype=tl.float32)
    for row in range(rows):
        v = tl.load(x + row * cols + at, mask=mask, other=0.0).to(tl.float32)
        d = tl.load(dy + row * cols + at, mask=mask, other=0.0).to(tl.float32)
        r = tl.rsqrt(tl.sum(v * v, axis=0) / cols + eps)
        acc += d * v * r
        m = tl.sum(d * g * v, axis=0) / cols
        tl.store(dx + row * cols + at, (r * (d * g - v * r * r * m)).to(tl.bfloat16), mask=mask)
    tl.store(dw + at, acc, mask=mask)


@kernel("x:*fp32, y:*fp32, channels:i32, size:i32, eps:fp32", {"CG": 4, "BLOCK": 32}, warps=2)
def tr_groupnorm(x, y, channels, size, eps, CG: tl.constexpr, BLOCK: tl.constexpr):
    n = tl.program_id(0)
    c = tl.program_id(1) * CG + tl.arange(0, CG)[:, None]
    at = tl.arange(0, BLOCK)[None, :]
    mask = at < size
    where = (n * channels + c) * size + at
    v = tl.load(x + where, mask=mask, other=0.0)
    count = CG * size
    mean = tl.sum(v) / count
    d = tl.where(mask, v - mean, 0.0)
    tl.store(y + where, d * tl.rsqrt(tl.sum(d * d) / count + eps), mask=mask)


@triton.jit
def welford_merge(m1, v1, n1, m2, v2, n2):
    d = m2 - m1
    n = n1 + n2
    part = tl.where(n == 0, 0.0, n2 / n)
    return m1 + d * part, v1 + v2 + d * d * n1 * part, n


@kernel("x:*fp32, y:*fp32, cols:i32", {"BLOCK": 128})
def tr_welford(x, y, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    v = tl.load(x + row * cols + at, mask=at < cols, other=0.0)
    mean, square, count = tl.reduce((v, tl.zeros_like(v), tl.where(at < cols, 1.0, 0.0)), 0, welford_merge)
    tl.store(y + row * 2, mean)
    tl.store(y + row * 2 + 1, square / count)


@kernel("logits:*fp32, labels:*i64, loss:*fp32, grad:*fp32, cols:i32", {"BLOCK": 128})
def tr_cross_entropy(logits, labels, loss, grad, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    label = tl.load(labels + row)
    v = tl.load(logits + row * cols + at, mask=at < cols, other=float("-inf"))
    m = tl.max(v, axis=0)
    s = tl.sum(tl.exp(v - m), axis=0)
    tl.store(loss + row, tl.where(label < 0, 0.0, tl.log(s) + m - tl.sum(tl.where(at == label, v, 0.0), axis=0)))
    tl.store(grad + row * cols + at, tl.where(label < 0, 0.0, tl.exp(v - m) / s - tl.where(at == label, 1.0, 0.0)), mask=at < cols)


# Reductions and scans.
@kernel("x:*fp32, y:*fp32, z:*fp32", {"M": 32, "N": 64})
def tr_sum_axes(x, y, z, M: tl.constexpr, N: tl.constexpr):
    i = tl.arange(0, M)
    j = tl.arange(0, N)
    v = tl.load(x + i[:, None] * N + j[None, :])
    tl.store(y + j, tl.sum(v, axis=0))
    tl.store(z + i, tl.sum(v, axis=1))


@kernel("x:*i32, y:*i32, z:*i32", {"M": 16, "N": 128})
def tr_extremes(x, y, z, M: tl.constexpr, N: tl.constexpr):
    i = tl.arange(0, M)
    j = tl.arange(0, N)
    v = tl.load(x + i[:, None] * N + j[None, :])
    tl.store(y + i, tl.max(v, axis=1) - tl.min(v, axis=1))
    tl.store(z + j, tl.xor_sum(v, axis=0))


@kernel("x:*fp32, y:*i32, z:*i32, cols:i32", {"BLOCK": 256})
def tr_argmax(x, y, z, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    tl.store(y + row, tl.argmax(tl.load(x + row * cols + at, mask=at < cols, other=float("-inf")), axis=0))
    tl.store(z + row, tl.argmin(tl.load(x + row * cols + at, mask=at < cols, other=float("inf")), axis=0))


@kernel("x:*i32, y:*i32, z:*i32", {"M": 4, "N": 128})
def tr_cumsum(x, y, z, M: tl.constexpr, N: tl.constexpr):
    at = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    v = tl.load(x + at)
    tl.store(y + at, tl.cumsum(v, axis=1))
    tl.store(z + at, tl.cumsum(v, axis=0, reverse=True))


@triton.jit
def affine(a1, b1, a2, b2):
    return a1 * a2, a2 * b1 + b2


@kernel("a:*i32, b:*i32, y:*i32", {"BLOCK": 256})
def tr_linear_recurrence(a, b, y, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    p, h = tl.associative_scan((tl.load(a + at), tl.load(b + at)), 0, affine)
    tl.store(y + at, h)


@triton.jit
def larger(a, b):
    return tl.maximum(a, b)


@kernel("x:*fp32, y:*fp32, z:*fp32", {"M": 64, "N": 8})
def tr_cummax(x, y, z, M: tl.constexpr, N: tl.constexpr):
    at = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    v = tl.load(x + at)
    tl.store(y + at, tl.associative_scan(v, 0, larger))
    tl.store(z + at, tl.cumprod(tl.where(v > 0, 1.0, -1.0), axis=1))


@kernel("x:*i32, y:*i32, z:*i32", {"M": 2, "N": 64})
def tr_sort(x, y, z, M: tl.constexpr, N: tl.constexpr):
    at = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    v = tl.load(x + at)
    tl.store(y + at, tl.sort(v))
    tl.store(z + at, tl.sort(v, descending=True))


@kernel("x:*fp32, y:*fp32", {"M": 4, "N": 64, "K": 8}, warps=2)
def tr_topk(x, y, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    i = tl.arange(0, M)[:, None]
    v = tl.load(x + i * N + tl.arange(0, N)[None, :])
    tl.store(y + i * K + tl.arange(0, K)[None, :], tl.topk(v, K))


# Moving data.
@kernel("x:*fp32, y:*fp32, rows:i32, cols:i32", {"B": 32})
def tr_transpose(x, y, rows, cols, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    j = tl.program_id(1) * B + tl.arange(0, B)
    v = tl.load(x + i[:, None] * cols + j[None, :], mask=(i[:, None] < rows) & (j[None, :] < cols))
    tl.store(y + j[:, None] * rows + i[None, :], tl.trans(v), mask=(j[:, None] < cols) & (i[None, :] < rows))


@kernel("table:*fp16, ids:*i32, y:*fp16, dim:i32", {"BLOCK": 64}, warps=1)
def tr_embedding(table, ids, y, dim, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    token = tl.load(ids + row)
    at = tl.arange(0, BLOCK)
    tl.store(y + row * dim + at, tl.load(table + token * dim + at, mask=at < dim), mask=at < dim)


@kernel("x:*fp32, index:*i32, y:*fp32", {"BLOCK": 256})
def tr_scatter_add(x, index, y, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.atomic_add(y + tl.load(index + at), tl.load(x + at))


@kernel("x:*i32, index:*i32, y:*i32", {"M": 32, "N": 32})
def tr_gather(x, index, y, M: tl.constexpr, N: tl.constexpr):
    at = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    tl.store(y + at, tl.gather(tl.load(x + at), tl.load(index + at), 0))


@kernel("x:*fp16, y:*fp16, z:*fp16", {"BLOCK": 128})
def tr_interleave(x, y, z, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    a = tl.load(x + at)
    b = tl.load(x + BLOCK + at)
    tl.store(y + tl.arange(0, 2 * BLOCK), tl.interleave(a, b))
    even, odd = tl.split(tl.reshape(tl.load(x + tl.arange(0, 2 * BLOCK)), (BLOCK, 2)))
    tl.store(z + at, tl.flip(even) - odd)


@kernel("x:*i32, y:*i32", {"A": 4, "B": 8, "C": 16})
def tr_permute(x, y, A: tl.constexpr, B: tl.constexpr, C: tl.constexpr):
    v = tl.reshape(tl.load(x + tl.arange(0, A * B * C)), (A, B, C))
    tl.store(y + tl.arange(0, A * B * C), tl.reshape(tl.permute(v, (2, 0, 1)), (A * B * C,)))


# Counting and atomics.
@kernel("x:*i32, y:*i32, n:i32", {"BLOCK": 256, "BINS": 64})
def tr_histogram(x, y, n, BLOCK: tl.constexpr, BINS: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    counts = tl.histogram(tl.load(x + at, mask=at < n, other=0), BINS, mask=at < n)
    tl.atomic_add(y + tl.arange(0, BINS), counts)


@kernel("x:*i32, y:*i32, f:*fp32", {"BLOCK": 128})
def tr_atomics(x, y, f, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + at)
    slot = at % 4
    tl.atomic_max(y + slot, v)
    tl.atomic_min(y + 4 + slot, v)
    tl.atomic_and(y + 8 + slot, v | 255)
    tl.atomic_or(y + 12 + slot, v)
    tl.atomic_xor(y + 16 + slot, v)
    tl.atomic_add(y + 20 + slot, v, sem="relaxed")
    tl.atomic_max(f + slot, v.to(tl.float32))


# One lock around a counter and a sum; and an exchange whose old values are counted once each.
@kernel("lock:*i32, total:*i32, x:*i32", {"BLOCK": 64}, warps=1)
def tr_lock(lock, total, x, BLOCK: tl.constexpr):
    s = tl.sum(tl.load(x + tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)), axis=0)
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    tl.store(total, tl.load(total, volatile=True) + s)
    tl.debug_barrier()
    tl.atomic_xchg(lock, 0)


@kernel("x:*fp16, y:*fp16", {"BLOCK": 128})
def tr_atomic_half(x, y, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.atomic_add(y + at % 32, tl.load(x + at))


# Tensor cores.
@triton.jit
def dot_tiles(a, b, c, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, acc_type: tl.constexpr, precision: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    k = tl.arange(0, BK)
    acc = tl.zeros([BM, BN], dtype=acc_type)
    for o in range(0, K, BK):
        u = tl.load(a + m[:, None] * K + (o + k)[None, :])
        v = tl.load(b + (o + k)[:, None] * N + n[None, :])
        acc = tl.dot(u, v, acc, input_precision=precision, out_dtype=acc_type)
    return m[:, None] * N + n[None, :], acc


TILE = {"BM": 32, "BN": 32, "BK": 32}


@kernel("a:*fp16, b:*fp16, c:*fp16, N:i32, K:i32", TILE, warps=2)
def tr_matmul_f16(a, b, c, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    at, acc = dot_tiles(a, b, c, N, K, BM, BN, BK, tl.float32, "tf32")
    tl.store(c + at, acc.to(tl.float16))


@kernel("a:*bf16, b:*bf16, c:*fp32, N:i32, K:i32", TILE, warps=2)
def tr_matmul_bf16(a, b, c, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    at, acc = dot_tiles(a, b, c, N, K, BM, BN, BK, tl.float32, "tf32")
    tl.store(c + at, acc)


@kernel("a:*fp32, b:*fp32, c:*fp32, N:i32, K:i32", TILE, warps=2)
def tr_matmul_tf32(a, b, c, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    at, acc = dot_tiles(a, b, c, N, K, BM, BN, BK, tl.float32, "tf32")
    tl.store(c + at, acc)


@kernel("a:*fp32, b:*fp32, c:*fp32, N:i32, K:i32", TILE, warps=2)
def tr_matmul_tf32x3(a, b, c, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    at, acc = dot_tiles(a, b, c, N, K, BM, BN, BK, tl.float32, "tf32x3")
    tl.store(c + at, acc)


@kernel("a:*fp32, b:*fp32, c:*fp32, N:i32, K:i32", {"BM": 16, "BN": 16, "BK": 16}, warps=1)
def tr_matmul_fma(a, b, c, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    at, acc = dot_tiles(a, b, c, N, K, BM, BN, BK, tl.float32, "ieee")
    tl.store(c + at, acc)


@kernel("a:*i8, b:*i8, c:*i32, N:i32, K:i32", TILE, warps=2)
def tr_matmul_s8(a, b, c, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    at, acc = dot_tiles(a, b, c, N, K, BM, BN, BK, tl.int32, "tf32")
    tl.store(c + at, acc)


@kernel("a:*fp64, b:*fp64, c:*fp64, N:i32, K:i32", {"BM": 16, "BN": 16, "BK": 16}, warps=1)
def tr_matmul_f64(a, b, c, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    at, acc = dot_tiles(a, b, c, N, K, BM, BN, BK, tl.float64, "ieee")
    tl.store(c + at, acc)


@kernel("a:*fp8e5, b:*fp8e5, c:*fp32, N:i32, K:i32", TILE, warps=2)
def tr_matmul_e5m2(a, b, c, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    at, acc = dot_tiles(a, b, c, N, K, BM, BN, BK, tl.float32, "tf32")
    tl.store(c + at, acc)


# Int4 weights, two in a byte, times a scale of each group of 32 rows: unpacked beside the tensor cores.
@kernel("a:*fp16, w:*u8, scale:*fp16, c:*fp16, N:i32, K:i32", {"BM": 16, "BN": 32, "BK": 32}, warps=2)
def tr_matmul_int4(a, w, scale, c, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.arange(0, BM)
    n = tl.program_id(0) * BN + tl.arange(0, BN)
    k = tl.arange(0, BK)
    acc = tl.zeros([BM, BN], dtype=tl.float32)
    for o in range(0, K, BK):
        u = tl.load(a + m[:, None] * K + (o + k)[None, :])
        packed = tl.load(w + ((o + k) // 2)[:, None] * N + n[None, :])
        q = (packed >> ((k % 2) * 4).to(tl.uint8)[:, None]) & 15
        v = (q.to(tl.float16) - 8) * tl.load(scale + o // BK * N + n)[None, :]
        acc = tl.dot(u, v, acc)
    tl.store(c + m[:, None] * N + n[None, :], acc.to(tl.float16))


# Attention of one block of queries over all keys, causal, with a running maximum.
@kernel("q:*fp16, k:*fp16, v:*fp16, y:*fp32, keys:i32, scale:fp32", {"BM": 16, "BN": 16, "D": 32}, warps=1, stages=2)
def tr_attention(q, k, v, y, keys, scale, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr):
    i = tl.program_id(0) * BM + tl.arange(0, BM)
    d = tl.arange(0, D)
    queries = tl.load(q + i[:, None] * D + d[None, :])
    largest = tl.full([BM], -1.0e30, dtype=tl.float32)
    total = tl.zeros([BM], dtype=tl.float32)
    acc = tl.zeros([BM, D], dtype=tl.float32)
    for o in range(0, keys, BN):
        j = o + tl.arange(0, BN)
        s = tl.dot(queries, tl.trans(tl.load(k + j[:, None] * D + d[None, :]))) * scale
        s = tl.where(j[None, :] <= i[:, None], s, -1.0e30)
        new = tl.maximum(largest, tl.max(s, axis=1))
        p = tl.exp(s - new[:, None])
        keep = tl.exp(largest - new)
        total = total * keep + tl.sum(p, axis=1)
        acc = acc * keep[:, None]
        acc = tl.dot(p.to(tl.float16), tl.load(v + j[:, None] * D + d[None, :]), acc)
        largest = new
    tl.store(y + i[:, None] * D + d[None, :], acc / total[:, None])


@kernel("a:*fp32, x:*fp32, y:*fp32, cols:i32", {"BM": 8, "BN": 64}, warps=2)
def tr_gemv(a, x, y, cols, BM: tl.constexpr, BN: tl.constexpr):
    i = tl.program_id(0) * BM + tl.arange(0, BM)
    acc = tl.zeros([BM, BN], dtype=tl.float32)
    for o in range(0, cols, BN):
        j = o + tl.arange(0, BN)
        acc += tl.load(a + i[:, None] * cols + j[None, :], mask=j[None, :] < cols, other=0.0) * tl.load(x + j, mask=j < cols, other=0.0)[None, :]
    tl.store(y + i, tl.sum(acc, axis=1))


# Quantisation.
@kernel("x:*fp32, q:*i8, scale:*fp32, cols:i32", {"BLOCK": 128})
def tr_quantise_int8(x, q, scale, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    v = tl.load(x + row * cols + at, mask=at < cols, other=0.0)
    s = tl.max(tl.abs(v), axis=0) / 127.0
    r = libdevice.rint(v / s)
    tl.store(q + row * cols + at, tl.clamp(r, -128.0, 127.0).to(tl.int8), mask=at < cols)
    tl.store(scale + row, s)


@kernel("x:*fp32, q:*fp8e5, back:*fp32", {"BLOCK": 512})
def tr_quantise_e5m2(x, q, back, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    v = tl.load(x + at).to(tl.float8e5)
    tl.store(q + at, v)
    tl.store(back + at, v.to(tl.float32))


@kernel("x:*fp16, q:*fp8e4nv, back:*bf16", {"BLOCK": 512})
def tr_quantise_e4m3(x, q, back, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    v = tl.load(x + at).to(tl.float8e4nv)
    tl.store(q + at, v)
    tl.store(back + at, v.to(tl.bfloat16))


@kernel("w:*i32, scale:*fp16, zero:*i32, y:*fp16", {"BLOCK": 32})
def tr_dequantise_int4(w, scale, zero, y, BLOCK: tl.constexpr):
    group = tl.program_id(0)
    word = tl.arange(0, BLOCK)[:, None]
    nibble = tl.arange(0, 8)[None, :]
    q = (tl.load(w + group * BLOCK + word) >> (nibble * 4)) & 15
    v = (q - tl.load(zero + group)).to(tl.float16) * tl.load(scale + group)
    tl.store(y + (group * BLOCK + word) * 8 + nibble, v)


@kernel("x:*fp32, a:*bf16, b:*fp16, c:*fp32", {"BLOCK": 256})
def tr_casts(x, a, b, c, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    v = tl.load(x + at)
    tl.store(a + at, v.to(tl.bfloat16))
    tl.store(b + at, v.to(tl.float16))
    tl.store(c + at, v.to(tl.bfloat16).to(tl.float32) - v.to(tl.float16, fp_downcast_rounding="rtz").to(tl.float32))


# Whole operators.
@kernel("x:*fp32, cosine:*fp32, sine:*fp32, y:*fp32, dim:i32", {"HALF": 32}, warps=1)
def tr_rope(x, cosine, sine, y, dim, HALF: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, HALF)
    a = tl.load(x + row * dim + at)
    b = tl.load(x + row * dim + HALF + at)
    c = tl.load(cosine + row * HALF + at)
    s = tl.load(sine + row * HALF + at)
    tl.store(y + row * dim + at, a * c - b * s)
    tl.store(y + row * dim + HALF + at, b * c + a * s)


@kernel("x:*fp32, y:*fp32, bits:*i32, seed:i32, n:i32, p:fp32", {"BLOCK": 256})
def tr_dropout(x, y, bits, seed, n, p, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = tl.rand(seed, at) > p
    tl.store(y + at, tl.where(keep, tl.load(x + at, mask=at < n) / (1 - p), 0.0), mask=at < n)
    tl.store(bits + at, tl.randint(seed, at + 1).to(tl.int32, bitcast=True), mask=at < n)


@kernel("x:*bf16, y:*bf16, cols:i32", {"BLOCK": 128})
def tr_swiglu(x, y, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    a = tl.load(x + row * 2 * cols + at, mask=at < cols).to(tl.float32)
    b = tl.load(x + row * 2 * cols + cols + at, mask=at < cols).to(tl.float32)
    tl.store(y + row * cols + at, (a / (1 + tl.exp(-a)) * b).to(tl.bfloat16), mask=at < cols)


@kernel("x:*fp32, w:*fp32, y:*fp32, n:i32", {"TAPS": 5, "BLOCK": 128})
def tr_conv1d(x, w, y, n, TAPS: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    acc = tl.zeros([BLOCK], dtype=tl.float32)
    for t in tl.static_range(TAPS):
        source = at + t - TAPS // 2
        acc += tl.load(x + source, mask=(source >= 0) & (source < n), other=0.0) * tl.load(w + t)
    tl.store(y + at, acc, mask=at < n)


@kernel("p:*fp32, g:*fp32, m:*fp32, v:*fp32, n:i32, lr:fp32, decay:fp32, c1:fp32, c2:fp32", {"BLOCK": 256})
def tr_adamw(p, g, m, v, n, lr, decay, c1, c2, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    d = tl.load(g + at, mask=mask)
    a = 0.9 * tl.load(m + at, mask=mask) + 0.1 * d
    b = 0.999 * tl.load(v + at, mask=mask) + 0.001 * d * d
    w = tl.load(p + at, mask=mask)
    tl.store(p + at, w - lr * (a / c1 / (tl.sqrt(b / c2) + 1e-8) + decay * w), mask=mask)
    tl.store(m + at, a, mask=mask)
    tl.store(v + at, b, mask=mask)


@kernel("x:*fp32, y:*fp32, h:i32, w:i32", {"BLOCK": 64}, warps=2)
def tr_maxpool(x, y, h, w, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    best = tl.full([BLOCK], float("-inf"), dtype=tl.float32)
    for di in range(3):
        for dj in range(3):
            i = row * 2 + di - 1
            j = at * 2 + dj - 1
            best = tl.maximum(best, tl.load(x + i * w + j, mask=(i >= 0) & (i < h) & (j >= 0) & (j < w), other=float("-inf")))
    tl.store(y + row * (w // 2) + at, best, mask=at < w // 2)


@kernel("x:*i32, y:*i32", {"BLOCK": 128})
def tr_collatz(x, y, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    v = tl.load(x + at)
    steps = tl.zeros([BLOCK], dtype=tl.int32)
    while tl.max(v, axis=0) > 1:
        going = v > 1
        v = tl.where(going, tl.where(v % 2 == 0, v // 2, 3 * v + 1), v)
        steps += going.to(tl.int32)
    tl.store(y + at, steps)


@kernel("x:*fp32, y:*fp32", {"BLOCK": 128})
def tr_inline_assembly(x, y, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    v = tl.load(x + at)
    r = tl.inline_asm_elementwise("{ .reg .pred p; setp.lt.f32 p, $1, 0f00000000; @p neg.f32 $0, $1; @!p mul.f32 $0, $1, 0f40000000; }",
                                  "=f,f", [v], dtype=tl.float32, is_pure=True, pack=1)
    tl.store(y + at, r)


def main():
    for name in sys.argv[1:] or KERNELS:
        fn, types, constants, warps, stages, fusion = KERNELS[name]
        signature = types | {c: "constexpr" for c in constants}
        names = list(signature)
        attributes = {(names.index(n),): [["tt.divisibility", 16]] for n, t in types.items() if t.startswith("*")}
        for cc in (80, 90, 100):
            if cc == 80 and any("fp8e4nv" in t for t in types.values()):
                continue  # Triton has no e4m3 there
            source = ASTSource(fn=fn, signature=signature, constexprs=constants, attrs=attributes)
            options = {"num_warps": warps, "num_stages": stages, "enable_fp_fusion": fusion, "ptx_version": 88}
            compiled = triton.compile(source, target=GPUTarget("cuda", cc, 32), options=options)
            ptx = compiled.asm["ptx"]
            for word in ("wgmma", "tcgen05", "cp.async.bulk"):
                if word in ptx:
                    print(name, cc, "uses", word)
            pathlib.Path(f"{name}.sm_{cc}.ptx").write_text(f"// dynamic shared memory: {compiled.metadata.shared}\n{ptx}")


if __name__ == "__main__":
    main()

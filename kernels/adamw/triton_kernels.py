"""AdamW in Triton, with a broken twin, compiled without a GPU.

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
def triton_f32(p, g, m, v, N, lr, beta1, beta2, eps, decay, c1, c2, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    d = tl.load(g + at, mask=at < N)
    w = tl.load(p + at, mask=at < N)
    a = beta1 * tl.load(m + at, mask=at < N) + (1 - beta1) * d
    b = beta2 * tl.load(v + at, mask=at < N) + (1 - beta2) * d * d
    tl.store(p + at, w - lr * (a / c1 / (tl.sqrt(b / c2) + eps) + decay * w), mask=at < N)
    tl.store(m + at, a, mask=at < N)
    tl.store(v + at, b, mask=at < N)


@triton.jit
def triton_f32__old_moment(p, g, m, v, N, lr, beta1, beta2, eps, decay, c1, c2, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    d = tl.load(g + at, mask=at < N)
    w = tl.load(p + at, mask=at < N)
    old = tl.load(m + at, mask=at < N)
    b = beta2 * tl.load(v + at, mask=at < N) + (1 - beta2) * d * d
    tl.store(p + at, w - lr * (old / c1 / (tl.sqrt(b / c2) + eps) + decay * w), mask=at < N)
    tl.store(m + at, beta1 * old + (1 - beta1) * d, mask=at < N)
    tl.store(v + at, b, mask=at < N)


for fn in (triton_f32, triton_f32__old_moment):
    name = fn.fn.__name__
    signature = {"p": "*fp32", "g": "*fp32", "m": "*fp32", "v": "*fp32", "N": "i32", "lr": "fp32", "beta1": "fp32", "beta2": "fp32", "eps": "fp32", "decay": "fp32", "c1": "fp32", "c2": "fp32", "BLOCK": "constexpr"}
    aligned = {(i,): [["tt.divisibility", 16]] for i, type in enumerate(signature.values()) if type.startswith("*")}
    source = ASTSource(fn=fn, signature=signature, constexprs={"BLOCK": 128}, attrs=aligned)
    compiled = triton.compile(source, target=GPUTarget("cuda", 90, 32), options={"num_warps": 1})
    pathlib.Path("broken" if "__" in name else ".", name + ".ptx").write_text(compiled.asm["ptx"])
    print(name, "shared memory", compiled.metadata.shared)

"""Flash attention in Triton, with broken twins, compiled without a GPU.

    TRITON_DISABLE_LINE_INFO=1 python3 triton_kernels.py

in this folder writes every triton_*.ptx here and in broken/ again. Triton 3.9 made what is checked in. A Triton kernel takes two more
pointers than its source shows; it does not use them. The first line of each file says how much dynamic shared memory a launch needs.
Blocks of 16 queries and one warp make Triton choose mma.sync.
"""
import pathlib

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def attend(Q, K, V, O, M, S, scale, D: tl.constexpr, QUERIES: tl.constexpr, KEYS: tl.constexpr, CAUSAL: tl.constexpr, AHEAD: tl.constexpr, RESCALE: tl.constexpr):
    m = tl.program_id(0) * QUERIES + tl.arange(0, QUERIES)
    d = tl.arange(0, D)
    q = tl.load(Q + m[:, None] * D + d[None, :], mask=m[:, None] < M, other=0.0)
    top = tl.full([QUERIES], -float("inf"), dtype=tl.float32)
    total = tl.zeros([QUERIES], dtype=tl.float32)
    o = tl.zeros([QUERIES, D], dtype=tl.float32)
    for start in range(0, S, KEYS):
        j = start + tl.arange(0, KEYS)
        k = tl.load(K + j[None, :] * D + d[:, None], mask=j[None, :] < S, other=0.0)
        s = tl.dot(q, k) * (scale * 1.4426950408889634)
        seen = j[None, :] < S
        if CAUSAL:
            seen = seen & (j[None, :] <= m[:, None] + S - M + AHEAD)
        s = tl.where(seen, s, -float("inf"))
        after = tl.maximum(top, tl.max(s, axis=1))
        p = tl.exp2(s - after[:, None])
        old = tl.exp2(top - after)
        total = total * old + tl.sum(p, axis=1)
        v = tl.load(V + j[:, None] * D + d[None, :], mask=j[:, None] < S, other=0.0)
        if RESCALE:
            o = o * old[:, None]
        o = tl.dot(p.to(tl.float16), v, o)
        top = after
    tl.store(O + m[:, None] * D + d[None, :], (o / total[:, None]).to(tl.float16), mask=m[:, None] < M)


@triton.jit
def triton_full_f16(Q, K, V, O, M, S, scale):
    attend(Q, K, V, O, M, S, scale, 16, 16, 16, False, 0, True)


@triton.jit
def triton_full_f16__output_not_rescaled(Q, K, V, O, M, S, scale):
    attend(Q, K, V, O, M, S, scale, 16, 16, 16, False, 0, False)


@triton.jit
def triton_causal_f16(Q, K, V, O, M, S, scale):
    attend(Q, K, V, O, M, S, scale, 16, 16, 16, True, 0, True)


@triton.jit
def triton_causal_f16__one_key_ahead(Q, K, V, O, M, S, scale):
    attend(Q, K, V, O, M, S, scale, 16, 16, 16, True, 1, True)


for name, kernel in [(name, value) for name, value in globals().items() if name.startswith("triton_")]:
    signature = {p: "*fp16" for p in "QKVO"} | {"M": "i32", "S": "i32", "scale": "fp32"}
    pointers = {(i,): [["tt.divisibility", 16]] for i in range(4)}
    compiled = triton.compile(ASTSource(fn=kernel, signature=signature, constexprs={}, attrs=pointers), target=GPUTarget("cuda", 90, 32),
                              options={"num_warps": 1, "num_stages": 1, "ptx_version": 83})
    text = f"// dynamic shared memory: {compiled.metadata.shared}\n{compiled.asm['ptx']}"
    pathlib.Path(("broken/" if "__" in name else "") + name + ".ptx").write_text(text)
    print(name, "wgmma" in text, "mma.sync" in text)

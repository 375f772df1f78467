"""GroupNorm in Triton, with a broken twin, compiled without a GPU.

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
def triton_group_f32(x, w, b, y, G, D, S, eps, BLOCK: tl.constexpr):
    """One program a group, which fits into the block."""
    group = tl.program_id(0)
    size = D * S
    at = tl.arange(0, BLOCK)
    mask = at < size
    channel = group % G * D + at // S
    v = tl.load(x + group * size + at, mask=mask, other=0.0)
    mean = tl.sum(v, axis=0) / size
    d = tl.where(mask, v - mean, 0.0)
    rstd = tl.rsqrt(tl.sum(d * d, axis=0) / size + eps)
    g = tl.load(w + channel, mask=mask, other=0.0)
    c = tl.load(b + channel, mask=mask, other=0.0)
    tl.store(y + group * size + at, d * rstd * g + c, mask=mask)


@triton.jit
def triton_group_f32__channel_of_position(x, w, b, y, G, D, S, eps, BLOCK: tl.constexpr):
    group = tl.program_id(0)
    size = D * S
    at = tl.arange(0, BLOCK)
    mask = at < size
    channel = group % G * D + at % D
    v = tl.load(x + group * size + at, mask=mask, other=0.0)
    mean = tl.sum(v, axis=0) / size
    d = tl.where(mask, v - mean, 0.0)
    rstd = tl.rsqrt(tl.sum(d * d, axis=0) / size + eps)
    g = tl.load(w + channel, mask=mask, other=0.0)
    c = tl.load(b + channel, mask=mask, other=0.0)
    tl.store(y + group * size + at, d * rstd * g + c, mask=mask)


CONSTANTS = {"triton_group_f32": {"BLOCK": 64}}

for name, kernel in [(name, value) for name, value in globals().items() if name.startswith("triton_")]:
    constants = CONSTANTS[name.partition("__")[0]]
    signature = {p: "*fp32" for p in ("x", "w", "b", "y")} | {"G": "i32", "D": "i32", "S": "i32", "eps": "fp32"} | {c: "constexpr" for c in constants}
    compiled = triton.compile(ASTSource(fn=kernel, signature=signature, constexprs=constants), target=GPUTarget("cuda", 90, 32),
                              options={"num_warps": 1, "ptx_version": 83})
    text = f"// dynamic shared memory: {compiled.metadata.shared}\n{compiled.asm['ptx']}"
    pathlib.Path(("broken/" if "__" in name else "") + name + ".ptx").write_text(text)

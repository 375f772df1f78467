"""The backward pass of RMSNorm in Triton, with broken twins, compiled without a GPU.

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
def triton_both_f32(x, w, dy, dx, dw, H, eps, BLOCK: tl.constexpr):
    """One program a row, which fits into the block: dx, and dw by atomic additions."""
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    mask = at < H
    v = tl.load(x + row * H + at, mask=mask, other=0.0)
    d = tl.load(dy + row * H + at, mask=mask, other=0.0)
    g = tl.load(w + at, mask=mask, other=0.0)
    r = tl.rsqrt(tl.sum(v * v, axis=0) / H + eps)
    xn = v * r
    mean = tl.sum(xn * g * d, axis=0) / H
    tl.store(dx + row * H + at, (g * d - xn * mean) * r, mask=mask)
    tl.atomic_add(dw + at, d * xn, mask=mask)


@triton.jit
def triton_both_f32__weight_in_dw(x, w, dy, dx, dw, H, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    mask = at < H
    v = tl.load(x + row * H + at, mask=mask, other=0.0)
    d = tl.load(dy + row * H + at, mask=mask, other=0.0)
    g = tl.load(w + at, mask=mask, other=0.0)
    r = tl.rsqrt(tl.sum(v * v, axis=0) / H + eps)
    xn = v * r
    mean = tl.sum(xn * g * d, axis=0) / H
    tl.store(dx + row * H + at, (g * d - xn * mean) * r, mask=mask)
    tl.atomic_add(dw + at, g * d * xn, mask=mask)


CONSTANTS = {"triton_both_f32": {"BLOCK": 64}}

for name, kernel in [(name, value) for name, value in globals().items() if name.startswith("triton_")]:
    constants = CONSTANTS[name.partition("__")[0]]
    signature = {p: "*fp32" for p in ("x", "w", "dy", "dx", "dw")} | {"H": "i32", "eps": "fp32"} | {c: "constexpr" for c in constants}
    compiled = triton.compile(ASTSource(fn=kernel, signature=signature, constexprs=constants), target=GPUTarget("cuda", 90, 32),
                              options={"num_warps": 1, "ptx_version": 83})
    text = f"// dynamic shared memory: {compiled.metadata.shared}\n{compiled.asm['ptx']}"
    pathlib.Path(("broken/" if "__" in name else "") + name + ".ptx").write_text(text)

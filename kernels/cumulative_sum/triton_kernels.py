"""Cumulative sums in Triton, with a broken twin, compiled without a GPU.

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
def triton_scan_f32(x, y, N, H, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    v = tl.load(x + tl.program_id(0) * H + at, mask=at < H, other=0.0)
    tl.store(y + tl.program_id(0) * H + at, tl.cumsum(v, axis=0), mask=at < H)


@triton.jit
def triton_scan_f32__reversed(x, y, N, H, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    v = tl.load(x + tl.program_id(0) * H + at, mask=at < H, other=0.0)
    tl.store(y + tl.program_id(0) * H + at, tl.cumsum(v, axis=0, reverse=True), mask=at < H)


for fn in (triton_scan_f32, triton_scan_f32__reversed):
    name = fn.fn.__name__
    signature = {"x": "*fp32", "y": "*fp32", "N": "i32", "H": "i32", "BLOCK": "constexpr"}
    aligned = {(i,): [["tt.divisibility", 16]] for i, type in enumerate(signature.values()) if type.startswith("*")}
    source = ASTSource(fn=fn, signature=signature, constexprs={"BLOCK": 64}, attrs=aligned)
    compiled = triton.compile(source, target=GPUTarget("cuda", 90, 32), options={"num_warps": 2})
    pathlib.Path("broken" if "__" in name else ".", name + ".ptx").write_text(compiled.asm["ptx"])
    print(name, "shared memory", compiled.metadata.shared)

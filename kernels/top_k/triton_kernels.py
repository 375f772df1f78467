"""Top-2 in Triton, with a broken twin, compiled without a GPU.

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
def triton_rounds_f32(x, value, index, H, BLOCK: tl.constexpr):
    """Two rounds of an argmax with ties to the left; the winner is masked out."""
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    v = tl.load(x + row * H + at, mask=at < H, other=-float("inf"))
    for k in tl.static_range(2):
        best, where = tl.max(v, axis=0, return_indices=True, return_indices_tie_break_left=True)
        tl.store(value + row * 2 + k, best)
        tl.store(index + row * 2 + k, where)
        v = tl.where(at == where, -float("inf"), v)


@triton.jit
def triton_rounds_f32__equals_masked_out(x, value, index, H, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    v = tl.load(x + row * H + at, mask=at < H, other=-float("inf"))
    for k in tl.static_range(2):
        best, where = tl.max(v, axis=0, return_indices=True, return_indices_tie_break_left=True)
        tl.store(value + row * 2 + k, best)
        tl.store(index + row * 2 + k, where)
        v = tl.where(v == best, -float("inf"), v)


for name, kernel in [(name, value) for name, value in globals().items() if name.startswith("triton_")]:
    signature = {"x": "*fp32", "value": "*fp32", "index": "*i32", "H": "i32", "BLOCK": "constexpr"}
    compiled = triton.compile(ASTSource(fn=kernel, signature=signature, constexprs={"BLOCK": 32}),
                              target=GPUTarget("cuda", 90, 32), options={"num_warps": 1, "ptx_version": 83})
    text = f"// dynamic shared memory: {compiled.metadata.shared}\n{compiled.asm['ptx']}"
    pathlib.Path(("broken/" if "__" in name else "") + name + ".ptx").write_text(text)

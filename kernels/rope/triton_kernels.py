"""Rotary position embeddings in Triton, with a broken twin, compiled without a GPU.

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
def triton_half_f32(x, c, s, y, S, H, P, BLOCK: tl.constexpr):
    position = tl.program_id(1)
    head = (position * H + tl.program_id(0)) * 2 * P
    j = tl.arange(0, BLOCK)
    a = tl.load(x + head + j, mask=j < P)
    b = tl.load(x + head + P + j, mask=j < P)
    cs = tl.load(c + position * P + j, mask=j < P)
    sn = tl.load(s + position * P + j, mask=j < P)
    tl.store(y + head + j, a * cs - b * sn, mask=j < P)
    tl.store(y + head + P + j, b * cs + a * sn, mask=j < P)


@triton.jit
def triton_half_f32__second_uses_first(x, c, s, y, S, H, P, BLOCK: tl.constexpr):
    position = tl.program_id(1)
    head = (position * H + tl.program_id(0)) * 2 * P
    j = tl.arange(0, BLOCK)
    a = tl.load(x + head + j, mask=j < P)
    b = tl.load(x + head + P + j, mask=j < P)
    cs = tl.load(c + position * P + j, mask=j < P)
    sn = tl.load(s + position * P + j, mask=j < P)
    a = a * cs - b * sn
    tl.store(y + head + j, a, mask=j < P)
    tl.store(y + head + P + j, b * cs + a * sn, mask=j < P)


for fn in (triton_half_f32, triton_half_f32__second_uses_first):
    name = fn.fn.__name__
    signature = {"x": "*fp32", "c": "*fp32", "s": "*fp32", "y": "*fp32", "S": "i32", "H": "i32", "P": "i32", "BLOCK": "constexpr"}
    aligned = {(i,): [["tt.divisibility", 16]] for i, type in enumerate(signature.values()) if type.startswith("*")}
    source = ASTSource(fn=fn, signature=signature, constexprs={"BLOCK": 32}, attrs=aligned)
    compiled = triton.compile(source, target=GPUTarget("cuda", 90, 32), options={"num_warps": 1})
    pathlib.Path("broken" if "__" in name else ".", name + ".ptx").write_text(compiled.asm["ptx"])
    print(name, "shared memory", compiled.metadata.shared)

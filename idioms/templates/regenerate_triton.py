#!/usr/bin/env python3
"""Writes NAME.triton.ptx: calls of CUDA's libdevice as Triton 3.9 compiles them (for sm_90; no GPU is needed). Those in same.txt are left out."""
import os
import re

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource
from triton.language.extra import libdevice

HERE = os.path.dirname(os.path.abspath(__file__))




@triton.jit
def t_tanh(x, y):
    at = tl.arange(0, 128)
    tl.store(y + at, libdevice.tanh(tl.load(x + at)))


@triton.jit
def t_erf(x, y):
    at = tl.arange(0, 128)
    tl.store(y + at, libdevice.erf(tl.load(x + at)))


@triton.jit
def t_erfc(x, y):
    at = tl.arange(0, 128)
    tl.store(y + at, libdevice.erfc(tl.load(x + at)))


@triton.jit
def t_exp(x, y):
    at = tl.arange(0, 128)
    tl.store(y + at, libdevice.exp(tl.load(x + at)))


@triton.jit
def t_exp10(x, y):
    at = tl.arange(0, 128)
    tl.store(y + at, libdevice.exp10(tl.load(x + at)))


@triton.jit
def t_expm1(x, y):
    at = tl.arange(0, 128)
    tl.store(y + at, libdevice.expm1(tl.load(x + at)))


@triton.jit
def t_log(x, y):
    at = tl.arange(0, 128)
    tl.store(y + at, libdevice.log(tl.load(x + at)))


@triton.jit
def t_log2(x, y):
    at = tl.arange(0, 128)
    tl.store(y + at, libdevice.log2(tl.load(x + at)))


@triton.jit
def t_log10(x, y):
    at = tl.arange(0, 128)
    tl.store(y + at, libdevice.log10(tl.load(x + at)))


@triton.jit
def t_log1p(x, y):
    at = tl.arange(0, 128)
    tl.store(y + at, libdevice.log1p(tl.load(x + at)))


FUNCTIONS = {  # formula, bound in ulp, domain
    t_tanh: ("tanh(x)", 2, "every x"),
    t_erf: ("erf(x)", 2, "every x"),
    t_erfc: ("1 - erf(x)", 4, "every x"),
    t_exp: ("exp(x)", 2, "every x"),
    t_exp10: ("exp(x * log(10))", 2, "every x"),
    t_expm1: ("exp(x) - 1", 1, "every x"),
    t_log: ("log(x)", 1, "every x > 0"),
    t_log2: ("lg2(x)", 1, "every x > 0"),
    t_log10: ("log(x) / log(10)", 2, "every x > 0"),
    t_log1p: ("log(1 + x)", 1, "every x > -1"),
}


def key_of(body):
    literals = {int(n, 16) for n in re.findall(r"0f([0-9A-F]{8})", body)}
    literals -= {0x7F800000, 0xFF800000, 0x7FFFFFFF, 0x3F317218, 0xBF317218, 0x3FB8AA3B, 0xBFB8AA3B}
    return min(literals, key=lambda n: (-bin(n).count("1"), n), default=None)


def main():
    same = set()
    with open(os.path.join(HERE, "same.txt"), encoding="ascii") as lines:
        same = {line.strip() for line in lines}
    for fn, (formula, ulps, domain) in FUNCTIONS.items():
        name = fn.__name__.removeprefix("t_")
        source = ASTSource(fn, {"x": "*fp32", "y": "*fp32"}, {})
        compiled = triton.compile(source, target=GPUTarget("cuda", 90, 32), options={"num_warps": 4})
        text = compiled.asm["ptx"]
        text = text[text.index(".version"):]
        # No debug sections, locations and comments.
        text = text[: text.index("\n}\n", text.index(".entry")) + 3]
        lines = [line.split("//")[0].rstrip() for line in text.split("\n")]
        lines = [line for line in lines if line.strip() and not re.match(r"\s*\.(loc|file|section)\b", line) and not re.match(r"\$L__(tmp|func)", line)]
        text = "\n".join(lines) + "\n"
        text = re.sub(r"^\.target (\w+), debug", r".target \1", text, flags=re.M)
        entry = f"{name}.triton"
        path = os.path.join(HERE, f"{entry}.ptx")
        if os.path.exists(path):
            os.remove(path)
        if entry in same:
            continue
        header = [
            f'idiom = "libdevice.{name}"', f'function = "{formula}"', 'inputs = ["f32"]', 'output = "f32"', f"ulps = {float(ulps)}",
            f'error = "{ulps} ulp"', f'domain = "{domain}"', 'options = "Triton 3.9"', "ftz = true", 'params = ["x", "out", "0", "0"]', "block = 128",
            f'key = "{key_of(text):#x}"',
        ]
        with open(path, "w", encoding="ascii") as out:
            out.write("".join(f"//! {line}\n" for line in header) + text)


if __name__ == "__main__":
    main()

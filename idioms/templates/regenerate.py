#!/usr/bin/env python3
"""Writes the templates of this folder: one line of CUDA each, compiled by nvcc 13.0 (on PATH) with several options.

Code that comes out the same is written once, under the first of its options. So is code whose graph another template's matches:
same.txt lists such files, as `bazel run //idioms:redundant_main` finds them. Handwritten templates (*.hand.ptx) stay as they are.
"""
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
OPTIONS = [  # name, options of nvcc, whether operations flush, for reports. Where later ones make the same code, the first says so.
    ("default", ["-arch=sm_90"], False, ""),
    ("ftz", ["-arch=sm_90", "-ftz=true"], True, " -ftz=true or -use_fast_math"),
    ("fast", ["-arch=sm_90", "-use_fast_math"], True, " -use_fast_math"),
    ("sm100", ["-arch=sm_100"], False, " -arch=sm_100"),
    ("sm100_ftz", ["-arch=sm_100", "-ftz=true"], True, " -arch=sm_100, -ftz=true or -use_fast_math"),
    ("sm100_fast", ["-arch=sm_100", "-use_fast_math"], True, " -arch=sm_100 -use_fast_math"),
]
# Fast variants that are single instructions and products with literals, which canonical forms know: no idioms.
NOT_FAST = {"expf", "exp10f", "exp2f", "logf", "log2f", "log10f", "sinf", "cosf", "tanhf", "powf"}
DTYPES = {"float": "f32", "double": "f64", "__half": "f16", "__nv_bfloat16": "bf16"}

FUNCTIONS = {}


def function(idiom, formula, ulps, domain="every x", args=1, kind="float", call=None):
    FUNCTIONS[idiom] = dict(formula=formula, ulps=ulps, domain=domain, args=args, kind=kind, call=call or idiom + "({})")


# Bounds: CUDA C++ Programming Guide, "Mathematical Functions", maximum errors in ulp. They are tested.
function("expf", "exp(x)", 2)
function("exp10f", "exp(x * log(10))", 2)
function("expm1f", "exp(x) - 1", 1)
function("logf", "log(x)", 1, "every x > 0")
function("log2f", "lg2(x)", 1, "every x > 0")
function("log10f", "log(x) / log(10)", 2, "every x > 0")
function("log1pf", "log(1 + x)", 1, "every x > -1")
function("tanhf", "tanh(x)", 2)
function("erff", "erf(x)", 2)
function("erfcf", "1 - erf(x)", 4)
function("sinhf", "(exp(x) - exp(-x)) / 2", 3)
function("coshf", "(exp(x) + exp(-x)) / 2", 2)


def compile_all(options):
    """Name -> CUDA line and PTX for every function, of x and of -x."""
    lines = []
    for idiom, f in FUNCTIONS.items():
        args = ["x", "y", "z"][: f["args"]]
        params = "".join(f", {f['kind']} {a}" for a in args)
        for suffix, first in (("", "x"), ("_neg", "-x")):
            call = f["call"].format(", ".join([first] + args[1:]))
            name = idiom + suffix
            lines.append((name, f'extern "C" __global__ void t_{name}({f["kind"]}* out{params}) {{ *out = {call}; }}'))
    with tempfile.TemporaryDirectory() as folder:
        source, target = os.path.join(folder, "t.cu"), os.path.join(folder, "t.ptx")
        with open(source, "w", encoding="ascii") as out:
            out.write("#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n" + "\n".join(text for _, text in lines) + "\n")
        subprocess.run(["nvcc", "-ptx", *options, source, "-o", target], check=True)
        with open(target, encoding="ascii") as ptx:
            text = ptx.read()
    head = re.search(r"\.version.*?\n\.target.*?\n\.address_size.*?\n", text, re.S).group(0)
    variables = re.findall(r"^\.(?:const|global) .*?;\n", text, re.M | re.S)
    result = {}
    for name, cuda in lines:
        entry = re.search(r"\.visible \.entry t_" + name + r"\(.*?\n\}\n", text, re.S).group(0)
        entry = re.sub(r"\n\n+", "\n", re.sub(r"^\s*//.*\n", "", entry, flags=re.M))
        used = [v for v in variables if re.search(r"\b" + re.search(r"(\w+)(?:\[|;| =)", v).group(1) + r"\b", entry)]
        result[name] = (cuda, head + "\n" + "".join(used) + entry)
    return result


def key_of(body):
    """The literal with most significant bits of its own, without which there is no instance."""
    literals = {int(a or b, 16) for a, b in re.findall(r"0f([0-9A-F]{8})|0d([0-9A-F]{16})", body)}
    # Infinities, NaN and what code shares.
    literals -= {0x7F800000, 0xFF800000, 0x7FFFFFFF, 0x3F317218, 0xBF317218, 0x3FB8AA3B, 0xBFB8AA3B}
    return min(literals, key=lambda n: (-bin(n).count("1"), n), default=None)


def main():
    same = set()
    path = os.path.join(HERE, "same.txt")
    if os.path.exists(path):
        with open(path, encoding="ascii") as lines:
            same = {line.strip() for line in lines if line.strip() and not line.startswith("#")}
    for name in os.listdir(HERE):
        if name.endswith(".ptx") and not name.endswith(".hand.ptx"):
            os.remove(os.path.join(HERE, name))
    seen = set()
    for variant, options, ftz, said in OPTIONS:
        for name, (cuda, text) in compile_all(options).items():
            idiom = name.removesuffix("_neg")
            f = FUNCTIONS[idiom]
            body = text[text.index("{"):]
            if (variant.endswith("fast") and idiom in NOT_FAST) or (name, body) in seen:
                continue
            seen.add((name, body))
            if f"{name}.{variant}" in same:
                continue
            formula, domain = f["formula"], f["domain"]
            if name.endswith("_neg"):
                formula = re.sub(r"\(x\)|\bx\b", "(-x)", formula)
                domain = domain.replace("x >", "-x >")
            dtype = DTYPES[f["kind"]]
            header = [
                f'idiom = "{idiom}"',
                f'function = "{formula}"',
                f"inputs = {[dtype] * f['args']}".replace("'", '"'),
                f'output = "{dtype}"',
                f"ulps = {float(f['ulps'])}",
                f'error = "{f["ulps"]} ulp"',
                f'domain = "{domain}"',
                f'options = "nvcc 13.0{said}"',
            ]
            if ftz:
                header.append("ftz = true")
            if key_of(text) is not None:
                header.append(f"key = {key_of(text):#x}")
            with open(os.path.join(HERE, f"{name}.{variant}.ptx"), "w", encoding="ascii") as out:
                out.write("".join(f"//! {line}\n" for line in header) + f"// {cuda}\n" + text)
    return 0


if __name__ == "__main__":
    sys.exit(main())

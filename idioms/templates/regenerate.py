#!/usr/bin/env python3
"""Writes the templates of this folder: one line of CUDA each, compiled by nvcc 13.0 (on PATH) with several options.

Code that comes out the same is written once, under the first of its options. So is code whose graph another template's matches:
same.txt lists such files, as `bazel run //idioms:redundant_main` finds them. Handwritten templates
(*.hand.ptx) and those of regenerate_triton.py (*.triton.ptx) stay as they are.
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
NEGATED = {"expf", "exp10f", "expm1f", "logf", "log2f", "log10f", "log1pf", "tanhf", "erff", "erfcf", "sinhf", "coshf", "exp", "tanh", "erf"}


FRACTIONS = {"0.5f": "1 / 2", "-0.5f": "-1 / 2", "1.5f": "3 / 2", "3.0f": "3", "4.0f": "4", "-1.0f": "-1"}


def function(name, formula, ulps, domain="every x", args=1, kind="float", call=None, idiom=None):
    FUNCTIONS[name] = dict(
        idiom=idiom or name, formula=formula, ulps=ulps, domain=domain, args=args, kind=kind, call=call or name + "({})"
    )


# Bounds: CUDA C++ Programming Guide, "Mathematical Functions", maximum errors in ulp; of doubles 2 where it has 1, as a last place is
# measured otherwise below a power of two. They are tested.
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
# Not sinf, cosf, sin and cos: far from zero they look the digits of 2 / pi up at an address that the argument gives.
function("powf", "pow(x, y)", 4, "every x > 0 and y, and x < 0 with whole y", args=2)
for exponent, name in (("0.5f", "half"), ("-0.5f", "minus_half"), ("1.5f", "three_halves"), ("3.0f", "3"), ("4.0f", "4"), ("-1.0f", "minus_1")):
    function(f"powf_of_{name}", f"pow(x, {FRACTIONS[exponent]})", 4, "every x > 0", call=f"powf({{}}, {exponent})", idiom="powf")
for base in ("2", "10", "10000"):
    function(f"powf_from_{base}", f"pow({base}, x)", 4, call=f"powf({base}.0f, {{}})", idiom="powf")

for name, formula, ulps, domain in (
    ("exp", "exp(x)", 2, "every x"),
    ("exp2", "ex2(x)", 2, "every x"),
    ("exp10", "exp(x * log(10))", 2, "every x"),
    ("expm1", "exp(x) - 1", 2, "every x"),
    ("log", "log(x)", 2, "every x > 0"),
    ("log2", "lg2(x)", 2, "every x > 0"),
    ("log10", "log(x) / log(10)", 2, "every x > 0"),
    ("log1p", "log(1 + x)", 2, "every x > -1"),
    ("tanh", "tanh(x)", 2, "every x"),
    ("erf", "erf(x)", 2, "every x"),
    ("erfc", "1 - erf(x)", 4, "every x"),
):
    function(name, formula, ulps, domain, kind="double")
function("pow", "pow(x, y)", 2, "every x > 0 and y, and x < 0 with whole y", args=2, kind="double")

# The half functions mend the few values at which instructions of a device are off. One that is not, as racer's, comes out 2 ulp off there.
for name, formula, ulps, domain in (
    ("exp", "exp(x)", 2, "every x"),
    ("exp2", "ex2(x)", 2, "every x"),
    ("exp10", "exp(x * log(10))", 2, "every x"),
    ("log", "log(x)", 2, "every x > 0"),
    ("log2", "lg2(x)", 2, "every x > 0"),
    ("log10", "log(x) / log(10)", 2, "every x > 0"),
    ("sin", "sin(x)", 2, "every x"),
    ("cos", "cos(x)", 2, "every x"),
):
    function("h" + name + "_f16", formula, ulps, domain, kind="__half", call="h" + name + "({})", idiom="h" + name)
function("hexp10_bf16", "exp(x * log(10))", 2, kind="__nv_bfloat16", call="hexp10({})", idiom="hexp10")


def whole(text, start):
    """The function that starts there, without comments and empty lines."""
    depth, at = 0, text.index("{", start)
    while True:
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        at += 1
        if depth == 0:
            break
    lines = [line.rstrip() for line in text[start:at].split("\n")]
    return "\n".join(line for line in lines if line and not line.lstrip().startswith("//")) + "\n"


def called(text, body):
    """The functions that a body calls, those that they call first."""
    result = ""
    for name in dict.fromkeys(re.findall(r"call\.uni\s*(?:\([^)]*\),\s*)?(\w+)", body)):
        function_text = whole(text, re.search(r"^\.func[^{};]*?\b" + name + r"\([^{};]*\{", text, re.M).start())
        result += called(text, function_text) + function_text
    return result


def uses():
    """Kernels that use the functions, for templates_test."""
    lines = []
    for name, f in FUNCTIONS.items():
        t = f["kind"]
        args = ["a * s - one", "u"][: f["args"]]
        more = ", " + t + " u" if f["args"] > 1 else ""
        body = f"{t} one = {t}(1.0f), a = x[threadIdx.x]; out[threadIdx.x] = s * {f['call'].format(', '.join(args))} + one;"
        lines.append((name, f'extern "C" __global__ void t_{name}({t}* out, const {t}* x, {t} s{more}) {{ {body} }}'))
    return lines


def write_uses():
    for variant, options in (("default", ["-arch=sm_90"]),):
        with open(os.path.join(HERE, "..", "testdata", f"uses.{variant}.txt"), "w", encoding="ascii") as out:
            for name, (cuda, text) in compile_lines(uses(), options).items():
                f = FUNCTIONS[name]
                count = f["args"] + 1
                header = [f'idiom = "{f["idiom"]}"', f"function = \"{' + '.join('xyz'[:count])}\"", 'domain = "use"', 'error = "use"', 'options = "use"',
                          f"inputs = {[DTYPES[f['kind']]] * count}".replace("'", '"'), f'output = "{DTYPES[f["kind"]]}"', "ulps = 0.0",
                          f"params = {['out', 'x*', 'y', 'z'][: count + 1]}".replace("'", '"')]
                out.write(f"//// {name}\n" + "".join(f"//! {line}\n" for line in header) + f"// {cuda}\n" + text)


def compile_all(options):
    """Name -> CUDA line and PTX for every function, of x and of -x."""
    lines = []
    for function_name, f in FUNCTIONS.items():
        args = ["x", "y", "z"][: f["args"]]
        params = "".join(f", {f['kind']} {a}" for a in args)
        # Of -x, too, where compilers move the sign into the code.
        negated = [("_neg", "-x")] if function_name in NEGATED else []
        for suffix, first in [("", "x")] + negated:
            call = f["call"].format(", ".join([first] + args[1:]))
            name = function_name + suffix
            lines.append((name, f'extern "C" __global__ void t_{name}({f["kind"]}* out{params}) {{ *out = {call}; }}'))
    return compile_lines(lines, options)


def compile_lines(lines, options):
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
        entry = whole(text, re.search(r"\.visible \.entry t_" + name + r"\(", text).start())
        used = [v for v in variables if re.search(r"\b" + re.search(r"(\w+)(?:\[|;| =)", v).group(1) + r"\b", entry)]
        result[name] = (cuda, head + "\n" + "".join(used) + called(text, entry) + entry)
    return result


def key_of(body):
    """The literal with most significant bits of its own, without which there is no instance."""
    literals = {int(a or b or c, 16) for a, b, c in re.findall(r"0f([0-9A-F]{8})|0d([0-9A-F]{16})|0[xX]([0-9A-Fa-f]{4,8})U", body)}
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
        if name.endswith(".ptx") and not name.endswith((".hand.ptx", ".triton.ptx")):
            os.remove(os.path.join(HERE, name))
    seen = set()
    for variant, options, ftz, said in OPTIONS:
        for name, (cuda, text) in compile_all(options).items():
            f = FUNCTIONS[name.removesuffix("_neg")]
            idiom = f["idiom"]
            body = text[text.index("\n\n"):].replace("t_" + name, "")
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
                header.append(f'key = "{key_of(text):#x}"')
            with open(os.path.join(HERE, f"{name}.{variant}.ptx"), "w", encoding="ascii") as out:
                out.write("".join(f"//! {line}\n" for line in header) + f"// {cuda}\n" + text)
    write_uses()
    return 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Runs the kernels of this folder on a GPU and compares them with a binary64 oracle.

    python3 gpu_check.py [--hazards] [WORD...]

One line a case and shape: kernel, dims, worst relative error, what was seen, and whether that is what expectations.toml
says. Needs an NVIDIA driver, Python 3.11 and numpy; no compiler. Cases whose fault is undefined synchronisation are
launched only with --hazards, those that hang never. A WORD keeps only the cases whose candidate contains it.
Every tensor lies between guard zones; padding, guards and outputs hold NaN before the launch. The cases run in a
worker process, which is started anew after a case that faults or takes too long.
"""
import ast
import ctypes
import json
import queue
import re
import subprocess
import sys
import threading
import tomllib
from pathlib import Path

if sys.argv[1:] == ["--help"]:
    print(__doc__)
    sys.exit(0)
try:
    import numpy as np
except ImportError:
    sys.exit(Path(__file__).name + ": needs numpy, which is not there (Debian: apt-get install python3-numpy)")

HERE = Path(__file__).resolve().parent
GUARD = 1024  # bytes before and after every tensor
TIMEOUT = 60  # seconds for one case and shape
EPS = 0.5  # large, so that a misplaced eps shows
ITEM = {"f32": np.uint32, "f16": np.uint16, "bf16": np.uint16, "u8": np.uint8}


# ---- contract expressions ---------------------------------------------------------------------------------------

def evaluate(text, names, real=False):
    """An expression of a contract: names, numbers, + - * / %, min, max, ceildiv."""
    def walk(node):
        if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
            return node.value
        if isinstance(node, ast.Name):
            return names[node.id]
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return -walk(node.operand)
        if isinstance(node, ast.BinOp):
            a, b = walk(node.left), walk(node.right)
            match node.op:
                case ast.Add(): return a + b
                case ast.Sub(): return a - b
                case ast.Mult(): return a * b
                case ast.Div(): return a / b if real else a // b
                case ast.Mod(): return a % b
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
            args = [walk(a) for a in node.args]
            match node.func.id:
                case "min": return min(args)
                case "max": return max(args)
                case "ceildiv": return -(-args[0] // args[1])
        raise ValueError(f"cannot evaluate {text!r}")
    return walk(ast.parse(str(text), mode="eval").body)


# ---- number formats ---------------------------------------------------------------------------------------------

def encode(values, dtype):
    values = np.asarray(values, np.float32)
    if dtype == "f32":
        return values.view(np.uint32)
    if dtype == "f16":
        return values.astype(np.float16).view(np.uint16)
    bits = values.view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)  # round to nearest even


def decode(bits, dtype):
    if dtype == "f32":
        return bits.view(np.float32).astype(np.float64)
    if dtype == "f16":
        return bits.view(np.float16).astype(np.float64)
    return (bits.astype(np.uint32) << 16).view(np.float32).astype(np.float64)


# ---- CUDA driver ------------------------------------------------------------------------------------------------

class Driver:
    def __init__(self):
        self.lib = ctypes.CDLL("libcuda.so.1")
        self.lib.cuGetErrorName.argtypes = [ctypes.c_int, ctypes.POINTER(ctypes.c_char_p)]
        self.call("cuInit", 0)
        device = ctypes.c_int()
        self.call("cuDeviceGet", ctypes.byref(device), 0)
        context = ctypes.c_void_p()
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self.call("cuCtxSetCurrent", context)

    def call(self, name, *args):
        status = getattr(self.lib, name)(*args)
        if status:
            text = ctypes.c_char_p()
            self.lib.cuGetErrorName(status, ctypes.byref(text))
            raise RuntimeError(f"{name}: {(text.value or b'?').decode()}")

    def module(self, ptx):
        module = ctypes.c_void_p()
        self.call("cuModuleLoadData", ctypes.byref(module), ctypes.c_char_p(ptx.encode() + b"\0"))
        return module

    def upload(self, host):
        address = ctypes.c_uint64()
        self.call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(host.nbytes))
        self.call("cuMemcpyHtoD_v2", address, ctypes.c_void_p(host.ctypes.data), ctypes.c_size_t(host.nbytes))
        return address.value

    def download(self, address, like):
        host = np.empty_like(like)
        self.call("cuMemcpyDtoH_v2", ctypes.c_void_p(host.ctypes.data), ctypes.c_uint64(address),
                  ctypes.c_size_t(host.nbytes))
        return host

    def launch(self, module, entry, grid, block, shared, args):
        function = ctypes.c_void_p()
        self.call("cuModuleGetFunction", ctypes.byref(function), module, entry.encode())
        pointers = (ctypes.c_void_p * len(args))(*[ctypes.addressof(a) for a in args])
        self.call("cuLaunchKernel", function, *[ctypes.c_uint(v) for v in (*grid, *block, shared)], None, pointers, None)
        self.call("cuCtxSynchronize")


# ---- one case ---------------------------------------------------------------------------------------------------

def oracle(values):
    """The outputs over binary64, by the names of the tensors that the contract has."""
    total = values["x"] + values["r"] if "r" in values else values["x"]
    scale = 1 / np.sqrt((total * total).mean(axis=1, keepdims=True) + EPS)
    y = total * scale * values["w"]
    return {"x" if "y" not in values else "y": y} | ({"s": total, "r": total} if "r" in values else {})


def run_once(driver, case, names, aliased):
    contract = tomllib.loads((HERE / case["contract"]).read_text())
    ptx = (HERE / case["candidate"]).read_text()
    header = re.search(r"\.entry\s+([\w$]+)\s*\((.*?)\)", ptx, re.S)
    types = re.findall(r"\.param\s+\.(\w+)", header[2])
    rng = np.random.default_rng(names["N"] * 100003 + names["H"])

    tensors, values = {}, {}
    for name, spec in contract["tensors"].items():
        if name == "alias":
            continue
        dtype = spec["dtype"]
        shape = [evaluate(s, names) for s in spec["shape"]]
        strides = [evaluate(s, names) for s in spec.get("strides", [])]
        if not strides:
            strides = [int(np.prod(shape[k + 1:])) for k in range(len(shape))]
        where = sum(np.arange(n).reshape([-1 if k == axis else 1 for k in range(len(shape))]) * stride
                    for axis, (n, stride) in enumerate(zip(shape, strides)))
        margin = GUARD // np.dtype(ITEM[dtype]).itemsize
        host = np.full(int(where.max()) + 1 + 2 * margin, ~ITEM[dtype](0), ITEM[dtype])  # all ones: NaN
        where = where + margin
        values[name] = np.zeros(shape)
        if spec["role"] in ("in", "inout"):
            number = rng.standard_normal(shape) if name != "w" else rng.choice([-1, 1], shape) * rng.uniform(0.5, 1.5, shape)
            host[where] = encode(number, dtype)
            values[name] = decode(host[where], dtype)
        tensors[name] = {"host": host, "where": where, "role": spec["role"], "dtype": dtype, "margin": margin}
    want = oracle(values)

    for name, t in tensors.items():
        t["device"] = tensors["x"]["device"] if aliased and name == "y" else driver.upload(t["host"])
    args = []
    for text, kind in zip(contract["candidate"]["args"], types, strict=True):
        if text in tensors:
            t = tensors[text]
            args.append(ctypes.c_uint64(t["device"] + t["margin"] * t["host"].itemsize))
        elif kind == "f32":
            value = contract["scalars"][text].get("value")
            args.append(ctypes.c_float(EPS if value is None else evaluate(value, names, real=True)))
        else:
            value = evaluate(text, names)
            args.append(ctypes.c_uint64(value) if kind.endswith("64") else ctypes.c_int32(value))
    dim3 = lambda side: ([evaluate(v, names) for v in contract["candidate"][side]] + [1, 1])[:3]
    shared = evaluate(contract["candidate"].get("dynamic_shared", 0), names)
    driver.launch(driver.module(ptx), header[1], dim3("grid"), dim3("block"), shared, args)

    seen, worst = [], 0.0
    for name, t in tensors.items():
        if aliased and name == "x":
            continue
        after = driver.download(t["device"], t["host"])
        outside = np.ones(after.shape, bool)
        outside[t["where"]] = False
        if (after != t["host"])[outside].any():
            seen.append(f"wrote outside {name}")
        if t["role"] == "in":
            if (after != t["host"]).any():
                seen.append(f"{name} changed")
            continue
        if t["role"] == "scratch":
            continue
        unwritten = after[t["where"]] == ~ITEM[t["dtype"]](0)
        if unwritten.any():
            seen.append(f"{name} unwritten or NaN in {int(unwritten.sum())} cells")
            continue
        got = decode(after[t["where"]], t["dtype"])
        tolerance = contract["tolerance"][t["dtype"]]
        error = np.abs(got - want[name])
        relative = float(np.nan_to_num(error / np.maximum(np.abs(want[name]), 1e-2), nan=np.inf).max())
        worst = max(worst, relative)
        # A wrong divisor shifts a whole row by less than one rounding of a cell: compare the rows' gains as well.
        gain = np.abs((got * want[name]).sum(axis=1) / (want[name] ** 2).sum(axis=1) - 1)
        if not (error <= tolerance["atol"] + tolerance["rtol"] * np.abs(want[name])).all():
            seen.append(f"{name} differs")
        elif got.shape[1] >= 100 and not (gain <= max(tolerance["rtol"] / 10, 5e-6)).all():
            seen.append(f"{name} differs by a row's scale")
    return seen, worst


def jobs(words):
    cases = tomllib.loads((HERE / "expectations.toml").read_text())["case"]
    for case in cases:
        if words and not any(w in case["candidate"] for w in words):
            continue
        for text in case["dims"]:
            yield case, text, case["expected"]
        for text in case.get("equivalent_dims", []):
            yield case, text, "equivalent"


def worker(words, first):
    driver = Driver()
    for index, (case, text, expected) in enumerate(jobs(words)):
        if index < first or skipped(case, expected):
            continue
        names = {k: int(v) for k, v in (part.split("=") for part in text.split(","))}
        contract = tomllib.loads((HERE / case["contract"]).read_text())
        seen, worst = [], 0.0
        print(json.dumps({"start": index}), flush=True)
        try:
            for aliased in (False, True) if contract["tensors"].get("alias") else (False,):
                more, error = run_once(driver, case, names, aliased)
                seen += [m + (" when aliased" if aliased else "") for m in more]
                worst = max(worst, error)
        except RuntimeError as failure:  # a CUDA error is sticky: say so and leave
            print(json.dumps({"index": index, "seen": [f"fault: {failure}"], "worst": None}), flush=True)
            sys.exit(1)
        print(json.dumps({"index": index, "seen": seen, "worst": worst}), flush=True)


# ---- parent -----------------------------------------------------------------------------------------------------

def skipped(case, expected):
    if expected == "equivalent":
        return None
    if case.get("on_gpu") == "hangs":
        return "hangs: never launched"
    if case["gate"] == "sync" and "--hazards" not in sys.argv:
        return "undefined synchronisation: launched with --hazards only"
    return None


def judge(expected, gate, seen):
    """ok, WRONG, or a note for what a GPU cannot decide."""
    if expected == "equivalent":
        return "ok" if not seen else "WRONG"
    if expected == "different":
        return "ok" if any("differs" in s or "NaN" in s for s in seen) else "WRONG"
    if gate == "preserve":
        return "ok" if any("unwritten" in s or "changed" in s for s in seen) else "WRONG"
    return "note"


def run_worker(words, first, results):
    command = [sys.executable, __file__, "--worker", str(first), *(["--hazards"] if "--hazards" in sys.argv else []), *words]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    lines = queue.Queue()
    errors = []
    threading.Thread(target=lambda: ([lines.put(l) for l in process.stdout], lines.put(None)), daemon=True).start()
    reader = threading.Thread(target=lambda: errors.append(process.stderr.read()), daemon=True)
    reader.start()
    started = None
    while True:
        try:
            line = lines.get(timeout=TIMEOUT)
        except queue.Empty:
            process.kill()
            results[started if started is not None else first] = {"seen": ["fault: timed out"], "worst": None}
            return (started if started is not None else first) + 1
        if line is None:
            break
        message = json.loads(line)
        if "start" in message:
            started = message["start"]
        else:
            results[message["index"]] = message
    if process.wait() == 0:
        return None
    reader.join(5)
    if started is None:  # not even the driver came up
        sys.exit("the worker did not start: " + "".join(errors)[-600:])
    if started not in results:
        results[started] = {"seen": ["fault: " + (("".join(errors).strip().splitlines() or ["worker died"])[-1])], "worst": None}
    return started + 1


def main():
    words = [a for a in sys.argv[1:] if not a.startswith("--")]
    if "--worker" in sys.argv:
        at = sys.argv.index("--worker") + 1
        return worker([a for a in sys.argv[at + 1:] if not a.startswith("--")], int(sys.argv[at]))
    every = list(jobs(words))
    results, first = {}, 0
    while first is not None and any(i >= first and not skipped(c, e) for i, (c, _, e) in enumerate(every)):
        first = run_worker(words, first, results)
    count = {"ok": 0, "WRONG": 0, "note": 0, "skip": 0}
    for index, (case, text, expected) in enumerate(every):
        name = case["candidate"].removesuffix(".ptx")
        if reason := skipped(case, expected):
            verdict, seen, worst = "skip", [reason], None
        else:
            outcome = results.get(index, {"seen": ["fault: no result"], "worst": None})
            seen, worst = outcome["seen"], outcome["worst"]
            verdict = judge(expected, case["gate"], seen)
        count[verdict] += 1
        error = f"{worst:9.2e}" if worst is not None else "        -"
        print(f"{verdict:5} {name:58} {text:11} {error}  expected {expected}"
              f"{' ' + case['gate'] if expected == 'violation' else ''}; saw {', '.join(seen) or 'the oracle matched'}")
    print(", ".join(f"{v} {k}" for k, v in count.items()))
    return 1 if count["WRONG"] else 0


if __name__ == "__main__":
    sys.exit(main())

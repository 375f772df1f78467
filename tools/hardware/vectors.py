#!/usr/bin/env python3
"""Records what a GPU makes of every written form of the instruction table: the vectors of symexec/vectors/testdata.

    bazel build //symexec/vectors:forms_main
    python3 tools/hardware/vectors.py plan DIR          # here: forms, kernels, and which of them the target takes
    python3 tools/hardware/vectors.py run DIR OUT       # where the GPU is: assembles, runs twice, writes OUT/*.txt
    python3 tools/hardware/vectors.py install OUT       # here: puts the files where the tests read them

`plan` needs ptxas, `run` an NVIDIA driver and ptxas. Operands come from memory, so that ptxas folds nothing; both sides are
seeded, so a second run changes only what the hardware does otherwise. Forms that ptxas takes for a newer target alone are
listed in newer.txt: the manual alone vouches for them.
"""
import concurrent.futures
import ctypes
import datetime
import pathlib
import re
import shutil
import subprocess
import sys

import operands

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LISTER = ROOT / ".bz/bin/symexec/vectors/forms_main"
TESTDATA = ROOT / "symexec/vectors/testdata"
TARGET = "sm_90a"
NEWER = ["sm_100a", "sm_103a", "sm_120a"]
BLOCK = 32
FILES = {"compare": "comparison.txt", "cvt": "conversion.txt", "warp": "warp.txt", "memory": "memory.txt"}


class Form:
    """A line of `forms_main list`."""

    def __init__(self, line):
        self.name, self.kernel, self.record, self.effect, self.fidelity, read, results = line.rstrip("\n").split("\t")
        parts = self.name.split("/")[0].split(".")
        self.mnemonic, self.modifiers = parts[0], parts[1:]
        self.names = [field.split(":")[0] for field in read.split(",")]
        self.kinds = [field.split(":")[1] for field in read.split(",")]
        self.results = results.split(",")


def file_of(form, set_name):
    if form.effect != "value":
        return FILES[form.effect]
    if form.fidelity == "bounded":
        return "approximate.txt"
    if set_name.split("_")[0] in FILES:
        return FILES[set_name.split("_")[0]]
    return "float.txt" if any(operands.split_packed(k)[0] in operands.FORMATS for k in form.kinds) else "integer.txt"


# ---- plan -------------------------------------------------------------------------------------------------------

def kernels_of(text):
    """{entry: its text} and the module's header."""
    parts = text.split(".visible .entry ")
    return parts[0], {part.split("(", 1)[0]: ".visible .entry " + part for part in parts[1:]}


def assemble(path, target, cubin):
    return subprocess.run(["ptxas", "-arch=" + target, str(path), "-o", str(cubin)], capture_output=True, text=True)


def refused(header, kernels, target, work):
    """The kernels that ptxas names in an error."""
    path = work / ("judge_%s.ptx" % target)
    text = header.replace(TARGET, target)
    owner = [None] * (text.count("\n") + 1)
    for name, kernel in kernels.items():
        text += kernel
        owner += [name] * kernel.count("\n")
    path.write_text(text)
    result = assemble(path, target, work / "judge.cubin")
    names = {owner[int(n)] for n in re.findall(r"line (\d+); error", result.stdout + result.stderr)}
    if result.returncode and not names:
        sys.exit(result.stderr)
    path.unlink()
    return names


def plan(work):
    work.mkdir(parents=True, exist_ok=True)
    listing = subprocess.run([LISTER, "list"], check=True, capture_output=True, text=True).stdout
    header, kernels = kernels_of(subprocess.run([LISTER, "kernels"], check=True, capture_output=True, text=True).stdout)
    forms = [Form(line) for line in listing.splitlines()]
    left = refused(header, kernels, TARGET, work)
    newer = {}
    for target in NEWER:
        still = refused(header, {name: kernels[name] for name in sorted(left)}, target, work) if left else set()
        newer.update({name: target for name in left - still})
        left = still
    (work / "forms.txt").write_text("".join(line + "\n" for line, form in zip(listing.splitlines(), forms) if form.kernel not in newer and form.kernel not in left))
    (work / "kernels.ptx").write_text(header + "".join(k for name, k in kernels.items() if name not in newer and name not in left))
    (work / "newer.txt").write_text("".join("%s %s\n" % (form.name, newer[form.kernel]) for form in forms if form.kernel in newer))
    for form in forms:
        if form.kernel in left:
            print("refused by ptxas for every target:", form.name)
    print("%d forms, %d for newer targets, %d refused" % (len(forms), len(newer), len(left)))
    return 1 if left else 0


# ---- run --------------------------------------------------------------------------------------------------------

class Driver:
    def __init__(self):
        self.lib = ctypes.CDLL("libcuda.so.1")
        self.call("cuInit", 0)
        self.device = ctypes.c_int()
        self.call("cuDeviceGet", ctypes.byref(self.device), 0)
        context = ctypes.c_void_p()
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), self.device)
        self.call("cuCtxSetCurrent", context)

    def call(self, name, *args):
        status = getattr(self.lib, name)(*args)
        if status:
            text = ctypes.c_char_p()
            self.lib.cuGetErrorName(status, ctypes.byref(text))
            raise RuntimeError("%s: %s" % (name, (text.value or b"?").decode()))

    def allocate(self, size):
        address = ctypes.c_uint64()
        self.call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(size))
        return address

    def describe(self):
        name = ctypes.create_string_buffer(100)
        self.call("cuDeviceGetName", name, 100, self.device)
        version, major, minor = ctypes.c_int(), ctypes.c_int(), ctypes.c_int()
        self.call("cuDriverGetVersion", ctypes.byref(version))
        self.call("cuDeviceGetAttribute", ctypes.byref(major), 75, self.device)
        self.call("cuDeviceGetAttribute", ctypes.byref(minor), 76, self.device)
        smi = subprocess.run(["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"], capture_output=True, text=True).stdout.split()
        return ("%s, compute capability %d.%d" % (name.value.decode(), major.value, minor.value),
                "%s, CUDA %d.%d" % (smi[0] if smi else "?", version.value // 1000, version.value % 1000 // 10))


def run_kernel(driver, function, source, target, rows, results):
    """What the kernel writes: a tuple of patterns for each row."""
    padded = -(-len(rows) // BLOCK) * BLOCK
    flat = [value for row in rows + [rows[-1]] * (padded - len(rows)) for value in row]
    host = (ctypes.c_uint64 * len(flat))(*flat)
    count = padded * results
    driver.call("cuMemcpyHtoD_v2", source, host, ctypes.c_size_t(8 * len(flat)))
    driver.call("cuMemsetD8_v2", target, ctypes.c_ubyte(0), ctypes.c_size_t(8 * count))
    args = (ctypes.c_void_p * 2)(*(ctypes.cast(ctypes.byref(a), ctypes.c_void_p) for a in (source, target)))
    driver.call("cuLaunchKernel", function, padded // BLOCK, 1, 1, BLOCK, 1, 1, 0, None, args, None)
    driver.call("cuCtxSynchronize")
    out = (ctypes.c_uint64 * count)()
    driver.call("cuMemcpyDtoH_v2", out, target, ctypes.c_size_t(8 * count))
    return [tuple(out[i * results:(i + 1) * results]) for i in range(len(rows))]


def run(work, out):
    out.mkdir(parents=True, exist_ok=True)
    forms = [Form(line) for line in (work / "forms.txt").read_text().splitlines()]
    header, kernels = kernels_of((work / "kernels.ptx").read_text())
    chunks = [forms[i::16] for i in range(16)]
    scratch = out / "scratch"
    scratch.mkdir(exist_ok=True)

    def build(index):
        path = scratch / ("%d.ptx" % index)
        path.write_text(header + "".join(kernels[form.kernel] for form in chunks[index]))
        result = assemble(path, TARGET, path.with_suffix(".cubin"))
        if result.returncode:
            sys.exit(result.stderr)
        return path.with_suffix(".cubin").read_bytes()

    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        cubins = list(pool.map(build, range(len(chunks))))
    shutil.rmtree(scratch)
    driver = Driver()
    functions = {}
    for chunk, cubin in zip(chunks, cubins):
        module = ctypes.c_void_p()
        driver.call("cuModuleLoadData", ctypes.byref(module), ctypes.c_char_p(cubin))
        for form in chunk:
            functions[form.kernel] = ctypes.c_void_p()
            driver.call("cuModuleGetFunction", ctypes.byref(functions[form.kernel]), module, form.kernel.encode())
    source, target = driver.allocate(1 << 20), driver.allocate(1 << 20)

    device, version = driver.describe()
    ptxas = subprocess.run(["ptxas", "--version"], capture_output=True, text=True).stdout.split("release ")[-1].split(",")[0]
    ptx = re.search(r"\.version (\S+)", header).group(1)
    about = ("# What a GPU made of every written form on these operands; tools/hardware/vectors.py says how, README.md the notation.\n"
             "# device: %s\n# driver: %s\n# ptxas: %s for %s, PTX %s\n# date: %s\n# command: python3 tools/hardware/vectors.py run\n"
             % (device, version, ptxas, TARGET, ptx, datetime.date.today()))
    texts, sets, vectors = {}, {}, 0
    for form in forms:
        name, make = operands.operands(form)
        file = file_of(form, name)
        if (file, name) not in sets:
            rows = sets[file, name] = make()
            texts.setdefault(file, []).append("operands %s\n" % name + "".join(
                " %s %s\n" % (kind, " ".join("%x" % row[i] for row in rows)) for i, kind in enumerate(form.kinds)))
        rows = sets[file, name]
        first, second = (run_kernel(driver, functions[form.kernel], source, target, rows, len(form.results)) for _ in range(2))
        if first != second:
            print("not the same twice:", form.name)
        vectors += len(rows)
        texts[file].append("%s %s %s\n" % (form.name, name, " ".join("/".join("%x" % value for value in row) for row in first)))
    for file, parts in texts.items():
        (out / file).write_text(about + "".join(parts))
    shutil.copy(work / "newer.txt", out / "newer.txt")
    print(about + "%d forms, %d vectors, %d bytes" % (len(forms), vectors, sum(len(p) for t in texts.values() for p in t)))
    return 0


def install(out):
    """Copies what was recorded, without forms that the table has no longer."""
    TESTDATA.mkdir(parents=True, exist_ok=True)
    listing = subprocess.run([LISTER, "list"], check=True, capture_output=True, text=True).stdout
    known = {line.split("\t")[0] for line in listing.splitlines()}
    for path in sorted(out.glob("*.txt")):
        lines = [line for line in path.read_text().splitlines()
                 if line[0] in "# " or line.startswith("operands ") or line.split(" ")[0] in known]
        used = {line.split(" ")[1] for line in lines if line[0] not in "# " and not line.startswith("operands ")}
        kept, keep = [], True
        for line in lines:
            if line.startswith("operands "):
                keep = line.split(" ")[1] in used
            elif line[0] != " ":
                keep = True
            kept += [line + "\n"] if keep else []
        if any(line[0] != "#" for line in kept):
            (TESTDATA / path.name).write_text("".join(kept))
    return 0


def main(argv):
    if len(argv) == 2 and argv[0] == "plan":
        return plan(pathlib.Path(argv[1]))
    if len(argv) == 3 and argv[0] == "run":
        return run(pathlib.Path(argv[1]), pathlib.Path(argv[2]))
    if len(argv) == 2 and argv[0] == "install":
        return install(pathlib.Path(argv[1]))
    print(__doc__, file=sys.stderr)
    return 3


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

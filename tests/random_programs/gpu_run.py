#!/usr/bin/env python3
"""Runs exported programs on a GPU and writes what they leave in memory.

    progen --count 2000 --export PACK        # on any machine: PACK/manifest.txt, SEED.ptx, SEED.in
    python3 gpu_run.py PACK OUT              # on one with a GPU

Each program runs three times: compiled by the driver, by ptxas -O0 and by ptxas -O3 (the latter two where ptxas is on
PATH). OUT/results.txt is the golden file: a line a seed on which the three agree, with the digests of its text and of its
output. OUT/report.txt names the seeds on which they do not agree with each other or with Bits, and OUT/outputs.npz has the
outputs of the first of those. Needs an NVIDIA driver, Python 3 and numpy.
"""
import ctypes
import json
import os
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

if sys.argv[1:] == ["--help"]:
    print(__doc__)
    sys.exit(0)
try:
    import numpy as np
except ImportError:
    sys.exit(Path(__file__).name + ": needs numpy, which is not there (Debian: apt-get install python3-numpy)")

WORKERS = 14
TIMEOUT = 30  # seconds without a sign of life from a worker
UNWRITTEN = 0xCD
VARIANTS = ("jit", "O0", "O3")
KEPT = 60  # differing programs whose outputs are kept


def mix(x):
    """The finaliser of SplitMix64 (rng.h)."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def digest(data):
    """Digest of execute.cc."""
    words = np.frombuffer(data + bytes(-len(data) % 8), np.uint64)
    return "%016x" % int(mix(words + mix(np.arange(1, len(words) + 1, dtype=np.uint64))).sum(dtype=np.uint64))


class Driver:
    def __init__(self):
        self.lib = ctypes.CDLL("libcuda.so.1")
        self.lib.cuGetErrorName.argtypes = [ctypes.c_int, ctypes.POINTER(ctypes.c_char_p)]
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
            raise RuntimeError(f"{name}: {(text.value or b'?').decode()}")

    def describe(self):
        name = ctypes.create_string_buffer(100)
        self.call("cuDeviceGetName", name, 100, self.device)
        version = ctypes.c_int()
        self.call("cuDriverGetVersion", ctypes.byref(version))
        return f"{name.value.decode()}, driver API {version.value // 1000}.{version.value % 1000 // 10}"

    def run(self, image, inputs, size, grid, block):
        """Loads an image (PTX text or a cubin), launches its kernel k and returns the output."""
        module = ctypes.c_void_p()
        self.call("cuModuleLoadData", ctypes.byref(module), ctypes.c_char_p(image))
        function = ctypes.c_void_p()
        self.call("cuModuleGetFunction", ctypes.byref(function), module, b"k")
        out, source = ctypes.c_uint64(), ctypes.c_uint64()
        self.call("cuMemAlloc_v2", ctypes.byref(out), ctypes.c_size_t(size))
        self.call("cuMemAlloc_v2", ctypes.byref(source), ctypes.c_size_t(len(inputs)))
        self.call("cuMemsetD8_v2", out, ctypes.c_ubyte(UNWRITTEN), ctypes.c_size_t(size))
        self.call("cuMemcpyHtoD_v2", source, ctypes.c_char_p(inputs), ctypes.c_size_t(len(inputs)))
        pointers = (ctypes.c_void_p * 2)(ctypes.addressof(out), ctypes.addressof(source))
        geometry = [ctypes.c_uint(v) for v in (grid, 1, 1, *block, 0)]
        self.call("cuLaunchKernel", function, *geometry, None, pointers, None)
        self.call("cuCtxSynchronize")
        host = ctypes.create_string_buffer(size)
        self.call("cuMemcpyDtoH_v2", host, out, ctypes.c_size_t(size))
        for address in (out, source):
            self.call("cuMemFree_v2", address)
        self.call("cuModuleUnload", module)
        return host.raw


def read_manifest(pack):
    for line in (pack / "manifest.txt").read_text().splitlines():
        seed, grid, block, size, text, bits = line.split()
        yield {"seed": int(seed), "grid": int(grid), "block": [int(v) for v in block.split(",")], "size": int(size), "text": text, "bits": bits}


def assemble(ptx, level, folder):
    cubin = folder / f"{ptx.stem}.{level}.cubin"
    done = subprocess.run(["ptxas", "-arch=sm_90", f"-{level}", "-o", str(cubin), str(ptx)], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"ptxas -{level}: {done.stderr.strip().splitlines()[0] if done.stderr.strip() else done.returncode}")
    image = cubin.read_bytes()
    cubin.unlink()
    return image


def worker(pack, index, first, kept):
    """Every WORKERS-th program, from the first-th of those on. One JSON line a program and variant."""
    driver = Driver()
    folder = Path(tempfile.mkdtemp())
    for at, program in enumerate(list(read_manifest(pack))[index::WORKERS]):
        if at < first:
            continue
        seed = program["seed"]
        print(json.dumps({"start": at}), flush=True)
        ptx = pack / f"{seed}.ptx"
        inputs = (pack / f"{seed}.in").read_bytes()
        for variant in VARIANTS:
            if variant != "jit" and not shutil.which("ptxas"):
                continue
            result = {"at": at, "seed": seed, "variant": variant}
            try:
                image = ptx.read_bytes() + b"\0" if variant == "jit" else assemble(ptx, variant, folder)
                output = driver.run(image, inputs, program["size"], program["grid"], program["block"])
                result["digest"] = digest(output)
                if result["digest"] != program["bits"]:
                    (kept / f"{seed}_{variant}").write_bytes(output)
            except RuntimeError as failure:
                result["error"] = str(failure)
            print(json.dumps(result), flush=True)
            if result.get("error", "").startswith("cu"):  # sticky: a fresh process goes on
                sys.exit(1)


def run_worker(pack, index, kept, results):
    count = len(list(read_manifest(pack))[index::WORKERS])
    first = 0
    while first < count:
        command = [sys.executable, __file__, "--worker", str(pack), f"{index}:{first}", str(kept)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        lines = queue.Queue()
        threading.Thread(target=lambda p=process, q=lines: ([q.put(l) for l in p.stdout], q.put(None)), daemon=True).start()
        at = first
        while True:
            try:
                line = lines.get(timeout=TIMEOUT)
            except queue.Empty:
                process.kill()
                results.append({"at": at, "worker": index, "error": "timed out"})
                break
            if line is None:
                break
            message = json.loads(line)
            if "start" in message:
                at = message["start"]
            else:
                results.append(message)
        if process.wait() == 0:
            return
        first = at + 1


def main():
    if sys.argv[1] == "--worker":
        index, first = (int(v) for v in sys.argv[3].split(":"))
        return worker(Path(sys.argv[2]), index, first, Path(sys.argv[4]))
    pack, out = Path(sys.argv[1]), Path(sys.argv[2])
    out.mkdir(parents=True, exist_ok=True)
    kept = Path(tempfile.mkdtemp())
    began = time.time()
    results, threads = [], []
    for index in range(WORKERS):
        threads.append(threading.Thread(target=run_worker, args=(pack, index, kept, results)))
        threads[-1].start()
    for thread in threads:
        thread.join()

    programs = list(read_manifest(pack))
    by_seed = {p["seed"]: {} for p in programs}
    stray = [r for r in results if "seed" not in r]
    for r in results:
        if "seed" in r:
            by_seed[r["seed"]][r["variant"]] = r.get("digest") or "error: " + r["error"]
    golden, bad = [], []
    for p in programs:
        seen = by_seed[p["seed"]]
        digests = set(seen.values())
        if len(seen) >= 1 and len(digests) == 1 and not any(d.startswith("error") for d in digests):
            golden.append(f"{p['seed']} {p['text']} {next(iter(digests))}")
        if digests != {p["bits"]}:
            bad.append(f"seed {p['seed']}: Bits {p['bits']} " + ", ".join(f"{v} {d}" for v, d in sorted(seen.items())))
    ptxas = "none"
    if shutil.which("ptxas"):
        ptxas = subprocess.run(["ptxas", "--version"], capture_output=True, text=True).stdout.strip().splitlines()[-1]
    header = [f"# {time.strftime('%Y-%m-%d')}: {Driver().describe()}; ptxas {ptxas}",
              f"# python3 gpu_run.py: {len(golden)} of {len(programs)} programs on which {', '.join(VARIANTS)} agree, in {time.time() - began:.0f} s",
              "# seed, digest of the text, digest of the output"]
    (out / "results.txt").write_text("\n".join(header + golden) + "\n")
    (out / "report.txt").write_text("\n".join(bad + [json.dumps(r) for r in stray]) + "\n")
    names = sorted(os.listdir(kept), key=lambda n: int(n.split("_")[0]))
    seeds = sorted({n.split("_")[0] for n in names}, key=int)[:KEPT]
    np.savez_compressed(out / "outputs.npz", **{n: np.frombuffer((kept / n).read_bytes(), np.uint8) for n in names if n.split("_")[0] in seeds})
    print(f"{len(programs)} programs, {len(golden)} agree among themselves, {len(bad)} differ somewhere, {len(stray)} lost, {time.time() - began:.0f} s")
    print("\n".join(bad[:60]))


if __name__ == "__main__":
    main()

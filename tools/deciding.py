#!/usr/bin/python3
"""Times whole checks of the pairs in kernels/benchmarks/ (and one of weighted RMSNorm), beside an earlier build if one is given.

usage: tools/deciding.py [--previous BINARY] [--racer BINARY] [--runs N] [--only TEXT] [--timeout SECONDS] [--help]

A row is a case: verdict, the steps that decided (cells each), CPU seconds (user + system, the smallest of N runs) and MiB (largest
resident set) of the whole process. With --previous the two binaries run in turn, N times each, and the last columns are the earlier
build's CPU seconds and the ratio new / previous: above 1 is slower. A slow machine slows both. Builds //checker:racer first unless
--racer names a binary.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
RACER = ".bz/bin/checker/racer"
FOLDER = "kernels/benchmarks/"
RMSNORM = {"folder": "kernels/weighted_rmsnorm/", "candidate": "vec4h_tail_f16.ptx", "reference": "reference_f16.ptx",
           "contract": "vec4h_tail_f16.toml", "dims": ["N=2,H=8192"]}


def run(racer, case, timeout):
    """(verdict and steps, CPU seconds, MiB) of one process."""
    folder = case.get("folder", FOLDER)
    argv = [racer, "check", folder + case["candidate"], "--ref", folder + case["reference"], "--contract", folder + case["contract"],
            "--dims", case["dims"][0], "--timeout", str(timeout), "--json", "-"]
    for key, option in (("entry", "--entry"), ("ref_entry", "--ref-entry")):
        if key in case:
            argv += [option, case[key]]
    child = subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    output = child.stdout.read()
    child.stdout.close()
    _, _, usage = os.wait4(child.pid, 0)
    try:
        report = json.loads(output)
    except ValueError:
        return "no report", usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024
    steps = {}
    for shape in report.get("shapes", []):
        for step, cells in shape.get("decided_by", {}).items():
            steps[step] = steps.get(step, 0) + cells
    text = report["verdict"] + "".join(" %s:%d" % pair for pair in sorted(steps.items()))
    return text, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--previous")
    parser.add_argument("--racer")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--only", default="")
    parser.add_argument("--timeout", type=int, default=120)
    arguments = parser.parse_args()
    binaries = [os.path.abspath(path) if path else None for path in (arguments.racer, arguments.previous)]
    os.chdir(ROOT)
    if binaries[0] is None:
        subprocess.run(["bazel", "build", "--noshow_progress", "--ui_event_filters=-info", "//checker:racer"], check=True)
        binaries[0] = RACER
    binaries = [binary for binary in binaries if binary is not None]
    cases = [case for case in tomllib.loads(pathlib.Path(FOLDER + "expectations.toml").read_text())["case"]
             if case["expected"] == "equivalent"] + [RMSNORM]
    print("%-58s %-38s %9s %7s %s" % ("pair", "verdict, steps", "CPU s", "MiB", "previous CPU s, ratio" if len(binaries) > 1 else ""))
    for case in cases:
        name = "%s%s / %s%s" % (case["candidate"][:-4], ":" + case["entry"] if "entry" in case else "", case["reference"][:-4],
                                ":" + case["ref_entry"] if "ref_entry" in case else "")
        if arguments.only not in name:
            continue
        best = {}
        for _ in range(arguments.runs):
            for binary in binaries:
                row = run(binary, case, arguments.timeout)
                if binary not in best or row[1] < best[binary][1]:
                    best[binary] = row
        text, seconds, mib = best[binaries[0]]
        line = "%-58s %-38s %9.3f %7.0f" % (name, text, seconds, mib)
        if len(binaries) > 1:
            line += "  %9.3f  %.2f" % (best[binaries[1]][1], seconds / max(best[binaries[1]][1], 1e-3))
        print(line)
        sys.stdout.flush()


if __name__ == "__main__":
    main()

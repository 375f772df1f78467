#!/usr/bin/python3
"""Prints the table of operators: every case of kernels/*/expectations.toml that names an operator, run at every shape.

usage: tools/operators.py [--only OPERATOR] [--markdown FILE] [--racer BINARY] [--timeout SECONDS] [--help]

A row is a shape: operator, pair, shape, expected, verdict, grade, the steps that decided (cells each), CPU seconds and MiB of
the whole process (largest resident set). Then each operator's counts and the measures: a pair is a case, decided if all its
shapes are. --markdown writes the table, a row a pair with its slowest and largest shape, between the two marks in FILE
(docs/operators.md). Builds //checker:racer first unless --racer names a binary. Exit 1 if a verdict is wrong.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
RACER = ".bz/bin/checker/racer"
MARKS = ("<!-- table: written by tools/operators.py --markdown -->", "<!-- end of the table -->")


def cases(only):
    """Every case with an operator, sorted by operator, with its folder."""
    listed = pathlib.Path("tests/BUILD.bazel").read_text()
    found = []
    for path in sorted(pathlib.Path("kernels").glob("*/expectations.toml")):
        folder = str(path.parent)
        mine = [case | {"folder": folder + "/"} for case in tomllib.loads(path.read_text())["case"] if "operator" in case]
        if mine and '"//%s:corpus"' % folder not in listed:
            print("warning: %s is not in OPERATORS of tests/BUILD.bazel: no test runs it" % folder, file=sys.stderr)
        found += [case for case in mine if only in (None, case["operator"])]
    return sorted(found, key=lambda case: case["operator"])


def run(racer, timeout, case, dims):
    """The report of one racer process, its CPU seconds and MiB."""
    folder = case["folder"]
    argv = [racer, "check", folder + case["candidate"], "--ref", folder + case["reference"], "--contract", folder + case["contract"],
            "--dims", dims, "--timeout", timeout, "--json", "-"]
    for key, option in (("entry", "--entry"), ("ref_entry", "--ref-entry")):
        if key in case:
            argv += [option, case[key]]
    child = subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    out = child.stdout.read()
    _, _, usage = os.wait4(child.pid, 0)
    child.returncode = 0
    try:
        report = json.loads(out)
    except json.JSONDecodeError:
        report = {"verdict": "internal_error", "grade": "none", "shapes": [], "reason": "no JSON", "failed_gate": ""}
    return report, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def judge(case, expected, report):
    """'' undecided, 'proved', 'right' (not proved), 'WRONG'. As AsExpected of tests/corpus.cc."""
    verdict = report["verdict"]
    if verdict == "undecided":
        return ""
    gates = case.get("gates", [case.get("gate")])
    if verdict == "violation":
        good = expected != "equivalent" and report["failed_gate"] in gates
    elif verdict == "different":
        good = (expected == "different" or (expected == "violation" and "equivalence" in gates)) and report["witness"]["replayed"]
    else:
        good = verdict == expected
    if not good:
        return "WRONG"
    return "proved" if verdict != "equivalent" or report["grade"] == "proved" else "right"


def steps(report):
    counts = {}
    for shape in report["shapes"]:
        for step, cells in shape["decided_by"].items():
            counts[step] = counts.get(step, 0) + cells
    return counts


def said(report):
    return report["verdict"] + (" " + report["failed_gate"] if report["verdict"] == "violation" else "")


def pair_name(case):
    stem = case["candidate"].removesuffix(".ptx")
    name = stem + (":" + case["entry"] if "entry" in case else "")
    contract = case["contract"].removesuffix(".toml")
    if contract != pathlib.Path(stem).name.split("__")[0]:
        name += " (" + contract + ")"
    return name + " / " + case["reference"].removesuffix(".ptx") + (":" + case["ref_entry"] if "ref_entry" in case else "")


def percent(part, whole):
    return "%d of %d (%.1f %%)" % (part, whole, 100 * part / whole if whole else 0)


class Pair:
    def __init__(self, case):
        self.case, self.judged, self.verdicts, self.grades, self.counts, self.reasons = case, [], [], [], {}, []
        self.seconds = self.mib = 0

    def add(self, expected, report, seconds, mib):
        self.judged.append(judge(self.case, expected, report))
        # At a shape where a twin's fault does not show, its verdict says nothing of the pair, unless it is wrong.
        if expected == self.case["expected"] or self.judged[-1] in ("", "WRONG"):
            self.verdicts.append(said(report))
            self.grades.append(report["grade"])
            for step, cells in steps(report).items():
                self.counts[step] = self.counts.get(step, 0) + cells
        if not self.judged[-1]:
            self.reasons.append(report["reason"])
        self.seconds, self.mib = max(self.seconds, seconds), max(self.mib, mib)

    decided = property(lambda self: all(self.judged))
    correct = property(lambda self: self.case["expected"] == "equivalent")
    proved = property(lambda self: all(j == "proved" for j in self.judged))
    wrong = property(lambda self: "WRONG" in self.judged)

    def row(self):
        verdict = ", ".join(dict.fromkeys(self.verdicts)) + (" (WRONG)" if self.wrong else "")
        grade = ", ".join(dict.fromkeys(g for g in self.grades if g != "none"))
        step = ", ".join(s for s in self.counts if s != "not_looked_at")
        if any(v.startswith("violation") for v in self.verdicts):
            step += (", " if step else "") + "gates"
        if self.reasons:
            step += ("; " if step else "") + self.case.get("open", self.reasons[0][:100])
        return [self.case["operator"], pair_name(self.case), self.case["expected"], verdict, grade, step.replace("|", "\\|"),
                "%.2f" % self.seconds, "%.0f" % self.mib]


def totals(pairs):
    correct = [p for p in pairs if p.correct]
    return ["pairs decided: %s; asked for: 95 %%" % percent(sum(p.decided for p in pairs), len(pairs)),
            "wrong verdicts: %d; asked for: 0" % sum(p.wrong for p in pairs),
            "correct pairs proved: %s; asked for: 90 %%" % percent(sum(p.proved for p in correct), len(correct))]


def by_operator(pairs):
    for operator in dict.fromkeys(p.case["operator"] for p in pairs):
        mine = [p for p in pairs if p.case["operator"] == operator]
        correct = [p for p in mine if p.correct]
        yield [operator, len(mine), sum(p.decided for p in mine), len(correct), sum(p.proved for p in correct),
               sum(p.wrong for p in mine), "%.2f" % max(p.seconds for p in mine)]


def table(header, rows):
    return ["| " + " | ".join(header) + " |", "|" + " --- |" * len(header)] + ["| " + " | ".join(map(str, row)) + " |" for row in rows]


def write_markdown(path, pairs):
    lines = ["", *("- " + line for line in totals(pairs)), ""]
    lines += table(["operator", "pairs", "decided", "correct pairs", "proved", "wrong", "slowest shape, s"], by_operator(pairs))
    lines += ["", *table(["operator", "pair", "expected", "verdict", "grade", "decided by", "s", "MiB"], [p.row() for p in pairs]), ""]
    text = path.read_text()
    start, end = text.index(MARKS[0]) + len(MARKS[0]), text.index(MARKS[1])
    path.write_text(text[:start] + "\n" + "\n".join(lines) + "\n" + text[end:])


def main():
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--only")
    parser.add_argument("--markdown")
    parser.add_argument("--racer")
    parser.add_argument("--timeout", default="60")
    parser.add_argument("--help", action="store_true")
    options = parser.parse_args()
    if options.help:
        print(__doc__)
        return 0
    # Paths of the command line are the caller's; all others are the repository's.
    markdown = pathlib.Path(options.markdown).resolve() if options.markdown else None
    racer = str(pathlib.Path(options.racer).resolve()) if options.racer else RACER
    os.chdir(ROOT)
    if not options.racer:
        subprocess.run(["bazel", "build", "--noshow_progress", "--ui_event_filters=-info", "//checker:racer"], check=True)
    pairs = []
    for case in cases(options.only):
        pair = Pair(case)
        pairs.append(pair)
        shapes = [(d, case["expected"]) for d in case["dims"]] + [(d, "equivalent") for d in case.get("equivalent_dims", [])]
        for dims, expected in shapes:
            report, seconds, mib = run(racer, options.timeout, case, dims)
            pair.add(expected, report, seconds, mib)
            counts = " ".join("%s:%d" % item for item in steps(report).items())
            why = "" if pair.judged[-1] else re.sub(r"\s+", " ", report["reason"])[:120]
            print("%-7s %-16s %-70s %-18s %-10s %-18s %-7s %7.2f s %6.0f MiB  %s %s" % (
                {"": "open" if "open" in case else "UNDEC", "WRONG": "WRONG"}.get(pair.judged[-1], "ok"), case["operator"], pair_name(case),
                dims, expected, said(report), report["grade"], seconds, mib, counts, why), flush=True)
    print()
    print("%-20s %6s %8s %8s %7s %6s %14s" % ("operator", "pairs", "decided", "correct", "proved", "wrong", "slowest, s"))
    for row in by_operator(pairs):
        print("%-20s %6d %8d %8d %7d %6d %14s" % tuple(row))
    for line in totals(pairs):
        print(line)
    if markdown:
        write_markdown(markdown, pairs)
    return 1 if any(p.wrong for p in pairs) else 0


if __name__ == "__main__":
    sys.exit(main())

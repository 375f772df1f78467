#!/usr/bin/env python3
"""ptxas as the judge of the front end: what it accepts must parse, what it refuses must be refused.

  tools/ptxas_judge.py versions [RECORD-REGEX]   written forms of each record of the table, under each .version and .target
  tools/ptxas_judge.py mutations [--write FILE]  one-instruction programs with one thing wrong, and those of judge_questions.txt;
                                                 --write keeps them as test cases
  tools/ptxas_judge.py files [FILE...]           whole files; all .ptx of the repository

Needs ptxas 13.0 on PATH, and the binaries isa_forms and parse_tool (bazel build //ptx_frontend/isa:isa_forms
//ptx_frontend/parse:parse_tool). Each difference is printed once per record and message; exit status 1 if there is one that
ptx_frontend/parse/testdata/judge_exceptions.txt does not explain.
"""
import collections
import datetime
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILT = [ROOT / ".bz/bin/ptx_frontend/isa/isa_forms", ROOT / ".bz/bin/ptx_frontend/parse/parse_tool"]
COPIES = tempfile.TemporaryDirectory()  # a build may replace them meanwhile
FORMS, PARSE = (pathlib.Path(COPIES.name) / path.name for path in BUILT)
EXCEPTIONS = ROOT / "ptx_frontend/parse/testdata/judge_exceptions.txt"
QUESTIONS = ROOT / "ptx_frontend/parse/testdata/judge_questions.txt"

# ptxas 13.0 assembles for sm_75 and later, and reads modules for any target before.
TARGETS = ("sm_52 sm_53 sm_70 sm_75 sm_80 sm_86 sm_87 sm_89 sm_90 sm_90a sm_100 sm_100a sm_100f sm_103 sm_103a "
           "sm_103f sm_110 sm_110a sm_110f sm_120 sm_120a sm_120f sm_121 sm_121a sm_121f").split()
VERSIONS = ("6.0 6.1 6.2 6.3 6.4 6.5 7.0 7.1 7.2 7.3 7.4 7.5 7.6 7.7 7.8 8.0 8.1 8.2 8.3 8.4 "
            "8.5 8.6 8.7 8.8 9.0").split()
# The target under which a version is asked: the newest that it knows.
NEWEST = {"8.8": ["sm_100a", "sm_90a", "sm_120a"], "8.7": ["sm_100a", "sm_90a", "sm_120a"], "8.6": ["sm_100a", "sm_90a"]}


def newest(version):
    number = float(version)
    if version in NEWEST:
        return NEWEST[version]
    for first, target in ((9.0, "sm_100a"), (8.0, "sm_90a"), (7.8, "sm_90"), (7.0, "sm_80"), (6.3, "sm_75"), (6.0, "sm_70"), (5.0, "sm_60"),
                          (4.0, "sm_50"), (3.1, "sm_35"), (3.0, "sm_30")):
        if number >= first:
            return [target]
    return ["sm_20"]


def host(target):
    return target if int(re.match(r"sm_(\d+)", target).group(1)) >= 75 else "sm_75"


def run(command):
    return subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)


def ptxas(text, target, *options):
    """Line -> messages of errors; line 0: errors without a line."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "m.ptx"
        path.write_text(text)
        done = run(["ptxas", "-arch=" + host(target), *options, str(path), "-o", "/dev/null"])
    errors = collections.defaultdict(list)
    for line in (done.stderr + done.stdout).splitlines():
        match = re.match(r"ptxas \S+, line (\d+); (?:error|fatal)\s*: (.*)", line)
        if match:
            errors[int(match.group(1))].append(match.group(2))
        elif re.match(r"ptxas (error|fatal)", line) and "aborted due" not in line:
            errors[0].append(line)
    if done.returncode != 0 and not errors:
        errors[0].append("exit status %d" % done.returncode)
    return errors


def ours(text):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "m.ptx"
        path.write_text(text)
        done = run([str(PARSE), "--check", str(path)])
    errors = collections.defaultdict(list)
    for line in done.stdout.splitlines():
        number, _, message = line.partition(": ")
        errors[int(number)].append(message)
    return errors


def exceptions(command):
    """(side, pattern) of the lines for this command: `ours`, or `ours@versions` for one alone."""
    rules = []
    for line in EXCEPTIONS.read_text().splitlines():
        if line and not line.startswith("#"):
            side, pattern = line.split("\t")
            side, _, only = side.partition("@")
            if only in ("", command):
                rules.append((side, re.compile(pattern)))
    return rules


class Report:
    def __init__(self, command):
        self.rules = exceptions(command)
        self.seen = collections.Counter()
        self.example = {}
        self.used = set()

    def add(self, side, key, text, message):
        for side_wanted, pattern in self.rules:
            if side == side_wanted and pattern.search(text):
                self.used.add(pattern.pattern)
                return
        self.seen[side, key] += 1
        self.example.setdefault((side, key), (text, message))

    def finish(self):
        for (side, key), count in self.seen.most_common():
            text, message = self.example[side, key]
            print("%5d  %s\n       %s\n       %s" % (count, "WE REFUSE what ptxas accepts" if side == "ours" else "WE ACCEPT what ptxas refuses", text, message))
        print("%d differences of %d sorts" % (sum(self.seen.values()), len(self.seen)))
        return 1 if self.seen else 0


def forms(pattern):
    out = []
    for line in run([str(FORMS)]).stdout.splitlines():
        record, declarations, text = line.split("\t")
        if pattern.fullmatch(record):
            out.append((record, declarations, text))
    return out


def module(version, target, blocks):
    head = [".version " + version, ".target " + target, ".address_size 64" if float(version) >= 2.3 else "", ".entry k()", "{",
            "targets: .branchtargets target;"]
    return "\n".join(head + blocks + ["target:", "ret;", "}"]) + "\n", len(head) + 1


def verdicts(blocks, version, target):
    """The messages that ptxas has for each block, none where it takes it. It looks at some things only where nothing else is
    wrong in the whole module, and stops at a syntax error: what is refused is left out, and the rest asked again."""
    messages = [[] for _ in blocks]
    groups = [list(range(len(blocks)))]
    while groups:
        group = groups.pop()
        text, first = module(version, target, [blocks[i] for i in group])
        errors = ptxas(text, target)
        refused = {i for k, i in enumerate(group) if first + k in errors}
        for k, i in enumerate(group):
            messages[i] = errors.get(first + k, [])
        rest = [i for i in group if i not in refused]
        if not errors or not rest:
            continue
        if refused:
            groups.append(rest)
        elif len(group) == 1:
            messages[group[0]] = [m for found in errors.values() for m in found]
        else:  # without a line: a crash, or an error of the whole module
            groups += [group[: len(group) // 2], group[len(group) // 2 :]]
    return messages


def versions(pattern):
    """Every form of the smaller records, a part of those of the others."""
    report = Report("versions")
    by_record = collections.defaultdict(list)
    for form in forms(re.compile(pattern)):
        by_record[form[0]].append(form)
    # Of the records with many forms, a part: 131 to 262 of them, spread over all of its lines.
    thin = [f for found in by_record.values() for f in found[:: max(len(found) // 131, 1)]]
    pairs = [("9.0", t) for t in TARGETS] + [(v, t) for v in VERSIONS for t in newest(v)]
    for version, target in pairs:
        for begin in range(0, len(thin), 500):
            part = thin[begin:begin + 500]
            blocks = ["{ %s%s }" % (d, t) for _, d, t in part]
            text, first = module(version, target, blocks)
            mine = ours(text)
            for i, theirs in enumerate(verdicts(blocks, version, target)):
                record, _, instruction = part[i]
                where = "%s  (.version %s, .target %s)" % (instruction, version, target)
                b = mine.get(first + i)
                if theirs and not b:
                    report.add("ptxas", (record, re.sub(r"target '[^']*'", "X", theirs[0])), where, theirs[0])
                elif b and not theirs:
                    report.add("ours", (record, re.sub(r"`[^`]*`", "X", b[0].split(";")[0])), where, b[0])
    print("%d forms under %d pairs of version and target" % (len(thin), len(pairs)))
    return report.finish()


REGISTERS = {"b8": ["b32"], "b16": ["b32", "f32", "pred"], "b32": ["b64", "pred", "b16"], "b64": ["b32", "f32", "f64"], "b128": ["b64"], "pred": ["b32"]}


def mutants(declarations, text, randomly):
    """(declarations, text) with one thing wrong, or not: ptxas decides."""
    mnemonic, _, operands = text.partition(" ")
    parts = mnemonic.split(".")
    declared = re.findall(r"\.reg \.(\w+) (%\w+);", declarations)
    if declared:
        kind, name = randomly.choice(declared)
        other = randomly.choice(REGISTERS.get(kind, ["b32"]))
        yield declarations.replace(".%s %s;" % (kind, name), ".%s %s;" % (other, name)), text  # another type
        yield declarations.replace(".reg .%s %s;" % (kind, name), "", 1), text  # undeclared
        yield declarations + ".reg .b32 %s; " % name, text  # declared twice
        yield declarations, text.replace(name, "[%s]" % name, 1)
        yield declarations, text.replace(name, "{%s, %s}" % (name, name), 1)
        yield declarations, text.replace(name, "1.5", 1)
    if len(parts) > 1:
        at = randomly.randrange(1, len(parts))
        yield declarations, ".".join(parts[:at] + parts[at + 1:]) + " " + operands  # one modifier less
        yield declarations, ".".join(parts[:at] + [parts[at]] + parts[at:]) + " " + operands  # twice
        swap = {"f32": "u32", "u32": "f32", "s32": "f32", "b32": "f33", "global": "shared", "shared": "global", "rn": "rz", "v2": "v4", "v4": "v2",
                "cta": "gpu", "sync": "async", "row": "col", "f16": "f64", "bf16": "f16", "pred": "b32", "b64": "b32", "release": "acquire"}
        yield declarations, ".".join(swap.get(q, q) if i == at else q for i, q in enumerate(parts)) + " " + operands
        yield declarations, ".".join(parts[:at] + ["frob"] + parts[at:]) + " " + operands
    vector = re.search(r"\{([^{}]*), [^,{}]*\}", text)
    if vector:
        yield declarations, text[:vector.start()] + "{" + vector.group(1) + "}" + text[vector.end():]  # an element less
    if ", " in operands:
        yield declarations, mnemonic + " " + operands.split(", ", 1)[1]  # the first operand is missing
    yield declarations, text.replace(";", ", 7;")  # one too many


KINDS = {"b": "b8", "h": "b16", "r": "b32", "l": "b64", "q": "b128", "p": "pred", "u": "u32", "s": "s32", "uh": "u16", "fh": "f16", "f": "f32",
         "d": "f64"}


def questions():
    """(declarations, text) of each instruction of QUESTIONS."""
    for line in QUESTIONS.read_text().splitlines():
        if line and not line.startswith("#"):
            names = sorted(set(re.findall(r"%([a-z]+)(\d+)\b", line)))
            yield "".join(".reg .%s %%%s%s; " % (KINDS[k], k, n) for k, n in names if k in KINDS), line


def judged(cases):
    """(target, declarations, text, messages of ptxas, ours) of each case."""
    for target in ("sm_90a", "sm_100a"):
        of_target = [c for c in cases if c[0] == target]
        for begin in range(0, len(of_target), 80):
            part = of_target[begin:begin + 80]
            blocks = ["{ %s%s }" % (d, t) for _, d, t in part]
            text, first = module("9.0", target, blocks)
            mine = ours(text)
            for i, theirs in enumerate(verdicts(blocks, "9.0", target)):
                b = mine.get(first + i)
                if bool(theirs) == bool(b):
                    yield part[i] + (theirs, b)
                    continue
                # A syntax error hides what follows it.
                alone, _ = module("9.0", target, blocks[i:i + 1])
                yield part[i] + (theirs, [m for messages in ours(alone).values() for m in messages])


def mutations(output):
    """Cases for ptx_frontend/parse/judge_test.cc: what ptxas says of forms with one thing changed."""
    randomly = random.Random(13)
    by_record = collections.defaultdict(list)
    for form in forms(re.compile(".*")):
        by_record[form[0]].append(form)
    cases = []
    for record, all_forms in sorted(by_record.items()):
        for form in randomly.sample(all_forms, 1):
            cases.append((record, form[1], form[2]))
            cases += [(record, d, t) for d, t in mutants(form[1], form[2], randomly) if (d, t) != form[1:]]
    report, kept = Report("mutations"), []
    for record, declarations, text in cases:
        if record not in ("Shfl", "Vote"):
            kept.append(("sm_90a" if record.startswith("Wgmma") else "sm_100a", declarations, text))
    kept += [("sm_100a", declarations, text) for declarations, text in questions()]
    kept = list(dict.fromkeys(kept))
    lines = []
    for target, declarations, text, theirs, mine in judged(kept):
        if bool(theirs) != bool(mine):
            report.add("ptxas" if theirs else "ours", (text.split(" ")[0], (theirs or mine)[0][:40]), declarations + text, (theirs or mine)[0])
        if len(declarations) + len(text) < 700:  # of the widest accumulators one form is as good as another
            lines.append("%s\t%s\t%s\t%s" % ("reject" if theirs else "accept", target, declarations.strip(), text))
    if output:
        head = ("# One-instruction programs and what ptxas 13.0 (V13.0.88) says of them, .version 9.0; made on %s by\n"
                "# tools/ptxas_judge.py mutations --write. Verdict, target, declarations, instruction.\n" % datetime.date.today())
        pathlib.Path(output).write_text(head + "\n".join(sorted(set(lines))) + "\n")
    print("%d cases" % len(lines))
    return report.finish()


def files(paths):
    report = Report("files")
    if not paths:
        paths = run(["git", "-C", str(ROOT), "ls-files", "*.ptx"]).stdout.split()
    taken = 0
    for path in paths:
        text = (ROOT / path).read_text(errors="replace")
        target = re.search(r"\.target\s+(sm_\d+\w?)", text)
        # Triton writes a later .version than ptxas 13.0 knows; nothing else in its text needs one.
        text = re.sub(r"^\.version 9\.[1-9]$", ".version 9.0", text, flags=re.MULTILINE)
        theirs, mine = ptxas(text, target.group(1) if target else "sm_75", "-c"), ours(text)
        taken += not theirs
        if bool(theirs) != bool(mine):
            (line, messages), = list((theirs or mine).items())[:1]
            report.add("ptxas" if theirs else "ours", path, "%s:%d" % (path, line), messages[0])
    print("%d files, of which ptxas takes %d" % (len(paths), taken))
    return report.finish()


def main():
    for path in BUILT:
        shutil.copy(path, COPIES.name)
    if sys.argv[1:2] == ["versions"]:
        return versions(sys.argv[2] if len(sys.argv) > 2 else ".*")
    if sys.argv[1:2] == ["mutations"]:
        return mutations(sys.argv[3] if sys.argv[2:3] == ["--write"] else "")
    if sys.argv[1:2] == ["files"]:
        return files(sys.argv[2:])
    print(__doc__)
    return 2


if __name__ == "__main__":
    sys.exit(main())

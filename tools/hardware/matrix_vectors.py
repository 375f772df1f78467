#!/usr/bin/env python3
"""Runs every warp-level matrix form of sm_90a on a GPU and writes what it gave as text.

    python3 matrix_vectors.py build DIR     # PTX and cubin of all forms (needs ptxas)
    python3 matrix_vectors.py run DIR OUT [words]   # on the GPU: a hash of the results of every case, or the results too
    python3 matrix_vectors.py list          # the forms, one a line

A form is a piece of PTX over 32 lanes: it reads registers %x0, %x1, ... (%X of 64 bits) and shared memory `s`, and
leaves its results in %y0, %y1, ... (%Y) and in `s`. What a case puts there follows from its class and its seed
alone (Stream, element), so that a file holds hashes of results only. symexec/machine/matrix_hardware_test.cc replays
the file, symexec/machine/testdata/h200_matrix.txt. `run` needs only the driver and 10 seconds.
"""
import ctypes
import itertools
import subprocess
import sys
from pathlib import Path

MASK = (1 << 64) - 1


class Stream:
    """xorshift64*; the test has the same."""
    def __init__(self, seed):
        self.state = (seed * 0x9E3779B97F4A7C15 + 0x1234567) & MASK or 1

    def next(self):
        x = self.state
        x ^= x >> 12
        x = (x ^ (x << 25)) & MASK
        x ^= x >> 27
        self.state = x
        return (x * 0x2545F4914F6CDD1D & MASK) >> 16  # 48 bits


# name: (bits of the container, exponent bits, fraction bits)
FORMATS = {"f16": (16, 5, 10), "bf16": (16, 8, 7), "tf32": (32, 8, 23), "f32": (32, 8, 23), "f64": (64, 11, 52),
           "e4m3": (8, 4, 3), "e5m2": (8, 5, 2)}
# Classes of cases: 0 small integers, 1 near one, 2 any finite, 3 subnormal and tiny, 4 some large among ones,
# 5 infinities, NaNs and zeros, 6 a large accumulator, 7 exponents 16 apart.
CLASSES = range(8)
ORDERED = [0b0100, 0b1000, 0b1100, 0b1001, 0b1101, 0b1110]


def element(fmt, cls, stream, accumulator):
    """One value of a floating-point format."""
    _, ebits, mbits = FORMATS[fmt]
    r = stream.next()
    sign, man, x = r & 1, r >> 1, r >> 24
    if mbits > 23:
        man = man << 20 ^ stream.next()
    man &= (1 << mbits) - 1
    bias = (1 << (ebits - 1)) - 1
    top = (1 << ebits) - 1
    if cls == 0:
        v = x % 9
        if v == 0:
            return 0
        p = v.bit_length() - 1
        return sign << (ebits + mbits) | (bias + p) << mbits | (v << mbits >> p) & ((1 << mbits) - 1)
    if cls == 2:
        exp = x % top
    elif cls == 3:
        exp = x % 3
    elif cls == 4:
        exp = min(bias + 10, top - 1) if x % 4 == 0 else bias
    elif cls == 6 and accumulator:
        exp = min(bias + 6 + x % 20, top - 1)
    elif cls == 7:
        exp = min(max(bias - 8 + x % 16, 0), top - 1)
    else:
        exp = bias - 2 + x % 5
    if cls == 5:
        y = (x >> 8) % 16
        if y == 0:
            exp, man = top, (0 if fmt != "e4m3" else 7)
        elif y == 1:
            exp, man = top, man | 1
            if fmt == "e4m3":
                man = 7
        elif y in (2, 3):
            exp, man = 0, 0
    return sign << (ebits + mbits) | exp << mbits | man


def word(kind, cls, stream):
    """One register or word of the given kind."""
    accumulator = kind.startswith("c:")
    fmt = kind.removeprefix("c:")
    if fmt in FORMATS:
        bits = FORMATS[fmt][0]
        value = 0
        for i in range(max(1, 32 // bits)):
            value |= element(fmt, cls, stream, accumulator) << (bits * i)
        return value
    r = stream.next()
    if fmt == "b32":
        return r & 0xFFFFFFFF
    if fmt == "s32":  # an integer accumulator: near the ends in odd classes
        if cls % 2 == 0:
            return r & 0xFFFFFFFF
        return (0x7FFFFFFF - r % 4096 if r >> 40 & 1 else 0x80000000 + r % 4096) & 0xFFFFFFFF
    if fmt == "meta":
        return sum(ORDERED[(r >> (4 * i)) % 6] << (4 * i) for i in range(8))
    if fmt == "meta1":
        return sum((0b1110 if r >> i & 1 else 0b0100) << (4 * i) for i in range(8))
    raise ValueError(kind)


class Form:
    """x and s: [(kind, count)]; body: PTX; y: registers of results; wide: registers have 64 bits."""
    def __init__(self, name, x, y, body, s=(), dump=False, wide_x=0, wide_y=0, classes=CLASSES):
        self.name, self.x, self.y, self.body, self.s, self.dump = name, list(x), y, body, list(s), dump
        self.wide_x, self.wide_y, self.classes = wide_x, wide_y, list(classes)

    def spec(self):
        join = lambda parts: " ".join(f"{kind}*{count}" for kind, count in parts) or "-"
        return (f"form {self.name}\nx {join(self.x)}\ns {join(self.s)}\ny {self.y} {self.wide_y} {int(self.dump)}\n"
                f"body {self.body}\n")


def vec(letter, first, count):
    return "{" + ",".join(f"%{letter}{first + i}" for i in range(count)) + "}"


FLOAT = list(CLASSES)
INTEGER = [0, 1]


def mma(spelling, a, b, c, d_count, extra="", x_extra=(), classes=FLOAT):
    (ak, an), (bk, bn), (ck, cn) = a, b, c
    if ck == "c:f64":
        text = (f"{spelling} {vec('Y', 0, d_count)}, {vec('X', 0, an)}, {vec('X', an, bn)}, {vec('X', an + bn, cn)};")
        return Form(spelling, [a, b, c], 0, text, wide_x=an + bn + cn, wide_y=d_count, classes=classes)
    text = (f"{spelling} {vec('y', 0, d_count)}, {vec('x', 0, an)}, {vec('x', an, bn)}, {vec('x', an + bn, cn)}"
            + extra.replace("$e", f"%x{an + bn + cn}") + ";")
    return Form(spelling, [a, b, c, *x_extra], d_count, text, classes=classes)


def mma_forms():
    sync = "mma.sync.aligned"
    for alayout, blayout in itertools.product(("row", "col"), repeat=2):
        for d, c in (("f16", "f16"), ("f32", "f16"), ("f32", "f32")):
            yield mma(f"{sync}.m8n8k4.{alayout}.{blayout}.{d}.f16.f16.{c}", ("f16", 2), ("f16", 2),
                      ("c:" + c, 4 if c == "f16" else 8), 4 if d == "f16" else 8)
    for k, an, bn in ((8, 2, 1), (16, 4, 2)):
        for d in ("f16", "f32"):
            n = 2 if d == "f16" else 4
            yield mma(f"{sync}.m16n8k{k}.row.col.{d}.f16.f16.{d}", ("f16", an), ("f16", bn), ("c:" + d, n), n)
        yield mma(f"{sync}.m16n8k{k}.row.col.f32.bf16.bf16.f32", ("bf16", an), ("bf16", bn), ("c:f32", 4), 4)
    for k, an, bn in ((4, 2, 1), (8, 4, 2)):
        yield mma(f"{sync}.m16n8k{k}.row.col.f32.tf32.tf32.f32", ("tf32", an), ("tf32", bn), ("c:f32", 4), 4)
    for k, an, bn in ((16, 2, 1), (32, 4, 2)):
        for at, bt in itertools.product(("e4m3", "e5m2"), repeat=2):
            for d in ("f16", "f32"):
                n = 2 if d == "f16" else 4
                yield mma(f"{sync}.m16n8k{k}.row.col.{d}.{at}.{bt}.{d}", (at, an), (bt, bn), ("c:" + d, n), n)
    for shape, an, bn, cn in (("m8n8k4", 1, 1, 2), ("m16n8k4", 2, 1, 4), ("m16n8k8", 4, 2, 4), ("m16n8k16", 8, 4, 4)):
        for rnd in ("", ".rn", ".rz", ".rm", ".rp"):
            yield mma(f"{sync}.{shape}.row.col{rnd}.f64.f64.f64.f64", ("f64", an), ("f64", bn), ("c:f64", cn), cn)
    for types, shapes in ((("u8", "s8"), (("m8n8k16", 1, 1, 2), ("m16n8k16", 2, 1, 4), ("m16n8k32", 4, 2, 4))),
                          (("u4", "s4"), (("m8n8k32", 1, 1, 2), ("m16n8k32", 2, 1, 4), ("m16n8k64", 4, 2, 4)))):
        for (shape, an, bn, cn), at, bt, sat in itertools.product(shapes, types, types, ("", ".satfinite")):
            yield mma(f"{sync}.{shape}.row.col{sat}.s32.{at}.{bt}.s32", ("b32", an), ("b32", bn), ("s32", cn), cn,
                      classes=INTEGER)
    for (shape, an, bn, cn), op in itertools.product((("m8n8k128", 1, 1, 2), ("m16n8k128", 2, 1, 4), ("m16n8k256", 4, 2, 4)),
                                                     ("xor", "and")):
        yield mma(f"{sync}.{shape}.row.col.s32.b1.b1.s32.{op}.popc", ("b32", an), ("b32", bn), ("s32", cn), cn,
                  classes=INTEGER)


def sparse_forms():
    for variant in ("sp", "sp::ordered_metadata"):
        sync = f"mma.{variant}.sync.aligned"

        def both(spelling, a, b, c, n, selectors, meta="meta", classes=FLOAT):
            for f in range(selectors):
                form = mma(f"{sync}.{spelling}", a, b, c, n, f", $e, {f}", [(meta, 1)], classes)
                form.name += f" {f}"
                yield form
        for k, n, selectors in ((16, 2, 4), (32, 4, 2)):
            for d in ("f16", "f32"):
                m = 2 if d == "f16" else 4
                yield from both(f"m16n8k{k}.row.col.{d}.f16.f16.{d}", ("f16", n), ("f16", n), ("c:" + d, m), m, selectors)
            yield from both(f"m16n8k{k}.row.col.f32.bf16.bf16.f32", ("bf16", n), ("bf16", n), ("c:f32", 4), 4, selectors)
        for k, n, selectors in ((8, 2, 4), (16, 4, 2)):
            yield from both(f"m16n8k{k}.row.col.f32.tf32.tf32.f32", ("tf32", n), ("tf32", n), ("c:f32", 4), 4, selectors, "meta1")
        for at, bt in itertools.product(("e4m3", "e5m2"), repeat=2):
            yield from both(f"m16n8k64.row.col.f32.{at}.{bt}.f32", (at, 4), (bt, 4), ("c:f32", 4), 4, 1)
        for (k, n, selectors), at, bt, sat in itertools.product(((32, 2, 2), (64, 4, 1)), ("u8", "s8"), ("u8", "s8"), ("", ".satfinite")):
            yield from both(f"m16n8k{k}.row.col{sat}.s32.{at}.{bt}.s32", ("b32", n), ("b32", n), ("s32", 4), 4, selectors,
                            classes=INTEGER)
        for (k, n, selectors), at, bt, sat in itertools.product(((64, 2, 2), (128, 4, 1)), ("u4", "s4"), ("u4", "s4"), ("", ".satfinite")):
            yield from both(f"m16n8k{k}.row.col{sat}.s32.{at}.{bt}.s32", ("b32", n), ("b32", n), ("s32", 4), 4, selectors,
                            classes=INTEGER)


ROWS = "mov.u32 %a0, %laneid; mul.lo.u32 %a0, %a0, 7; and.b32 %a0, %a0, 31; shl.b32 %a0, %a0, 5; mov.u32 %a1, s; add.u32 %a0, %a0, %a1; "


def move_forms():
    for n, trans in itertools.product((1, 2, 4), ("", ".trans")):
        yield Form(f"ldmatrix.x{n}{trans}", [], n, ROWS + f"ldmatrix.sync.aligned.m8n8.x{n}{trans}.shared.b16 {vec('y', 0, n)}, [%a0];",
                   s=[("b32", 256)], classes=[0])
        yield Form(f"stmatrix.x{n}{trans}", [("b32", n)], 0,
                   ROWS + f"stmatrix.sync.aligned.m8n8.x{n}{trans}.shared.b16 [%a0], {vec('x', 0, n)};", s=[("b32", 256)], dump=True,
                   classes=[0])
    yield Form("movmatrix", [("b32", 1)], 1, "movmatrix.sync.aligned.m8n8.trans.b16 %y0, %x0;", classes=[0])


def wmma(shape, at, bt, ct, dt, regs, types, alayout, blayout, clayout, sizes, sat="", rnd="", classes=FLOAT, op=""):
    """Loads a, b and c from s (a at 0, b at 2048, c at 4096), keeps the fragments, multiplies, stores d at 6144."""
    an, bn, cn, dn = regs
    wide = ct == "f64"
    letter = "Y" if wide else "y"
    m, n, k = (int(x) for x in shape[1:].replace("n", " ").replace("k", " ").split())
    lda = (k if alayout == "row" else m) + sizes[0]
    ldb = (n if blayout == "row" else k) + sizes[1]
    ldc = (n if clayout == "row" else m) + sizes[2]
    ldd = (n if clayout == "row" else m) + sizes[3]
    fa, fb, fc = vec(letter, 0, an), vec(letter, an, bn), vec(letter, an + bn, cn)
    fd = vec(letter, an + bn + cn, dn)
    body = "mov.u32 %a0, s; add.u32 %a1, %a0, 2048; add.u32 %a2, %a0, 4096; add.u32 %a3, %a0, 6144; "
    body += f"wmma.load.a.sync.aligned.{alayout}.{shape}.shared.{at} {fa}, [%a0], {lda}; "
    body += f"wmma.load.b.sync.aligned.{blayout}.{shape}.shared.{bt} {fb}, [%a1], {ldb}; "
    body += f"wmma.load.c.sync.aligned.{clayout}.{shape}.shared.{ct} {fc}, [%a2], {ldc}; "
    spelled = f"{dt}.{ct}" if types == "f16" else f"{dt}.{at}.{bt}.{ct}"
    body += f"wmma.mma{op}.sync.aligned.{alayout}.{blayout}.{shape}{rnd}.{spelled}{sat} {fd}, {fa}, {fb}, {fc}; "
    body += f"wmma.store.d.sync.aligned.{clayout}.{shape}.shared.{dt} [%a3], {fd}, {ldd};"
    kind = {"f16": "f16", "bf16": "bf16", "tf32": "tf32", "f64": "f64"}
    ak, bk = kind.get(at, "b32"), kind.get(bt, "b32")
    ck = "s32" if ct == "s32" else "c:" + ct
    half = 2 if wide else 1
    total = an + bn + cn + dn
    return Form(f"wmma {alayout}.{blayout}.{clayout}.{shape}{op}{rnd}.{spelled}{sat}", [], 0 if wide else total, body,
                s=[(ak, 512 // half), (bk, 512 // half), (ck, 512 // half), ("b32", 512)], dump=True,
                wide_y=total if wide else 0, classes=classes)


def wmma_forms():
    layouts = list(itertools.product(("row", "col"), repeat=3))
    for shape in ("m16n16k16", "m8n32k16", "m32n8k16"):
        for i, (dt, ct) in enumerate(itertools.product(("f16", "f32"), repeat=2)):
            for a, b, c in layouts if i == 0 or i == 3 else layouts[1:3]:
                yield wmma(shape, "f16", "f16", ct, dt, (8, 8, 4 if ct == "f16" else 8, 4 if dt == "f16" else 8), "f16", a, b, c, (8, 16, 8, 8),
                           classes=FLOAT if (a, b, c) == ("row", "col", "row") else [0])
        regs = {"m16n16k16": (4, 4, 8, 8), "m8n32k16": (2, 8, 8, 8), "m32n8k16": (8, 2, 8, 8)}[shape]
        for a, b, c in layouts:
            yield wmma(shape, "bf16", "bf16", "f32", "f32", regs, "bf16", a, b, c, (8, 16, 4, 8),
                       classes=FLOAT if (a, b, c) == ("row", "col", "row") else [0])
        regs = {"m16n16k16": (2, 2, 8, 8), "m8n32k16": (1, 4, 8, 8), "m32n8k16": (4, 1, 8, 8)}[shape]
        for (a, b, c), t, sat in itertools.product(layouts, ("u8", "s8"), ("", ".satfinite")):
            yield wmma(shape, t, t, "s32", "s32", regs, "int", a, b, c, (16, 32, 4, 8), sat=sat, classes=INTEGER)
    for a, b, c in layouts:
        yield wmma("m16n16k8", "tf32", "tf32", "f32", "f32", (4, 4, 8, 8), "tf32", a, b, c, (4, 8, 4, 8),
                   classes=FLOAT if (a, b, c) == ("row", "col", "row") else [0])
        for rnd in ("", ".rn", ".rz", ".rm", ".rp"):
            yield wmma("m8n8k4", "f64", "f64", "f64", "f64", (1, 1, 2, 2), "f64", a, b, c, (2, 4, 2, 4), rnd=rnd,
                       classes=FLOAT if rnd and (a, b, c) == ("row", "col", "row") else [0])
    for t, c, sat in itertools.product(("u4", "s4"), ("row", "col"), ("", ".satfinite")):
        yield wmma("m8n8k32", t, t, "s32", "s32", (1, 1, 2, 2), "int", "row", "col", c, (32, 64, 4, 8), sat=sat, classes=INTEGER)
    for op, c in itertools.product((".xor.popc", ".and.popc"), ("row", "col")):
        yield wmma("m8n8k128", "b1", "b1", "s32", "s32", (1, 1, 2, 2), "int", "row", "col", c, (128, 256, 4, 8), classes=INTEGER, op=op)


def all_forms():
    return [*move_forms(), *mma_forms(), *sparse_forms(), *wmma_forms()]


SHARED = 8192


def kernel(index, form):
    xs = sum(count for _, count in form.x)
    lines = [f".visible .entry k{index}(.param .u64 in, .param .u64 out, .param .u64 mem) {{",
             ".reg .b32 %x<32>; .reg .b32 %y<40>; .reg .b64 %X<32>; .reg .b64 %Y<16>; .reg .b32 %a<8>; .reg .b64 %p<8>; .reg .pred %q;",
             f".shared .align 128 .b8 s[{SHARED}];" if form.s else "",
             "mov.u32 %a7, %tid.x; ld.param.u64 %p0, [in]; ld.param.u64 %p1, [out]; ld.param.u64 %p2, [mem];"]
    item = 8 if form.wide_x else 4
    lines.append(f"mul.wide.u32 %p3, %a7, {item}; add.s64 %p0, %p0, %p3;")
    for i in range(xs):
        register = f"ld.global.b64 %X{i}" if form.wide_x else f"ld.global.b32 %x{i}"
        lines.append(f"{register}, [%p0+{i * 32 * item}];")
    if form.s:
        lines.append("mul.wide.u32 %p3, %a7, 4; add.s64 %p4, %p2, %p3; mov.u32 %a6, s; mad.lo.u32 %a5, %a7, 4, %a6; mov.u32 %a6, 0;")
        lines.append("fill: ld.global.b32 %a4, [%p4]; st.shared.b32 [%a5], %a4; add.s64 %p4, %p4, 128; add.u32 %a5, %a5, 128; "
                     f"add.u32 %a6, %a6, 1; setp.lt.u32 %q, %a6, {SHARED // 128}; @%q bra fill; bar.sync 0;")
    lines.append(form.body)
    item = 8 if form.wide_y else 4
    lines.append(f"mul.wide.u32 %p3, %a7, {item}; add.s64 %p1, %p1, %p3;")
    for i in range(form.y + form.wide_y):
        register = f"%Y{i}" if form.wide_y else f"%y{i}"
        lines.append(f"st.global.b{item * 8} [%p1+{i * 32 * item}], {register};")
    if form.dump:
        lines.append("bar.sync 0; mul.wide.u32 %p3, %a7, 4; add.s64 %p4, %p2, %p3; mov.u32 %a6, s; mad.lo.u32 %a5, %a7, 4, %a6; mov.u32 %a6, 0;")
        lines.append("spill: ld.shared.b32 %a4, [%a5]; st.global.b32 [%p4], %a4; add.s64 %p4, %p4, 128; add.u32 %a5, %a5, 128; "
                     f"add.u32 %a6, %a6, 1; setp.lt.u32 %q, %a6, {SHARED // 128}; @%q bra spill;")
    lines.append("ret;\n}")
    return "\n".join(lines)


HEADER = ".version 9.0\n.target sm_90a\n.address_size 64\n"


def build(folder):
    folder.mkdir(parents=True, exist_ok=True)
    forms = all_forms()
    chunk = 40
    for first in range(0, len(forms), chunk):
        ptx = folder / f"m{first // chunk}.ptx"
        ptx.write_text(HEADER + "\n".join(kernel(i, forms[i]) for i in range(first, min(first + chunk, len(forms)))))
        subprocess.run(["ptxas", "-arch=sm_90a", str(ptx), "-o", str(ptx.with_suffix(".cubin"))], check=True)
    print(len(forms), "forms,", sum(len(f.classes) for f in forms), "cases")


def registers(form, cls, seed):
    """The input registers (by register, then lane) and the words of s."""
    stream = Stream(seed)
    x = [[word(kind, cls, stream) for _ in range(32)] for kind, count in form.x for _ in range(count)]
    memory = []
    for kind, count in form.s:
        for _ in range(count):
            value = word(kind, cls, stream)
            memory += [value & 0xFFFFFFFF, value >> 32] if kind.endswith("f64") else [value]
    return x, memory


def fnv(words):
    h = 0xCBF29CE484222325
    for w in words:
        h = ((h ^ w) * 0x100000001B3) & MASK
    return h


class Driver:
    def __init__(self):
        self.lib = ctypes.CDLL("libcuda.so.1")
        self("cuInit", 0)
        device, self.context = ctypes.c_int(), ctypes.c_void_p()
        self("cuDeviceGet", ctypes.byref(device), 0)
        self("cuDevicePrimaryCtxRetain", ctypes.byref(self.context), device)
        self("cuCtxSetCurrent", self.context)
        name, version = ctypes.create_string_buffer(100), ctypes.c_int()
        self("cuDeviceGetName", name, 100, device)
        self("cuDriverGetVersion", ctypes.byref(version))
        self.title = f"{name.value.decode()}, driver {version.value}"

    def __call__(self, name, *args):
        status = getattr(self.lib, name)(*args)
        if status:
            raise RuntimeError(f"{name}: {status}")

    def alloc(self, size):
        address = ctypes.c_uint64()
        self("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(size))
        return address


def run(folder, out, with_words):
    driver = Driver()
    forms = all_forms()
    size = 64 * 32 * 8
    buffers = [driver.alloc(size), driver.alloc(size), driver.alloc(SHARED)]
    modules = {}
    chunk = 40
    with open(out, "w") as file:
        file.write(f"# {driver.title}; PTX 9.0, sm_90a; written by tools/hardware/matrix_vectors.py\n")
        for index, form in enumerate(forms):
            part = index // chunk
            if part not in modules:
                modules[part] = ctypes.c_void_p()
                image = (folder / f"m{part}.cubin").read_bytes()
                driver("cuModuleLoadData", ctypes.byref(modules[part]), image)
            function = ctypes.c_void_p()
            driver("cuModuleGetFunction", ctypes.byref(function), modules[part], f"k{index}".encode())
            file.write(form.spec())
            for cls in form.classes:
                seed = index * 16 + cls + 1
                x, memory = registers(form, cls, seed)
                raw = b"".join(v.to_bytes(8 if form.wide_x else 4, "little") for r in x for v in r)
                host = [raw.ljust(size, b"\0"), bytes(size), b"".join(w.to_bytes(4, "little") for w in memory).ljust(SHARED, b"\0")]
                for buffer, data in zip(buffers, host):
                    driver("cuMemcpyHtoD_v2", buffer, data, ctypes.c_size_t(len(data)))
                args = (ctypes.c_void_p * 3)(*[ctypes.cast(ctypes.byref(b), ctypes.c_void_p) for b in buffers])
                driver("cuLaunchKernel", function, 1, 1, 1, 32, 1, 1, 0, None, args, None)
                driver("cuCtxSynchronize")
                back = ctypes.create_string_buffer(size)
                driver("cuMemcpyDtoH_v2", back, buffers[1], ctypes.c_size_t(size))
                item = 8 if form.wide_y else 4
                count = (form.y + form.wide_y) * 32
                words = [int.from_bytes(back.raw[i * item:(i + 1) * item], "little") for i in range(count)]
                text = f"{fnv(words):016x}"
                if with_words:
                    text += " " + "".join(f"{w:0{item * 2}x}" for w in words)
                if form.dump:
                    spilled = ctypes.create_string_buffer(SHARED)
                    driver("cuMemcpyDtoH_v2", spilled, buffers[2], ctypes.c_size_t(SHARED))
                    dumped = [int.from_bytes(spilled.raw[i * 4:i * 4 + 4], "little") for i in range(SHARED // 4)]
                    text += f" {fnv(dumped):016x}"
                file.write(f"case {cls} {seed} {text}\n")


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["build", folder]: build(Path(folder))
        case ["run", folder, out]: run(Path(folder), out, False)
        case ["run", folder, out, "words"]: run(Path(folder), out, True)
        case ["list"]: print("\n".join(form.name for form in all_forms()))
        case _: sys.exit(__doc__)

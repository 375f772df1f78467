"""Operands for hardware vectors: edges of every type, halfway cases of every rounding, and random ones.

`operands(form)` gives the name of a set of operands and a function that makes it: a list of tuples of bit patterns, one
value for each operand that the form reads. Forms with the same set share one list in the files of vectors. Everything
comes from seeded generators, so the same table gives the same operands.
"""
import random
import struct
from fractions import Fraction

# Precision (with the hidden bit), exponent of the least normal number, exponent of the largest, width in bits.
FORMATS = {
    "f64": (53, -1022, 1023, 64), "f32": (24, -126, 127, 32), "tf32": (11, -126, 127, 32), "bf16": (8, -126, 127, 16),
    "f16": (11, -14, 15, 16), "e5m2": (3, -14, 15, 8), "e4m3": (4, -6, 8, 8), "e2m3": (4, 0, 2, 8), "e3m2": (3, -2, 4, 8),
    "e2m1": (2, 0, 2, 4), "ue8m0": (1, -127, 127, 8),
}
WIDTHS = {"pred": 1, "f16x2": 32, "bf16x2": 32, "f32x2": 64, "u16x2": 32, "s16x2": 32, "e4m3x2": 16, "e5m2x2": 16}


def width(kind):
    if kind in WIDTHS:
        return WIDTHS[kind]
    if kind in FORMATS:
        return FORMATS[kind][3]
    return element_width(kind)


def element_width(kind):
    """ "e2m1x4" or "u32": the digits behind the letters, times the number of elements."""
    if "x" in kind and kind.rsplit("x", 1)[0] in FORMATS:
        name, count = kind.rsplit("x", 1)
        bits = {"e2m3": 8, "e3m2": 8}.get(name, FORMATS[name][3])
        return bits * int(count)
    return int("".join(c for c in kind if c.isdigit()))


def split_packed(kind):
    """(element, count) of a packed type, (kind, 1) of another."""
    if "x" in kind:
        name, count = kind.rsplit("x", 1)
        return name, int(count)
    return kind, 1


# ---- floating-point patterns ------------------------------------------------------------------------------------

def infinity(kind):
    return (1 << (FORMATS[kind][3] - 1)) - (1 << fraction_bits(kind))


def fraction_bits(kind):
    p, _, _, w = FORMATS[kind]
    return 23 if kind == "tf32" else p - 1


def nearest_below(kind, value):
    """The pattern of the largest number of the format that is at most `value` > 0, value in range."""
    stored = fraction_bits(kind)
    _, emin, _, _ = FORMATS[kind]
    exponent = emin
    while Fraction(2) ** (exponent + 1) <= value:
        exponent += 1
    scaled = value / Fraction(2) ** (exponent - stored)
    pattern = int(scaled)  # with the hidden bit if it is normal
    return pattern + ((exponent - emin) << stored)


def float_edges(kind):
    _, _, _, w = FORMATS[kind]
    stored, inf, sign = fraction_bits(kind), infinity(kind), 1 << (w - 1)
    one = nearest_below(kind, Fraction(1))
    half = 1 << (stored - 1)  # the quiet bit
    positive = [0, 1, (1 << stored) - 1, 1 << stored, (1 << stored) + 1, one - 1, one, one + 1, one + half, nearest_below(kind, Fraction(2)),
                nearest_below(kind, Fraction(1, 2)), inf - 1, inf, inf | half, inf | 1, inf | half | 5, nearest_below(kind, Fraction(3))]
    return positive, [x | sign for x in positive]


CORE = [0, 1, 2, 3, 6, 7, 8, 11, 12, 13, 14]  # of `positive`


def random_float(rng, kind, low=None, high=None):
    """A random number of the format, its exponent uniform in [low, high]."""
    p, emin, emax, w = FORMATS[kind]
    stored = fraction_bits(kind)
    exponent = rng.randint(emin if low is None else max(low, emin), emax if high is None else min(high, emax))
    return rng.getrandbits(1) << (w - 1) | (exponent - emin + 1) << stored | rng.getrandbits(stored)


def decode(kind, pattern):
    """The value of a finite pattern."""
    p, emin, _, w = FORMATS[kind]
    stored = fraction_bits(kind)
    exponent = (pattern & ~(1 << (w - 1))) >> stored
    fraction = pattern & ((1 << stored) - 1)
    magnitude = Fraction(fraction + ((1 << stored) if exponent else 0)) * Fraction(2) ** (emin + max(exponent - 1, 0) - stored)
    return -magnitude if pattern >> (w - 1) else magnitude


def encode32(value):
    return struct.unpack("<I", struct.pack("<f", value))[0]


def encode64(value):
    return struct.unpack("<Q", struct.pack("<d", value))[0]


def encode(kind, value):
    """A Python float rounded towards zero into the format."""
    sign = 1 << (FORMATS[kind][3] - 1) if value < 0 else 0
    return nearest_below(kind, abs(Fraction(value))) | sign if value else sign


def halfway(rng, source, target, count):
    """Patterns of `source` at and beside the middle of two neighbours of the narrower `target`."""
    p, emin, emax, _ = FORMATS[target]
    result = []
    for i in range(count):
        exponent = rng.randint(max(emin - 1, FORMATS[source][1]), min(emax, FORMATS[source][2] - 1))
        if i == 0:
            exponent = emax  # the largest number and what would be next
        step = Fraction(2) ** (max(exponent, emin) - (p - 1))
        lower = Fraction(2) ** exponent + step * rng.randrange(1 << (p - 1)) if exponent >= emin else step * rng.randrange(1 << (p - 1))
        if i == 0:
            lower = Fraction(2) ** (emax + 1) - step
        if i == 1:
            lower = Fraction(0)  # half the least subnormal number
        middle = nearest_below(source, lower + step / 2)
        sign = rng.getrandbits(1) << (FORMATS[source][3] - 1)
        result += [x | sign for x in (middle, middle + 1, max(middle - 1, 0))]
    return result


# ---- by type ----------------------------------------------------------------------------------------------------

def int_edges(w):
    top = (1 << w) - 1
    values = [0, 1, 2, 3, top, top - 1, top >> 1, (top >> 1) + 1, (top >> 1) - 1, (top >> 1) + 2, top // 3, top // 3 * 2, 1 << (w // 2),
              (1 << (w // 2)) - 1, top ^ ((1 << (w // 2)) - 1)]
    return values


def edges(kind):
    element, count = split_packed(kind)
    if count > 1 and element in FORMATS | {"u16": 0, "s16": 0}:
        one = edges(element)
        w = width(kind) // count
        return [sum(one[(i * (3 + k) + k) % len(one)] << (k * w) for k in range(count)) for i in range(len(one))]
    if kind == "pred":
        return [0, 1]
    if kind in FORMATS:
        positive, negative = float_edges(kind)
        return [x for pair in zip(positive, negative) for x in pair]
    return int_edges(width(kind))


def core(kind):
    element, count = split_packed(kind)
    if count == 1 and kind in FORMATS:
        positive, negative = float_edges(kind)
        return [positive[i] for i in CORE] + [negative[i] for i in (0, 2, 6, 11, 12)]
    return edges(kind)


def random_value(rng, kind):
    element, count = split_packed(kind)
    if count > 1 and element in FORMATS | {"u16": 0, "s16": 0}:
        w = width(kind) // count
        return sum(random_value(rng, element) << (k * w) for k in range(count))
    if kind == "pred":
        return rng.getrandbits(1)
    if kind in FORMATS and fraction_bits(kind) >= 2:
        if rng.random() < 0.2:
            return rng.getrandbits(width(kind))
        return random_float(rng, kind, -12, 12)
    w = width(kind)
    return rng.getrandbits(rng.choice((w, w, w, max(w // 2, 1), 4))) & ((1 << w) - 1)


def tuples(rng, kinds, edge_count, random_count):
    """Edges against edges (all pairs of two small lists, thinned), then random values."""
    lists = [core(kind) for kind in kinds]
    rows = []
    if len(kinds) == 1:
        rows = [(x,) for x in edges(kinds[0])][:edge_count]
    else:
        for _ in range(edge_count):
            rows.append(tuple(rng.choice(values) for values in lists))
    rows += [tuple(random_value(rng, kind) for kind in kinds) for _ in range(random_count)]
    return rows


def float_binary(rng, kind, count):
    """Sums and products that lie halfway, cancel, overflow and underflow."""
    element, lanes = split_packed(kind)
    p, emin, emax, w = FORMATS[element]
    stored = fraction_bits(element)
    one = nearest_below(element, Fraction(1))
    bias = one >> stored
    sign = 1 << (w - 1)

    def power(e):
        return (e + bias) << stored

    largest = infinity(element) - 1
    least = 1 << stored
    pairs = [(one, power(-p)), (one + 1, power(-p)), (one, power(-p) + 1), (one, power(-p) | sign), (one, (power(-p - 1)) | sign),
             (one | sign, power(-p)), ((one + 1) | sign, power(-p)),
             (largest, power(emax - p)), (largest, power(emax - p) - 1), (largest | sign, power(emax - p) | sign), (largest, largest),
             (one, one | sign), (one + 1, one | sign), (least, least | sign), (least + 1, least | sign), (least, power(-1)),
             (least, one - 1), (least + 1, power(-1)), (least | sign, one - 1), (power(emin), power(-p)), (1, power(-1)), (3, power(-1)),
             (1, one + (one >> 1 & 1)), (power(-(p // 2)) + 1, power(-(p // 2)) + 1), (one + (1 << (stored // 2)), one + (1 << ((stored + 1) // 2))),
             (one + (1 << (stored - 1)), one + 1), (largest, power(1)), (largest, one + 1), (least * 2 - 1, power(-1)), (0, sign), (sign, sign),
             (0, 0), (power(3), power(0) + (1 << (stored - 1))), (one, power(1) + (1 << (stored - 1)))]
    while len(pairs) < count:
        a = random_float(rng, element, -4, 4)
        pairs.append((a, random_float(rng, element, -6, 6)) if rng.random() < 0.7 else (a, a ^ sign ^ rng.getrandbits(3)))
    pairs = pairs[:count]
    if lanes == 1:
        return pairs
    other = pairs[:]
    rng.shuffle(other)
    return [(a | c << w, b | d << w) for (a, b), (c, d) in zip(pairs, other)]


def float_ternary(rng, kind, count):
    rows = []
    element, lanes = split_packed(kind)
    p, _, _, w = FORMATS[element]
    sign = ((1 << (w - 1)) * (1 + (1 << w if lanes == 2 else 0)))
    for a, b in float_binary(rng, kind, count):
        choice = rng.randrange(4)
        if choice == 0:
            c = b ^ sign
        elif choice == 1:
            c = rng.choice(core(kind))
        else:
            c = random_value(rng, kind)
        rows.append((a, b, c))
    one = nearest_below(element, Fraction(1))
    if lanes == 1:
        rows += [(one + 1, one - 1, one | sign), (one + 1, one + 1, (one + 2) | sign), (0, one, sign), (sign, one, 0), (sign, one, sign),
                 (infinity(element), 0, one), (infinity(element), one, infinity(element) | sign)]
    return rows


SHIFTS = [0, 1, 7, 8, 15, 16, 17, 31, 32, 33, 47, 63, 64, 65, 127, 128, 255, 256, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF]


# ---- sets by instruction ----------------------------------------------------------------------------------------

def unary_float_to(rng, kind):
    """For conversions: edges, halfway cases to every narrower format and to integers, random."""
    rows = list(edges(kind))
    p, emin, emax, w = FORMATS[kind]
    for target, (tp, temin, temax, _) in FORMATS.items():
        if tp < p and target not in ("e2m3", "e3m2", "ue8m0") and temax <= emax:
            rows += halfway(rng, kind, target, 5 if p > 11 else 3)
    for e in (7, 8, 15, 16, 31, 32, 63, 64):
        if e <= emax:
            one = nearest_below(kind, Fraction(2) ** e)
            rows += [one, one - 1, one | 1 << (w - 1), (one + 1) | 1 << (w - 1)]
    for x in (Fraction(1, 2), Fraction(3, 2), Fraction(5, 2), Fraction(7, 2), Fraction(255, 2), Fraction(511, 2), Fraction(1, 3), Fraction(99, 100)):
        pattern = nearest_below(kind, x)
        rows += [pattern, pattern | 1 << (w - 1)]
    rows += [random_float(rng, kind, -3, 34) for _ in range(16)]
    return [(x,) for x in dict.fromkeys(rows)]


def ints_for_float(rng, kind):
    w = width(kind)
    top = (1 << w) - 1
    rows = list(int_edges(w))
    for bits in (8, 11, 24, 53):
        for e in (bits, bits + 1, bits + 5, w - 2, w - 1):
            if bits <= e < w:
                ulp = 1 << (e - bits + 1)
                for k in (rng.getrandbits(bits - 1) & ~1, rng.getrandbits(bits - 1) | 1, (1 << (bits - 1)) - 1):
                    base = (1 << e) + k * ulp
                    rows += [base + ulp // 2, base + ulp // 2 + 1, base + ulp // 2 - 1, -(base + ulp // 2)]
    rows += [65504, 65519, 65520, 65535] + [rng.getrandbits(w) for _ in range(8)]
    rows = list(dict.fromkeys(x & top for x in rows))
    return [(x,) for x in rows[:72]]


def approximate(rng, mnemonic, kind, count):
    element, lanes = split_packed(kind)

    def one():
        if mnemonic == "ex2":
            span = 24 if element == "f16" else 150
            return encode(element, rng.uniform(-span, 16 if element == "f16" else 129) if rng.random() < 0.5 else rng.uniform(-2, 2))
        if mnemonic == "tanh":
            return encode(element, rng.choice((-1, 1)) * 2.0 ** rng.uniform(-12, 4))
        if mnemonic in ("sin", "cos"):
            return encode(element, rng.uniform(-7, 7) if rng.random() < 0.8 else rng.choice((-1, 1)) * 2.0 ** rng.uniform(-20, 15))
        if mnemonic == "lg2":
            return encode(element, rng.uniform(0.5, 2) if rng.random() < 0.5 else 2.0 ** rng.uniform(-126, 127))
        if mnemonic in ("sqrt", "rsqrt"):
            return random_value_positive(rng, element)
        low, high = FORMATS[element][1], FORMATS[element][2]
        return random_float(rng, element, low, high) if rng.random() < 0.5 else random_float(rng, element, -2, 2)

    rows = [(x,) for x in edges(kind)]
    if element == "f32":
        near = [0x3F7FFFFE, 0x3F800002, 0x42FC0000, 0x42FE0000, 0x42FFFFFF, 0x43000000, 0xC2FC0000, 0xC2FC0001, 0xC3140000, 0xC3150000, 0xC3160000,
                0x40490FDB, 0x3FC90FDB, 0x40C90FDB, 0x4B000000, 0x7E800000, 0x7E800001, 0x7F000000, 0xFF000001, 0x00400000, 0x00200000]
        rows += [(x,) for x in near]
    w = FORMATS[element][3]
    while len(rows) < count:
        rows.append((sum(one() << (k * w) for k in range(lanes)),))
    return rows


def random_value_positive(rng, kind):
    value = random_float(rng, kind) if rng.random() < 0.5 else random_float(rng, kind, -2, 2)
    return value & ~(1 << (FORMATS[kind][3] - 1))


def selectors(rng, mode):
    rows = []
    for v in range(16):
        c = v | ((v + 5) & 15) << 4 | ((v + 10) & 15) << 8 | ((v + 15) & 15) << 12
        rows.append((rng.getrandbits(32), rng.getrandbits(32), c if mode == "" else v))
    for _ in range(32):
        rows.append((rng.getrandbits(32), rng.getrandbits(32), rng.getrandbits(32)))
    return rows


# ---- warps ------------------------------------------------------------------------------------------------------

FULL = 0xFFFFFFFF


def masks(rng):
    """One mask a lane, consistent: the lanes of a mask have that mask."""
    choice = rng.randrange(4)
    if choice == 0:
        return [FULL] * 32
    if choice == 1:
        return [0x0000FFFF] * 16 + [0xFFFF0000] * 16
    if choice == 2:
        mask = rng.getrandbits(32) | 1 << rng.randrange(32)
        return [mask] * 32
    low = rng.getrandbits(32) & 0x0F0F0F0F | 1
    high = rng.getrandbits(32) & 0xF0F0F0F0 | 1 << 31
    return [high if high >> lane & 1 else low for lane in range(32)]


def shuffle_rows(rng, mode, warps):
    rows = []
    for i in range(warps):
        bits = rng.randrange(6)  # segments of 2^bits lanes
        halves = i % 4 == 3
        if halves:
            bits = min(bits, 4)
        segment = (32 - (1 << bits)) << 8
        clamp = 0 if mode == "up" else 31
        if i % 5 == 4 and not halves:
            clamp = rng.randrange(32)
        uniform = rng.randrange(64) if i % 2 else None
        mask = ([0x0000FFFF] * 16 + [0xFFFF0000] * 16) if halves and i % 8 == 3 else [0x0000FFFF] * 32 if halves else [FULL] * 32
        for lane in range(32):
            b = uniform if uniform is not None else rng.randrange(32)
            if halves and mode in ("bfly", "down", "up"):
                b &= 15
            rows.append((rng.getrandbits(32), b, segment | clamp | (rng.getrandbits(3) << 5 if i % 3 == 0 else 0), mask[lane]))
    return rows


def warp_rows(rng, form, warps):
    kinds = form.kinds
    if form.mnemonic == "shfl":
        return shuffle_rows(rng, next(m for m in form.modifiers if m in ("up", "down", "bfly", "idx")), warps)
    rows = []
    for i in range(warps):
        mask = masks(rng)
        few = [random_value(rng, kinds[0]) for _ in range(rng.choice((1, 2, 4)))]
        for lane in range(32):
            if form.mnemonic in ("match", "vote") and i % 4 != 3:
                value = rng.choice(few)
            else:
                value = rng.choice(core(kinds[0])) if i % 3 == 0 else random_value(rng, kinds[0])
            rows.append(((value, mask[lane]) if len(kinds) == 2 else (mask[lane],)))
    return rows


# ---- the choice -------------------------------------------------------------------------------------------------

def operands(form):
    """(name of the set, function that makes its rows)."""
    kinds, names, mnemonic = form.kinds, form.names, form.mnemonic
    label = "_".join(kinds)

    def made(name, make):
        return name, lambda: make(random.Random("racer " + name))

    if form.effect == "warp":
        name = "_".join([mnemonic] + [m for m in form.modifiers if m in ("up", "down", "bfly", "idx")] + kinds)
        return made(name, lambda rng: warp_rows(rng, form, 20 if mnemonic == "shfl" else 12))
    if form.effect == "memory":
        return made("memory_" + label, lambda rng: memory_rows(rng, kinds))
    if mnemonic in ("set", "setp"):
        return made("compare_" + label, lambda rng: compare_rows(rng, kinds))
    if "carry" in names:
        return made("carry_" + label, lambda rng: [row[:-1] + (i & 1,) for i, row in enumerate(carry_rows(rng, kinds))])
    if "cc" in form.modifiers:
        return made("carry_" + label, lambda rng: carry_rows(rng, kinds))
    if mnemonic in ("shl", "shr", "shf", "szext"):
        def shifts(rng):
            return [tuple(random_value(rng, k) for k in kinds[:-1]) + (s,) for s in SHIFTS for _ in range(2)]
        return made("shift_" + label, shifts)
    if mnemonic == "bmsk":
        return made("bmsk", lambda rng: [(rng.choice(SHIFTS + [3, 5, 30]), rng.choice(SHIFTS + [2, 4, 29])) for _ in range(96)])
    if "pos" in names:
        lengths = [s for s in SHIFTS if s < 256] + [3, 5, 20, 40, 60]  # past 255 the manual leaves the result open
        return made("field_" + label, lambda rng: [tuple(random_value(rng, k) for k in kinds[:-2]) + (rng.choice(lengths), rng.choice(lengths))
                                                   for _ in range(160)])
    if mnemonic == "fns":
        return made("fns", lambda rng: [(rng.choice([rng.getrandbits(32), rng.getrandbits(32) & rng.getrandbits(32), 0, FULL, 1, 1 << 31]), rng.randrange(32),
                                         rng.choice([0, 1, FULL, rng.randrange(34), -rng.randrange(34) & FULL, 0x7FFFFFFF, 0x80000000])) for _ in range(160)])
    if mnemonic == "prmt":
        mode = "".join(m for m in form.modifiers if m != "b32")
        return made("prmt_" + (mode and "mode"), lambda rng: selectors(rng, mode))
    if "lut" in names:
        at = names.index("lut")
        def tables(rng):
            rows = []
            for lut in range(256):
                row = [rng.getrandbits(width(k)) for k in kinds]
                row[at] = lut
                rows.append(tuple(row))
            return rows
        return made("lop3_" + label, tables)
    if mnemonic in ("div", "rem") and kinds[0][0] in "us":
        # A zero divisor gives an unspecified result.
        return made("divide_" + label, lambda rng: [(a, b or 3) for a, b in tuples(rng, kinds, 48, 32)])
    if form.fidelity == "bounded":
        if len(kinds) == 1:
            return made(mnemonic + "_" + kinds[0], lambda rng: approximate(rng, mnemonic, kinds[0], 768 if kinds[0] == "f32" else 256))
        return made(mnemonic + "_" + label, lambda rng: tuples(rng, kinds, 64, 96) + float_binary(rng, kinds[0], 96)
                    + [(random_float(rng, "f32"), random_float(rng, "f32")) for _ in range(128)])
    if mnemonic == "cvt" and len(kinds) == 1 and kinds[0][0] == "b" and "x" in form.modifiers[-1]:
        kind = form.modifiers[-1]  # a packed source lies in untyped bits
        return made("cvt_" + kind, lambda rng: convert_packed(rng, kind))
    if mnemonic == "cvt" and len(kinds) == 1:
        if kinds[0] in FORMATS and fraction_bits(kinds[0]) >= 7:
            return made("cvt_" + label, lambda rng: unary_float_to(rng, kinds[0]))
        if kinds[0][0] in "us" and kinds[0] in ("u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64"):
            return made("cvt_" + label, lambda rng: ints_for_float(rng, kinds[0]))
        if width(kinds[0]) <= 16:
            return made("cvt_" + label, lambda rng: narrow_rows(rng, kinds[0]))
    if mnemonic == "cvt":
        return made("cvt_" + label, lambda rng: convert_pairs(rng, kinds))
    floats = [split_packed(k)[0] in FORMATS and fraction_bits(split_packed(k)[0]) >= 7 for k in kinds]
    if len(kinds) == 2 and all(floats) and kinds[0] == kinds[1]:
        return made("float_" + label, lambda rng: tuples(rng, kinds, 40, 8) + float_binary(rng, kinds[0], 56))
    if len(kinds) == 3 and all(floats) and len(set(kinds)) == 1:
        return made("float_" + label, lambda rng: tuples(rng, kinds, 40, 8) + float_ternary(rng, kinds[0], 56))
    if len(kinds) == 1:
        return made("unary_" + label, lambda rng: tuples(rng, kinds, 40, 24))
    return made("tuple_" + label, lambda rng: tuples(rng, kinds, 32, 24))


def convert_packed(rng, kind):
    """Both halves of a packed source go through the rows of its element; narrow elements through all patterns."""
    element, _ = split_packed(kind)
    if width(kind) <= 16:
        return narrow_rows(rng, kind)
    column = [x for x, in unary_float_to(rng, element)]
    other = column[:]
    rng.shuffle(other)
    return [(a | b << width(kind) // 2,) for a, b in zip(column, other)]


def compare_rows(rng, kinds):
    """Few rows (there are thousands of these forms): equal, less, greater, unordered, signed against unsigned."""
    a, b = kinds[0], kinds[1]
    values = core(a)
    rows = [(values[i], values[i]) for i in (0, len(values) - 1)]
    element, lanes = split_packed(a)
    if lanes == 1 and a in FORMATS:
        positive, negative = float_edges(a)
        rows += [(positive[0], negative[0]), (positive[1], positive[0]), (positive[6], positive[7]), (negative[6], positive[6]),
                 (positive[13], positive[6]), (positive[6], negative[14]), (positive[13], positive[13]), (positive[12], negative[12]),
                 (positive[11], positive[12]), (positive[1], negative[2])]
    else:
        rows += [(rng.choice(values), rng.choice(values)) for _ in range(10)]
    rows += [(random_value(rng, a), random_value(rng, b)) for _ in range(2)]
    rows.append((rows[-1][0], rows[-1][0]))
    rows.append((rows[-2][1], rows[-2][0]))
    return [row + tuple((i // 2 + i) & 1 for _ in kinds[2:]) for i, row in enumerate(rows)]


def narrow_rows(rng, kind):
    """All patterns of 8 bits; packed: each beside another."""
    w = width(kind)
    if w <= 8:
        return [(x,) for x in range(1 << w)]
    return [(x | ((x * 7 + 3) & 0xFF) << 8,) for x in range(256)]


def convert_pairs(rng, kinds):
    """Several sources, and random bits for .rs."""
    columns = []
    for kind in kinds:
        if kind in FORMATS and fraction_bits(kind) >= 7:
            column = [x for x, in unary_float_to(rng, kind)]
            rng.shuffle(column)
        else:
            column = list(edges(kind)) + [random_value(rng, kind) for _ in range(24)]
        columns.append(column)
    length = max(len(column) for column in columns)
    return [tuple(column[i % len(column)] for column in columns) for i in range(length)]


def carry_rows(rng, kinds):
    """Sums, differences and products at the ends of the range and one off them."""
    w = width(kinds[0])
    top = (1 << w) - 1
    rows = []
    for a in (0, 1, top, top - 1, top >> 1, (top >> 1) + 1):
        for b in (0, 1, top, top - a, (top - a + 1) & top, a):
            rows.append((a, b))
            rows.append((a, b))
    rows += [(rng.getrandbits(w), rng.getrandbits(w)) for _ in range(24)]
    if len([k for k in kinds if k != "pred"]) == 3:
        rows = [(a, b, c) for a, b in rows for c in (rng.choice((0, 1, top, (-a * b) & top, -(a * b >> w) & top, rng.getrandbits(w))),)]
    return [row + (0,) * (len(kinds) - len(row)) for row in rows]


def memory_rows(rng, kinds):
    """What memory holds, then the operands: compare-and-swap meets its value half of the time, inc and dec meet their bounds."""
    rows = tuples(rng, kinds, 32, 16)
    result = []
    for i, row in enumerate(rows):
        row = list(row)
        if len(row) > 1 and i % 3 == 0:
            row[1] = row[0]
        if len(row) > 1 and i % 9 == 4 and width(kinds[0]) >= 32:
            row[1] = (row[0] - 1) % (1 << width(kinds[1]))
        result.append(tuple(row))
    return result

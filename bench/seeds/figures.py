# SPDX-License-Identifier: MIT
"""The figures and tables of the papers: what is measured for each, how it is drawn, and what the paper says.

A run is arguments of clfold-bench, or "program NAME ARGUMENTS" for a program of tests/examples. {words} in it stand for sizes: the paper's, and those of --quick.
"""
from collections import namedtuple

from rows import beside, best, percent, spread, time_of, times

# what: in words; values: a function of the rows; paper: its number or words, or None where its text has none
Compare = namedtuple("Compare", "what values paper unit", defaults=("×",))
# draw: ("lines", across, down), ("bars", across) or ("heat", pairs of parameters)
Figure = namedtuple("Figure", "name paper title runs draw compare")

PAPERS = {
    "regular": "Clausen (2021), Regular Segmented Single-pass Scan in Futhark",
    "lift": "Pizzuti, Steuwer, Dubach (2022), Generating Work Efficient Scan Implementations for GPUs the Functional "
            "Way",
    "lookback": "dwp992, lsh789 (2023), A Single Pass Scan Using look-back",
    "redomap": "Larsen (2017), Generating Efficient Code for Futhark's Segmented Redomap",
    "costs": "Henriksen (2020), Cost models and advanced Futhark programming",
}


def splits(power, step=1, few=0):
    """All splits of 2^power into segments, from one; from 2^few segments on."""
    return ",".join(f"2^{p}x2^{power - p}" for p in range(few, power + 1, step))


def tens(power, least=0):
    return ",".join(f"10^{power - p}x10^{p}" for p in range(power, least - 1, -1))


SIZES = {  # the paper's, --quick
    "tens": (tens(7), tens(5)),
    "ten": ("10^7", "10^5"),
    "lssp": ("100x10^5", "10x10^4"),
    "ways": ("window,central,two_pass", "window,two_pass"),  # PoCL 3.1 ends while it compiles central of these tuples
    "four_lssp": ("1x10^7,10x10^6,100x10^5,1000x10^4", "1x10^5,10x10^4,100x10^3"),
    "m": ("1:2:3:4:5:6:7:8:9:10:11:12:13:14:15:16:17:18", "3:9:12:15:16"),
    "four_m": ("4:6:9:12:15", "4:6:9:15"),
    "ten_4": (tens(7, 2), "1x10^5,100x10^3,10^4x10"),
    "lift": ("256e5", "2^16"),
    "bs": ("32:64:128:256:512", "32:128:512"),
    "wide_bs": ("64:128:256:512:1024:2048:4096", "64:512:4096"),
    "se": ("0:2:4:8:16", "0:4:16"),
    "wide_se": ("1:2:4:8:16:32", "4:32"),
    "climb": ("points=60", "points=12"),
    "n": ("2^10..2^30:2", "2^10..2^16:3"),
    "n_maps": ("2^10..2^28:2", "2^10..2^16:3"),
    "most": ("2^28", "2^16"),
    "group": ("32:64:128:256:512:1024", "64:256"),
    "items": ("2:4:7:8:10:13:16:20:24:30:32:40", "4:16:30"),
    "small": (splits(20), splits(14, 4)),
    "large": (splits(26), splits(16, 4)),
    "small_many": (splits(20, few=8), splits(14, 4, few=4)),
    "large_many": (splits(26, few=10), splits(16, 4, few=4)),
    "turns": ("--reps 1 --turns 9", "--reps 1 --turns 2"),
    "small_n": ("2^20", "2^14"),
    "large_n": ("2^26", "2^16"),
    "groups": ("1:2:4:8:16:32:64:128:240:256:512:1024:2048:4095", "1:4:16:64"),
    "backprop": ("1048576", "4096"),
    "kmeans": ("494020", "4940"),
    "tpacf": ("487 100", "60 5"),
    "options": ("1048576 16", "4096 9"),
    "mri": ("32768 3072", "300 500"),
    "crystal": ("200 30 5", "60 30 5"),
    "appendix": ("2^10,2^20,2^25", "2^10,2^16"),
    "red": ("10^7", "10^5"),
    "rows_3": ("1000 10000", "10 1000"),
    "rows_2": ("100 100000", "5 2000"),
    "rows_1": ("10 1000000", "1 10000"),
    "points": ("2097152", "4096"),
    "scans": ("2^10..2^26:2", "2^10..2^16:3"),
}

CHOSEN = dict(line="clfold")
SINGLE = dict(variant=("window", "serial", "central"))
SCAN = "segmented_scan --variant auto,window,central,two_pass,propagate"
LSSP = "segmented_scan --variant auto,{ways},propagate --op lssp --segments "
FOUR_LINES = ("window", "serial", "central", "two_pass")
SPLIT_LINES = ("lines", "segment_size", "us")
WAYS = ("", "window", "two_pass", "propagate")
OVER_TWO = "scan-then-propagate over one pass (by the same kind of kernels)"

FIGURES = []


def figure(name, paper, title, runs, draw, *compare):
    FIGURES.append(Figure(name, paper, title, [runs] if isinstance(runs, str) else runs, draw, compare))


# ---- Clausen 2021 ----

figure("regular-fig4", "Figure 4", "time of segmented sums of 10^7 i32, all powers of ten",
       SCAN + " --type i32 --segments {tens}", SPLIT_LINES,
       Compare(OVER_TWO, times(dict(line="propagate"), SINGLE), "2.9 to 4.6"),
       Compare("reduce-then-scan over one pass", times(dict(line="two_pass"), SINGLE), None))
figure("regular-fig5", "Figure 5", "the same as speed",
       SCAN + " --type i32 --segments {tens}", ("lines", "segment_size", "gbps"),
       Compare("clfold, of a copy (the paper: of the card's bandwidth)", percent("copy_us", CHOSEN), "22 to 65", "%"))
figure("regular-fig6", "Figure 6", "radix sort of segments by scans, segments of 10^4 and more",
       [f"program radix_sort {shape} {variant}" for shape in ("{rows_3}", "{rows_2}", "{rows_1}") for variant in WAYS],
       SPLIT_LINES,
       Compare(OVER_TWO, times(dict(line="propagate"), SINGLE), "0.9 to 1.2"))
figure("regular-fig7", "Figure 7", "the same over elements per work-item (m), segments of 10^4",
       ["program radix_sort {rows_3} propagate"] +
       [f"program radix_sort {{rows_3}} window items={m}" for m in range(1, 10)], ("lines", "items", "us"),
       Compare("scan-then-propagate over one pass with the best m",
               times(dict(line="propagate"), dict(line="window")), "2.2"),
       Compare("the best m", best("items", dict(line="window")), "2", ""))
figure("regular-fig8", "Figure 8", "sum of f32 over m",
       "scan --variant window --type f32 --n {ten} --sweep items={m}", ("lines", "items", "us"),
       Compare("the best m", best("items", dict(line="window")), "15", ""),
       Compare("the model's m over the best", lambda rows: model_over_best(rows), None))
FOUR = "segmented_scan --variant window --type {} --segments {{ten_4}} --sweep items={{four_m}}"
figure("regular-fig9", "Figure 9", "segmented sums of four types over m",
       [FOUR.format(kind) for kind in ("i8", "i16", "i32", "i64")], SPLIT_LINES,
       Compare("i64, m of 4 over m of 6", times(dict(type="i64", items=4), dict(type="i64", items=6)), "1.10"),
       Compare("the best m of each type", best("items", dict(line="window")), "12, 12, 9, 6", ""))
for letter, kind, paper in (("a", "i8", "15"), ("b", "i16", "15"), ("c", "i32", "15"), ("d", "i64", "6 to 9")):
    figure(f"regular-fig10{letter}", f"Figure 10{letter}", f"segmented sum of {kind} over m", FOUR.format(kind),
           SPLIT_LINES,
           Compare("the best m of each segment size", best("items", dict(line="window"), ("segment_size",)), paper, ""))
INDEX = "--segments {ten_4} --sweep index64=0:1"
figure("regular-fig11", "Figure 11", "indices of 64 and of 32 bits, four types",
       [f"segmented_scan --variant window --type {kind} {INDEX}" for kind in ("i8", "i16", "i32", "i64")], SPLIT_LINES,
       Compare("64 bits over 32", times(dict(index64=1), dict(index64=0)), "1.2 to 1.4"))
for letter, kind in zip("abcd", ("i8", "i16", "i32", "i64")):
    figure(f"regular-fig12{letter}", f"Figure 12{letter}", f"indices of 64 and of 32 bits, {kind}, four variants",
           f"segmented_scan --variant window,serial,central,two_pass --type {kind} {INDEX}", SPLIT_LINES,
           Compare("64 bits over 32", lambda rows: [ratio for line in FOUR_LINES for ratio in times(
               dict(line=line, index64=1), dict(line=line, index64=0))(rows)], "1.2 to 1.4 (window)"))
figure("regular-table2", "Table 2", "three programs: LSSP, radix sort, k-d tree",
       [LSSP + "{lssp}"] + [f"program radix_sort {{rows_3}} {variant}" for variant in WAYS] +
       ["program kd_tree {points}"], ("bars", "primitive"),
       *[Compare(f"{name}, {over}", times(dict(primitive=primitive, line="propagate"),
                                          dict(under, primitive=primitive)), paper)
         for name, over, primitive, under, paper in (
             ("LSSP", OVER_TWO, "segmented_scan", SINGLE, "1.39 to 2.39"),
             ("radix sort", OVER_TWO, "radix_sort", SINGLE, "1.25 to 2.43"),
             ("k-d tree", OVER_TWO, "kd_tree", dict(line="by scans"), "1.29 to 1.91"),
             ("k-d tree", "scan-then-propagate over one pass that also moves", "kd_tree", dict(line="placed"),
              "1.29 to 1.91"))])
figure("regular-b1", "Appendix B.1", "LSSP of four sets of data", LSSP + "{four_lssp}",
       SPLIT_LINES, Compare(OVER_TWO, times(dict(line="propagate"), SINGLE), "1.39 to 2.39 (100 × 10^5)"))


def model_over_best(rows):
    model = [row for row in rows if row.get("model_items") and f"items={row['model_items']}" == row.get("define")]
    return [min(map(time_of, model)) / min(map(time_of, rows))] if model else []


# ---- Pizzuti, Steuwer, Dubach 2022 ----

SPACE = "composed_scan --variant brent_kung --type f32 --n {lift} --sweep bs={bs},se={se}"
FIXED = dict(primitive="composed_scan", bs=256, se=1)  # what it takes if nothing is said
EXPLORED = dict(line="brent_kung", bf=2)
figure("lift-fig3", "Figure 3", "scans by composition: block size × elements scanned by one work-item",
       SPACE, ("heat", ("bs", "se")), Compare("the best SE", best("se", EXPLORED), "above 4", ""))
figure("lift-fig4", "Figure 4", "end to end: not explored, explored, GPU Gems 3, and ours",
       ["composed_scan --type f32 --n {lift}", SPACE, "scan --type f32 --n {lift} --peer gems39"], ("bars", "best"),
       Compare("GPU Gems 3 over the best that was explored", times(dict(line="gems39"), EXPLORED), "1.5"),
       Compare("not explored over explored", times(FIXED, EXPLORED), None),
       Compare("GPU Gems 3 over clfold", times(dict(line="gems39"), dict(line="clfold", primitive="scan")), None))
figure("lift-wide", "Section 5", "a wider space than the paper's: branching factors of 2, 4, 8; more sizes",
       "composed_scan --variant brent_kung --type f32 --n {lift} --sweep bs={wide_bs},bf=2:4:8,se={wide_se}",
       ("heat", ("bs", "se"), ("bs", "bf")),
       Compare("BF of 2 over the best", times(EXPLORED, dict(line="brent_kung")), None),
       Compare("the best BF", best("bf", dict(line="brent_kung")), None, ""))

MOVES = "composed_search --type f32 --n {lift} --define {climb}"
figure("lift-search", "Section 5", "the language's space, searched: schemes that move the elements 4, 3 and 2 times",
       [MOVES, "scan --type f32 --n {lift} --peer gems39"], ("bars", "best"),
       *[Compare(f"GPU Gems 3 over the best that moves {moves}n",
                 times(dict(line="gems39"), dict(primitive="composed_search", moves=moves)), paper)
         for moves, paper in ((4, "1.5"), (3, None), (2, None))],
       Compare("the best that moves 2n over clfold", times(dict(primitive="composed_search", moves=2),
                                                           dict(line="clfold", primitive="scan")), None))

# ---- dwp992, lsh789 2023 ----

KINDS = (("sequential look-back", "serial"), ("parallel look-back", "window"), ("auxiliary block", "central"))
PLAIN = "scan --type i32 --n {n}"


def three_kinds(group, items):
    return f"scan --variant window,serial,central,two_pass --type i32 --define group={group},items={items} --n {{n}}"


for number, group, items in ((1, 256, 30), (2, 256, 10), (3, 1024, 10)):
    figure(f"lookback-fig{number}", f"Figure {number}", f"three look-backs, groups of {group}, {items} elements each",
           [PLAIN, three_kinds(group, items)], ("lines", "n", "gbps"),
           Compare("clfold, of a plain copying kernel", percent("copy_kernel_us", CHOSEN, largest=True), None, "%"))
figure("lookback-table1", "Table 1", "the three figures' largest size, in per cent of a plain copying kernel",
       [three_kinds(group, items) for group, items in ((256, 30), (256, 10), (1024, 10))], ("bars", "define"),
       *[Compare(f"{words}, groups of {group}, {items} elements", percent(
           "copy_kernel_us", dict(line=line, group=group, items=items), largest=True), paper, "%")
         for (words, line), papers in zip(KINDS, (("71", "34", "61"), ("84", "49", "62"), ("3", "1", "1")))
         for (group, items), paper in zip(((256, 30), (256, 10), (1024, 10)), papers)])
SWEEP = "scan --variant window --type i32 "
figure("lookback-fig4a", "Figure 4a", "group × n, 30 elements each",
       SWEEP + "--n {n_maps} --sweep group={group},items=30", ("heat", ("n", "group")),
       Compare("the best group", best("group", dict(line="window")), "256", ""))
figure("lookback-fig4b", "Figure 4b", "group × elements, the largest n",
       SWEEP + "--n {most} --sweep group={group},items={items}", ("heat", ("items", "group")),
       Compare("the best number of elements", best("items", dict(line="window")), "30", ""))
figure("lookback-fig4c", "Figure 4c", "elements × n, groups of 256",
       SWEEP + "--n {n_maps} --sweep group=256,items={items}", ("heat", ("n", "items")),
       Compare("the best number of elements", best("items", dict(line="window")), "30", ""))
figure("lookback-banks", "Section 5.2", "16 and 32 elements each beside their neighbours, four variants",
       "scan --variant window,serial,central,two_pass --type i32 --n {most} --sweep group=256,items=15:16:17:31:32:33",
       ("lines", "items", "us"),
       Compare("16 over 15 and 17", beside("items", 16, (15, 17), FOUR_LINES), "a collapse"),
       Compare("32 over 31 and 33", beside("items", 32, (31, 33), FOUR_LINES), "a collapse"))

# ---- Larsen 2017 ----

SUMS = "segmented_reduce --type f32 --segments "
LOOP = "segmented_reduce --variant sequential --type f32 --segments "
figure("redomap-fig1.1", "Figure 1.1", "segmented sums of 2^26 f32: a scan, a loop within a map, and one reduction",
       ["segmented_scan --type f32 --segments {large}", LOOP + "{large_many}", "reduce --type f32 --n {large_n}"],
       SPLIT_LINES,
       Compare("a segmented scan over one reduction", times(
           dict(primitive="segmented_scan"), dict(primitive="reduce"), ("n",)), None))
figure("redomap-fig5.4", "Figure 5.4", "segmented sums of 2^26 f32 beside reading and writing as much",
       SUMS + "{large}", ("bound", "segment_size", "read_us", (1.0, 0.5, 0.3, 0.1)),
       Compare("clfold, of reading", percent("read_us", CHOSEN), None, "%"))
for letter, size, power in (("a", "small", 20), ("b", "large", 26)):
    figure(f"redomap-fig5.5{letter}", f"Figure 5.5{letter}", f"one sum of 2^{power} f32 over the number of groups",
           f"reduce --variant large --type f32 --n {{{size}_n}} --sweep groups={{groups}}", ("lines", "groups", "us"),
           Compare("the best number of groups", best("groups", dict(line="large")), "240", ""))


def raw_kernels(size, group):
    return [f"segmented_reduce --variant large,small --type f32 --define group={group} --segments {{{size}}}",
            f"segmented_reduce --variant sequential --type f32 --define group={group} --segments {{{size}_many}}"]


def raw_figure(name, paper, size, group):
    power = 20 if size == "small" else 26
    figure(name, paper, f"large, small and loop in a map, 2^{power} f32, groups of {group}", raw_kernels(size, group),
           SPLIT_LINES, Compare("the best of three, of reading", percent("read_us", {}),
                                "50 and more" if size == "large" else None, "%"))


for name, also, size, group in (("5.6a", 1, "small", 1024), ("5.6b", 4, "small", 128), ("5.7a", 5, "large", 1024),
                                ("5.7b", 8, "large", 128)):
    raw_figure(f"redomap-fig{name}", f"Figures {name}, B.{also}", size, group)
SHAPES = ("lines", "segments", "us")
THIN = "transpose --variant auto,tile,thin --type f32 --segments {large}"
figure("redomap-fig5.8", "Figure 5.8", "transpositions of 2^26 f32 by square tiles alone",
       "transpose --variant tile --type f32 --segments {large}", SHAPES,
       Compare("the slowest shape over the fastest", spread(dict(line="tile")), None))
figure("redomap-fig5.9", "Figure 5.9", "the same with kernels for thin shapes",
       THIN, SHAPES,
       Compare("the slowest shape over the fastest", spread(CHOSEN), None),
       Compare("clfold, of a copy", percent("copy_us", CHOSEN), None, "%"))
BEST = dict(line=("large", "small", "warp", "sequential", "cpu"))
for number, op, words, turns, misses in ((10, "sum", "commutative, the least of nine in turns", " {turns}", (1, 4)),
                                         (11, "ordered", "in order", "", (1, 1))):
    for letter, size, power, missed in zip("ab", ("small", "large"), (20, 26), misses):
        figure(f"redomap-fig5.{number}{letter}", f"Figure 5.{number}{letter}",
               f"the choice between kernels, sum of 2^{power} f32, {words}",
               [f"segmented_reduce --variant {lines} --op {op} --type f32{turns} --segments {{{size}{many}}}"
                for lines, many in (("auto,large,small,warp,cpu", ""), ("sequential", "_many"))], SPLIT_LINES,
               Compare("clfold's choice over the best", times(CHOSEN, BEST),
                       f"1, but for {missed} of {power + 1} splits"))
for number, op, words in ((3, "sum", "commutative"), (4, "ordered", "in order"), (5, "mss", "maximum segment sum")):
    for letter, size, power in (("a", "small", 20), ("b", "large", 26)):
        kind = "" if op == "mss" else " --type f32"
        turned = [THIN] if kind and size == "large" else []  # a loop in a map wants its elements so
        figure(f"redomap-fig6.{number}{letter}", f"Figure 6.{number}{letter}",
               f"beside a segmented scan, a loop in a map, one reduction: 2^{power}, {words}",
               [f"segmented_reduce --op {op}{kind} --segments {{{size}}}",
                f"segmented_scan --op {op}{kind} --segments {{{size}}}",
                f"segmented_reduce --variant sequential --op {op}{kind} --segments {{{size}_many}}",
                f"reduce --op {op}{kind} --n {{{size}_n}}", *turned], SPLIT_LINES,
               Compare("a segmented scan over clfold", times(
                   dict(primitive="segmented_scan"), dict(CHOSEN, primitive="segmented_reduce")), None),
               *[Compare("the transposition for a loop in a map, over clfold", times(
                   dict(CHOSEN, primitive="transpose"), dict(CHOSEN, primitive="segmented_reduce")), None)] * len(turned),
               Compare("clfold over one reduction", times(
                   dict(CHOSEN, primitive="segmented_reduce"), dict(primitive="reduce"), ("n",)), "1"))
PROGRAMS = {"backprop": "backprop", "kmeans": "kmeans", "tpacf": "tpacf", "option_pricing": "options", "mri_q": "mri",
            "crystal": "crystal"}
figure("redomap-fig7.1", "Figures 7.1, 7.2, D.1, D.2", "six programs: a segmented scan, and one reduction, in their place",
       [f"program {program} {{{size}}}" for program, size in PROGRAMS.items()], ("bars", "primitive"),
       Compare("programs by a segmented scan over those by a reduction", times(
           dict(line="by a scan"), dict(line="by a reduction"), ("primitive",)), "1 to 1.39"))
for number, title, program, whole, part in (
        ("7.3", "back-propagation of Rodinia", "backprop", "1.39", "12.5"),
        ("7.4", "k-means of Rodinia", "kmeans", "1.36", "19.1"),
        ("D.5", "TPACF of Parboil", "tpacf", "1.08", None),
        ("D.6", "option pricing of FinPar: the sums of payoffs", "option_pricing", "1", None),
        ("D.7", "MRI-Q of Parboil", "mri_q", "1", None),
        ("D.8", "Crystal of Accelerate", "crystal", "1.61", None)):
    parts = [Compare("the same of the segmented part", times(
        dict(line="by a scan, the part"), dict(line="by a reduction, the part")), part)] if part else []
    figure(f"redomap-fig{number}", f"Figure {number}", title, f"program {program} {{{PROGRAMS[program]}}}", ("bars", "primitive"),
           Compare("the program by a segmented scan over that by a reduction", times(
               dict(line="by a scan"), dict(line="by a reduction")), whole), *parts)
for letter, size, power, paper in (("a", "small", 20, "1 and more"), ("b", "large", 26, "2 to 8")):
    figure(f"redomap-fig8.2{letter}", f"Figure 8.2{letter}", f"beside reductions by key, 2^{power} f32; libraries",
           [f"segmented_reduce --type f32 --segments {{{size}}} --peer all",
            f"reduce_by_keys --type f32 --segments {{{size}}}"],
           SPLIT_LINES, Compare("a reduction by keys over clfold", times(
               dict(primitive="reduce_by_keys"), dict(CHOSEN, primitive="segmented_reduce"), ("segment_size",)), paper))
figure("redomap-appendix-a", "Appendix A", "one sum of f32: two versions in order, NVIDIA's in any order, and clfold's",
       ["reduce --op sum --type f32 --n {appendix} --peer interleaved,by_warps,halves",
        "reduce --op ordered --type f32 --n {appendix}"], ("bars", "n"),
       Compare("version 1 over version 2", times(dict(line="interleaved"), dict(line="by_warps"), ("n",)),
               "1.09 to 2.57"),
       Compare("version 2 over NVIDIA's", times(dict(line="by_warps"), dict(line="halves"), ("n",)), "0.99 to 1.97"),
       Compare("clfold's in order over clfold's", times(
           dict(CHOSEN, op="ordered"), dict(CHOSEN, op="sum"), ("n",)), None),
       Compare("NVIDIA's over clfold's", times(dict(line="halves"), dict(CHOSEN, op="sum"), ("n",)), None))
for number, size, group in ((2, "small", 512), (3, "small", 256), (6, "large", 512), (7, "large", 256)):
    raw_figure(f"redomap-figB.{number}", f"Figure B.{number}", size, group)

# ---- Henriksen 2020 ----

figure("costs-reduce", "Reduction by contraction", "one sum by contraction, and by clfold",
       "reduce --type i32 --n {red} --peer contraction", ("bars", "line"),
       Compare("contraction over clfold", times(dict(line="contraction"), CHOSEN), "17.1"))
figure("costs-scans", "Using scans", "the slides' two scans, and GPU Gems 3, beside one pass",
       "scan --type i32 --n {scans} --peer hillis_steele,blelloch,gems39", ("lines", "n", "us"),
       Compare("Hillis and Steele over clfold", times(dict(line="hillis_steele"), CHOSEN), None),
       Compare("Blelloch over clfold", times(dict(line="blelloch"), CHOSEN), None))
figure("costs-radix", "Radix sort", "a sort of 32 bits, and one step of a bit by a stable partition",
       "sort split --type u32 --n {red}", ("bars", "primitive"),
       Compare("32 steps of a bit over clfold's sort", lambda rows: [32 * ratio for ratio in times(
           dict(primitive="split"), dict(primitive="sort"))(rows)], None))

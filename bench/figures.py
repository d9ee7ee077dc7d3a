#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The tables of README.md and src/manual/performance.md, from the rows of one run.

    figures.py FIGURES.json            prints them
    figures.py FIGURES.json --write    puts them in the place of those that are there
    figures.py FIGURES.json --check    exit status 1 where those that are there say something else

FIGURES.json is what bench/figures.sh leaves. A table is the first one below its heading; a heading that names CUB's
version gets that of the rows. Times are medians. "×" is the other library's time divided by ours.
"""
import argparse
import json
import os
import re
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
SPLITS = [(2**26 >> power, 2**power) for power in (0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26)]


def arrays(label, primitive, kind, powers, op=None, bins=None):
    op = op or {"scan": "sum", "reduce": "sum", "histogram": "count"}.get(primitive)
    return [(label, dict(primitive=primitive, type=kind, segments=1, segment_size=2**power, op=op, bins=bins))
            for power in powers]


def rows_of(label, primitive, kind, shapes):
    return [(f"{label}, {size_label(count)} {'rows' if count > 1 else 'row'} of {size_label(size)}",
             dict(primitive=primitive, type=kind, segments=count, segment_size=size, op=None, bins=None))
            for count, size in shapes]


def size_label(n):
    return f"2^{n.bit_length() - 1}" if n >= 1024 and n & (n - 1) == 0 else "10^4" if n == 10000 else str(n)


def all_lines():
    small = (10, 12, 14, 16, 18, 20)
    lines = []
    for kind, powers in (("i8", (28,)), ("i16", (28,)), ("i32", (28, 24) + small[::-1]), ("f32", (28,)), ("i64", (27,)),
                         ("f64", (27,))):
        lines += arrays(f"scan, {kind}", "scan", kind, powers)
    lines += arrays("scan of tuples, 4 × i64, operator from source", "scan", "4xi64", (25,), op="tuple4")
    lines += arrays("scan of 2×2 matrices modulo p, operator from source", "scan", "4xu32", (25,), op="mat2")
    lines += rows_of("scan of each row, f32", "segmented_scan", "f32", SPLITS)
    for kind, powers in (("i8", (28,)), ("i32", (28,)), ("f32", (28, 20, 16)), ("f64", (27,))):
        lines += arrays(f"sum, {kind}", "reduce", kind, powers)
    lines += rows_of("sum of each row, f32", "segmented_reduce", "f32", SPLITS)
    for percent in (0, 1, 25, 50, 75, 99, 100):
        name = "filter" if percent == 50 else f"filter_{percent}"
        lines += arrays(f"filter, i32, {percent} % kept", name, "i32", (28,))
    lines += arrays("filter of three fields, half of them kept", "filter_tuple", "i32", (26,))
    lines += arrays("partition, i32, two outputs", "partition", "i32", (28,))
    lines += arrays("first of each run, i32, three of four kept", "unique", "i32", (28,))
    lines += arrays("run lengths, i32, the same runs", "run_lengths", "i32", (27,))
    lines += arrays("reduce by key, i32 keys and values, runs of 1.33", "reduce_by_key", "i32", (27,))
    lines += arrays("sort, u32", "sort", "u32", (28, 27, 26, 24, 22) + small[::-1])
    for kind, powers in (("f32", (27,)), ("i64", (27,)), ("u64", (26,)), ("f64", (26,)), ("u8", (28,)), ("u16", (28,))):
        lines += arrays(f"sort, {kind}", "sort", kind, powers)
    lines += arrays("sort, u32, all equal", "sort_equal", "u32", (27,))
    lines += arrays("sort, u32 keys with u32 values", "sort_pairs", "u32", (27, 20))
    lines += rows_of("sort of each row, u32", "segmented_sort", "u32",
                     [(2**20, 64), (2**16, 2**10), (2**13, 2**13), (1000, 10**4), (64, 2**20)])
    lines += arrays("sort by a comparison, u32", "merge_sort", "u32", (26,))
    lines += arrays("merge of two halves, u32", "merge", "u32", (26,))
    for k in (10, 1024, 65536):
        lines += arrays(f"first {k} of a sort, f32 (CUB's are unsorted)", f"top_k_{k}", "f32", (28, 20))
    tops = [(2**20, 64), (2**18, 256), (2**18, 2**10), (2**14, 2**12)]
    lines += rows_of("first 10 of each row (CUB's are unsorted), f32", "top_k_rows_10", "f32", tops)
    lines += rows_of("first 100 of each row (CUB's are unsorted), f32", "top_k_rows_100", "f32", tops[1:])
    lines += arrays("histogram, u8, 256 bins", "histogram", "u8", (28,), bins=256)
    for power in (8, 10, 12, 14, 16, 20):
        lines += arrays(f"histogram, u32, {size_label(2**power)} bins", "histogram", "u32", (28,), bins=2**power)
    lines += arrays("adjacent difference, i32", "adjacent_difference", "i32", (26,))
    lines += arrays("gather, i32, a random permutation", "gather", "i32", (26,))
    lines += [("transpose, f32, 8192 × 8192", dict(primitive="transpose", type="f32", segments=8192, segment_size=8192,
                                                   op=None, bins=None))]
    return lines


# Lines of README.md, with the elements.
SHORT = [("scan, f32", "2^28"), ("scan of each row, f32, 2^16 rows of 2^10", "2^26"),
         ("sum of each row, f32, 2^22 rows of 16", "2^26"), ("filter, i32, 50 % kept", "2^28"), ("sort, u32", "2^27"),
         ("sort, u32 keys with u32 values", "2^27"), ("sort of each row, u32, 2^16 rows of 2^10", "2^26"),
         ("first 10 of a sort, f32 (CUB's are unsorted)", "2^28"), ("histogram, u32, 256 bins", "2^28")]


class Rows:
    def __init__(self, path):
        with open(path, encoding="utf-8") as lines:
            self.rows = [row for row in map(json.loads, filter(str.strip, lines)) if row.get("us")]

    def version(self, peer):
        found = {row.get("version", "").split("+")[0] for row in self.rows if row.get("peer") == peer}
        if len(found) > 1:
            sys.exit(f"rows of several versions of {peer}: {', '.join(sorted(found))}")
        return ".".join(found.pop().split(".")[:2]) if found else ""

    def find(self, case, peer=None):
        """The last row of a case: a section that was measured again counts."""
        for row in reversed(self.rows):
            if row.get("peer") == peer and all(row.get(key) == value for key, value in case.items()
                                               if key != "op" or value) and not row.get("define") \
                    and not row.get("forced"):
                return row
        return None


def time_label(us):
    return f"{us:.1f} µs" if us < 100 else f"{us:.0f} µs"


def ratio_label(ratio):
    return f"{ratio:.0f} ×" if ratio >= 100 else f"{ratio:.1f} ×" if ratio >= 10 else f"{ratio:.2f} ×"


def bound_label(row):
    if row.get("of_read"):
        return f"{row['of_read']:.2f} of reading"
    return f"{row['of_copy']:.2f}" if row.get("of_copy") else "–"


def cells(rows, label, case):
    """What, elements, clfold, of copy, CUB's time, ×, PyTorch's ×; None where there is no row of ours."""
    ours = rows.find(case)
    if not ours:
        return None
    cub, torch = (rows.find(case, peer) for peer in ("cub", "torch"))
    return [label, size_label(ours["n"]), time_label(ours["us"]), bound_label(ours), time_label(cub["us"]) if cub else "–",
            ratio_label(cub["us"] / ours["us"]) if cub else "–",
            ratio_label(torch["us"] / ours["us"]) if torch else "–"]


def table(head, lines):
    return "\n".join("| " + " | ".join(line) + " |" for line in [head]) + "\n" + "|---" * len(head) + "|\n" + \
        "".join("| " + " | ".join(line) + " |\n" for line in lines)


def tables(rows):
    """(file, heading as a pattern, heading, table) of each."""
    cub, torch = (rows.version(peer) for peer in ("cub", "torch"))
    made = [line for line in (cells(rows, *line) for line in all_lines()) if line]
    head = ["what", "elements", "clfold", "of copy", f"CUB {cub}".strip(), "×"]
    head += [f"PyTorch {torch}".strip()] if any(row.get("peer") == "torch" for row in rows.rows) else []
    few = [line for line in made if (line[0], line[1]) in SHORT]
    few = [[line[0]] + line[1:3] + line[4:6] for line in few]
    return [("README.md", "## How fast", "## How fast", table(["what", "elements", "clfold", f"CUB {cub}", ""], few)),
            ("src/manual/performance.md", r"## NVIDIA H200 beside CUB \d[\d.]*", f"## NVIDIA H200 beside CUB {cub}",
             table(head, [line[:len(head)] for line in made]))]


def replace(text, pattern, heading, new):
    """With the first table below the heading replaced."""
    found = re.search(rf"^{pattern}\n(?:(?!\||#).*\n)*", text, re.M)
    if not found or not text[found.end():].startswith("|"):
        sys.exit(f"no table below {pattern}")
    rest = re.sub(r"\A(?:\|.*\n)+", "", text[found.end():])
    return text[:found.start()] + heading + found.group()[found.group().index("\n"):] + new + rest


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", help="rows that bench/figures.sh left")
    parser.add_argument("--write", action="store_true", help="into the files")
    parser.add_argument("--check", action="store_true", help="do the files say this?")
    parser.add_argument("--root", default=ROOT, help="of the files")
    arguments = parser.parse_args()
    status = 0
    for name, pattern, heading, new in tables(Rows(arguments.file)):
        path = os.path.join(arguments.root, name)
        if not arguments.write and not arguments.check:
            print(f"{name}: {heading}\n\n{new}")
            continue
        with open(path, encoding="utf-8") as file:
            old = file.read()
        text = replace(old, pattern, heading, new)
        if arguments.write:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        elif text != old:
            print(f"{name}: the table below \"{heading}\" is not that of {arguments.file}")
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())

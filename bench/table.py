#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints tables (Markdown) of what clfold-bench measured.

    table.py results/DEVICE.json [--primitive segmented_scan] [--type f32,i32] [--n 2^26]

Primitives on segments: a line per shape, for each operator, type and number of elements; below it the worst of every
ratio. Others: a line per type and number of elements. Beside our time stand the yardsticks' times as shares of ours,
ours as a multiple of the plain scan's, of the fastest strategy's (when --variant forced each), and of what the nearest
power of two takes per element (--near), and the time of every peer (of every version), also as a multiple of ours.
"""
import argparse
import json
import sys


def read_rows(path):
    with open(path, encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines if line.strip()]
    return [row for row in rows if row.get("us") and row.get("n")]


def size_label(n):
    return f"2^{n.bit_length() - 1}" if n >= 1024 and n & (n - 1) == 0 else str(n)


def time_label(us):
    if us is None:
        return "–"
    return f"{us:.1f} µs" if us < 100 else f"{us:.0f} µs" if us < 10000 else f"{us / 1000:.0f} ms"


def shape_label(row):
    batch = f"[{size_label(row['batch'])}]" if row.get("batch") else ""
    return f"{batch}[{size_label(row['segments'])}][{size_label(row['segment_size'])}]"


def bins_label(row):
    return f" in {size_label(row['bins'])} bins" if row.get("bins") else ""


def short(number):
    return f"{number:.0f}" if number >= 100 else f"{number:.3g}"


class Case:
    """All rows of one operator, type and shape."""

    def __init__(self, rows):
        ours = [row for row in rows if not row.get("peer") and not row.get("define")]
        chosen = [row for row in ours if not row.get("forced")]
        forced = [row for row in ours if row.get("forced")]
        self.ours = min(chosen or ours, key=lambda row: row["us"]) if ours else None
        self.fastest = min(forced, key=lambda row: row["us"]) if forced and chosen else None
        self.peers = {}
        for row in rows:
            peer = f"{row.get('peer') or ''} {row.get('version') or ''}".strip()
            if row.get("peer") and row["us"] < self.peers.get(peer, row)["us"] + 1e-9:
                self.peers[peer] = row

        self.neighbour = None

    def find_neighbour(self, cases):
        """Of the nearest power of two: what its segments' elements take is what ours should."""
        size = self.ours["segment_size"]
        power = 1 << max(size.bit_length() - 1, 0)
        power = 2 * power if 2 * power - size < size - power else power
        if size != power:
            self.neighbour = next((case for case in cases if case.ours["segment_size"] == power and
                                   not case.ours.get("batch")), None)

    def ratio(self, name):
        """What a column says as a number; None if it does not apply."""
        us = self.ours["us"]
        if name in self.peers:
            return self.peers[name]["us"] / us
        if name == "× plain scan":
            return us / self.ours["scan_us"] if self.ours.get("scan_us") else None
        if name == "× neighbour":
            other = self.neighbour and self.neighbour.ours
            return us / self.ours["n"] / (other["us"] / other["n"]) if other else None
        if name == "× best strategy":
            return us / self.fastest["us"] if self.fastest else None
        return self.ours.get(name.replace(" ", "_"))

    def cell(self, name):
        ratio = self.ratio(name)
        if ratio is None:
            return "–"
        if name in self.peers:
            return f"{time_label(self.peers[name]['us'])} ({short(ratio)} ×)"
        if name == "× best strategy":
            return f"{ratio:.2f} ({self.fastest['variant']})"
        return f"{ratio:.2f}"


def columns_of(cases):
    fixed = ["of copy", "× plain scan", "of read", "× best strategy", "× neighbour"]
    peers = list(dict.fromkeys(name for case in cases for name in case.peers))
    return [name for name in fixed + peers if any(case.ratio(name) is not None for case in cases)]


def summary(cases, columns):
    """Largest and smallest of each ratio."""
    parts = []
    for name in columns:
        ratios = [case.ratio(name) for case in cases if case.ratio(name) is not None]
        parts.append(f"{name} {short(min(ratios))} to {short(max(ratios))}")
    return "; ".join(parts)


def print_table(title, first, cases, labels):
    columns = columns_of(cases)
    print(f"\n{title}\n\n| {first} | clfold | variant | " + " | ".join(columns) + " |")
    print("|---" * (3 + len(columns)) + "|")
    for case, label in zip(cases, labels):
        cells = [label, time_label(case.ours["us"]), case.ours["variant"] or "–"]
        print("| " + " | ".join(cells + [case.cell(name) for name in columns]) + " |")
    print(f"\nOver {len(cases)}: {summary(cases, columns)}.")


def group_by(items, key):
    groups = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return groups


def print_primitive(primitive, rows):
    by_shape = group_by(rows, lambda row: (row["op"], row["type"], row.get("batch"), row["segments"],
                                          row["segment_size"], row.get("bins")))
    cases = [case for case in map(Case, by_shape.values()) if case.ours]
    if not any(case.ours["segments"] > 1 for case in cases):
        labels = [f"{case.ours['op']} {case.ours['type']}, {size_label(case.ours['n'])}{bins_label(case.ours)}"
                  for case in cases]
        print_table(f"### {primitive}", "operator, type, n", cases, labels)
        return
    for (op, kind, power), part in group_by(cases, table_key).items():
        part.sort(key=lambda case: case.ours["segment_size"])
        for case in part:
            case.find_neighbour(part)
        usual = max(group_by(part, lambda case: case.ours["n"]).items(), key=lambda item: len(item[1]))[0]
        print_table(f"### {primitive}, {op} of {kind}, {size_label(usual)} elements", "[segments][size]", part,
                    [shape_label(case.ours) for case in part])


def table_key(case):
    """Shapes of about as many elements share a table."""
    return case.ours["op"], case.ours["type"], (case.ours["n"] * 17 // 16).bit_length()


def power(text):
    base, _, exponent = text.partition("^")
    return int(base) ** int(exponent or 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", help="JSON lines written by clfold-bench --json")
    parser.add_argument("--primitive", help="only these")
    parser.add_argument("--type", help="only these")
    parser.add_argument("--n", type=power, help="only about so many elements")
    arguments = parser.parse_args()
    rows = read_rows(arguments.file)
    for name in ("primitive", "type"):
        if getattr(arguments, name):
            rows = [row for row in rows if row[name] in getattr(arguments, name).split(",")]
    if arguments.n:
        rows = [row for row in rows if abs(row["n"] - arguments.n) < 0.05 * arguments.n]
    if not rows:
        sys.exit("no such timed rows in " + arguments.file)
    for primitive, part in group_by(rows, lambda row: row["primitive"]).items():
        print_primitive(primitive, part)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""stalls.py SOURCE.csv [PERCENT]: where warps wait, from Nsight Compute's page "source" as CSV.

For each kernel: the reasons in per cent of all samples; each instruction that has at least PERCENT (1.5) of them, with
how often it ran and its two main reasons; and what lies between barriers, which cut a kernel into its phases."""
import csv
import sys

ALL = "Warp Stall Sampling (All Samples)"


def kernels(path):
    """(name, rows) of each kernel; a row is a dictionary by the names of columns."""
    found, header = [], None
    for row in csv.reader(open(path)):
        if row and row[0] == "Kernel Name":
            found.append((row[1], []))
        elif row and row[0] == "Address":
            header = row
        elif found and header and len(row) >= len(header):
            found[-1][1].append(dict(zip(header, row)))
    return found


def reasons(row):
    """Samples by reason, the most first."""
    some = {name[6:]: int(n) for name, n in row.items() if name.startswith("stall_") and "(" not in name and n}
    return sorted(some.items(), key=lambda reason: -reason[1])


def show(name, rows, least):
    total = sum(int(row[ALL]) for row in rows) or 1
    sums = {}
    for row in rows:
        for reason, samples in reasons(row):
            sums[reason] = sums.get(reason, 0) + samples
    print(f"{name}: {len(rows)} instructions, {total} samples")
    print("  " + ", ".join(f"{r} {100 * n / total:.1f}" for r, n in sorted(sums.items(), key=lambda x: -x[1])[:8]))
    samples = 0
    for number, row in enumerate(rows):
        own, text = int(row[ALL]), row["Source"].strip()
        samples += own
        if 100 * own >= least * total:
            main = ", ".join(f"{r} {n}" for r, n in reasons(row)[:2])
            ran = row["Instructions Executed"]
            print(f"  {number:5} {100 * own / total:5.1f} %  ran {ran:>9}  {text[:56]:56}  {main}")
        if "BAR.SYNC" in text or "EXIT" in text:
            print(f"  {number:5} ---- {100 * samples / total:.1f} % up to {text.split()[0]}")
            samples = 0


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    for name, rows in kernels(sys.argv[1]):
        show(name, rows, float(sys.argv[2]) if len(sys.argv) == 3 else 1.5)


main()

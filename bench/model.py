#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""model.py [ROWS.json]: which m, elements per work-item, a model takes that knows look-back and segments' lengths.

Rows are of clfold-bench segmented_scan --variant central --sweep items=…; without a file those of an H200. For each type
the model is fitted on the rows of the other types, and predicts the time of each m. The table has the regret of its
choice: the time of what it takes over that of the best m. Beside it are Clausen's model and what clfold takes by itself,
where no profile knows. An m between two that were measured has a time between theirs.

A call's time is t0 + (a^4 + b^4 + c^4)^(1/4), of what the longest rules, of n elements in tiles of m · group:
    a   bytes / bandwidth
    b   tiles · (start + step · m) / groups at a time, which local memory bounds: what work-items do
    c   tiles · serve, where a tile may have no head: a segment is longer than a tile, so prefixes come one by one
"""
import json
import math
import os
import re
import sys

BYTES = {"i8": 1, "i16": 2, "i32": 4, "i64": 8}
GROUP, LOCAL, THREADS, GROUPS = 128, 227 * 1024, 2048, 32  # the rows' group; what a compute unit of an H200 has
UNITS = 132
NAMES = "t0", "bandwidth", "start", "step", "serve"


def read(path):
    """(type, segment's length): {m: us}, n, the paper's m."""
    cases = {}
    with open(path, encoding="utf-8") as file:
        for row in map(json.loads, file):
            times, _, _ = cases.setdefault((row["type"], row["segment_size"]), ({}, row["n"], row["model_items"]))
            times[int(row["define"].split("items=")[1].split(",")[0])] = row["us"]
    return cases


def predict(fit, key, n, m):
    kind, segment = key
    t0, bandwidth, start, step, serve = fit
    tile = m * GROUP
    tiles = math.ceil(n / tile)
    at_once = UNITS * max(1, min(GROUPS, THREADS // GROUP, LOCAL // (tile * BYTES[kind] + 1024)))
    parts = (2 * n * BYTES[kind] / bandwidth, tiles * (start + step * m) / at_once,
             tiles * serve if segment > tile else 0)
    return t0 + sum(part ** 4 for part in parts) ** 0.25


def error(fit, cases):
    return sum(math.log(predict(fit, key, n, m) / us) ** 2 for key, (times, n, _) in cases.items()
               for m, us in times.items())


def fitted(cases):
    """Each number by steps up and down, in turn, that become smaller."""
    fit = [2, 4e6, 2, 0.1, 0.005]  # us, and bytes per us
    best, by = error(fit, cases), 2.0
    while by > 1.005:
        better = False
        for k in range(len(fit)):
            for factor in by, 1 / by:
                tried = fit[:k] + [fit[k] * factor] + fit[k + 1:]
                now = error(tried, cases)
                if now < best:
                    fit, best, better = tried, now, True
        by = by if better else by ** 0.5
    return fit


def time_of(times, m):
    """Between the times of the neighbours, by logarithms; beyond the ends that of the end."""
    below, above = max((k for k in times if k <= m), default=min(times)), min((k for k in times if k >= m),
                                                                              default=max(times))
    share = math.log(m / below) / math.log(above / below) if above > below and below <= m else 0
    return times[below] ** (1 - share) * times[above] ** share


def narrow_tile(root):
    """Bytes that clfold's tiles of narrow values have, where no profile knows."""
    with open(os.path.join(root, "src", "primitives", "chained.c"), encoding="utf-8") as file:
        return int(re.search(r"NARROW_TILE = (\d+)", file.read())[1])


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    cases = read(sys.argv[1] if len(sys.argv) > 1 else os.path.join(here, "results", "nvidia-h200-items.json"))
    tile = narrow_tile(os.path.dirname(here))
    regrets = {"paper": [], "default": [], "model": []}
    print("| type | segments of | best m | the paper's m | over the best | clfold's m | over the best | this model's m | "
          "over the best |\n|---|---|---|---|---|---|---|---|---|")
    for key in sorted(cases, key=lambda key: (BYTES[key[0]], key[1])):
        times, n, paper = cases[key]
        fit = fitted({other: case for other, case in cases.items() if other[0] != key[0]})
        best = min(times, key=times.get)
        takes = {"paper": paper, "default": tile // (GROUP * BYTES[key[0]]),
                 "model": min(times, key=lambda m: predict(fit, key, n, m))}
        line = f"| {key[0]} | {key[1]} | {best} |"
        for who, m in takes.items():
            regrets[who].append(time_of(times, m) / times[best])
            line += f" {m} | {regrets[who][-1]:.2f} × |"
        print(line)
    mean = {who: math.exp(sum(map(math.log, of)) / len(of)) for who, of in regrets.items()}
    print("| all | | |" + "".join(f" | {mean[who]:.2f} × (at most {max(of):.2f}) |" for who, of in regrets.items()))
    fit = fitted(cases)
    print("\nfitted on all:", ", ".join(f"{name} {value:.4g}" for name, value in zip(NAMES, fit)) +
          f"; times off by {100 * math.sqrt(error(fit, cases) / sum(len(c[0]) for c in cases.values())):.0f} %")


if __name__ == "__main__":
    main()

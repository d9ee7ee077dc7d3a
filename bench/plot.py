#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws what clfold-bench measured.

    plot.py results/DEVICE.json [-o PICTURE.svg]      throughput against size, with copies and peers
    plot.py --heat sweep.json [-o PICTURE.svg]        heat maps of a --sweep: one for each pair of parameters,
                                                      the others held at the fastest row's values

The ending of the picture's name chooses its format (.svg, .png, .pdf). Needs matplotlib.
"""
import argparse
import itertools
import json
import math
import os
import sys

try:
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
except ImportError:
    sys.exit("plot.py needs matplotlib (Debian, Ubuntu: apt install python3-matplotlib)")


def read_rows(paths):
    """The timed rows of JSON-lines files; other objects (--cold) are passed over."""
    rows = []
    for path in paths:
        with open(path, encoding="utf-8") as lines:
            rows += [json.loads(line) for line in lines if line.strip()]
    return [row for row in rows if row.get("us") and row.get("n")]


def group_by(rows, key):
    groups = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return groups


def size_label(n):
    n = int(n)
    return f"$2^{{{n.bit_length() - 1}}}$" if n >= 1024 and n & (n - 1) == 0 else str(n)


# ---- throughput against size ----

STYLES = {"clfold": dict(color="#0057b8", linewidth=2.4, marker="o", markersize=4, zorder=5),
          "copy": dict(color="#888888", linestyle="--", linewidth=1.4),
          "copy kernel": dict(color="#bbbbbb", linestyle=":", linewidth=1.4)}


def best(rows):
    """(n, row) for each n: the fastest of several variants and parameters."""
    by_size = group_by(rows, lambda row: row["n"])
    return [(n, min(by_size[n], key=lambda row: row["us"])) for n in sorted(by_size)]


def draw_line(axes, name, points):
    points = [(n, gbps) for n, gbps in points if gbps]
    if points:
        style = STYLES.get(name, dict(linewidth=1.4, marker=".", markersize=5))
        axes.plot([n for n, _ in points], [gbps for _, gbps in points], label=name, **style)


def draw_throughput(axes, rows, title):
    ours = best([row for row in rows if not row.get("peer")])
    peers = group_by([row for row in rows if row.get("peer")], lambda row: row["peer"])
    for name, field in (("copy", "copy_us"), ("copy kernel", "copy_kernel_us")):
        draw_line(axes, name, [(n, row["bytes"] / row[field] * 1e-3) for n, row in ours if row.get(field)])
    draw_line(axes, "clfold", [(n, row["gbps"]) for n, row in ours])
    for name, peer_rows in peers.items():
        draw_line(axes, name, [(n, row["gbps"]) for n, row in best(peer_rows)])
    axes.set_xscale("log", base=2)
    axes.set_ylim(bottom=0)
    axes.grid(True, alpha=0.25)
    axes.set_title(title, fontsize=10)


def plot_throughput(rows):
    panels = group_by(rows, lambda row: (row["primitive"], row["op"], row["type"]))
    columns = min(4, len(panels))
    lines = math.ceil(len(panels) / columns)
    figure, grid = pyplot.subplots(lines, columns, figsize=(4.2 * columns, 3.2 * lines), squeeze=False)
    flat = list(grid.flat)
    for axes, (names, panel) in zip(flat, panels.items()):
        draw_throughput(axes, panel, " ".join(names))
    for axes in flat[len(panels):]:
        axes.set_visible(False)
    for axes in grid[:, 0]:
        axes.set_ylabel("GB/s (read + written)")
    for axes in flat[max(0, len(panels) - columns):len(panels)]:
        axes.set_xlabel("elements")
    entries = {label: line for axes in flat for line, label in zip(*axes.get_legend_handles_labels())}
    figure.legend(entries.values(), entries.keys(), loc="lower center", ncol=len(entries), frameon=False)
    figure.suptitle(f"{rows[0]['device']}, driver {rows[0]['driver']}", fontsize=11)
    figure.tight_layout(rect=(0, 0.06 if lines > 1 else 0.1, 1, 0.98))
    return figure


# ---- heat maps ----

def parameters(row):
    """What a row was measured with: its defines as numbers, and n."""
    pairs = (pair.split("=") for pair in (row.get("define") or "").split(",") if pair)
    values = {name: int(value) for name, value in pairs}
    values["n"] = row["n"]
    return values


def draw_heat(axes, points, across, down):
    """points: {(across value, down value): GB/s}; combinations that were impossible stay white."""
    xs = sorted({x for x, _ in points})
    ys = sorted({y for _, y in points})
    table = [[points.get((x, y), math.nan) for x in xs] for y in ys]
    top = max(points.values())
    image = axes.imshow(table, origin="lower", aspect="auto", cmap="viridis", vmin=0, vmax=top)
    axes.set_xticks(range(len(xs)), [size_label(x) if across == "n" else str(x) for x in xs])
    axes.set_yticks(range(len(ys)), [size_label(y) if down == "n" else str(y) for y in ys])
    axes.set_xlabel(across)
    axes.set_ylabel(down)
    for (i, y), (j, x) in itertools.product(enumerate(ys), enumerate(xs)):
        value = points.get((x, y))
        if value:
            axes.text(j, i, f"{value:.0f}" if value >= 10 else f"{value:.1f}", ha="center", va="center", fontsize=7,
                      color="black" if value > 0.6 * top else "white")
    return image


def plot_heat(rows):
    rows = [row for row in rows if not row.get("peer")]
    points = [(parameters(row), row["gbps"]) for row in rows]
    names = sorted({name for values, _ in points for name in values}, key=lambda name: name == "n")
    varying = [name for name in names if len({values.get(name) for values, _ in points}) > 1]
    if len(varying) < 2:
        sys.exit("a heat map needs two parameters that vary; this file has " + (", ".join(varying) or "none"))
    fastest = max(points, key=lambda point: point[1])[0]
    pairs = list(itertools.combinations(varying, 2))
    figure, grid = pyplot.subplots(1, len(pairs), figsize=(5.2 * len(pairs), 4.2), squeeze=False)
    for axes, (down, across) in zip(grid[0], pairs):
        held = [name for name in varying if name not in (across, down)]
        chosen = {(values[across], values[down]): gbps for values, gbps in points
                  if across in values and down in values
                  and all(values.get(name) == fastest.get(name) for name in held)}
        image = draw_heat(axes, chosen, across, down)
        figure.colorbar(image, ax=axes, label="GB/s (read + written)")
        axes.set_title(", ".join(f"{name} = {size_label(fastest[name])}" for name in held), fontsize=9)
    first = rows[0]
    figure.suptitle(f"{first['device']}: {first['primitive']} {first['op']} {first['type']}, "
                    f"variant {first['variant']}", fontsize=11)
    figure.tight_layout()
    return figure


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", help="JSON lines written by clfold-bench --json")
    parser.add_argument("-o", "--output", help="picture; the first file's name with .svg if not given")
    parser.add_argument("--heat", action="store_true", help="heat maps of a sweep")
    arguments = parser.parse_args()
    rows = read_rows(arguments.files)
    if not rows:
        sys.exit("no timed rows in " + ", ".join(arguments.files))
    figure = plot_heat(rows) if arguments.heat else plot_throughput(rows)
    output = arguments.output or os.path.splitext(arguments.files[0])[0] + ".svg"
    figure.savefig(output, dpi=130, metadata={"Date": None} if output.endswith(".svg") else None)
    print(output)


if __name__ == "__main__":
    main()

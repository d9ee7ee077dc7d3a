#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws what clfold-bench measured.

    plot.py results/DEVICE.json         DEVICE.svg: throughput against size; and where the file has such rows
                                        DEVICE-PRIMITIVE.svg: time against segment size, for all splits of one n
                                        DEVICE-histogram.svg: time against bins, a line per distribution
                                        A line for what clfold chooses, for each variant and for each setting
                                        (--variant, --define and --sweep of clfold-bench), and for each peer
    plot.py --bars FILE.json            the same as bars: throughput, side by side for each size
    plot.py --heat sweep.json           heat maps of a --sweep, or of a log of clfold-tune: of the fastest variant one
                                        for each pair of parameters and each n, the others held at the values that are
                                        fastest there
    plot.py --regret curves.json        of clfold-tune --simulate --json: the best after so many points, by strategy
    plot.py --items sweep.json          time against items per work-item ("m"), with the model's m and the best

--variant LIST takes the rows of these variants, and of peers, alone. -o PICTURE names another picture; its ending
chooses the format (.svg, .png, .pdf). Needs matplotlib.
"""
import argparse
import os
import sys

from plot_common import draw_line, draw_panels, group_by, read_rows, size_label, style_of
from plot_tuning import plot_heat, plot_items, plot_regret, read_curves


# ---- lines ----

def series_of(row):
    """The line that a row is a point of."""
    name = row.get("peer") or (f"only {row['variant']}" if row.get("forced") else "clfold")
    return f"{name}, {row['define'].replace(',', ' ')}" if row.get("define") else name


def lines_of(rows):
    """{name: rows}: what clfold chooses first, its variants and settings, then peers."""
    lines = group_by(rows, series_of)
    return {name: lines[name] for name in sorted(lines, key=lambda name: (
        name != "clfold", bool(lines[name][0].get("peer")), list(lines).index(name)))}


def unforced(rows):
    """The rows that have the bounds beside what clfold chooses; beside anything of its own, where it chose nothing."""
    ours = [row for row in rows if not row.get("peer")]
    return [row for row in ours if series_of(row) == "clfold"] or ours


# ---- throughput against size ----

def best(rows):
    """(n, row) for each n: the fastest of several that were measured alike."""
    by_size = group_by(rows, lambda row: row["n"])
    return [(n, min(by_size[n], key=lambda row: row["us"])) for n in sorted(by_size)]


BOUNDS = (("copy", "copy_us"), ("copy kernel", "copy_kernel_us"), ("read bound", "read_us"))


def draw_throughput(axes, rows):
    for name, field in BOUNDS:
        points = [(n, row["bytes"] / row[field] * 1e-3) for n, row in best(unforced(rows)) if row.get(field)]
        draw_line(axes, name, points)
    for name, line in lines_of(rows).items():
        draw_line(axes, name, [(n, row["gbps"]) for n, row in best(line)])
    axes.set_xscale("log", base=2)
    axes.set_ylim(bottom=0)


def kind_of(row):
    return f"{row['primitive']} {row['op']} {row['type']}"


def plot_throughput(rows):
    return draw_panels(group_by(rows, kind_of), draw_throughput, "elements", "GB/s (read + written)")


# ---- bars ----

def shape_label(row):
    """n, or segments and their size, or bins."""
    if row.get("bins"):
        return f"{size_label(row['bins'])} bins"
    segments = f"{size_label(row['segments'])}×" if row["segments"] > 1 else ""
    return segments + size_label(row["segment_size"])


def draw_bars(axes, rows):
    shapes = list(dict.fromkeys(map(shape_label, sorted(rows, key=lambda row: (row["n"], row["segment_size"])))))
    lines = lines_of(rows)
    bounds = {shape_label(row): row for row in unforced(rows)}
    heights = {name: {shape: row["bytes"] / row[field] * 1e-3 for shape, row in bounds.items() if row.get(field)}
               for name, field in BOUNDS if field != "copy_kernel_us"}
    for name, line in lines.items():
        heights[name] = {shape: max(row["gbps"] for row in part) for shape, part in group_by(line, shape_label).items()}
    heights = {name: values for name, values in heights.items() if values}
    for turn, (name, values) in enumerate(heights.items()):
        places = [(i + (turn + 0.5) / len(heights) * 0.84 - 0.42, values[shape]) for i, shape in enumerate(shapes)
                  if shape in values]
        axes.bar(*zip(*places), width=0.84 / len(heights), label=name, color=style_of(name)["color"])
    axes.set_xticks(range(len(shapes)), shapes, fontsize=8, rotation=30 if len(shapes) > 6 else 0)
    axes.set_axisbelow(True)


def plot_bars(rows):
    return draw_panels(group_by(rows, kind_of), draw_bars, "elements", "GB/s (read + written)", abreast=2)


# ---- time against segment size ----

def by_length(rows, field="us"):
    """(segment size, time), the fastest of several, as if all rows had the n of most."""
    usual = max(group_by(rows, lambda row: row["n"]).items(), key=lambda item: len(item[1]))[0]
    lengths = group_by([row for row in rows if row.get(field)], lambda row: row["segment_size"])
    return [(size, min(row[field] * usual / row["n"] for row in lengths[size])) for size in sorted(lengths)]


def draw_splits(axes, rows):
    chosen = unforced(rows) or rows
    draw_line(axes, "plain scan", by_length(chosen, "scan_us"))
    draw_line(axes, "read bound", by_length(chosen, "read_us"))
    draw_line(axes, "copy", by_length([row for row in chosen if not row.get("read_us")] or chosen, "copy_us"))
    for name, line in lines_of(rows).items():
        draw_line(axes, name, by_length(line))
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    low, high = axes.get_ylim()
    axes.set_ylim(low / 2, max(high, 10 * low))  # a flat line is to look flat


def near_n(rows):
    """Names for the ns of rows: a size that does not divide n makes a row's n a little less or more."""
    names, counts = {}, group_by(rows, lambda row: row["n"])
    for n in sorted(counts, key=lambda n: -len(counts[n])):
        names[n] = next((names[m] for m in names if abs(m - n) < 0.05 * m), size_label(n))
    return names


def plot_splits(rows):
    rows = [row for row in rows if not row.get("batch")]
    names = near_n(rows)
    panels = group_by(rows, lambda row: f"{kind_of(row)}, {names[row['n']]} elements")
    panels = {title: panel for title, panel in panels.items() if len({row["segment_size"] for row in panel}) > 4}
    return draw_panels(panels, draw_splits, "elements per segment", "µs", abreast=2) if panels else None


# ---- histograms ----

DISTRIBUTIONS = {"histogram": ("anywhere", "#0057b8"), "histogram_zipf": ("Zipf", "#e07b00"),
                 "histogram_gaussian": ("Gaussian", "#2a9134"), "histogram_sorted": ("sorted", "#8e44ad"),
                 "histogram_one_hot": ("all in one", "#c0392b")}
PEER_STYLES = {"cub": "-", "torch": (0, (1, 1.5)), "std-par": "--", "std": (0, (5, 4))}


def by_bins(rows, field="us"):
    """(bins, time), the fastest of several."""
    groups = group_by([row for row in rows if row.get(field)], lambda row: row["bins"])
    return [(bins, min(row[field] for row in groups[bins])) for bins in sorted(groups)]


def draw_bins(axes, rows):
    ours = [row for row in rows if not row.get("peer")]
    draw_line(axes, "read bound", by_bins(ours, "read_us"))
    for primitive, (name, colour) in DISTRIBUTIONS.items():
        line = [row for row in rows if row["primitive"] == primitive]
        points = by_bins([row for row in line if not row.get("peer")])
        if points:
            axes.plot(*zip(*points), label=name, color=colour, linewidth=2.2, marker="o", markersize=4, zorder=5)
        for peer, part in group_by([row for row in line if row.get("peer")], lambda row: row["peer"]).items():
            style = dict(linewidth=0.9, linestyle=PEER_STYLES.get(peer, "-"), marker=".", markersize=4)
            axes.plot(*zip(*by_bins(part)), color=colour, **style)
            axes.plot([], [], color="#666666", label=f"{peer}, in the same colours", **style)
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    low, high = axes.get_ylim()
    axes.set_ylim(low, max(high, 10 * low))


def plot_histograms(rows):
    panels = group_by(rows, lambda row: f"{row['op']}, bins of {row['type']}, {size_label(row['n'])} elements")
    panels = {title: panel for title, panel in panels.items() if len({row["bins"] for row in panel}) > 2}
    return draw_panels(panels, draw_bins, "bins", "µs", abreast=2) if panels else None


# ---- which pictures ----

def pictures(rows, arguments, stem):
    """(ending of the name, figure) for each."""
    if arguments.regret:
        yield "", plot_regret(rows)
    elif arguments.heat:
        yield "", plot_heat(rows)
    elif arguments.bars:
        yield "", plot_bars(rows)
    elif arguments.items:
        yield "", plot_items(rows)
    else:
        histograms = [row for row in rows if row.get("bins", row["n"] + 1) <= row["n"]]
        only = stem.endswith("-histogram")  # a file of its own
        if histograms:
            yield "" if only else "-histogram", plot_histograms(histograms)
        primitives = group_by([row for row in rows if not row.get("bins")], lambda row: row["primitive"])
        split = {name for name, part in primitives.items() if any(row["segments"] > 1 for row in part)}
        plain = [row for name, part in primitives.items() if name not in split for row in part]
        if plain and not (histograms and only):
            yield "", plot_throughput(plain)
        for name in sorted(split):
            yield "-" + name, plot_splits(primitives[name])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", help="JSON lines written by clfold-bench --json")
    parser.add_argument("-o", "--output", help="picture; the first file's name with .svg if not given")
    parser.add_argument("--heat", action="store_true", help="heat maps of a sweep")
    parser.add_argument("--bars", action="store_true", help="throughput as bars")
    parser.add_argument("--variant", help="rows of these variants, and of peers, alone")
    parser.add_argument("--items", action="store_true", help="time against items per work-item")
    parser.add_argument("--regret", action="store_true", help="how soon searches find the best")
    arguments = parser.parse_args()
    rows = read_curves(arguments.files) if arguments.regret else read_rows(arguments.files)
    if arguments.variant:
        rows = [row for row in rows if row.get("peer") or row["variant"] in arguments.variant.split(",")]
    if not rows:
        sys.exit("no such timed rows in " + ", ".join(arguments.files))
    if not arguments.heat and any(row.get("clfold_tune") for row in rows):
        sys.exit("rows of clfold-tune: --heat draws them")
    stem, ending = os.path.splitext(arguments.output or os.path.splitext(arguments.files[0])[0] + ".svg")
    for name, figure in pictures(rows, arguments, stem):
        if figure is not None:
            output = stem + name + ending
            figure.savefig(output, dpi=130, metadata={"Date": None} if ending == ".svg" else None)
            print(output)


if __name__ == "__main__":
    main()

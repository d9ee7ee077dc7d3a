#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws what clfold-bench measured.

    plot.py results/DEVICE.json         DEVICE.svg: throughput against size; and where the file has such rows
                                        DEVICE-PRIMITIVE.svg: time against segment size, for all splits of one n
                                        DEVICE-histogram.svg: time against bins, a line per distribution
    plot.py --heat sweep.json           heat maps of a --sweep, or of a log of clfold-tune: of the fastest variant one
                                        for each pair of parameters, the others held at the fastest row's values
    plot.py --regret curves.json        of clfold-tune --simulate --json: the best after so many points, by strategy
    plot.py --items sweep.json          time against items per work-item ("m"), with the model's m and the best

-o PICTURE names another picture; its ending chooses the format (.svg, .png, .pdf). Needs matplotlib.
"""
import argparse
import itertools
import json
import math
import os
import statistics
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
    for row in rows:
        if row.get("clfold_tune"):
            row["n"] = row["segments"] * row["segment_size"]
    return [row for row in rows if row.get("us") and row.get("n")]


def group_by(rows, key):
    groups = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return groups


def size_label(n):
    n = int(n)
    return f"$2^{{{n.bit_length() - 1}}}$" if n >= 1024 and n & (n - 1) == 0 else str(n)


# ---- all pictures ----

STYLES = {"clfold": dict(color="#0057b8", linewidth=2.4, marker="o", markersize=4, zorder=5),
          "copy": dict(color="#888888", linestyle="--", linewidth=1.4),
          "copy kernel": dict(color="#bbbbbb", linestyle=":", linewidth=1.4),
          "plain scan": dict(color="#222222", linestyle="--", linewidth=1.4),
          "read bound": dict(color="#222222", linestyle=":", linewidth=1.4)}
# Whoever has no style has a colour of its own, the same in every panel.
OTHERS = ("cub", "torch", "boost-compute", "std-par", "std",
          "only large", "only warp", "only small", "only group", "only sequential")


def draw_line(axes, name, points):
    points = [(x, y) for x, y in points if y]
    if points:
        colour = {"color": f"C{1 + OTHERS.index(name) % 9}"} if name in OTHERS else {}
        style = STYLES.get(name, dict(linewidth=1.4, marker=".", markersize=5, **colour))
        axes.plot([x for x, _ in points], [y for _, y in points], label=name, **style)


def draw_panels(panels, draw, across, down, abreast=4):
    """One panel for each of {title: rows}, one legend for all."""
    columns = min(abreast, len(panels))
    lines = math.ceil(len(panels) / columns)
    size = (16.8 / abreast * columns, 12.8 / abreast * lines) if len(panels) > 1 else (7, 4.8)
    figure, grid = pyplot.subplots(lines, columns, figsize=size, squeeze=False)
    flat = list(grid.flat)
    for axes, (title, rows) in zip(flat, panels.items()):
        draw(axes, rows)
        axes.grid(True, alpha=0.25)
        axes.set_title(title, fontsize=10)
    for axes in flat[len(panels):]:
        axes.set_visible(False)
    for axes in grid[:, 0]:
        axes.set_ylabel(down)
    for axes in flat[max(0, len(panels) - columns):len(panels)]:
        axes.set_xlabel(across)
    entries = {label: line for axes in flat for line, label in zip(*axes.get_legend_handles_labels())}
    figure.legend(entries.values(), entries.keys(), loc="lower center", ncol=min(len(entries), 2 + 2 * columns),
                  frameon=False, fontsize=9)
    first = next(iter(panels.values()))[0]
    figure.suptitle(f"{first['device']}, driver {first['driver']}", fontsize=11)
    figure.tight_layout(rect=(0, 0.08 if lines > 1 else 0.14, 1, 0.98))
    return figure


# ---- throughput against size ----

def best(rows):
    """(n, row) for each n: the fastest of several variants and parameters."""
    by_size = group_by(rows, lambda row: row["n"])
    return [(n, min(by_size[n], key=lambda row: row["us"])) for n in sorted(by_size)]


def draw_throughput(axes, rows):
    ours = best([row for row in rows if not row.get("peer")])
    peers = group_by([row for row in rows if row.get("peer")], lambda row: row["peer"])
    for name, field in (("copy", "copy_us"), ("copy kernel", "copy_kernel_us"), ("read bound", "read_us")):
        draw_line(axes, name, [(n, row["bytes"] / row[field] * 1e-3) for n, row in ours if row.get(field)])
    draw_line(axes, "clfold", [(n, row["gbps"]) for n, row in ours])
    for name, peer_rows in peers.items():
        draw_line(axes, name, [(n, row["gbps"]) for n, row in best(peer_rows)])
    axes.set_xscale("log", base=2)
    axes.set_ylim(bottom=0)


def plot_throughput(rows):
    panels = group_by(rows, lambda row: f"{row['primitive']} {row['op']} {row['type']}")
    return draw_panels(panels, draw_throughput, "elements", "GB/s (read + written)")


# ---- time against segment size ----

def by_length(rows, field="us"):
    """(segment size, time), the fastest of several, as if all rows had the n of most."""
    usual = max(group_by(rows, lambda row: row["n"]).items(), key=lambda item: len(item[1]))[0]
    lengths = group_by([row for row in rows if row.get(field)], lambda row: row["segment_size"])
    return [(size, min(row[field] * usual / row["n"] for row in lengths[size])) for size in sorted(lengths)]


def draw_splits(axes, rows):
    ours = [row for row in rows if not row.get("peer")]
    chosen = [row for row in ours if not row.get("forced") and not row.get("define")] or ours
    draw_line(axes, "plain scan", by_length(chosen, "scan_us"))
    draw_line(axes, "read bound", by_length(chosen, "read_us"))
    draw_line(axes, "copy", by_length([row for row in chosen if not row.get("read_us")] or chosen, "copy_us"))
    draw_line(axes, "clfold", by_length(chosen))
    forced = [row for row in ours if row.get("forced") and not row.get("define")]
    for name, variant in group_by(forced, lambda row: row["variant"]).items():
        draw_line(axes, f"only {name}", by_length(variant))
    for name, peer in group_by([row for row in rows if row.get("peer")], lambda row: row["peer"]).items():
        draw_line(axes, name, by_length(peer))
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
    panels = group_by(rows, lambda row: f"{row['primitive']} {row['op']} {row['type']}, {names[row['n']]} elements")
    panels = {title: panel for title, panel in panels.items() if len({row["segment_size"] for row in panel}) > 4}
    return draw_panels(panels, draw_splits, "elements per segment", "µs", abreast=2) if panels else None


# ---- heat maps ----

def parameters(row):
    """What a row was measured with: its defines as numbers, and n."""
    pairs = (pair.split("=") for pair in (row.get("define") or "").split(",") if pair)
    values = {name: int(value) for name, value in pairs}
    values["n"] = row["n"]
    return values


def speed(row):
    """What a map shows: GB/s, or of a log of clfold-tune the model's time by this one's."""
    return 1 / row["ratio"] if row.get("clfold_tune") else row["gbps"]


def draw_heat(axes, points, across, down):
    """points: {(across value, down value): speed}; combinations that were impossible stay white."""
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
            axes.text(j, i, f"{value:.0f}" if value >= 10 else f"{value:.2f}", ha="center", va="center", fontsize=7,
                      color="black" if value > 0.6 * top else "white")
    return image


def spaces(rows):
    """{title: rows} of what parameters were given for: the variant that has the fastest of them."""
    rows = [row for row in rows if row.get("define") and not row.get("peer")]
    shapes = group_by(rows, lambda row: (row["primitive"], row["op"], row["type"],
                                         row["segment_size"] if row.get("clfold_tune") else 0))
    for (primitive, op, kind, size), part in shapes.items():
        variant = max(part, key=speed)["variant"]
        title = f"{primitive} {op} {kind}, {f'segments of {size_label(size)}, ' if size else ''}{variant}"
        yield title, [row for row in part if row["variant"] == variant]


def heat_panels(rows):
    """(across, down, {(across value, down value): speed}, what is held) for each pair of parameters that vary."""
    points = [(parameters(row), speed(row)) for row in rows]
    names = sorted({name for values, _ in points for name in values}, key=lambda name: (name == "n", name))
    varying = [name for name in names if len({values.get(name) for values, _ in points}) > 1]
    fastest = max(points, key=lambda point: point[1])[0]
    for down, across in itertools.combinations(varying, 2):
        held = [name for name in varying if name not in (across, down)]
        chosen = group_by([(values, value) for values, value in points if across in values and down in values
                           and all(values.get(name) == fastest.get(name) for name in held)],
                          lambda point: (point[0][across], point[0][down]))
        yield (across, down, {place: statistics.median(value for _, value in part) for place, part in chosen.items()},
               ", ".join(f"{name} = {size_label(fastest[name])}" for name in held))


def plot_heat(rows):
    lines = [(title, list(heat_panels(part))) for title, part in spaces(rows)]
    lines = [(title, panels) for title, panels in lines if panels]
    if not lines:
        sys.exit("a heat map needs two parameters that vary, and no variant of this file has them")
    columns = max(len(panels) for _, panels in lines)
    figure, grid = pyplot.subplots(len(lines), columns, figsize=(5.2 * columns + 1, 3.9 * len(lines)), squeeze=False)
    for axes in grid.flat:
        axes.set_visible(False)
    for (title, panels), places in zip(lines, grid):
        for axes, (across, down, points, held) in zip(places, panels):
            axes.set_visible(True)
            image = draw_heat(axes, points, across, down)
            tuned = any(row.get("clfold_tune") for row in rows)
            figure.colorbar(image, ax=axes, label="of the model's speed" if tuned else "GB/s (read + written)")
            axes.set_title(title + (f"\n{held}" if held else ""), fontsize=9)
    figure.suptitle(f"{rows[0]['device']}, driver {rows[0]['driver']}", fontsize=11)
    figure.tight_layout()
    return figure


# ---- searches ----

def read_curves(paths):
    """The lines of clfold-tune --simulate --json; of a case and strategy the last."""
    curves = {}
    for path in paths:
        with open(path, encoding="utf-8") as lines:
            for row in (json.loads(line) for line in lines if line.strip()):
                if not row.get("clfold_replay"):
                    sys.exit(f"{path}: --regret draws what clfold-tune --simulate --json writes")
                curves[row["device"], row["primitive"], row["type"], row["most"], row["strategy"]] = row
    return list(curves.values())


def draw_regret(axes, rows):
    for row in rows:
        colour = {"local": "#0057b8", "random": "#e07b00"}.get(row["strategy"], "#888888")
        for field, style in (("median", "-"), ("worst", ":")):
            if field == "worst" and row["seeds"] == 1:
                continue
            axes.step(range(1, row["points"] + 1), [100 * share for share in row[field]], where="post", color=colour,
                      linestyle=style, label=row["strategy"] + (f", {field} of {row['seeds']}" if row["seeds"] > 1 else ""))
    axes.axvline(math.ceil(rows[0]["points"] / 10), color="#bbbbbb", linewidth=1, label="a tenth of the points")
    axes.axhline(95, color="#bbbbbb", linewidth=1, linestyle="--", label="95 %")
    axes.set_xscale("log", base=2)
    axes.set_xlim(1, rows[0]["points"])
    axes.set_ylim(0, 102)


def plot_regret(rows):
    panels = group_by(rows, lambda row: f"{row['primitive']} {row['type']}, {row['points']} points")
    return draw_panels(panels, draw_regret, "points tried", "% of what the best reaches", abreast=3)


# ---- items per work-item ----

def draw_items(axes, rows):
    """A line per segment size; the fastest of all marked, and where the model would have been."""
    for size, line in sorted(group_by(rows, lambda row: row["segment_size"]).items()):
        points = {}
        for row in line:
            items = parameters(row)["items"]
            points[items] = min(row["us"], points.get(items, row["us"]))
        draw_line(axes, f"segments of {size_label(size)}", sorted(points.items()))
    fastest = min(rows, key=lambda row: row["us"])
    m = parameters(fastest)["items"]
    axes.plot([m], [fastest["us"]], marker="*", markersize=13, color="#d62728", linestyle="none", label="best m",
              zorder=6)
    axes.annotate(f"m = {m}", (m, fastest["us"]), textcoords="offset points", xytext=(0, 9), ha="center", fontsize=8)
    if fastest.get("model_items"):
        axes.axvline(fastest["model_items"], color="#2ca02c", linestyle="--", label="the model's m")
        axes.text(fastest["model_items"], axes.get_ylim()[1], f" m = {fastest['model_items']}", va="top", fontsize=8)
    axes.set_yscale("log")


def plot_items(rows):
    rows = [row for row in rows if not row.get("peer") and "items" in parameters(row)]
    if not rows:
        sys.exit("no rows of --sweep items=… in this file")
    panels = group_by(rows, lambda row: f"{row['primitive']} {row['op']} {row['type']}")
    return draw_panels(panels, draw_items, "elements per work-item (m)", "µs")


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
    parser.add_argument("--items", action="store_true", help="time against items per work-item")
    parser.add_argument("--regret", action="store_true", help="how soon searches find the best")
    arguments = parser.parse_args()
    rows = read_curves(arguments.files) if arguments.regret else read_rows(arguments.files)
    if not rows:
        sys.exit("no timed rows in " + ", ".join(arguments.files))
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

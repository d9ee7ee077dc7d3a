# SPDX-License-Identifier: MIT
"""What all pictures of plot.py share: rows, colours, panels below one legend."""
import json
import math
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
# All others take the next of these, in all panels the same one; none is near clfold's blue.
COLOURS = ("#e07b00", "#2ca02c", "#d62728", "#8e44ad", "#8c564b", "#d6249f", "#12a5a0", "#a3a300", "#5c6670", "#f2a6a0")
MARKERS = "sv^DPX"
seen = {}


def style_of(name):
    if name in STYLES:
        return STYLES[name]
    turn = seen.setdefault(name, len(seen))
    return dict(color=COLOURS[turn % len(COLOURS)], marker=MARKERS[turn // len(COLOURS) % len(MARKERS)], linewidth=1.4,
                markersize=4, linestyle=("-", "--", "-.")[turn // (len(COLOURS) * len(MARKERS)) % 3])


def draw_line(axes, name, points):
    points = [(x, y) for x, y in points if y]
    if points:
        axes.plot([x for x, _ in points], [y for _, y in points], label=name, **style_of(name))


def draw_panels(panels, draw, across, down, abreast=4):
    """One panel for each of {title: rows}, one legend for all above them."""
    columns = min(abreast, len(panels))
    lines = math.ceil(len(panels) / columns)
    width, height = (16.8 / abreast * columns, 12.8 / abreast * lines) if len(panels) > 1 else (7, 4.8)
    figure, grid = pyplot.subplots(lines, columns, figsize=(width, height), squeeze=False)
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
    longest = max(map(len, entries), default=1)
    abreast = max(1, min(len(entries), int(width / (0.6 + 0.075 * longest))))
    head = 0.45 + 0.2 * math.ceil(len(entries) / abreast)  # inches above the panels
    figure.set_size_inches(width, height + head)
    first = next(iter(panels.values()))[0]
    figure.text(0.5, 1 - 0.1 / (height + head), f"{first['device']}, driver {first['driver']}", fontsize=11, ha="center",
                va="top")
    figure.legend(entries.values(), entries.keys(), loc="upper center", ncol=abreast, frameon=False, fontsize=9,
                  bbox_to_anchor=(0.5, 1 - 0.25 / (height + head)))
    figure.tight_layout(rect=(0, 0, 1, 1 - head / (height + head)))
    return figure

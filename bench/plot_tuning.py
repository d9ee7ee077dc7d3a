# SPDX-License-Identifier: MIT
"""Pictures of what was tuned, for plot.py: heat maps of parameters, how soon searches find the best, elements per
work-item."""
import itertools
import json
import math
import statistics
import sys

from plot_common import draw_line, draw_panels, group_by, pyplot, size_label

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
    """(across, down, {(across value, down value): speed}, what is held) for each pair of parameters that vary: for each
    n, or, where one alone varies, this one against n."""
    points = [(parameters(row), speed(row)) for row in rows]
    names = sorted({name for values, _ in points for name in values if name != "n"})
    varying = [name for name in names if len({values.get(name) for values, _ in points}) > 1]
    if len(varying) < 2:
        yield from maps_of(points, [*varying, "n"], [])
        return
    for n, part in sorted(group_by(points, lambda point: point[0]["n"]).items()):
        yield from maps_of(part, varying, ["n"])


def maps_of(points, varying, also):
    """The maps of some points, each with what is held, and `also`."""
    fastest = max(points, key=lambda point: point[1])[0]
    for down, across in itertools.combinations(varying, 2):
        held = [name for name in varying if name not in (across, down)] + also
        chosen = group_by([(values, value) for values, value in points if across in values and down in values
                           and all(values.get(name) == fastest.get(name) for name in held)],
                          lambda point: (point[0][across], point[0][down]))
        yield (across, down, {place: statistics.median(value for _, value in part) for place, part in chosen.items()},
               ", ".join(f"{name} = {size_label(fastest[name])}" for name in held if name in fastest))


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
            label = row["strategy"] + (f", {field} of {row['seeds']}" if row["seeds"] > 1 else "")
            axes.step(range(1, row["points"] + 1), [100 * share for share in row[field]], where="post", color=colour,
                      linestyle=style, label=label)
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

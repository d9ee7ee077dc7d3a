# SPDX-License-Identifier: MIT
"""Pictures of rows as the papers draw them: lines, bars, heat maps. Needs matplotlib."""
import os
import statistics
import sys

from rows import fastest, of

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
WORDS = {"segmented_scan": "segmented scan", "segmented_reduce": "segmented sum", "reduce": "one sum",
         "reduce_by_keys": "reduction by keys"}
AXES = {"segment_size": "elements per segment", "segments": "rows", "n": "elements", "us": "µs",
        "gbps": "GB/s (read + written)", "items": "elements per work-item (m)", "groups": "groups"}
NAMED = ("primitive", "op", "type", "line", "group", "items", "index64", "groups", "bs", "bf", "se")


def lines_of(rows, without):
    """{name: rows}: a line is named by what differs between the rows, but for what lies across."""
    differ = [field for field in NAMED if field not in without and len({of(row, field) for row in rows}) > 1]
    lines = {}
    for row in rows:
        words = [WORDS.get(of(row, field), of(row, field)) if field in ("primitive", "op", "type", "line")
                 else f"{field}={of(row, field)}" for field in differ if of(row, field) is not None]
        lines.setdefault(" ".join(map(str, words)) or of(row, "line"), []).append(row)
    return lines


def draw_lines(axes, rows, across, down):
    from plot_common import draw_line
    flat = [row for row in rows if of(row, across) is None or row["primitive"] == "reduce" and across == "segment_size"]
    others = [row for row in rows if not any(row is one for one in flat)]
    for name, line in lines_of(others, (across,)).items():
        draw_line(axes, name, [(key, row[down]) for (key,), row in fastest(line, across).items() if row.get(down)])
    xs = sorted({of(row, across) for row in others}) or [0]
    for name, line in lines_of(flat, (across,)).items():  # one number for all of what lies across
        name = WORDS.get(line[0]["primitive"], name)
        draw_line(axes, name, [(x, min(row[down] for row in line)) for x in (xs[0], xs[-1])])
    if down == "gbps":
        bounds = fastest([row for row in others if row.get("copy_us")], across)
        draw_line(axes, "copy", [(key, row["bytes"] / row["copy_us"] * 1e-3) for (key,), row in bounds.items()])
    if len(xs) > 1 and across != "items":
        axes.set_xscale("log", base=2)
    if down == "us":
        axes.set_yscale("log")
        low, high = axes.get_ylim()
        axes.set_ylim(low / 1.5, max(high, 8 * low))


def draw_bound(axes, rows, across, bound, shares):
    from plot_common import draw_line
    for share in shares:
        draw_line(axes, f"{100 * share:.0f} % of reading",
                  [(key, row[bound] / share) for (key,), row in fastest(rows, across).items() if row.get(bound)])
    draw_lines(axes, rows, across, "us")


def draw_bars(axes, rows, across):
    """Times, beside each other for what lies across; of "best" the fastest of each kind."""
    from plot_common import style_of
    if across == "best":
        composed = [row for row in rows if row["primitive"] == "composed_scan"]
        kinds = {"not explored": [row for row in composed if (of(row, "bs"), of(row, "se")) == (256, 1)],
                 "explored": composed,
                 "GPU Gems 3": [row for row in rows if row.get("peer")],
                 "clfold": [row for row in rows if row["primitive"] == "scan" and not row.get("peer")]}
        kinds.update((f"explored, {moves}n", [row for row in rows if of(row, "moves") == moves]) for moves in (4, 3, 2))
        places = {name: {"": min(row["us"] for row in some)} for name, some in kinds.items() if some}
        groups = [""]
    else:
        if across != "n":  # the largest arrays alone
            most = {row["primitive"]: row["n"] for row in sorted(rows, key=lambda row: row["n"])}
            rows = [row for row in rows if row["n"] == most[row["primitive"]]]
        groups = list(dict.fromkeys(of(row, across) for row in rows))
        without = {"define": ("define", "group", "items"), "primitive": ("primitive", "op", "type")}
        places = {name: {group: row["us"] for (group,), row in fastest(line, across).items()}
                  for name, line in lines_of(rows, without.get(across, (across,))).items()}
    width = 0.84 / len(places)
    for turn, (name, values) in enumerate(places.items()):
        xs = [groups.index(group) + (turn + 0.5) * width - 0.42 for group in values]
        axes.bar(xs, list(values.values()), width=width, label=name, color=style_of(name)["color"])
    axes.set_xticks(range(len(groups)), [WORDS.get(str(group), str(group)) for group in groups], fontsize=8)
    axes.set_yscale("log")


def draw_heats(rows, pairs, title):
    from plot_common import pyplot
    from plot_tuning import draw_heat
    figure, grid = pyplot.subplots(1, len(pairs), figsize=(6.4 * len(pairs), 4.6), squeeze=False)
    for axes, (across, down) in zip(grid[0], pairs):
        places = {}
        for row in rows:
            places.setdefault((of(row, across), of(row, down)), []).append(row["gbps"])
        image = draw_heat(axes, {place: max(some) for place, some in places.items()}, across, down)
        figure.colorbar(image, ax=axes, label=AXES["gbps"])
    figure.suptitle(f"{rows[0]['device']}, driver {rows[0]['driver']}\n{title}", fontsize=10)
    figure.tight_layout()
    return figure


def close():
    """Forgets the pictures so far, which matplotlib would keep."""
    from plot_common import pyplot
    pyplot.close("all")


def draw(figure, rows, path, title):
    """False where these rows have nothing to draw."""
    from plot_common import draw_panels, seen
    seen.clear()  # each picture has the first colours
    kind, *how = figure.draw
    rows = [row for row in rows if row.get("us")]
    if not rows or kind == "heat" and not statistics.fmean(row.get("gbps") or 0 for row in rows):
        return False
    if kind == "heat":
        picture = draw_heats(rows, how, title)
    else:
        call = {"lines": draw_lines, "bars": draw_bars, "bound": draw_bound}[kind]
        down = how[1] if kind == "lines" else "us"
        picture = draw_panels({title: rows}, lambda axes, some: call(axes, some, *how), AXES.get(how[0], ""),
                              AXES[down])
    picture.savefig(path, dpi=110, metadata={"Date": None})
    return True


def sheet(drawn, path):
    """Several pictures as one: `drawn` is the list of their files (PNG)."""
    from plot_common import pyplot
    across = min(3, len(drawn))
    page, grid = pyplot.subplots(-(-len(drawn) // across), across, squeeze=False, layout="constrained",
                                 figsize=(4.4 * across, 3.3 * -(-len(drawn) // across)))
    for axes in grid.flat:
        axes.axis("off")
    for axes, one in zip(grid.flat, drawn):
        axes.imshow(pyplot.imread(one), interpolation="antialiased")
    page.savefig(path, dpi=72, metadata={"Software": None}, pil_kwargs={"optimize": True})

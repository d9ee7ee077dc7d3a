# SPDX-License-Identifier: MIT
"""plot_check.py BENCH: what bench/plot.py draws of rows whose right picture is known."""
import sys

sys.path.insert(0, sys.argv[1])
import plot
import plot_tuning
from matplotlib.colors import to_hex

NS = (2**16, 2**18, 2**20)


def row(n, us, primitive="scan", segments=1, **more):
    return {"device": "D", "driver": "1", "primitive": primitive, "op": "sum", "type": "i32", "n": n, "segments": segments,
            "segment_size": n // segments, "variant": "central", "define": None, "us": us, "bytes": 8 * n,
            "gbps": 8 * n / us * 1e-3, "copy_us": 1.0, **more}


def lines(axes):
    return {line.get_label(): line for line in axes.get_lines()}


def above(figure):
    """The legend and the title lie above all panels, and the legend below the title."""
    figure.canvas.draw()
    legend = figure.legends[0].get_window_extent()
    assert all(legend.y0 >= axes.get_tightbbox().y1 for axes in figure.axes if axes.get_visible())
    assert legend.y1 <= figure.texts[0].get_window_extent().y0 + 2 and legend.x0 >= 0
    assert legend.x1 <= figure.bbox.width


def sweep(primitive="scan", segments=1):
    """clfold's choice, two variants of two settings each, eleven peers; each has its own times."""
    rows = []
    for n in NS:
        some = [{}] + [dict(forced=True, variant=variant, define=define) for variant in ("window", "serial")
                       for define in (None, "group=256,items=16", "group=256,items=32")]
        some += [dict(define="items=8")] + [dict(peer=f"peer{i}") for i in range(11)]
        rows += [row(n, n / 1000 * (1 + turn), primitive, segments, **more) for turn, more in enumerate(some)]
    return rows


def check_lines():
    """Nothing is merged: each variant, setting and peer has a line, of its own times and of a look of its own."""
    figure = plot.plot_throughput(sweep())
    (axes,) = figure.axes
    found = lines(axes)
    for turn, name in enumerate(["clfold", "only window", "only window, group=256 items=16",
                                 "only window, group=256 items=32", "only serial", "only serial, group=256 items=16",
                                 "only serial, group=256 items=32", "clfold, items=8"] + [f"peer{i}" for i in range(11)]):
        speeds = [round(y, 6) for y in found[name].get_ydata()]
        assert speeds == [round(8 / (1 + turn), 6)] * len(NS), (name, speeds)
    assert set(found) - {"copy"} == set(plot.lines_of(sweep())) and len(found) == 20
    looks = {(to_hex(line.get_color()), line.get_marker(), line.get_linestyle()) for line in found.values()}
    assert len(looks) == len(found), looks
    above(figure)


def check_colours():
    """A peer has one colour in all panels, whatever else is in them, and none has clfold's."""
    rows = sweep() + [row(n, 1.0, "reduce", peer="peer7") for n in NS] + [row(n, 2.0, "reduce") for n in NS]
    panels = plot.plot_throughput(rows).axes
    first, second = (lines(axes)["peer7"] for axes in panels)
    assert first.get_color() == second.get_color() and first.get_marker() == second.get_marker()
    ours = [int(to_hex(lines(panels[0])["clfold"].get_color())[at:at + 2], 16) for at in (1, 3, 5)]
    for name, line in lines(panels[0]).items():
        other = [int(to_hex(line.get_color())[at:at + 2], 16) for at in (1, 3, 5)]
        assert name == "clfold" or sum(abs(a - b) for a, b in zip(ours, other)) > 110, name


def check_splits():
    rows = [entry for segments in (1, 4, 16, 64, 256) for entry in sweep("segmented_scan", segments) if entry["n"] == 2**20]
    found = lines(plot.plot_splits(rows).axes[0])
    assert list(found["only serial"].get_ydata()) == [2**20 / 1000 * 5] * 5
    assert "only window, group=256 items=32" in found and "clfold, items=8" in found and "peer3" in found


def check_bars():
    figure = plot.plot_bars(sweep())
    (axes,) = figure.axes
    bars = {container.get_label(): container for container in axes.containers}
    assert len(bars) == 20 and all(len(bar) == len(NS) for bar in bars.values())
    assert [round(patch.get_height(), 6) for patch in bars["only window"]] == [4.0] * len(NS)
    edges = sorted((patch.get_x(), patch.get_x() + patch.get_width()) for bar in bars.values() for patch in bar)
    assert all(a[1] <= b[0] + 1e-9 for a, b in zip(edges, edges[1:])), "bars overlap"
    above(figure)


def check_heat():
    """group x items x n: a map of group and items for each n, with the values of that n."""
    rows = [row(n, n / (group * items), variant="window", define=f"group={group},items={items}")
            for n in NS for group in (64, 128) for items in (4, 8, 16)]
    panels = list(plot_tuning.heat_panels(rows))
    assert [(across, down) for across, down, _, _ in panels] == [("items", "group")] * len(NS), panels
    assert [held for _, _, _, held in panels] == ["n = $2^{16}$", "n = $2^{18}$", "n = $2^{20}$"]
    for _, _, points, _ in panels:
        assert points == {(items, group): 8 * group * items * 1e-3 for group in (64, 128) for items in (4, 8, 16)}
    one = [entry for entry in rows if entry["define"].startswith("group=64,")]
    assert [(across, down) for across, down, _, _ in plot_tuning.heat_panels(one)] == [("n", "items")]
    assert len(plot_tuning.plot_heat(rows).axes) == 2 * len(NS)


for name, check in list(globals().items()):
    if name.startswith("check_"):
        check()
print("plot: right")
